package task_test

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"nebula"
	"nebula/internal/plan"
	"nebula/internal/task"
)

// One step over tests that were red is done when a test of its own passes by now, one that failed or one that it wrote; what else fails
// failed before it, and is named.
func TestOneStepOverTestsThatAreRed(t *testing.T) {
	if _, err := exec.LookPath("/usr/bin/pytest"); err != nil {
		t.Skip("pytest is not installed")
	}
	t.Setenv("PATH", "/usr/bin:"+os.Getenv("PATH"))
	const code, tests = "def add(a, b):\n    return a - b\n\n\ndef mul(a, b):\n    return a - b\n", "from calc import add, mul\n\n\ndef test_add():\n    assert add(1, 2) == 3\n\n\ndef test_mul():\n    assert mul(2, 3) == 6\n"
	write := func(path, text string) nebula.Task { return do("writeFile", "path", path, "content", text) }
	right := write("calc.py", strings.Replace(code, "a - b", "a + b", 1))
	sub := []nebula.Task{write("sub.py", "def sub(a, b):\n    return a - b\n"), write("test_sub.py", "from sub import sub\n\n\ndef test_sub():\n    assert sub(3, 2) == 1\n")}
	for name, c := range map[string]struct {
		name    string
		files   []string
		command string
		does    []nebula.Task
		how     string
	}{
		"its test":                 {"fix add", []string{"calc.py"}, "", []nebula.Task{right}, "tests"},
		"its test, by a command":   {"fix add", []string{"calc.py"}, "pytest -q", []nebula.Task{right}, "command"},
		"one of its own":           {"write sub and its test", []string{"sub.py", "test_sub.py"}, "", sub, "tests"},
		"of its own, by a command": {"write sub and its test", []string{"sub.py", "test_sub.py"}, "pytest", sub, "command"},
		"no test":                  {"write sub", []string{"sub.py"}, "", sub[:1], nebula.Unchecked},
	} {
		t.Run(name, func(t *testing.T) {
			o := newOffice(t)
			o.check = func() bool { return true }
			o.put("calc.py", code)
			o.put("test_calc.py", tests)
			o.agent = func(_ string, n int) []nebula.Task {
				if n > 0 {
					return nil
				}
				return append([]nebula.Task{do("readFile", "path", "calc.py")}, c.does...)
			}
			o.open()
			s := step("a", nil)
			s.Name, s.Files, s.Verify = c.name, c.files, nebula.Verify{Tests: c.command == "", Command: c.command}
			o.planned(s)
			e := o.run(task.Request{})
			done := e.Plan.Steps[0]
			if said := plan.Account(*done.Report, "en"); done.Status != nebula.Completed || done.Evidence.How != c.how || !strings.Contains(said, "failed before this step: ") {
				t.Errorf("%s, by %+v: %s\n%+v", done.Status, done.Evidence, said, e.Plan.Before)
			}
		})
	}
}
