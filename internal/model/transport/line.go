package transport

import (
	"strings"
	"unicode/utf8"
)

// OneLine makes text fit into an error: no control characters, at most n bytes.
func OneLine(s string, n int) string {
	s = strings.Join(strings.FieldsFunc(strings.ToValidUTF8(s, "\uFFFD"), func(r rune) bool { return r <= ' ' || r == 0x7f }), " ")
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n] + "…"
}
