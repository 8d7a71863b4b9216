package tool_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"testing"
	"time"

	"nebula"
	"nebula/internal/tool"
)

func needShell(t *testing.T) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the command lines are sh's")
	}
}

func TestCommandsTellWhatHappened(t *testing.T) {
	needShell(t)
	f := newFolder(t, tool.Options{Output: 300}, map[string]string{"a": "1\n", "b": "1\n"})
	for _, tt := range []struct {
		line   string
		status nebula.Status
		want   []string
	}{
		{"echo hello", nebula.Done, []string{"exit 0 (", "\nhello"}},
		{"true", nebula.Done, []string{"(no output)"}},
		{"echo oops >&2; exit 3", nebula.Failed, []string{"exit 3 (", "oops"}},
		{"kill -9 $$", nebula.Failed, []string{"exit 137 (killed"}},
		{"seq 1 1000", nebula.Done, []string{"\n1\n2\n", "3.6 KB left out here", "\n999\n1000"}},
		{`printf '\033[31mred\033[0m \033]0;title\007x\a\377\n'`, nebula.Done, []string{"\nred x�"}},
		{`printf '10%%\r50%%\r100%%\n'`, nebula.Done, []string{"\n100%"}},
		{"sleep 100 & echo started", nebula.Done, []string{"started", "[1 process that it left running ended with it]"}},
		{"echo 2 > a; rm b; mkdir d; echo 3 > d/c", nebula.Done, []string{"[files changed: edit a, delete b, create d/c]"}},
	} {
		r := f.must("executeShell", args{"command": tt.line})
		for _, want := range tt.want {
			if !strings.Contains(r.Text, want) {
				t.Errorf("%s: %q has no %q", tt.line, r.Text, want)
			}
		}
		if r.Status != tt.status || r.Exit == nil {
			t.Errorf("%s: status %s, exit %v", tt.line, r.Status, r.Exit)
		}
	}
}

func TestCommandEndsAtTheTimeoutItNames(t *testing.T) {
	needShell(t)
	f := newFolder(t, tool.Options{}, nil)
	r := f.must("executeShell", args{"command": "echo begun; sleep 100", "timeout": 0.3})
	if r.Status != nebula.Failed || !strings.Contains(r.Text, "Ended at its time limit of 0.3 s") || !strings.Contains(r.Text, "begun") || !strings.Contains(r.Text, "up to 600 s") {
		t.Errorf("%s: %q", r.Status, r.Text)
	}
}

func TestStoppedCommandStillTellsWhatItChanged(t *testing.T) {
	needShell(t)
	f := newFolder(t, tool.Options{}, map[string]string{"a": "1\n"})
	p, err := f.propose("executeShell", args{"command": "echo 2 > a; echo up; sleep 100"})
	if err != nil {
		t.Fatal(err)
	}
	g := nebula.NewGrant("g", "test", p)
	if err := g.Open(p); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	r, err := p.Do(ctx, nebula.Run{Grant: g, Output: func([]byte) { cancel() }})
	if err != nil || r.Status != nebula.Failed || len(r.Changes) != 1 || r.Changes[0].Path != "a" {
		t.Errorf("%+v, %v", r, err)
	}
}

// Where there is no room for what undo needs, commands still run, and say so.
func TestCommandRunsWithoutRoomForUndo(t *testing.T) {
	needShell(t)
	f := newFolder(t, tool.Options{}, map[string]string{"a": "1\n"})
	t.Setenv("TMPDIR", filepath.Join(f.d.Path(), "none"))
	r := f.must("executeShell", args{"command": "echo 2 > a"})
	if r.Status != nebula.Done || len(r.Changes) > 0 || !strings.Contains(r.Text, "undo does not cover it") {
		t.Errorf("%+v", r)
	}
}

func TestCommandSeesNoKey(t *testing.T) {
	needShell(t)
	t.Setenv("OPENAI_API_KEY", "canary-key")
	t.Setenv("HARMLESS", "has-canary-key-inside")
	f := newFolder(t, tool.Options{Secrets: []string{"canary-key"}}, nil)
	if r := f.must("executeShell", args{"command": "env"}); strings.Contains(r.Text, "canary") {
		t.Error(r.Text)
	}
}

func TestTestRunnerIsFound(t *testing.T) {
	const pkg = `{"scripts":{"test":"vitest run"}}`
	py := "import unittest\n"
	for _, tt := range []struct {
		name  string
		files map[string]string
		want  string // or "!" and a part of the mistake
	}{
		{"go", map[string]string{"go.mod": "module m\n"}, "go test -json ./..."},
		{"go workspace", map[string]string{"go.work": "go 1.26\n\nuse (\n\t./a\n\t./b\n)\n"}, "go test -json ./a/... ./b/..."},
		{"rust", map[string]string{"Cargo.toml": "[package]\n"}, "cargo test --no-fail-fast"},
		{"rust workspace", map[string]string{"Cargo.toml": "[workspace]\n"}, "cargo test --workspace --no-fail-fast"},
		{"npm", map[string]string{"package.json": pkg}, "npm test"},
		{"pnpm", map[string]string{"package.json": pkg, "pnpm-lock.yaml": ""}, "pnpm test"},
		{"yarn", map[string]string{"package.json": pkg, "yarn.lock": ""}, "yarn test"},
		{"bun", map[string]string{"package.json": pkg, "bun.lock": ""}, "bun run test"},
		{"as packageManager says", map[string]string{"package.json": `{"packageManager":"pnpm@9.1.0","scripts":{"test":"x"}}`}, "pnpm test"},
		{"jest without script", map[string]string{"package.json": `{"devDependencies":{"jest":"^29"}}`}, "npx --no-install jest"},
		{"node's own", map[string]string{"package.json": `{"scripts":{"test":"echo \"Error: no test specified\" && exit 1"}}`, "a.test.js": ""}, "node --test"},
		{"maven", map[string]string{"pom.xml": ""}, "mvn -B test"},
		{"gradle wrapper", map[string]string{"build.gradle.kts": "", "gradlew": ""}, "sh ./gradlew test --console=plain"},
		{"pytest", map[string]string{"pyproject.toml": "[tool.pytest.ini_options]\n", "tests/test_a.py": ""}, "python3 -m pytest"},
		{"pytest in a venv", map[string]string{"conftest.py": "", "test_a.py": "", ".venv/pyvenv.cfg": ""}, ".venv/bin/python -m pytest"},
		{"uv", map[string]string{"pyproject.toml": "pytest\n", "uv.lock": "", "test_a.py": ""}, "uv run python -m pytest"},
		{"unittest", map[string]string{"test_a.py": py}, "python3 -m unittest discover -v"},
		{"unittest, named the other way", map[string]string{"a_test.py": py}, "python3 -m unittest discover -v -p '*_test.py'"},
		{"unittest, named both ways", map[string]string{"a_test.py": py, "test_b.py": py}, "python3 -m unittest discover -v -p '*test*.py'"},
		{"unittest in tests, named the other way", map[string]string{"tests/a_test.py": py}, "python3 -m unittest discover -v -s tests -p '*_test.py'"},
		{"unittest in tests", map[string]string{"tests/test_a.py": py}, "python3 -m unittest discover -v -s tests"},
		{"unittest in a package", map[string]string{"tests/test_a.py": py, "tests/__init__.py": ""}, "python3 -m unittest discover -v"},
		{"django", map[string]string{"manage.py": "", "shop/tests.py": ""}, "python3 manage.py test"},
		{"make", map[string]string{"Makefile": "all:\n\ntest: all\n\t./run\n"}, "make test"},
		{"make check", map[string]string{"Makefile": "CHECK := x\ncheck:\n\t./run\n"}, "make check"},
		{"one language and make", map[string]string{"go.mod": "module m\n", "Makefile": "test:\n\tgo test ./...\n"}, "go test -json ./..."},
		{"two languages and make", map[string]string{"go.mod": "module m\n", "package.json": pkg, "Makefile": "test:\n\t./all\n"}, "make test"},
		{"two languages", map[string]string{"go.mod": "module m\n", "package.json": pkg}, "go test -json ./..."},
		{"tooling is no language", map[string]string{"package.json": `{"devDependencies":{"prettier":"3"}}`, "test_a.py": py}, "python3 -m unittest discover -v"},
		{"in a directory", map[string]string{"README.md": "", "services/my api/go.mod": "module m\n"}, "cd 'services/my api' && go test -json ./..."},
		{"in several", map[string]string{"a/go.mod": "module a\n", "b/Cargo.toml": ""}, "!several projects: a, b"},
		{"not in dependencies", map[string]string{"node_modules/x/package.json": pkg, "vendor/y/go.mod": ""}, "!No way to run tests"},
		{"nothing", map[string]string{"README.md": ""}, "!No way to run tests"},
		{"broken package.json", map[string]string{"package.json": "{"}, "!No way to run tests"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			needShell(t)
			f := newFolder(t, tool.Options{}, tt.files)
			p, err := f.propose("runTests", args{})
			if part, wrong := strings.CutPrefix(tt.want, "!"); wrong {
				if err == nil || !strings.Contains(err.Error(), part) {
					t.Errorf("%q, %v; want %q", p.Command, err, part)
				}
				return
			}
			if err != nil || p.Command != tt.want {
				t.Errorf("%q, want %q; %v", p.Command, tt.want, err)
			}
		})
	}
}

func TestGoTestsAreRunAndCounted(t *testing.T) {
	needShell(t)
	f := newFolder(t, tool.Options{}, map[string]string{
		"go.mod": "module demo\n\ngo 1.26\n",
		"a_test.go": "package demo\n\nimport \"testing\"\n\nfunc TestGood(t *testing.T) { t.Log(\"chatter\") }\n" +
			"func TestBad(t *testing.T) { t.Errorf(\"got %d, want %d\", 1, 2) }\nfunc TestLater(t *testing.T) { t.Skip() }\n",
	})
	var live strings.Builder
	p, err := f.propose("runTests", args{})
	if err != nil {
		t.Fatal(err)
	}
	g := nebula.NewGrant("g", "test", p)
	if err := g.Open(p); err != nil {
		t.Fatal(err)
	}
	r, err := p.Do(t.Context(), nebula.Run{Grant: g, Output: func(b []byte) { live.Write(b) }})
	if err != nil {
		t.Fatal(err)
	}
	want := nebula.TestReport{Command: "go test -json ./...", Passed: 1, Failed: 1, Skipped: 1, Failing: []string{"demo TestBad"}}
	if r.Tests == nil || !reflect.DeepEqual(*r.Tests, want) || r.Status != nebula.Failed || r.Summary != "Tests failed (1 passed, 1 failed, 1 skipped)" {
		t.Errorf("%+v, %s, %q", r.Tests, r.Status, r.Summary)
	}
	if !strings.HasPrefix(r.Text, "Tests failed (1 passed, 1 failed, 1 skipped): go test -json ./...\nexit 1") ||
		!strings.Contains(r.Text, "Failed:\n  demo TestBad\n") || !strings.Contains(r.Text, "a_test.go:6: got 1, want 2") || strings.Contains(r.Text, "chatter") {
		t.Errorf("%s", r.Text)
	}
	if strings.Contains(live.String(), `"Action"`) || !strings.Contains(live.String(), "--- FAIL: TestBad") {
		t.Errorf("live output:\n%s", live.String())
	}
	f.put(map[string]string{"a_test.go": "package demo\n\nimport \"testing\"\n\nfunc TestGood(t *testing.T) {}\n"})
	for command, report := range map[string]string{"go test -run Test ./...": "It works.", "true": ""} { // told of packages alone, and of nothing
		if r := f.must("runTests", args{"command": command, "whenPassed": "It works."}); r.Report != report {
			t.Errorf("%s: reports %q: %+v", command, r.Report, r.Tests)
		}
	}
	if r := f.must("runTests", args{}); !r.Tests.OK || r.Status != nebula.Done || r.Tests.Passed != 1 || strings.Contains(r.Text, "--- PASS") {
		t.Errorf("%+v: %s", r.Tests, r.Text)
	}
	f.put(map[string]string{"b.go": "package demo\n\nfunc f() int { return \"x\" }\n"})
	if r := f.must("runTests", args{}); r.Tests.OK || r.Tests.Failed < 1 || !strings.Contains(r.Text, "b.go:3:23: cannot use") {
		t.Errorf("%+v: %s", r.Tests, r.Text)
	}
}

func TestOtherRunnersAreRunAndCounted(t *testing.T) {
	needShell(t)
	for _, tt := range []struct {
		program string
		files   map[string]string
		want    nebula.TestReport
		text    string
	}{
		{"node", map[string]string{
			"package.json": `{"name":"x","scripts":{"test":"node --test"}}`,
			"a.test.js":    "const test = require('node:test');\ntest('good', () => {});\ntest('bad', () => { throw new Error('boom'); });\n",
		}, nebula.TestReport{Command: "npm test", Passed: 1, Failed: 1}, "boom"},
		{"python3", map[string]string{
			"test_a.py": "import unittest\nclass A(unittest.TestCase):\n    def test_good(self): pass\n    def test_bad(self): self.assertEqual(1, 2)\n",
		}, nebula.TestReport{Command: "python3 -m unittest discover -v", Passed: 1, Failed: 1}, "1 != 2"},
		{"python3", map[string]string{
			"a_test.py": "import unittest\nclass A(unittest.TestCase):\n    def test_good(self): pass\n    def test_bad(self): self.assertEqual(1, 2)\n",
		}, nebula.TestReport{Command: "python3 -m unittest discover -v -p '*_test.py'", Passed: 1, Failed: 1}, "1 != 2"},
		{"make", map[string]string{"Makefile": "test:\n\t@echo '1..2'; echo 'ok 1 - good'; echo 'not ok 2 - bad'; exit 1\n"},
			nebula.TestReport{Command: "make test", Passed: 1, Failed: 1}, "not ok 2 - bad"},
	} {
		t.Run(tt.program, func(t *testing.T) {
			if _, err := exec.LookPath(tt.program); err != nil {
				t.Skip(err)
			}
			f := newFolder(t, tool.Options{}, tt.files)
			r := f.must("runTests", args{})
			if r.Tests.Failing = nil; !reflect.DeepEqual(*r.Tests, tt.want) || r.Status != nebula.Failed || !strings.Contains(r.Text, tt.text) {
				t.Errorf("%+v, want %+v\n%s", *r.Tests, tt.want, r.Text)
			}
		})
	}
}

// Tests that a command of the model's own runs are told of too, whatever stands behind a pipe; what only shows the output of others
// runs none.
func TestTestsThatACommandRunsAreTold(t *testing.T) {
	needShell(t)
	const fails, passes = `printf -- '--- FAIL: TestA (0.00s)\nFAIL\tx\t0.1s\n'`, `printf 'ok  \tx\t0.1s\n'`
	f := newFolder(t, tool.Options{}, map[string]string{"fails": "#!/bin/sh\n" + fails + "\n", "passes": "#!/bin/sh\n" + passes + "\n", "old.log": "--- FAIL: TestA (0.00s)\n"})
	for command, want := range map[string]string{
		"sh fails; exit 1": "failed", "sh fails | tail -5": "failed", "cd . && sh passes | cat": "passed", "sh passes": "passed",
		"sh passes; exit 1": "", "cat old.log": "", "grep FAIL old.log | head -1": "", fails: "", "echo hello": "", "true": "",
	} {
		got := ""
		if r := f.must("executeShell", args{"command": command}); r.Tests != nil && r.Tests.OK {
			got = "passed"
		} else if r.Tests != nil {
			got = "failed"
		}
		if got != want {
			t.Errorf("%s: %q, want %q", command, got, want)
		}
	}
}

func TestCountsThatAreNotToldAreUnknown(t *testing.T) {
	needShell(t)
	f := newFolder(t, tool.Options{}, nil)
	r := f.must("runTests", args{"command": "echo fine"})
	if want := (nebula.TestReport{Command: "echo fine", Passed: -1, Failed: -1, Skipped: -1, OK: true}); !reflect.DeepEqual(*r.Tests, want) || !strings.Contains(r.Text, "fine") {
		t.Errorf("%+v\n%s", *r.Tests, r.Text)
	}
	if r := f.must("runTests", args{"command": "no-such-runner"}); r.Tests != nil || r.Status != nebula.Failed || !strings.Contains(r.Text, "The tests did not run: no-such-runner is not there") || !strings.Contains(r.Text, "No test failed.") {
		t.Errorf("%+v\n%s", r.Tests, r.Text)
	}
}

func TestFolderThatVanishesIsSaid(t *testing.T) {
	f := newFolder(t, tool.Options{}, nil)
	p, err := f.propose("executeShell", args{"command": "echo"})
	if err != nil {
		t.Fatal(err)
	}
	g := nebula.NewGrant("g", "test", p)
	if err := g.Open(p); err != nil {
		t.Fatal(err)
	}
	if os.Rename(f.d.Path(), f.d.Path()+".away") != nil {
		t.Skip("an open folder cannot be moved here")
	}
	t.Cleanup(func() { os.RemoveAll(f.d.Path() + ".away") })
	if _, err := p.Do(t.Context(), nebula.Run{Grant: g}); err == nil || !strings.Contains(err.Error(), filepath.Base(f.d.Path())) {
		t.Errorf("error %v", err)
	}
}

// The person's own test command runs when none is named, and says so: its word counts, whether or not it counts tests.
func TestThePersonsTestCommandIsTaken(t *testing.T) {
	needShell(t)
	f := newFolder(t, tool.Options{Tests: "echo all well"}, nil)
	if r := f.must("runTests", args{}); r.Tests == nil || !r.Tests.Chosen || !strings.Contains(r.Text, "all well") {
		t.Errorf("%+v %s", r.Tests, r.Text)
	}
	if r := f.must("runTests", args{"command": "echo another"}); r.Tests.Chosen {
		t.Error("the model's own command is taken for the person's")
	}
}
