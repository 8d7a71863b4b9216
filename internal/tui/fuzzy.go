package tui

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"nebula/internal/lists"
)

// fuzzy tells whether the letters of query stand in text in their order, and how well: letters in a row, at the
// beginning of words and late in a path count for more. Case does not matter unless query has a capital.
func fuzzy(query, text string) (score int, ok bool) {
	if query == "" {
		return 0, true
	}
	exact := strings.ContainsFunc(query, unicode.IsUpper)
	if i := index(text, query, exact); i >= 0 {
		score = 1000 - min(len(text)-len(query), 400)
		if i == 0 || strings.IndexByte("/ _-.", text[i-1]) >= 0 {
			score += 200
		}
		return score + 3*i/2, true
	}
	before, row := rune('/'), 0
	for _, r := range text {
		q, n := utf8.DecodeRuneInString(query)
		if n == 0 {
			break
		}
		if r == q || !exact && unicode.ToLower(r) == unicode.ToLower(q) {
			query = query[n:]
			score += 1 + 4*row
			if strings.ContainsRune("/ _-.", before) {
				score += 8
			}
			row++
		} else {
			row = 0
		}
		before = r
	}
	return score - len(text)/16, query == ""
}

func index(text, query string, exact bool) int {
	if exact {
		return strings.LastIndex(text, query)
	}
	if len(text) < 256 {
		return strings.LastIndex(strings.ToLower(text), strings.ToLower(query))
	}
	return strings.LastIndex(text, query)
}

// best are the indices of the texts that fit query, the best first; at most so many.
func best(query string, n, most int, text func(i int) string) []int {
	type hit struct{ i, score int }
	var hits []hit
	for i := range n {
		if score, ok := fuzzy(query, text(i)); ok {
			hits = append(hits, hit{i, score})
		}
	}
	if query != "" {
		lists.Sort(hits, func(a, b hit) int { return b.score - a.score })
	}
	found := make([]int, 0, min(len(hits), most))
	for _, h := range hits[:min(len(hits), most)] {
		found = append(found, h.i)
	}
	return found
}
