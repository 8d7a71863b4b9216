package state_test

import (
	"iter"
	"os"
	"strings"
	"testing"
)

// rowsOf are the lines of a file of testdata that say what is held, or true, and of which sentence; others tell about them.
func rowsOf(t *testing.T, file string) iter.Seq2[string, string] {
	t.Helper()
	text, err := os.ReadFile("testdata/" + file)
	if err != nil {
		t.Fatal(err)
	}
	return func(yield func(what, said string) bool) {
		for line := range strings.Lines(string(text)) {
			if what, said, ok := strings.Cut(strings.TrimSpace(line), " | "); ok && !yield(what, said) {
				return
			}
		}
	}
}
