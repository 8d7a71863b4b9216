package sqlite_test

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"

	"nebula"
	"nebula/internal/sqlite"
)

// A long log is put away when a session is over, with all that is in it, and nobody is waited for.
func TestALongLogIsPutAwayAfterASession(t *testing.T) {
	path := filepath.Join(t.TempDir(), "nebula.db")
	s := open(t, path)
	if err := s.Create(t.Context(), nebula.SessionInfo{ID: "one", Dir: "/d", Started: time.Unix(1000, 0)}); err != nil {
		t.Fatal(err)
	}
	unlock, err := s.Lock(t.Context(), "one")
	if err != nil {
		t.Fatal(err)
	}
	var last []byte
	for n := range int64(40) {
		last = make([]byte, 1<<15)
		for i := range last {
			last[i] = 'a' + byte(rand.IntN(26))
		}
		if err := s.Append(t.Context(), "one", nebula.Event{Seq: n + 1, At: time.Unix(n, 0), Body: nebula.Noted{Text: string(last)}}); err != nil {
			t.Fatal(err)
		}
	}
	size := func() int64 {
		info, err := os.Stat(path + "-wal")
		if err != nil {
			t.Fatal(err)
		}
		return info.Size()
	}
	if size() < 1<<20 {
		t.Fatalf("the log has %d bytes only", size())
	}
	if unlock(); size() != 0 {
		t.Errorf("the log has %d bytes after the session", size())
	}
	other, err := sqlite.Open(t.Context(), path, sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	kept := 0
	for e, err := range other.Load(t.Context(), "one") {
		if err != nil {
			t.Fatal(err)
		}
		kept++
		if e.Seq == 40 && e.Body.(nebula.Noted).Text != string(last) {
			t.Error("the last event is another one")
		}
	}
	if kept != 40 {
		t.Errorf("%d events", kept)
	}
}
