package task_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"nebula"
	"nebula/internal/task"
)

// lent is an office whose agents do errands as they do steps.
func lent(t *testing.T, agent mind) *office { return lentWithin(t, nebula.Bound{}, agent) }

// lentWithin is one in which a step may spend no more.
func lentWithin(t *testing.T, step nebula.Bound, agent mind) *office {
	o := newOffice(t)
	o.agent, o.spends = agent, nebula.Usage{Input: 100, Output: 10}
	o.set = func(s *task.Setup) {
		open := s.Open
		s.Begin = nebula.Conduct{Mode: nebula.AgentMode, Approve: "all", Step: step}
		s.Errand = func(ctx context.Context, with nebula.Conduct, _ task.Errand) (task.Conversation, error) {
			return open(ctx, with, "", "")
		}
	}
	return o.open()
}

func TestErrandsAreDoneSideBySideAndTold(t *testing.T) {
	var both sync.WaitGroup
	both.Add(2)
	o := lent(t, func(told string, n int) []nebula.Task {
		if n == 0 {
			both.Done()
			both.Wait() // nobody goes on before the other has begun
			name := "one.txt"
			if strings.Contains(told, "the second") {
				name = "two.txt"
			}
			return []nebula.Task{do("writeFile", "path", name, "content", "x", "reason", "r")}
		}
		return nil
	})
	var all sync.WaitGroup
	for _, text := range []string{"the first", "the second"} {
		all.Go(func() {
			said, end, err := o.loop.Delegate(t.Context(), task.Errand{Agent: "a", Title: text, Text: text}, false)
			if said != "Done." || end != "" || err != nil {
				t.Errorf("%s: %q, %s, %v", text, said, end, err)
			}
		})
	}
	all.Wait()
	reports := events[nebula.Reported](o)
	if len(reports) != 2 || o.read("one.txt") != "x" || o.read("two.txt") != "x" {
		t.Fatalf("%d reports, %q, %q", len(reports), o.read("one.txt"), o.read("two.txt"))
	}
	for _, r := range reports {
		if r.Exposed {
			t.Errorf("%s ran nothing, and may know what is secret", r.Title)
		}
		if len(r.Changes) != 1 || r.Session == "" || r.Plan != "" || r.Report.Status != nebula.Completed {
			t.Errorf("%+v", r)
		}
	}
	if n := len(events[nebula.Stepped](o)); n != 4 {
		t.Errorf("%d beginnings and ends, want 4", n)
	}
}

// What an agent says at its end is bounded, whether it is waited for or its report comes by itself.
func TestAReportOfAnErrandIsBounded(t *testing.T) {
	o := lent(t, func(string, int) []nebula.Task { return nil })
	short := func(said string) string { return said[:2] + "…" }
	if said, _, err := o.loop.Delegate(t.Context(), task.Errand{Agent: "a", Title: "t", Text: "x", Short: short}, true); err != nil || said != "Do…" {
		t.Errorf("%q, %v", said, err)
	}
	for _, r := range events[nebula.Reported](o) {
		if !strings.HasSuffix(r.Text, "\nDo…") || r.Report.Said != "Do…" {
			t.Errorf("%+v", r)
		}
	}
}

// Who does an errand has what a step has, and what ended it is told.
func TestAnErrandHasTheBudgetOfAStep(t *testing.T) {
	o := lentWithin(t, nebula.Bound{Tokens: 100}, func(_ string, n int) []nebula.Task {
		return []nebula.Task{do("writeFile", "path", fmt.Sprint("a/", n), "content", "x", "reason", "r")}
	})
	ctx, stop := context.WithTimeout(t.Context(), 20*time.Second)
	defer stop()
	said, end, err := o.loop.Delegate(ctx, task.Errand{Agent: "a", Title: "t", Text: "x"}, false)
	if err != nil || end != nebula.LimitReached || !strings.Contains(said, "110 tokens") || o.read("a/1") == "x" {
		t.Errorf("%q, %s, %v", said, end, err)
	}
}

// The conversation may know what is secret when one may who had a command run for it.
func TestAnErrandThatMayKnowASecretTellsIt(t *testing.T) {
	o := lent(t, func(_ string, n int) []nebula.Task {
		if n == 0 {
			return []nebula.Task{do("executeShell", "command", "echo x | rev", "reason", "r")}
		}
		return nil
	})
	if _, _, err := o.loop.Delegate(t.Context(), task.Errand{Agent: "a", Title: "runs", Text: "run"}, false); err != nil {
		t.Fatal(err)
	}
	for _, r := range events[nebula.Reported](o) {
		if !r.Exposed {
			t.Errorf("%+v", r)
		}
	}
}

// An errand that only reads begins in plan mode, and one that works as the conversation does.
func TestAnErrandThatReadsBeginsInPlanMode(t *testing.T) {
	o := newOffice(t)
	o.agent = func(string, int) []nebula.Task { return nil }
	var began []nebula.Mode
	o.set = func(s *task.Setup) {
		open := s.Open
		s.Begin = nebula.Conduct{Mode: nebula.AgentMode, Approve: "all"}
		s.Errand = func(ctx context.Context, with nebula.Conduct, _ task.Errand) (task.Conversation, error) {
			began = append(began, with.Mode)
			return open(ctx, with, "", "")
		}
	}
	o.open()
	for _, reads := range []bool{true, false} {
		if _, _, err := o.loop.Delegate(t.Context(), task.Errand{Agent: "a", Title: "t", Text: "x", Reads: reads}, false); err != nil {
			t.Fatal(err)
		}
	}
	if len(began) != 2 || began[0] != nebula.PlanMode || began[1] != nebula.AgentMode {
		t.Errorf("%v", began)
	}
}

// An errand whose session opens while all ends does not go on.
func TestAnErrandThatBeginsAtTheEndEnds(t *testing.T) {
	o := newOffice(t)
	asked := make(chan bool, 1)
	o.agent = func(_ string, n int) []nebula.Task {
		asked <- true
		return []nebula.Task{do("executeShell", "command", "sleep 60", "reason", "r")}
	}
	closing := make(chan struct{})
	o.set = func(s *task.Setup) {
		open := s.Open
		s.Begin = nebula.Conduct{Mode: nebula.AgentMode, Approve: "all"}
		s.Errand = func(ctx context.Context, with nebula.Conduct, _ task.Errand) (task.Conversation, error) {
			talk, err := open(ctx, with, "", "")
			close(closing)
			time.Sleep(300 * time.Millisecond)
			return talk, err
		}
	}
	o.open()
	if err := o.loop.Beside(task.Errand{Agent: "b", Title: "works", Text: "work"}); err != nil {
		t.Fatal(err)
	}
	<-closing
	start := time.Now()
	o.close()
	if took := time.Since(start); took > 20*time.Second {
		t.Errorf("it went on for %s", took)
	}
}

// An errand that only reads stays so, whatever the person turns to, and one that works ends with the loop.
func TestErrandsFollowThePersonAndEnd(t *testing.T) {
	began, turned := make(chan bool, 1), make(chan bool)
	o := lent(t, func(_ string, n int) []nebula.Task {
		switch n {
		case 0:
			began <- true
			<-turned
			return []nebula.Task{do("writeFile", "path", "made.txt", "content", "x", "reason", "r")}
		case 1:
			return []nebula.Task{do("executeShell", "command", "sleep 60", "reason", "r")}
		}
		return nil
	})
	done := make(chan error, 1)
	go func() {
		_, _, err := o.loop.Delegate(t.Context(), task.Errand{Agent: "a", Title: "reads", Text: "read", Reads: true}, false)
		done <- err
	}()
	<-began
	if err := o.loop.Follow(t.Context(), nebula.Switched{Mode: nebula.AgentMode, Approve: "all"}); err != nil {
		t.Fatal(err)
	}
	close(turned)
	if err := <-done; err != nil || !strings.HasPrefix(o.read("made.txt"), "<") {
		t.Errorf("%v, and %q was made by one that reads", err, o.read("made.txt"))
	}
	if err := o.loop.Beside(task.Errand{Agent: "b", Title: "works", Text: "work"}); err != nil {
		t.Fatal(err)
	}
	<-began
	o.appears("made.txt")
	start := time.Now()
	if err := o.loop.Direct(t.Context(), nebula.Direct{Do: nebula.CancelPlan}); err != nil {
		t.Fatal(err)
	}
	loop := o.loop
	o.close()
	if took := time.Since(start); took > 20*time.Second {
		t.Errorf("it went on for %s", took)
	}
	if _, _, err := loop.Delegate(t.Context(), task.Errand{Agent: "c"}, false); err == nil || errors.Is(err, context.Canceled) {
		t.Errorf("an errand began when all had ended: %v", err)
	}
}
