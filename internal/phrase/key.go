package phrase

import (
	"strings"

	"nebula/internal/lazy"
)

// keyForms are the forms of providers' keys: what they begin with, and what tells one from another.
var keyForms = &lazy.Pattern{X: `(^|[^A-Za-z0-9_-])(?:(sk-(?:ant-|or-|proj-|svcacct-)?|csk-|xai-|pplx-|nvapi-|AIza)([A-Za-z0-9_-]{16,})|(gsk_|hf_|fw_|tgp_v1_)([A-Za-z0-9]{20,}))`}

// randomly is how many letters and digits stand in a row somewhere in every key, and in no name that people give.
const randomly = 12

// Masked is a text with only the beginnings of what has the form of a provider's key: sk-ant-….
func Masked(text string) string {
	if !keyForms.In(text) {
		return text
	}
	return keyForms.Re().ReplaceAllStringFunc(text, func(found string) string {
		m := keyForms.Re().FindStringSubmatch(found)
		rest := m[3] + m[5]
		if !strings.ContainsAny(rest, "0123456789") {
			return found
		}
		for part := range strings.FieldsFuncSeq(rest, func(r rune) bool { return r == '-' || r == '_' }) {
			if len(part) >= randomly {
				return m[1] + m[2] + m[4] + "…"
			}
		}
		return found
	})
}

// IsKey reports whether a word has the form of a key.
func IsKey(word string) bool {
	m := Masked(Unwrapped(word))
	return len(m) < len(word) && strings.HasSuffix(m, "…") && keyForms.Re().FindStringIndex(Unwrapped(word))[0] == 0 && !strings.ContainsAny(m, " /")
}
