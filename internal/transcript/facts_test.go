package transcript_test

import (
	"strings"
	"testing"

	"nebula"
	"nebula/internal/transcript"
)

// What a person decides on is said point by point, in their language, and what says nothing is left out.
func TestPointsOfADecision(t *testing.T) {
	a := transcript.Action{Proposal: nebula.Proposal{Summary: "run it"}, Verdict: nebula.Verdict{Risk: "medium", Risks: []nebula.Code{"network"}, Why: "runs_command"},
		Points: &nebula.Points{Intent: "see it", Rationale: "it was asked for", Impact: []nebula.Code{nebula.NewCode("undo_leaves", "a.bin"), "undo_files"}, Alternatives: []nebula.Code{"wait"}}}
	said := func(a transcript.Action, lang string) string {
		var lines []string
		for _, p := range a.Explained(transcript.WordsIn(lang)) {
			lines = append(lines, p.Name+": "+strings.Join(p.Texts, ", "))
		}
		return strings.Join(lines, "\n")
	}
	want := "to: see it\nwhy: it was asked for\neffect: undo does not cover: a.bin, changes to the folder's files can be undone\nor: wait\nrisk: medium, uses the network\nrule: it runs a command"
	if got := said(a, "en"); got != want {
		t.Errorf("%s", got)
	}
	if got := said(a, "ja"); !strings.Contains(got, "影響: 取り消しの対象外: a.bin, フォルダーのファイルへの変更は取り消せます") {
		t.Errorf("%s", got)
	}
	a.Verdict, a.Points = nebula.Verdict{}, &nebula.Points{Intent: "run it", Rationale: "r"} // the intent stands above it already
	if got := said(a, "en"); got != "why: r" {
		t.Errorf("%s", got)
	}
}

// The end of a turn ends what is being streamed, and nothing runs or waits after it.
func TestTheEndOfATurnLeavesNothingOpen(t *testing.T) {
	p := nebula.Proposal{Action: nebula.Action{ID: "a", Tool: "run"}, Summary: "run it"}
	v := folded("en", nebula.Submitted{Turn: 1}, nebula.Proposed{Proposal: p}, nebula.Began{Action: "a"})
	if row := v.Open("a"); row == nil || !row.Action.Running || v.Acting != row {
		t.Errorf("under way: %+v", v.Acting)
	}
	v.Apply(nebula.Event{Body: nebula.Streamed{Kind: "text", Text: "half a sen"}})
	v.Apply(nebula.Event{Body: nebula.Ended{Outcome: nebula.Outcome{Turn: 1, Status: nebula.Cancelled}}})
	if got := rows(v); !strings.Contains(got, "say: half a sen\nend:") || v.Live != nil || v.Busy || v.Acting != nil || v.Open("a") != nil {
		t.Errorf("%s%+v", got, v)
	}
}

// A session that goes on is not busy with what an earlier opening was, and waits for nothing that it asked.
func TestWhatIsOpenedAgainBeginsIdle(t *testing.T) {
	v := folded("en", nebula.Started{Session: "s"}, nebula.Submitted{Turn: 1}, nebula.Asked{Ask: "q", Question: &nebula.Question{Text: "?"}}, nebula.Started{Session: "s", Resumed: true})
	if v.Busy || v.Ask != nil || !strings.HasSuffix(rows(v), "note: ── continued\n") {
		t.Errorf("%s%+v", rows(v), v.Ask)
	}
}

func TestSwitchesAreToldAndHold(t *testing.T) {
	v := folded("en", nebula.Started{Protocol: "a"}, nebula.Switched{Protocol: "b", Why: "it did better"})
	if got := rows(v); v.Protocol != "b" || got != "note: protocol is now b\nnote: it did better\n" {
		t.Errorf("%s, %s", v.Protocol, got)
	}
}

// The output of a running command is kept up to a bound, and beyond it from a line's beginning.
func TestTheEndOfAnOutputIsKept(t *testing.T) {
	p := nebula.Proposal{Action: nebula.Action{ID: "a"}}
	for text, want := range map[string]string{
		strings.Repeat("x", 3999) + "\n":            strings.Repeat("x", 3999) + "\n",
		"first\n" + strings.Repeat("second\n", 571): strings.Repeat("second\n", 571),
	} {
		v := folded("en", nebula.Proposed{Proposal: p}, nebula.Streamed{Kind: "output", Action: "a", Text: text})
		if got := v.Open("a").Action.Output; got != want {
			t.Errorf("%d characters are kept of %d", len(got), len(text))
		}
	}
}

func TestWhatAListSaysOfAModel(t *testing.T) {
	w := transcript.WordsIn("en")
	for want, m := range map[string]nebula.ModelInfo{
		"": {}, "here · 32k": {Provider: "here", Window: 32768}, "$0.00/$2.00": {OutputUSD: 2}, "$1.00/$0.00": {InputUSD: 1},
	} {
		if got := w.About(m, false); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
