package nebulatest

import (
	"bytes"
	"compress/flate"
	"encoding/json"
	"flag"
	"maps"
	"os"
	"path/filepath"
	"testing"
)

// Packed holds what a package carries against the files that it was made of, or writes it anew into a file with -update.
func Packed(t *testing.T, carried func() map[string]string, into string, globs ...string) {
	t.Helper()
	now := map[string]string{}
	for _, of := range globs {
		names, err := filepath.Glob(of)
		if err != nil || len(names) == 0 {
			t.Fatal(of, names, err)
		}
		for _, name := range names {
			data, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			now[filepath.Base(name)] = string(data)
		}
	}
	if f := flag.Lookup("update"); f != nil && f.Value.String() == "true" {
		var small bytes.Buffer
		w, _ := flate.NewWriter(&small, flate.BestCompression) // the level is a valid one
		if err := json.NewEncoder(w).Encode(now); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(into, small.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if !maps.Equal(carried(), now) {
		t.Error("what is carried is older than the files: go test -run Packed . -args -update")
	}
}
