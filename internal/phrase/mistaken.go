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
