//go:build unix

package cli

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"nebula"
	"nebula/internal/fleet"
	"nebula/internal/nebulatest"
)

// over hands a plan over and gives its id there.
func (y *yard) over(args ...string) string {
	y.t.Helper()
	return strings.TrimSpace(y.says(0, append([]string{"plan", "run", "plan_test", "--on", "temporal", "--queue", y.queue}, args...)...))
}

// change changes the plan as the record has it.
func (y *yard) change(do func(p *nebula.Plan)) {
	y.t.Helper()
	y.store(func(ctx context.Context, s nebula.Store) error {
		p, err := s.Plan(ctx, y.folder, "plan_test")
		if err != nil {
			return err
		}
		p.Version++
		do(&p)
		return s.SavePlan(ctx, y.folder, p)
	})
}

// stages are those of the steps, in a line.
func stages(s fleet.State) string {
	var list []string
	for _, x := range s.Steps {
		list = append(list, x.Status)
	}
	return strings.Join(list, " ")
}

// failing: a step that fails is begun anew as often as was said; then a person may have it done again, or leave it out.
func failing(t *testing.T, y *yard) {
	var ready atomic.Bool
	y.server.Answers = func(n int, request []byte) *nebulatest.Answer {
		a := worked(n, request)
		if len(a.Calls) > 0 && ready.Load() {
			a.Calls[0].Arguments = bytes.Replace(a.Calls[0].Arguments, []byte("of a.txt"), []byte("ready"), 1)
		}
		return a
	}
	y.plan("a", "b: a")
	y.change(func(p *nebula.Plan) {
		p.Steps[0].Verify = nebula.Verify{Command: "grep -q ready a.txt"}
		p.Steps = append(p.Steps, nebula.PlanStep{ID: "c", Name: "step c", Description: "make file c.txt", Status: nebula.Pending, DependsOn: []string{"b"}, Files: []string{"c.txt"}})
	})
	y.worker()
	run := y.over()
	s := y.until(run, func(s fleet.State) bool { return s.Status == fleet.Waits })
	if stages(s) != "failed pending pending" || s.Steps[0].Begun != 2 {
		t.Fatalf("it stands at %+v", s)
	}
	ready.Store(true)
	y.says(0, "fleet", "retry", run, "a")
	y.says(0, "fleet", "skip", run, "c")
	s = y.until(run, func(s fleet.State) bool { return ended(s.Status) })
	if s.Status != string(nebula.Completed) || stages(s) != "completed completed skipped" {
		t.Fatalf("it ended as %+v", s)
	}
	y.keeps(run, "retried")
}

// gated plays the usual model, that does not answer before a gate is open. Asked is how many wait, or went through.
func (y *yard) gated() (asked *atomic.Int32, open func()) {
	gate, count := make(chan struct{}), &atomic.Int32{}
	y.server.Answers = func(n int, request []byte) *nebulatest.Answer {
		count.Add(1)
		<-gate
		return worked(n, request)
	}
	var once atomic.Bool
	open = func() {
		if once.CompareAndSwap(false, true) {
			close(gate)
		}
	}
	y.t.Cleanup(open)
	return count, open
}

// waitFor waits until something holds.
func (y *yard) waitFor(what string, holds func() bool) {
	y.t.Helper()
	for end := time.Now().Add(90 * time.Second); !holds(); time.Sleep(50 * time.Millisecond) {
		if time.Now().After(end) {
			y.t.Fatalf("%s: it does not come", what)
		}
	}
}

// held: a pause lets the step under way come to its end and begins none; what is said then, the next steps are told.
func held(t *testing.T, y *yard) {
	asked, open := y.gated()
	y.plan("a", "b: a", "c: b")
	y.worker()
	run := y.over()
	y.waitFor("the first step", func() bool { return asked.Load() > 0 })
	y.says(0, "fleet", "pause", run)
	if s := y.state(run); s.Status != fleet.Paused || stages(s) != "in_progress pending pending" {
		t.Errorf("after the pause it stands at %s: %s", s.Status, stages(s))
	}
	open()
	y.until(run, func(s fleet.State) bool { return stages(s) == "completed pending pending" })
	time.Sleep(2 * time.Second)
	if s := y.state(run); s.Status != fleet.Paused || stages(s) != "completed pending pending" {
		t.Errorf("paused, it stands at %s: %s", s.Status, stages(s))
	}
	y.says(0, "fleet", "steer", run, "the", "word", "of", "day", "is", "heron")
	y.says(0, "fleet", "skip", run, "c")
	y.says(0, "fleet", "resume", run)
	if s := y.until(run, func(s fleet.State) bool { return ended(s.Status) }); s.Status != string(nebula.Completed) || stages(s) != "completed completed skipped" {
		t.Errorf("it ended as %+v", s)
	}
	told := map[string]bool{}
	for _, r := range y.server.Requests() {
		if found := file.FindSubmatch(r.Body); found != nil && bytes.Contains(r.Body, []byte("is heron")) {
			told[string(found[1])] = true
		}
	}
	if told["a.txt"] || !told["b.txt"] {
		t.Errorf("the steps that were told it are %v", told)
	}
}

// cancelled: what is under way ends, nothing of it is kept, and no process is left.
func cancelled(t *testing.T, y *yard) {
	asked, _ := y.gated()
	y.plan("a", "b: a")
	y.worker()
	run := y.over()
	y.waitFor("the first step", func() bool { return asked.Load() > 0 })
	y.says(0, "fleet", "cancel", run)
	s := y.until(run, func(s fleet.State) bool { return ended(s.Status) })
	if s.Status != fleet.Cancelled || stages(s) != "cancelled pending" || s.Branch != "" {
		t.Errorf("it ended as %+v", s)
	}
	y.waitFor("the end of the step's process", func() bool {
		list, _ := filepath.Glob("/proc/[0-9]*/cmdline")
		for _, path := range list {
			if line, _ := os.ReadFile(path); bytes.Contains(line, []byte("fleet\x00step")) && bytes.Contains(line, []byte(y.work)) {
				return false
			}
		}
		return true
	})
	y.store(func(ctx context.Context, s nebula.Store) error {
		p, err := s.Plan(ctx, y.folder, "plan_test")
		if err == nil && (p.Status == nebula.Completed || p.Steps[0].Status != nebula.Pending) {
			t.Errorf("the record has the plan as %s, its first step as %s", p.Status, p.Steps[0].Status)
		}
		return err
	})
	y.keeps(run, "cancelled")
}

// keyed is a command of somebody with another key.
func (y *yard) keyed(args ...string) *exec.Cmd {
	cmd := y.command(args...)
	cmd.Env = append(cmd.Env, "NEBULA_FLEET_KEY=another key of a team")
	return cmd
}

// drafted: a draft waits for the person's word, and is carried out as one that a person approved.
func drafted(t *testing.T, y *yard) {
	y.plan("a")
	y.change(func(p *nebula.Plan) {
		p.Status, p.Approved, p.Steps[0].Verify = nebula.Draft, "", nebula.Verify{Command: "test -f a.txt"}
	})
	other := y.keyed("worker", "--work", y.work, "--queue", y.queue) // it is given nothing, and breaks nothing
	if err := other.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = other.Process.Kill()
		_ = other.Wait()
	})
	run := y.over()
	time.Sleep(3 * time.Second) // in which it would take it
	y.worker()
	for _, args := range [][]string{{"approve", run}, {"cancel", run}, {"show", run}} {
		if out, err := y.keyed(append([]string{"fleet"}, args...)...).CombinedOutput(); err == nil || !strings.Contains(string(out), "give all the same fleet.key") {
			t.Errorf("with another key fleet %s says %q (%v)", args[0], out, err)
		}
	}
	y.until(run, func(s fleet.State) bool { return s.Status == fleet.Waits && s.Why == "needs_approval" })
	y.says(0, "fleet", "pause", run)
	y.says(0, "fleet", "resume", run)
	if s := y.state(run); s.Status != fleet.Waits || s.Why != "needs_approval" {
		t.Errorf("a word about something else takes it for approved: %+v", s)
	}
	if out := y.says(0, "fleet", "show", run); !strings.Contains(out, "Goal: files") || !strings.Contains(out, "make file a.txt") || !strings.Contains(out, "test -f a.txt") || !strings.Contains(out, "Files: a.txt") {
		t.Errorf("what is to be approved is shown as\n%s", out)
	}
	if out, err := y.command("plan", "run", "plan_test", "--on", "temporal", "--queue", y.queue).CombinedOutput(); err == nil || !strings.Contains(string(out), "is carried out already, as "+run) {
		t.Errorf("it is handed over twice: %s", out)
	}
	y.change(func(p *nebula.Plan) { p.Steps[0].Verify.Command = "touch other; test -f a.txt" })
	if out, err := y.command("fleet", "approve", run).CombinedOutput(); err == nil || !strings.Contains(string(out), "was changed since it was handed over") {
		t.Errorf("a plan that was changed since is approved: %s", out)
	}
	y.change(func(p *nebula.Plan) { p.Steps[0].Verify.Command = "test -f a.txt" })
	y.says(0, "fleet", "approve", run)
	s := y.until(run, func(s fleet.State) bool { return ended(s.Status) || s.Status == fleet.Waits && s.Why == "" })
	if s.Status != string(nebula.Completed) || s.Approved != whoami() {
		t.Errorf("it ended as %+v", s)
	}
	for _, args := range [][]string{{"approve", run}, {"retry", run, "a"}, {"skip", run, "a"}} {
		y.says(exitUsage, append([]string{"fleet"}, args...)...)
	}
	y.store(func(ctx context.Context, s nebula.Store) error {
		p, err := s.Plan(ctx, y.folder, "plan_test")
		if err == nil && (p.Status != nebula.Completed || p.Approved != nebula.Person) {
			t.Errorf("the record has it as %s, approved by %q", p.Status, p.Approved)
		}
		return err
	})
}

// limited: a plan that reaches its bound begins no further step until a person sets another.
func limited(t *testing.T, y *yard) {
	y.server.Answers = func(n int, request []byte) *nebulatest.Answer {
		a := worked(n, request)
		a.Input, a.Output = 6000, 10
		return a
	}
	y.plan("a", "b: a")
	y.worker()
	y.says(0, "config", "set", "plan.tokens", "12015")
	run := y.over()
	s := y.until(run, func(s fleet.State) bool { return s.Status == fleet.Paused })
	if stages(s) != "completed pending" || !strings.Contains(s.Why, "12020") {
		t.Errorf("at its bound it stands at %+v", s)
	}
	y.says(0, "fleet", "budget", run, "5")
	if s = y.until(run, func(s fleet.State) bool { return ended(s.Status) }); s.Status != string(nebula.Completed) {
		t.Errorf("it ended as %+v", s)
	}
}

// awaited: who waits for a plan that no worker takes yet goes on waiting.
func awaited(t *testing.T, y *yard) {
	y.plan("a")
	cmd := y.command("plan", "run", "plan_test", "--on", "temporal", "--queue", y.queue, "--wait")
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	over := make(chan error, 1)
	go func() { over <- cmd.Wait() }()
	select {
	case err := <-over:
		t.Fatalf("without a worker it ends with %v:\n%s", err, out.String())
	case <-time.After(15 * time.Second): // a question that no worker answers takes ten
	}
	y.worker()
	select {
	case err := <-over:
		if err != nil || !strings.Contains(out.String(), "completed") {
			t.Errorf("it ended with %v:\n%s", err, out.String())
		}
	case <-time.After(90 * time.Second):
		_ = cmd.Process.Kill()
		t.Errorf("it does not end:\n%s", <-over)
	}
}

// upped: the server for a trial is one that workers work with; what listens there already is said.
func upped(t *testing.T, y *yard) {
	port := strconv.Itoa(nebulatest.Port(t))
	path := "PATH=" + y.temporal.Folder() + ":" + os.Getenv("PATH")
	up := func() (*exec.Cmd, *bytes.Buffer) {
		cmd, said := y.command("fleet", "up", "--port", port), &bytes.Buffer{}
		cmd.Env, cmd.Stderr = append(cmd.Env, path), said
		return cmd, said
	}
	first, said := up()
	if err := first.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = first.Process.Signal(os.Interrupt)
		_ = first.Wait()
	})
	y.waitFor("the server", func() bool {
		cmd := y.command("fleet", "list")
		cmd.Env = append(cmd.Env, "TEMPORAL_ADDRESS=127.0.0.1:"+port)
		return cmd.Run() == nil
	})
	second, refused := up()
	if err := second.Run(); err == nil || !strings.Contains(refused.String(), "--port takes another") {
		t.Errorf("the second says %q, the first said %q", refused.String(), said.String())
	}
}
