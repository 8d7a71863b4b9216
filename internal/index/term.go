package index

import (
	"iter"
	"unicode"
	"unicode/utf8"
)

// A term is a hash of what words are compared by: lower-case, without the endings of English. 44 bits: among a million
// different terms about one has a twin.
type term uint64

const (
	termBits = 44
	termMask = 1<<termBits - 1
	fnvBasis = 14695981039346656037
	fnvPrime = 1099511628211
)

//go:noinline
func hashed(word []byte) term {
	h := uint64(fnvBasis)
	for _, c := range word {
		h = (h ^ uint64(c)) * fnvPrime
	}
	return term((h ^ h>>termBits) & termMask)
}

// longestWord is where a word stops being one: encoded data is not worth finding.
const longestWord = 64

// A splitter finds the terms of a text. It belongs to one goroutine.
type splitter struct {
	word [longestWord * utf8.UTFMax]byte
}

// terms hands every term of a text to each, as often as it stands there: the parts of names, names of several parts
// whole as well, and of Chinese, Japanese and Korean text every character and every pair.
func (s *splitter) terms(text []byte, each func(term)) {
	for i := 0; i < len(text); {
		switch k := kinds[text[i]]; {
		case k == other:
			i++
		case k != wide:
			j := i + 1
			for j < len(text) && kinds[text[j]] != other && kinds[text[j]] != wide {
				j++
			}
			if j < len(text) && kinds[text[j]] == wide && letter(text[j:]) {
				i = s.foreign(text, i, each)
				continue
			}
			s.name(text[i:j], each)
			i = j
		default:
			r, size := utf8.DecodeRune(text[i:])
			switch {
			case ideographic(r):
				i = s.ideographs(text, i, each)
			case unicode.IsLetter(r):
				i = s.foreign(text, i, each)
			default:
				i += size
			}
		}
	}
}

// letter reports whether a text goes on with a letter that belongs to the word before it.
func letter(text []byte) bool {
	r, _ := utf8.DecodeRune(text)
	return unicode.IsLetter(r) && !ideographic(r)
}

// name splits an ASCII name at its capitals, digits and underscores.
func (s *splitter) name(name []byte, each func(term)) {
	if len(name) > longestWord {
		return
	}
	parts := 0
	for i := 0; i < len(name); {
		if kinds[name[i]] == joint {
			i++
			continue
		}
		j := partEnd(name, i)
		for k := i; k < j; k++ {
			s.word[k-i] = lower(name[k])
		}
		each(hashed(stem(s.word[:j-i])))
		parts++
		i = j
	}
	if parts > 1 {
		each(whole(name, s.word[:]))
	}
}

// whole is the term of a name of several parts.
func whole(name, scratch []byte) term {
	n := 0
	for _, c := range name {
		if kinds[c] != joint && n < len(scratch) {
			scratch[n] = lower(c)
			n++
		}
	}
	return hashed(scratch[:n])
}

// nameTerm is the term by which uses of a name are counted.
func nameTerm(name string) term {
	var scratch [longestWord * utf8.UTFMax]byte
	b := []byte(name)
	if len(b) == 0 || len(b) > longestWord {
		return 0
	}
	if partEnd(b, 0) == len(b) {
		for i, c := range b {
			scratch[i] = lower(c)
		}
		return hashed(stem(scratch[:len(b)]))
	}
	return whole(b, scratch[:])
}

// nameParts are the parts of a name that splitter.name would take.
func nameParts(name string) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		b := []byte(name)
		for i := 0; i < len(b); {
			if k := kinds[b[i]]; k == other || k == joint || k == wide {
				i++
				continue
			}
			j := partEnd(b, i)
			if !yield(b[i:j]) {
				return
			}
			i = j
		}
	}
}

func partEnd(name []byte, i int) int {
	j := i + 1
	switch kinds[name[i]] {
	case digit:
		for j < len(name) && kinds[name[j]] == digit {
			j++
		}
	case capital:
		for j < len(name) && kinds[name[j]] == capital {
			j++
		}
		if j < len(name) && kinds[name[j]] == small {
			if j-i > 1 {
				return j - 1 // HTTPServer: the last capital begins the next part
			}
			for j < len(name) && kinds[name[j]] == small {
				j++
			}
		}
	default:
		for j < len(name) && kinds[name[j]] == small {
			j++
		}
	}
	return j
}

// foreign takes a word that has letters outside ASCII.
func (s *splitter) foreign(text []byte, i int, each func(term)) int {
	n := 0
	for i < len(text) {
		r, size := utf8.DecodeRune(text[i:])
		if ideographic(r) || !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) && r != '_' && r != '$' {
			break
		}
		if n+utf8.UTFMax <= len(s.word) {
			n += utf8.EncodeRune(s.word[n:], unicode.ToLower(r))
		}
		i += size
	}
	each(hashed(s.word[:n]))
	return i
}

// ideographs takes a run of characters that are written without spaces.
func (s *splitter) ideographs(text []byte, i int, each func(term)) int {
	before := -1
	for i < len(text) {
		r, size := utf8.DecodeRune(text[i:])
		if !ideographic(r) {
			break
		}
		each(hashed(text[i : i+size]))
		if before >= 0 {
			each(hashed(text[before : i+size]))
		}
		before = i
		i += size
	}
	return i
}

// ideographic characters are Han, kana and Hangul, with their marks of length and repetition.
//
//go:noinline
func ideographic(r rune) bool {
	return r >= 0x3040 && r < 0x3100 && r != 0x30FB || r >= 0x3400 && r < 0xA000 || r >= 0xAC00 && r < 0xD7A4 ||
		r >= 0xF900 && r < 0xFB00 || r >= 0xFF66 && r < 0xFFA0 || r >= 0x20000 && r < 0x32000 || r == 0x3005 || r == 0x3007
}

func kana(r rune) bool { return r >= 0x3040 && r < 0x30A0 }

// The kinds of bytes.
const (
	other = iota
	small
	capital
	digit
	joint // stands between the parts of a name
	wide
)

var kinds = func() (k [256]uint8) {
	for c := range k {
		switch {
		case c >= 'a' && c <= 'z':
			k[c] = small
		case c == '_', c == '$':
			k[c] = joint
		case c >= 'A' && c <= 'Z':
			k[c] = capital
		case c >= '0' && c <= '9':
			k[c] = digit
		case c >= 0x80:
			k[c] = wide
		}
	}
	return k
}()

func lower(c byte) byte {
	if c >= 'A' && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}

// stem cuts the endings that tell forms of an English word apart. It is meant to make code and prose meet, not to be
// good grammar: error and err, buffer and buf become one.
func stem(w []byte) []byte {
	w = singular(w)
	for _, e := range endings {
		if keep := len(w) - len(e.text); keep >= e.keep && string(w[keep:]) == e.text {
			w = w[:keep]
			if n := len(w); n > 3 && w[n-1] == w[n-2] && w[n-1] != 'l' && w[n-1] != 's' {
				w = w[:n-1]
			}
			break
		}
	}
	switch n := len(w); {
	case n > 3 && w[n-1] == 'e':
		w = w[:n-1]
	case n > 3 && w[n-1] == 'y':
		w[n-1] = 'i'
	}
	return w
}

var endings = []struct {
	text string
	keep int // letters that have to stay
}{{"ing", 3}, {"ed", 3}, {"er", 3}, {"or", 3}, {"ion", 4}, {"ly", 4}}

func singular(w []byte) []byte {
	n := len(w)
	if n < 4 || w[n-1] != 's' || w[n-2] == 's' || w[n-2] == 'u' || w[n-2] == 'i' {
		return w
	}
	if n > 4 && string(w[n-3:]) == "ies" {
		return w[:n-2] // queries, as query becomes queri
	}
	if n > 4 && w[n-2] == 'e' && (w[n-3] == 's' || w[n-3] == 'x' || w[n-3] == 'h' || w[n-3] == 'z') {
		return w[:n-2]
	}
	return w[:n-1]
}
