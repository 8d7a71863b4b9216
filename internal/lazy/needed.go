package lazy

import (
	"strconv"
	"strings"
	"sync/atomic"
	"unicode"
	"unicode/utf8"
)

// folded is a text in small letters, the long s too. The last one is kept: many expressions are looked for in one text.
func folded(text string) string {
	if last := lately.Load(); last != nil && last[0] == text {
		return last[1]
	}
	small := strings.ReplaceAll(strings.ToLower(text), "ſ", "s")
	lately.Store(&[2]string{text, small})
	return small
}

// lately is the text that was folded last, and what it came to.
var lately atomic.Pointer[[2]string]

// needed are words, in small letters, of which each text that an expression matches holds one; nil when it is not clear that there are any.
// What is not understood here makes nothing clear, so the answer is never wrong.
func needed(expression string) []string {
	s := &scanner{rest: expression}
	words := s.either()
	if s.odd || s.rest != "" {
		return nil
	}
	return words
}

type scanner struct {
	rest string
	odd  bool // something that is not understood: nothing that was found counts
}

// either reads alternatives up to what closes them: what one of them needs.
func (s *scanner) either() (all []string) {
	clear := true
	for {
		words := s.sequence()
		clear = clear && words != nil
		all = append(all, words...)
		if !strings.HasPrefix(s.rest, "|") {
			break
		}
		s.rest = s.rest[1:]
	}
	if !clear {
		return nil
	}
	return all
}

// sequence reads what stands one after the other: the best of what its parts need.
func (s *scanner) sequence() (best []string) {
	run := "" // of letters that stand for themselves
	better := func(words []string) {
		if words != nil && shortest(words) > shortest(best) {
			best = words
		}
	}
	end := func() {
		if run != "" {
			better([]string{run})
		}
		run = ""
	}
	for s.rest != "" && s.rest[0] != '|' && s.rest[0] != ')' && !s.odd {
		letter, words := s.atom()
		least, many := s.quantity()
		if least > 0 {
			run += letter
		}
		if letter == "" || least == 0 || many {
			end()
		}
		if least > 0 {
			better(words)
		}
	}
	end()
	return best
}

// shortest is the length of the shortest word; of none it is zero.
func shortest(words []string) int {
	n := 0
	for i, w := range words {
		if i == 0 || len(w) < n {
			n = len(w)
		}
	}
	return n
}

// atom reads one part: a letter that stands for itself, or what a group needs, or neither.
func (s *scanner) atom() (letter string, words []string) {
	r, n := utf8.DecodeRuneInString(s.rest)
	at := s.rest
	s.rest = s.rest[n:]
	switch r {
	case '(':
		return "", s.group()
	case '[':
		s.class(at)
	case '\\':
		return s.escaped(), nil
	case '.', '^', '$':
	default:
		if small := unicode.ToLower(r); small < utf8.RuneSelf || unicode.SimpleFold(r) == r {
			return string(small), nil
		}
	}
	return "", nil
}

// group reads what stands in parentheses, of which the first was read.
func (s *scanner) group() (words []string) {
	if strings.HasPrefix(s.rest, "?") {
		n := strings.IndexAny(s.rest, ":)>")
		if n < 0 {
			s.odd = true
			return nil
		}
		flags := s.rest[n] == ')'
		s.rest = s.rest[n+1:]
		if flags {
			return nil
		}
	}
	words = s.either()
	if !strings.HasPrefix(s.rest, ")") {
		s.odd = true
		return nil
	}
	s.rest = s.rest[1:]
	return words
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
