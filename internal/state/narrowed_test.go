package state

import (
	"testing"

	"nebula"
)

// A run of some tests is told by its words, whatever runs them; a run of all is none.
func TestARunOfSomeTestsIsToldByItsWords(t *testing.T) {
	for line, want := range map[string]string{
		"go test ./...": "", "go test": "", "go test -race -count=1 ./...": "", "go test -run . ./...": "", "go test -v ./... 2>&1 | tail": "", "go test -run TestX ./...": "-run TestX", "go test -run=TestX": "-run TestX", "go test ./pkg/a": "./pkg/a",
		"cd a && go test -run 'TestX/y' .": "-run TestX/y", "go test -skip TestSlow ./...": "-skip TestSlow", "go test -timeout 5m ./...": "", "go test -run TestX ./... && go test ./...": "", "go vet ./pkg/a": "", "timeout 60 go test ./pkg/a": "./pkg/a",
		"pytest": "", "pytest -q tests": "", "pytest tests/": "", "pytest -k add": "-k add", "python3 -m pytest -x -k add": "-k add", "pytest tests/test_a.py": "tests/test_a.py", "pytest tests/test_a.py::test_x": "tests/test_a.py::test_x", "pytest --maxfail 1": "", "pytest --lf": "--lf",
		"python -m unittest": "", "python -m unittest discover": "", "python -m unittest tests.test_a": "tests.test_a", "uv run pytest -m fast": "-m fast", "sh -c 'pytest -k x'": "-k x",
		"npx vitest run": "", "npx vitest run src/a.test.ts": "src/a.test.ts", "vitest path": "path", "npx jest": "", "npx jest -t add": "-t add", "npx jest a": "a", "npx mocha": "", "npx mocha 'test/**/*.js'": "", "npx mocha --grep add": "--grep add", "npx mocha test/a.js": "test/a.js",
		"npm test": "", "npm test -- --grep add": "--grep add", "npm run test -- a.test.js": "a.test.js", "npm run build": "", "yarn test -t add": "-t add", "node --test": "", "node --test test/a.test.js": "test/a.test.js", "node a.js": "",
		"cargo test": "", "cargo test add": "add", "cargo test --lib": "--lib", "cargo build": "", "bundle exec rspec spec/a_spec.rb:3": "spec/a_spec.rb:3", "bundle exec rspec": "", "dotnet test --filter Name~Add": "--filter Name~Add", "mvn -q test -Dtest=AddTest": "-Dtest AddTest", "mvn -q test": "",
		"./gradlew test --tests AddTest": "--tests AddTest", "ctest -R add": "-R add", "ctest --output-on-failure": "", "make test": "", "python3 tests/test_a.py": "tests/test_a.py", "python3 tests/run.py": "", "python3 run_tests.py": "", "echo go test -run X": "",
	} {
		if got := Narrowed(line); got != want {
			t.Errorf("%s: %q, want %q", line, got, want)
		}
	}
}

// Tests that were picked show the change, and not that all pass: who says so is told what ran, until all ran or nothing of it is said.
func TestPickedTestsAreNotAllTests(t *testing.T) {
	test := func(e Evidence, line string, ok bool) Evidence {
		zero := 0
		return e.Finished(nebula.Action{Args: []byte(`{"command":"` + line + `"}`)}, nebula.Result{Exit: &zero, Text: "ok  \tx\t0.1s", Tests: &nebula.TestReport{Command: line, Passed: 1, OK: ok}})
	}
	edited := Evidence{}.changed([]nebula.Change{{Path: "a.go", Kind: "edit"}})
	some := test(edited, "go test -run TestX ./...", true)
	for said, against := range map[string]bool{
		"Fixed; all tests pass.": true, "Everything is fine, the whole test suite passes.": true, "すべてのテストが通りました。": true, "Every test passes now.": true,
		"The whole suite passes.": true, "The full suite is green.": true, "Fixed the bug; the test suite passes.": true, "Everything passes.": true, "テストスイート全体が通ります。": true, "The suite of -run TestX passes.": false, "The suite would pass.": false, "Everything that TestX needs is there.": false,
		"All twenty fees are right now, and their tests pass.": false,
		"Fixed; TestX passes.":                                 false, "The test passes.": false, "All tests of -run TestX pass.": false, "All the new tests pass.": false, "All tests for add pass.": false, "I did not run all tests.": false, "All tests should pass.": false,
	} {
		if got := some.Against(said, "en"); (got != "") != against {
			t.Errorf("%s: %q", said, got)
		}
	}
	const all = "All tests pass."
	if test(some, "go test ./...", true).Against(all, "en") != "" {
		t.Error("all ran, behind some")
	}
	if test(test(edited, "go test ./...", true), "go test -run TestX ./...", true).Against(all, "en") != "" {
		t.Error("all ran, before some")
	}
	again := test(edited, "go test ./...", true).changed([]nebula.Change{{Path: "b.go", Kind: "edit"}})
	if test(again, "go test -run TestX ./...", true).Against(all, "en") == "" {
		t.Error("all ran before the last edit")
	}
	if some.Missing("en") != "" {
		t.Error("the change was shown by a test")
	}
}
