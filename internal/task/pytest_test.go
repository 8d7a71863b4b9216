package task_test

import (
	"os/exec"
	"strings"
	"testing"

	"nebula"
	"nebula/internal/task"
)

// A plan whose steps pytest accepts is worked to its end: what an agent says is done while its test fails is given back to it with that test,
// and the step that waits for it begins on what it came to.
func TestAPlanIsWorkedByPytest(t *testing.T) {
	pytest, err := exec.LookPath("/usr/bin/pytest")
	if err != nil {
		t.Skip("pytest is not installed")
	}
	o := newOffice(t)
	o.put("pytest.ini", "[pytest]\npythonpath = .\n")
	o.put("calc.py", "def add(a, b):\n    return a - b\n")
	o.put("tests/test_add.py", "from calc import add\n\n\ndef test_add():\n    assert add(1, 2) == 3\n")
	write := func(path, text string) nebula.Task { return do("writeFile", "path", path, "content", text) }
	change := func(old, now string) nebula.Task {
		task := do("patchFile")
		task.Args = []byte(`{"path":"calc.py","edits":[{"old":"` + old + `","new":"` + now + `"}]}`)
		return task
	}
	lacked := ""
	o.agent = func(told string, n int) []nebula.Task {
		_, lacks, again := strings.Cut(told, "What it still lacks")
		switch {
		case n > 0:
			return nil
		case strings.Contains(told, "### The step\nmul "):
			return []nebula.Task{do("readFile", "path", "calc.py"), change(`return a + b\n`, `return a + b\n\n\ndef mul(a, b):\n    return a * b\n`),
				write("tests/test_mul.py", "from calc import mul\n\n\ndef test_mul():\n    assert mul(2, 3) == 6\n")}
		case again:
			lacked = told + lacks
			return []nebula.Task{change("return b - a", "return a + b")}
		}
		return []nebula.Task{do("readFile", "path", "calc.py"), change("return a - b", "return b - a")}
	}
	o.open()
	add, mul := step("add", nil), step("mul", []string{"add"})
	add.Name, add.Files, add.Verify = "add", []string{"calc.py"}, nebula.Verify{Command: pytest + " -q tests/test_add.py"}
	mul.Name, mul.Files, mul.Verify = "mul", []string{"calc.py", "tests/test_mul.py"}, nebula.Verify{Command: pytest + " -q"}
	o.planned(add, mul)
	e := o.run(task.Request{})
	if stages(e.Plan) != "add completed, mul completed" || !strings.Contains(o.read("calc.py"), "return a + b\n\n\ndef mul") {
		t.Fatalf("%s %q: %s\n%s", e.Status, e.Why, stages(e.Plan), o.read("calc.py"))
	}
	if !strings.Contains(lacked, "FAILED tests/test_add.py::test_add") {
		t.Errorf("the agent was told %q", lacked)
	}
}
