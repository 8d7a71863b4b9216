package task_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"nebula"
	"nebula/internal/gate"
	"nebula/internal/plan"
	"nebula/internal/task"
)

func TestPlanIsCarriedOutInOrder(t *testing.T) {
	o := newOffice(t).open()
	o.planned(step("a", nil, do("writeFile", "path", "a/1.txt", "content", "one\n")),
		step("b", []string{"a"}, do("readFile", "path", "a/1.txt"), do("executeShell", "command", "mkdir -p b && cp a/1.txt b/2.txt")))
	e := o.run(task.Request{})
	if e.Status != nebula.TurnDone || stages(e.Plan) != "a completed, b completed" || e.Plan.Status != nebula.Completed {
		t.Fatalf("%s %q: %s", e.Status, e.Why, stages(e.Plan))
	}
	if o.read("b/2.txt") != "one\n" {
		t.Errorf("b/2.txt: %q", o.read("b/2.txt"))
	}
	for _, s := range e.Plan.Steps {
		if s.Evidence == nil || s.Evidence.How != "command" || s.Report == nil || s.Report.Succeeded != len(s.Tasks) || s.Session == "" {
			t.Errorf("step %s: %+v %+v", s.ID, s.Evidence, s.Report)
		}
	}
	reports := events[nebula.Reported](o)
	if len(reports) != 2 || !strings.Contains(reports[0].Text, "Next could be b") || len(reports[0].Changes) == 0 {
		t.Errorf("reports: %+v", reports)
	}
	p, err := o.store.Plan(t.Context(), o.dir, "")
	if err != nil || stages(p) != stages(e.Plan) {
		t.Errorf("on disk: %s, %v", stages(p), err)
	}
	p.Steps[0].Ended = p.Steps[0].Began.Add(1500 * time.Millisecond)
	p.Steps[1].Status, p.Steps[1].Report = nebula.InProgress, nil
	text := task.Text(p, p.Steps[1].Began.Add(65*time.Second), "en")
	for _, want := range []string{"a: completed after 1.5s", "b: in_progress for 1m5s"} {
		if !strings.Contains(text, want) {
			t.Errorf("the plan's text does not tell %q:\n%s", want, text)
		}
	}
}

// What fails of the tasks that were given is made good by the step's agent, which reads how it failed; the rest follows.
func TestFailingTaskIsMadeGoodByTheAgent(t *testing.T) {
	o := newOffice(t)
	o.put("a/there.txt", "old\n")
	o.agent = func(told string, n int) []nebula.Task {
		if n > 1 || !strings.Contains(told, "exists already") {
			return nil
		}
		return []nebula.Task{do("readFile", "path", "a/there.txt"), do("editFile", "path", "a/there.txt", "new_content", "new\n", "reason", "it is there")}[n : n+1]
	}
	o.open()
	o.planned(step("a", nil, do("writeFile", "path", "a/there.txt", "content", "new\n"), do("writeFile", "path", "a/after.txt", "content", "x")))
	e := o.run(task.Request{})
	if e.Status != nebula.TurnDone || o.read("a/there.txt") != "new\n" || o.read("a/after.txt") != "x" {
		t.Fatalf("%s %q: %s", e.Status, e.Why, stages(e.Plan))
	}
	if r := e.Plan.Steps[0].Report; r.Failed != 1 || r.Succeeded != 3 {
		t.Errorf("%s: %+v", did(e.Plan.Steps[0]), r)
	}
}

// did are the tasks of a step as they stand.
func did(s nebula.PlanStep) string {
	var out []string
	for _, t := range s.Tasks {
		out = append(out, t.ID+" "+t.Operation+" "+string(t.Status))
	}
	return strings.Join(out, ", ")
}

// A step is worked by an agent: it begins with the step's files, its calls are the step's tasks, and those that were
// proposed beforehand are ticked.
func TestStepIsWorkedByAnAgent(t *testing.T) {
	o := newOffice(t)
	o.put("a/there.txt", "old\n")
	o.set = func(s *task.Setup) {
		s.Read = "readFile"
		s.Text = func(_, path string) (string, bool) {
			text := o.read(path)
			return text, !strings.HasPrefix(text, "<")
		}
		s.Map = func(about string) string { return "a map of " + about }
	}
	o.answers = func(kind, text string) string {
		if kind == "tasks" && strings.Contains(text, "a map of step a") {
			return tasks(task1("editFile", map[string]string{"path": "a/there.txt"}), task1("writeFile", map[string]string{"path": "a/more.txt"}))
		}
		return ""
	}
	o.agent = func(told string, n int) []nebula.Task {
		switch n {
		case 0:
			for _, want := range []string{"a step a", "the goal", "- editFile {\"path\":\"a/there.txt\"}", "grep more a/more.txt", "old\n"} {
				if !strings.Contains(told, want) {
					t.Errorf("the agent does not read %q in %s", want, told)
				}
			}
			return []nebula.Task{do("editFile", "path", "a/there.txt", "new_content", "new\n"), do("executeShell", "command", "false")}
		case 1:
			return []nebula.Task{do("writeFile", "path", "a/more.txt", "content", "more\n")}
		}
		return nil
	}
	o.open()
	s := step("a", nil)
	s.Files, s.Verify = []string{"a/there.txt", "a/more.txt"}, nebula.Verify{Command: "grep more a/more.txt"}
	p := o.planned(s)
	if _, err := o.loop.Generate(t.Context(), p.ID, "a", ""); err != nil {
		t.Fatal(err)
	}
	e := o.run(task.Request{})
	if got, want := did(e.Plan.Steps[0]), "a.a2 editFile completed, a.a4 writeFile completed, a.a3 executeShell failed"; stages(e.Plan) != "a completed" || got != want {
		t.Errorf("%s %q: %s, want %s", e.Status, e.Why, got, want)
	}
}

func TestFailureThatNobodyMakesGoodEndsTheStep(t *testing.T) {
	o := newOffice(t).open()
	o.planned(step("a", nil, do("executeShell", "command", "echo x >> tried; false"), do("writeFile", "path", "a/after.txt", "content", "x")),
		step("b", []string{"a"}, do("writeFile", "path", "b/x.txt", "content", "x")), step("c", nil, do("writeFile", "path", "c/x.txt", "content", "x")))
	e := o.run(task.Request{})
	if e.Status != nebula.TurnFailed || stages(e.Plan) != "a failed, b pending, c completed" || e.Plan.Status != nebula.StageFailed {
		t.Fatalf("%s %q: %s", e.Status, e.Why, stages(e.Plan))
	}
	if o.read("tried") != "x\n" {
		t.Errorf("tried %q", o.read("tried"))
	}
	if s := e.Plan.Steps[0]; s.Tasks[1].Status != nebula.StageSkipped || s.Report.Failed != 1 || s.Report.Cause == "" {
		t.Errorf("%+v %+v", s.Tasks, s.Report)
	}
	if !strings.HasPrefix(o.read("a/after.txt"), "<") || !strings.HasPrefix(o.read("b/x.txt"), "<") {
		t.Error("something was done after the failure")
	}
	if e = o.run(task.Request{}); stages(e.Plan) != "a failed, b pending, c completed" || o.read("tried") != "x\nx\n" {
		t.Errorf("run again: %s, tried %q", stages(e.Plan), o.read("tried"))
	}
}

func TestStepIsCompletedOnlyWhenVerified(t *testing.T) {
	o := newOffice(t).open()
	s := step("a", nil, do("writeFile", "path", "a/1.txt", "content", "one\n"))
	s.Verify = nebula.Verify{Command: "grep two a/1.txt"}
	o.planned(s)
	e := o.run(task.Request{})
	if stages(e.Plan) != "a failed" || e.Plan.Steps[0].Evidence != nil || !strings.Contains(plan.Say(e.Plan.Steps[0].Report.Cause, "en"), "verification failed") {
		t.Fatalf("%s: %+v", stages(e.Plan), e.Plan.Steps[0].Report)
	}
	if _, err := o.loop.Update(t.Context(), "a", task.Change{Status: "completed"}, "model"); err == nil {
		t.Error("it was declared completed without evidence")
	}
}

// Tests that pass because there are none verify nothing.
func TestVerificationThatRanNoTestIsNone(t *testing.T) {
	for output, want := range map[string]string{
		`ok  \tx\t0.002s [no tests to run]`: "a failed", `Ran 0 tests in 0.000s\n\nOK`: "a failed", `ok  \tx\t0.002s`: "a completed", `fine`: "a completed",
	} {
		o := newOffice(t).open()
		s := step("a", nil, do("writeFile", "path", "a/1.txt", "content", "one\n"))
		s.Verify = nebula.Verify{Command: "printf '" + output + "\\n'"}
		o.planned(s)
		if e := o.run(task.Request{}); stages(e.Plan) != want || want == "a failed" && !strings.Contains(plan.Say(e.Plan.Steps[0].Report.Cause, "en"), "ran no test") {
			t.Errorf("%q: %s, %+v", output, stages(e.Plan), e.Plan.Steps[0].Report)
		}
		o.close()
	}
}

// A mending that does not help leads to another, so often and no more.
func TestStepIsMendedSomeTimes(t *testing.T) {
	for _, c := range []struct {
		needs int
		want  string
	}{{3, "a completed"}, {4, "a failed"}} {
		o := newOffice(t)
		fixes := 0
		o.agent = func(told string, n int) []nebula.Task {
			if n > 0 {
				return nil
			}
			if fixes++; !strings.Contains(told, "What it still lacks") {
				t.Errorf("it is told %s", told)
			}
			return []nebula.Task{do("executeShell", "command", "echo x >> n")}
		}
		o.put("n", "")
		o.open()
		s := step("a", nil, do("executeShell", "command", "true"))
		s.Verify = nebula.Verify{Command: fmt.Sprintf("test $(wc -l < n) -ge %d", c.needs)}
		o.planned(s)
		if e := o.run(task.Request{}); stages(e.Plan) != c.want || fixes != 3 {
			t.Errorf("%d needed: %s after %d fixes: %s", c.needs, stages(e.Plan), fixes, e.Why)
		}
		o.close()
	}
}

// All that is said of how a step is checked is checked; what no program can tell ends as not checked, and is shown so.
func TestWhatNoProgramCanCheckIsSaidToBeUnchecked(t *testing.T) {
	for name, c := range map[string]struct {
		verify nebula.Verify
		how    string
		said   string
	}{
		"a person's":     {nebula.Verify{Person: "it looks good"}, nebula.Unchecked, "not checked, no program can tell: it looks good"},
		"nothing":        {nebula.Verify{}, nebula.Unchecked, "not checked, no program can tell: make it"},
		"a command, too": {nebula.Verify{Person: "it looks good", Command: "test -f a/1"}, "command", ""},
		"one that fails": {nebula.Verify{Person: "it looks good", Command: "test -f a/2"}, "", ""},
	} {
		o := newOffice(t)
		o.agent = func(_ string, n int) []nebula.Task {
			if n > 0 {
				return nil
			}
			return []nebula.Task{do("writeFile", "path", "a/1", "content", "x")}
		}
		o.open()
		s := step("a", nil)
		s.Verify, s.Description = c.verify, "make it"
		o.planned(s)
		e := o.run(task.Request{})
		switch got := e.Plan.Steps[0]; {
		case c.how == "" && stages(e.Plan) != "a failed":
			t.Errorf("%s: %s", name, stages(e.Plan))
		case c.how != "" && (got.Evidence == nil || got.Evidence.How != c.how || !strings.Contains(plan.Account(*got.Report, "en"), c.said)):
			t.Errorf("%s: %s, %+v, %+v", name, e.Why, got.Evidence, got.Report)
		}
		if queued := events[nebula.Queued](o); len(queued) > 0 {
			t.Errorf("%s: asked %+v", name, queued)
		}
		o.close()
	}
}

// answer answers what the background asks, until the test ends.
func (o *office) answer(how func(q nebula.Queued) nebula.Answer) {
	ctx := o.t.Context()
	go func() {
		for e := range o.chat.Events(ctx, 0) {
			if q, ok := e.Body.(nebula.Queued); ok {
				a := how(q)
				a.Ask = q.Ask
				_ = o.chat.Send(ctx, a)
			}
		}
	}()
}

func TestBackgroundAsksInTheConversation(t *testing.T) {
	o := newOffice(t)
	o.approve = gate.Ask
	o.open()
	o.planned(step("a", nil, do("writeFile", "path", "b/1.txt", "content", "one\n")))
	o.answer(func(q nebula.Queued) nebula.Answer { return nebula.Answer{By: nebula.Person, Answer: nebula.Yes} })
	if e := o.run(task.Request{}); stages(e.Plan) != "a completed" {
		t.Fatalf("%s %s: %+v", e.Status, stages(e.Plan), e.Plan.Steps[0].Report)
	}
	queued := events[nebula.Queued](o)
	if len(queued) != 1 || queued[0].Proposed == nil || queued[0].Proposed.Proposal.Diff == "" || queued[0].Title != "step a" {
		t.Errorf("queued %+v", queued)
	}
}

func TestRefusalEndsTheStep(t *testing.T) {
	o := newOffice(t)
	o.approve = gate.Ask
	o.open()
	o.planned(step("a", nil, do("writeFile", "path", "b/1.txt", "content", "one\n"), do("writeFile", "path", "b/2.txt", "content", "x")))
	o.answer(func(q nebula.Queued) nebula.Answer {
		return nebula.Answer{By: nebula.Person, Answer: nebula.No, Text: "not this"}
	})
	e := o.run(task.Request{})
	if stages(e.Plan) != "a failed" || !strings.Contains(plan.Say(e.Plan.Steps[0].Report.Cause, "en"), "not this") || !strings.HasPrefix(o.read("b/1.txt"), "<") {
		t.Fatalf("%s: %+v", stages(e.Plan), e.Plan.Steps[0].Report)
	}
}

func TestWithoutAnybodyThePlanWaitsForApproval(t *testing.T) {
	o := newOffice(t)
	o.approve = gate.None
	o.open()
	o.planned(step("a", nil, do("writeFile", "path", "a/1.txt", "content", "one\n")))
	e := o.run(task.Request{})
	if e.Status != nebula.NeedsApproval || stages(e.Plan) != "a pending" || e.Plan.Why == "" {
		t.Fatalf("%s %q: %s", e.Status, e.Why, stages(e.Plan))
	}
}

// What is named is what was refused, not what was left because of it.
func TestWhatNeedsApprovalIsNamed(t *testing.T) {
	o := newOffice(t)
	o.approve = gate.None
	o.agent = func(_ string, n int) []nebula.Task {
		if n > 0 {
			return nil
		}
		return []nebula.Task{do("writeFile", "path", "a/1.txt", "content", "one\n"), do("runTests", "command", "true")}
	}
	o.open()
	o.planned(step("a", nil))
	if e := o.run(task.Request{}); e.Status != nebula.NeedsApproval || !strings.HasPrefix(plan.Say(e.Why, "en"), "writeFile (a/1.txt) needs approval") {
		t.Fatalf("%s %q", e.Status, plan.Say(e.Why, "en"))
	}
}

// Goals of a cancel, and what a busy machine may make of it.
const (
	promptly = 200 * time.Millisecond
	atWorst  = 20 * time.Second
)

func TestCancelStopsAtOnceAndLeavesNoProcess(t *testing.T) {
	o := newOffice(t)
	o.set = func(s *task.Setup) { s.Begin.Parallel = 2 }
	o.open()
	deep := `touch %s; sh -c 'trap "" TERM; sleep 61 & sleep 62; wait' & (setsid sleep 63 &) ; sleep 60; touch ended`
	o.planned(step("a", nil, do("executeShell", "command", fmt.Sprintf(deep, filepath.Join(o.dir, "began-a")))), step("b", nil, do("executeShell", "command", fmt.Sprintf(deep, filepath.Join(o.dir, "began-b")))),
		step("c", []string{"a"}, do("writeFile", "path", "c/1", "content", "x")))
	o.begin()
	o.appears("began-a")
	o.appears("began-b")
	from := time.Now()
	o.send(nebula.Direct{Do: nebula.CancelPlan})
	switch took := time.Since(from); {
	case took > atWorst:
		t.Errorf("it took %v", took)
	case took > promptly:
		t.Logf("cancelled in %v, over the goal of %v", took, promptly)
	default:
		t.Logf("cancelled in %v", took)
	}
	for _, left := range append(within(o.dir), within(o.home)...) {
		t.Errorf("still runs: %s", left)
	}
	e := o.ended()
	if stages(e.Plan) != "a pending, b pending, c pending" || e.Plan.Why != "cancelled" || e.Status != nebula.Cancelled || !strings.HasPrefix(o.read("ended"), "<") {
		t.Errorf("%s %q: %s", e.Status, e.Plan.Why, stages(e.Plan))
	}
}

// within are the processes that work in a folder, where the system tells.
func within(dir string) (found []string) {
	all, _ := filepath.Glob("/proc/[0-9]*/cwd")
	for _, link := range all {
		if at, err := os.Readlink(link); err == nil && (at == dir || strings.HasPrefix(at, dir+"/")) {
			line, _ := os.ReadFile(filepath.Join(filepath.Dir(link), "cmdline"))
			found = append(found, strings.ReplaceAll(string(line), "\x00", " "))
		}
	}
	return found
}

// A step that is done stays done when the plan is cancelled in the next one.
func TestCancelLeavesWhatIsDone(t *testing.T) {
	o := newOffice(t).open()
	o.planned(step("a", nil, do("writeFile", "path", "a/1", "content", "x")),
		step("b", []string{"a"}, do("executeShell", "command", "touch began; while [ ! -e go ]; do sleep 0.01; done")))
	o.begin()
	o.appears("began")
	go o.loop.Direct(t.Context(), nebula.Direct{Do: nebula.CancelPlan})
	if e := o.ended(); stages(e.Plan) != "a completed, b pending" || e.Status != nebula.Cancelled {
		t.Errorf("%s %q: %s", e.Status, e.Why, stages(e.Plan))
	}
}

func TestPauseBeginsNothingNew(t *testing.T) {
	o := newOffice(t).open()
	o.planned(step("a", nil, do("executeShell", "command", "touch began; while [ ! -e go ]; do sleep 0.01; done")),
		step("b", []string{"a"}, do("writeFile", "path", "b/1", "content", "x")))
	ctx := t.Context()
	if _, err := o.loop.Start(ctx, task.Request{By: "person"}); err != nil {
		t.Fatal(err)
	}
	for strings.HasPrefix(o.read("began"), "<") {
		time.Sleep(5 * time.Millisecond)
	}
	if err := o.chat.Send(ctx, nebula.Direct{Do: nebula.PausePlan}); err != nil {
		t.Fatal(err)
	}
	o.put("go", "")
	for {
		p, err := o.store.Plan(ctx, o.dir, "")
		if err == nil && p.Steps[0].Status == nebula.Completed {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	time.Sleep(50 * time.Millisecond)
	if !strings.HasPrefix(o.read("b/1"), "<") {
		t.Error("the next step began while paused")
	}
	if err := o.chat.Send(ctx, nebula.Direct{Do: nebula.RunPlan}); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(ctx, 20*time.Second)
	defer cancel()
	if e := o.loop.Wait(ctx); stages(e.Plan) != "a completed, b completed" {
		t.Errorf("%s %s", e.Status, stages(e.Plan))
	}
}

// A step that may spend much has no more than is left of its plan's budget.
func TestAStepsBudgetIsWithinItsPlans(t *testing.T) {
	o := newOffice(t)
	o.set = func(s *task.Setup) { s.Begin.Plan.Tokens, s.Begin.Step.Tokens = 150, 10_000 }
	o.spends = nebula.Usage{Input: 100}
	asked := 0
	o.agent = func(_ string, n int) []nebula.Task {
		if asked++; n > 5 {
			return nil
		}
		return []nebula.Task{do("writeFile", "path", fmt.Sprint("a/", n), "content", "x")}
	}
	o.open()
	o.planned(step("a", nil))
	if e := o.run(task.Request{}); e.Status != nebula.LimitReached || !strings.Contains(string(e.Why), "after 200 tokens (the limit is 150)") {
		t.Errorf("%s %q after %d replies", e.Status, e.Why, asked)
	}
}

func TestPlanHasOneBudget(t *testing.T) {
	o := newOffice(t)
	o.set = func(s *task.Setup) { s.Begin.Plan.Tokens, s.Begin.Parallel = 150, 1 }
	o.spends = nebula.Usage{Input: 70, Output: 5}
	o.open()
	o.planned(step("a", nil), step("b", nil), step("c", nil))
	e := o.run(task.Request{})
	if e.Status != nebula.LimitReached || stages(e.Plan) != "a completed, b completed, c pending" {
		t.Errorf("%s %q: %s", e.Status, e.Why, stages(e.Plan))
	}
}
