package terminal

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestNothingHides(t *testing.T) {
	for _, c := range []struct{ name, in, out string }{
		{"plain", "rm -rf build\n\tok", "rm -rf build\n\tok"},
		{"japanese", "追加する　はい。ﾊﾝｶｸ", "追加する　はい。ﾊﾝｶｸ"},
		{"combining", "か\u3099 e\u0301", "か\u3099 e\u0301"},
		{"escape", "a\x1b[2Jb", "a␛[2Jb"},
		{"carriage return", "safe\rrm", "safe␍rm"},
		{"backspace", "a\bb", "a␈b"},
		{"delete", "a\x7f", "a␡"},
		{"c1", "a\u009b2J", "a⟦U+009B⟧2J"},
		{"right-to-left override", "a\u202eb", "a⟦U+202E⟧b"},
		{"isolate", "\u2066x\u2069", "⟦U+2066⟧x⟦U+2069⟧"},
		{"zero-width space", "r\u200bm", "r⟦U+200B⟧m"},
		{"joiner between letters", "r\u200dm", "r⟦U+200D⟧m"},
		{"joiner in an emoji", "👨\u200d👩\u200d👧", "👨\u200d👩\u200d👧"},
		{"skin tone and heart", "👍🏽 ❤\ufe0f 1\ufe0f\u20e3", "👍🏽 ❤\ufe0f 1\ufe0f\u20e3"},
		{"byte order mark", "\ufeffx", "⟦U+FEFF⟧x"},
		{"soft hyphen", "a\u00adb", "a⟦U+00AD⟧b"},
		{"no-break space", "rm\u00a0x", "rm⟦U+00A0⟧x"},
		{"tag", "a\U000e0041", "a⟦U+E0041⟧"},
		{"line separator", "a\u2028b", "a⟦U+2028⟧b"},
		{"filler", "a\u3164b", "a⟦U+3164⟧b"},
		{"broken utf-8", "a\xffb", `a⟦\xff⟧b`},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := Visible(c.in); got != c.out {
				t.Errorf("Visible(%q) = %q, want %q", c.in, got, c.out)
			}
		})
	}
}

func FuzzVisible(f *testing.F) {
	f.Add("a\x1b[2J\u202e👨\u200d👩\xff")
	f.Fuzz(func(t *testing.T, s string) {
		out := Visible(s)
		if !utf8.ValidString(out) {
			t.Fatalf("%q is no UTF-8", out)
		}
		if strings.ContainsFunc(out, func(r rune) bool {
			return r < ' ' && r != '\n' && r != '\t' || r >= 0x7f && r < 0xa0 || r >= 0x202a && r <= 0x202e || r == 0x200b
		}) {
			t.Fatalf("%q hides something", out)
		}
		if again := Visible(out); again != out {
			t.Fatalf("not stable: %q then %q", out, again)
		}
	})
}

func TestWrapFitsAnyWidth(t *testing.T) {
	texts := []string{
		"これは日本語の長い文です。句読点、そして「かぎ括弧」があります。", "a long English sentence with some words", "mixed 日本語 and English、両方 😀👨\u200d👩\u200d👧 emoji",
		strings.Repeat("x", 200), Paint("\x1b[31m", "red words that go on and on"), "\tindented\tand more", "", " ",
	}
	for _, text := range texts {
		for max := 2; max < 50; max++ {
			rows := Wrap(text, max)
			for _, r := range rows {
				if Bare(r) > max {
					t.Fatalf("Wrap(%q, %d): row %q has %d columns", text, max, r, Bare(r))
				}
			}
			if squeeze(strings.Join(rows, "")) != squeeze(text) {
				t.Fatalf("Wrap(%q, %d) = %q: text lost", text, max, rows)
			}
		}
	}
}

func squeeze(s string) string {
	for _, cut := range []string{Reset, "\x1b[31m", " ", "\t"} {
		s = strings.ReplaceAll(s, cut, "")
	}
	return s
}

func TestWrapBreaksWhereReadersExpect(t *testing.T) {
	for _, c := range []struct {
		text string
		max  int
		rows string
	}{
		{"one two three", 8, "one two|three"},
		{"one two three", 7, "one two|three"},
		{"あいう、えお", 6, "あい|う、え|お"},
		{"日本語text日本語", 8, "日本語|text日本|語"},
		{"verylongword x", 6, "verylo|ngword|x"},
		{"a\nb", 5, "a|b"},
	} {
		if got := strings.Join(Wrap(c.text, c.max), "|"); got != c.rows {
			t.Errorf("Wrap(%q, %d) = %q, want %q", c.text, c.max, got, c.rows)
		}
	}
}

func TestStylesEndWithTheirRow(t *testing.T) {
	rows := Wrap("\x1b[1mbold text"+Reset+" plain", 6)
	want := []string{"\x1b[1mbold" + Reset, "\x1b[1mtext" + Reset, "plain"}
	if strings.Join(rows, "|") != strings.Join(want, "|") {
		t.Errorf("rows %q, want %q", rows, want)
	}
}
