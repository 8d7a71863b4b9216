package state

import (
	"fmt"
	"strings"
	"testing"

	"nebula"
)

// A long failing run is told once; of the next its new failures whole, what fails still by name, and nothing of what it does not say.
func TestALongFailingRunIsToldOnce(t *testing.T) {
	block := func(n int, got string) string {
		var b strings.Builder
		fmt.Fprintf(&b, "--- FAIL: Test%02d (0.%02ds)\n", n, n%7)
		for line := range 12 {
			fmt.Fprintf(&b, "    x_test.go:%d: case %d of %d: got %s, want a value that is long enough to matter\n", 10*n+line, line, n, got)
		}
		return b.String()
	}
	run := func(fails ...string) nebula.Result {
		one := 1
		text := fmt.Sprintf("Tests failed (%d failed): go test ./...\nFailed:\n", len(fails))
		for n, got := range fails {
			if got != "" {
				text += block(n, got)
			}
		}
		return nebula.Result{Status: nebula.Failed, Exit: &one, Text: text + "FAIL\tx\t0.4s\n", Tests: &nebula.TestReport{Failed: len(fails)}}
	}
	s := New()
	s.Lang = "en"
	told := func(r nebula.Result) string {
		r = s.Rerun(r)
		s.Turn.Results = []nebula.Result{r}
		s.observe(nebula.Observed{Messages: []nebula.Message{{Role: nebula.ToolRole, Parts: nebula.Text(r.Text)}}})
		return r.Text
	}
	fails := strings.Fields(strings.Repeat("3 ", 20))
	whole := run(fails...).Text
	if told(run(fails...)) != whole {
		t.Error("the first run is told as it is")
	}
	fails[4], fails[9] = "", "another value"
	again := told(run(fails...))
	if len(again) > len(whole)/6 || strings.Contains(again, "Test04") || strings.Count(again, "got another value") != 12 || strings.Count(again, "--- FAIL: ") != 19 {
		t.Errorf("%d of %d bytes:\n%s", len(again), len(whole), again)
	}
	fails[9] = ""
	if again = told(run(fails...)); len(again) > len(whole)/6 || strings.Contains(again, "another") || strings.Count(again, "--- FAIL: ") != 18 {
		t.Errorf("%d bytes:\n%s", len(again), again)
	}
	s.Compact.Dropped = 1
	if told(run(fails...)) != run(fails...).Text {
		t.Error("what the model reads no more is referred to")
	}
	if told(run(strings.Fields(strings.Repeat("7 ", 20))...)) != run(strings.Fields(strings.Repeat("7 ", 20))...).Text {
		t.Error("another run is not told as it is")
	}
	told(nebula.Result{Status: nebula.Done, Text: "ok", Tests: &nebula.TestReport{Passed: 1, OK: true}})
	if told(run(fails...)) != run(fails...).Text {
		t.Error("behind a run that passed it is not told as it is")
	}
	short := run("3")
	if told(short); told(short) != short.Text {
		t.Error("a short run is told as it is")
	}
}
