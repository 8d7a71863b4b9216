package task_test

import (
	"context"
	"reflect"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"nebula"
	"nebula/internal/plan"
	"nebula/internal/task"
)

// A plan runs with what the conversation stood at when it was let run, and says so: what the conversation turns to
// meanwhile is for the plans that come, but its mode and its policy hold at once.
func TestPlanRunsWithWhatItWasApprovedWith(t *testing.T) {
	o := newOffice(t)
	var mu sync.Mutex
	var opened []nebula.Conduct
	o.set = func(s *task.Setup) {
		s.Begin = nebula.Conduct{Model: "small", Protocol: "toolcall", Mode: nebula.AgentMode, Approve: "all", Parallel: 1, Step: nebula.Bound{Tokens: 1000}}
		open := s.Open
		s.Open = func(ctx context.Context, with nebula.Conduct, id, tree string) (task.Conversation, error) {
			mu.Lock()
			opened = append(opened, with)
			first := len(opened) == 1
			mu.Unlock()
			if first {
				if err := o.loop.Follow(ctx, nebula.Switched{Model: "large", Protocol: "dml", Approve: "edits"}); err != nil {
					t.Error(err)
				}
			}
			return open(ctx, with, id, tree)
		}
	}
	o.open()
	if err := o.loop.Follow(t.Context(), nebula.Switched{Model: "medium"}); err != nil {
		t.Fatal(err)
	}
	p := o.planned(step("a", nil, do("createDirectory", "path", "a")), step("b", []string{"a"}, do("createDirectory", "path", "b")))
	if !reflect.DeepEqual(p.With, nebula.Conduct{}) {
		t.Errorf("a draft runs with %+v", p.With)
	}
	e := o.run(task.Request{})
	began := nebula.Conduct{Model: "medium", Protocol: "toolcall", Mode: nebula.AgentMode, Approve: "all", Parallel: 1, Step: nebula.Bound{Tokens: 1000}}
	under := began
	under.Approve = "edits"
	if !reflect.DeepEqual(opened, []nebula.Conduct{began, under}) {
		t.Errorf("%s: steps ran with %+v", e.Why, opened)
	}
	kept, err := o.store.Plan(t.Context(), o.dir, p.ID)
	if err != nil || !reflect.DeepEqual(kept.With, under) {
		t.Errorf("recorded is %+v, %v", kept.With, err)
	}
	if e := o.run(task.Request{Plan: o.planned(step("c", nil, do("createDirectory", "path", "c"))).ID}); e.Plan.With.Model != "large" || e.Plan.With.Protocol != "dml" {
		t.Errorf("the next plan ran with %+v", e.Plan.With)
	}
}

// stuck is a record of plans that takes its time.
type stuck struct {
	nebula.PlanStore
	saves int
	hold  chan struct{}
}

func (s *stuck) SavePlan(context.Context, string, nebula.Plan, ...string) error {
	s.saves++
	<-s.hold
	return nil
}

func (s *stuck) Plans(context.Context, string) ([]nebula.PlanInfo, error) { return nil, nil }

func (s *stuck) Plan(_ context.Context, _, id string) (nebula.Plan, error) {
	p := nebula.Plan{ID: "p1", Name: "one", Status: nebula.Approved, Version: 1, Steps: []nebula.PlanStep{{ID: "a", Name: "first", Status: nebula.Pending}}}
	if id == "old" {
		p.ID, p.Name = "old", "another"
	}
	return p, nil
}

type deaf struct{ task.Chat }

func (deaf) Send(context.Context, nebula.Command) error { return nil }

// What the conversation asks in its own goroutine is answered although the record is busy, and asking stores nothing.
func TestProgressDoesNotWaitForTheRecord(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &stuck{hold: make(chan struct{})}
		l := task.New(task.Setup{Plans: s, Lock: func(context.Context, string) (func(), error) { return func() {}, nil }})
		defer l.Close()
		if l.Known() || l.Plan() != nil || l.Progress("en") != "" {
			t.Error("something is known before anything was looked at")
		}
		l.Attach(deaf{})
		if _, _, err := l.Show(t.Context(), "old"); err != nil {
			t.Fatal(err)
		}
		if p := l.Plan(); p == nil || p.ID != "p1" || !l.Known() || s.saves != 0 {
			t.Errorf("%+v after a look at another plan, %d saves", p, s.saves)
		}
		go func() {
			if err := l.Direct(t.Context(), nebula.Direct{Do: nebula.SteerPlan, Text: "slowly"}); err != nil {
				t.Error(err)
			}
		}()
		synctest.Wait()
		if s.saves != 1 {
			t.Fatal("the change does not wait")
		}
		began := time.Now()
		if got, want := l.Progress("en"), plan.Summary(nebula.Plan{Name: "one", Status: nebula.Approved, Steps: []nebula.PlanStep{{ID: "a", Name: "first", Status: nebula.Pending}}, ID: "p1"}, "en"); got != want || time.Since(began) > 0 {
			t.Errorf("%q, not %q", got, want)
		}
		close(s.hold)
		synctest.Wait()
		if p := l.Plan(); len(p.Notes) != 1 {
			t.Errorf("the plan's notes are %q", p.Notes)
		}
	})
}
