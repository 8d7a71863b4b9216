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

// Narrow writes full-width letters and signs as their narrow forms.
//
//go:noinline
func Narrow(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= '！' && r <= '～' {
			return r - '！' + '!'
		}
		if r == '　' {
			return ' '
		}
		return r
	}, s)
}

// Quote is a word as a shell reads it, whatever is in it.
//
//go:noinline
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

// Unwrapped is a word without the blanks and the pair of quotes around it, which come along where it was copied from a file or a command.
func Unwrapped(word string) string {
	word = strings.TrimSpace(word)
	if n := len(word); n > 1 && word[0] == word[n-1] && strings.ContainsRune("\"'`", rune(word[0])) {
		word = strings.TrimSpace(word[1 : n-1])
	}
	return word
}

// LastLine is the last line of a text that is not empty.
func LastLine(text string) string {
	text = strings.TrimSpace(text)
	return strings.TrimSpace(text[strings.LastIndexByte(text, '\n')+1:])
}

// Ending is the end of a text that was cut, by which a model finds where.
//
//go:noinline
func Ending(text string) string {
	line := []rune(LastLine(text))
	return "`" + string(line[max(0, len(line)-endingLength):]) + "`"
}

// endingLength is how many characters tell where a text was cut.
const endingLength = 60
