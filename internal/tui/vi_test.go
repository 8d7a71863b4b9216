package tui

import (
	"strings"
	"testing"

	"nebula/internal/terminal"

	uv "github.com/charmbracelet/ultraviolet"
)

// Who chose the keys of vi edits with them, and sees in which mode; nobody else meets them.
func TestViKeysAreThereForWhoChoseThem(t *testing.T) {
	for _, on := range []bool{true, false} {
		a := staged("en", 80)
		a.options.Vi, a.gate, a.queue, a.pending, a.view.Busy, a.hint = on, nil, nil, nil, false, ""
		a.writes("one two")
		a.presses(uv.KeyPressEvent{Code: uv.KeyEscape})
		a.writes("bD")
		row := terminal.Unpainted(strings.Join(a.frame().dock, "\n"))
		if got, want := a.editor.Text(), map[bool]string{true: "one ", false: "one twobD"}[on]; got != want {
			t.Errorf("vi %v: %q, want %q", on, got, want)
		}
		if strings.Contains(row, "\nN one") != on {
			t.Errorf("vi %v:\n%s", on, row)
		}
	}
}
