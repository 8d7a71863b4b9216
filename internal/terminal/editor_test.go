package terminal

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

// TestEditing plays keys: text is typed, <name> is a key. The result shows the cursor as |.
func TestEditing(t *testing.T) {
	for _, c := range []struct{ keys, want string }{
		{"hello", "hello|"},
		{"あいう<left>え", "あいえ|う"},
		{"👨\u200d👩\u200d👧<backspace>x", "x|"},
		{"a😀b<left><left><delete>", "a|b"},
		{"か\u3099<backspace>", "|"},
		{"one two three<ctrl+w>", "one two |"},
		{"one two three<alt+b><alt+b>X", "one X|two three"},
		{"日本語の文章を書く<ctrl+w>", "日本語の文章を書|"},
		{"日本語の文章を書く<ctrl+w><ctrl+w>", "日本語の文章を|"},
		{"カタカナ漢字<ctrl+w>", "カタカナ|"},
		{"abc<ctrl+a>x<ctrl+e>y", "xabcy|"},
		{"abc<ctrl+u>d<ctrl+y>", "dabc|"},
		{"one\ntwo three<ctrl+u>", "one\n|"},
		{"one\ntwo<ctrl+u><ctrl+u><ctrl+u>", "|"},
		{"one\ntwo<ctrl+a><ctrl+u>", "one|two"},
		{"one\ntwo<ctrl+u><ctrl+u><ctrl+u><ctrl+y>", "one\ntwo|"},
		{"cat src/a-b.go<ctrl+w>", "cat |"},
		{"cat src/a-b.go<alt+backspace>", "cat src/a-b.|"},
		{"one two three<ctrl+w><ctrl+w><ctrl+y>", "one two three|"},
		{"one two three<ctrl+w><left><ctrl+w><ctrl+y>", "one two| "},
		{"one two<ctrl+a><alt+d><alt+d><ctrl+y>", "one two|"},
		{"one two<ctrl+a><ctrl+k><ctrl+e>x<ctrl+y>", "xone two|"},
		{"書く。<ctrl+w>", "書|"},
		{"one\ntwo<ctrl+a><ctrl+k>", "one\n|"},
		{"one\ntwo<home><backspace>", "one|two"},
		{"ab<ctrl+t>", "ba|"},
		{"<left><backspace><delete><ctrl+w><alt+f><ctrl+k><ctrl+t>", "|"},
		{"hello world<ctrl+a><alt+f><alt+d>", "hello|"},
		{"one two<ctrl+_>", "one |"},
		{"one two<ctrl+_><ctrl+_><ctrl+_><ctrl+_>", "|"},
		{"one two<ctrl+_><ctrl+_><alt+/>", "one |"},
		{"one two<ctrl+_><alt+/><alt+/>!", "one two!|"},
		{"one two<ctrl+u><ctrl+_>", "one two|"},
		{"日本<backspace><backspace><ctrl+_>", "日本|"},
		{"one<ctrl+_>x<alt+/>", "x|"},
		{"ab<ctrl+t><ctrl+_>", "ab|"},
	} {
		e := Editor{}
		play(&e, c.keys)
		if got := e.marked(); got != c.want {
			t.Errorf("%s: %q, want %q", c.keys, got, c.want)
		}
	}
}

func play(e *Editor, keys string) {
	for keys != "" {
		if name, rest, ok := strings.Cut(strings.TrimPrefix(keys, "<"), ">"); ok && keys[0] == '<' {
			e.Key(name)
			keys = rest
			continue
		}
		_, n := utf8.DecodeRuneInString(keys)
		e.Insert(keys[:n])
		keys = keys[n:]
	}
}

func (e *Editor) marked() string {
	whole := e.cells
	e.cells = whole[:e.at]
	before := e.Text()
	e.cells = whole[e.at:]
	defer func() { e.cells = whole }()
	return before + "|" + e.Text()
}

func TestPasteIsExact(t *testing.T) {
	for _, text := range []string{
		"all:\n\tgo build\n", "one\r\ntwo\rthree", strings.Repeat("line\n", 50), "日本語\n貼り付け", "esc \x1b[31m zero\u200bwidth", "a\u3000b",
	} {
		e := Editor{}
		e.Insert("before ")
		e.Paste(text, "pasted: %d lines")
		e.Insert(" after")
		want := "before " + strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n") + " after"
		if got := e.Text(); got != want {
			t.Errorf("pasted %q, sent %q", text, got)
		}
		rows, _, _ := e.Layout(30, 2)
		if strings.ContainsAny(strings.Join(rows, ""), "\x1b\u200b\t") {
			t.Errorf("shown raw: %q", rows)
		}
		if len(rows) > pasteRows+2 {
			t.Errorf("%d rows shown for a paste", len(rows))
		}
	}
}

func TestLayoutPlacesTheCursor(t *testing.T) {
	for _, c := range []struct {
		keys      string
		max, lead int
		rows      string
		x, y      int
	}{
		{"", 10, 2, "", 2, 0},
		{"あいう", 20, 2, "あいう", 8, 0},
		{"あいう<left>", 20, 2, "あいう", 6, 0},
		{"😀a", 20, 0, "😀a", 3, 0},
		{"abcdefgh", 10, 2, "abcdefgh|", 2, 1},
		{"あいうえお", 9, 2, "あいう|えお", 6, 1},
		{"ab\ncd<left>", 10, 2, "ab|cd", 3, 1},
		{"ab\n", 10, 2, "ab|", 2, 1},
		{"one two three", 10, 2, "one two |three", 7, 1},
		{"one two three<ctrl+a><right><right><right><right>", 10, 2, "one two |three", 6, 0},
		{"one abcdefgh", 10, 2, "one |abcdefgh|", 2, 2},
		{"aにほん、ご", 9, 2, "aにほ|ん、ご", 8, 1},
	} {
		e := Editor{}
		play(&e, c.keys)
		rows, x, y := e.Layout(c.max, c.lead)
		if strings.Join(rows, "|") != c.rows || x != c.x || y != c.y {
			t.Errorf("%q at %d: %q %d,%d; want %q %d,%d", c.keys, c.max, rows, x, y, c.rows, c.x, c.y)
		}
	}
}

func TestUpAndDownMoveByRows(t *testing.T) {
	e := Editor{}
	e.Set("あいう\nab\nwxyz")
	if !e.Vertical(-1, 40, 2) || e.marked() != "あいう\nab|\nwxyz" {
		t.Errorf("up: %q", e.marked())
	}
	if !e.Vertical(-1, 40, 2) || e.marked() != "あ|いう\nab\nwxyz" {
		t.Errorf("up again: %q", e.marked())
	}
	if e.Vertical(-1, 40, 2) {
		t.Error("went above the first row")
	}
	for i, want := range []bool{true, true, false} {
		if e.Vertical(1, 40, 2) != want {
			t.Errorf("down %d", i)
		}
	}
}

// Of a draft of hundreds of lines every key moves the cursor at once, and up and down lead through all of its rows.
func TestLongDraftsAreWalkedThrough(t *testing.T) {
	e := Editor{}
	e.Set(strings.TrimSuffix(strings.Repeat("a line of a draft that goes on, 日本語もある\n", 400), "\n"))
	rows, _, y := e.Layout(30, 2)
	began, steps := time.Now(), 0
	for e.Vertical(-1, 30, 2) {
		steps++
	}
	if steps != y || y != len(rows)-1 || e.at > 28 {
		t.Errorf("%d steps through %d rows, from %d to cell %d", steps, len(rows), y, e.at)
	}
	if took := time.Since(began); took > time.Duration(steps)*50*time.Millisecond {
		t.Errorf("%d steps took %v", steps, took)
	}
}

func TestHistoryOutlivesTheProgram(t *testing.T) {
	file := filepath.Join(t.TempDir(), "home", "history", "x.jsonl")
	h, err := OpenHistory(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"first", "二番目\nの行", "二番目\nの行", " secret", "third"} {
		if err := h.Add(text); err != nil {
			t.Fatal(err)
		}
	}
	if err := appendTo(file, "{damaged\n\"fourth\"\n"); err != nil {
		t.Fatal(err)
	}
	h, err = OpenHistory(file)
	if err != nil || fmt.Sprint(h.Entries) != fmt.Sprint([]string{"first", "二番目\nの行", "third", "fourth"}) {
		t.Fatalf("%q, %v", h.Entries, err)
	}
	if i, err := os.Stat(file); err != nil || i.Mode().Perm() != 0o600 {
		t.Errorf("the file is %v, %v", i.Mode(), err)
	}
	if text, _ := h.Move(-1, "draft"); text != "fourth" {
		t.Errorf("back: %q", text)
	}
	if text, _ := h.Move(1, ""); text != "draft" {
		t.Errorf("forth again: %q", text)
	}
	if h.Find("番目", len(h.Entries)) != 1 || h.Find("FIRST", len(h.Entries)) != 0 || h.Find("none", 4) != -1 {
		t.Error("search missed")
	}
}

func appendTo(file, text string) error {
	f, err := os.OpenFile(file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	if _, err := f.WriteString(text); err != nil {
		return err
	}
	return f.Close()
}

func TestOptionsByNumber(t *testing.T) {
	options := []string{"memory", "file"}
	for _, c := range []struct {
		text, want string
		ok         bool
	}{{"1", "memory", true}, {"２", "file", true}, {"2.", "file", true}, {"3", "", false}, {"0", "", false}, {"sqlite, please", "sqlite, please", true}, {" ", "", false}} {
		if got, ok := Choose(c.text, options); got != c.want || ok != c.ok {
			t.Errorf("%q: %q %v", c.text, got, ok)
		}
	}
	for _, c := range []struct {
		text    string
		options []string
		want    string
	}{
		{"yes", options, ""}, {"はい", options, ""}, {"always", options, ""}, {"y", options, ""}, {"no", options, "no"}, {"yes, in memory", options, "yes, in memory"},
		{"yes", []string{"Yes, do it", "Not now"}, "Yes, do it"}, {"yes", []string{"Yes, here", "Yes, there"}, ""}, {"はい", []string{"はい、進めます", "いいえ"}, "はい、進めます"}, {"y", []string{"yellow"}, ""},
		{"y", []string{"yes, agree", "not now"}, "yes, agree"}, {"はい", []string{"yes, agree", "not now"}, "yes, agree"}, {"agree", []string{"はい、同意する", "今はしない"}, "はい、同意する"}, {"ok", []string{"Yes, here", "Yes, there"}, ""},
		{"always", []string{"yes, agree", "not now"}, ""}, {"yes", []string{"Go with it", "Leave it"}, ""}, {"yes", nil, "yes"},
	} {
		if got, ok := Choose(c.text, c.options); got != c.want || ok != (c.want != "") {
			t.Errorf("%q of %q: %q %v", c.text, c.options, got, ok)
		}
	}
	if got, ok := Choose("42", nil); got != "42" || !ok {
		t.Errorf("a number without options: %q %v", got, ok)
	}
}

// A choice that the program put there is no beginning of a word that is typed then; what goes on with it joins it.
func TestAWordTakesTheChoicesPlace(t *testing.T) {
	for _, c := range []struct {
		key, typed, want string
	}{{"", "yes", "yes"}, {"", "はい", "はい"}, {"", ", and why", "no, and why"}, {"", " ", "no "}, {"end", "yes", "noyes"}, {"backspace", "t", "nt"}, {"f5", "yes", "yes"}} {
		var e Editor
		e.Choose("no")
		e.Key(c.key)
		for _, r := range c.typed {
			e.Insert(string(r))
		}
		if e.Text() != c.want {
			t.Errorf("%s, %q: %q", c.key, c.typed, e.Text())
		}
	}
	var e Editor
	e.Choose("no")
	e.Set("ye")
	if e.Insert("s"); e.Text() != "yes" {
		t.Errorf("what was set is gone: %q", e.Text())
	}
}
