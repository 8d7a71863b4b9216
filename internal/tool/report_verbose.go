package tool

import (
	"slices"
	"strings"

	"nebula/internal/lazy"
	"nebula/internal/lists"
)

// A goVerbose puts what go test -v prints of a test below the line that says that it failed: it is printed above that line,
// below the names of other tests. What passed is left out.
type goVerbose struct {
	test   string // whose output the next lines are
	output map[string][]string
}

var goTurn = &lazy.Pattern{X: `^=== (RUN|NAME|CONT|PAUSE)\s+(\S+)$`}

// ordered are the lines to be read in place of one.
func (v *goVerbose) ordered(l string) []string {
	switch {
	case strings.HasPrefix(l, "=== "):
		if m := goTurn.For(l).FindStringSubmatch(l); m != nil {
			v.test = m[2]
			if m[1] == "PAUSE" {
				v.test = ""
			}
		}
	case goResult.In(l):
		m := goResult.For(l).FindStringSubmatch(l)
		said := v.output[m[2]]
		delete(v.output, m[2])
		if v.test = ""; m[1] == "FAIL" {
			return append([]string{l}, said...)
		}
	case strings.HasPrefix(l, "panic: "), strings.HasPrefix(l, "fatal error: "):
		return append(v.ended(), l)
	case goPackage.In(l):
		return append(v.ended(), l)
	case v.test != "":
		if v.output == nil {
			v.output = map[string][]string{}
		}
		if said := v.output[v.test]; len(said) < blockLines {
			v.output[v.test] = append(said, l)
		}
		return nil
	}
	return []string{l}
}

// ended is what was printed of a test that has not ended when its process did.
//
//go:noinline
func (v *goVerbose) ended() (lines []string) {
	if said := v.output[v.test]; v.test != "" && len(said) > 0 {
		lines = append([]string{"--- FAIL: " + v.test}, said...)
	}
	v.test, v.output = "", nil
	return lines
}

// innermost are names without those of tests around others: what failed in one is told by its own name.
func innermost(names []string) []string {
	return lists.Drop(lists.Clone(names), func(name string) bool {
		return slices.ContainsFunc(names, func(n string) bool { return strings.HasPrefix(n, name+"/") })
	})
}
