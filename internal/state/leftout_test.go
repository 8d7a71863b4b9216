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
