package terminal

import (
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	uv "github.com/charmbracelet/ultraviolet"
)

// What a terminal answers is nothing typed: not in pieces, not late, and not where its beginning went to another program. A | is a while,
// and a ^ the time in which the terminal is lent.
func TestAnAnswerInPiecesIsNothingTyped(t *testing.T) {
	for sent, want := range map[string]string{
		"\x1b[12;2R": "", "\x1b[12;|2R": "", "\x1b[12;2|R": "", "\x1b[1|2;|2R": "", "\x1b|[12;2R": "esc", "\x1b[|12;2R": "alt+[",
		"\x1b[?62;4|;22c": "", "\x1b[?62|;4c\x1b[12;2|R": "", "\x1b]11;rgb:1e1e/1|e1e/1e1e\x1b\\": "", "\x1b]11;rgb:1e1e/1e1e/1e1e\x1b|\\": "",
		"\x1b]11;rgb:1e1e/|1e1e/1e1e\a": "", "\x1bP>\x00tmux 3|.4\x1b\\": "", "\x1b[12;^2R": "", "\x1b[12;^|2R": "",
		"^2R": "", "^|2R": "", "^|;2R": "", "^|[12;2R": "", "^|4;22c": "", "^|1e1e/1e1e\x1b\\": "", "^|?62;4c": "", "\x1b]11;rgb:1e^|1e/1e1e\x1b\\": "",
		"a\x1b[12;|2Rb": "ab", "\x1b[1;5|A": "ctrl+up", "\x1b[12;|\x1b[A": "up", "\x1b[12;|\r": "enter", "\x1b[": "alt+[", "\x1b|a": "esca",
		"2R": "2R", "|2R": "2R", "^a": "a", "^|ab": "ab", "^|2": "2", "\x1b[A|2c": "up2c", "^|ls\r": "lsenter",
	} {
		t.Run(strings.ReplaceAll(fmt.Sprintf("%q", sent), "/", "_"), func(t *testing.T) {
			t.Parallel()
			if got := typed(t, sent); got != want {
				t.Errorf("%q: %q, want %q", sent, got, want)
			}
		})
	}
}

// typed are the keys that come of what is sent.
func typed(t *testing.T, sent string) string {
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	s := &Terminal{in: read, Events: make(chan uv.Event, 64)}
	if err := s.listen(); err != nil {
		t.Fatal(err)
	}
	for sent != "" {
		n := max(1, strings.IndexAny(sent+"|", "|^"))
		piece := sent[:n]
		switch sent = sent[n:]; piece {
		case "|":
			time.Sleep(3 * soon)
		case "^":
			time.Sleep(soon / 10)
			s.deafen()
			s.Events = make(chan uv.Event, 64)
			if err := s.listen(); err != nil {
				t.Fatal(err)
			}
		default:
			if _, err := io.WriteString(write, strings.ReplaceAll(piece, "\x00", "|")); err != nil {
				t.Fatal(err)
			}
		}
	}
	time.Sleep(3 * soon)
	if err := write.Close(); err != nil {
		t.Fatal(err)
	}
	var keys strings.Builder
	for e := range s.Events {
		if k, ok := e.(uv.KeyPressEvent); ok {
			keys.WriteString(k.String())
		}
	}
	return keys.String()
}
