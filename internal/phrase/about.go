package phrase

import (
	"strings"
	"unicode"
)

// common are words that many requests have.
var common = map[string]bool{
	"the": true, "and": true, "for": true, "with": true, "this": true, "that": true, "you": true, "please": true, "can": true, "what": true, "how": true, "why": true,
	"are": true, "all": true, "into": true, "from": true, "not": true, "have": true, "has": true, "now": true, "then": true, "its": true, "our": true, "one": true,
	"make": true, "add": true, "change": true, "like": true, "there": true, "here": true, "does": true, "should": true, "some": true, "also": true, "use": true,
}

// About are the words that a text is about: its words in Latin letters without what many have, and of scripts without spaces each two
// characters that stand beside each other, where one of them at least is no kana.
func About(text string) map[string]bool {
	set := map[string]bool{}
	var before rune
	for _, r := range text {
		if dense(before) && dense(r) && !(kana(before) && kana(r)) {
			set[string([]rune{before, r})] = true
		}
		before = r
	}
	for _, w := range strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return dense(r) || !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		if w = stem(w); len(w) > 2 && !common[w] {
			set[w] = true
		}
	}
	return set
}

// stem is a word without the endings that say number and time.
func stem(w string) string {
	for _, end := range []string{"ing", "ed", "es", "s"} {
		if rest, ok := strings.CutSuffix(w, end); ok && len(rest) > 3 {
			return rest
		}
	}
	return w
}

func dense(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana)
}

//go:noinline
func kana(r rune) bool { return unicode.In(r, unicode.Hiragana) }
