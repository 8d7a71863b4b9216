package state_test

import (
	"strings"
	"testing"

	"nebula"
	"nebula/internal/state"
)

// tried is a turn of a request, then changes with their diffs, then a run of tests that passes.
func tried(asks string, run nebula.Result, changes ...[2]string) *state.State {
	s := state.New()
	s.Apply(nebula.Event{Seq: 1, Body: nebula.Submitted{Turn: 1, Text: asks}})
	finish := func(a nebula.Action, p nebula.Proposal, r nebula.Result) {
		p.Action, r.Action, r.Status = a, a.ID, nebula.Done
		s.Apply(nebula.Event{Body: nebula.Replied{Turn: 1, Intent: nebula.Intent{Actions: []nebula.Action{a}}}})
		s.Apply(nebula.Event{Body: nebula.Proposed{Proposal: p}})
		s.Apply(nebula.Event{Body: nebula.Finished{Result: r}})
	}
	for _, c := range changes {
		file, lines, _ := strings.Cut(c[0], " ")
		kind, diff := "edit", "--- a/"+file+"\n+++ b/"+file+"\n@@ -1,3 +1,3 @@\n"
		if diff += c[1]; lines != "" {
			kind = lines
		}
		finish(nebula.Action{ID: "a1", Tool: "x", Args: []byte("{}")}, nebula.Proposal{Diff: diff}, nebula.Result{Changes: []nebula.Change{{Path: file, Kind: kind, Before: "1", After: map[bool]string{true: "", false: "2"}[kind == "delete"]}}})
	}
	finish(nebula.Action{ID: "a2", Tool: "runTests", Args: []byte("{}")}, nebula.Proposal{}, run)
	return s
}

func passing(n int, text string) nebula.Result {
	zero := 0
	return nebula.Result{Exit: &zero, Text: text, Tests: &nebula.TestReport{Passed: n, OK: true}}
}

// Who says that the tests pass and had some of them not run says that, too.
func TestTestsThatAreLeftOutAreToldOf(t *testing.T) {
	const done = "Fixed. All tests pass."
	for _, c := range []struct {
		name, asks, say string
		changes         [][2]string
		held            bool
	}{
		{"a skip", "fix it", done, [][2]string{{"a_test.go", " func TestA(t *testing.T) {\n+\tt.Skip(\"flaky\")\n"}}, true},
		{"a skip that is told of", "fix it", "Fixed. I skipped TestA. The tests pass.", [][2]string{{"a_test.go", "+\tt.Skip(\"flaky\")\n"}}, false},
		{"a skip that was asked for", "skip the flaky test", done, [][2]string{{"a_test.go", "+\tt.Skip(\"flaky\")\n"}}, false},
		{"a skip that was taken back", "fix it", done, [][2]string{{"a_test.go", "+\tt.Skip()\n"}, {"a_test.go", "-\tt.Skip()\n"}}, false},
		{"a skip in Python", "fix it", done, [][2]string{{"test_a.py", "+@pytest.mark.skip(reason='x')\n"}}, true},
		{"one in JavaScript", "fix it", done, [][2]string{{"a.test.ts", "-it('adds', () => {\n+it.skip('adds', () => {\n"}}, true},
		{"a file of tests that went", "fix it", done, [][2]string{{"a_test.go delete", ""}}, true},
		{"with what it tests", "remove the old parser", done, [][2]string{{"a_test.go delete", ""}}, false},
		{"a fixture", "fix it", done, [][2]string{{"tests/a.json delete", ""}}, false},
		{"a test that went", "fix it", done, [][2]string{{"a_test.go", "-func TestA(t *testing.T) {\n-\tt.Fatal(1)\n-}\n"}}, true},
		{"a test with another name", "fix it", done, [][2]string{{"a_test.go", "-func TestA(t *testing.T) {\n+func TestB(t *testing.T) {\n"}}, false},
		{"words in a text", "fix it", done, [][2]string{{"README.md", "+t.Skip() leaves it out\n"}}, false},
		{"a folder that is not collected", "fix it", done, [][2]string{{"conftest.py", "+collect_ignore = ['test_a.py']\n"}}, true},
		{"one that is collected again", "fix it", done, [][2]string{{"conftest.py", "-collect_ignore = ['test_a.py']\n"}}, false},
		{"options that leave a file out", "fix it", done, [][2]string{{"pytest.ini", "+addopts = -q --ignore=tests/test_a.py\n"}}, true},
		{"other options", "fix it", done, [][2]string{{"pytest.ini", "+addopts = -q --strict-markers\n"}}, false},
		{"options of another program", "fix it", done, [][2]string{{"setup.cfg", "+ignore = E501\n"}}, false},
		{"patterns that leave files out", "fix it", done, [][2]string{{"package.json", "+    \"testPathIgnorePatterns\": [\"a.test.js\"],\n"}}, true},
		{"a build that never is", "fix it", done, [][2]string{{"a_test.go", "+//go:build never\n"}}, true},
		{"a tag", "fix it", done, [][2]string{{"a_test.go", "+//go:build slow\n"}}, true},
		{"a tag that was asked for", "put the slow tests behind a build tag", done, [][2]string{{"a_test.go", "+//go:build slow\n"}}, false},
		{"a system", "fix it", done, [][2]string{{"a_test.go", "+//go:build linux\n"}}, false},
		{"all but one system", "fix it", done, [][2]string{{"a_test.go", "+//go:build !windows && go1.21\n"}}, false},
		{"a generator", "fix it", done, [][2]string{{"gen.go", "+//go:build ignore\n"}}, false},
		{"a release build", "fix it", done, [][2]string{{"debug.go", "+//go:build debug\n"}}, false},
		{"nothing said of tests", "fix it", "Fixed it.", [][2]string{{"a_test.go", "+\tt.Skip()\n"}}, false},
	} {
		s := tried(c.asks, passing(3, "ok"), c.changes...)
		if why := s.Evidence.Against(c.say, "en"); (why != "") != c.held || c.held && !strings.Contains(why, strings.Fields(c.changes[0][0])[0]) {
			t.Errorf("%s: %q", c.name, why)
		}
	}
}

// A number of tests that no run told of is not believed.
func TestANumberOfTestsThatNobodyCounted(t *testing.T) {
	for say, held := range map[string]bool{
		"Done: 57 tests pass.": true, "All 57 tests pass.": true, "Done. 57/57 tests passed.": true, "全57件のテストが通りました。": true, "テストが通りました。57件すべて成功しました。": true,
		"Done: 3 tests pass.": false, "All 3 tests pass.": false, "Tests pass, in 57 files.": false, "The tests pass. 57 lines went.": false, "12 new tests pass.": false,
	} {
		s := tried("fix it", passing(3, "ok pkg\n12 assertions"), [2]string{"a.go", "+x\n"})
		if why := s.Evidence.Against(say, "en"); (why != "") != held {
			t.Errorf("%s: %q", say, why)
		}
	}
	const pytest = "== test session starts ==\nplatform linux -- Python 3.12.45, pytest-8.3.44\ncollected 2 items\n\ntest_calc.py:77 ..   [100%]\n\n== 2 passed in 42.03s =="
	for say, held := range map[string]bool{
		"42 tests passed.": true, "5 passed.": true, "Fixed; 5 passed in 0.1s": true, "5件成功しました。": true, "2 passed.": false, "2 件成功しました。": false, "20 values passed to add.": false, "I fixed 5 lines.": false, "42件のテストが通りました。": true, "All 100 tests pass.": true, "2 tests passed.": false, "2件のテストが通りました。": false,
	} {
		s := tried("fix it", passing(2, pytest), [2]string{"a.go", "+x\n"})
		if why := s.Evidence.Against(say, "en"); (why != "") != held {
			t.Errorf("%s: %q", say, why)
		}
	}
	both := tried("fix it", passing(3, "ok"), [2]string{"a.go", "+x\n"})
	both.Evidence = both.Evidence.Finished(nebula.Action{Args: []byte("{}")}, passing(4, "ok"))
	if why := both.Evidence.Against("All 7 tests pass.", "en"); why != "" {
		t.Error("two runs: ", why)
	}
}

// Tests that were only to be printed did not run, and those of a short run are not all.
func TestARunThatIsNoneOrShort(t *testing.T) {
	zero := 0
	line := func(command string, tests *nebula.TestReport) state.Evidence {
		e := state.Evidence{}.Finished(nebula.Action{}, nebula.Result{Changes: []nebula.Change{{Path: "a.go", Kind: "edit"}}})
		return e.Finished(nebula.Action{Tool: "executeShell", Args: []byte(`{"command":"` + command + `"}`)}, nebula.Result{Exit: &zero, Text: "#\n# x\n#\n", Tests: tests})
	}
	if e := line("go test -n ./...", nil); e.Against("All tests pass.", "en") == "" || e.Missing("en") == "" {
		t.Error("go test -n is taken for a run")
	}
	for command, held := range map[string]bool{"go test -short ./...": true, "go test ./... -short": true, "go test ./...": false} {
		e := line(command, &nebula.TestReport{Command: command, Passed: 3, OK: true})
		if why := e.Against("All tests pass.", "en"); (why != "") != held || strings.Contains(why, "...") {
			t.Errorf("%s: %q", command, why)
		}
		if why := e.Against("The tests pass (-short).", "en"); why != "" {
			t.Errorf("%s: %q", command, why)
		}
	}
}

// Expected values that were made to fit, and assertions that went, are said once to whoever reads that the tests pass.
func TestExpectationsThatWereMadeToFitAreToldOf(t *testing.T) {
	const done = "Fixed. All tests pass."
	for _, c := range []struct {
		name, asks, say string
		change          [2]string
		told            bool
	}{
		{"another value", "fix add", done, [2]string{"test_a.py", "-    assert add(2, 2) == 5\n+    assert add(2, 2) == 4\n"}, true},
		{"a value below zero", "Fix add in calc.py", "Fixed, all tests pass.", [2]string{"test_a.py", "-    assert add(1, 2) == 3\n+    assert add(1, 2) == -1\n"}, true},
		{"another text", "fix the greeting", done, [2]string{"a.test.js", "-  expect(greet()).toBe('hello');\n+  expect(greet()).toBe('hullo');\n"}, true},
		{"a row of a table", "fix Add", done, [2]string{"a_test.go", "-\t\t{2, 2, 5},\n+\t\t{2, 2, 4},\n"}, true},
		{"a comparison", "fix Add", done, [2]string{"a_test.go", "-\tif got := Add(2, 2); got != 5 {\n+\tif got := Add(2, 2); got != 4 {\n"}, true},
		{"in Japanese", "addを直して", "直しました。テストはすべて通りました。", [2]string{"test_a.py", "-    assert add(2, 2) == 5\n+    assert add(2, 2) == 4\n"}, true},
		{"an assertion that went", "fix it", done, [2]string{"test_a.py", "-    assert add(2, 2) == 5\n"}, true},
		{"one that became a comment", "fix it", done, [2]string{"test_a.py", "-    assert add(2, 2) == 5\n+    # assert add(2, 2) == 5\n"}, true},
		{"t.Fatal that became t.Log", "fix it", done, [2]string{"a_test.go", "-\t\tt.Errorf(\"got %d\", got)\n+\t\tt.Logf(\"got %d\", got)\n"}, true},
		{"what the request names", "add(2, 2) should be 4", done, [2]string{"test_a.py", "-    assert add(2, 2) == 5\n+    assert add(2, 2) == 4\n"}, false},
		{"what it asks for", "update the expected values in the tests", done, [2]string{"test_a.py", "-    assert add(2, 2) == 5\n+    assert add(2, 2) == 4\n"}, false},
		{"a test that is wrong", "test_add is wrong, fix the test", done, [2]string{"test_a.py", "-    assert add(2, 2) == 5\n+    assert add(2, 2) == 4\n"}, false},
		{"what it asks for in Japanese", "テストの期待値を更新して", "直しました。テストはすべて通りました。", [2]string{"test_a.py", "-    assert add(2, 2) == 5\n+    assert add(2, 2) == 4\n"}, false},
		{"what the answer tells of", "fix add", "Fixed; the expected value in test_a.py was wrong, I changed it to 4. All tests pass.", [2]string{"test_a.py", "-    assert add(2, 2) == 5\n+    assert add(2, 2) == 4\n"}, false},
		{"with a new test", "fix add", "Fixed. All tests pass.", [2]string{"test_a.py", "+def test_b():\n+    assert add(2, 2) == 4\n"}, false},
		{"another name", "rename add to plus", done, [2]string{"test_a.py", "-    assert add(2, 2) == 4\n+    assert plus(2, 2) == 4\n"}, false},
		{"another form", "fix it", done, [2]string{"a_test.go", "-\tassert.Equal(t, 4, Add(2, 2))\n+\trequire.Equal(t, 4, Add(2, 2))\n"}, false},
		{"more of it", "fix it", done, [2]string{"test_a.py", "-    assert add(2, 2)\n+    assert add(2, 2) == 4\n+    assert add(1, 2) == 3\n"}, false},
		{"a name of what is tested", "fix it", done, [2]string{"a_test.go", "-\tdir := \"a\"\n+\tdir := \"b\"\n"}, false},
		{"a check in the code", "fix it", done, [2]string{"a.py", "-    assert n == 5\n+    assert n == 4\n"}, false},
		{"removed with what it tests", "remove the old parser and its tests", done, [2]string{"test_a.py", "-    assert add(2, 2) == 5\n"}, false},
		{"nothing said of tests", "fix it", "Fixed it.", [2]string{"test_a.py", "-    assert add(2, 2) == 5\n"}, false},
	} {
		s := tried(c.asks, passing(3, "ok"), c.change)
		if why := s.Evidence.Against(c.say, "en"); why != "" {
			t.Errorf("%s: held: %q", c.name, why)
		}
		if file := s.Evidence.MadeToFit(c.asks, c.say); (file != "") != c.told || c.told && file != c.change[0] {
			t.Errorf("%s: %q", c.name, file)
		}
	}
	s := tried("fix add", passing(3, "ok"), [2]string{"test_a.py", "-    assert add(2, 2) == 5\n+    assert add(2, 2) == 4\n"}, [2]string{"test_a.py", "-    assert add(2, 2) == 4\n+    assert add(2, 2) == 5\n"})
	if file := s.Evidence.MadeToFit("fix add", done); file != "" {
		t.Errorf("taken back: %q", file)
	}
}
