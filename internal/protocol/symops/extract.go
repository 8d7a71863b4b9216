package symops

import "strings"

func (b *builder) extract() {}

// isPatch reports whether a block says what to change instead of what a file holds.
func isPatch(s string) bool {
	return strings.HasPrefix(s, "<<<<<<< ") || strings.HasPrefix(s, "--- ") && strings.Contains(s, "\n+++ ") ||
		strings.HasPrefix(s, "@@ ") || strings.HasPrefix(s, "diff --git ") || strings.HasPrefix(s, "*** Begin Patch")
}
