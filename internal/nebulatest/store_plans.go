package nebulatest

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"nebula"
)

var planFacts = []fact{
	{"PlansAreKeptPerProject", keepsPlans},
	{"PlansAreNamedByAPrefixOrTheNewest", namesPlans},
	{"APlanIsChangedByOneAtATime", changesPlansOnce},
}

// LargePlan is a plan of so many steps with so many tasks each.
func LargePlan(steps, tasks int) nebula.Plan {
	at := time.Date(2026, 2, 3, 4, 5, 6, 7, time.UTC)
	p := nebula.Plan{ID: "plan_1", Name: "large", Goal: "g", Status: nebula.Draft, Version: 1, Made: at, Changed: at}
	for i := range steps {
		s := nebula.PlanStep{ID: fmt.Sprintf("step_%d", i), Name: "a <step> & more", Description: "say \"what\" 日本語\n", Status: nebula.Pending,
			DependsOn: []string{}, Files: []string{"a.go"}, Verify: nebula.Verify{Tests: true}, Began: at}
		if i > 0 {
			s.DependsOn = []string{fmt.Sprintf("step_%d", i-1)}
		}
		for j := range tasks {
			s.Tasks = append(s.Tasks, nebula.Task{ID: fmt.Sprintf("%s.%d", s.ID, j), Operation: "o", Args: json.RawMessage(`{"path":"a.go","content":"package a\n\nfunc A() {}\n"}`),
				Reason: "it is needed", Status: nebula.Completed, Result: &nebula.TaskResult{Action: "a1", Status: nebula.Done, Summary: "created a.go"}})
		}
		p.Steps = append(p.Steps, s)
	}
	return p
}

func keepsPlans(t *testing.T, s nebula.Store) {
	ctx, p := t.Context(), LargePlan(100, 3)
	if err := s.SavePlan(ctx, "/a", p); err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{"plan_1", "plan", ""} {
		if got, err := s.Plan(ctx, "/a", id); err != nil || !reflect.DeepEqual(got, p) {
			t.Errorf("plan %q: %v\n%+v", id, err, got)
		}
	}
	if _, err := s.Plan(ctx, "/b", "plan_1"); !errors.Is(err, nebula.ErrNoPlan) {
		t.Errorf("another project's: %v", err)
	}
	kept := p
	p.Steps = append([]nebula.PlanStep{}, p.Steps...)
	p.Version, p.Status = 2, nebula.Approved
	p.Steps[7].Status = nebula.Completed
	if err := s.SavePlan(ctx, "/a", p, "step_7"); err != nil {
		t.Fatal(err)
	}
	if got, err := s.Plan(ctx, "/a", ""); err != nil || !reflect.DeepEqual(got, p) {
		t.Errorf("one step changed: %v", err)
	}
	if kept.Steps[7].Status != nebula.Pending {
		t.Error("the store changed what it was given")
	}
	list, err := s.Plans(ctx, "/a")
	if want := (nebula.PlanInfo{ID: "plan_1", Name: "large", Status: nebula.Approved, Steps: 100, Done: 1, Changed: p.Changed}); err != nil || len(list) != 1 || list[0] != want {
		t.Errorf("list: %+v, %v", list, err)
	}
	p.Version, p.Steps = 3, append(p.Steps[50:51:51], p.Steps[:20]...) // steps went, and moved
	if err := s.SavePlan(ctx, "/a", p); err != nil {
		t.Fatal(err)
	}
	if got, err := s.Plan(ctx, "/a", ""); err != nil || !reflect.DeepEqual(got, p) {
		t.Errorf("other steps: %v", err)
	}
}

func namesPlans(t *testing.T, s nebula.Store) {
	ctx := t.Context()
	for i, id := range []string{"plan_b", "plan_ab", "plan_a"} {
		p := LargePlan(1, 1)
		p.ID, p.Changed = id, p.Changed.Add(time.Duration(i)*time.Hour)
		if err := s.SavePlan(ctx, "/a", p); err != nil {
			t.Fatal(err)
		}
	}
	for id, want := range map[string]string{"": "plan_a", "plan_b": "plan_b", "plan_ab": "plan_ab", "plan_a": "plan_a"} {
		if p, err := s.Plan(ctx, "/a", id); err != nil || p.ID != want {
			t.Errorf("%q is %q, not %q (%v)", id, p.ID, want, err)
		}
	}
	for _, id := range []string{"plan", "plan_c", "%"} {
		if _, err := s.Plan(ctx, "/a", id); !errors.Is(err, nebula.ErrNoPlan) {
			t.Errorf("%q: %v", id, err)
		}
	}
	if list, err := s.Plans(ctx, "/a"); err != nil || len(list) != 3 || list[0].ID != "plan_a" || list[2].ID != "plan_b" {
		t.Errorf("list: %+v, %v", list, err)
	}
	if err := s.RemovePlan(ctx, "/a", "plan_b"); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Plan(ctx, "/a", "plan_b"); !errors.Is(err, nebula.ErrNoPlan) {
		t.Errorf("after removal: %v", err)
	}
	if err := s.RemovePlan(ctx, "/a", "plan_b"); !errors.Is(err, nebula.ErrNoPlan) {
		t.Errorf("removed twice: %v", err)
	}
}

// changesPlansOnce has writers that all saw the same version: one of them wins.
func changesPlansOnce(t *testing.T, s nebula.Store) {
	ctx, p := t.Context(), LargePlan(3, 1)
	if err := s.SavePlan(ctx, "/a", p); err != nil {
		t.Fatal(err)
	}
	for _, version := range []int64{0, 1, 3} {
		p.Version = version
		if err := s.SavePlan(ctx, "/a", p); !errors.Is(err, nebula.ErrPlanChanged) {
			t.Errorf("version %d after 1: %v", version, err)
		}
	}
	other := p
	if other.ID, other.Version = "plan_2", 2; !errors.Is(s.SavePlan(ctx, "/a", other), nebula.ErrPlanChanged) {
		t.Error("a plan began with version 2")
	}
	p.Version = 2
	var won atomic.Int32
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			if err := s.SavePlan(ctx, "/a", p, "step_1"); err == nil {
				won.Add(1)
			} else if !errors.Is(err, nebula.ErrPlanChanged) {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if won.Load() != 1 {
		t.Errorf("%d of 8 changes to one version were kept", won.Load())
	}
}
