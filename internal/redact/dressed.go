package redact

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"nebula/internal/phrase"
)

// A reading is a text as somebody sees it who does not see all of it: at has the place in the text of each byte, and of its end.
type reading struct {
	seen string
	at   []int
	to   []int // where each byte ends, where that is not where the next begins
}

// ends is the place in the text where what is seen up to a byte ends. What hides behind it is not of it.
func (r reading) ends(i int) int {
	if r.to == nil {
		return r.at[i]
	}
	return r.to[i-1]
}

// A way is what a reading leaves out. Who cleans a text leaves out what steers a terminal either as single characters or with
// all that belongs to them; a secret that is whole only then is no less told.
type way struct {
	sequences bool // whole ones, and else the escape alone
	open      bool // the text goes on: what has only begun at its end counts as what it may become
}

// readings are a text's, apart from the text itself: none where nothing in it hides.
func readings(text string, open bool) (all []reading) {
	add := func(text string, at []int) {
		if !hides(text) {
			return
		}
		all = append(all, read(text, at, way{open: open}))
		if strings.ContainsRune(text, 0x1b) {
			all = append(all, read(text, at, way{sequences: true, open: open}))
		}
	}
	add(text, nil)
	if strings.Contains(text, `\`) {
		plain, at := unquoted(text, open)
		all = append(all, reading{seen: plain, at: at})
		add(plain, at)
	}
	return all
}

// hides reports whether a text has something that a reading may leave out.
func hides(text string) bool {
	for i := 0; i < len(text); i++ {
		if c := text[i]; c < ' ' && c != '\n' && c != '\t' || c == 0x7f || c >= utf8.RuneSelf {
			return strings.ContainsFunc(text[i:], unseen)
		}
	}
	return false
}

func read(text string, from []int, w way) reading {
	seen, at, to := make([]byte, 0, len(text)), make([]int, 0, len(text)), make([]int, 0, len(text))
	for i := 0; i < len(text); {
		if n := w.skip(text[i:]); n > 0 {
			i += n
			continue
		}
		_, n := utf8.DecodeRuneInString(text[i:])
		for ; n > 0; n-- {
			place, end := i, i+1
			if from != nil {
				place, end = from[i], from[i+1]
			}
			seen, at, to = append(seen, text[i]), append(at, place), append(to, end)
			i++
		}
	}
	end := len(text)
	if from != nil {
		end = from[end]
	}
	return reading{string(seen), append(at, end), to}
}

// unquoted is a text with the characters that stand in it as they do in JSON, and the place in the text of each byte. What has
// only begun at the end of a text that goes on is left out.
func unquoted(text string, open bool) (string, []int) {
	plain, at := make([]byte, 0, len(text)), make([]int, 0, len(text))
	for i := 0; i < len(text); {
		r, n := literal(text[i:])
		if n < 0 && open {
			break
		}
		if n <= 0 {
			plain, at = append(plain, text[i]), append(at, i)
			i++
			continue
		}
		for _, c := range string(r) { // half of one becomes U+FFFD
			for range utf8.RuneLen(c) {
				at = append(at, i)
			}
			plain = utf8.AppendRune(plain, c)
		}
		i += n
	}
	return string(plain), append(at, len(text))
}

// literal is the character with which a text begins, as it stands in JSON, and its length there; 0 where it is no such one, and -1
// where the text ends before that can be told. Half of a character is U+FFFD.
func literal(text string) (rune, int) {
	if text[0] != '\\' {
		return 0, 0
	}
	if len(text) == 1 {
		return 0, -1
	}
	if i := strings.IndexByte(`"\/bfnrt`, text[1]); i >= 0 {
		return rune("\"\\/\b\f\n\r\t"[i]), 2
	}
	if text[1] != 'u' {
		return 0, 0
	}
	if len(text) < 6 {
		return 0, -1
	}
	code, err := strconv.ParseUint(text[2:6], 16, 16)
	if err != nil {
		return 0, 0
	}
	return rune(code), 6
}

// skip is how many bytes at the beginning of a text are not seen.
func (w way) skip(text string) int {
	switch c := text[0]; {
	case c == 0x1b:
		return 1 + w.behind(text[1:])
	case c < ' ' && c != '\n' && c != '\t', c == 0x7f:
		return 1
	case c < utf8.RuneSelf:
		return 0
	}
	if r, n := utf8.DecodeRuneInString(text); unseen(r) {
		return n
	}
	return 0
}

// longest is how far a sequence is followed whose end is not in sight.
const longest = 4 << 10

// behind is what follows an escape and belongs to it.
func (w way) behind(text string) int {
	if !w.sequences {
		return 0
	}
	n, open := phrase.Sequence(text)
	if open && w.open && len(text) < longest {
		return len(text)
	}
	return n
}

// unseen reports whether a character takes no room of its own on a screen, or may be left out by who cleans a text.
func unseen(r rune) bool {
	switch {
	case r == '\n' || r == '\t' || ' ' <= r && r < 0x7f:
		return false
	case 0x3400 <= r && r < 0xfb1e: // ideographs, hangul and what is private
		return false
	}
	return r == utf8.RuneError || phrase.Is(r, phrase.Control|phrase.Empty|phrase.Accent)
}
