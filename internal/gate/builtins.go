package gate

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"nebula/internal/lists"
)

// tellers are builtins that alone show all variables.
var tellers = strings.Fields("set export declare typeset readonly local")

// reckons are builtins that take a variable's name, or a number to reckon out: what stands in its brackets runs.
var reckons = strings.Fields("test [ let unset printf read declare typeset local export readonly")

// reckoned reads the names of variables that a builtin is given.
func (r *reading) reckoned(name string, args []arg) {
	if !lists.Has(reckons, name) {
		return
	}
	for i, a := range args {
		if strings.Contains(a.text, "[") && (strings.Contains(a.text, "$(") || strings.Contains(a.text, "`")) || name == "printf" && i > 0 && args[i-1].text == "-v" && steers(a.text) {
			r.add(Unclear)
		}
	}
}

// builtin reads what changes only the shell itself.
func (r *reading) builtin(name string, args []arg) {
	if (name == "cd" || name == "pushd") && len(args) == 0 {
		r.add(Outside)
	}
	r.enter(name, args)
	for _, a := range args {
		if key, _, ok := strings.Cut(a.text, "="); ok && steers(key) || !a.known {
			r.add(Unclear)
		}
	}
	if len(args) == 0 && lists.Has(tellers, name) || len(args) == 1 && args[0].text == "-p" {
		r.add(Unclear) // it shows what env shows
	}
}

// declared reads a declaration, which tells of all variables where it names none.
func (r *reading) declared(n *syntax.DeclClause) {
	r.assigned(n.Args)
	if !slices.ContainsFunc(n.Args, func(a *syntax.Assign) bool { return a.Name != nil }) {
		r.add(Unclear)
	}
}

// let reads a reckoning: what stands in quotes in it is reckoned out too.
func (r *reading) let(n *syntax.LetClause) {
	syntax.Walk(n, func(n syntax.Node) bool {
		if q, ok := n.(*syntax.SglQuoted); ok && strings.ContainsAny(q.Value, "$`") {
			r.add(Unclear)
		}
		return true
	})
}
