package actionlist

import "strings"

// Speaks reports whether a text may have a document of this language.
func Speaks(text string) bool {
	return strings.ContainsAny(text, `"'`) && strings.Contains(text, "{")
}
