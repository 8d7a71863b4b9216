package state

import (
	"testing"

	"nebula"
)

// What a command shows of a file that was changed is told by what it runs, and by whether a failure would have been seen.
func TestWhatACommandShows(t *testing.T) {
	edited := func(path string) Evidence {
		return Evidence{}.Finished(nebula.Action{}, nebula.Result{Changes: []nebula.Change{{Path: path, Kind: "edit"}}})
	}
	type line struct{ command, text string }
	for path, lines := range map[string][]line{
		"a.py": {
			{"python3 test_a.py 2>&1 | head", ""}, {"python3 test_a.py 2>/dev/null | cat", ""}, {"python3 -m unittest test_b 2>&1 | grep -c FAILED", "1"},
			{"if python3 test_a.py; then echo ok; else echo no; fi", "no"}, {"if python3 test_a.py; then echo ok; fi", ""}, {"nohup python3 test_a.py &", ""},
			{"python3 -c 'import test_a'", ""}, {"python3 -c 'import tests.test_a'", ""},
			{"python3 -c 'try:\n import test_a\nexcept: pass'", ""}, {"python3 -c 'assert True'", ""}, {"python3 -c 'pass'", ""}, {"python3 -c ''", ""},
			{"python3 -c 'assert 1+2==3; print(\"add ok\")'", "add ok"}, {"python3 - <<X\nprint('all good')\nX", "all good"}, {"python3 /dev/null", ""},
			{"python3 README.md || python3 -c pass", ""}, {"sh -c 'exit 0'", ""}, {"bash -c true", ""}, {"env true", ""}, {"timeout 5 env X=1 true", ""}, {"diff a.py a.py", ""},
			{"cmp ./a.py a.py", ""}, {"awk 1 a.py", "x"}, {"md5sum a.py", "x"}, {"node app.js", ""}, {"python3 -m doctest a.py", ""}, {"python3 -W ignore -c 'assert 3 == 3'", ""},
			{"python3 -m unittest discover -p 'no*'", "\n-----\nRan 0 tests in 0.000s\n\nOK"}, {"pytest -k nothing || true", "no tests ran"}, {"pytest --collect-only", "3 tests collected"},
			{"python3 -c 'import sys; sys.exit(0)'", ""}, {"! python3 test_a.py", "AssertionError"}, {"while python3 test_a.py; do break; done", ""}, {"for f in a b; do python3 $f.py; done", "Traceback (most recent call last):"},
			{"go test ./...", "ok"}, {"set -e; true", ""}, {"npm test --if-present", ""}, {"git fsck", ""}, {"python3 -m pip list", ""}, {"xargs echo", ""}, {"bash -c 'python3 test_a.py; exit 0'", ""},
			{"f() { python3 test_a.py; }; f; true", ""}, {"python3 test_a.py; sleep 1", ""}, {"(python3 test_a.py &)", ""}, {"touch a.py", ""}, {"cp a.py b.py", ""},
		},
		"pkg/a/a.go": {{"go vet ./pkg/b", ""}, {"go vet", ""}, {"go test", "ok"}, {"go test ./pkg/b", "ok  \tx/pkg/b\t0.1s"}, {"cd pkg/b && go test ./...", "ok"}, {"cd pkg && go test", "ok"}, {"go test -run TestA/pkg/a ./pkg/b", "ok"}, {"go test x/y/pkg/b", "ok"}, {"go -C pkg/b vet ./...", ""}, {"go vet ./pkg/b/... ./cmd", ""}, {"go test ./...", "?   \tx\t[no test files]"}, {"go test -run TestNope ./...", "ok  \tx\t0.002s [no tests to run]"}, {"go test -list . ./...", "TestA"}, {"go test -c", ""}, {"gofmt -w a.go", ""},
			{"make clean", ""}, {"make help", "all"}, {"golangci-lint version", "v2"}, {"golangci-lint linters", "x"}, {"staticcheck -version", "x"}},
		"b.py": {{"pytest -k nothing", "3 deselected in 0.01s"}, {"pytest --fixtures", "x"}, {"black b.py", "1 file reformatted"}, {"ruff format b.py", ""}, {"isort b.py", ""}, {"printenv", ""}, {"jq . x.json", "{}"},
			{"python3 -m json.tool x.json", "{}"}, {"cloc .", "x"}, {"gh pr view", "x"}, {"docker ps", "x"}, {"yamllint x.yml", ""}, {"shellcheck x.sh", ""}, {"gcc -o x x.c", ""}, {"sqlite3 x.db .tables", ""}, {"dotnet --info", "x"}},
		"a.rs":                {{"cargo test nope", "running 0 tests\n\ntest result: ok. 0 passed; 0 failed; 0 ignored; 0 measured; 5 filtered out"}},
		"crates/a/src/lib.rs": {{"cargo test -p b", "test result: ok. 4 passed; 0 failed"}},
		"packages/web/x.js":   {{"npm test -w server", "3 passed"}},
		"a.js":                {{"npx jest -t nope", "Tests: 3 skipped, 3 total"}, {"prettier --write a.js", ""}},
		"web/app.js":          {{"python3 test_a.py", ""}, {"node -e 'console.log(2)'", "2"}, {"node --version", "v22"}, {"npm install", ""}, {"node -e 'require(\"fs\")'", ""}},
		"main.go":             {{"go version", ""}, {"go mod tidy", ""}, {"gofmt --help", ""}, {"python3 -m pytest", "3 passed"}, {"make -n", "go build"}, {"cargo build", ""}},
	} {
		for _, l := range lines {
			p := ran(l.command, 0, l.text)
			if edited(path).Finished(p.action, p.result).Missing("en") == "" {
				t.Errorf("%s is taken for evidence of %s", l.command, path)
			}
		}
	}
	for path, lines := range map[string][]line{
		"a.py": {
			{"python3 test_a.py", ""}, {"python3.12 -m pytest -q", "3 passed"}, {"python3 -c 'import a'", ""}, {"python3 -m py_compile a.py", ""}, {"python3 -c 'from a import add; print(add(1,2))'", "3"},
			{"python3 test_a.py 2>&1 | tail -5", "OK"}, {"timeout 60 python3 test_a.py", ""}, {"env PYTHONPATH=. pytest", "3 passed"}, {"cd sub && python3 -m unittest", "Ran 3 tests"}, {"sh -c 'cd sub; pytest -q'", "3 passed"},
			{"bash test.sh", ""}, {"set -e; python3 test_a.py; echo ok", "ok"}, {"python3 - <<'X'\nimport a\nassert a.add(1, 2) == 3\nX", ""}, {"if python3 test_a.py; then echo ok; else exit 1; fi", "ok"},
			{"python3 test_a.py && python3 test_b.py && echo fine", "fine"}, {"python3 -c \"import ast; ast.parse(open('a.py').read())\"", ""}, {"make test", ""}, {"./run.sh", ""}, {"uv run pytest", "1 passed"}, {"python3 -m doctest -v a.py", "3 passed and 0 failed.\nTest passed."},
			{"diff <(python3 a.py) expected.txt", ""}, {"python3 test_a.py > out.txt 2>&1", ""}, {"mypy a.py", "Success"}, {"for f in a b; do python3 $f.py; done", ""}, {"time python3 test_a.py", ""}, {"tox -e py", ""},
			{"docker compose run web pytest", "3 passed"}, {"python3 a.py < in.txt", ""}, {"echo 1 | python3 a.py", "2"}, {"python3 ./a", ""},
		},
		"web/app.js": {{"node app.js", ""}, {"npm test", ""}, {"npx jest", "Tests: 3 passed"}, {"node --check app.js", ""}, {"node -e 'require(\"./app\")'", ""}, {"npm run build", ""}, {"tsc --noEmit", ""}},
		"main.go":    {{"go build ./...", ""}, {"go vet ./... 2>&1 | tail -3", ""}, {"go test ./... | tail -20", "ok"}, {"go run .", "hi"}, {"gofmt -l .", ""}, {"golangci-lint run", ""}},
		"pkg/a/a.go": {{"go vet ./pkg/a", ""}, {"go vet ./pkg/...", ""}, {"go vet ./...", ""}, {"cd pkg/a && go vet", ""}, {"go -C pkg/a test", "ok"}, {"cd /work/x && go test ./...", "ok"}, {"go test -run TestX/sub ./pkg/a", "ok"}, {"go test x/y/pkg/a", "ok"}, {"cd pkg && go test ./...", "ok"}, {"go build ./cmd/app", ""}, {"go test ./...", "?   \tx\t[no test files]\nok  \tx/a\t0.1s"},
			{"go test ./...", "ok  \tx\t(cached)\nok  \ty\t0.002s [no tests to run]"}, {"make", ""}, {"make clean test", ""}, {"gofmt -l .", ""}},
		"b.py":      {{"pytest -k some", "3 passed, 2 deselected in 0.01s"}, {"black --check b.py", ""}, {"ruff check .", ""}, {"ruff format --check", ""}, {"docker compose exec web pytest", "3 passed"}},
		"x.sh":      {{"shellcheck x.sh", ""}, {"bash x.sh", ""}},
		"x.json":    {{"jq . x.json", "{}"}, {"python3 -m json.tool x.json", "{}"}},
		"a.rs":      {{"cargo test", "test result: ok. 4 passed; 0 failed\n   Doc-tests x\nrunning 0 tests\n\ntest result: ok. 0 passed; 0 failed"}},
		"x.c":       {{"gcc -o x x.c", ""}},
		"a.js":      {{"prettier --check .", ""}, {"npx jest", "Tests: 1 skipped, 2 passed, 3 total"}},
		"conf.yaml": {{"yamllint conf.yaml", ""}, {"python3 app.py", ""}, {"go test ./...", "ok"}, {"docker compose config -q", ""}},
	} {
		for _, l := range lines {
			p := ran(l.command, 0, l.text)
			if why := edited(path).Finished(p.action, p.result).Missing("en"); why != "" {
				t.Errorf("%s: %s", l.command, why)
			}
		}
	}
	// tests that only a text tells of ran nowhere
	said := tested(0, "=== 3 passed in 0.1s ===")
	said.action = ran("echo '=== 3 passed in 0.1s ==='", 0, "").action
	if edited("a.py").Finished(said.action, said.result).Missing("en") == "" {
		t.Error("tests that were only told of are evidence")
	}
}

// Tests that were counted, of which none failed, show the change also where what ends the line only looks.
func TestWhatOnlyLooksBehindCountedTestsTakesNothingFromThem(t *testing.T) {
	edited := Evidence{}.changed([]nebula.Change{{Path: "cart.py", Kind: "edit"}})
	for line, shown := range map[string]bool{
		"pytest -q; git diff --stat": true, "pytest -q; echo exit=$?": true, "pytest -q > out.txt 2>&1; tail -1 out.txt": true, "cd . && pytest -q; git status; ls": true, "pytest -q 2>&1\ncat cart.py": true,
		"true; git diff": false, "pytest -q; mypy .; git diff": false, "pytest -q > out.txt; tail -1 old.txt": false, "pytest -q > /dev/null 2>&1; cat old.txt": false, "pytest -q >/dev/null; echo 3 passed": false, "pytest -q; echo 3 passed": false, "cat old.txt; ls": false, "pytest -q; sed -i 1d cart.py": false,
	} {
		p := ran(line, 0, "3 passed in 0.1s")
		p.result.Tests = &nebula.TestReport{Passed: 3, OK: true, Command: line}
		if why := edited.Finished(p.action, p.result).Against("All tests pass.", "en"); (why == "") != shown {
			t.Errorf("%s: %q", line, why)
		}
	}
	bad := ran("pytest -q; git diff", 0, "1 failed, 2 passed in 0.1s")
	bad.result.Tests = &nebula.TestReport{Passed: 2, Failed: 1}
	if edited.Finished(bad.action, bad.result).Against("All tests pass.", "en") == "" {
		t.Error("a test failed")
	}
}
