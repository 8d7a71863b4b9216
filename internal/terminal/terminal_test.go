package terminal

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	uv "github.com/charmbracelet/ultraviolet"
)

// TestScriptReadsWhateverHoldsLines reads the same lines from a file, which cannot be waited for, as from a pipe.
func TestScriptReadsWhateverHoldsLines(t *testing.T) {
	const lines = "hi\n/status\n"
	path := filepath.Join(t.TempDir(), "lines")
	if err := os.WriteFile(path, []byte(lines), 0o600); err != nil {
		t.Fatal(err)
	}
	file, err := os.Open(path)
	read, write, piped := os.Pipe()
	null, none := os.Open(os.DevNull)
	if err := errors.Join(err, piped, none); err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(write, lines); err != nil || write.Close() != nil {
		t.Fatal(err)
	}
	for in, want := range map[*os.File]string{file: lines, read: lines, null: ""} {
		s, err := Script(in, os.Stdout)
		if err != nil {
			t.Errorf("%s: %v", in.Name(), err)
			continue
		}
		var got strings.Builder
		for e := range s.Events {
			if p, ok := e.(uv.PasteEvent); ok {
				got.WriteString(p.Content + "\n")
			}
		}
		if err := errors.Join(s.Close(), in.Close()); err != nil || got.String() != want {
			t.Errorf("%s: %q, %v", in.Name(), got.String(), err)
		}
	}
}
