package task_test

import (
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"nebula"
	"nebula/internal/task"
)

// fifty is a plan of ten steps with five tasks each, none of which could happen twice without a trace, and the files
// that it leaves.
func fifty(o *office) (nebula.Plan, map[string]string) {
	var steps []nebula.PlanStep
	want := map[string]string{}
	for i := range 10 {
		id := fmt.Sprintf("s%d", i)
		var after []string
		if i >= 2 {
			after = []string{fmt.Sprintf("s%d", i-2)}
		}
		big := strings.Repeat(fmt.Sprintf("line of %s\n", id), 200)
		patch := do("patchFile", "path", id+"/n.txt")
		patch.Args = []byte(`{"path":"` + id + `/n.txt","edits":[{"old":"one\n","new":"one\none and one\n"}]}`)
		steps = append(steps, step(id, after,
			do("writeFile", "path", id+"/n.txt", "content", "one\n"),
			patch,
			do("createDirectory", "path", id+"/deep/er"),
			do("writeFile", "path", id+"/deep/big.txt", "content", big),
			do("deleteFile", "path", id+"-gone.txt")))
		o.put(id+"-gone.txt", "to be deleted\n")
		want[id+"/n.txt"], want[id+"/deep/big.txt"] = "one\none and one\n", big
		steps[i].Files = append(steps[i].Files, id+"-gone.txt")
		steps[i].Verify = nebula.Verify{Command: "grep -c and " + id + "/n.txt"}
	}
	return o.planned(steps...), want
}

func tree(t *testing.T, dir string) map[string]string {
	t.Helper()
	got := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.HasPrefix(d.Name(), ".nebula-tmp-") { // half a write, which the workspace sweeps later
			return err
		}
		data, err := os.ReadFile(path)
		rel, _ := filepath.Rel(dir, path)
		got[rel] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return got
}

const childHome, childDir = "NEBULA_TASK_HOME", "NEBULA_TASK_DIR"

// TestKilledChild is the process that is killed.
func TestKilledChild(t *testing.T) {
	if os.Getenv(childHome) == "" {
		t.Skip("it is run by TestKilledAnywhereEverythingHappensOnce")
	}
	o := newOffice(t)
	o.home, o.dir = os.Getenv(childHome), os.Getenv(childDir)
	o.answers = func(kind, text string) string {
		if kind == "fix" {
			_ = os.WriteFile(filepath.Join(o.home, "failed"), []byte(text), 0o600)
		}
		return ""
	}
	o.open()
	if p, err := o.store.Plan(t.Context(), o.dir, ""); err == nil && p.Status == nebula.Completed {
		return // killed after its last word
	}
	if e := o.run(task.Request{}); e.Status != nebula.TurnDone {
		_ = os.WriteFile(filepath.Join(o.home, "failed"), []byte(string(e.Status)+" "+e.Why), 0o600)
	}
}

func TestKilledAnywhereEverythingHappensOnce(t *testing.T) {
	kills := 30
	if os.Getenv("NEBULA_LONG") != "" {
		kills = 500
	}
	if testing.Short() {
		kills = 5
	}
	r := rand.New(rand.NewPCG(uint64(time.Now().UnixNano()), 1))
	killed, plans := 0, 0
	for killed < kills {
		plans++
		o := newOffice(t).open()
		_, want := fifty(o)
		home, dir := o.home, o.dir
		o.close()
		for done := false; !done; {
			cmd := exec.Command(os.Args[0], "-test.run=^TestKilledChild$")
			cmd.Env = append(os.Environ(), childHome+"="+home, childDir+"="+dir)
			var said strings.Builder
			cmd.Stdout = &said
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			ended := make(chan error, 1)
			go func() { ended <- cmd.Wait() }()
			var after <-chan time.Time
			if killed < kills {
				after = time.After(time.Duration(30+r.IntN(500)) * time.Millisecond)
			}
			select {
			case err := <-ended:
				if done = err == nil; !done {
					t.Fatalf("the process broke: %v\n%s", err, said.String())
				}
			case <-after:
				_ = cmd.Process.Kill()
				<-ended
				killed++
			}
			if why, err := os.ReadFile(filepath.Join(home, "failed")); err == nil {
				t.Fatalf("after %d kills: %s", killed, why)
			}
		}
		if got := tree(t, dir); !reflect.DeepEqual(got, want) {
			for path, text := range got {
				if want[path] != text {
					t.Errorf("after %d kills %s holds %.100q", killed, path, text)
				}
			}
			t.Fatalf("after %d kills there are %d files, want %d", killed, len(got), len(want))
		}
	}
	t.Logf("%d kills over %d plans", killed, plans)
}
