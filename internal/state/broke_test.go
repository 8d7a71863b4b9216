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

// Whoever names what fails and says that it did before is not sent to make it pass where no test ran before; one that only says that it fails is.
func TestWhatFailedBeforeIsToldInManyWords(t *testing.T) {
	one := 1
	e := Evidence{}.Finished(ran("true", 0, "").action, nebula.Result{Changes: []nebula.Change{{Path: "a.py", Kind: "edit"}}})
	e = e.Finished(ran("pytest", 0, "").action, nebula.Result{Exit: &one, Tests: &nebula.TestReport{Command: "pytest", Passed: 1, Failed: 1, Failing: []string{"t.py::test_sub"}}})
	for say, before := range map[string]bool{
		"test_sub fails. That was so before.": true, "test_sub fails, as it did before.": true, "test_sub fails. It was broken before.": true, "test_sub fails; it was failing before.": true, "test_sub fails and did so before!": true, "test_sub は失敗します。前からです。": true, "test_sub が失敗しますが、前も失敗していました。": true,
		"test_sub fails.": false, "test_sub fails. I saw it before.": false, "test_sub fails. Was it that way?": false, "test_sub は失敗します。": false, "test_sub fails. Look at it before you go on.": false,
	} {
		if e.Predates("tidy a.py", say) != before {
			t.Errorf("%s: not %v", say, before)
		}
	}
}
