package task_test

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"nebula"
	"nebula/internal/task"
)

// A step that writes tests that fail is done by that, where a step after it is to turn them green; what passed before has to pass, and the
// last step ends with all green.
func TestTestsAreWrittenFirst(t *testing.T) {
	_, err := exec.LookPath("/usr/bin/pytest")
	t.Setenv("PATH", "/usr/bin:"+os.Getenv("PATH"))
	write := func(path, text string) nebula.Task { return do("writeFile", "path", path, "content", text) }
	const good = "from calc import add\n\n\ndef test_add():\n    assert add(1, 2) == 3\n"
	red := write("test_sub.py", "from sub import sub\n\n\ndef test_sub():\n    assert sub(3, 2) == 1\n")
	loads := write("test_sub.py", "def test_sub():\n    from sub import sub\n    assert sub(3, 2) == 1\n")
	green := write("sub.py", "def sub(a, b):\n    return a - b\n")
	wrong := write("sub.py", "def sub(a, b):\n    return a + b\n")
	redGo := write("x_sub_test.go", "package x\n\nimport \"testing\"\n\nfunc TestSub(t *testing.T) {\n\tif Sub() != 1 {\n\t\tt.Error(\"sub\")\n\t}\n}\n")
	greenGo := write("sub.go", "package x\n\nfunc Sub() int { return 1 }\n")
	const both = "a completed, b completed"
	for name, c := range map[string]struct {
		name, command, want string
		one, two            []nebula.Task
	}{
		"says so":           {"write a failing test for sub", "", both, []nebula.Task{red}, []nebula.Task{green}},
		"says so, japanese": {"sub の失敗するテストを書く", "", both, []nebula.Task{loads, write("notes.py", "x = 1\n")}, []nebula.Task{green}},
		"only tests":        {"add a test for sub", "", both, []nebula.Task{red}, []nebula.Task{green}},
		"by a command":      {"tests first", "pytest -q", both, []nebula.Task{red}, []nebula.Task{green}},
		"go":                {"write a test that fails", "", both, []nebula.Task{redGo}, []nebula.Task{greenGo}},
		"stays red":         {"write a failing test for sub", "", "a completed, b failed", []nebula.Task{red}, []nebula.Task{wrong}},
		"wrote code":        {"write sub", "", "a failed, b pending", []nebula.Task{red, write("notes.py", "x = 1\n")}, []nebula.Task{green}},
		"broke a test":      {"write a failing test for sub", "", "a failed, b pending", []nebula.Task{loads, do("executeShell", "command", "sed -i s/+/-/ calc.py")}, []nebula.Task{green}},
		"last":              {"write a failing test for sub", "", "a completed, b failed", []nebula.Task{write("test_ok.py", "def test_ok():\n    pass\n")}, []nebula.Task{red}},
	} {
		t.Run(name, func(t *testing.T) {
			o := newOffice(t)
			o.check = func() bool { return true }
			if name == "go" {
				o.put("go.mod", "module x\n\ngo 1.21\n")
				o.put("x.go", "package x\n\nfunc Add() int { return 1 }\n")
				o.put("x_test.go", "package x\n\nimport \"testing\"\n\nfunc TestAdd(t *testing.T) {\n\tif Add() != 1 {\n\t\tt.Error(\"add\")\n\t}\n}\n")
			} else if err != nil {
				t.Skip("pytest is not installed")
			} else {
				o.put("calc.py", "def add(a, b):\n    return a + b\n")
				o.put("test_calc.py", good)
			}
			o.agent = func(said string, n int) []nebula.Task {
				switch {
				case n > 0:
					return nil
				case strings.HasPrefix(said, "### The step\na "):
					return c.one
				}
				return c.two
			}
			o.open()
			a, b := step("a", nil), step("b", []string{"a"})
			a.Name, a.Files, a.Verify = c.name, nil, nebula.Verify{Tests: c.command == "", Command: c.command}
			b.Name, b.Files, b.Verify = "the code of it", nil, nebula.Verify{Tests: true}
			o.planned(a, b)
			e := o.run(task.Request{})
			if stages(e.Plan) != c.want {
				for _, s := range e.Plan.Steps {
					t.Logf("%+v %+v", s.Report, e.Plan.Before)
				}
				t.Fatalf("%s, want %s", stages(e.Plan), c.want)
			}
			if done := e.Plan.Steps[0].Evidence; c.want == both && (done.How == nebula.Unchecked || !strings.Contains(done.Detail, "left for a later step: ")) {
				t.Errorf("it is known by %+v", done)
			}
		})
	}
}
