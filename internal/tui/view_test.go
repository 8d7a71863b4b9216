package tui

import (
	"strings"
	"testing"

	"nebula"
	"nebula/internal/terminal"
)

// seen is a conversation's text after some events.
func seen(bodies ...nebula.Body) string { return drawn(true, bodies...) }

func drawn(open bool, bodies ...nebula.Body) string {
	v := newView(wordsFor("en"))
	for _, b := range bodies {
		v.fold(nebula.Event{At: noon, Body: b})
	}
	d := drawer{words: wordsFor("en"), style: styleFor(NoColor, false), width: 100}
	var rows []string
	for _, b := range v.blocks {
		b.open = open
		for _, r := range d.layout(b) {
			rows = append(rows, terminal.Unpainted(r))
		}
	}
	return strings.Join(rows, "\n")
}

// TestNothingThatWasSaidIsLost ends replies with more, less and other text than they streamed.
func TestNothingThatWasSaidIsLost(t *testing.T) {
	text := func(s string) nebula.Body { return nebula.Streamed{Kind: "text", Text: s} }
	think := func(s string) nebula.Body { return nebula.Streamed{Kind: "thought", Text: s} }
	replied := func(say string, thoughts ...string) nebula.Body {
		return nebula.Replied{Intent: nebula.Intent{Say: say, Thoughts: thoughts}}
	}
	for name, c := range map[string]struct {
		events []nebula.Body
		once   []string // what must stand there once
	}{
		"nothing streamed":    {[]nebula.Body{replied("the answer", "a thought")}, []string{"the answer", "a thought"}},
		"all streamed":        {[]nebula.Body{text("the "), text("answer\n"), replied("the answer")}, []string{"the answer"}},
		"more at the end":     {[]nebula.Body{text("first line\n"), replied("first line\n\nsecond line")}, []string{"first line", "second line"}},
		"other white space":   {[]nebula.Body{text("a  b\nc"), replied("a b\n\nc")}, []string{"b", "c"}},
		"an unknown thought":  {[]nebula.Body{think("one"), replied("", "one", "two")}, []string{"one", "two"}},
		"a reply sent again":  {[]nebula.Body{text("half an ans"), nebula.Retried{Cause: "cut"}, text("the answer"), replied("the answer")}, []string{"the answer"}},
		"two replies alike":   {[]nebula.Body{text("yes one"), replied("yes one"), nebula.Requested{Step: 2}, replied("and two")}, []string{"yes one", "and two"}},
		"words before a call": {[]nebula.Body{nebula.Streamed{Kind: "action", Text: "{"}, replied("I look first")}, []string{"I look first"}},
	} {
		got := seen(append([]nebula.Body{nebula.Submitted{Turn: 1, Text: "go"}, nebula.Requested{Turn: 1}}, c.events...)...)
		for _, want := range c.once {
			if n := strings.Count(got, want); n != 1 {
				t.Errorf("%s: %q stands there %d times:\n%s", name, want, n, got)
			}
		}
		if strings.Contains(got, "half an") {
			t.Errorf("%s: what does not count is still shown:\n%s", name, got)
		}
	}
}

func TestWhatWasSaidIsNotSaidAgainAtTheEnd(t *testing.T) {
	const half = "It has three parts, of which"
	got := seen(nebula.Replied{Intent: nebula.Intent{Say: half}}, nebula.Ended{Outcome: nebula.Outcome{Status: nebula.LimitReached, Text: half}})
	if strings.Count(got, half) != 1 {
		t.Errorf("%s", got)
	}
	got = seen(nebula.Replied{Intent: nebula.Intent{Say: half}}, nebula.Ended{Outcome: nebula.Outcome{Status: nebula.TurnFailed, Text: half + "\nEnded without evidence."}})
	if strings.Count(got, half) != 1 || !strings.Contains(got, "Ended without evidence.") {
		t.Errorf("%s", got)
	}
}

func TestAPlanSaysHowItStands(t *testing.T) {
	step := nebula.PlanStep{ID: "s1", Name: "first", Status: nebula.Pending}
	plan := nebula.Plan{ID: "p", Name: "Priorities", Status: nebula.Approved, Steps: []nebula.PlanStep{step}}
	v := newView(wordsFor("en"))
	v.fold(nebula.Event{At: noon, Body: nebula.Planned{Plan: plan}})
	step.Status = nebula.InProgress
	v.fold(nebula.Event{At: noon, Body: nebula.Stepped{Plan: "p", Step: step, Of: 1}})
	if got := wordsFor("en").Standing(*v.Beside.Plan); got != wordsFor("en").PlanRunning {
		t.Errorf("a plan whose step runs is %q", got)
	}
	plan.Why = "cancelled"
	v.fold(nebula.Event{At: noon, Body: nebula.Planned{Plan: plan}})
	if got := wordsFor("en").Standing(*v.Beside.Plan); got != wordsFor("en").PlanStopped || len(v.blocks) != 1 || !strings.Contains(v.blocks[0].row.Text, "stopped") {
		t.Errorf("a plan that was stopped is %q, and %d lines tell of it", got, len(v.blocks))
	}
	plan.Status = nebula.InProgress // some of its steps are done
	if got := wordsFor("en").Standing(plan); got != wordsFor("en").PlanStopped {
		t.Errorf("a plan that was stopped half way is %q", got)
	}
}

// What a yes to a plan covers is on the screen when the plan is proposed, to the byte.
func TestAPlanShowsTheCommandsThatAYesCovers(t *testing.T) {
	step := nebula.PlanStep{ID: "s1", Name: "first", Verify: nebula.Verify{Command: "touch x;\ncp a \u202eb"}}
	got := seen(nebula.Planned{Change: "proposed", Plan: nebula.Plan{ID: "p", Status: nebula.Draft, Steps: []nebula.PlanStep{step}}})
	if !strings.Contains(got, "s1  first") || !strings.Contains(got, "$ "+terminal.OneRow(step.Verify.Command)) || strings.Contains(got, "\u202e") {
		t.Errorf("%s", got)
	}
}

func TestARefusalByTheModeSaysSo(t *testing.T) {
	p := nebula.Proposed{Proposal: nebula.Proposal{Action: nebula.Action{ID: "a1", Tool: "writeFile"}, Summary: "create a.go"}, Verdict: nebula.Verdict{Ruling: nebula.Deny, Why: "plan mode changes nothing"}}
	got := seen(p, nebula.Finished{Result: nebula.Result{Action: "a1", Tool: "writeFile", Status: nebula.Denied, Text: "Refused"}})
	if !strings.Contains(got, "create a.go refused: plan mode changes nothing") {
		t.Errorf("%s", got)
	}
	got = seen(nebula.Finished{Result: nebula.Result{Action: "a2", Tool: "patchFile", Status: nebula.Failed, Summary: "old is empty.", Text: "old is empty."}})
	if !strings.Contains(got, "✗ patchFile failed") || strings.Count(got, "old is empty.") != 1 {
		t.Errorf("%s", got)
	}
}

// What nobody was asked about is on the screen all the same, up to a bound.
func TestAnEditThatAnAlwaysCoversIsShown(t *testing.T) {
	run := func(why nebula.Code, diff string, status nebula.Status) string {
		p := nebula.Proposal{Action: nebula.Action{ID: "a1", Tool: "editFile"}, Effect: nebula.Write, Summary: "a.txt +1", Diff: diff}
		return drawn(false, nebula.Proposed{Proposal: p, Verdict: nebula.Verdict{Ruling: nebula.Allow, Why: why}}, nebula.Finished{Result: nebula.Result{Action: "a1", Tool: "editFile", Status: status, Summary: "a.txt +1"}})
	}
	const diff = "--- a/a.txt\n+++ b/a.txt\n@@ -1 +1,2 @@\n one\n+what nobody was asked about\n"
	for _, c := range []struct {
		why    nebula.Code
		status nebula.Status
		want   bool
	}{{"allowed_before", nebula.Done, true}, {"approve_edits", nebula.Done, true}, {"allowed_before", nebula.Failed, false}} {
		if got := run(c.why, diff, c.status); strings.Contains(got, "what nobody was asked about") != c.want {
			t.Errorf("%s, %s:\n%s", c.why, c.status, got)
		}
	}
	long := "--- a/a.txt\n+++ b/a.txt\n@@ -0,0 +1,60 @@\n" + strings.Repeat("+x\n", 60)
	if got := run("allowed_before", long, nebula.Done); strings.Count(got, "\n") > 50 || !strings.Contains(got, "48 more · ctrl+o") {
		t.Errorf("%s", got)
	}
}

// A plan that has not begun says beside the conversation, whole, what begins it; one that runs what pauses it.
func TestPlanBesideSaysHowItGoesOn(t *testing.T) {
	for _, lang := range []string{"en", "ja"} {
		a, _ := played(t, lang, 120, nebula.Planned{Plan: nebula.Plan{ID: "p", Name: "Priorities", Status: nebula.Draft, Steps: []nebula.PlanStep{{ID: "1"}, {ID: "2"}}}})
		d := a.drawer()
		d.width = panelWidth - 2
		text := terminal.Unpainted(strings.Join(d.panel(a.view.Beside, 12, noon), "\n"))
		if !strings.Contains(text, a.words.PlanDraft) || strings.Count(text, "/tasks run") != 2 || strings.Contains(text, "pause") {
			t.Errorf("%s:\n%s", lang, text)
		}
		a.view.fold(nebula.Event{Body: nebula.Stepped{Plan: "p", Step: nebula.PlanStep{ID: "1", Status: nebula.InProgress}, Of: 2}})
		if text = terminal.Unpainted(strings.Join(d.panel(a.view.Beside, 12, noon), "\n")); !strings.Contains(text, "/tasks pause") || strings.Contains(text, "/tasks run") {
			t.Errorf("%s:\n%s", lang, text)
		}
	}
}

// An errand stands beside the conversation while it is under way, with what it is about, by the plan or without one, and is gone when it has ended.
func TestErrandsAreSeenBesideTheConversation(t *testing.T) {
	for _, before := range [][]nebula.Body{nil, {nebula.Planned{Plan: nebula.Plan{ID: "p", Name: "Priorities", Status: nebula.Approved, Steps: []nebula.PlanStep{{ID: "1", Name: "one"}}}}}} {
		a, _ := played(t, "en", 120, before...)
		d := a.drawer()
		d.width = panelWidth - 2
		errand := func(status nebula.Stage) string {
			a.view.fold(nebula.Event{At: noon, Body: nebula.Stepped{Step: nebula.PlanStep{ID: "explore1", Name: "find usages", Status: status}, Cause: "began"}})
			return terminal.Unpainted(strings.Join(d.panel(a.view.Beside, 12, noon), "\n"))
		}
		if text := errand(nebula.InProgress); !strings.Contains(text, "find usages") {
			t.Errorf("not seen:\n%s", text)
		}
		if text := errand(nebula.Completed); strings.Contains(text, "find usages") || before != nil && !strings.Contains(text, "Priorities") {
			t.Errorf("it has ended:\n%s", text)
		}
	}
}
