package judge

import (
	"strings"
	"testing"

	"nebula/internal/nebulatest"
)

// TestWhatIsTaughtShowsAChange holds what each protocol teaches to what it says of changes: their two halves, in its own form and in both languages.
func TestWhatIsTaughtShowsAChange(t *testing.T) {
	for language, rows := range map[string][]string{
		"symops":     {"$ edit @ ", "\n<<<<<<< SEARCH\n", "\n=======\n", "\n>>>>>>> REPLACE\n"},
		"dml":        {`"old"`, `"new"`, "🦆▶️[T:"},
		"actionlist": {`"old"`, `"new"`, `{"operation":"`},
	} {
		for _, lang := range []string{"en", "ja"} {
			text, _ := named(t, language).Teach(nebulatest.Specs(), lang)
			for _, row := range rows {
				if !strings.Contains(text, row) {
					t.Errorf("%s, %s: nothing of %q in\n%s", language, lang, row, text)
				}
			}
			if strings.Contains(text, "Repeat it with") || lang == "ja" && !strings.ContainsAny(text, "のをに") {
				t.Errorf("%s, %s: %s", language, lang, text)
			}
		}
	}
}
