package gate

import (
	"testing"

	"nebula"
)

func TestNoReasonIsKept(t *testing.T) {
	for text, want := range map[string]string{
		"no, use tabs":         "use tabs",
		"No: wrong file":       "wrong file",
		"n - later maybe":      "later maybe",
		"いいえ、タブを使って":           "タブを使って",
		"ダメ。別のファイルに":           "別のファイルに",
		"no":                   "",
		"いいえ":                  "",
		"please use patchFile": "please use patchFile",
		"nothing like that":    "nothing like that",
		"noted":                "noted",
	} {
		answer, reason, _ := ReadAnswer(text)
		if answer != nebula.No || reason != want {
			t.Errorf("%q: %s with reason %q, want no with %q", text, answer, reason, want)
		}
	}
}
