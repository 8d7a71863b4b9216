package phrase

import "testing"

func TestWordsAreFoundHoweverTheyAreWritten(t *testing.T) {
	for _, c := range []struct {
		needle, text string
		times        int
	}{
		{"limit", "Limit the LIMITER to a limit", 3},
		{"レート", "レート制限のレートを", 2},
		{"api", "ＡＰＩとAPIとApi", 3},
		{"ａｐｉ", "the API", 1},
		{"a b", "a　b, A B", 2},
		{"été", "ÉTÉ été", 2},
		{"aa", "aaaa", 2},
		{"aab", "aaab", 1},
		{"x", "", 0},
		{"", "text", 0},
		{"日本語", "日本", 0},
		{"a\xff", "a\xffb", 1},
	} {
		n := NewNeedle(c.needle)
		if got := n.Count(c.text); got != c.times || n.Found(c.text) != (got > 0) {
			t.Errorf("%q stands in %q %d times, want %d", c.needle, c.text, got, c.times)
		}
	}
	for from, to := range NewNeedle("api").In("xＡＰＩy") {
		if from != 1 || to != 10 {
			t.Errorf("found at %d–%d", from, to)
		}
	}
}
