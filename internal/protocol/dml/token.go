package dml

import (
	"strings"
	"unicode/utf8"
)

// A token is a delimiter: 🦆▶️[ or ]◀️🦆, with one bracket or several.
type token struct {
	start, end int  // bytes, brackets included
	brackets   int  // how many
	open       bool // an opener
	short      bool // a closer whose duck is missing
	odd        bool // the variation selectors are not one after the arrow, or blanks stand in between
}

// maxBrackets is how many brackets a delimiter may have. Of a longer run before a closer's arrow the last ones count.
const maxBrackets = 64

// tail is how many bytes at the end of an unfinished text may be the beginning of a delimiter.
const tail = 2*maxBrackets + 32

const (
	duck  = "🦆"
	right = "▶"
	left  = "◀"
	vs16  = "\ufe0f"
)

// tokens finds the delimiters that begin in text[from:to].
func tokens(text string, from, to int, found []token) []token {
	nextRight, nextLeft := index(text, right, from), index(text, left, from)
	for {
		at := min(nextRight, nextLeft)
		if at >= to {
			return found
		}
		var t token
		var ok bool
		if at == nextRight {
			t, ok = opener(text, at)
			nextRight = index(text, right, at+len(right))
		} else {
			t, ok = closer(text, at)
			nextLeft = index(text, left, at+len(left))
		}
		if ok && (len(found) == 0 || t.start >= found[len(found)-1].end || overlapping(&t, found[len(found)-1])) {
			found = append(found, t)
		}
	}
}

// overlapping lets a duck that ends one macro begin the next: it belongs to the first.
func overlapping(t *token, last token) bool {
	if t.open && !last.open && t.start == last.end-len(duck) {
		t.start, t.odd = last.end, true
		return true
	}
	return false
}

// index is where sub stands in text at or after from, or the text's end.
func index(text, sub string, from int) int {
	if from >= len(text) {
		return len(text)
	}
	if i := strings.Index(text[from:], sub); i >= 0 {
		return from + i
	}
	return len(text)
}

// opener reads 🦆▶️[ around the arrow at at.
func opener(text string, at int) (token, bool) {
	start, joined := before(text, at)
	if !strings.HasSuffix(text[:start], duck) {
		return token{}, false
	}
	end, selectors, blanks := after(text, at+len(right))
	n := 0
	for end+n < len(text) && text[end+n] == '[' {
		n++
	}
	if n == 0 || n > maxBrackets {
		return token{}, false
	}
	return token{start: start - len(duck), end: end + n, brackets: n, open: true, odd: !joined || blanks || selectors != 1}, true
}

// closer reads ]◀️🦆 around the arrow at at.
func closer(text string, at int) (token, bool) {
	stop, joined := before(text, at)
	n := 0
	for n < stop && n < maxBrackets && text[stop-n-1] == ']' {
		n++
	}
	if n == 0 {
		return token{}, false
	}
	end, selectors, blanks := after(text, at+len(left))
	t := token{start: stop - n, end: end, brackets: n, odd: !joined || blanks || selectors != 1}
	if !strings.HasPrefix(text[end:], duck) {
		t.short = true
		return t, true
	}
	t.end += len(duck)
	for strings.HasPrefix(text[t.end:], vs16) {
		t.end += len(vs16)
		t.odd = true
	}
	return t, true
}

// before skips selectors and at most two blanks backwards from at.
func before(text string, at int) (pos int, joined bool) {
	pos = at
	for n := 0; n < 4; n++ {
		switch {
		case strings.HasSuffix(text[:pos], vs16), strings.HasSuffix(text[:pos], "\ufe0e"):
			pos -= len(vs16)
		case strings.HasSuffix(text[:pos], " ") && n < 2:
			pos--
		default:
			return pos, pos == at
		}
	}
	return pos, false
}

// after skips the arrow's selectors and at most two blanks forwards from pos.
func after(text string, pos int) (end, selectors int, blanks bool) {
	for n := 0; n < 4; n++ {
		switch {
		case strings.HasPrefix(text[pos:], vs16), strings.HasPrefix(text[pos:], "\ufe0e"):
			pos += len(vs16)
			selectors++
		case strings.HasPrefix(text[pos:], " ") && n < 2:
			pos++
			blanks = true
		default:
			return pos, selectors, blanks
		}
	}
	return pos, selectors, blanks
}

// trimBlank is a line without surrounding blanks of any script.
func trimBlank(s string) string { return strings.TrimSpace(strings.ReplaceAll(s, "\u3000", " ")) }

// lastRune is the last character of a text.
//
//go:noinline
func lastRune(s string) rune {
	r, _ := utf8.DecodeLastRuneInString(s)
	return r
}

// firstRune is the first character of a text.
func firstRune(s string) rune {
	r, _ := utf8.DecodeRuneInString(s)
	return r
}
