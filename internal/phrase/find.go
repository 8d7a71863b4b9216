package phrase

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// A Needle is what is looked for in texts, whatever its case, and whether its Latin letters are narrow or wide. The zero
// Needle is found nowhere.
type Needle struct {
	folded []rune
	heads  []string // how its first character may be written
}

// NewNeedle is a needle of a text.
func NewNeedle(text string) Needle {
	var n Needle
	for _, r := range strings.TrimSpace(text) {
		n.folded = append(n.folded, folded(r))
	}
	if len(n.folded) > 0 {
		n.heads = written(n.folded[0])
	}
	return n
}

// Wide signs of ASCII stand so far behind the narrow ones; a wide blank has a place of its own.
const (
	wideBy    = '！' - '!'
	wideBlank = '　'
)

func folded(r rune) rune {
	switch {
	case r < utf8.RuneSelf:
		if 'A' <= r && r <= 'Z' {
			r += 'a' - 'A'
		}
		return r
	case r >= '！' && r <= '～':
		return folded(r - wideBy)
	case r == wideBlank:
		return ' '
	}
	return unicode.ToLower(r)
}

func written(r rune) (all []string) {
	same := []rune{r, unicode.ToUpper(r)}
	switch {
	case r == ' ':
		same = append(same, wideBlank)
	case r > ' ' && r < 0x7f:
		same = append(same, r+wideBy, unicode.ToUpper(r)+wideBy)
	}
	for i, r := range same {
		if i%2 == 0 || r != same[i-1] {
			all = append(all, string(r))
		}
	}
	return all
}

// Empty reports whether there is nothing to look for.
func (n Needle) Empty() bool { return len(n.folded) == 0 }

// In yields where the needle stands in a text, in bytes, without overlaps.
func (n Needle) In(text string) func(yield func(from, to int) bool) {
	return func(yield func(from, to int) bool) {
		next := make([]int, len(n.heads)) // where each head stands next; behind the text for nowhere
		for i := range next {
			next[i] = -1
		}
		for at := 0; at < len(text); {
			from := len(text)
			for i, head := range n.heads {
				if next[i] < at {
					if next[i] = strings.Index(text[at:], head); next[i] < 0 {
						next[i] = len(text)
					} else {
						next[i] += at
					}
				}
				from = min(from, next[i])
			}
			if from == len(text) || len(n.heads) == 0 {
				return
			}
			size, found := n.begins(text[from:])
			if found && !yield(from, from+size) {
				return
			}
			at = from + size
		}
	}
}

// begins is how many bytes the needle takes at the beginning of a text, or the text's first character where it is another.
func (n Needle) begins(text string) (size int, found bool) {
	_, first := utf8.DecodeRuneInString(text)
	for _, want := range n.folded {
		r, width := utf8.DecodeRuneInString(text[size:])
		if width == 0 || folded(r) != want {
			return first, false
		}
		size += width
	}
	return size, true
}

// Count is how often the needle stands in a text.
func (n Needle) Count(text string) (times int) {
	for range n.In(text) {
		times++
	}
	return times
}

// Found reports whether the needle stands in a text.
func (n Needle) Found(text string) bool {
	for range n.In(text) {
		return true
	}
	return false
}
