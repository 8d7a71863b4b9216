package symops

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"nebula"
	"nebula/internal/nebulatest"
	"nebula/internal/protocol"
)

var update = flag.Bool("update", false, "write what the cases give")

// A case is a txtar file: what a model wrote, and what it means.
func TestCases(t *testing.T) {
	files, err := filepath.Glob("testdata/cases/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			raw, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			about, sections := sections(string(raw))
			reply, want := strings.ReplaceAll(sections["reply"], "␍", "\r"), sections["want"]
			if strings.Contains(about, "no final newline") {
				reply = strings.TrimSuffix(reply, "\n")
			}
			got := dump(Parse(reply, nebulatest.Specs()))
			if *update {
				raw := about + "-- reply --\n" + sections["reply"] + "-- want --\n" + got
				if err := os.WriteFile(file, []byte(raw), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			if got != want {
				t.Errorf("%s\ngot:\n%s\nwant:\n%s", about, got, want)
			}
		})
	}
}

// sections reads txtar.
func sections(s string) (about string, m map[string]string) {
	m = map[string]string{}
	name := ""
	for l := range strings.Lines(s) {
		if t, ok := strings.CutPrefix(l, "-- "); ok && strings.HasSuffix(t, " --\n") {
			name = strings.TrimSuffix(t, " --\n")
			continue
		}
		if name == "" {
			about += l
			continue
		}
		m[name] += l
	}
	return about, m
}

// dump writes a document as lines that read like the reply should have.
func dump(d *Document) string {
	var b strings.Builder
	in := d.Intent(nebulatest.Specs())
	protocol.Settle(nebula.Reply{}, &in)
	order, _ := ordered(d.Actions)
	fmt.Fprintf(&b, "%s %.2f\n", in.Strategy, in.Confidence)
	for _, t := range d.Thoughts {
		fmt.Fprintf(&b, "~ %s\n", t)
	}
	for _, k := range []byte("cmfs") {
		if v, ok := d.Vitals[k]; ok {
			fmt.Fprintf(&b, "#%c%v\n", k, v)
		}
	}
	for _, q := range d.Questions {
		fmt.Fprintf(&b, "? %s\n", q.Text)
		for _, o := range q.Options {
			fmt.Fprintf(&b, "  - %s\n", o)
		}
	}
	for _, e := range d.Errors {
		fmt.Fprintf(&b, "! %s\n", e)
	}
	for i, a := range d.Actions {
		fmt.Fprintf(&b, "$ %s @ %s", a.Type, a.Path)
		if a.DependsOn != nil {
			fmt.Fprintf(&b, " > %s", *a.DependsOn)
		}
		if in.Actions[slices.Index(order, i)].Inferred {
			b.WriteString("  (inferred)")
		}
		if a.Truncated {
			b.WriteString("  (truncated)")
		}
		if a.Args != nil || a.isPatch() {
			fmt.Fprintf(&b, "  %s", a.action(nebulatest.Specs()).Args)
		}
		b.WriteByte('\n')
		if a.HasBlock {
			for _, l := range strings.Split(a.Content, "\n") {
				fmt.Fprintf(&b, "  |%s\n", strings.ReplaceAll(l, "\r", "␍"))
			}
		}
	}
	if d.Say != "" {
		for _, l := range strings.Split(d.Say, "\n") {
			fmt.Fprintf(&b, "say: %s\n", l)
		}
	}
	for _, r := range d.Repairs {
		fmt.Fprintf(&b, "repair: %s %d\n", r.Name, r.Line)
	}
	for _, p := range d.Problems {
		fmt.Fprintf(&b, "problem: %d %s; %s\n", p.Line, p.Text, p.Hint)
	}
	return b.String()
}
