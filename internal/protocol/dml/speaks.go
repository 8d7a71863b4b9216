package dml

import "strings"

// Speaks reports whether a text has what only this language has.
func Speaks(text string) bool { return strings.Contains(text, "🦆") && strings.Contains(text, "[") }
