package lazy

import (
	"strconv"
	"strings"
	"sync/atomic"
	"unicode"
	"unicode/utf8"
)

// folded is a text in small letters, the long s too, with the pairs of bytes that it has: a word is looked for only where its first pair is
// there, so that most words cost nothing.
type folded struct {
	text, small string
	pairs       [16]uint64
}

// fold is a text as it is looked through. The last one is kept: many expressions are looked for in one text.
func fold(text string) *folded {
	if last := lately.Load(); last != nil && last.text == text {
		return last
	}
	f := &folded{text: text, small: strings.ReplaceAll(strings.ToLower(text), "ſ", "s")}
	for i := 1; i < len(f.small); i++ {
		at := pair(f.small[i-1], f.small[i])
		f.pairs[at>>6] |= 1 << (at & 63)
	}
	lately.Store(f)
	return f
}

// pair is the place of two bytes that follow each other; others may have it too.
func pair(first, second byte) int { return (int(first)*37 + int(second)) & 1023 }

// has reports whether the text has a word in small letters.
func (f *folded) has(word string) bool {
	if len(word) > 1 {
		if at := pair(word[0], word[1]); f.pairs[at>>6]&(1<<(at&63)) == 0 {
			return false
		}
	}
	return strings.Contains(f.small, word)
}

// lately is the text that was folded last.
var lately atomic.Pointer[folded]

// needed are words, in small letters, of which each text that an expression matches holds one; nil when it is not clear that there are any.
// What is not understood here makes nothing clear, so the answer is never wrong.
func needed(expression string) []string {
	s := &scanner{rest: expression, words: make([]string, 0, 8)}
	clear := s.either()
	if !clear || s.odd || s.rest != "" {
		return nil
	}
	return s.words
}

type scanner struct {
	rest  string
	words []string // what was found: each reader leaves what its part needs at the end, if that is clear
	odd   bool     // something that is not understood: nothing that was found counts
}

// either reads alternatives up to what closes them: one of them needs what it leaves, where it is clear.
func (s *scanner) either() (clear bool) {
	start := len(s.words)
	clear = s.sequence()
	for strings.HasPrefix(s.rest, "|") {
		s.rest = s.rest[1:]
		clear = s.sequence() && clear
	}
	if !clear {
		s.words = s.words[:start]
	}
	return clear
}

// sequence reads what stands one after the other, and leaves the best of what its parts need.
func (s *scanner) sequence() (clear bool) {
	start, length := len(s.words), 0 // of the best so far, and of its shortest word
	// better keeps the words from at on where they are better, and drops the worse
	better := func(at int) {
		if n := shortest(s.words[at:]); n > length {
			length, s.words = n, append(s.words[:start], s.words[at:]...)
			return
		}
		s.words = s.words[:at]
	}
	run := "" // of letters that stand for themselves
	end := func() {
		if len(run) > length {
			s.words = append(s.words, run)
			better(len(s.words) - 1)
		}
		run = ""
	}
	for s.rest != "" && s.rest[0] != '|' && s.rest[0] != ')' && !s.odd {
		if letters := s.plain(); letters != "" {
			run = joined(run, letters)
			continue
		}
		at := len(s.words)
		letter := s.atom()
		least, many := s.quantity()
		if least == 0 {
			s.words = s.words[:at]
		} else {
			run = joined(run, letter)
		}
		if len(s.words) > at {
			better(at)
		}
		if letter == "" || least == 0 || many {
			end()
		}
	}
	end()
	return length > 0
}

// joined is the one behind the other, which in most cases is nothing.
func joined(a, b string) string {
	switch {
	case a == "":
		return b
	case b == "":
		return a
	}
	return a + b
}

// plain reads letters without capitals, digits and blanks that stand once for themselves.
func (s *scanner) plain() string {
	n, last := 0, 0
	for n < len(s.rest) {
		c, width := s.rest[n], 1
		if c >= utf8.RuneSelf {
			var r rune
			if r, width = utf8.DecodeRuneInString(s.rest[n:]); unicode.SimpleFold(r) != r {
				break
			}
		} else if (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != ' ' {
			break
		}
		n, last = n+width, width
	}
	if n < len(s.rest) && strings.IndexByte("?*+{", s.rest[n]) >= 0 {
		n -= last
	}
	letters := s.rest[:n]
	s.rest = s.rest[n:]
	return letters
}

// shortest is the length of the shortest word; of none it is zero.
//
//go:noinline
func shortest(words []string) int {
	n := 0
	for i, w := range words {
		if i == 0 || len(w) < n {
			n = len(w)
		}
	}
	return n
}

// atom reads one part: a letter that stands for itself, or a group, which leaves what it needs, or neither.
func (s *scanner) atom() (letter string) {
	r, n := utf8.DecodeRuneInString(s.rest)
	at := s.rest
	s.rest = s.rest[n:]
	switch r {
	case '(':
		s.group()
	case '[':
		s.class(at)
	case '\\':
		return s.escaped()
	case '.', '^', '$':
	default:
		if small := unicode.ToLower(r); small < utf8.RuneSelf || unicode.SimpleFold(r) == r {
			return string(small)
		}
	}
	return ""
}

// group reads what stands in parentheses, of which the first was read, and leaves what it needs.
func (s *scanner) group() {
	if strings.HasPrefix(s.rest, "?") {
		n := strings.IndexAny(s.rest, ":)>")
		if n < 0 {
			s.odd = true
			return
		}
		flags := s.rest[n] == ')'
		s.rest = s.rest[n+1:]
		if flags {
			return
		}
	}
	s.either()
	if !strings.HasPrefix(s.rest, ")") {
		s.odd = true
		return
	}
	s.rest = s.rest[1:]
}

// class reads a set of characters, which begins at a text.
func (s *scanner) class(at string) {
	n := 1
	n += len(at[n:]) - len(strings.TrimPrefix(at[n:], "^"))
	n += len(at[n:]) - len(strings.TrimPrefix(at[n:], "]"))
	for n < len(at) && at[n] != ']' {
		switch {
		case at[n] == '\\':
			n++
		case strings.HasPrefix(at[n:], "[:"):
			n += max(0, strings.Index(at[n:], ":]")+1)
		}
		n++
	}
	if n >= len(at) {
		s.odd = true
		return
	}
	s.rest = at[n+1:]
}

// escaped reads what stands behind a backslash.
func (s *scanner) escaped() (letter string) {
	if s.rest == "" {
		s.odd = true
		return ""
	}
	c := s.rest[0]
	s.rest = s.rest[1:]
	switch {
	case strings.IndexByte("bBAzdDsSwWnrtfva", c) >= 0:
	case c == 'x' || c == 'p' || c == 'P':
		n := 1
		if c == 'x' {
			n = 2
		}
		if strings.HasPrefix(s.rest, "{") {
			n = strings.IndexByte(s.rest, '}') + 1
		}
		s.rest = s.rest[min(n, len(s.rest)):]
	case c < utf8.RuneSelf && !unicode.IsLetter(rune(c)) && !unicode.IsDigit(rune(c)):
		return string(rune(c))
	default:
		s.odd = true
	}
	return ""
}

// quantity reads how often at least what was read stands there, and whether it says so at all.
func (s *scanner) quantity() (least int, said bool) {
	least = 1
	for s.rest != "" {
		switch s.rest[0] {
		case '?', '*':
			// behind another one it only says how much is preferred
			if !said {
				least = 0
			}
		case '+':
		case '{':
			count, _, ok := strings.Cut(s.rest[1:], "}")
			n, err := strconv.Atoi(strings.Split(count, ",")[0])
			if !ok || err != nil {
				return least, said // a brace that stands for itself
			}
			least = n
			s.rest = s.rest[1+len(count):]
		default:
			return least, said
		}
		s.rest, said = s.rest[1:], true
	}
	return least, said
}
