package phrase_test

import (
	"errors"
	"fmt"
	"io/fs"
	"testing"

	"nebula"
	"nebula/internal/phrase"
)

// What goes wrong is kept as a code, and every reader's language says it whole: what is around an error, and what is within it.
func TestAnErrorIsACodeForEveryReader(t *testing.T) {
	own := nebula.Errorf("there is no job %d; /jobs lists them", 7)
	table := map[string]string{
		"there is no job %d; /jobs lists them": "ジョブ %d はありません", "%d of %s at $%.2f": "%[2]s の %[1]d ($%.2[3]f)", "running": "実行中", "file does not exist": "ありません",
		"%s, and %w": "%s、%w", "%s %s: %s": "%[2]s: %[3]s%.0[1]s", "100% done": "全部",
	}
	for _, c := range []struct {
		code   nebula.Code
		en, ja string
	}{
		{phrase.Of(own), "there is no job 7; /jobs lists them", "ジョブ 7 はありません"},
		{phrase.Of(fmt.Errorf("loop: %w!", own)), "loop: there is no job 7; /jobs lists them!", "loop: ジョブ 7 はありません!"},
		{phrase.Of(errors.Join(own, errors.New("x"))), "there is no job 7; /jobs lists them\nx", "ジョブ 7 はありません\nx"},
		{phrase.Of(&fs.PathError{Op: "open", Path: "a b", Err: fs.ErrNotExist}), "open a b: file does not exist", "a b: ありません"},
		{phrase.Note("%d of %s at $%.2f", 3, nebula.Say("running"), 0.5), "3 of running at $0.50", "実行中 の 3 ($0.50)"},
		{phrase.Said(nebula.Say("%s, and %w", "a", own)), "a, and there is no job 7; /jobs lists them", "a、ジョブ 7 はありません"},
		{phrase.Of(errors.New("100% done")), "100% done", "全部"},
		{phrase.Of(errors.New("50%d left")), "50%d left", "50%d left"},
		{phrase.Note("%q and %5d|", "x\x1fy", 12), `"x␟y" and    12|`, `"x␟y" and    12|`},
		{phrase.Note("%s", "\x1e\"running\""), `␞"running"`, `␞"running"`}, // somebody's text is no code
		{"a sentence of a record from before codes", "a sentence of a record from before codes", "a sentence of a record from before codes"},
	} {
		if got := phrase.ToldBy(nil, c.code); got != c.en {
			t.Errorf("%q is %q in English, not %q", c.code, got, c.en)
		}
		if got := phrase.ToldBy(phrase.LanguageOf(table), c.code); got != c.ja {
			t.Errorf("%q is %q in the other language, not %q", c.code, got, c.ja)
		}
	}
}
