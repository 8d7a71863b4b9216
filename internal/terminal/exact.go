package terminal

import (
	"fmt"
	"strings"
	"sync"
	"unicode"
)

// Exact is Visible for what a person decides on: what stands for something else is told apart as well. A letter from
// another alphabet inside a Latin word, a word made only of letters that look Latin, a sign that looks like one of ASCII,
// and the signs that Visible itself writes are shown by their numbers: no two texts look the same.
func Exact(s string) string {
	if plain(s) {
		return s
	}
	s = Visible(posers().Replace(s))
	var b, word strings.Builder
	flush := func() {
		b.WriteString(unmask(word.String()))
		word.Reset()
	}
	for _, r := range s {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.Is(unicode.Nl, r) || r == '_' {
			word.WriteRune(r)
			continue
		}
		flush()
		b.WriteRune(r)
	}
	flush()
	return b.String()
}

// posers are the signs that are drawn like one of ASCII, and those that stand for what cannot be seen.
var posers = sync.OnceValue(func() *strings.Replacer {
	var pairs []string
	for _, r := range "⟦⟧\u2010\u2011\u2024\u2043\u2044\u2215\u2216\u2223\u2236\u01c0\u01c3\u037e\u05c3\u02d0\ua789\u02b9\u02bc\u02c8" {
		pairs = append(pairs, string(r), number(r))
	}
	for r := '␀'; r <= '␦'; r++ {
		pairs = append(pairs, string(r), number(r))
	}
	return strings.NewReplacer(pairs...)
})

// number is how a character is shown that would deceive.
//
//go:noinline
func number(r rune) string { return fmt.Sprintf("⟦U+%04X⟧", r) }

// OneRow is Exact for what has one row: it draws no line of its own.
func OneRow(s string) string { return breaks.Replace(Exact(s)) }

var breaks = strings.NewReplacer("\n", "␊", "\t", "␉")

// lookalikes are the letters of other alphabets that are drawn like Latin ones.
const lookalikes = "аеорсухіјѕһԁԛԝвнкмтАВЕКМНОРСТУХІЈЅαορνιυκχΑΒΕΖΗΙΚΜΝΟΡΤΥΧօոսցհ"

// unmask marks the letters of a word that pretend to be others.
func unmask(word string) string {
	latin, like, own, odd := false, false, false, false
	for _, r := range word {
		switch {
		case r < 0x80:
			latin = latin || r >= 'A' && r != '_'
		case disguised(r):
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
		if disguised(r) || alien(r) {
			b.WriteString(number(r))
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// alien reports whether r is of an alphabet that has letters like Latin ones.
func alien(r rune) bool {
	return unicode.In(r, unicode.Cyrillic, unicode.Greek, unicode.Armenian, unicode.Cherokee, unicode.Coptic, unicode.Lisu, unicode.Deseret)
}

// disguised reports whether r is a Latin letter or a digit in another dress: mathematical, Roman numerals as one
// character, the phonetic letters that are drawn like ordinary ones.
func disguised(r rune) bool {
	return r >= 0x1d400 && r <= 0x1d7ff || r >= 0x2160 && r <= 0x217f || strings.ContainsRune("ɑɡɩʏȷ", r)
}
