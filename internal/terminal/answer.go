package terminal

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"nebula"
	"nebula/internal/gate"
	"nebula/internal/phrase"
)

// Choose reads the answer to a question: an option by its number, or the text as it is. A number that is no option's
// is not taken, and neither is a yes, unless one of the options alone begins with it, or with another word for it.
func Choose(text string, options []string) (string, bool) {
	text = strings.TrimSpace(text)
	if len(options) == 0 {
		return text, text != ""
	}
	n, err := strconv.Atoi(strings.TrimSuffix(phrase.Narrow(text), "."))
	switch {
	case err != nil && gate.Allows(text):
		for _, word := range []string{text, "yes", "はい"} {
			if found, ok := meant(word, options); ok {
				return found, true
			} else if answer, _, _ := gate.ReadAnswer(text); answer != nebula.Yes {
				break // always is more than was asked
			}
		}
		return "", false
	case err != nil:
		return text, text != ""
	case n < 1 || n > len(options):
		return "", false
	}
	return options[n-1], true
}

// meant is the one option that begins with a word; false where that is none or several.
func meant(word string, options []string) (found string, ok bool) {
	word = strings.ToLower(phrase.Narrow(word))
	for _, o := range options {
		rest, begins := strings.CutPrefix(strings.ToLower(phrase.Narrow(strings.TrimSpace(o))), word)
		if next, _ := utf8.DecodeRuneInString(rest); begins && !unicode.IsLetter(next) && !unicode.IsDigit(next) {
			if ok {
				return "", false
			}
			found, ok = o, true
		}
	}
	return found, ok
}
