package demo

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

var update = flag.Bool("update", false, "write what is carried anew")

// What the program carries is what stands in the files.
func TestPackedFilesAreThoseThatStandHere(t *testing.T) {
	now := map[string]string{}
	for _, of := range []string{"sample/*", "talk/*"} {
		names, err := filepath.Glob(of)
		if err != nil || len(names) < 2 {
			t.Fatal(names, err)
		}
		for _, name := range names {
			data, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			now[filepath.Base(name)] = string(data)
		}
	}
	if *update {
		var small bytes.Buffer
		w, _ := flate.NewWriter(&small, flate.BestCompression) // the level is a valid one
		if err := json.NewEncoder(w).Encode(now); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile("demo.flate", small.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if !maps.Equal(files(), now) {
		t.Error("what is carried is older: go test ./internal/demo -run Packed -args -update")
	}
}
