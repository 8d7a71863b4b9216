package state

import (
	"testing"

	"nebula"
)

// What fails since a file was changed, and did not before, is broken, whatever is said of it; what the record, or the request, shows as
// failing before is not.
func TestWhatPassedBeforeAChangeIsBroken(t *testing.T) {
	zero, one := 0, 1
	edit := nebula.Result{Changes: []nebula.Change{{Path: "a.py", Kind: "edit"}}}
	run := func(failing ...string) nebula.Result {
		if len(failing) == 0 {
			return nebula.Result{Exit: &zero, Tests: &nebula.TestReport{Command: "pytest", Passed: 3, OK: true}}
		}
		return nebula.Result{Exit: &one, Tests: &nebula.TestReport{Command: "pytest", Passed: 1, Failed: len(failing), Failing: failing}}
	}
	only := run("t.py::test_b")
	only.Tests.Command = "pytest t.py::test_b"
	both := run("t.py::test_add")
	both.Changes = edit.Changes
	nameless := run("?")
	nameless.Tests.Failing = nil
	for name, c := range map[string]struct {
		results []nebula.Result
		asks    string
		broke   bool
	}{
		"green, then red":           {[]nebula.Result{run(), edit, run("t.py::test_add")}, "tidy a.py", true},
		"never run before":          {[]nebula.Result{edit, run("t.py::test_add")}, "tidy a.py", true},
		"another one":               {[]nebula.Result{run("t.py::test_b"), edit, run("t.py::test_b", "t.py::test_add")}, "tidy a.py", true},
		"mended, then broken":       {[]nebula.Result{run("t.py::test_add"), edit, run(), edit, run("t.py::test_add")}, "tidy a.py", true},
		"by the run's own line":     {[]nebula.Result{both}, "tidy a.py", true},
		"without a name":            {[]nebula.Result{run(), edit, nameless}, "tidy a.py", true},
		"red as before":             {[]nebula.Result{run("t.py::test_add"), edit, run("t.py::test_add")}, "tidy a.py", false},
		"one of two before, picked": {[]nebula.Result{run("t.py::test_add"), only, edit, run("t.py::test_add", "t.py::test_b")}, "tidy a.py", false},
		"picked since":              {[]nebula.Result{run("t.py::test_add", "t.py::test_b"), edit, only, run("t.py::test_add")}, "tidy a.py", false},
		"without a name, as before": {[]nebula.Result{nameless, edit, nameless}, "tidy a.py", false},
		"as the request says":       {[]nebula.Result{edit, run("t.py::test_add")}, "tidy a.py; test_add fails without a network", false},
		"changed behind the run":    {[]nebula.Result{run("t.py::test_add"), edit}, "tidy a.py", false},
		"nothing changed":           {[]nebula.Result{run("t.py::test_add")}, "run the tests", false},
	} {
		s := New()
		s.Apply(nebula.Event{Seq: 1, Body: nebula.Submitted{Turn: 1, Text: c.asks}})
		for _, r := range c.results {
			line := "pytest"
			if r.Tests != nil && len(r.Changes) > 0 {
				line = "sed -i s/a/b/ a.py && pytest"
			}
			s.Evidence = s.Evidence.Finished(ran(line, 0, "").action, r)
		}
		if s.Evidence.Broke(c.asks) != c.broke {
			t.Errorf("%s: not %v", name, c.broke)
		}
		if s.Apply(nebula.Event{Seq: 2, Body: nebula.Ended{}}); s.Evidence.Broke(c.asks) {
			t.Errorf("%s: it failed before the next turn", name)
		}
	}
}
