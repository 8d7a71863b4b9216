package workspace

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"nebula"
)

// times are what two runs of a command do not have in common: when a file was written.
var times = regexp.MustCompile(` \d{4}-\d{2}-\d{2}T[0-9:.]+(Z|[+-][0-9:]+)`)

func timeless(all map[string]string) map[string]string {
	for p, text := range all {
		all[p] = times.ReplaceAllString(text, "")
		if strings.HasPrefix(p, ".git/") {
			delete(all, p) // what git writes has its time in it
		}
	}
	return all
}

// unlike are deeds whose outcome is another each time, and those that a view tells apart: what changes one of several
// names of a file changes the others too outside.
func unlike(deed string) bool {
	for _, part := range []string{"urandom", "git ", "t1", "chmod", "chown", "gc"} {
		if strings.Contains(deed, part) {
			return true
		}
	}
	return false
}

// furnishedBox is a furnished folder whose commands are confined.
func furnishedBox(t *testing.T) (*Dir, string) {
	t.Helper()
	top := t.TempDir()
	furnished(t, top)
	return boxedAt(t, top), top
}

func tried(t *testing.T, d *Dir, line string) *Effects {
	t.Helper()
	e, err := d.Run(t.Context(), executing(t), Command{Line: line, View: true}, nil)
	if err != nil {
		t.Fatalf("%s: %v", line, err)
	}
	if e.Effects == nil {
		t.Fatalf("%s: no effects", line)
	}
	return e.Effects
}

func kept(t *testing.T, e *Effects) ([]nebula.Change, []nebula.Left) {
	t.Helper()
	made, left, _, err := e.Keep(t.Context(), restoring(t, e.Changes), nil)
	if err != nil {
		t.Fatal(err)
	}
	return made, left
}

// What was tried and dropped never was; what was tried and kept is as if it had been run; and undo takes all of it back.
func TestTriedIsDroppedOrKept(t *testing.T) {
	scripts := 12
	switch {
	case os.Getenv("NEBULA_LONG") != "":
		scripts = 1000
	case os.Getenv("CI") != "":
		scripts = 200
	}
	from, _ := strconv.ParseUint(os.Getenv("NEBULA_SEED"), 10, 64)
	d, top := furnishedBox(t)
	was := exactly(t, top)
	for seed := from; seed < from+uint64(scripts); seed++ {
		r := rand.New(rand.NewPCG(seed, 16))
		var script []string
		same := true
		for range 1 + r.IntN(4) {
			deed := within(deeds[r.IntN(len(deeds))])
			script, same = append(script, deed), same && !unlike(deed)
		}
		line := "exec 2>/dev/null; " + strings.Join(script, "\n")
		tried(t, d, line).Drop()
		compared(t, fmt.Sprint(seed, " dropped ", script), was, exactly(t, top))
		var plain map[string]string
		if same {
			plain = ranPlainly(t, d, line)
			compared(t, fmt.Sprint(seed, " taken back ", script), was, exactly(t, top))
		}
		e := tried(t, d, line)
		made, left := kept(t, e)
		if len(left) > 0 || len(e.Clashes) > 0 {
			t.Errorf("%d %q: left %v, clashes %v", seed, script, left, e.Clashes)
		}
		if same {
			compared(t, fmt.Sprint(seed, " kept ", script), plain, timeless(exactly(t, top)))
		}
		if _, left, err := d.Restore(t.Context(), restoring(t, made), made); err != nil || len(left) > 0 {
			t.Errorf("%d %q: undo: %v %v", seed, script, err, left)
		}
		compared(t, fmt.Sprint(seed, " undone ", script), was, exactly(t, top))
		if t.Failed() {
			return
		}
	}
	if left := temps(d); len(left) > 0 {
		t.Errorf("left %v", left)
	}
	if views, _ := os.ReadDir(filepath.Join(d.boxes.place.Kept, viewsDir)); len(views) > 0 {
		t.Errorf("views are left: %v", views)
	}
}

func compared(t *testing.T, name string, was, is map[string]string) {
	t.Helper()
	if lines := differs(was, is); len(lines) > 0 {
		t.Errorf("%s:\n%s", name, strings.Join(lines[:min(len(lines), 20)], "\n"))
	}
}

// ranPlainly runs a script on the folder itself, and takes it back.
func ranPlainly(t *testing.T, d *Dir, line string) map[string]string {
	t.Helper()
	s, err := d.Snapshot(t.Context(), "plain")
	if err != nil {
		t.Fatal(err)
	}
	e, err := d.Run(t.Context(), executing(t), Command{Line: line}, nil)
	if err != nil {
		t.Fatal(err)
	}
	s.Except(e.Untouched...)
	_ = os.Remove(filepath.Join(d.Path(), "pipe")) // which a view does not keep
	is := timeless(exactly(t, d.Path()))
	changes, err := s.Changes(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, left, err := d.Restore(t.Context(), restoring(t, changes), changes); err != nil || len(left) > 0 {
		t.Fatalf("%q: %v %v", line, err, left)
	}
	return is
}
