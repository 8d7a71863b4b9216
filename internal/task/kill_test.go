package task_test

import (
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"nebula"
	"nebula/internal/task"
)

// fifty is a plan of ten steps with five tasks each, none of which could happen twice without a trace.
func fifty(o *office) nebula.Plan {
	var steps []nebula.PlanStep
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
		steps[i].Files = append(steps[i].Files, id+"-gone.txt")
		steps[i].Verify = nebula.Verify{Command: "grep -c and " + id + "/n.txt"}
	}
	return o.planned(steps...)
}

// pictured is everything in a folder: names, modes and contents.
func pictured(t *testing.T, dir string) string {
	t.Helper()
	var b strings.Builder
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(dir, path)
		fmt.Fprintf(&b, "%s %s", info.Mode(), rel)
		if info.Mode().IsRegular() {
			data, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			fmt.Fprintf(&b, " %s", nebula.Hash(data))
		}
		b.WriteByte('\n')
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

const childHome, childDir = "NEBULA_TASK_HOME", "NEBULA_TASK_DIR"

// TestKilledChild is the process that is killed.
func TestKilledChild(t *testing.T) {
	o := newOffice(t).inherited("TestKilledAnywhereEverythingHappensOnce")
	o.answers = func(kind, text string) string {
		if kind == "fix" {
			_ = os.WriteFile(filepath.Join(o.home, "failed"), []byte(text), 0o600)
		}
		return ""
	}
	o.open().goesOn()
}

// inherited is an office with the home and the folder of the test that runs this one as a process of its own.
func (o *office) inherited(by string) *office {
	o.t.Helper()
	if os.Getenv(childHome) == "" {
		o.t.Skip("it is run by " + by)
	}
	o.home, o.dir = os.Getenv(childHome), os.Getenv(childDir)
	return o
}

// goesOn carries the plan out, unless a process before it was killed after its last word.
func (o *office) goesOn() {
	if p, err := o.store.Plan(o.t.Context(), o.dir, ""); err == nil && p.Status == nebula.Completed {
		return
	}
	if e := o.run(task.Request{}); e.Status != nebula.TurnDone {
		_ = os.WriteFile(filepath.Join(o.home, "failed"), []byte(string(e.Status)+" "+string(e.Why)), 0o600)
	}
}

func TestKilledAnywhereEverythingHappensOnce(t *testing.T) {
	kills := 60
	switch {
	case os.Getenv("NEBULA_LONG") != "":
		kills = 500
	case testing.Short():
		kills = 10
	}
	o := newOffice(t).open()
	fifty(o)
	if e := o.run(task.Request{}); e.Status != nebula.TurnDone {
		t.Fatalf("undisturbed: %s %q", e.Status, e.Why)
	}
	want := pictured(t, o.dir)
	o.close()
	var killed, plans atomic.Int32
	t.Run("side by side", func(t *testing.T) {
		for n := range 2 {
			t.Run(fmt.Sprint(n), func(t *testing.T) {
				t.Parallel()
				r := rand.New(rand.NewPCG(uint64(time.Now().UnixNano()), uint64(n)))
				for int(killed.Load()) < kills && !t.Failed() {
					plans.Add(1)
					killedOnTheWay(t, r, kills, &killed, want)
				}
			})
		}
	})
	t.Logf("%d kills over %d plans", killed.Load(), plans.Load())
}

// killedOnTheWay carries one plan out in processes that are killed at any moment, until one comes to the end.
func killedOnTheWay(t *testing.T, r *rand.Rand, kills int, killed *atomic.Int32, want string) {
	o := newOffice(t).open()
	fifty(o)
	o.close()
	mine := 0
	for done := false; !done; {
		most := 100 + 20*mine // a slow machine comes to an end, too
		if int(killed.Load()) >= kills {
			most = int(time.Minute / time.Millisecond)
		}
		if done = o.ends(t, "TestKilledChild", time.Duration(5+r.IntN(most))*time.Millisecond); !done {
			mine++
			killed.Add(1)
		}
	}
	o.open()
	if got := pictured(t, o.dir); got != want {
		t.Fatalf("after %d kills there is\n%s\nand should be\n%s", mine, got, want)
	}
	everyReport(t, o)
}

// child is a test as another process, which inherits the office. What it leaves in its temporary folder when it is killed goes with this test.
func (o *office) child(t *testing.T, name string) *exec.Cmd {
	t.Helper()
	temp, err := os.MkdirTemp("", "nebula-task-*")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(temp) })
	cmd := exec.Command(os.Args[0], "-test.run=^"+name+"$")
	cmd.Env = append(os.Environ(), "TMPDIR="+temp, childHome+"="+o.home, childDir+"="+o.dir)
	return cmd
}

// ends reports whether a child came to its end before it was killed. What it found wrong it writes into its home.
func (o *office) ends(t *testing.T, test string, kill time.Duration) bool {
	t.Helper()
	cmd := o.child(t, test)
	var said strings.Builder
	cmd.Stdout = &said
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	at := time.AfterFunc(kill, func() { _ = cmd.Process.Kill() })
	err := cmd.Wait()
	at.Stop()
	if err != nil && cmd.ProcessState.ExitCode() != -1 {
		t.Fatalf("the process broke: %v\n%s", err, said.String())
	}
	if why, err := os.ReadFile(filepath.Join(o.home, "failed")); err == nil {
		t.Fatalf("%s", why)
	}
	return err == nil
}

// everyReport looks at what the record says of a plan that came to its end: each task succeeded once, each step has its
// evidence and its report.
func everyReport(t *testing.T, o *office) {
	t.Helper()
	defer o.close()
	p, err := o.store.Plan(t.Context(), o.dir, "")
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range p.Steps {
		if s.Status != nebula.Completed || s.Evidence == nil || s.Report == nil || s.Report.Succeeded != len(s.Tasks) {
			t.Errorf("step %s is %s, with %+v and %+v", s.ID, s.Status, s.Evidence, s.Report)
		}
		done := map[string]int{}
		calls := map[string]string{}
		for e, err := range o.store.Load(t.Context(), s.Session) {
			if err != nil {
				t.Fatal(err)
			}
			switch b := e.Body.(type) {
			case nebula.Replied:
				for _, a := range b.Intent.Actions {
					calls[a.ID] = a.Call
				}
			case nebula.Finished:
				if b.Result.Status == nebula.Done {
					done[calls[b.Result.Action]]++
				}
			}
		}
		for _, task := range s.Tasks {
			if done[task.ID] != 1 {
				t.Errorf("task %s was done %d times", task.ID, done[task.ID])
			}
		}
	}
}
