package phrase_test

import (
	"strings"
	"testing"

	"nebula/internal/phrase"
)

func TestOneLine(t *testing.T) {
	for _, c := range []struct {
		in    string
		limit int
		want  string
	}{
		{" a\n\tb \x1b[31mc\u202e", 0, "a b [31mc"}, {"日本語の文", 4, "日本語…"}, {"日本語", 3, "日本語"}, {"a\xffb", 9, "a\uFFFDb"}, {"", 1, ""},
	} {
		if got := phrase.OneLine(c.in, c.limit); got != c.want {
			t.Errorf("%q: %q", c.in, got)
		}
	}
}

func TestDistance(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"abc", "abc", 0}, {"abc", "acb", 1}, {"kitten", "sitting", 3}, {"設定", "設計", 1}, {"", "ab", 2}, {strings.Repeat("x", 200), "x", 201}} {
		if got := phrase.Distance(c.a, c.b); got != c.want || phrase.Distance(c.b, c.a) != c.want {
			t.Errorf("%q %q: %d", c.a, c.b, got)
		}
	}
}

// Where a text was cut is shown by the end of its last line.
func TestTheEndOfATextShowsWhereItWasCut(t *testing.T) {
	for text, want := range map[string]string{"": "``", "a\nb \n\n": "`b`", "x\n" + strings.Repeat("あ", 80) + "z": "`" + strings.Repeat("あ", 59) + "z`"} {
		if got := phrase.Ending(text); got != want {
			t.Errorf("%q ends behind %s", text, got)
		}
	}
}
