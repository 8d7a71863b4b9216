package insight

import (
	"fmt"
	"strings"
	"testing"

	"nebula"
	"nebula/internal/gate"
)

// told is what a reader of some sessions finds: what it would set or note.
func told(sessions [][]nebula.Body, spoken []nebula.Spoken, settings map[string]string, rules ...gate.Rule) []string {
	var r Reader
	for i, bodies := range sessions {
		for _, b := range bodies {
			r.Take(fmt.Sprint("s", i), nebula.Event{Body: b})
		}
	}
	var found []string
	for _, f := range r.Found(spoken, func(key string) string { return settings[key] }, rules) {
		if f.Rule != nil {
			f.Value = "from now on " + f.Rule.String()
		}
		found = append(found, strings.TrimSpace(f.Key+" "+f.Value+f.Note.String()))
	}
	return found
}

func ran(id, command string, exit int, tests *nebula.TestReport) []nebula.Body {
	status := nebula.Done
	if exit != 0 {
		status = nebula.Failed
	}
	return []nebula.Body{
		nebula.Proposed{Proposal: nebula.Proposal{Action: nebula.Action{ID: id, Args: fmt.Appendf(nil, `{"command":%q}`, command)}, Command: command}},
		nebula.Finished{Result: nebula.Result{Action: id, Status: status, Exit: &exit, Tests: tests}},
	}
}

func turn(request, model string, status nebula.EndStatus, cost float64) []nebula.Body {
	return []nebula.Body{nebula.Submitted{Text: request}, nebula.Ended{Outcome: nebula.Outcome{Status: status, Model: model, Usage: nebula.Usage{Cost: cost}}}}
}

func asked(said nebula.Decided) []nebula.Body {
	return []nebula.Body{nebula.Proposed{Proposal: nebula.Proposal{Action: nebula.Action{ID: "a"}, Effect: nebula.Write}}, nebula.Answered{Answer: said, By: nebula.Person},
		nebula.Finished{Result: nebula.Result{Action: "a"}}}
}

// did is what a command changed, as the person was asked whether to keep it; leaves is one that leaves its box.
func did(line string, said nebula.Decided) []nebula.Body {
	return about(nebula.Proposal{Action: nebula.Action{ID: "a", Tool: "executeShell"}, Effect: nebula.Write, Ran: line}, said)
}

func leaves(line string, said nebula.Decided) []nebula.Body {
	return about(nebula.Proposal{Action: nebula.Action{ID: "a", Tool: "executeShell"}, Effect: nebula.Execute, Command: line, Risks: []string{string(nebula.NewCode(nebula.Reaches, "example.com"))}}, said)
}

func about(p nebula.Proposal, said nebula.Decided) []nebula.Body {
	return []nebula.Body{nebula.Proposed{Proposal: p}, nebula.Answered{Answer: said, By: nebula.Person}, nebula.Finished{Result: nebula.Result{Action: "a"}}}
}

func times(n int, what ...nebula.Body) (all []nebula.Body) {
	for range n {
		all = append(all, what...)
	}
	return all
}

func TestWhatTheRecordSpeaksFor(t *testing.T) {
	counted := &nebula.TestReport{Passed: 3}
	spoken := func(a, b nebula.Spoken) []nebula.Spoken {
		a.Model, a.Protocol, b.Model, b.Protocol = "m", "toolcall", "m", "symops"
		return []nebula.Spoken{a, b}
	}
	dear := nebula.Spoken{Replies: 100, Strict: 90, Actions: 100, Tokens: 5000}
	for name, c := range map[string]struct {
		sessions [][]nebula.Body
		spoken   []nebula.Spoken
		settings map[string]string
		rules    []gate.Rule
		want     string
	}{
		"tests of one command":          {sessions: [][]nebula.Body{times(3, ran("a", "make check", 0, counted)...)}, want: "tests.command make check"},
		"tests that fail are tests too": {sessions: [][]nebula.Body{times(3, ran("a", "make check", 1, counted)...)}, want: "tests.command make check"},
		"tests twice only":              {sessions: [][]nebula.Body{times(2, ran("a", "make check", 0, counted)...)}},
		"tests that are set":            {sessions: [][]nebula.Body{times(3, ran("a", "make check", 0, counted)...)}, settings: map[string]string{"tests.command": "make"}},
		"no test was counted":           {sessions: [][]nebula.Body{times(3, ran("a", "make check", 0, &nebula.TestReport{})...)}},
		"a command that always fails":   {sessions: [][]nebula.Body{times(2, ran("a", "npm x", 127, nil)...), ran("a", "npm x", 127, nil)}, want: "npm x fails here (exit 127)"},
		"it failed in one session":      {sessions: [][]nebula.Body{times(3, ran("a", "npm x", 1, nil)...)}},
		"it worked once":                {sessions: [][]nebula.Body{times(3, ran("a", "npm x", 1, nil)...), ran("a", "npm x", 0, nil)}},
		"a request that always fails":   {sessions: [][]nebula.Body{times(3, turn("mend it", "m", nebula.LimitReached, 0)...)}, want: "“mend it” came to no end: ask what is meant"},
		"a request that was cancelled":  {sessions: [][]nebula.Body{times(3, turn("mend it", "m", nebula.Cancelled, 0)...)}},
		"a request that came to an end": {sessions: [][]nebula.Body{times(3, turn("mend it", "m", nebula.TurnFailed, 0)...), turn("mend it", "m", nebula.TurnDone, 0)}},
		"a cheaper protocol":            {spoken: spoken(dear, nebula.Spoken{Replies: 20, Strict: 18, Actions: 20, Tokens: 500}), want: "protocol symops"},
		"cheaper and worse":             {spoken: spoken(dear, nebula.Spoken{Replies: 20, Strict: 17, Actions: 20, Tokens: 500})},
		"hardly cheaper":                {spoken: spoken(dear, nebula.Spoken{Replies: 20, Strict: 20, Actions: 20, Tokens: 900})},
		"too few replies":               {spoken: spoken(dear, nebula.Spoken{Replies: 19, Strict: 19, Actions: 19, Tokens: 500})},
		"a protocol that was chosen":    {spoken: spoken(dear, nebula.Spoken{Replies: 20, Strict: 18, Actions: 20, Tokens: 500}), settings: map[string]string{"protocol": "toolcall"}},
		"a cheaper model":               {sessions: [][]nebula.Body{times(10, turn("a", "m", nebula.TurnDone, 0.1)...), times(10, turn("b", "n", nebula.TurnDone, 0.04)...)}, want: "model n"},
		"cheaper, and it fails":         {sessions: [][]nebula.Body{times(10, turn("a", "m", nebula.TurnDone, 0.1)...), times(9, turn("b", "n", nebula.TurnDone, 0.04)...), turn("c", "n", nebula.TurnFailed, 0)}},
		"edits that are always allowed": {sessions: [][]nebula.Body{times(20, asked(nebula.Yes)...)}, want: "approve edits"},
		"an edit that was refused":      {sessions: [][]nebula.Body{times(20, asked(nebula.Yes)...), asked(nebula.No)}},
		"another policy":                {sessions: [][]nebula.Body{times(20, asked(nebula.Yes)...)}, settings: map[string]string{"approve": "none"}},
		"a command always allowed":      {sessions: [][]nebula.Body{times(5, did("go build ./...", nebula.Yes)...)}, want: "from now on go build …"},
		"with other files":              {sessions: [][]nebula.Body{times(3, did("go build ./...", nebula.Yes)...), times(2, did("go build ./a", nebula.Always)...)}, want: "from now on go build …"},
		"allowed, and refused once":     {sessions: [][]nebula.Body{times(9, did("go build ./...", nebula.Yes)...), did("go build ./...", nebula.No)}},
		"allowed four times":            {sessions: [][]nebula.Body{times(4, did("go build ./...", nebula.Yes)...)}},
		"what may not last":             {sessions: [][]nebula.Body{times(5, did("bash -c 'make it'", nebula.Yes)...)}},
		"allowed already":               {sessions: [][]nebula.Body{times(5, did("make all", nebula.Yes)...)}, rules: []gate.Rule{{Tool: "executeShell", Line: "make all"}}},
		"edits run unasked by now":      {sessions: [][]nebula.Body{times(5, did("make all", nebula.Yes)...)}, settings: map[string]string{"approve": "edits"}},
		"but not what leaves the box":   {sessions: [][]nebula.Body{times(5, leaves("make all", nebula.Yes)...)}, settings: map[string]string{"approve": "edits"}, want: "from now on make all (+ example.com)"},
		"hardly tried":                  {sessions: [][]nebula.Body{times(10, turn("a", "m", nebula.TurnDone, 0.1)...), times(9, turn("b", "n", nebula.TurnDone, 0.01)...)}},
	} {
		settings := map[string]string{"model": "m", "protocol": "auto"}
		for key, value := range c.settings {
			settings[key] = value
		}
		if got := strings.Join(told(c.sessions, c.spoken, settings, c.rules...), "; "); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

func TestRatesOfEachKindOfWork(t *testing.T) {
	var r Rates
	for _, c := range []struct {
		session string
		body    nebula.Body
	}{
		{"s", nebula.Finished{Result: nebula.Result{Tool: "run", Status: nebula.Done}}},
		{"s", nebula.Finished{Result: nebula.Result{Tool: "run", Status: nebula.Failed}}},
		{"s", nebula.Finished{Result: nebula.Result{Tool: "run", Status: nebula.Denied}}},
		{"s", nebula.Ended{Outcome: nebula.Outcome{Status: nebula.TurnDone}}},
		{"s", nebula.Ended{Outcome: nebula.Outcome{Status: nebula.LimitReached}}},
		{nebula.StepPrefix + "1", nebula.Ended{Outcome: nebula.Outcome{Status: nebula.TurnDone}}},
		{"s", nebula.Stepped{Step: nebula.PlanStep{Status: nebula.InProgress}}},
		{"s", nebula.Stepped{Step: nebula.PlanStep{Status: nebula.Completed}}},
	} {
		r.Take(c.session, nebula.Event{Body: c.body})
	}
	if got := fmt.Sprint(r.List()); got != "[{requests 1 1 0} {run 1 1 1} {plan steps 1 0 0}]" || r.List()[0].Share() != 0.5 {
		t.Error(got)
	}
}
