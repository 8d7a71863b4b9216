package phrase

import (
	"strings"
	"unicode/utf8"
)

// Clean is a text without what a person would not see in it, so that nothing is told that nobody could have read.
func Clean(text string) string {
	text = strings.TrimPrefix(strings.ReplaceAll(text, "\r\n", "\n"), "\ufeff")
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t':
			return r
		case Is(r, Blank):
			return ' '
		case Is(r, Hidden), r == utf8.RuneError:
			return -1
		}
		return r
	}, text)
}
