package task_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"nebula"
	"nebula/internal/gate"
	"nebula/internal/plan"
	"nebula/internal/task"
)

// A side command that was refused ends no step whose check passes without it, but the step is not checked then, and the report names what was
// refused. Where nothing shows that the step is
// done, it waits for the approval.
func TestARefusedSideCommandEndsNoStepThatIsDone(t *testing.T) {
	for check, want := range map[string]string{"test -f a/1": "a completed", "test -f a/2": "a pending", "": "a pending"} {
		o := newOffice(t)
		o.approve = gate.Edits
		turns := 0
		o.agent = func(_ string, n int) []nebula.Task {
			if n > 0 {
				turns++
				return nil
			}
			return []nebula.Task{do("writeFile", "path", "a/1", "content", "one\n"), do("executeShell", "command", "cp -r . ../elsewhere")}
		}
		o.open()
		s := step("a", nil)
		s.Verify = nebula.Verify{Command: check, Person: "look"}
		o.planned(s)
		o.answer(func(nebula.Queued) nebula.Answer {
			return nebula.Answer{By: nebula.Nobody, Answer: nebula.No, Text: "nobody is there"}
		})
		e := o.run(task.Request{})
		if stages(e.Plan) != want || turns != 1 {
			t.Errorf("%q: %s after %d turns: %+v", check, stages(e.Plan), turns, e.Plan.Steps[0].Report)
		}
		said := "refused, and not checked: executeShell (cp -r . ../elsewhere) needs approval"
		if got := e.Plan.Steps[0]; want == "a completed" && (got.Evidence.How != nebula.Unchecked || !strings.Contains(plan.Account(*got.Report, "en"), said)) {
			t.Errorf("its report does not name what was refused: %s", plan.Account(*e.Plan.Steps[0].Report, "en"))
		}
	}
}

// A command that runs the tests is held to what failed before the plan, too: an old failure is none of the step's, a new one is.
func TestACommandOfTestsIsHeldToWhatFailedBefore(t *testing.T) {
	test := "package x\n\nimport \"testing\"\n\nfunc Test%s(t *testing.T) {\n\tif %s {\n\t\tt.Fatal(\"no\")\n\t}\n}\n"
	for fails, want := range map[string]string{"false": "a completed", "true": "a failed"} {
		o := newOffice(t)
		o.check = func() bool { return true }
		o.put("go.mod", "module x\n\ngo 1.21\n")
		o.put("old_test.go", fmt.Sprintf(test, "Old", "true"))
		o.agent = func(_ string, n int) []nebula.Task {
			if n > 0 {
				return nil
			}
			return []nebula.Task{do("writeFile", "path", "new_test.go", "content", fmt.Sprintf(test, "New", fails))}
		}
		o.open()
		s := step("a", nil)
		s.Files, s.Verify = []string{"new_test.go"}, nebula.Verify{Command: "go test ./..."}
		o.planned(s)
		if e := o.run(task.Request{}); stages(e.Plan) != want {
			t.Errorf("%s: %s: %+v", fails, stages(e.Plan), e.Plan.Steps[0].Report)
		}
	}
}

// What failed before the plan is no failure of its steps: its agent is told of it, and only what is new sends it back.
func TestWhatFailedBeforeThePlanIsNotItsFailure(t *testing.T) {
	test := "package x\n\nimport \"testing\"\n\nfunc Test%s(t *testing.T) {\n\tif %s {\n\t\tt.Fatal(\"no\")\n\t}\n}\n"
	for fails, want := range map[string]string{"false": "a completed, b completed", "true": "a failed, b skipped"} {
		o := newOffice(t)
		o.check = func() bool { return true }
		o.put("go.mod", "module x\n\ngo 1.21\n")
		o.put("old_test.go", fmt.Sprintf(test, "Old", "true"))
		o.put("good_test.go", fmt.Sprintf(test, "Good", "false"))
		var told string
		o.agent = func(said string, n int) []nebula.Task {
			if told += said; n > 0 || !strings.HasPrefix(said, "### The step\na ") {
				return nil
			}
			return []nebula.Task{do("writeFile", "path", "new_test.go", "content", fmt.Sprintf(test, "New", fails))}
		}
		o.open()
		first, second := step("a", nil), step("b", []string{"a"})
		first.Files, second.Files = []string{"new_test.go"}, nil
		first.Verify, second.Verify = nebula.Verify{Tests: true}, nebula.Verify{Tests: true}
		o.planned(first, second)
		e := o.run(task.Request{})
		if got := stages(e.Plan); fails == "false" && got != want || fails == "true" && !strings.HasPrefix(got, "a failed") {
			t.Errorf("%s: %+v", got, e.Plan.Steps[0].Report)
		}
		if !strings.Contains(told, "tests: go test") || !strings.Contains(told, "Failed before this step") || !strings.Contains(told, "TestOld") {
			t.Errorf("its agent is not told: %s", told)
		}
		if fails == "true" && (!strings.Contains(told, "new since the plan began: x TestNew") || strings.Count(told, "new_test.go:7: no") > strings.Count(told, "runTests (step a): failed")) {
			t.Errorf("it is not told what is new, or twice: %s", told)
		}
	}
}

// A step whose own test goes on to fail is not done, though it failed before the plan. One that leaves what is not its to mend is done, and
// nobody calls it verified.
func TestAStepThatLeavesItsOwnTestFailingIsNotDone(t *testing.T) {
	test := "package x\n\nimport \"testing\"\n\nfunc Test%s(t *testing.T) {\n\tif %s {\n\t\tt.Fatal(\"no\")\n\t}\n}\n"
	for name, want := range map[string]string{"make TestOld pass": "a failed", "fix the failing tests": "a failed", "add one": "a completed",
		"fix old": "a failed", "old を直す": "a failed", "fix old, alone": "a failed", "add one, alone": "a completed"} {
		for _, v := range []nebula.Verify{{Tests: true}, {Command: "go test ./..."}} {
			name, alone := strings.CutSuffix(name, ", alone") // no other test
			o := newOffice(t)
			o.check = func() bool { return true }
			o.put("go.mod", "module x\n\ngo 1.21\n")
			o.put("old_test.go", fmt.Sprintf(test, "Old", "true"))
			if !alone {
				o.put("good_test.go", fmt.Sprintf(test, "Good", "false"))
			}
			var told string
			o.agent = func(said string, n int) []nebula.Task {
				if told += said; n > 0 {
					return nil
				}
				return []nebula.Task{do("writeFile", "path", "one.go", "content", "package x\n")}
			}
			o.open()
			s := step("a", nil)
			s.Name, s.Files, s.Verify = name, []string{"one.go"}, v
			o.planned(s)
			e := o.run(task.Request{})
			if got := stages(e.Plan); got != want {
				t.Errorf("%s, %s: %s: %+v", name, v, got, e.Plan.Steps[0].Report)
			}
			if got := e.Plan.Steps[0].Evidence; want == "a completed" && (got == nil || got.How != nebula.Unchecked) {
				t.Errorf("%s, %s: verified by %+v", name, v, got)
			}
			if want == "a failed" && strings.Contains(told, "is not its to mend") {
				t.Errorf("%s, %s: it is told that it need not: %s", name, v, told)
			}
		}
	}
}

// A sieve is a command that changes a file on a view of the folder, which is kept or dropped when that was asked about.
type sieve struct {
	ignored bool
	tests   *nebula.TestReport
}

// Spec implements nebula.Tool.
func (sieve) Spec() nebula.ToolSpec { return nebula.ToolSpec{Name: "sieve", Effect: nebula.Execute} }

// Propose implements nebula.Tool.
func (s sieve) Propose(_ context.Context, a nebula.Action, _ nebula.View) (nebula.Proposal, error) {
	return nebula.Proposal{Action: a, Effect: nebula.Execute, Command: "make it", Viewed: true, Do: func(context.Context, nebula.Run) (nebula.Result, error) {
		keep := nebula.Proposal{Effect: nebula.Write, Ran: "make it", Targets: []nebula.Target{{Path: "out", Kind: "create"}}}
		if s.ignored {
			keep.Targets = []nebula.Target{{Path: ".env", Kind: "create", Ignored: true}} // of what is ignored, what holds secrets is asked about
		}
		keep.Do = func(context.Context, nebula.Run) (nebula.Result, error) { return nebula.Result{Text: "kept"}, nil }
		exit := 0
		return nebula.Result{Text: "ran", Exit: &exit, Tests: s.tests, Effects: &nebula.Effects{Keep: keep, Drop: func(string) nebula.Result {
			if s.ignored {
				return nebula.Result{}
			}
			return nebula.Result{Dropped: []string{"out"}}
		}}}, nil
	}}, nil
}

// What a command changed and nobody let it keep was refused, whoever said so; what the project ignores, and what a test run leaves behind,
// is nothing to miss.
func TestWhatWasDroppedWasRefused(t *testing.T) {
	for name, c := range map[string]struct {
		tool  sieve
		by    nebula.Decider
		given bool // as a task of the step
		want  string
	}{
		"nobody's": {sieve{}, nebula.Nobody, false, "a completed, unchecked"}, "the person's": {sieve{}, nebula.Person, false, "a completed, unchecked"},
		"ignored, nobody's": {sieve{ignored: true}, nebula.Nobody, false, "a completed"}, "ignored, the person's": {sieve{ignored: true}, nebula.Person, false, "a completed"},
		"tests": {sieve{tests: &nebula.TestReport{Passed: 1, OK: true}}, nebula.Person, false, "a completed"},
		"given": {sieve{}, nebula.Person, true, "a failed"}, "given, ignored": {sieve{ignored: true}, nebula.Person, true, "a completed"},
	} {
		o := newOffice(t)
		o.approve = gate.Ask
		o.set = func(s *task.Setup) { s.Tools = append(s.Tools, c.tool.Spec()) }
		o.agent = func(_ string, n int) []nebula.Task {
			if n > 0 || c.given {
				return nil
			}
			return []nebula.Task{do("sieve"), do("listFiles")}
		}
		o.open()
		o.tools = append(o.tools, c.tool)
		s := step("a", nil)
		if c.given {
			s = step("a", nil, do("sieve"))
		}
		o.planned(s)
		o.answer(func(nebula.Queued) nebula.Answer { return nebula.Answer{By: c.by, Answer: nebula.No, Text: "no"} })
		e := o.run(task.Request{})
		got, report := stages(e.Plan), e.Plan.Steps[0].Report
		if ev := e.Plan.Steps[0].Evidence; ev != nil && ev.How == nebula.Unchecked {
			got += ", unchecked"
		}
		if got != c.want || strings.HasSuffix(c.want, "unchecked") && !strings.Contains(plan.Account(*report, "en"), "sieve (make it) needs approval") {
			t.Errorf("%s: %s, %s", name, got, plan.Account(*report, "en"))
		}
	}
}
