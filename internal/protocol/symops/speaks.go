package symops

import "strings"

// Speaks reports whether a text has what only this language has, at a line's start.
func Speaks(text string) bool {
	if strings.Contains(text, "<<<<<<< SEARCH\n") && strings.Contains(text, "\n>>>>>>> REPLACE") {
		return true
	}
	fenced := false
	for line := range strings.Lines(text) {
		if strings.HasPrefix(strings.TrimSpace(line), "```") {
			fenced = !fenced
		}
		if fenced {
			continue
		}
		verb, rest, ok := strings.Cut(strings.TrimPrefix(line, "$ "), " @ ")
		if ok && strings.HasPrefix(line, "$ ") && (ownVerbs[verb] || toolWords[folded(verb)]) && strings.TrimSpace(rest) != "" {
			return true
		}
	}
	return false
}

// ownVerbs are those of the grammar (§2.3.3).
var ownVerbs = map[string]bool{"create": true, "edit": true, "delete": true, "run": true, "test": true}
