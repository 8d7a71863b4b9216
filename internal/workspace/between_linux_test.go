package workspace

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"nebula"
)

// What somebody else wrote between two changes of a file is what undo takes it back to.
func TestWhatWasWrittenBetweenTwoChangesIsKept(t *testing.T) {
	d := opened(t)
	laid(t, d, map[string]string{"f": "one\ntwo\n"})
	write := func(text string) nebula.Change {
		c, err := d.Write(t.Context(), granting(t, d, "f"), "f", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	first := write("ONE\ntwo\n")
	laid(t, d, map[string]string{"f": "ONE\ntwo\nmine\n"})
	changes := []nebula.Change{first, write("ONE\nTWO\nmine\n")}
	made, left, err := d.Restore(t.Context(), restoring(t, changes), changes)
	if want := []nebula.Left{{Path: "f", Why: nebula.ChangedBetween}}; err != nil || !slices.Equal(left, want) || content(t, d, "f") != "ONE\ntwo\nmine\n" {
		t.Errorf("left %v, %v: %q", left, err, content(t, d, "f"))
	}
	if _, left, err := d.Restore(t.Context(), restoring(t, made), made); err != nil || len(left) > 0 || content(t, d, "f") != "ONE\nTWO\nmine\n" {
		t.Errorf("left %v, %v: %q", left, err, content(t, d, "f"))
	}
}

// persons are the files that somebody else writes.
var persons = []string{edited[0], edited[0], "src/f1.go", "lib/f5.go", "t1", ".env", "out/obj/o1", "gen/own", "out/own", "src/deep/own", "ro/i", "copy/f2.go", "none", "link"}

// Whatever commands and file tools do before and after it, what somebody else wrote is there after an undo, and what was
// taken back comes again.
func TestUndoNeverLosesWhatSomebodyElseWrote(t *testing.T) {
	scripts := often(8, 25, 1000)
	from, _ := strconv.ParseUint(os.Getenv("NEBULA_SEED"), 10, 64)
	for seed := from; seed < from+uint64(scripts); seed++ {
		r := rand.New(rand.NewPCG(seed, 13))
		var script []string
		for range 3 + r.IntN(4) {
			switch r.IntN(5) {
			case 0:
				script = append(script, "write "+edited[0])
			case 1, 2:
				script = append(script, "person "+persons[r.IntN(len(persons))])
			default:
				script = append(script, within(deeds[r.IntN(len(deeds))]))
			}
		}
		withSomebodyElse(t, fmt.Sprintf("seed %d %q", seed, script), script)
	}
}

func withSomebodyElse(t *testing.T, name string, script []string) {
	d, top := house(t)
	defer left(d)
	var changes []nebula.Change
	wrote := map[string]string{}
	for n, deed := range script {
		if p, is := strings.CutPrefix(deed, "person "); is {
			text := fmt.Sprint("mine ", n)
			if os.WriteFile(filepath.Join(top, p), []byte(text), 0o644) == nil {
				maps.DeleteFunc(wrote, func(o, _ string) bool { return sameFile(filepath.Join(top, o), filepath.Join(top, p)) })
				wrote[reached(t, top, p)] = text // where a link leads later is another matter
			}
			continue
		}
		changes = append(changes, carried(t, d, n, deed)...)
	}
	_ = os.Remove(filepath.Join(top, "pipe"))
	is := exactly(t, top)
	for round := range 3 {
		made, left, err := d.Restore(t.Context(), restoring(t, changes), changes)
		if err != nil {
			t.Fatalf("%s: round %d: %v", name, round, err)
		}
		if round == 1 {
			if lines := differs(is, exactly(t, top)); len(lines) > 0 || len(left) > 0 {
				t.Fatalf("%s: round %d: left %v:\n%s", name, round, left, strings.Join(lines[:min(len(lines), 20)], "\n"))
			}
		}
		for p, text := range wrote {
			if data, err := os.ReadFile(filepath.Join(top, p)); round != 1 && (err != nil || string(data) != text) {
				t.Fatalf("%s: round %d: %s is %q, %v, want %q; left %v", name, round, p, data, err, text, left)
			}
		}
		changes = made
	}
}

// reached is the file that a name leads to.
func reached(t *testing.T, top, p string) string {
	real, err := filepath.EvalSymlinks(filepath.Join(top, p))
	if err != nil {
		t.Fatal(err)
	}
	rel, err := filepath.Rel(top, real)
	if err != nil {
		t.Fatal(err)
	}
	return rel
}

func sameFile(a, b string) bool {
	x, err := os.Stat(a)
	y, failed := os.Stat(b)
	return err == nil && failed == nil && os.SameFile(x, y)
}

// carried does one thing of a script, and tells what it changed. A pipe is the one thing that may be lost.
func carried(t *testing.T, d *Dir, n int, deed string) (changes []nebula.Change) {
	t.Helper()
	tool, p, _ := strings.Cut(deed, " ")
	switch tool {
	case "write":
		if c, err := d.Write(t.Context(), granting(t, d, p), p, fmt.Append(nil, n)); err == nil {
			changes = append(changes, c)
		}
		return changes
	case "delete":
		if c, err := d.Delete(t.Context(), granting(t, d, p), p); err == nil {
			changes = append(changes, c)
		}
		return changes
	}
	s, err := d.Snapshot(t.Context(), "run")
	if err != nil {
		t.Fatal(err)
	}
	_, _ = sh(d.Path(), deed)
	changes, err = s.Changes(t.Context())
	if err != nil {
		t.Fatalf("%q: %v", deed, err)
	}
	if lost := s.Lost(); len(lost) > 0 && !slices.Equal(lost, []string{"pipe"}) {
		t.Fatalf("%q: lost %v", deed, lost)
	}
	return changes
}
