package plan

import (
	"regexp"
	"slices"
	"testing"

	"nebula"
)

// TestEveryCodeIsSaidInEveryLanguage with the same arguments, and what a record from before codes holds is said too.
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
		nebula.NewCode(StepTokens, "s1", "120", "100"): "ステップ s1 が 120 トークンを使いました (上限 100)",
		"skipped s1":           "省略 s1",
		"no step can run":      "実行できるステップがありません",
		"the disk is full now": "the disk is full now",
	} {
		if got := Say(code, "ja"); got != want {
			t.Errorf("%q is said as %q", code, got)
		}
	}
}
