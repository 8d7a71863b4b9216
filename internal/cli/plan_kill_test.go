//go:build unix

package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"nebula"
	"nebula/internal/lists"
	"nebula/internal/nebulatest"
	"nebula/internal/sqlite"
)

// planDeeds is what the agent of a step does, one action a reply: each way in which a plan changes files, some of them files
// that the step before changed, too.
func planDeeds(step int) []nebulatest.ToolCall {
	call := func(name, args string, a ...any) nebulatest.ToolCall {
		return nebulatest.ToolCall{Name: name, Arguments: []byte(fmt.Sprintf(args, a...))}
	}
	return []nebulatest.ToolCall{
		call("patchFile", `{"path":"shared.txt","edits":[{"old":"end\n","new":"step %d\nend\n"}],"reason":"to say so"}`, step),
		call("writeFile", `{"path":"made/%d.txt","content":"%s","reason":"to make it"}`, step, strings.Repeat("made\\n", 100*step)),
		call("executeShell", `{"command":"echo %d >> shared.txt; mkdir -p dir%d/deep; echo new > dir%d/deep/new; mv move%d.txt dir%d/moved.txt; rm -r gone%d; sleep 0.02","reason":"to change it"}`, step, step, step, step, step, step),
		call("deleteFile", `{"path":"old%d.txt","reason":"nobody needs it"}`, step),
		call("patchFile", `{"path":"shared.txt","edits":[{"old":"step %d\n","new":"step %d, once more\n"}],"reason":"to say so"}`, step, step),
	}
}

const planSteps = 3

// planned is a folder with a plan whose steps do these things one after another.
func (b *bed) planned() {
	t := b.t
	t.Helper()
	b.put("shared.txt", "begin\nend\n")
	var steps []nebula.PlanStep
	for n := 1; n <= planSteps; n++ {
		b.put(fmt.Sprintf("move%d.txt", n), "to be moved\n")
		b.put(fmt.Sprintf("old%d.txt", n), "to be deleted\n")
		b.put(fmt.Sprintf("gone%d/a", n), "a\n")
		b.put(fmt.Sprintf("gone%d/b/c", n), "c\n")
		s := nebula.PlanStep{ID: fmt.Sprintf("step_%03d", n), Name: fmt.Sprint("step ", n), Status: nebula.Pending, DependsOn: []string{}, Files: []string{"."}, Verify: nebula.Verify{Command: fmt.Sprintf("grep -q 'step %d, once' shared.txt", n)}}
		if n > 1 {
			s.DependsOn = []string{steps[n-2].ID}
		}
		steps = append(steps, s)
	}
	dir, err := filepath.EvalSymlinks(b.folder)
	if err != nil {
		t.Fatal(err)
	}
	store, err := sqlite.Open(t.Context(), filepath.Join(b.home, "nebula.db"), sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	p := nebula.Plan{ID: "plan_1", Name: "the plan", Goal: "g", Status: nebula.Approved, Approved: nebula.Person, Steps: steps, Version: 1, Made: time.Now(), Changed: time.Now()}
	if err := store.SavePlan(t.Context(), dir, p); err != nil {
		t.Fatal(err)
	}
}

// worksOn answers a step's agent: with the next of its deeds that the folder does not show yet.
func (b *bed) worksOn(_ int, body []byte) *nebulatest.Answer {
	_, told, _ := strings.Cut(string(body), "### The step\\n")
	var step int
	if _, err := fmt.Sscanf(told, "step_%03d", &step); err != nil {
		return &nebulatest.Answer{Text: "I wait."}
	}
	done := []bool{
		b.has("shared.txt", fmt.Sprintf("step %d", step)), b.has(fmt.Sprintf("made/%d.txt", step), ""), b.has("shared.txt", fmt.Sprintf("\n%d\n", step)),
		!b.has(fmt.Sprintf("old%d.txt", step), ""), b.has("shared.txt", fmt.Sprintf("step %d, once more", step)),
	}
	for n, one := range planDeeds(step) {
		if !done[n] {
			return &nebulatest.Answer{Calls: []nebulatest.ToolCall{one}}
		}
	}
	return &nebulatest.Answer{Text: "The step is done."}
}

// A plan that was killed at any moment, and goes on, is one run: its summary names all that was changed, one undo takes all of it
// back, and one redo brings it back.
func TestKilledPlanIsTakenBackWhole(t *testing.T) {
	kills := int32(20)
	switch {
	case os.Getenv("NEBULA_LONG") != "":
		kills = 400
	case testing.Short():
		kills = 4
	}
	var killed, plans atomic.Int32
	t.Run("side by side", func(t *testing.T) {
		for n := range 2 {
			t.Run(fmt.Sprint(n), func(t *testing.T) {
				t.Parallel()
				for killed.Load() < kills && !t.Failed() {
					plans.Add(1)
					killedAndTakenBack(t, &killed, []string{"NEBULA_SANDBOX=off", "NEBULA_SANDBOX="}[n])
				}
			})
		}
	})
	t.Logf("%d kills over %d plans", killed.Load(), plans.Load())
}

func killedAndTakenBack(t *testing.T, killed *atomic.Int32, env string) {
	b := newBed(t)
	b.server.Answers = b.worksOn
	b.planned()
	before := b.files()
	run := func(after time.Duration) (out string, done bool) {
		c := b.command("plan", "run", "plan_1", "--approve", "all", "--cut-off", "again", "--output", "json")
		c.Env = append(c.Env, env)
		var said bytes.Buffer
		c.Stdout = &said
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		at := time.AfterFunc(after, func() { _ = c.Process.Kill() })
		_ = c.Wait() // how it ended is read from its state
		at.Stop()
		return said.String(), c.ProcessState.ExitCode() >= 0
	}
	out, mine := "", 0
	for done := false; !done; mine++ {
		if out, done = run(time.Duration(30+rand.IntN(300+100*mine)) * time.Millisecond); !done {
			killed.Add(1)
		}
	}
	after := b.files()
	var said struct {
		Changed []string `json:"changed_files"`
	}
	if err := json.Unmarshal([]byte(out), &said); out != "" && err != nil { // a process before may have been killed after its last word
		t.Fatalf("%v: %s", err, out)
	}
	for n := 1; out != "" && n <= planSteps; n++ {
		for _, path := range []string{"shared.txt", fmt.Sprintf("made/%d.txt", n), fmt.Sprintf("old%d.txt", n), fmt.Sprintf("dir%d/moved.txt", n)} {
			if !lists.Has(said.Changed, path) {
				t.Errorf("%s is not among what was changed: %q", path, said.Changed)
			}
		}
	}
	for _, step := range []struct {
		flag, want string
		idle       bool // nothing is left to do
	}{{"--redo=false", before, false}, {"--redo=false", before, true}, {"--redo", after, false}, {"--redo", after, true}, {"--redo=false", before, false}} {
		c := b.command("undo", step.flag)
		c.Env = append(c.Env, env)
		if text, err := c.CombinedOutput(); (err != nil) != step.idle || b.files() != step.want {
			t.Fatalf("after %d kills, undo %s: %v\n%s\nthere is\n%s\nand should be\n%s", mine-1, step.flag, err, text, b.files(), step.want)
		}
	}
}

// What the person wrote between the two runs stays, and is said; all else of the plan is taken back.
func TestWhatThePersonWroteBetweenTheRunsStays(t *testing.T) {
	b := newBed(t)
	b.planned()
	before := b.files()
	made := filepath.Join(b.folder, "made", "2.txt")
	halted := make(chan struct{})
	var once sync.Once
	b.server.Answers = func(n int, body []byte) *nebulatest.Answer {
		if _, err := os.Stat(made); err == nil && !b.has("mine.txt", "") {
			once.Do(func() { close(halted) })
			return &nebulatest.Answer{Hang: true}
		}
		return b.worksOn(n, body)
	}
	c := b.command("plan", "run", "plan_1", "--approve", "all")
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	<-halted
	_ = c.Process.Kill()
	_ = c.Wait()
	b.put("mine.txt", "the person's\n")
	text, err := os.ReadFile(filepath.Join(b.folder, "shared.txt"))
	if err != nil {
		t.Fatal(err)
	}
	between := "the person's\n" + string(text)
	b.put("shared.txt", between)
	b.output("plan", "run", "plan_1", "--approve", "all")
	c = b.command("undo")
	said, err := c.CombinedOutput()
	if err == nil || !strings.Contains(string(said), "shared.txt was taken back only to what somebody else wrote in it") || strings.Count(string(said), "nebula: ") != 2 {
		t.Errorf("%v: %s", err, said)
	}
	if !b.has("shared.txt", between) || !b.has("mine.txt", "the person's") {
		t.Errorf("the person's is gone:\n%s", said)
	}
	b.put("shared.txt", "begin\nend\n")
	if err := os.Remove(filepath.Join(b.folder, "mine.txt")); err != nil {
		t.Fatal(err)
	}
	if after := b.files(); after != before {
		t.Errorf("there is\n%s\nand should be\n%s", after, before)
	}
}

// files are all paths of the folder with their modes and contents.
func (b *bed) files() string {
	b.t.Helper()
	var out strings.Builder
	err := filepath.WalkDir(b.folder, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		var data []byte
		if !d.IsDir() {
			data, err = os.ReadFile(path)
		}
		fmt.Fprintf(&out, "%s %s %q\n", strings.TrimPrefix(path, b.folder), info.Mode(), data)
		return err
	})
	if err != nil {
		b.t.Fatal(err)
	}
	return out.String()
}

func (b *bed) put(path, text string) {
	b.t.Helper()
	path = filepath.Join(b.folder, path)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		b.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		b.t.Fatal(err)
	}
}

func (b *bed) has(path, text string) bool {
	data, err := os.ReadFile(filepath.Join(b.folder, path))
	return err == nil && strings.Contains(string(data), text)
}

// Steps whose changes were undone are done anew, and that is said; those that stand, or were brought back, are not.
func TestStepsThatWereUndoneAreDoneAnew(t *testing.T) {
	b := newBed(t)
	b.planned()
	b.server.Answers = b.worksOn
	before := b.files()
	said := func(args ...string) string {
		out, err := b.command(args...).CombinedOutput()
		if err != nil {
			t.Fatalf("%q: %v\n%s", args, err, out)
		}
		return string(out)
	}
	run := []string{"plan", "run", "plan_1", "--approve", "all"}
	said(run...)
	after := b.files()
	for _, c := range []struct {
		undo []string
		says string
	}{{nil, "plan_1 is completed already"}, {[]string{"undo"}, "undone, so they are done anew: step_001, step_002, step_003"}, {[]string{"undo", "--redo=false"}, "undone, so"}} {
		if c.undo != nil {
			said(c.undo...)
			if got := b.files(); got != before {
				t.Fatalf("after undo there is\n%s", got)
			}
		}
		if out := said(run...); !strings.Contains(out, c.says) || b.files() != after {
			t.Errorf("after %q it says\n%s\nand there is\n%s", c.undo, out, b.files())
		}
	}
	said("undo")
	said("undo", "--redo")
	if out := said(run...); !strings.Contains(out, "completed already") || b.files() != after {
		t.Errorf("after redo it says\n%s", out)
	}
	said("undo")
	if out := said(append(run, "step_001")...); !strings.Contains(out, "done anew: step_001\n") || b.has("made/2.txt", "") {
		t.Errorf("one step: %s", out)
	}
}
