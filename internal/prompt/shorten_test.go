package prompt_test

import (
	"fmt"
	"strings"
	"testing"

	"nebula"
)

// read is a turn that reads a file.
func (f fold) read(n int, request, path, output string) {
	f.apply(nebula.Submitted{Turn: n, Text: request})
	id := fmt.Sprintf("c%d", n)
	f.apply(nebula.Observed{Messages: []nebula.Message{
		{Role: nebula.Assistant, Parts: nebula.PartsOf("", "", nebula.Call{ID: id, Name: "readFile", Arguments: fmt.Sprintf(`{"path":%q}`, path)})},
		{Role: nebula.ToolRole, CallID: id, Parts: nebula.Text(output)},
	}}, nebula.Observed{Messages: []nebula.Message{{Role: nebula.Assistant, Parts: nebula.Text(fmt.Sprintf("Turn %d is done.", n))}}}, nebula.Ended{})
}

// A conversation that is made shorter by hand keeps what the person said, costs less whatever the window, and is as short
// as it gets the first time.
func TestShortenedByHandKeepsThePersonsWords(t *testing.T) {
	for name, c := range tenRules() {
		for _, window := range []int{0, 8000, 200_000} {
			f, b := newFold("en"), builder()
			for n := 1; n <= 30; n++ {
				request := fmt.Sprintf("request %d", n)
				if n <= len(c.messages) {
					request = c.messages[n-1]
				}
				f.turn(n, request, strings.Repeat("some line of a file that was read\n", 40))
			}
			in := input(f.State, window)
			p, _ := b.Build(in)
			long := text(p)
			done, ok := b.Shorten(f.State, in.Window, "")
			if !ok || 2*done.After > done.Before {
				t.Fatalf("%s, window %d: %d → %d tokens", name, window, done.Before, done.After)
			}
			f.apply(done)
			p, _ = b.Build(in)
			sent := text(p)
			for _, rule := range c.rules {
				if !strings.Contains(sent, rule) {
					t.Errorf("%s, window %d: %q is gone", name, window, rule)
				}
			}
			whole(t, 30, p.Messages)
			if len(sent) >= len(long) || !strings.Contains(sent, "Turn 30 is done.") {
				t.Errorf("%s, window %d: %d of %d bytes", name, window, len(sent), len(long))
			}
			if window != 8000 && f.Compact.Dropped > 0 {
				t.Errorf("%s, window %d: messages fell out although one-line results were enough", name, window)
			}
			if again, ok := b.Shorten(f.State, in.Window, ""); ok {
				t.Errorf("%s, window %d: a second time it gains %d → %d", name, window, again.Before, again.After)
			}
		}
	}
}

// What mentions the focus stays whole, and the next time something else may: but only what is whole still.
func TestWhatMentionsTheFocusStaysWhole(t *testing.T) {
	for focus, kept := range map[string]string{
		"gate.go": "gate.go", "the parser, please": "parse.go", "パーサーのテスト": "ja.go", "": "",
	} {
		f, b := newFold("en"), builder()
		files := map[string]string{"gate.go": "a line of the verdict", "parse.go": "a line of the Parser", "ja.go": "テスト の一行", "other.go": "a line of the rest"}
		for n, path := range []string{"gate.go", "parse.go", "ja.go", "other.go", "other.go", "other.go"} {
			f.read(n+1, "go on", path, strings.Repeat(files[path]+"\n", 100))
		}
		in := input(f.State, 100_000)
		done, ok := b.Shorten(f.State, in.Window, focus)
		if !ok {
			t.Fatalf("%q gains nothing", focus)
		}
		f.apply(done)
		p, _ := b.Build(in)
		sent := text(p)
		for path, line := range files {
			if n := strings.Count(sent, line+"\n"); (n >= 99) != (path == kept) && path != "other.go" {
				t.Errorf("%q: %d lines of %s", focus, n, path)
			}
		}
		if focus != "" && !strings.Contains(sent, "as the person wants: "+focus) {
			t.Errorf("%q is not said to the model", focus)
		}
		if kept == "" {
			continue
		}
		if _, ok := b.Shorten(f.State, in.Window, focus); ok {
			t.Errorf("%q gains a second time", focus)
		}
		if done, ok := b.Shorten(f.State, in.Window, "other.go"); !ok || len(done.Whole) > 0 {
			t.Errorf("%q was not let go for another, or shortened results came back: %v", focus, done.Whole)
		}
	}
}

// Where the window's end comes, what was kept whole gives way, and the words of the focus stay.
func TestTheFocusGivesWayAtTheWindowsEnd(t *testing.T) {
	f, b := newFold("en"), builder()
	for n := 1; n <= 6; n++ {
		f.read(2*n, "go on", "gate.go", strings.Repeat("a line of the gate\n", 60))
		f.turn(2*n+1, "go on", strings.Repeat("line of a file\n", 60))
	}
	in := input(f.State, 12_000)
	done, ok := b.Shorten(f.State, in.Window, "gate.go")
	if !ok || len(done.Whole) == 0 {
		t.Fatalf("nothing stayed whole: %+v", done)
	}
	f.apply(done)
	for n := 14; n <= 60; n++ {
		f.turn(n, "go on", strings.Repeat("line of a file\n", 150))
		fit(t, f, b, in)
	}
	if len(f.Compact.Whole) > 0 && f.Compact.Whole[0] < f.Compact.Dropped {
		t.Errorf("what fell out is still kept: %v before %d", f.Compact.Whole, f.Compact.Dropped)
	}
	if p := fit(t, f, b, in); f.Compact.Dropped == 0 || !strings.Contains(text(p), "as the person wants: gate.go") {
		t.Errorf("the focus is gone, or nothing fell out: %+v", f.Compact)
	}
}
