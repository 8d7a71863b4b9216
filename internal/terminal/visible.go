package terminal

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"nebula/internal/phrase"
)

// Visible makes every character of foreign text show that a terminal would obey, hide or reorder: control characters,
// bidirectional marks, zero-width and odd-width spaces, and bytes that are no UTF-8. New lines and tabs stay. What a
// person decides on must look like what runs.
func Visible(s string) string {
	if plain(s) {
		return s
	}
	var b strings.Builder
	var before rune
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && n == 1:
			fmt.Fprintf(&b, "⟦\\x%02x⟧", s[i])
		case r == '\n' || r == '\t':
			b.WriteRune(r)
		case r < ' ':
			b.WriteRune('␀' + r)
		case r == 0x7f:
			b.WriteRune('␡')
		case joins(before, r, s[i+n:]):
			b.WriteRune(r)
		case phrase.Is(r, phrase.Hidden):
			fmt.Fprintf(&b, "⟦U+%04X⟧", r)
		default:
			b.WriteRune(r)
		}
		before, i = r, i+n
	}
	return b.String()
}

//go:noinline
func plain(s string) bool {
	for i := range len(s) {
		if c := s[i]; c >= 0x7f || c < ' ' && c != '\n' && c != '\t' {
			return false
		}
	}
	return true
}

// joins reports whether r holds an emoji together: a joiner or a variation selector in its usual place.
func joins(before, r rune, rest string) bool {
	switch r {
	case 0xfe0e, 0xfe0f:
		return pictorial(before) || before >= '0' && before <= '9' || before == '#' || before == '*'
	case 0x200d:
		next, _ := utf8.DecodeRuneInString(rest)
		return (pictorial(before) || before == 0xfe0f || skinTone(before)) && pictorial(next)
	}
	return false
}

func pictorial(r rune) bool {
	return r >= 0x1f000 && r < 0x20000 || r >= 0x2190 && r < 0x2c00 || r == 0x3030
}

func skinTone(r rune) bool { return r >= 0x1f3fb && r <= 0x1f3ff }
