package task_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"nebula"
	"nebula/internal/lists"
	"nebula/internal/plan"
	"nebula/internal/task"
)

// slow is a command that tells that it began and waits until it may end.
const slow = "echo x >> times; touch began; while [ ! -e go ]; do sleep 0.01; done"

// cut carries a plan out in a process that is killed while a command of it runs.
func cut(t *testing.T) *office {
	t.Helper()
	return cutBy(t, "TestKilledChild", step("a", nil, do("executeShell", "command", slow), do("writeFile", "path", "a/1", "content", "x")))
}

// cutBy has a test carry a plan out, in a process that is killed while the slow command runs.
func cutBy(t *testing.T, test string, s ...nebula.PlanStep) *office {
	t.Helper()
	o := newOffice(t).open()
	o.planned(s...)
	o.close()
	o.killedAt(t, test, "began")
	return o
}

// killedAt has a test go on in a process that is killed when a file is there.
func (o *office) killedAt(t *testing.T, test, path string) {
	t.Helper()
	cmd := o.child(t, test)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	o.appears(path)
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
	o.put("go", "")
}

// A command that a crash cut off may have had its effect, or half of it: whether it runs again is for the person to say.
func TestCommandThatWasCutOffIsThePersonsToDecide(t *testing.T) {
	for _, c := range []struct{ says, runs string }{{"run it again", "x\nx\n"}, {"it is done", "x\n"}} {
		t.Run(c.says, func(t *testing.T) {
			o := cut(t).open()
			var asked []nebula.Queued
			o.answer(func(q nebula.Queued) nebula.Answer {
				asked = append(asked, q)
				return nebula.Answer{By: nebula.Person, Answer: nebula.Told, Text: c.says}
			})
			e := o.run(task.Request{})
			if stages(e.Plan) != "a completed" || o.read("times") != c.runs || o.read("a/1") != "x" {
				t.Fatalf("%s %q: %s, it ran %q", e.Status, e.Why, stages(e.Plan), o.read("times"))
			}
			if len(asked) != 1 || !strings.Contains(asked[0].Question.Text, "echo x >> times") {
				t.Errorf("asked %+v", asked)
			}
		})
	}
}

func TestCommandThatWasCutOffWaitsForSomebody(t *testing.T) {
	o := cut(t).open()
	o.answer(func(nebula.Queued) nebula.Answer {
		return nebula.Answer{Answer: nebula.No, By: "nobody", Text: "nobody is there to answer"}
	})
	e := o.run(task.Request{})
	if e.Status != nebula.NeedsInput || stages(e.Plan) != "a pending" || o.read("times") != "x\n" || !strings.HasPrefix(o.read("a/1"), "<") {
		t.Fatalf("%s %q: %s, it ran %q", e.Status, e.Why, stages(e.Plan), o.read("times"))
	}
}

func TestPolicyDecidesOnWhatWasCutOff(t *testing.T) {
	for policy, runs := range map[string]string{"again": "x\nx\n", "done": "x\n"} {
		t.Run(policy, func(t *testing.T) {
			o := cut(t)
			o.set = func(s *task.Setup) { s.CutOff = policy }
			o.open()
			if e := o.run(task.Request{}); stages(e.Plan) != "a completed" || o.read("times") != runs {
				t.Fatalf("%s %q: %s, it ran %q", e.Status, e.Why, stages(e.Plan), o.read("times"))
			}
		})
	}
}

// After a crash nothing is under way, and a person can change what was.
func TestStepThatACrashLeftOpenCanBeChanged(t *testing.T) {
	o := cut(t).open()
	p, err := o.loop.Edit(t.Context(), "", "skipped", "person", plan.Retry("a"), plan.Remove("a"), plan.Add(step("b", nil), -1))
	if err != nil || stages(p) != "b pending" {
		t.Fatalf("%s, %v", stages(p), err)
	}
}

// What a crash left under way is not: whoever looks reads that it was interrupted, before anything is run.
func TestWhatACrashLeftUnderWayIsSaidToBeInterrupted(t *testing.T) {
	o := cut(t).open()
	if told := next(o, follow[nebula.Planned](o)); told.Change != "interrupted" || stages(told.Plan) != "a pending" || told.Plan.Why != "cut_off" {
		t.Fatalf("told %+v", told)
	}
	if told := next(o, follow[nebula.Stepped](o)); told.Step.Status != nebula.Pending || told.Cause != "interrupted" {
		t.Errorf("told of the step %+v", told)
	}
	if text := o.loop.Progress("en"); !strings.Contains(text, "stopped: interrupted") || strings.Contains(text, "under way") {
		t.Errorf("the model reads %q", text)
	}
	o.turnTo("")
	if told := events[nebula.Planned](o); len(told) != 0 {
		t.Errorf("told again: %+v", told)
	}
}

// A run that a crash cut off is one run with what goes on of it: the conversation in which it does is told of all of it, and
// takes all of it back. What an earlier run did, which had come to its end, is that run's.
func TestRunThatWasCutOffIsToldAndTakenBackAsOne(t *testing.T) {
	write := func(path string) nebula.Task { return do("writeFile", "path", path, "content", "one\n") }
	for name, c := range map[string]struct {
		before string // the step that a run of its own did
		told   string
		stays  []string
	}{
		"all":            {"", "a b c", nil},
		"an earlier run": {"a", "b c", []string{"a/1"}},
	} {
		t.Run(name, func(t *testing.T) {
			o := newOffice(t).open()
			slowly := do("executeShell", "command", slow)
			o.planned(step("a", nil, write("a/1")), step("b", []string{"a"}, write("b/1")), step("c", []string{"b"}, write("c/1"), slowly, write("c/2")))
			if c.before != "" {
				o.run(task.Request{Step: c.before})
			}
			o.close()
			o.killedAt(t, "TestKilledChild", "began")
			o.set = func(s *task.Setup) { s.CutOff = "done" }
			o.open()
			if e := o.run(task.Request{}); stages(e.Plan) != "a completed, b completed, c completed" || !e.Plan.Since.IsZero() {
				t.Fatalf("%s %q: %s, since %s", e.Status, e.Why, stages(e.Plan), e.Plan.Since)
			}
			var told []string
			for _, r := range events[nebula.Reported](o) {
				told = append(told, r.Step)
			}
			if got := strings.Join(told, " "); got != c.told {
				t.Errorf("told of %q, want %q", got, c.told)
			}
			o.send(nebula.Undo{})
			for _, path := range []string{"a/1", "b/1", "c/1", "c/2"} {
				if there := o.read(path) == "one\n"; there != lists.Has(c.stays, path) {
					t.Errorf("%s is there: %v", path, there)
				}
			}
		})
	}
}

// What the steps of such a run did to one file is told in the order in which they did it: taken back, the file is what it was.
// A conversation that does not begin with the plan's going on hears of it as it opens, and of each step once.
func TestRunThatWasCutOffIsToldInItsOrder(t *testing.T) {
	patch := func(to string) nebula.Task {
		p := do("patchFile", "path", "both.txt")
		p.Args = []byte(`{"path":"both.txt","edits":[{"old":"end","new":"` + to + `\nend"}]}`)
		return p
	}
	for _, goesOn := range []bool{false, true} {
		t.Run(fmt.Sprint(goesOn), func(t *testing.T) {
			o := newOffice(t).open()
			o.put("both.txt", "end")
			o.planned(step("a", nil, patch("a")), step("b", []string{"a"}, patch("b"), do("executeShell", "command", slow), patch("more")))
			o.close()
			o.killedAt(t, "TestKilledChild", "began")
			o.set = func(s *task.Setup) { s.CutOff, s.GoesOn = "done", goesOn }
			o.open()
			for end := time.Now().Add(20 * time.Second); !goesOn && len(events[nebula.Reported](o)) == 0 && time.Now().Before(end); {
				time.Sleep(5 * time.Millisecond) // it is told beside what opens
			}
			if got := len(events[nebula.Reported](o)); (got == 0) != goesOn {
				t.Errorf("told of %d steps before it goes on", got)
			}
			if e := o.run(task.Request{}); stages(e.Plan) != "a completed, b completed" || o.read("both.txt") != "a\nb\nmore\nend" {
				t.Fatalf("%s %q: %s, %q", e.Status, e.Why, stages(e.Plan), o.read("both.txt"))
			}
			if got := len(events[nebula.Reported](o)); got != 2 {
				t.Errorf("told of %d steps", got)
			}
			o.send(nebula.Undo{})
			undone := events[nebula.Undone](o)
			if got := o.read("both.txt"); got != "end" || len(undone) != 1 || len(undone[0].Left) > 0 {
				t.Errorf("it is %q, %+v", got, undone)
			}
		})
	}
}

// A run that was killed when all was done, and before the conversation knew of it, tells another of it, which takes it back.
func TestRunThatWasKilledAfterItsLastStepIsToldOf(t *testing.T) {
	o := newOffice(t).open()
	o.planned(step("a", nil, do("writeFile", "path", "a/1", "content", "one\n")), step("b", []string{"a"}, do("writeFile", "path", "b/1", "content", "one\n")))
	p := o.run(task.Request{}).Plan
	p.Since, p.Version = p.Steps[0].Began, p.Version+1
	if err := o.store.SavePlan(t.Context(), o.dir, p); err != nil {
		t.Fatal(err)
	}
	o.close()
	o.open()
	if e := o.run(task.Request{}); e.Status != nebula.TurnDone || len(events[nebula.Reported](o)) != 2 {
		t.Fatalf("%s %q, told %+v", e.Status, e.Why, events[nebula.Reported](o))
	}
	if p, err := o.store.Plan(t.Context(), o.dir, ""); err != nil || !p.Since.IsZero() {
		t.Errorf("it goes on since %s, %v", p.Since, err)
	}
	o.send(nebula.Undo{})
	if a, b := o.read("a/1"), o.read("b/1"); !strings.HasPrefix(a, "<") || !strings.HasPrefix(b, "<") {
		t.Errorf("left %q and %q", a, b)
	}
}
