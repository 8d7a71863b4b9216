package workspace

import (
	"encoding/json"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"nebula"
	"nebula/internal/nebulatest"
)

const jobEnv = "NEBULA_TEST_JOB"

// A job is what the process does that is killed; it is handed to the test that kills it.
type job struct{ Do, Top, Home, Command, Changes string }

// TestKilledAnywhereUndoGoesOn kills nebula while a command runs and while it is taken back: afterwards everything is as it
// was.
func TestKilledAnywhereUndoGoesOn(t *testing.T) {
	if j, ok := given(t); ok {
		j.work(t)
		return
	}
	kills := often(10, 30, 300)
	hit := map[string]int{}
	for n := range kills {
		r := rand.New(rand.NewPCG(uint64(n), 5))
		j := job{Do: "command", Top: t.TempDir(), Home: t.TempDir(), Command: within(deeds[r.IntN(len(deeds))]) + "; sleep 0.05; " + within(deeds[r.IntN(len(deeds))])}
		furnished(t, j.Top)
		was := exactly(t, j.Top)
		j.killed(t, 10+r.IntN(150))
		d := j.open(t)
		changes, lost, known := d.Left(t.Context(), "command", nil)
		d.Close()
		if len(lost) > 0 && !slices.Equal(lost, []string{"pipe"}) {
			t.Fatalf("%q: lost %v", j.Command, lost)
		}
		_ = os.Remove(filepath.Join(j.Top, "pipe"))
		if known {
			hit["command"]++
			data, _ := json.Marshal(changes)
			j.Do, j.Changes = "undo", filepath.Join(j.Home, "changes")
			if err := os.WriteFile(j.Changes, data, 0o600); err != nil {
				t.Fatal(err)
			}
			if j.killed(t, r.IntN(25)) {
				hit["undo"]++
			}
			d = j.open(t)
			_, left, err := d.Restore(t.Context(), restoring(t, changes), changes)
			d.Close()
			if err != nil || len(left) > 0 {
				t.Fatalf("%q: %v, left %v", j.Command, err, left)
			}
		}
		if lines := differs(was, exactly(t, j.Top)); len(lines) > 0 {
			t.Fatalf("%d %q, known %v:\n%s", n, j.Command, known, strings.Join(lines[:min(len(lines), 20)], "\n"))
		}
		_, _ = sh(j.Top, "chmod -R u+rwx .; rm -rf ./* .git")
	}
	t.Log(hit)
	if hit["command"] == 0 || hit["undo"] == 0 {
		t.Errorf("no kill met what it was to meet: %v", hit)
	}
}

func (j job) open(t *testing.T) *Dir {
	t.Helper()
	d, err := Open(j.Top, nebulatest.Shelf{Keeper: shelf(j.Home)})
	if err != nil {
		t.Fatal(err)
	}
	d.Cover(j.Home, DefaultBudget)
	if err := d.Share(filepath.Join(j.Home, "writing")); err != nil {
		t.Fatal(err)
	}
	return d
}

// given is the job of this process, if it is one that is killed.
func given(t *testing.T) (j job, ok bool) {
	t.Helper()
	text := os.Getenv(jobEnv)
	if text == "" {
		return j, false
	}
	if err := json.Unmarshal([]byte(text), &j); err != nil {
		t.Fatal(err)
	}
	return j, true
}

// killed has another process do the job, in this same test, and kills it, and its commands, after some milliseconds from its
// first sign of life.
func (j job) killed(t *testing.T, after int) (cut bool) {
	t.Helper()
	text, _ := json.Marshal(j)
	cmd := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$")
	cmd.Env = append(os.Environ(), jobEnv+"="+string(text))
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	_, _ = out.Read(make([]byte, 1))
	time.Sleep(time.Duration(after) * time.Millisecond)
	_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
	return cmd.Wait() != nil
}

// work does a job, in the process that is killed.
func (j job) work(t *testing.T) {
	d := j.open(t)
	os.Stdout.WriteString(".")
	if j.Do == "command" {
		if _, err := d.Snapshot(t.Context(), "command"); err != nil {
			t.Fatal(err)
		}
		d.Guarded() // it says when the last of the command was gone
		_, _ = d.Run(t.Context(), executing(t), Command{Line: j.Command, ID: "command"}, nil)
		time.Sleep(time.Minute)
	}
	data, err := os.ReadFile(j.Changes)
	var changes []nebula.Change
	if err == nil {
		err = json.Unmarshal(data, &changes)
	}
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := d.Restore(t.Context(), restoring(t, changes), changes); err != nil {
		t.Fatal(err)
	}
}

// linked are commands that make files names of one another, and take them apart.
var linked = []string{"chmod go-r ro; ln ro hard", "mv src lib", "rm t2", "rm -f t1 src/t3", "chmod 600 t1", "ln -f t1 ro; rm t1; ln ro t1", "rm t1; cp -p t2 t1", "rm src/t3; echo own > src/t3", "mv t1 t0; ln t0 t1", "mkdir n; for i in $(seq 1 30); do ln t1 n/$i; done", "mkdir n; cp t1 n/0; for i in $(seq 1 30); do ln n/0 n/$i; done", "echo more >> t1", "rm -rf src", "ln large l2; ln large l3"}

// TestKilledAnywhereRedoGoesOn kills nebula while a script is taken back, and while it is brought back: afterwards everything is as the script
// left it, hard links among it.
func TestKilledAnywhereRedoGoesOn(t *testing.T) {
	if j, ok := given(t); ok {
		j.work(t)
		return
	}
	hit := 0
	from, _ := strconv.ParseUint(os.Getenv("NEBULA_SEED"), 10, 64) // to begin where one failed
	for seed := from; seed < from+uint64(often(8, 30, 300)); seed++ {
		r := rand.New(rand.NewPCG(seed, 7))
		j := job{Do: "undo", Top: t.TempDir(), Home: t.TempDir()}
		furnished(t, j.Top)
		was := exactly(t, j.Top)
		d := j.open(t)
		var changes []nebula.Change
		var script []string
		for n := range 1 + r.IntN(3) {
			deed := linked[r.IntN(len(linked))]
			if r.IntN(3) == 0 {
				deed = within(deeds[r.IntN(len(deeds))])
			}
			script = append(script, deed)
			changes = append(changes, carried(t, d, n, deed)...)
		}
		d.Close()
		_ = os.Remove(filepath.Join(j.Top, "pipe"))
		is := exactly(t, j.Top)
		for round := range 3 {
			data, _ := json.Marshal(changes)
			j.Changes = filepath.Join(j.Home, "changes")
			if err := os.WriteFile(j.Changes, data, 0o600); err != nil {
				t.Fatal(err)
			}
			for range rand.IntN(3) {
				if j.killed(t, rand.IntN(12)) {
					hit++
				}
			}
			d = j.open(t)
			made, left, err := d.Restore(t.Context(), restoring(t, changes), changes)
			d.Close()
			if err != nil || len(left) > 0 {
				t.Fatalf("seed %d %q: round %d: %v, left %v", seed, script, round, err, left)
			}
			if lines := differs([]map[string]string{was, is, was}[round], exactly(t, j.Top)); len(lines) > 0 {
				t.Fatalf("seed %d %q: round %d:\n%s", seed, script, round, strings.Join(lines[:min(len(lines), 20)], "\n"))
			}
			changes = made
		}
		_, _ = sh(j.Top, "chmod -R u+rwx .; rm -rf ./* .git")
	}
	if hit == 0 {
		t.Error("no kill met an undo")
	}
}
