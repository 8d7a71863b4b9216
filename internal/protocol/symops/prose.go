package symops

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"nebula/internal/lazy"
	"nebula/internal/protocol"
)

// prose tells language from code: words with a sentence's end, or a list's item.
func prose(s string) kind {
	r, _ := utf8.DecodeRuneInString(s)
	last, _ := utf8.DecodeLastRuneInString(s)
	if _, ok := cutNumber(s); ok || len(s) > 2 && (r == '-' || r == '*' || r == '+') && s[1] == ' ' || r == '•' || r == '・' {
		return item
	}
	if strings.ContainsAny(s, "{};=<>|\\") || strings.Contains(s, "()") || strings.Contains(s, "--") {
		if r < 0x80 {
			return code
		}
	}
	words := strings.Count(s, " ") + 1
	switch {
	case strings.HasPrefix(s, "## "), strings.HasPrefix(s, "### "), strings.HasPrefix(s, "#### "):
		return item
	case r >= 0x80 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana):
		return sentence
	case !unicode.IsLetter(r) && r != '*' && r != '#' && r != '_' && r != '"' && r != '\'' && r != '(' && r != '✅' && r != '🎉':
		return code
	case r == '#' && words > 1 && s[1] != ' ' && s[1] != '#':
		return code
	case words >= 3 && strings.ContainsRune(".:!?)。：！？", last) && unicode.IsUpper(firstLetter(s)):
		return sentence
	case words >= 5 && !strings.ContainsAny(s, "()[]@$"):
		return sentence
	case words <= 4 && unicode.IsUpper(firstLetter(s)) && strings.ContainsRune(".:!?", last):
		return sentence
	}
	return code
}

func firstLetter(s string) rune {
	for _, r := range s {
		if unicode.IsLetter(r) {
			return r
		}
	}
	return 0
}

// unasked marks a sentence of which nobody asked yet whether it introduces an example.
const unasked = -1

// introduces tells whether a sentence announces an example or something not to be done: 2 surely, 1 perhaps.
func introduces(s string) int {
	switch {
	case protocol.Announces(s):
		return 0
	case examples.In(s) && examples.In(wanted.For(s).ReplaceAllString(s, "")):
		return 2
	case hedges.In(s) && endsSentence(s) && !strings.HasSuffix(s, "."):
		return 1
	}
	return 0
}

var (
	// wanted names what the person wanted, which is no example of anything.
	wanted   = &lazy.Pattern{X: "(?i)for (instance|example),? [\\w.\"'`]+ is what (you|the (user|person|task|issue)) (asked|want|request|ordered)"}
	examples = &lazy.Pattern{X: "(?i)for example|example:|e\\.g\\.|for instance|syntax|the grammar|" +
		"would look like|looks like this|例えば|たとえば|例:|例：|書式"}
	hedges = &lazy.Pattern{X: "(?i)example|could |would |might |look like|template|previous|earlier|you can |you may |if you want|例|format is"}
)
