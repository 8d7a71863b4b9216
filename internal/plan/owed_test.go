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

// A step that is to mend something owes the tests of that, in so many words or not; one that is about something else owes none.
func TestAStepOwesTheTestsOfWhatItMends(t *testing.T) {
	failing := []string{"test_calc.py::test_add", "test_calc.py::test_sub", "test_web.py::test_page"}
	for text, want := range map[string][]string{
		"fix add so that it adds":          failing[:1],
		"Repair what add returns":          failing[:1],
		"make add return the sum":          failing[:1],
		"implement sub":                    failing[1:2],
		"fix the bug in calc.py":           failing[:2],
		"Fix the rounding bug":             failing,
		"add が足し算をするように直す":                 failing[:1],
		"add を修正":                          failing[:1],
		"丸めの誤りを修正する":                       failing,
		"add a docstring to add":           nil,
		"add a docstring to calc.py":       nil,
		"Fix the docstring of add":         nil,
		"fix typos in README.md":           nil,
		"add mul. Do not fix add":          nil,
		"add mul, without fixing the rest": nil,
		"add に docstring を書く":              nil,
		"add のコメントを直す":                     nil,
		"mul を足す。add は直さない":                nil,
	} {
		s := nebula.PlanStep{ID: "s1", Name: text}
		if got := plan.Owed(nebula.Plan{Steps: []nebula.PlanStep{s}}, s, failing); !slices.Equal(got, want) {
			t.Errorf("step %q: %q", text, got)
		}
	}
	for command, want := range map[string][]string{"pytest -q test_calc.py": nil, "pytest -q test_calc.py::test_sub": failing[1:2], "pytest -q -k test_add": failing[:1]} { // it owes what its command names, not all that it runs
		s := nebula.PlanStep{ID: "s1", Name: "add mul", Verify: nebula.Verify{Command: command}}
		if got := plan.Owed(nebula.Plan{Steps: []nebula.PlanStep{s}}, s, failing); !slices.Equal(got, want) {
			t.Errorf("%s: %q", command, got)
		}
		if s.Name = "get test_calc.py to pass"; want == nil && !slices.Equal(plan.Owed(nebula.Plan{Steps: []nebula.PlanStep{s}}, s, failing), failing[:2]) {
			t.Errorf("%s: its name is of the file", command)
		}
	}
	s := nebula.PlanStep{ID: "s1", Name: "one", Description: "fix what it gives", Files: []string{"calc.py"}}
	if got := plan.Owed(nebula.Plan{Steps: []nebula.PlanStep{s}}, s, failing); !slices.Equal(got, failing[:2]) {
		t.Errorf("by its file: %q", got)
	}
}

// What a step is about it owes, also where that passes by now; what is in the same file falls to the steps that are about that, and what
// nobody is about to the last.
func TestAStepOwesNoTestOfAnother(t *testing.T) {
	add, sub, file := "test_calc.py::test_add", "test_calc.py::test_sub", "test_calc.py"
	step := func(id, name string) nebula.PlanStep {
		return nebula.PlanStep{ID: id, Name: name, Files: []string{"calc.py"}}
	}
	for name, c := range map[string]struct {
		steps           []string // the first is asked about
		failing, before []string
		want            []string
	}{
		"its own passes":             {[]string{"implement add"}, []string{sub}, []string{add, sub}, nil},
		"its own fails":              {[]string{"implement add"}, []string{add, sub}, []string{add, sub}, []string{add}},
		"none is called after it":    {[]string{"fix the rounding in calc.py"}, []string{sub}, []string{sub}, []string{sub}},
		"another is about it":        {[]string{"fix the rounding in calc.py", "implement sub"}, []string{add, sub}, []string{add, sub}, []string{add}},
		"the tests are its own":      {[]string{"make the tests of add pass", "make the tests of sub pass"}, []string{add, sub}, []string{add, sub}, []string{add}},
		"all are its own":            {[]string{"make the tests pass", "document it"}, []string{add, sub}, []string{add, sub}, []string{add, sub}},
		"the file does not load":     {[]string{"implement add", "implement sub"}, []string{file}, []string{file}, nil},
		"the file is the last one's": {[]string{"implement add"}, []string{file}, []string{file}, []string{file}},
	} {
		var p nebula.Plan
		for i, text := range c.steps {
			p.Steps = append(p.Steps, step(string("ab"[i]), text))
		}
		if got := plan.Owed(p, p.Steps[0], c.failing, c.before...); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
