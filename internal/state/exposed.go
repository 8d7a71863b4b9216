package state

import (
	"slices"
	"strings"

	"nebula"
	"nebula/internal/lists"
)

// names are commands that print names or what state something is in, and nothing of what a file holds.
var names = []string{"ls", "pwd", "whoami", "nproc", "git status", "git branch"}

// Exposes reports whether the result of something can hold a secret: that of a file whose name says so, and that of every command
// but those that print names.
func Exposes(b nebula.Proposed) bool {
	if b.Verdict.Ruling == nebula.Deny {
		return false
	}
	if lists.Has(b.Verdict.Risks, nebula.SecretFile) {
		return true
	}
	p := b.Proposal
	return p.Effect == nebula.Execute && (p.Remote != nil || !listing(p.Line()))
}

// listing reports whether a command is one of [names] with plain arguments.
func listing(line string) bool {
	if strings.ContainsAny(line, "|&;<>$`(){}\n\r'\"\\") {
		return false
	}
	return slices.ContainsFunc(names, func(n string) bool { return line == n || strings.HasPrefix(line, n+" ") })
}
