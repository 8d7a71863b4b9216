package task_test

import (
	"strings"
	"testing"

	"nebula"
	"nebula/internal/gate"
	"nebula/internal/plan"
	"nebula/internal/task"
)

// A step's files must be there in the end, whatever the tests say; its agent is told of those that are not.
func TestStepIsDoneOnlyWhenItsFilesAre(t *testing.T) {
	read := do("readFile", "path", "add.go")
	write := do("writeFile", "path", "sub.go", "content", "package x\n")
	other := do("executeShell", "command", "true")
	for name, c := range map[string]struct {
		does  [][]nebula.Task // one turn after the other
		files []string
		want  string
		turns int
	}{
		"read only":         {[][]nebula.Task{{read}, {read}, {write}}, []string{"sub.go"}, "a failed", 2},
		"another":           {[][]nebula.Task{{read}, {other}, {other}, {other}, {write}}, []string{"sub.go"}, "a failed", 4},
		"told what lacks":   {[][]nebula.Task{{read}, {write}}, []string{"sub.go"}, "a completed", 2},
		"as it should be":   {[][]nebula.Task{{write}, {}}, []string{"sub.go", "add.go"}, "a completed", 2},
		"folders need none": {[][]nebula.Task{{write}}, []string{"sub.go", "pkg/", "*.md"}, "a completed", 1},
	} {
		t.Run(name, func(t *testing.T) {
			o := newOffice(t)
			o.put("add.go", "package x // it adds\n")
			turns := 0
			o.agent = func(told string, n int) []nebula.Task {
				if n > 0 {
					return nil
				}
				if turns++; turns > 1 && !strings.Contains(told, "sub.go does not exist") && !strings.Contains(told, "add.go was not changed") {
					t.Errorf("it is not told what lacks: %s", told)
				}
				return c.does[turns-1]
			}
			o.open()
			s := step("a", nil)
			s.Files = c.files
			o.planned(s)
			e := o.run(task.Request{})
			if stages(e.Plan) != c.want || turns != c.turns {
				t.Errorf("%s %q after %d turns", stages(e.Plan), e.Why, turns)
			}
			if c.want == "a failed" && e.Plan.Steps[0].Report.Cause != nebula.NewCode(plan.Absent, "sub.go") {
				t.Errorf("its cause is %q", e.Plan.Steps[0].Report.Cause)
			}
			if e.Plan.Steps[0].Status == nebula.Completed && o.read("sub.go") != "package x\n" {
				t.Error("it is completed without its file")
			}
		})
	}
}

// What a step changes beside its own files is said where it is asked for, and in its report.
func TestWhatIsNotTheStepsIsSaid(t *testing.T) {
	o := newOffice(t)
	o.approve = gate.Ask
	o.open()
	o.planned(step("a", nil, do("writeFile", "path", "a/1", "content", "x"), do("writeFile", "path", "other.go", "content", "x")))
	o.answer(func(nebula.Queued) nebula.Answer { return nebula.Answer{By: nebula.Person, Answer: nebula.Yes} })
	const said = "not among the files of step a: other.go"
	e := o.run(task.Request{})
	if stages(e.Plan) != "a completed" || !strings.Contains(plan.Account(*e.Plan.Steps[0].Report, "en"), said) {
		t.Errorf("%s: %+v", stages(e.Plan), e.Plan.Steps[0].Report)
	}
	var risks []string
	for _, q := range events[nebula.Queued](o) {
		risks = append(risks, strings.Join(gate.SayAll(q.Proposed.Verdict.Risks, "en"), "; "))
	}
	if len(risks) != 1 || !strings.Contains(risks[0], said) { // its own file is the plan's
		t.Errorf("at the gate: %q", risks)
	}
}

// What test runners leave behind is nobody's change: the step's report names only what somebody wrote beside its files.
func TestWhatRunnersLeaveIsNotTheStepsChange(t *testing.T) {
	o := newOffice(t)
	o.approve = gate.All
	o.open()
	const leaves = "for f in .pytest_cache/README.md pkg/__pycache__/a.pyc node_modules/.cache/x .coverage coverage.xml coverage/lcov.info htmlcov/index.html .nyc_output/1.json cover.out; do mkdir -p $(dirname $f); echo x > $f; done; echo x > other.go"
	o.planned(step("a", nil, do("writeFile", "path", "a/1", "content", "x"), do("executeShell", "command", leaves)))
	o.answer(func(nebula.Queued) nebula.Answer { return nebula.Answer{By: nebula.Person, Answer: nebula.Yes} })
	e := o.run(task.Request{})
	if said := plan.Account(*e.Plan.Steps[0].Report, "en"); stages(e.Plan) != "a completed" || !strings.HasSuffix(said, "not among the files of step a: other.go") {
		t.Errorf("%s: %s", stages(e.Plan), said)
	}
}

// A claim is not evidence: where a step did nothing, a check that passes would have passed without it, however often its
// agent says that all is there.
func TestStepThatDidNothingIsNeverVerified(t *testing.T) {
	run := do("executeShell", "command", "true")
	change := do("editFile", "path", "tags.go", "old", "it has", "new", "it has and clones")
	for name, c := range map[string]struct {
		does  []nebula.Task
		files []string
		fails bool // the check, before
		how   string
	}{
		"fix: only read":       {[]nebula.Task{do("readFile", "path", "tags.go")}, nil, false, nebula.Unchecked},
		"fix: changed":         {[]nebula.Task{change}, nil, false, "command"},
		"look: only read":      {[]nebula.Task{do("readFile", "path", "tags.go")}, nil, false, "command"},
		"another file":         {[]nebula.Task{do("writeFile", "path", "other.go", "content", "package x\n")}, []string{"tags.go"}, false, nebula.Unchecked},
		"no files, no actions": {nil, nil, false, nebula.Unchecked},
		"no files, an action":  {[]nebula.Task{run}, nil, false, "command"},
		"its file":             {[]nebula.Task{change}, []string{"tags.go"}, false, "command"},
		"the check turned":     {[]nebula.Task{do("writeFile", "path", "ok", "content", "x")}, []string{"tags.go"}, true, "command"},
	} {
		t.Run(name, func(t *testing.T) {
			o := newOffice(t)
			o.put("tags.go", "package x // it has tags\n")
			o.agent = func(told string, n int) []nebula.Task {
				if n > 0 || c.fails && !strings.Contains(told, "exit 1") {
					return nil
				}
				return c.does
			}
			o.open()
			s := step("a", nil)
			if verb, _, ok := strings.Cut(name, ":"); ok {
				s.Name = verb + " the tags"
			}
			if s.Files = c.files; c.fails {
				s.Verify.Command = "test -f ok"
			}
			o.planned(s)
			e := o.run(task.Request{})
			got := e.Plan.Steps[0]
			if stages(e.Plan) != "a completed" || got.Evidence == nil || got.Evidence.How != c.how {
				t.Fatalf("%s %q: %+v", stages(e.Plan), e.Why, got.Evidence)
			}
			unchecked := c.how == nebula.Unchecked
			said := plan.Account(*got.Report, "en") + plan.Markdown(e.Plan)
			if unchecked != (strings.Contains(said, "its agent says: Done.") && strings.Contains(said, "## [?] a")) {
				t.Errorf("it is shown as %s", said)
			}
			reports := events[nebula.Reported](o)
			if last := reports[len(reports)-1].Text; unchecked != strings.Contains(last, "Not checked of it: a") {
				t.Errorf("at its end the plan says %s", last)
			}
		})
	}
}

// A step that names files and left everything as it was is not done, and what depends on it does not begin; one that is only to look is.
func TestStepThatLeftItsFilesAsTheyWereIsNotDone(t *testing.T) {
	for name, want := range map[string]string{
		"fix add in pkg/": "a failed, b pending", "look at add in pkg/": "a completed, b completed",
		"fix add": "a failed, b pending", "add を直す": "a failed, b pending", "check that add adds": "a completed, b completed", "add の動きを確認する": "a completed, b completed",
	} {
		o := newOffice(t)
		o.put("calc.go", "package x\n")
		o.says = "I fixed add and ran the tests."
		o.agent = func(_ string, n int) []nebula.Task {
			if n > 0 {
				return nil
			}
			return []nebula.Task{do("readFile", "path", "calc.go"), do("executeShell", "command", "true")}
		}
		o.open()
		s := step("a", nil)
		s.Name, s.Files = name, []string{"calc.go"}
		if strings.HasSuffix(name, "/") {
			s.Files = []string{"pkg/"}
		}
		o.planned(s, step("b", []string{"a"}))
		e := o.run(task.Request{})
		if stages(e.Plan) != want || (e.Status == nebula.TurnDone) != (e.Plan.Steps[0].Status == nebula.Completed) {
			t.Errorf("%s: %s, %s", name, e.Status, stages(e.Plan))
		}
		if r := e.Plan.Steps[0].Report; r.Status == nebula.StageFailed && r.Cause != nebula.NewCode(plan.Untouched, s.Files[0]) {
			t.Errorf("%s: its cause is %q", name, r.Cause)
		}
	}
}

// A step is not sent against the person's no: it ends with that.
func TestStepIsNotSentAgainstTheNoOfThePerson(t *testing.T) {
	for _, there := range []bool{true, false} {
		o := newOffice(t)
		o.approve = gate.Ask
		if there {
			o.put("api.go", "package x\n")
		}
		told := ""
		o.agent = func(said string, n int) []nebula.Task {
			if told += said; n > 0 {
				return nil
			}
			if there {
				return []nebula.Task{do("editFile", "path", "api.go", "old", "package x", "new", "package y")}
			}
			return []nebula.Task{do("writeFile", "path", "api.go", "content", "package x // new\n")}
		}
		o.open()
		s := step("a", nil)
		s.Files = []string{"api.go"}
		o.planned(s)
		o.answer(func(nebula.Queued) nebula.Answer {
			return nebula.Answer{By: nebula.Person, Answer: nebula.No, Text: "never touch api"}
		})
		e := o.run(task.Request{By: "test"})
		r := e.Plan.Steps[0].Report
		if stages(e.Plan) != "a failed" || r == nil || !strings.Contains(plan.Say(r.Cause, "en"), "File (api.go) was refused: never touch api") || strings.Contains(told, "What it still lacks") {
			t.Errorf("there %v: %s, %+v: %s", there, stages(e.Plan), r, told)
		}
	}
}
