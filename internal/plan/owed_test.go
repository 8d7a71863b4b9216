package plan_test

import (
	"slices"
	"testing"

	"nebula"
	"nebula/internal/plan"
)

// What failed before a plan is no failure of a step of it, unless the step names it or is there to make tests pass. What the plan is for
// falls to the step that ends last.
func TestAStepOwesTheTestsThatItIsFor(t *testing.T) {
	failing := []string{"ex TestAdd", "tests/test_sum.py::test_total", "lexer::tests::add"}
	all := failing
	for text, want := range map[string][]string{
		"make TestAdd pass":                          failing[:1],
		"Add returns the sum, so that TestAdd is ok": failing[:1],
		"correct test_total":                         failing[1:2],
		"TestAddition is renamed":                    nil,
		"add Mul, with tests":                        nil,
		"add Mul; the existing tests still pass":     nil,
		"make sure the existing tests still pass":    nil,
		"write tests for Mul":                        nil,
		"Get the test suite green again":             all,
		"Fix the failing tests":                      all,
		"Repair the unit tests":                      all,
		"find out which tests fail, and mend it":     all,
		"テストが通るようにする":                                all,
		"失敗しているテストを調べる":                              all,
		"TestAddを通るようにする":                            failing[:1],
		"Mulを追加する。テストも書く":                            nil,
	} {
		s := nebula.PlanStep{ID: "s1", Name: text}
		if got := plan.Owed(nebula.Plan{Steps: []nebula.PlanStep{s}}, s, failing); !slices.Equal(got, want) {
			t.Errorf("step %q: %q", text, got)
		}
		one, two := nebula.PlanStep{ID: "s1", Name: "one"}, nebula.PlanStep{ID: "s2", Name: "two"}
		p := nebula.Plan{Goal: text, Steps: []nebula.PlanStep{one, two}}
		if got := plan.Owed(p, one, failing); len(got) > 0 {
			t.Errorf("goal %q, not the last: %q", text, got)
		}
		p.Steps[0].Status = nebula.Completed
		if got := plan.Owed(p, two, failing); !slices.Equal(got, want) {
			t.Errorf("goal %q, the last: %q", text, got)
		}
	}
}
