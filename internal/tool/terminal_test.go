package tool_test

import (
	"strings"
	"testing"

	"nebula/internal/tool"
)

// Of a command that failed since it has no terminal it is said what helps; of one that only mentions one nothing is.
func TestACommandThatNeedsATerminalIsTold(t *testing.T) {
	needShell(t)
	f := newFolder(t, tool.Options{}, nil)
	for line, want := range map[string]bool{
		": < /dev/tty": true,
		"stty size":    true,
		"echo 'the input device is not a TTY' >&2; exit 1": true,
		"echo no terminal here":                            false,
		"echo 'a ttyrannosaurus'; exit 3":                  false,
	} {
		r, err := f.run("executeShell", args{"command": line})
		if got := strings.Contains(r.Text, "background: tty"); err != nil || got != want {
			t.Errorf("%s: %v %s", line, err, r.Text)
		}
	}
}
