package phrase_test

import (
	"testing"

	"nebula/internal/phrase"
)

func TestSequencesEndWhereATerminalEndsThem(t *testing.T) {
	for text, want := range map[string]int{
		"[31mred": 4, "[0;1 q": 6, "[Kx": 2, "[": 0, "[3": 0, "[\n": 0, "Mup": 1, "cx": 0, "(B": 0, "": 0,
		"]0;title\x07x": 9, "]8;;u\x1b\\x": 7, "]0;t": 1, "]0;t\x1bx": 1, "Pq\x1b\\x": 4, "Pq\x07": 1, "_a\x1b": 1,
	} {
		if n, _ := phrase.Sequence(text); n != want {
			t.Errorf("%q: %d, want %d", text, n, want)
		}
	}
	for text, want := range map[string]bool{"": true, "[": true, "[3": true, "]0;t": true, "_a\x1b": true, "[31m": false, "[\n": false, "M": false, "]0;t\x1bx": false} {
		if _, open := phrase.Sequence(text); open != want {
			t.Errorf("%q is open: %v", text, open)
		}
	}
}
