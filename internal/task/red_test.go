package task_test

import (
	"cmp"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"nebula"
	"nebula/internal/plan"
	"nebula/internal/task"
)

// A red is a project whose one file of tests is red when a plan of three steps begins, each of which makes one function right.
type red struct {
	files map[string]string
	code  string            // the file that the steps change
	write map[string]string // how it is after a step
	test  string            // how a test of a function is called
}

// inGo has functions that give the wrong result, or are not there.
func inGo(there bool) red {
	code := func(right string) string {
		text := "package x\n"
		for _, f := range []string{"Add", "Sub", "Mul"} {
			switch {
			case strings.Contains(right, f):
				text += "\nfunc " + f + "() int { return 1 }\n"
			case there:
				text += "\nfunc " + f + "() int { return 0 }\n"
			}
		}
		return text
	}
	tests := "package x\n\nimport \"testing\"\n"
	for _, f := range []string{"Add", "Sub", "Mul"} {
		tests += fmt.Sprintf("\nfunc Test%s(t *testing.T) {\n\tif %s() != 1 {\n\t\tt.Error(\"%s\")\n\t}\n}\n", f, f, f)
	}
	return red{map[string]string{"go.mod": "module x\n\ngo 1.21\n", "x.go": code(""), "x_test.go": tests}, "x.go",
		map[string]string{"": code(""), "a": code("Add"), "b": code("AddSub"), "c": code("AddSubMul"), "broken": code("Sub")}, "x Test%s"}
}

// inPython has the same in Python: all of the tests' file fails where it imports each function by its name.
func inPython(imports bool) red {
	code := func(right string) string {
		text := "none = 0\n"
		for _, f := range []string{"Add", "Sub", "Mul"} {
			if strings.Contains(right, f) {
				text += "\n\ndef " + strings.ToLower(f) + "():\n    return 1\n"
			}
		}
		return text
	}
	tests, at := "import calc\n", "calc."
	if imports {
		tests, at = "from calc import add, sub, mul\n", ""
	}
	for _, f := range []string{"add", "sub", "mul"} {
		tests += "\n\ndef test_" + f + "():\n    assert " + at + f + "() == 1\n"
	}
	return red{map[string]string{"pytest.ini": "[pytest]\npythonpath = .\n", "calc.py": code(""), "tests/test_calc.py": tests}, "calc.py",
		map[string]string{"": code(""), "a": code("Add"), "b": code("AddSub"), "c": code("AddSubMul"), "broken": code("Sub")}, "tests/test_calc.py::test_%s"}
}

// Steps share a file of tests that is red from the start: each is done when what it is about passes and nothing fails that passed before
// it, what is left is named, and its agent knows of it. One that breaks a test, or leaves its own failing, is not done.
func TestStepsShareTestsThatAreRed(t *testing.T) {
	_, err := exec.LookPath("/usr/bin/pytest")
	const all = "a completed, b completed, c completed"
	for name, c := range map[string]struct {
		of      red
		command string // that checks the steps; the project's tests where empty
		does    string // what the steps write
		goal    string
		names   string // how the steps are called
		want    string
		shown   string // how each is known to work
	}{
		"go":                     {of: inGo(true), want: all, shown: "tests tests tests"},
		"go, by a command":       {of: inGo(true), command: "go test ./...", want: all, shown: "unchecked unchecked command"}, // which tests a command runs nobody knows,
		"go, does not build":     {of: inGo(false), want: all, shown: "unchecked unchecked tests"},
		"go, tests are the goal": {of: inGo(true), goal: "make the tests in x_test.go pass", names: "make the tests of %s pass", want: all, shown: "tests tests tests"},
		"go, breaks one":         {of: inGo(true), does: "a broken c", want: "a completed, b failed, c pending"},
		"go, leaves its own":     {of: inGo(true), does: "a a c", want: "a completed, b failed, c pending"},
		"go, leaves the last":    {of: inGo(true), does: "a b b", goal: "make the tests pass", names: "look at %s", want: "a completed, b completed, c failed"},
		"pytest":                 {of: inPython(false), want: all, shown: "tests tests tests"},
		"pytest, import fails":   {of: inPython(true), want: all, shown: "unchecked unchecked tests"},
		"pytest, breaks one":     {of: inPython(false), does: "a broken c", want: "a completed, b failed, c pending"},
	} {
		t.Run(name, func(t *testing.T) {
			if strings.HasPrefix(name, "pytest") && err != nil {
				t.Skip("pytest is not installed")
			}
			t.Setenv("PATH", "/usr/bin:"+os.Getenv("PATH")) // its Python is the one that has pytest
			o := newOffice(t)
			o.check = func() bool { return true }
			for path, text := range c.of.files {
				o.put(path, text)
			}
			told := map[string]string{}
			does := strings.Fields(cmp.Or(c.does, "a b c"))
			o.agent = func(said string, n int) []nebula.Task {
				for i, id := range []string{"a", "b", "c"} {
					if strings.HasPrefix(said, "### The step\n"+id+" ") {
						if told[id] += said; n == 0 {
							return []nebula.Task{do("readFile", "path", c.of.code), do("writeFile", "path", c.of.code, "content", c.of.write[does[i]]+"\n")}
						}
					}
				}
				return nil
			}
			o.open()
			var steps []nebula.PlanStep
			for i, f := range []string{"add", "sub", "mul"} {
				s := step(string("abc"[i]), nil)
				if i > 0 {
					s.DependsOn = []string{steps[i-1].ID}
				}
				s.Name, s.Files, s.Verify = fmt.Sprintf(cmp.Or(c.names, "implement %s"), f), []string{c.of.code}, nebula.Verify{Tests: c.command == "", Command: c.command}
				steps = append(steps, s)
			}
			p := o.planned(steps...)
			if c.goal != "" {
				if _, err := o.loop.Edit(t.Context(), p.ID, "edited", "test", func(p nebula.Plan) (nebula.Plan, error) { p.Goal = c.goal; return p, nil }); err != nil {
					t.Fatal(err)
				}
			}
			e := o.run(task.Request{})
			if got := stages(e.Plan); got != c.want {
				for _, s := range e.Plan.Steps {
					if s.Report != nil {
						t.Log(s.ID, plan.Account(*s.Report, "en"))
					}
				}
				t.Fatalf("%s, want %s", got, c.want)
			}
			if c.shown == "" {
				return
			}
			var shown []string
			for i, s := range e.Plan.Steps {
				shown = append(shown, s.Evidence.How)
				last := i == len(steps)-1
				if names := strings.Contains(s.Evidence.Detail, "failed before this step: "); names == last {
					t.Errorf("step %s is known by %q", s.ID, s.Evidence.Detail)
				}
				if !strings.Contains(told[s.ID], "Failed before this step") {
					t.Errorf("the agent of %s is not told what failed: %s", s.ID, told[s.ID])
				}
			}
			if got := strings.Join(shown, " "); got != c.shown {
				t.Errorf("known by %s, want %s", got, c.shown)
			}
		})
	}
}
