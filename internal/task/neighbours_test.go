package task_test

import (
	"context"
	"slices"
	"strings"
	"sync"
	"testing"

	"nebula"
	"nebula/internal/plan"
	"nebula/internal/task"
)

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
		if makes && (r == nil || r.Status != nebula.Completed || !strings.HasPrefix(plan.Account(*r, "en"), says+"\n2 of 2 tasks succeeded")) ||
			!makes && (r == nil || r.Status != nebula.StageFailed || r.Cause != nebula.NewCode(plan.Absent, "a/2.go") || strings.Contains(plan.Account(*r, "en"), "well") || !strings.Contains(plan.Account(*r, "en"), "a/2.go does not exist")) {
			t.Errorf("%s: %+v", says, r)
		}
		if text := o.reported("a").Text; !makes && !strings.Contains(text, `"cause":"a/2.go does not exist"`) {
			t.Errorf("the conversation's model reads %s", text)
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
		s.Ask = func(ctx context.Context, with nebula.Conduct, p nebula.Prompt, instead task.Instead) (nebula.Reply, error) {
			mu.Lock()
			kinds[kind(p)] = strings.HasPrefix(p.System, "BASE and notes\n")
			mu.Unlock()
			return ask(ctx, with, p, instead)
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
