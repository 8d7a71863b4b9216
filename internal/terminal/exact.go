package terminal

import (
	"fmt"
	"strings"
	"unicode"
)

// Exact is Visible for what a person decides on: letters that stand for others are told apart as well. A letter from
// another alphabet inside a Latin word, and a word made only of letters that look Latin, are shown by their numbers.
func Exact(s string) string {
	s = Visible(s)
	if plain(s) {
		return s
	}
	var b, word strings.Builder
	flush := func() {
		b.WriteString(unmask(word.String()))
		word.Reset()
	}
	for _, r := range s {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_' {
			word.WriteRune(r)
			continue
		}
		flush()
		b.WriteRune(r)
	}
	flush()
	return b.String()
}

// lookalikes are the letters of other alphabets that are drawn like Latin ones.
const lookalikes = "аеорсухіјѕһԁԛԝвнкмтАВЕКМНОРСТУХІЈЅαορνιυκχΑΒΕΖΗΙΚΜΝΟΡΤΥΧօոսցհ"

// unmask marks the letters of a word that pretend to be others.
func unmask(word string) string {
	latin, like, own, odd := false, false, false, false
	for _, r := range word {
		switch {
		case r < 0x80:
			latin = latin || r >= 'A' && r != '_'
		case mathematical(r):
			odd = true
		case strings.ContainsRune(lookalikes, r):
			like = true
		case alien(r):
			own = true
		default:
			latin = latin || unicode.Is(unicode.Latin, r)
		}
	}
	if !odd && !(latin && (like || own)) && !(like && !own) {
		return word
	}
	var b strings.Builder
	for _, r := range word {
		if mathematical(r) || alien(r) {
			fmt.Fprintf(&b, "⟦U+%04X⟧", r)
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// alien reports whether r is of an alphabet that has letters like Latin ones.
func alien(r rune) bool {
	return unicode.In(r, unicode.Cyrillic, unicode.Greek, unicode.Armenian, unicode.Cherokee)
}

func mathematical(r rune) bool { return r >= 0x1d400 && r <= 0x1d7ff }
