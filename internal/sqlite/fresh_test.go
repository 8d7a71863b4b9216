package sqlite

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// TestAFreshFileIsWhatSQLiteWrites compares with what PRAGMA journal_mode=WAL makes of a new file.
func TestAFreshFileIsWhatSQLiteWrites(t *testing.T) {
	path := filepath.Join(t.TempDir(), "plain.db")
	c, err := dial(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := c.log(); err != nil {
		t.Fatal(err)
	}
	if err := c.close(); err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	got := emptyPage()
	copy(got[96:100], want[96:100]) // the version of the library
	if !bytes.Equal(got, want) {
		for i := range want {
			if i >= len(got) || got[i] != want[i] {
				t.Errorf("byte %d differs: want %d", i, want[i])
			}
		}
	}
}
