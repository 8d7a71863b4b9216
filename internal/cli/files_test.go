//go:build unix

package cli

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// Too few files are no damage and no crash: it is said, and everything is as before when there are enough.
func TestTooFewFilesAreSaid(t *testing.T) {
	b := newBed(t)
	b.output("run", "--approve", "all", "begin")
	for files := 4; files < 48; files += 3 {
		own := b.command("run", "--approve", "all", "again")
		c := exec.Command("/bin/sh", append([]string{"-c", fmt.Sprintf(`ulimit -n %d && exec "$@"`, files), "sh", own.Path}, own.Args[1:]...)...)
		c.Dir, c.Env = own.Dir, own.Env
		out, _ := c.CombinedOutput()
		if text := string(out); strings.Contains(text, "fatal error") || strings.Contains(text, "panic") || strings.Contains(text, "goroutine") || strings.Contains(text, "damaged (") {
			t.Errorf("with %d files:\n%s", files, text)
		}
	}
	if aside, _ := filepath.Glob(b.home + "/*damaged*"); len(aside) > 0 {
		t.Errorf("moved aside: %v", aside)
	}
	if list := strings.Fields(b.output("sessions", "list")); len(list) == 0 {
		t.Error("the session is gone")
	}
}
