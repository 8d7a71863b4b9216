package workspace

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"nebula"
	"nebula/internal/confine"
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
// names of a file changes the others too outside, and a folder is moved with its owners and twins.
func unlike(deed string) bool {
	for _, part := range []string{"urandom", "git ", "t1", "chmod", "chown", "gc", "mv src", "mv out"} {
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
	scripts := often(12, 200, 1000)
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

// A file that was given a further name on a view, and that nothing else is known of, is what it was when that is taken back.
func TestFurtherNameIsTakenBack(t *testing.T) {
	for _, line := range []string{"ln ro hard", "ln ro hard; chmod 600 ro", "ln ro hard; rm ro; echo own > ro"} {
		d, top := furnishedBox(t)
		was := exactly(t, top)
		made, _ := kept(t, tried(t, d, line))
		if _, left, err := d.Restore(t.Context(), restoring(t, made), made); err != nil || len(left) > 0 {
			t.Errorf("%q: %v %v", line, left, err)
		}
		compared(t, line, was, exactly(t, top))
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

// What somebody changed while the command ran is shown and stays, also when it is kept; so is what came since.
func TestNothingOfOthersIsOverwritten(t *testing.T) {
	d := boxed(t)
	top := d.Path()
	for _, name := range []string{"edited", "gone", "late", "dir/in", "own"} {
		_ = os.MkdirAll(filepath.Dir(filepath.Join(top, name)), 0o755)
		if err := os.WriteFile(filepath.Join(top, name), []byte("was\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	began := make(chan struct{}, 1)
	written := make(chan struct{})
	go func() {
		defer close(written)
		<-began
		_, _ = sh(top, "echo theirs > edited; echo theirs > gone; echo theirs > made; echo theirs > dir/new")
	}()
	e, err := d.Run(t.Context(), executing(t), Command{View: true,
		Line: "echo x; sleep 0.5; echo mine > edited; rm gone; echo mine > made; rm -r dir; echo mine > own; echo mine > late"},
		func([]byte) { began <- struct{}{} })
	if err != nil {
		t.Fatal(err)
	}
	<-written
	slices.Sort(e.Effects.Clashes)
	if !slices.Equal(e.Effects.Clashes, []string{"dir/new", "edited", "gone", "made"}) {
		t.Errorf("clashes: %v", e.Effects.Clashes)
	}
	_, _ = sh(top, "echo since > late")
	_, left := kept(t, e.Effects)
	if len(left) != 1 || left[0].Path != "late" {
		t.Errorf("left: %v", left)
	}
	for name, want := range map[string]string{"edited": "theirs\n", "gone": "theirs\n", "made": "theirs\n", "dir/new": "theirs\n", "own": "mine\n", "late": "since\n", "dir/in": ""} {
		if data, _ := os.ReadFile(filepath.Join(top, name)); string(data) != want {
			t.Errorf("%s is %q", name, data)
		}
	}
}

// A keep that is killed is finished by the next nebula, and what it changed is told.
func TestKilledAnywhereKeepGoesOn(t *testing.T) {
	if j, ok := given(t); ok {
		j.keep(t)
		return
	}
	t.Cleanup(orphansBuried)
	const line = "rm -rf out; mkdir new; for i in $(seq 1 150); do echo $i > new/$i; done; sed -i s/p/q/ src/*.go; ln new/1 twin"
	top := t.TempDir()
	furnished(t, top)
	one := boxedAt(t, top)
	was := exactly(t, top)
	want := ranPlainly(t, one, line)
	cut := 0 // kills that met a keep
	for n := 0; n < 60 && cut < 3; n++ {
		j := job{Top: top, Home: t.TempDir(), Command: line}
		j.killed(t, n*6)
		d := j.boxed(t)
		half := HalfKept(filepath.Join(j.Home, "layers"))
		if err := d.GoOn(t.Context()); err != nil {
			t.Fatal(err)
		}
		made, told := d.toldOf("kept")
		if half != (told && len(made) > 0) || HalfKept(filepath.Join(j.Home, "layers")) {
			t.Errorf("%d: half kept %v, and %d changes were gone on with", n, half, len(made))
		}
		switch is := timeless(exactly(t, top)); {
		case !told: // it was through
			if lines := differs(want, is); len(lines) > 0 {
				t.Errorf("%d: whole, but\n%s", n, strings.Join(lines[:min(len(lines), 9)], "\n"))
			}
		case len(made) == 0:
			compared(t, fmt.Sprint(n, " not begun"), was, exactly(t, top))
		default:
			cut++
			if lines := differs(want, is); len(lines) > 0 {
				t.Errorf("%d: went on, but\n%s", n, strings.Join(lines[:min(len(lines), 9)], "\n"))
			}
			if _, left, err := d.Restore(t.Context(), restoring(t, made), made); err != nil || len(left) > 0 {
				t.Errorf("%d: undo: %v %v", n, err, left)
			}
			compared(t, fmt.Sprint(n, " undone"), was, exactly(t, top))
		}
		d.Close()
		if !told || t.Failed() {
			break
		}
	}
	if cut == 0 {
		t.Error("no kill met a keep")
	}
}

func (j job) boxed(t *testing.T) *Dir {
	t.Helper()
	d := j.open(t)
	d.Guarded()
	if !d.Confine(confine.Place{Home: os.Getenv("HOME"), Environ: os.Getenv, Kept: filepath.Join(j.Home, "layers")}, confine.Probe) {
		t.Fatal("no box")
	}
	return d
}

// keep is a job that ends with a keep, in the process that is killed.
func (j job) keep(t *testing.T) {
	e, err := j.boxed(t).Run(t.Context(), executing(t), Command{Line: j.Command, View: true, ID: "kept"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	g := restoring(t, e.Effects.Changes)
	os.Stdout.WriteString(".")
	if _, _, _, err := e.Effects.Keep(t.Context(), g, nil); err != nil {
		t.Fatal(err)
	}
}

// BenchmarkView compares a command on a view with the same one in a box, in turn. It reports the medians.
func BenchmarkView(b *testing.B) {
	for _, files := range []int{100, 100_000} {
		b.Run(fmt.Sprint("files=", files), func(b *testing.B) {
			d := boxed(b)
			for i := range files {
				dir := filepath.Join(d.Path(), fmt.Sprint("d", i%100))
				_ = os.Mkdir(dir, 0o755)
				if err := os.WriteFile(filepath.Join(dir, fmt.Sprint(i)), []byte("x"), 0o644); err != nil {
					b.Fatal(err)
				}
			}
			run := func(view bool, line string) (Exit, time.Duration) {
				began := time.Now()
				e, err := d.Run(b.Context(), executing(b), Command{Line: line, View: view}, nil)
				if err != nil {
					b.Fatal(err)
				}
				return e, time.Since(began)
			}
			var plain, viewed []time.Duration
			for range max(b.N, 15) {
				_, took := run(false, ":")
				plain = append(plain, took)
				e, took := run(true, ":")
				e.Effects.Drop()
				viewed = append(viewed, took)
			}
			for _, all := range [][]time.Duration{plain, viewed} {
				slices.Sort(all)
			}
			ms := func(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
			b.ReportMetric(ms(plain[len(plain)/2]), "boxed-ms")
			b.ReportMetric(ms(viewed[len(viewed)/2]-plain[len(plain)/2]), "view-adds-ms")
		})
	}
}

// BenchmarkKeep tells how long it takes to keep new files of a command, in folders of a hundred.
func BenchmarkKeep(b *testing.B) {
	for _, files := range []int{1000, 50_000} {
		b.Run(fmt.Sprint("files=", files), func(b *testing.B) {
			d := boxed(b)
			for n := 0; b.Loop(); n++ {
				b.StopTimer()
				line := fmt.Sprintf("for d in $(seq 1 %d); do mkdir -p n%d/$d; for i in $(seq 1 100); do echo $i > n%d/$d/$i; done; done", files/100, n, n)
				e, err := d.Run(b.Context(), executing(b), Command{Line: line, View: true, Timeout: time.Hour}, nil)
				if err != nil {
					b.Fatal(err)
				}
				g := restoring(b, e.Effects.Changes)
				b.StartTimer()
				if _, left, _, err := e.Effects.Keep(b.Context(), g, nil); err != nil || len(left) > 0 {
					b.Fatal(err, left)
				}
			}
		})
	}
}

// What could not be written down whole does not stand where it would be gone on with.
func TestHalfAKeepsakeIsNone(t *testing.T) {
	v := &viewed{at: t.TempDir()}
	if err := os.Symlink("/dev/full", filepath.Join(v.at, viewJournal+".new")); err != nil {
		t.Fatal(err)
	}
	if err := v.journal(keepsake{Command: "c"}); err == nil {
		t.Error("a full disk is no error")
	}
	if _, err := os.Lstat(filepath.Join(v.at, viewJournal)); err == nil {
		t.Error("what was cut off stands in its place")
	}
}

// Whether there are views is tried once where nothing changes, and again where what it depends on has.
func TestWhetherThereAreViewsIsRemembered(t *testing.T) {
	d, _ := furnishedBox(t)
	path := filepath.Join(filepath.Dir(d.boxes.place.Kept), expected)
	if !d.expectView() {
		t.Fatal("no view is expected")
	}
	remembered, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	d.boxes.viewable = func() error { t.Error("it is tried again"); return nil }
	if !d.expectView() {
		t.Error("what was found is forgotten")
	}
	d.boxes.viewable = func() error { return errors.New("none") }
	if err := os.WriteFile(path, append([]byte("another"), remembered...), 0o600); err != nil {
		t.Fatal(err)
	}
	for range expectedAtMost + 2 {
		if d.expectView() {
			t.Error("what another system gave is expected")
		}
	}
	if at := mounted("1 0 8:1 / / rw\n2 1 8:2 / /home rw\n3 1 8:3 / /ho rw\n", "/home/me/shop"); at != "/home" {
		t.Error(at)
	}
	if at := mounted("1 0 8:1 / / rw\n2 1 8:2 / /home rw\n", "/homes"); at != "/" {
		t.Error(at)
	}
}

// A grant for some of what a command did keeps that and nothing else.
func TestSomeOfWhatWasTriedIsKept(t *testing.T) {
	d := boxed(t)
	e := tried(t, d, "mkdir -p x; echo 1 > x/a; echo 2 > x/b; echo 3 > c")
	p := nebula.Proposal{Action: nebula.Action{ID: "keep"}, Effect: nebula.Write}
	for _, target := range e.Grants() {
		if target.Path == "x" || target.Path == "x/a" {
			p.Targets = append(p.Targets, target)
		}
	}
	g := nebula.NewGrant("g", nebula.Person, p)
	if err := g.Open(p); err != nil {
		t.Fatal(err)
	}
	made, _, _, err := e.Keep(t.Context(), g, func(c nebula.Change) bool { _, ok := g.Covers(c.Name()); return ok })
	if err != nil || len(made) != 2 {
		t.Errorf("%v %v", made, err)
	}
	for path, stays := range map[string]bool{"x/a": true, "x/b": false, "c": false} {
		if _, err := os.Stat(filepath.Join(d.Path(), path)); (err == nil) != stays {
			t.Errorf("%s: %v", path, err)
		}
	}
}

// What a command on a view does is told of the folder that it saw, not of one that was made in its place meanwhile.
func TestViewOfAFolderThatIsGoneKeepsNothing(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "f")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	d := boxedAt(t, dir)
	laid(t, d, map[string]string{"a": "1"})
	again := func([]byte) {
		if err := errors.Join(os.Rename(dir, dir+"-old"), os.Mkdir(dir, 0o755), os.WriteFile(filepath.Join(dir, "a"), []byte("1"), 0o600)); err != nil {
			t.Error(err)
		}
	}
	e, err := d.Run(t.Context(), executing(t), Command{Line: "rm a; echo gone", View: true}, again)
	if err == nil || !strings.Contains(err.Error(), "made again") || e.Effects != nil {
		t.Errorf("%+v %v", e.Effects, err)
	}
	if _, err := d.Run(t.Context(), executing(t), Command{Line: "rm a", View: true}, nil); err == nil || !strings.Contains(err.Error(), "made again") {
		t.Errorf("the next: %v", err)
	}
}
