package nebulatest

import (
	"bytes"
	"compress/flate"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"
)

// remark is a line of a table that tells who reads the file.
var remark = regexp.MustCompile(`(?m)^(?:#.*)?\n`)

// Packed holds what a package carries against the files that it was made of, or writes it anew into a file with -update; zopfli --deflate makes
// that a twentieth smaller.
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
			if filepath.Base(filepath.Dir(name)) == "tables" { // without remarks
				now[filepath.Base(name)] = remark.ReplaceAllString(string(data), "")
			}
		}
	}
	if f := flag.Lookup("update"); f != nil && f.Value.String() == "true" {
		var small bytes.Buffer
		w, _ := flate.NewWriter(&small, flate.BestCompression) // the level is a valid one
		for _, name := range slices.Sorted(maps.Keys(now)) {
			if _, err := fmt.Fprintf(w, "\x00%s\n%s", name, now[name]); err != nil {
				t.Fatal(err)
			}
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
