package plan

import (
	"fmt"
	"strings"

	"nebula"
)

// Graphs are the forms in which the dependencies can be drawn.
var Graphs = []string{"text", "mermaid", "dot"}

// Graph draws which step comes after which.
func Graph(p nebula.Plan, form string) (string, error) {
	switch form {
	case "", "text":
		return asText(p), nil
	case "mermaid":
		return asMermaid(p), nil
	case "dot":
		return asDOT(p), nil
	}
	return "", nebula.Errorf("no form %q for a graph; there are %s", form, strings.Join(Graphs, ", "))
}

// asText lists the steps in waves: what stands on a level can run once the levels above are over.
func asText(p nebula.Plan) string {
	level := levels(p)
	deepest := 0
	for _, l := range level {
		deepest = max(deepest, l)
	}
	var b strings.Builder
	for l := range deepest + 1 {
		for i, s := range p.Steps {
			if level[i] != l {
				continue
			}
			fmt.Fprintf(&b, "%s%s %s %s", strings.Repeat("   ", l), box(s), s.ID, line(s.Name))
			if len(s.DependsOn) > 0 {
				fmt.Fprintf(&b, " ← %s", strings.Join(s.DependsOn, ", "))
			}
			b.WriteByte('\n')
		}
	}
	return b.String()
}

// levels are the lengths of the longest ways to the steps.
func levels(p nebula.Plan) []int {
	at := places(p)
	level := make([]int, len(p.Steps))
	for i := range level {
		level[i] = -1
	}
	var depth func(i int) int
	depth = func(i int) int {
		if level[i] >= 0 {
			return level[i]
		}
		level[i] = 0 // a circle ends here
		deepest := 0
		for _, d := range p.Steps[i].DependsOn {
			if j, ok := at[d]; ok {
				deepest = max(deepest, depth(j)+1)
			}
		}
		level[i] = deepest
		return deepest
	}
	for i := range p.Steps {
		depth(i)
	}
	return level
}

func asMermaid(p nebula.Plan) string {
	var b strings.Builder
	b.WriteString("graph TD\n")
	at := places(p)
	for i, s := range p.Steps {
		fmt.Fprintf(&b, "    s%d[\"%s %s\"]\n", i+1, mermaid(s.ID+": "+line(s.Name)), s.Status)
	}
	for i, s := range p.Steps {
		for _, d := range s.DependsOn {
			fmt.Fprintf(&b, "    s%d --> s%d\n", at[d]+1, i+1)
		}
	}
	return b.String()
}

// mermaid writes a text so that no character of it has a meaning in a label.
func mermaid(text string) string {
	return strings.NewReplacer(`"`, "#quot;", "#", "#35;", "<", "#lt;", ">", "#gt;").Replace(text)
}

func asDOT(p nebula.Plan) string {
	var b strings.Builder
	b.WriteString("digraph plan {\n  rankdir=TB;\n  node [shape=box];\n")
	at := places(p)
	for i, s := range p.Steps {
		fmt.Fprintf(&b, "  s%d [label=%s];\n", i+1, dot(s.ID+": "+line(s.Name)+"\n"+string(s.Status)))
	}
	for i, s := range p.Steps {
		for _, d := range s.DependsOn {
			fmt.Fprintf(&b, "  s%d -> s%d;\n", at[d]+1, i+1)
		}
	}
	b.WriteString("}\n")
	return b.String()
}

func dot(text string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(text) + `"`
}
