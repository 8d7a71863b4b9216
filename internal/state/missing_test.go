package state

import (
	"testing"

	"nebula"
)

func TestWhatIsMissingIsSaidInThePersonsLanguage(t *testing.T) {
	edited := Evidence{}.Finished(nebula.Result{Changes: []nebula.Change{{Path: "a.go", Kind: "edit"}}})
	failed := edited.Finished(nebula.Result{Tests: &nebula.TestReport{Failed: 1}})
	for _, c := range []struct {
		e      Evidence
		en, ja string
	}{
		{Evidence{}, "", ""},
		{edited, "a.go was changed after the last check", "最後の確認のあとで a.go が変更されています"},
		{failed, "the last test run failed", "最後のテストが失敗しています"},
	} {
		if c.e.Missing("en") != c.en || c.e.Missing("ja") != c.ja {
			t.Errorf("%q, %q; want %q, %q", c.e.Missing("en"), c.e.Missing("ja"), c.en, c.ja)
		}
	}
}
