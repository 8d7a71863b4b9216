package workspace

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"nebula"
	"nebula/internal/nebulatest"
)

// undo takes changes back under a grant that shows what stands there now.
func undo(t testing.TB, d *Dir, changes []nebula.Change) ([]nebula.Change, error) {
	t.Helper()
	var paths []string
	for _, c := range changes {
		paths = append(paths, c.Path)
	}
	p := nebula.Proposal{Action: nebula.Action{ID: "undo"}, Effect: nebula.Write}
	for _, c := range paths {
		hash := ""
		if s, err := d.find(c, false); err == nil {
			if st, err := d.look(s); err == nil && len(s.rest) == 0 {
				hash = st.hash
			}
			s.close()
		}
		p.Targets = append(p.Targets, nebula.Target{Path: c, Hash: hash})
	}
	g := nebula.NewGrant("g", "test", p)
	if err := g.Open(p); err != nil {
		t.Fatal(err)
	}
	made, left, err := d.Restore(t.Context(), g, changes)
	if err == nil && len(left) > 0 {
		err = fmt.Errorf("left %v", left)
	}
	return made, err
}

// TestRestoreIsExact makes random changes, takes them back, brings them back and takes them back again.
func TestRestoreIsExact(t *testing.T) {
	for seed := range uint64(30) {
		r := rand.New(rand.NewPCG(seed, 9))
		d := opened(t)
		laid(t, d, map[string]string{"a": "a\n", "b": "b\n", "d/c": "c\n", "d/e/f": "f\n"})
		os.Chmod(filepath.Join(d.Path(), "a"), 0o755)
		os.Chmod(filepath.Join(d.Path(), "b"), 0o600)
		if runtime.GOOS != "windows" {
			os.Symlink("d/c", filepath.Join(d.Path(), "link"))
			os.Symlink("/nowhere", filepath.Join(d.Path(), "out"))
		}
		before := pictured(t, d.Path())
		var changes []nebula.Change
		paths := []string{"a", "b", "d", "d/c", "d/e", "d/e/f", "link", "out", "n", "n/m", "n/m/x", "q"}
		for range 25 {
			p := paths[r.IntN(len(paths))]
			g := granting(t, d, p)
			switch r.IntN(4) {
			case 0:
				if made, err := d.Mkdir(t.Context(), g, p); err == nil {
					changes = append(changes, made...)
				}
			case 1:
				if c, err := d.Delete(t.Context(), g, p); err == nil {
					changes = append(changes, c)
				}
			default:
				if c, err := d.Write(t.Context(), g, p, fmt.Appendf(nil, "%d\n", r.IntN(100))); err == nil {
					changes = append(changes, c)
				}
			}
		}
		after := pictured(t, d.Path())
		for round := range 4 {
			made, err := undo(t, d, changes)
			if err != nil {
				t.Fatalf("seed %d round %d: %v\n%v", seed, round, err, changes)
			}
			want := before
			if round%2 == 1 {
				want = after
			}
			if now := pictured(t, d.Path()); now != want {
				t.Fatalf("seed %d round %d:\n%s\nwant\n%s\n%v", seed, round, now, want, changes)
			}
			changes = made
		}
	}
}

func TestRestoreModesAndLinks(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no modes here")
	}
	d := opened(t)
	at := func(p string) string { return filepath.Join(d.Path(), p) }
	laid(t, d, map[string]string{"run.sh": "#!\n", "f": "text", "ro": "r", "dir/x": ""})
	os.Chmod(at("run.sh"), 0o755)
	os.Chmod(at("ro"), 0o444)
	before := pictured(t, d.Path())
	ctx := t.Context()
	var changes []nebula.Change
	// As a command would change them:
	changed := func(p string, do func()) {
		look := func() state {
			s, err := d.find(p, false)
			if err != nil {
				t.Fatal(err)
			}
			defer s.close()
			st, err := d.look(s)
			if err != nil {
				t.Fatal(err)
			}
			d.preserve(ctx, p, st)
			return st
		}
		was := look()
		do()
		changes = append(changes, change(p, was, look()))
	}
	changed("run.sh", func() { os.Chmod(at("run.sh"), 0o640) })
	changed("f", func() { os.Remove(at("f")); os.Symlink("run.sh", at("f")) })
	changed("ro", func() { os.Remove(at("ro")) })
	changed("new", func() { os.Symlink("nowhere", at("new")) })
	changed("dir", func() { os.Chmod(at("dir"), 0o700) })
	after := pictured(t, d.Path())
	made, err := undo(t, d, changes)
	if now := pictured(t, d.Path()); err != nil || now != before {
		t.Fatalf("%v\n%s\nwant\n%s", err, now, before)
	}
	if _, err := undo(t, d, made); err != nil || pictured(t, d.Path()) != after {
		t.Fatalf("%v\n%s\nwant\n%s", err, pictured(t, d.Path()), after)
	}
}

// One path that cannot be brought back is left and told; the others are brought back.
func TestOneObstacleDoesNotBlockTheRest(t *testing.T) {
	d := opened(t)
	laid(t, d, map[string]string{"a": "1", "b": "1", "c": "1", "e": "1"})
	var changes []nebula.Change
	for _, p := range []string{"a", "b", "c", "e"} {
		c, err := d.Write(t.Context(), granting(t, d, p), p, []byte("2"))
		if err != nil {
			t.Fatal(err)
		}
		changes = append(changes, c)
	}
	changes[2].Before = nebula.Hash([]byte("never kept"))
	lay(t, d, "a", "mine")
	lay(t, d, "e", "1") // as it was: done
	g := granting(t, d, "a", "b", "c", "e")
	made, left, err := d.Restore(t.Context(), g, changes)
	want := []nebula.Left{{Path: "a", Why: nebula.ChangedSince}, {Path: "c", Why: nebula.NeverKept}}
	if err != nil || len(made) != 2 || !slices.Equal(left, want) {
		t.Errorf("%v, left %v, %v", made, left, err)
	}
	if content(t, d, "a")+content(t, d, "b")+content(t, d, "c")+content(t, d, "e") != "mine121" {
		t.Error("not as it was left")
	}
	if _, _, err := d.Restore(t.Context(), granting(t, d, "b"), changes[:2]); !errors.Is(err, nebula.ErrNoGrant) {
		t.Error(err)
	}
	for _, p := range []string{"../x", "a/../b", "/etc/passwd", "x/", tempPrefix + "1"} {
		bad := nebula.Change{Path: p, Kind: "delete", Before: changes[1].Before, ModeBefore: 0o755}
		if _, err := undo(t, d, []nebula.Change{bad}); err == nil {
			t.Errorf("restored %s", p)
		}
	}
}

// failing is a record that stops working, as a full disk makes it.
type failing struct {
	contents
	left int
}

func (f *failing) Keep(ctx context.Context, data []byte) (string, error) {
	if f.left--; f.left < 0 {
		return "", errors.New("disk is full")
	}
	return f.contents.Keep(ctx, data)
}

// Where the record cannot take what stands there now, nothing is replaced.
func TestUndoThatCannotBeTakenBackChangesNothing(t *testing.T) {
	keep := &failing{contents{}, 100}
	d, err := Open(t.TempDir(), nebulatest.Shelf{Keeper: keep})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	laid(t, d, map[string]string{"a": "1", "b": "1", "c": "1"})
	var changes []nebula.Change
	for _, p := range []string{"a", "b", "c"} {
		c, _ := d.Write(t.Context(), granting(t, d, p), p, []byte("2"))
		changes = append(changes, c)
	}
	after := pictured(t, d.Path())
	keep.left = 1
	if made, err := undo(t, d, changes); err == nil || len(made) > 0 {
		t.Errorf("%v %v", made, err)
	}
	if now := pictured(t, d.Path()); now != after {
		t.Errorf("halfway:\n%s", now)
	}
}

func TestNothingChangesThatIsNotKept(t *testing.T) {
	d, err := Open(t.TempDir(), nebulatest.Shelf{Keeper: &failing{contents{}, 0}})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	laid(t, d, map[string]string{"a": "1"})
	if _, err := d.Write(t.Context(), granting(t, d, "a"), "a", []byte("2")); err == nil {
		t.Error("written")
	}
	if _, err := d.Delete(t.Context(), granting(t, d, "a"), "a"); err == nil {
		t.Error("deleted")
	}
	if content(t, d, "a") != "1" {
		t.Error("changed")
	}
}

func TestDirectoryWithMoreInItStays(t *testing.T) {
	d := opened(t)
	made, err := d.Mkdir(t.Context(), granting(t, d, "n/m"), "n/m")
	if err != nil || len(made) != 2 || made[0].Path != "n" || made[1].Path != "n/m" || made[0].Kind != "mkdir" {
		t.Fatalf("%+v %v", made, err)
	}
	lay(t, d, "n/mine", "")
	back, err := undo(t, d, made)
	if err != nil || len(back) != 1 || back[0].Path != "n/m" || back[0].Kind != "rmdir" {
		t.Errorf("%+v %v", back, err)
	}
}

func TestLastMomentChangeIsNotLost(t *testing.T) {
	d := opened(t)
	laid(t, d, map[string]string{"a": "shown"})
	s, err := d.find("a", true)
	if err != nil {
		t.Fatal(err)
	}
	defer s.close()
	was, _ := d.look(s)
	next := state{mode: was.mode, hash: nebula.Hash([]byte("new")), data: []byte("new")}
	for _, target := range []state{next, {}} {
		err = d.replace(s, was, target, func() error {
			lay(t, d, "a", "theirs")
			return nil
		})
		if !errors.Is(err, ErrStale) || content(t, d, "a") != "theirs" {
			t.Errorf("%v %q", err, content(t, d, "a"))
		}
		lay(t, d, "a", "shown")
	}
	if left := temps(d); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
}

func temps(d *Dir) (left []string) {
	filepath.WalkDir(d.Path(), func(p string, _ os.DirEntry, _ error) error {
		if strings.HasPrefix(path.Base(filepath.ToSlash(p)), tempPrefix) {
			left = append(left, p)
		}
		return nil
	})
	return left
}

func TestClosedGrantStopsAtTheLastMoment(t *testing.T) {
	d := opened(t)
	laid(t, d, map[string]string{"a": "1"})
	g := granting(t, d, "a")
	d.keep = nebulatest.Shelf{Keeper: &closing{contents{}, g}}
	if _, err := d.Write(t.Context(), g, "a", []byte("2")); !errors.Is(err, nebula.ErrNoGrant) || content(t, d, "a") != "1" {
		t.Errorf("%v", err)
	}
	if left := temps(d); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
}

// closing ends a grant while its change is under way.
type closing struct {
	contents
	grant *nebula.Grant
}

func (c *closing) Keep(ctx context.Context, data []byte) (string, error) {
	c.grant.Close()
	return c.contents.Keep(ctx, data)
}

func TestChangesSayWhatTheyAre(t *testing.T) {
	d := opened(t)
	laid(t, d, map[string]string{"a": "1", "e/x": ""})
	kinds := func(cs ...nebula.Change) (out []string) {
		for _, c := range cs {
			out = append(out, c.Kind+" "+c.Path)
		}
		return out
	}
	c1, _ := d.Write(t.Context(), granting(t, d, "a"), "a", []byte("2"))
	c2, _ := d.Delete(t.Context(), granting(t, d, "e/x"), "e/x")
	c3, _ := d.Delete(t.Context(), granting(t, d, "e"), "e")
	c4, _ := d.Write(t.Context(), granting(t, d, "new"), "new", nil)
	if got, want := kinds(c1, c2, c3, c4), []string{"edit a", "delete e/x", "rmdir e", "create new"}; !slices.Equal(got, want) {
		t.Errorf("%v", got)
	}
}
