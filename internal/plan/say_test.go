package plan

import (
	"regexp"
	"slices"
	"testing"

	"nebula"
)

// TestEveryCodeIsSaidInEveryLanguage with the same arguments; why a step failed is said in its plan's sentence.
func TestEveryCodeIsSaidInEveryLanguage(t *testing.T) {
	verbs := regexp.MustCompile(`%\w`)
	for _, lang := range nebula.Langs() {
		if len(catalogues[lang]) != len(inEnglish) {
			t.Errorf("%s says %d codes of %d", lang, len(catalogues[lang]), len(inEnglish))
		}
		for id, english := range inEnglish {
			if own := catalogues[lang][id]; own == "" || !slices.Equal(verbs.FindAllString(own, -1), verbs.FindAllString(english, -1)) {
				t.Errorf("%s: %s is %q and %q", lang, id, english, own)
			}
		}
	}
	for code, want := range map[nebula.Code]string{
		nebula.NewCode(StepTokens, "s1", "120", "100"):                   "ステップ s1 が 120 トークンを使いました (上限 100)",
		nebula.NewCode(StepFailed, "s1", "failed"):                       "ステップ s1: 失敗",
		nebula.NewCode(StepFailed, "s1", Refused, "rm", "no, \x1fnever"): "ステップ s1: rm は拒否されました: no, \x1fnever",
		nebula.NewCode(StepFailed, "s1", "the disk is full now"):         "ステップ s1: the disk is full now",
		"no step can run": "no step can run", // from a record of before
	} {
		if got := Say(code, "ja"); got != want {
			t.Errorf("%q is said as %q", code, got)
		}
	}
}
