package terminal

import (
	"runtime"
	"strings"
	"testing"
)

// What comes key by key, as a paste does from a terminal that does not bracket it, costs as much for each key however much stands there.
func TestWhatComesKeyByKeyIsNotCopiedWithEach(t *testing.T) {
	var e Editor
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range 20_000 {
		e.Insert("a")
		e.Word()
	}
	runtime.ReadMemStats(&after)
	if mb := (after.TotalAlloc - before.TotalAlloc) >> 20; mb > 200 || len(e.Text()) != 20_000 {
		t.Errorf("%d MB for %d keys", mb, len(e.Text()))
	}
	copied := e
	copied.Insert("b")
	if e.Insert("c"); !strings.HasSuffix(copied.Text(), "ab") || !strings.HasSuffix(e.Text(), "ac") {
		t.Error("a copy shares what is typed")
	}
}

func TestTheWordBeforeTheCursor(t *testing.T) {
	for text, want := range map[string]string{"": "", "/mod": "/mod!", "see @a/b": "@a/b", "a ": "", "一 @二": "@二", strings.Repeat("x", 600): "", "a\n" + strings.Repeat("x", 600): "", strings.Repeat("x", 600) + " @y": "@y"} {
		var e Editor
		e.Set(text)
		word, all := e.Word()
		if all && word != "" {
			word += "!"
		}
		if word != want {
			t.Errorf("%.20q: %q", text, word)
		}
	}
}
