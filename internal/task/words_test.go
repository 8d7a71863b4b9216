package task_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"nebula"
	"nebula/internal/task"
)

// TestCutOffChild is the process that is killed while its agent's command runs.
func TestCutOffChild(t *testing.T) {
	o := newOffice(t).inherited("TestAgentReadsThatACutOffCommandIsDone")
	o.agent = func(string, int) []nebula.Task { return []nebula.Task{do("executeShell", "command", slow)} }
	o.open().run(task.Request{})
}

// Who says that a command that was cut off is done says it to the agent, too: beforehand, as its result; when asked, with
// what comes next.
func TestAgentReadsThatACutOffCommandIsDone(t *testing.T) {
	for _, beforehand := range []bool{true, false} {
		o := cutBy(t, "TestCutOffChild", step("a", nil))
		if beforehand {
			o.set = func(s *task.Setup) { s.CutOff = "done" }
		}
		var told []string
		o.agent = func(text string, _ int) []nebula.Task {
			told = append(told, text)
			return nil
		}
		o.open()
		o.answer(func(nebula.Queued) nebula.Answer {
			return nebula.Answer{By: nebula.Person, Answer: nebula.Told, Text: "it is done"}
		})
		if e := o.run(task.Request{}); stages(e.Plan) != "a completed" || o.read("times") != "x\n" {
			t.Fatalf("%s %q: %s, it ran %q", e.Status, e.Why, stages(e.Plan), o.read("times"))
		}
		asked := o.sent
		if len(told) == 0 || !strings.Contains(asked, "the person says that it is done") {
			t.Errorf("beforehand %v: the agent reads\n%s", beforehand, asked)
		}
		if beforehand && strings.Contains(asked, "Check before doing it again") {
			t.Errorf("the agent reads that nobody knows:\n%s", asked)
		}
		o.close()
	}
}

// A rule that the person says in the conversation reaches the step under way with its next request; a question does not.
func TestRuleReachesTheStepUnderWay(t *testing.T) {
	o := newOffice(t)
	var told []string
	o.agent = func(text string, n int) []nebula.Task {
		o.mu.Lock()
		told = append(told, text)
		o.mu.Unlock()
		if n > 0 {
			return nil
		}
		return []nebula.Task{do("executeShell", "command", slow)}
	}
	o.speaks(languages()[0], say("A cat."), say("I will."))
	o.open()
	o.planned(step("a", nil))
	steered := follow[nebula.Planned](o)
	o.begin()
	o.appears("began")
	o.told("what is a page of cats?")
	o.told("From now on every function stays under 20 lines.")
	for p := next(o, steered); p.Change != "steered"; p = next(o, steered) {
	}
	o.put("go", "")
	o.ended()
	o.mu.Lock()
	defer o.mu.Unlock()
	if len(told) < 2 || strings.Contains(told[0], "20 lines") || !strings.Contains(told[1], "under 20 lines") || strings.Contains(told[1], "page of cats") {
		t.Errorf("the agent reads %q", told)
	}
}

// Tasks that are given for no step are those of the step that is ready, and whoever gives them is told so.
func TestTasksWithoutAStepAreThoseOfTheReadyOne(t *testing.T) {
	o := newOffice(t)
	o.wait = true
	list, err := json.Marshal(map[string]any{"task_list": []any{map[string]any{"operation": "writeFile", "args": map[string]string{"path": "a/1", "content": "x"}, "reason": "r"}}})
	if err != nil {
		t.Fatal(err)
	}
	run := act("runTasks", nil)
	run.Actions[0].Args = list
	o.speaks(languages()[0], run, say("It ran."))
	o.open()
	want := o.planned(step("a", nil), step("b", []string{"a"}))
	o.told("run these")
	plans, err := o.store.Plans(t.Context(), o.dir)
	if err != nil || len(plans) != 1 {
		t.Fatalf("there are %d plans, %v", len(plans), err)
	}
	if p, err := o.store.Plan(t.Context(), o.dir, want.ID); err != nil || stages(p) != "a completed, b pending" || o.read("a/1") != "x" {
		t.Errorf("%s, %v", stages(p), err)
	}
	if !slices.ContainsFunc(events[nebula.Finished](o), func(f nebula.Finished) bool {
		return strings.Contains(f.Result.Text, "those of step a")
	}) {
		t.Error("nobody says whose the tasks are")
	}
}

// One reply may propose a plan and look at it.
func TestPlanIsProposedAndUsedInOneReply(t *testing.T) {
	o := newOffice(t)
	both := act("proposePlan", map[string]string{"goal": "build it"})
	both.Actions = append(both.Actions, act("getPlan", map[string]string{}).Actions...)
	o.speaks(languages()[0], both, say("There it is."))
	o.answers = func(string, string) string { return `{"name":"p","steps":[{"step_id":"step_001","name":"one"}]}` }
	o.open()
	if end := o.told("plan it"); len(end.Actions) != 2 || end.Actions[1].Status != nebula.Done {
		t.Errorf("%+v", end.Actions)
	}
}

// The plan that is worked on is the one that a new process turns to, not the newest.
func TestPlanAtWorkIsTheOneInProgress(t *testing.T) {
	o := newOffice(t).open()
	at := o.planned(step("a", nil, do("writeFile", "path", "a/1", "content", "x")), step("b", []string{"a"}))
	o.run(task.Request{Step: "a"})
	o.planned(step("c", nil))
	o.close()
	o.open()
	if p := o.loop.Plan(); p == nil || p.ID != at.ID {
		t.Errorf("it turns to %+v", p)
	}
}
