package record_test

import (
	"context"
	"errors"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"nebula"
	"nebula/internal/record"
)

// notes are the files of a folder of notes: the session's own, and that of whatever was written last.
func notes(t *testing.T, dir string) (own []string, last string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if file := filepath.Join(dir, e.Name()); strings.HasSuffix(file, "-last") {
			last = file
		} else {
			own = append(own, file)
		}
	}
	return own, last
}

func TestNotesAreMadeWithTheirFolder(t *testing.T) {
	heads := record.NewHeads(filepath.Join(t.TempDir(), "a", "b"), "", "store")
	end := nebula.Head{Seq: 3, Link: record.Root("s")}
	heads.Write("s", end)
	if got, ok := heads.Read("s"); !ok || got != end {
		t.Errorf("%v, %v", got, ok)
	}
	if of, got, ok := heads.Last(); !ok || of != "s" || got != end {
		t.Errorf("last: %s, %v, %v", of, got, ok)
	}
}

// The last of all is no later than what its session's own note says.
func TestWhatCannotBeNotedIsNotTheLast(t *testing.T) {
	const full = "/dev/full"
	if _, err := os.Stat(full); err != nil {
		t.Skip("no device that is full")
	}
	dir := t.TempDir()
	heads := record.NewHeads(dir, "", "store")
	heads.Write("s", nebula.Head{Seq: 1})
	own, last := notes(t, dir)
	if err := errors.Join(os.Remove(own[0]), os.Remove(last), os.Symlink(full, own[0])); err != nil {
		t.Fatal(err)
	}
	heads.Write("s", nebula.Head{Seq: 2})
	if of, end, ok := heads.Last(); ok {
		t.Errorf("%s ends at %d", of, end.Seq)
	}
}

func TestForgettingASessionLeavesTheOthersNotes(t *testing.T) {
	dir := t.TempDir()
	heads := record.NewHeads(dir, "", "store")
	heads.Write("a", nebula.Head{Seq: 1})
	heads.Write("b", nebula.Head{Seq: 2})
	_, last := notes(t, dir)
	if err := os.WriteFile(strings.TrimSuffix(last, "last")+"broken", []byte("1 2\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := heads.Sessions(); !slices.Equal(slices.Sorted(slices.Values(got)), []string{"a", "b"}) {
		t.Errorf("noted are %q", got)
	}
	heads.Forget("a")
	if of, _, ok := heads.Last(); !ok || of != "b" || !slices.Equal(heads.Sessions(), []string{"b"}) {
		t.Errorf("last is %q, %v of %q", of, ok, heads.Sessions())
	}
	heads.Forget("b")
	if of, _, ok := heads.Last(); ok || len(heads.Sessions()) > 0 {
		t.Errorf("last is %q of %q", of, heads.Sessions())
	}
}

func TestAFileElsewhereThatCannotBeWrittenIsNamed(t *testing.T) {
	file := filepath.Join(t.TempDir(), "none", "ends")
	if err := record.NewHeads("", file, "store").Reaches(); err == nil || !strings.Contains(err.Error(), file) || !strings.Contains(err.Error(), "heads.file") {
		t.Errorf("%v", err)
	}
}

// A session that was removed has no end elsewhere; a line that cannot be read is none of any.
func TestLinesElsewhereAreOfSessionsThatAreThere(t *testing.T) {
	file := filepath.Join(t.TempDir(), "ends")
	heads := record.NewHeads(t.TempDir(), file, "store")
	heads.Write("kept", nebula.Head{Seq: 1})
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	name, _, _ := strings.Cut(string(data), " ")
	if err := os.WriteFile(file, []byte(string(data)+name+" 2 zz  kept\n"+name+" 5 zz  odd\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	other := record.NewHeads(t.TempDir(), file, "store") // the file elsewhere is told of what is forgotten
	other.Write("gone", nebula.Head{Seq: 1})
	other.Forget("gone")
	if got := heads.Elsewhere(); !slices.Equal(got, []string{"kept"}) {
		t.Errorf("%q", got)
	}
}

// A note says that something is missing only where it says what.
func TestANoteOfNothingMissesNothing(t *testing.T) {
	dir := t.TempDir()
	audit := record.Auditor{Store: &store{data: &place{sessions: map[string]*kept{}}}, Heads: record.NewHeads(dir, "", "store")}
	audit.Heads.Write("s", nebula.Head{})
	if cut, err := audit.Cut(t.Context(), "s"); cut != nil || err != nil {
		t.Errorf("%v, %v of no event", cut, err)
	}
	own, _ := notes(t, dir)
	if err := os.WriteFile(own[0], []byte("5 zz s\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if cut, err := audit.Cut(t.Context(), "s"); cut != nil || err != nil {
		t.Errorf("%v, %v of a note that cannot be read", cut, err)
	}
}

// An unreadable store knows where its sessions end, and gives no record of them.
type unreadable struct{ *store }

var errUnreadable = errors.New("unreadable")

func (unreadable) Head(context.Context, string) (nebula.Head, error) {
	return nebula.Head{Seq: 1}, nil
}

func (unreadable) Records(context.Context, string, int64) iter.Seq2[nebula.Record, error] {
	return func(yield func(nebula.Record, error) bool) { yield(nebula.Record{}, errUnreadable) }
}

func TestWhatCannotBeReadIsNotMissing(t *testing.T) {
	audit := record.Auditor{Store: unreadable{}, Heads: record.NewHeads(t.TempDir(), "", "store")}
	audit.Heads.Write("s", nebula.Head{Seq: 1})
	if cut, err := audit.Cut(t.Context(), "s"); cut != nil || !errors.Is(err, errUnreadable) {
		t.Errorf("%v, %v", cut, err)
	}
}
