package workspace

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"nebula"
	ledger "nebula/internal/state"

	"golang.org/x/sys/unix"
)

// A tab is a folder with the record of one turn in it.
type tab struct {
	t *testing.T
	d *Dir
	s *ledger.State
}

// undo takes back, or brings back, what the record has of it.
func (b *tab) undo(redo bool) (left []nebula.Left) {
	b.t.Helper()
	turn, ok := b.s.LastChanges(redo, nil)
	if !ok {
		b.t.Fatal("the record has nothing of it")
	}
	made, left, err := b.d.Restore(b.t.Context(), restoring(b.t, turn.Changes), turn.Changes)
	if err != nil {
		b.t.Fatal(err)
	}
	b.s.Apply(nebula.Event{Body: nebula.Undone{Turn: turn.Turn, Redo: redo, Changes: made, Left: left}})
	return left
}

func carriedOut(t *testing.T, d *Dir, script ...string) *tab {
	t.Helper()
	b := &tab{t, d, ledger.New()}
	b.s.Apply(nebula.Event{Body: nebula.Submitted{Turn: 1}})
	for n, deed := range script {
		b.s.Apply(nebula.Event{Body: nebula.Finished{Result: nebula.Result{Changes: carried(t, d, n, deed)}}})
	}
	return b
}

// What an undo has to leave because of the person's own edits is taken back to the byte when they put it back, whatever
// was undone and brought back in between; until then nothing of theirs is touched.
func TestWhatWasLeftIsTakenBackLater(t *testing.T) {
	for seed := range uint64(7) {
		r := rand.New(rand.NewPCG(seed, 31))
		script := []string{"write src/f5.go", within(deeds[r.IntN(len(deeds))]), within(deeds[r.IntN(len(deeds))])}
		d, top := house(t)
		was := exactly(t, top)
		b := carriedOut(t, d, script...)
		_ = os.Remove(filepath.Join(top, "pipe"))
		mine := edits(t, r, top, b.s.Journal[0].Changes)
		name := fmt.Sprintf("seed %d %q: %d edits", seed, script, len(mine))
		for _, redo := range []bool{false, true, false} {
			if _, ok := b.s.LastChanges(redo, nil); !ok {
				continue
			}
			b.undo(redo)
			for p, e := range mine {
				if data, err := os.ReadFile(filepath.Join(top, p)); err != nil || !bytes.Equal(data, e[1]) {
					t.Fatalf("%s: the person's %s is lost: %v", name, p, err)
				}
			}
		}
		if len(mine) > 0 && d.Ready(t.Context(), b.s.Journal[0].Changes) {
			t.Errorf("%s: ready before they were put back", name)
		}
		for p, e := range mine {
			rewrite(t, filepath.Join(top, p), e[0])
		}
		if len(mine) > 0 {
			if !d.Ready(t.Context(), b.s.Journal[0].Changes) {
				t.Errorf("%s: not ready", name)
			}
			if left := b.undo(false); len(left) > 0 {
				t.Errorf("%s: left %v", name, left)
			}
		}
		if lines := differs(was, exactly(t, top)); len(lines) > 0 {
			t.Errorf("%s:\n%s", name, strings.Join(lines[:min(len(lines), 20)], "\n"))
		}
		b.undo(true)
		b.undo(false)
		if lines := differs(was, exactly(t, top)); len(lines) > 0 || len(b.s.Takeable(false)) > 0 {
			t.Errorf("%s: after a redo:\n%s", name, strings.Join(lines[:min(len(lines), 20)], "\n"))
		}
		left(d)
	}
}

// edits are the person's, of some of the files that changes left: what was there, and what they wrote.
func edits(t *testing.T, r *rand.Rand, top string, changes []nebula.Change) map[string][2][]byte {
	t.Helper()
	mine := map[string][2][]byte{}
	for _, c := range changes {
		p := filepath.Join(top, c.Name())
		fi, err := os.Lstat(p)
		if err != nil || !fi.Mode().IsRegular() || fi.Mode().Perm()&0o600 != 0o600 || twinned(p) || r.IntN(3) > 0 {
			continue
		}
		data, _ := os.ReadFile(p)
		text := fmt.Appendf(nil, "mine %d", r.Uint64())
		if _, again := mine[c.Name()]; !again {
			rewrite(t, p, text)
			mine[c.Name()] = [2][]byte{data, text}
		}
	}
	return mine
}

func twinned(p string) bool {
	var st unix.Stat_t
	_ = unix.Lstat(p, &st)
	return st.Nlink > 1
}

// rewrite writes into a file in place. Its mode stays: for whoever is not root, writing takes setuid away.
func rewrite(t *testing.T, p string, data []byte) {
	t.Helper()
	fi, err := os.Lstat(p)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(os.WriteFile(p, data, 0), os.Chmod(p, fi.Mode())); err != nil {
		t.Fatal(err)
	}
}

// A disk that was full, and a file system that was read-only, when something was to be taken back are no end of it.
func TestUndoGoesOnWhenThereIsRoom(t *testing.T) {
	d := opened(t)
	if !tiny(t, d.Path()) {
		t.Skip("needs a small file system of its own")
	}
	_ = d.Close()
	d, err := Open(d.Path(), inMemory())
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	big := strings.Repeat("precious\n", 40000)
	laid(t, d, map[string]string{"big": big})
	b := carriedOut(t, d, "rm big; echo 1 > new")
	fill := filepath.Join(d.Path(), "fill")
	if os.WriteFile(fill, make([]byte, 1<<21), 0o600) == nil {
		t.Fatal("the disk is not full")
	}
	if left := b.undo(false); len(left) == 0 {
		t.Fatal("nothing was left")
	}
	if turn, _ := b.s.LastChanges(false, nil); slices.ContainsFunc(turn.Changes, func(c nebula.Change) bool { return c.Path == "new" }) {
		t.Error("what was taken back is to be taken back again")
	}
	if err := os.Remove(fill); err != nil {
		t.Fatal(err)
	}
	if left := b.undo(false); len(left) > 0 || content(t, d, "big") != big {
		t.Errorf("left %v", left)
	}
}

// A name that cannot be made one of its file again is said, and is made when it can be.
func TestNameThatCannotBeMadeAgainIsSaid(t *testing.T) {
	d := opened(t)
	laid(t, d, map[string]string{"h1": "hard", "sub/a": "1"})
	sub := filepath.Join(d.Path(), "sub")
	if err := os.Link(filepath.Join(d.Path(), "h1"), filepath.Join(sub, "h2")); err != nil {
		t.Fatal(err)
	}
	b := carriedOut(t, d, "rm sub/h2")
	if unix.Mount(sub, sub, "", unix.MS_BIND, "") != nil {
		t.Skip("needs a mount of its own")
	}
	detach := func() { _ = unix.Unmount(sub, unix.MNT_DETACH) }
	t.Cleanup(detach)
	left := b.undo(false)
	if len(left) != 1 || left[0].Why != nebula.Apart || left[0].Path != "sub/h2" || left[0].Text == "" || content(t, d, "sub/h2") != "hard" {
		t.Errorf("left %+v", left)
	}
	detach()
	if left := b.undo(false); len(left) > 0 || !twinned(filepath.Join(sub, "h2")) {
		t.Errorf("left %+v", left)
	}
}

// What somebody else did already is not said to be the undo's work; a redo brings it back like the rest.
func TestWhatIsSoAlreadyIsSaid(t *testing.T) {
	d := opened(t)
	b := carriedOut(t, d, "echo 1 > gone; echo 1 > here")
	if err := os.Remove(filepath.Join(d.Path(), "gone")); err != nil {
		t.Fatal(err)
	}
	if left := b.undo(false); len(left) > 0 {
		t.Errorf("left %v", left)
	}
	for _, c := range b.s.Journal[0].Taken {
		if c.Already != (c.Path == "gone") {
			t.Errorf("%+v", c)
		}
	}
	if left := b.undo(true); len(left) > 0 || content(t, d, "gone") != "1\n" {
		t.Errorf("left %v", left)
	}
}
