package terminal

import (
	"strings"
	"testing"
)

func TestLinksAreForTerminalsThatTakeThem(t *testing.T) {
	for env, want := range map[string]bool{
		"TERM=xterm-kitty": true, "TERM=xterm-256color": false, "TERM_PROGRAM=iTerm.app": true, "TERM_PROGRAM=Apple_Terminal": false,
		"VTE_VERSION=7006": true, "VTE_VERSION=4600": false, "TERM=dumb WT_SESSION=1": false, "TERM=xterm FORCE_HYPERLINK=1": true,
		"TERM=xterm-kitty FORCE_HYPERLINK=0": false, "TMUX=x TERM_PROGRAM=tmux TERM_PROGRAM_VERSION=3.3a": false,
		"TMUX=x TERM_PROGRAM=tmux TERM_PROGRAM_VERSION=3.4": true, "TMUX=x TERM=xterm-kitty": false, "STY=x VTE_VERSION=7006": false, "": false,
	} {
		got := Hyperlinks(func(name string) string {
			for pair := range strings.FieldsSeq(env) {
				if value, ok := strings.CutPrefix(pair, name+"="); ok {
					return value
				}
			}
			return ""
		})
		if got != want {
			t.Errorf("%q takes links: %v", env, got)
		}
	}
	row := "see " + Hyperlink("https://x.example/", Paint("\x1b[4m", "x.example")) + " now"
	if Bare(row) != 17 || Unlinked(row) != "see \x1b[4mx.example\x1b[0m now" {
		t.Errorf("%q is %d wide, %q without links", row, Bare(row), Unlinked(row))
	}
}
