package terminal

import (
	"strings"
	"testing"
)

func TestViKeysEdit(t *testing.T) {
	for _, c := range []struct{ text, keys, want string }{ // ⎋ is escape; the cursor is | in what is wanted
		{"one two three", "⎋bbdw", "one |three"},
		{"one two", "⎋x", "one t|w"},
		{"one two", "⎋0xp", "n|oe two"},
		{"one two three", "⎋0wcwTWO", "one TWO| three"},
		{"one two", "⎋0D", "|"},
		{"one two", "⎋bCthree", "one three|"},
		{"one\ntwo", "⎋dd", "one|\n"},
		{"one\ntwo", "⎋ggdd", "|two"},
		{"one\ntwo", "⎋ggOzero", "zero|\none\ntwo"},
		{"one", "⎋otwo⎋", "one\ntw|o"},
		{"one two", "⎋0wde", "one| "},
		{"one two", "⎋0wd$u", "one two|"},
		{"one", "⎋0rO", "|One"},
		{"one", "⎋Ix ", "x |one"},
		{"one", "⎋0ax", "ox|ne"},
		{"日本語のテスト", "⎋0dw", "|のテスト"},
		{"one two", "⎋0ywP", "one| one two"},
		{"one two", "⎋qzQ", "one tw|o"},
		{"one two", "⎋0dgx", "|one two"},
		{"one\ntwo", "⎋dgg", "|o"},
	} {
		var e Editor
		var v Vi
		e.Set(c.text)
		for _, r := range c.keys {
			name, text := string(r), string(r)
			if r == '⎋' {
				name, text = "esc", ""
			}
			if rest := v.Key(&e, name, text); rest == name && text != "" {
				e.Insert(text)
			}
		}
		got := e.Before() + "|" + strings.TrimPrefix(e.Text(), e.Before())
		if v.Normal() && e.at == len(e.cells) && strings.HasSuffix(got, "\n|") {
			got = strings.TrimSuffix(got, "\n|") + "|\n"
		}
		if got != c.want {
			t.Errorf("%q after %q is %q, want %q", c.text, c.keys, got, c.want)
		}
	}
	var e Editor
	var v Vi
	if v.Key(&e, "esc", "") != "esc" || v.Normal() {
		t.Error("on an empty line esc is not the editor's")
	}
	e.Set("x")
	v.Key(&e, "esc", "")
	if v.Key(&e, "j", "j") != "down" || v.Key(&e, "enter", "") != "enter" || v.Key(&e, "esc", "") != "esc" {
		t.Error("keys that are not of the text go on")
	}
}
