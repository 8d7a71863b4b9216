package sqlite_test

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"nebula"
	"nebula/internal/sqlite"
)

// talk records a short session of one turn.
func talk(t testing.TB, s *sqlite.Store, id, dir, request string, results ...nebula.Result) {
	t.Helper()
	if err := s.Create(t.Context(), nebula.SessionInfo{ID: id, Dir: dir, Model: "m"}); err != nil {
		t.Fatal(err)
	}
	bodies := []nebula.Body{nebula.Submitted{Turn: 1, Text: request}}
	var files []string
	for _, r := range results {
		bodies = append(bodies, nebula.Finished{Result: r})
		for _, c := range r.Changes {
			files = append(files, c.Path)
		}
	}
	bodies = append(bodies, nebula.Ended{Outcome: nebula.Outcome{Status: nebula.TurnDone, ChangedFiles: files}})
	for i, b := range bodies {
		e := nebula.Event{Seq: int64(i) + 1, At: time.Unix(1_790_000_000, 0).UTC(), Body: b}
		if err := s.Append(t.Context(), id, e); err != nil {
			t.Fatal(err)
		}
	}
}

func remembered(t testing.TB, s *sqlite.Store, dir, session string) sqlite.Memory {
	t.Helper()
	m, err := s.Memory(t.Context(), dir, session)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func notes(m sqlite.Memory) string {
	var lines []string
	for _, n := range m.Notes {
		lines = append(lines, n.Project+":"+n.Text)
	}
	return strings.Join(lines, " ")
}

func TestNotesBelongToAFolderOrToThePerson(t *testing.T) {
	s := open(t, filepath.Join(t.TempDir(), "nebula.db"))
	for _, n := range [][2]string{{"/a", "tabs"}, {"/b", "spaces"}, {"", "short answers"}, {"/a", "make check"}, {"/a", "tabs"}} {
		if err := s.Remember(t.Context(), n[0], n[1]); err != nil {
			t.Fatal(err)
		}
	}
	m := remembered(t, s, "/a", "")
	if got := notes(m); got != ":short answers /a:tabs /a:make check" {
		t.Errorf("got %q", got)
	}
	if err := s.Forget(t.Context(), m.Notes[1].ID); err != nil {
		t.Fatal(err)
	}
	if err := s.Forget(t.Context(), m.Notes[1].ID); !errors.Is(err, sqlite.ErrNoNote) {
		t.Errorf("forgotten twice: %v", err)
	}
	if got := notes(remembered(t, s, "/a", "")); got != ":short answers /a:make check" {
		t.Errorf("got %q", got)
	}
	if got := notes(remembered(t, s, "", "")); got != ":short answers" {
		t.Errorf("the person's own: %q", got)
	}
}

func TestEditedNotesKeepTheirMoment(t *testing.T) {
	s := open(t, filepath.Join(t.TempDir(), "nebula.db"))
	for _, n := range []string{"one", "two"} {
		if err := s.Remember(t.Context(), "/a", n); err != nil {
			t.Fatal(err)
		}
	}
	before := remembered(t, s, "/a", "").Notes
	if err := s.Renote(t.Context(), "/a", []string{"three", "two"}); err != nil {
		t.Fatal(err)
	}
	after := remembered(t, s, "/a", "").Notes
	if len(after) != 2 || after[0].Text != "three" || after[1].Text != "two" || !after[1].At.Equal(before[1].At) {
		t.Errorf("before %v, after %v", before, after)
	}
}

func TestRecordTellsCountsAndTheLastConversations(t *testing.T) {
	s := open(t, filepath.Join(t.TempDir(), "nebula.db"))
	edit := nebula.Result{Status: nebula.Done, Changes: []nebula.Change{{Path: "a", Kind: "create"}, {Path: "b", Kind: "edit"}, {Path: "c", Kind: "mkdir"}}}
	failed := nebula.Result{Status: nebula.Failed}
	for n := range 7 {
		talk(t, s, fmt.Sprintf("s%d", n), "/a", fmt.Sprintf("request %d", n), edit, failed)
	}
	talk(t, s, "other", "/b", "elsewhere", edit)
	m := remembered(t, s, "/a", "s5")
	if m.Sessions != 7 || m.Files != 14 || m.Done != 7 {
		t.Errorf("counts %+v", m)
	}
	var titles []string
	for _, r := range m.Recent {
		titles = append(titles, r.Title)
	}
	if got := strings.Join(titles, ","); got != "request 1,request 2,request 3,request 4,request 6" {
		t.Errorf("recent %s", got)
	}
	if last := m.Recent[4]; last.Outcome != nebula.TurnDone || last.Files != 3 {
		t.Errorf("last %+v", last)
	}
	if all, err := s.Totals(t.Context()); err != nil || all.Sessions != 8 || all.Files != 16 {
		t.Errorf("in all %+v, %v", all, err)
	}
	if err := s.Remove(t.Context(), "s6"); err != nil {
		t.Fatal(err)
	}
	if m := remembered(t, s, "/a", ""); m.Sessions != 7 || m.Recent[4].Title != "request 5" {
		t.Errorf("a removed session takes its words and leaves the counts: %+v", m)
	}
}

func BenchmarkMemory(b *testing.B) {
	path := filepath.Join(b.TempDir(), "nebula.db")
	s := open(b, path)
	for n := range 300 {
		talk(b, s, fmt.Sprintf("s%03d", n), "/a", "request", nebula.Result{Status: nebula.Done})
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
			remembered(b, fresh, "/a", "")
			b.StopTimer()
			_ = fresh.Close()
			b.StartTimer()
		}
	})
	b.Run("next", func(b *testing.B) {
		for b.Loop() {
			remembered(b, s, "/a", "")
		}
	})
}
