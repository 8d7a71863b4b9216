package sqlite_test

import (
	"fmt"
	"path/filepath"
	"testing"

	"nebula"
	"nebula/internal/sqlite"
)

func remembered(b *testing.B, s *sqlite.Store) {
	b.Helper()
	if _, err := s.Memory(b.Context(), "/a", ""); err != nil {
		b.Fatal(err)
	}
}

func BenchmarkMemory(b *testing.B) {
	path := filepath.Join(b.TempDir(), "nebula.db")
	s := open(b, path)
	for n := range 300 {
		id := fmt.Sprintf("s%03d", n)
		if err := s.Create(b.Context(), nebula.SessionInfo{ID: id, Dir: "/a", Model: "m"}); err != nil {
			b.Fatal(err)
		}
		if err := s.Append(b.Context(), id, nebula.Event{Seq: 1, Body: nebula.Submitted{Turn: 1, Text: "request"}}); err != nil {
			b.Fatal(err)
		}
	}
	for n := range 20 {
		if err := s.Remember(b.Context(), "/a", fmt.Sprintf("note %d", n)); err != nil {
			b.Fatal(err)
		}
	}
	b.Run("first", func(b *testing.B) {
		for b.Loop() {
			b.StopTimer()
			fresh, err := sqlite.Open(b.Context(), path, sqlite.Options{})
			if err != nil {
				b.Fatal(err)
			}
			b.StartTimer()
			remembered(b, fresh)
			b.StopTimer()
			_ = fresh.Close()
			b.StartTimer()
		}
	})
	b.Run("next", func(b *testing.B) {
		for b.Loop() {
			remembered(b, s)
		}
	})
}
