// Package phrase has what several parts do with a text: making it one line, telling how far two words lie apart, and saying it in
// another language.
package phrase

import (
	"strings"
	"unicode/utf8"
)

// OneLine makes a text one line of at most limit characters, without any that a terminal acts on; no limit with 0.
func OneLine(s string, limit int) string {
	s = strings.Join(strings.Fields(strings.Map(func(r rune) rune {
		if Is(r, Control|Turning) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(s, "\uFFFD"))), " ")
	if limit <= 0 || len(s) <= limit {
		return s
	}
	if n := []rune(s); len(n) > limit {
		return string(n[:limit-1]) + "…"
	}
	return s
}

// farthest is how long words may be to be compared letter by letter.
const farthest = 128

// ASCII reports whether a text has nothing but ASCII: no word of Japanese, for one.
//
//go:noinline
func ASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// Distance counts the insertions, deletions, replacements and swaps of neighbours that make one word of another. Long ones
// are as far apart as they are long.
func Distance(a, b string) int {
	if len(a) > farthest || len(b) > farthest {
		return len(a) + len(b)
	}
	s, t := []rune(a), []rune(b)
	before, last := make([]int, len(t)+1), make([]int, len(t)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(s); i++ {
		row := make([]int, len(t)+1)
		row[0] = i
		for j := 1; j <= len(t); j++ {
			cost := 1
			if s[i-1] == t[j-1] {
				cost = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && s[i-1] == t[j-2] && s[i-2] == t[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last = last, row
	}
	return last[len(t)]
}

// Fenced is a text that Markdown shows as it stands, as one of a language, or of none.
func Fenced(language, text string) string {
	fence := "```"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	return fence + language + "\n" + strings.TrimRight(text, "\n") + "\n" + fence
}
