package sqlite_test

import (
	"math"
	"path/filepath"
	"testing"

	"nebula/internal/nebulatest"
	"nebula/internal/sqlite"
)

func openPlans(t testing.TB) *sqlite.Store {
	t.Helper()
	s, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "nebula.db"), sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// A plan that cannot be written is not kept in part.
func TestAPlanThatCannotBeWrittenIsNotKept(t *testing.T) {
	s, p := openPlans(t), nebulatest.LargePlan(2, 1)
	p.With.Plan.Cost = math.NaN()
	if err := s.SavePlan(t.Context(), "/a", p); err == nil {
		t.Error("kept")
	}
	if plans, err := s.Plans(t.Context(), "/a"); err != nil || len(plans) > 0 {
		t.Errorf("there is %v, %v", plans, err)
	}
}

// A plan of 1,000 steps and 10,000 tasks.
func BenchmarkOpenPlan(b *testing.B) {
	s := openPlans(b)
	if err := s.SavePlan(b.Context(), "/a", nebulatest.LargePlan(1000, 10)); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := s.Plan(b.Context(), "/a", ""); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkSaveTask(b *testing.B) {
	s, p := openPlans(b), nebulatest.LargePlan(1000, 10)
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
