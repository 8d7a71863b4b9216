package phrase

import "strings"

// sayings are what is said in the place of an English text or format, a table for each other language.
var sayings = map[string]map[string]string{"ja": japanese}

// In says an English text or format in lang. What is not known there is said in English.
func In(lang, english string) string {
	if said, known := sayings[lang][english]; known {
		return said
	}
	return english
}

// Pick gives what there is for a language, and the one for English where that language has none.
func Pick[T any](lang string, each map[string]T) T {
	if own, known := each[lang]; known {
		return own
	}
	return each["en"]
}

// Many is the form of a text that fits a number: the one for one, or the other.
func Many(text string, n int) string {
	one, other, both := strings.Cut(text, "|")
	if both && n != 1 {
		return other
	}
	return one
}
