package phrase

import (
	"bytes"
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

// Quote is a word as a shell reads it, whatever is in it.
func Quote(word string) string { return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'" }

// Binary reports whether bytes are those of a picture, a program or an archive: no UTF-8, with what no text of any encoding has.
func Binary(data []byte) bool {
	if utf8.Valid(data) {
		return false
	}
	odd := 0
	for _, b := range data {
		if b == 0 {
			return true
		}
		if b < ' ' && !bytes.Contains([]byte("\t\n\v\f\r\b\x0e\x0f\x1b"), []byte{b}) { // 0x0e and 0x0f are of ISO-2022
			odd++
		}
	}
	return odd > len(data)/30
}
