package tool

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"nebula"
	"nebula/internal/phrase"
	"nebula/internal/workspace"
)

// place decides whether a command runs in a box, and what of it may be changed there. The risks are those of running in
// none.
func (o Options) place(c *workspace.Command, v nebula.View, outside bool) []string {
	if !o.Boxed {
		return nil
	}
	c.Outside, c.Repository = outside || v.Free, runsGit(c.Line)
	if outside && !v.Free {
		return []string{nebula.Unconfined}
	}
	return nil
}

// runsGit reports whether a command line runs git by its name: then it was allowed to change the repository.
func runsGit(line string) (found bool) {
	if !strings.Contains(line, "git") {
		return false
	}
	file, err := syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(line), "")
	if err != nil {
		return false
	}
	syntax.Walk(file, func(n syntax.Node) bool {
		if call, ok := n.(*syntax.CallExpr); ok && len(call.Args) > 0 && call.Args[0].Lit() == "git" {
			found = true
		}
		return !found
	})
	return found
}

// boxNote tells the model of what may be the reason that a command failed.
func boxNote(lang string) string {
	return phrase.In(lang, "\n[it ran confined: no network but loopback, changes in this folder, /tmp and tool caches only, no keys; .git changes for git commands only. If that is why it failed, outside: true asks the user to run it without.]")
}
