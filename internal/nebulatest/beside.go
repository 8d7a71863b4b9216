package nebulatest

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// Beside starts a command that a test talks to. When the test ends it reads no more, and is waited for.
func Beside(t *testing.T, c *exec.Cmd) (in io.WriteCloser, out io.ReadCloser) {
	t.Helper()
	in, err := c.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if out, err = c.StdoutPipe(); err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _, _ = in.Close(), c.Wait() })
	return in, out
}

// Importing is a copy of a script of the tests in a folder of [Packages], which it imports; more stands at its end.
func Importing(t *testing.T, dir, file, more string) string {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	copied := filepath.Join(dir, fmt.Sprintf("%d-%s", os.Getpid(), filepath.Base(file)))
	if err := os.WriteFile(copied, append(data, more...), 0o644); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.Remove(copied) })
	return copied
}
