package phrase

import (
	"fmt"
	"strings"

	"nebula"
)

// Mistaken is what the model reads of its mistake in lang: what is known of it in that language, and the rest in English.
func Mistaken(lang string, m *nebula.Mistake) string {
	if Table(lang) == nil || m.Said.String() != m.Text {
		return m.Error()
	}
	said, hint := Told(lang, Said(m.Said)), Told(lang, Said(m.Hint))
	if hint == "" || strings.HasSuffix(said, "\n") {
		return said + hint
	}
	return fmt.Sprintf(In(lang, "%s; %s"), strings.TrimSuffix(said, "。"), hint)
}

// Problem is what the model reads in lang of a part of a reply that could not be read, and of what to write instead.
func Problem(lang string, p nebula.Problem) string {
	hint, ends := p.Hint, ""
	if rest, cut := strings.CutPrefix(hint, EndsBehind); cut {
		at := strings.LastIndex(rest, "`. ") + 3
		ends, hint = fmt.Sprintf(In(lang, "It ends behind %s."), rest[:at-2])+" ", rest[at:]
	}
	return In(lang, p.Text) + " " + ends + In(lang, hint)
}

// EndsBehind begins a hint that names where a reply ends, as [Ending] does, in a sentence of its own.
const EndsBehind = "It ends behind "
