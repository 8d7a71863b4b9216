package task_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"nebula"
	"nebula/internal/task"
)

// An error that names a neighbour's files alone is the neighbour's: the step waits for it and is charged with nothing.
func TestStepIsNotChargedWithItsNeighboursErrors(t *testing.T) {
	fails := func(names string) string {
		return fmt.Sprintf("test -f b/ready || { touch failed; echo '%s'; exit 1; }", names)
	}
	for name, c := range map[string]struct {
		step  func() nebula.PlanStep
		fixes int
	}{
		"verification": {func() nebula.PlanStep {
			s := step("a", nil, do("writeFile", "path", "a/1.go", "content", "package a\n"))
			s.Verify = nebula.Verify{Command: fails("b/1.go:3:1: undefined: B")}
			return s
		}, 0},
		"the name alone": {func() nebula.PlanStep {
			s := step("a", nil, do("writeFile", "path", "a/1.go", "content", "package a\n"))
			s.Verify = nebula.Verify{Command: fails("--- FAIL: TestB (0.01s)  1.go:3: want 2")}
			s.Files = []string{"a/1.go"}
			return s
		}, 1}, // a/1.go is its own, too: it may be meant
		"a task": {func() nebula.PlanStep {
			return step("a", nil, do("executeShell", "command", fails("./b/1.go:3:1: undefined: B")))
		}, 0},
		"its own among them": {func() nebula.PlanStep {
			s := step("a", nil, do("writeFile", "path", "a/1.go", "content", "package a\n"))
			s.Verify = nebula.Verify{Command: fails("b/1.go:3:1: undefined: B, in a/1.go:4")}
			return s
		}, 1},
	} {
		t.Run(name, func(t *testing.T) {
			o := newOffice(t)
			fixes := 0
			o.set = func(s *task.Setup) { s.Begin.Parallel = 2 }
			o.agent = func(told string, n int) []nebula.Task {
				switch {
				case n > 0:
					return nil
				case strings.HasPrefix(told, "### The step\nb "): // which goes on when a has failed over it
					o.appears("failed")
					time.Sleep(100 * time.Millisecond)
					return []nebula.Task{do("writeFile", "path", "b/1.go", "content", "package b\n"), do("writeFile", "path", "b/ready", "content", "")}
				}
				fixes++
				return []nebula.Task{do("executeShell", "command", "for n in $(seq 100); do test -f b/ready && break; sleep 0.05; done")}
			}
			o.open()
			o.planned(c.step(), step("b", nil))
			if e := o.run(task.Request{}); stages(e.Plan) != "a completed, b completed" || fixes != c.fixes {
				t.Errorf("%s after %d fixes: %s", stages(e.Plan), fixes, e.Why)
			}
		})
	}
}

// Two steps that blame each other do not wait for each other.
func TestNeighboursThatBlameEachOtherEnd(t *testing.T) {
	o := newOffice(t)
	o.set = func(s *task.Setup) { s.Begin.Parallel = 2 }
	o.open()
	var steps []nebula.PlanStep
	for _, names := range [][2]string{{"a", "b"}, {"b", "a"}} {
		s := step(names[0], nil, do("writeFile", "path", names[0]+"/1.go", "content", "x\n"))
		s.Verify = nebula.Verify{Command: fmt.Sprintf("sleep 0.2; echo '%s/1.go: bad'; exit 1", names[1])}
		steps = append(steps, s)
	}
	o.planned(steps...)
	if e := o.run(task.Request{}); stages(e.Plan) != "a failed, b failed" {
		t.Errorf("%s: %s", stages(e.Plan), e.Why)
	}
}

// What a report says of how a step ended is what the program knows, whatever its agent says at its end.
func TestReportSaysHowTheStepEnded(t *testing.T) {
	for says, makes := range map[string]bool{"All is well.": false, "Two files are there.": true} {
		o := newOffice(t)
		o.says = says
		o.agent = func(_ string, n int) []nebula.Task {
			if n > 0 || !makes {
				return nil
			}
			return []nebula.Task{do("writeFile", "path", "a/2.go", "content", "x\n")}
		}
		o.open()
		s := step("a", nil, do("writeFile", "path", "a/1.go", "content", "x\n"))
		s.Files = []string{"a/1.go", "a/2.go"}
		o.planned(s)
		e := o.run(task.Request{})
		r := e.Plan.Steps[0].Report
		if makes && (r == nil || r.Status != nebula.Completed || !strings.HasPrefix(r.Summary, says+"\nstep a: 2 of 2 tasks succeeded")) ||
			!makes && (r == nil || r.Status != nebula.StageFailed || r.Cause != "a/2.go does not exist" || strings.Contains(r.Summary, "well") || !strings.Contains(r.Summary, r.Cause)) {
			t.Errorf("%s: %+v", says, r)
		}
		for _, asked := range o.asked {
			if !strings.HasPrefix(asked, "agent: ") {
				t.Errorf("a request of its own was made: %s", asked)
			}
		}
		o.close()
	}
}

func TestChangedStepIsToldInALine(t *testing.T) {
	o := newOffice(t)
	call := nebula.Call{ID: "1", Name: "updateStep", Arguments: `{"step_id":"b","status":"skip","reason":"r"}`}
	o.script.Replies = []nebula.Reply{{Parts: nebula.PartsOf("", "", call)}, {Parts: nebula.Text("Done.")}}
	o.open()
	o.planned(step("a", nil), step("b", nil))
	o.told("leave b out")
	texts := []string{}
	for _, f := range events[nebula.Finished](o) {
		texts = append(texts, f.Result.Text)
	}
	if !slices.ContainsFunc(texts, func(text string) bool {
		return strings.HasSuffix(text, `is draft, with 2 steps; step b "step b" is skipped.`) && !strings.Contains(text, "\n")
	}) {
		t.Errorf("told %q", texts)
	}
}

// Whatever the model is asked for beside the conversation begins with who asks, and what is remembered.
func TestEveryCallBesideTheConversationHasTheBase(t *testing.T) {
	o := newOffice(t)
	var mu sync.Mutex
	kinds := map[string]bool{}
	o.set = func(s *task.Setup) {
		s.Base = func() string { return "BASE and notes\n" }
		ask := s.Ask
		s.Ask = func(ctx context.Context, with nebula.Conduct, p nebula.Prompt) (nebula.Reply, error) {
			mu.Lock()
			kinds[kind(p)] = strings.HasPrefix(p.System, "BASE and notes\n")
			mu.Unlock()
			return ask(ctx, with, p)
		}
	}
	o.answers = func(kind, _ string) string {
		switch kind {
		case "plan":
			return `{"name":"n","steps":[{"step_id":"a","name":"a","description":"d","depends_on":[],"files":["a/"],"verify":{"command":"test -f a/1"}}]}`
		case "tasks":
			return tasks(task1("writeFile", map[string]string{"path": "a/1"}))
		}
		return ""
	}
	o.open()
	if _, err := o.loop.Propose(t.Context(), "the goal", nil, ""); err != nil {
		t.Fatal(err)
	}
	if _, err := o.loop.Generate(t.Context(), "", "a", ""); err != nil {
		t.Fatal(err)
	}
	o.run(task.Request{})
	for _, k := range []string{"plan", "tasks"} {
		if !kinds[k] {
			t.Errorf("%s: without the base, or not asked", k)
		}
	}
}
