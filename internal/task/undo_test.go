package task_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"nebula"
	"nebula/internal/task"
)

// What a step did that was halted in its middle is taken back from the conversation; when the step goes on, its file is made
// again, and nothing is told twice.
func TestHaltedStepIsTakenBackFromTheConversation(t *testing.T) {
	o := newOffice(t)
	o.agent = func(_ string, n int) []nebula.Task {
		if n > 0 {
			return nil
		}
		return []nebula.Task{do("writeFile", "path", "a/1", "content", "one\n")}
	}
	o.open()
	s := step("a", nil, do("writeFile", "path", "a/1", "content", "one\n"), do("executeShell", "command", "echo more > a/2; touch began; while [ ! -e go ]; do sleep 0.01; done"))
	s.Files = []string{"a/1"}
	o.planned(s)
	o.begin()
	o.appears("began")
	o.send(nebula.Direct{Do: nebula.CancelPlan})
	if e := o.ended(); stages(e.Plan) != "a pending" || o.read("a/1") != "one\n" {
		t.Fatalf("%s, a/1 is %q", stages(e.Plan), o.read("a/1"))
	}
	events[nebula.Stepped](o) // the conversation has heard of it
	if told := events[nebula.Planned](o); !slices.ContainsFunc(told, func(p nebula.Planned) bool { return p.Change == "cancelled" && p.By == nebula.Person }) {
		t.Errorf("that the person ended it is not told: %v", told)
	}
	for _, redo := range []bool{false, true, false} {
		o.send(nebula.Undo{Redo: redo})
		if got := o.read("a/1") == "one\n" && strings.HasPrefix(o.read("a/2"), "more"); got != redo {
			t.Fatalf("redo %v: a/1 is %q, a/2 is %q", redo, o.read("a/1"), o.read("a/2"))
		}
	}
	o.put("go", "")
	if e := o.run(task.Request{}); stages(e.Plan) != "a completed" || o.read("a/1") != "one\n" {
		t.Fatalf("%s %q, a/1 is %q", stages(e.Plan), e.Why, o.read("a/1"))
	}
	o.send(nebula.Undo{})
	undone := events[nebula.Undone](o)
	if last := undone[len(undone)-1]; len(last.Left) > 0 || !strings.HasPrefix(o.read("a/1"), "<") {
		t.Errorf("a/1 is %q, left %v", o.read("a/1"), last.Left)
	}
}

// A command of a step whose changes could not be seen is named when the conversation takes the step back.
func TestStepsCommandThatCouldNotBeSeenIsNamed(t *testing.T) {
	o := newOffice(t)
	o.open()
	o.planned(step("a", nil, do("writeFile", "path", "a/1", "content", "one\n"), do("executeShell", "command", "echo more > a/2")))
	t.Setenv("TMPDIR", filepath.Join(t.TempDir(), "none"))
	if e := o.run(task.Request{}); e.Plan.Steps[0].Report == nil {
		t.Fatalf("%s %q", stages(e.Plan), e.Why)
	}
	var told []nebula.Blind
	for _, r := range events[nebula.Reported](o) {
		told = append(told, r.Blind...)
	}
	if len(told) != 2 || told[0].What != "echo more > a/2" || told[0].At != 2 || told[1].What != "true" { // its check is one too
		t.Errorf("told %+v", told)
	}
	o.send(nebula.Undo{})
	undone := events[nebula.Undone](o)
	if last := undone[len(undone)-1]; len(last.Left) != 2 || last.Left[0].Why != nebula.Unseen || last.Left[0].Text != "echo more > a/2" {
		t.Errorf("left %+v", last.Left)
	}
}
