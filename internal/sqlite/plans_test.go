package sqlite_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"reflect"
	"testing"
	"time"

	"nebula"
	"nebula/internal/sqlite"
)

func largePlan(steps, tasks int) nebula.Plan {
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

func openPlans(t testing.TB) *sqlite.Store {
	t.Helper()
	s, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "nebula.db"), sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

func TestPlansAreKeptPerProject(t *testing.T) {
	s, ctx := openPlans(t), t.Context()
	p := largePlan(100, 3)
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
	p.Version, p.Status = 2, nebula.Approved
	p.Steps[7].Status = nebula.InProgress
	if err := s.SavePlan(ctx, "/a", p, "step_7"); err != nil {
		t.Fatal(err)
	}
	if got, err := s.Plan(ctx, "/a", ""); err != nil || !reflect.DeepEqual(got, p) {
		t.Errorf("one step changed: %v", err)
	}
	if err := s.SavePlan(ctx, "/a", p); !errors.Is(err, nebula.ErrPlanChanged) {
		t.Errorf("the same version again: %v", err)
	}
	list, err := s.Plans(ctx, "/a")
	if want := (nebula.PlanInfo{ID: "plan_1", Name: "large", Status: nebula.Approved, Steps: 100, Changed: p.Changed}); err != nil || len(list) != 1 || list[0] != want {
		t.Errorf("list: %+v, %v", list, err)
	}
	if err := s.RemovePlan(ctx, "/a", "plan_1"); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Plan(ctx, "/a", ""); !errors.Is(err, nebula.ErrNoPlan) {
		t.Errorf("after removal: %v", err)
	}
}

// A plan of 1,000 steps and 10,000 tasks.
func BenchmarkOpenPlan(b *testing.B) {
	s := openPlans(b)
	if err := s.SavePlan(b.Context(), "/a", largePlan(1000, 10)); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := s.Plan(b.Context(), "/a", ""); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkSaveTask(b *testing.B) {
	s, p := openPlans(b), largePlan(1000, 10)
	if err := s.SavePlan(b.Context(), "/a", p); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		p.Version++
		if err := s.SavePlan(b.Context(), "/a", p, "step_500"); err != nil {
			b.Fatal(err)
		}
	}
}
