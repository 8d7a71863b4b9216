package workspace

import (
	"context"
	"errors"
	"strings"
	"testing"

	"nebula"
)

// An ailing record takes nothing for so many times.
type ailing struct {
	nebula.Contents
	times int
}

func (a *ailing) KeepMany(ctx context.Context, all [][]byte) error {
	if a.times--; a.times >= 0 {
		return errors.New("input/output error")
	}
	return a.Contents.KeepMany(ctx, all)
}

// One fault when the changes of a command are looked at is no end of it; more of them is not either, since they can be
// looked at later: also what nebula itself changed again since.
func TestFaultAfterACommandIsNoEndOfItsChanges(t *testing.T) {
	for _, times := range []int{1, 2} {
		keep := &ailing{Contents: inMemory()}
		d, err := Open(t.TempDir(), keep)
		if err != nil {
			t.Fatal(err)
		}
		defer d.Close()
		d.Cover(t.TempDir(), DefaultBudget)
		if err := d.Share(t.TempDir()); err != nil {
			t.Fatal(err)
		}
		laid(t, d, map[string]string{"a": "1", "b": "1", "c": "1", "gone": "1"})
		was := exactly(t, d.Path())
		s, err := d.Snapshot(t.Context(), "run")
		if err != nil {
			t.Fatal(err)
		}
		_, _ = sh(d.Path(), "echo 2 > a; echo 2 > b; echo 2 > c; rm gone; echo 1 > new")
		keep.times = times
		changes, err := s.Changes(t.Context())
		if times == 1 {
			if err != nil || len(changes) != 5 {
				t.Errorf("%d changes, %v", len(changes), err)
			}
			continue
		}
		if err == nil {
			t.Fatal("no fault")
		}
		var since []nebula.Change
		for p, text := range map[string]string{"b": "3", "c": "1"} { // c is what it was before the command
			c, err := d.Write(t.Context(), granting(t, d, p), p, []byte(text))
			if err != nil {
				t.Fatal(err)
			}
			since = append(since, c)
		}
		found, lost, known := d.Left(t.Context(), "run", since)
		if !known || len(lost) > 0 || len(found) != 5 {
			t.Fatalf("%+v, lost %v, %v", found, lost, known)
		}
		all := append(found, since...)
		if _, left, err := d.Restore(t.Context(), restoring(t, all), all); err != nil || len(left) > 0 {
			t.Errorf("left %v, %v", left, err)
		}
		if lines := differs(was, exactly(t, d.Path())); len(lines) > 0 {
			t.Errorf("%s", strings.Join(lines, "\n"))
		}
	}
}
