//go:build unix

package cli

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// A record that is gone is told by what notes its sessions' ends elsewhere, and notes that are gone by the record.
func TestARecordThatIsGoneIsTold(t *testing.T) {
	b := newBed(t)
	b.output("run", "--approve", "all", "go")
	says := func(code int, want string, args ...string) {
		t.Helper()
		out, err := b.command(args...).CombinedOutput()
		got := 0
		if exit, ok := errors.AsType[*exec.ExitError](err); ok {
			got = exit.ExitCode()
		}
		if code >= 0 && got != code || !strings.Contains(string(out), want) {
			t.Errorf("%v: exit %d, want %d with %q\n%s", args, got, code, want, out)
		}
	}
	says(0, "whole", "audit", "--verify")
	notes := filepath.Join(b.home, "heads")
	if err := os.Rename(notes, notes+".away"); err != nil {
		t.Fatal(err)
	}
	says(exitRecord, "1 session has no note beside the record", "audit", "--verify")
	if err := os.Rename(notes+".away", notes); err != nil {
		t.Fatal(err)
	}
	for _, suffix := range []string{"", "-wal", "-shm"} {
		if err := os.Remove(filepath.Join(b.home, "nebula.db"+suffix)); err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
	}
	says(exitRecord, "missing", "audit", "--verify")
	says(exitRecord, `"whole":false`, "audit", "--verify", "--output", "json")
	says(-1, "is gone, with 1 session", "doctor")
	says(-1, "is gone: session", "run", "--approve", "all", "go") // another is begun
	says(exitRecord, "1 session is missing from the record", "audit", "--verify")
	says(exitRecord, "1 session is missing from the record", "audit", "--verify")
}
