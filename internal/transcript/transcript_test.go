package transcript_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"nebula"
	"nebula/internal/nebulatest"
	"nebula/internal/phrase"
	"nebula/internal/plan"
	"nebula/internal/transcript"
)

var noon = time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)

func folded(lang string, bodies ...nebula.Body) *transcript.Transcript {
	t := transcript.New(lang)
	for i, b := range bodies {
		t.Apply(nebula.Event{At: noon.Add(time.Duration(i) * time.Second), Body: b})
	}
	return t
}

var kinds = [...]string{"person", "say", "thought", "act", "question", "note", "end"}

// rows are a transcript's rows as lines.
func rows(t *transcript.Transcript) string {
	var b strings.Builder
	for _, r := range t.Rows {
		text := strings.TrimSpace(r.Mark + " " + r.Text + r.Exact + r.Tail)
		if r.Action != nil {
			mark, _, word := r.Action.Mark(transcript.WordsIn("en"))
			command, title := r.Action.Title()
			text = strings.Join(strings.Fields(mark+" "+command+" "+title+" "+word), " ")
		}
		if r.Known {
			text += " (known)"
		}
		if r.Void {
			text += " (void)"
		}
		fmt.Fprintf(&b, "%s: %s\n", kinds[r.Kind], text)
	}
	return b.String()
}

func TestATurnIsRows(t *testing.T) {
	edit := nebula.Proposal{Action: nebula.Action{ID: "a", Tool: "edit"}, Summary: "edit a.go", Command: ""}
	run := nebula.Proposal{Action: nebula.Action{ID: "b", Tool: "run"}, Summary: "run it", Command: "make"}
	got := rows(folded("en",
		nebula.Started{Session: "s", Mode: nebula.AgentMode, Model: "m"}, nebula.Switched{Approve: "ask"},
		nebula.Submitted{Turn: 1, Text: "go"}, nebula.Requested{Turn: 1, Model: "m"},
		nebula.Streamed{Kind: "thought", Text: "hm"}, nebula.Streamed{Kind: "text", Text: "\nI "}, nebula.Noted{Level: "warning", Text: "slow"}, nebula.Streamed{Kind: "text", Text: "look\n"},
		nebula.Replied{Intent: nebula.Intent{Say: "I look", Errors: []string{"cut"}}},
		nebula.Proposed{Proposal: edit}, nebula.Asked{Ask: "q", Action: "a"}, nebula.Answered{Ask: "q", Answer: nebula.Yes, By: "person"},
		nebula.Began{Action: "a"}, nebula.Finished{Result: nebula.Result{Action: "a", Status: nebula.Done, Summary: "a.go +1"}},
		nebula.Proposed{Proposal: run, Verdict: nebula.Verdict{Ruling: nebula.Deny, Why: "never"}}, nebula.Finished{Result: nebula.Result{Action: "b", Status: nebula.Denied}},
		nebula.Switched{Mode: nebula.PlanMode}, nebula.Switched{Model: "n"}, nebula.Switched{Approve: "all"},
		nebula.Ended{Outcome: nebula.Outcome{Turn: 1, Status: nebula.TurnFailed, Text: "I look\nIt broke.", Actions: make([]nebula.ActionLine, 1)}},
	))
	want := `person: go
thought: hm
note: slow
say: I look
note: cut
act: ✓ a.go +1
note: → allowed (known)
act: ⊘ make refused: never
note: mode is now plan (known)
note: model is now n · in this session; /keep makes it the default
note: approval: acts without asking (known)
note: It broke.
end: ✗ failed · 1 action · 17 s
`
	if got != want {
		t.Errorf("%s", got)
	}
}

// Nobody tells the model of a reply that its provider withheld.
func TestAWithheldReplyIsNotSaidToBeTold(t *testing.T) {
	for finish, want := range map[string]bool{"stop": true, "content_filter": false} {
		got := rows(folded("en", nebula.Submitted{Turn: 1, Text: "go"}, nebula.Replied{Intent: nebula.Intent{Problems: []nebula.Problem{{Text: "empty"}}}, Reply: nebula.Reply{Finish: finish}}))
		if strings.Contains(got, "the model was told") != want {
			t.Errorf("%s:\n%s", finish, got)
		}
	}
}

func TestWhatWasSentAgainIsVoid(t *testing.T) {
	got := rows(folded("en", nebula.Requested{}, nebula.Streamed{Kind: "text", Text: "half an ans"}, nebula.Retried{After: 1500, Cause: "cut"},
		nebula.Streamed{Kind: "text", Text: "the answer"}, nebula.Replied{Intent: nebula.Intent{Say: "the answer"}}))
	if got != "say: half an ans (void)\nnote: sent again in 1.5 s: cut\nsay: the answer\n" {
		t.Errorf("%s", got)
	}
}

func TestStreamingAppendsToOneRow(t *testing.T) {
	v := folded("en", nebula.Requested{})
	v.Apply(nebula.Event{Body: nebula.Streamed{Kind: "text", Text: "one"}})
	live := v.Live
	v.Apply(nebula.Event{Body: nebula.Streamed{Kind: "text", Text: " two\n"}})
	if live == nil || v.Live != live || live.Text != "one two\n" || len(v.Rows) != 0 {
		t.Fatalf("%+v", v.Live)
	}
	v.Apply(nebula.Event{Body: nebula.Replied{Intent: nebula.Intent{Say: "one two\nthree"}}})
	if v.Live != nil || v.Rows[0] != live || rows(v) != "say: one two\nsay: three\n" {
		t.Errorf("%s", rows(v))
	}
}

func TestStepsUnderWayAndWhatWaits(t *testing.T) {
	step := nebula.PlanStep{ID: "s1", Name: "core", Status: nebula.InProgress, Began: noon}
	v := folded("en", nebula.Planned{Change: "proposed", Plan: nebula.Plan{ID: "p", Name: "P", Status: nebula.Draft, Steps: []nebula.PlanStep{{ID: "s1", Files: []string{"a.go", "b/"}, Verify: nebula.Verify{Command: "make"}}}}},
		nebula.Stepped{Plan: "p", Step: step, Of: 1, Cause: "began"}, nebula.Tasked{Plan: "p", Step: "s1", Number: 2, Of: 3},
		nebula.Queued{Ask: "a"}, nebula.Queued{Ask: "b"}, nebula.Answered{Ask: "a", Answer: nebula.No, Text: "later", By: "nobody"})
	if p, ok := v.Beside.UnderWay("s1"); !ok || p.Tasked.Number != 2 || !v.Beside.Works() || v.Beside.Took(step, noon.Add(time.Minute)) != time.Minute {
		t.Errorf("%+v", v.Beside)
	}
	if len(v.Beside.Waits) != 1 || v.Beside.Waits[0].Number != 2 {
		t.Errorf("%+v", v.Beside.Waits)
	}
	again := folded("en", nebula.Queued{Ask: "a"}, nebula.Started{Session: "s", Resumed: true})
	if len(again.Beside.Waits) != 0 { // nobody waits for it any more
		t.Errorf("%+v", again.Beside.Waits)
	}
	step.Status = nebula.Pending
	v.Apply(nebula.Event{Body: nebula.Planned{Change: "paused", Plan: nebula.Plan{ID: "p", Name: "P", Status: nebula.Approved, Why: "paused", Steps: []nebula.PlanStep{step}}}})
	want := `note: p · proposed: P (known)
note: s1
note: a.go, b/
note: $ make
note: s1 core: began (0/1) (known)
note: → refused: later (nobody was there to answer)
note: p · paused: P (known)
note: P: stopped, /tasks run goes on
`
	if got := rows(v); got != want || len(v.Beside.Steps) != 0 {
		t.Errorf("%s", got)
	}
}

func TestWhatHappensToAPlanIsSaidInTheLanguage(t *testing.T) {
	for what, want := range map[nebula.Code]string{"under way": "実行中", nebula.NewCode("skipped_step", "step_2"): "省略 step_2", "failed to begin at all": "failed to begin at all", "cancelled": "中止"} {
		v := folded("ja", nebula.Stepped{Plan: "p", Step: nebula.PlanStep{ID: "s", Name: "n"}, Cause: what})
		if got := v.Rows[0].Text; got != "s n: "+want+" (0/0)" {
			t.Errorf("%q is said as %q", what, got)
		}
	}
	v := folded("ja", nebula.Reported{Title: "core", Report: nebula.Report{Status: nebula.StageFailed, Cause: nebula.NewCode(plan.Absent, "a.go")}})
	if got := rows(v); got != "note: ✗ core: a.go がありません\n" {
		t.Errorf("the cause of a failure is said as %q", got)
	}
}

// TestWordsAreWhole looks for texts that a language lacks.
func TestWordsAreWhole(t *testing.T) {
	en := transcript.WordsIn("en")
	for i, v := 0, reflect.ValueOf(en); i < v.NumField(); i++ {
		if v.Field(i).Len() == 0 {
			t.Errorf("%s has no text", v.Type().Field(i).Name)
		}
	}
	en.Lang = ""
	nebulatest.TestWords(t, "transcript", en)
}

// What nebula noted in a session of one language is said in that of who reads it, figures in it too; somebody else's words stay.
func TestNotesAreSaidInTheReadersLanguage(t *testing.T) {
	code := phrase.Note("ended, exit %d", 3)
	for lang, want := range map[string]string{"en": "ended, exit 3", "ja": "終了、終了コード 3"} {
		got := rows(folded(lang, nebula.Noted{Level: "warning", Text: "ended, exit 3", Code: code}, nebula.Switched{Why: "ended, exit 3", WhyCode: code}, nebula.Noted{Text: "by a hook"}))
		if strings.Count(got, want) != 2 || !strings.Contains(got, "by a hook") {
			t.Errorf("in %s: %s", lang, got)
		}
	}
}

// What a person sees of answers: only a plain yes of theirs needs no note, and a note shows the command that ran instead.
func TestAnswersThatSayMoreThanYesAreToldInFull(t *testing.T) {
	run := nebula.Proposal{Action: nebula.Action{ID: "a", Tool: "run"}, Command: "make"}
	for want, a := range map[string]nebula.Answered{
		"note: → allowed (known)":                      {Answer: nebula.Yes, By: "person"},
		"note: → allowed: make -n":                     {Answer: nebula.Yes, By: "person", Command: "make -n"},
		"note: → allowed: make -s":                     {Answer: nebula.Yes, By: "person", Command: "make -s", Text: "quietly"},
		"note: → allowed (by plan p)":                  {Answer: nebula.Yes, By: "plan p"},
		"note: → refused: not now":                     {Answer: nebula.No, By: "person", Text: "not now", Command: "make"},
		"note: → refused (the turn was stopped)":       {Answer: nebula.No, By: nebula.Stop},
		"note: → refused (nebula had ended)":           {Answer: nebula.No, By: nebula.Restart},
		"note: → refused (nobody was there to answer)": {Answer: nebula.No, By: "nobody"},
		"note: → refused":                              {Answer: nebula.No},
		"note: → allowed for this session: make all":   {Answer: nebula.Always, By: "person", Command: "make all"},
		"note: → allowed in this folder from now on":   {Answer: nebula.Here, By: "person"},
	} {
		a.Ask = "q"
		got := rows(folded("en", nebula.Proposed{Proposal: run}, nebula.Asked{Ask: "q", Action: "a"}, a))
		if got = strings.TrimSpace(got[strings.Index(got, "\n")+1:]); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// What was said before a turn was stopped is there for who opens the session anew, and once for who was there.
func TestWhatWasSaidBeforeAStopIsKept(t *testing.T) {
	kept := []nebula.Body{nebula.Observed{Messages: []nebula.Message{{Role: nebula.Assistant, Parts: nebula.Text("It is a [Stopped.]")}}, Said: "It is a"}, nebula.Ended{Outcome: nebula.Outcome{Status: nebula.Cancelled}}}
	anew := rows(folded("en", append([]nebula.Body{nebula.Submitted{Text: "what?"}}, kept...)...))
	there := rows(folded("en", append([]nebula.Body{nebula.Submitted{Text: "what?"}, nebula.Requested{}, nebula.Streamed{Kind: "text", Text: "It is "}, nebula.Streamed{Kind: "text", Text: "a"}}, kept...)...))
	if there = strings.Replace(there, "5 s", "2 s", 1); anew != there || strings.Count(anew, "It is a") != 1 {
		t.Errorf("anew:\n%s\nthere:\n%s", anew, there)
	}
}

// What a step's skipping counts for, and where the numbers of questions begin anew.
func TestStepsThatAreOverAndNumbersThatBeginAnew(t *testing.T) {
	v := folded("en", nebula.Planned{Plan: nebula.Plan{ID: "p", Status: nebula.InProgress, Steps: []nebula.PlanStep{
		{ID: "a", Status: nebula.Completed}, {ID: "b", Status: nebula.StageSkipped}, {ID: "c", Status: nebula.StageFailed}, {ID: "d", Status: nebula.Pending}, {ID: "e", Status: nebula.InProgress}}}},
		nebula.Queued{Ask: "1"}, nebula.Queued{Ask: "2"}, nebula.Answered{Ask: "1"}, nebula.Answered{Ask: "2"}, nebula.Queued{Ask: "3"}, nebula.Queued{Ask: "4"})
	if b := v.Beside; b.Done != 2 || b.Of != 5 || len(b.Steps) != 1 {
		t.Errorf("%d of %d, %+v", b.Done, b.Of, b.Steps)
	}
	if w := v.Beside.Waits; len(w) != 2 || w[0].Number != 1 || w[1].Number != 2 {
		t.Errorf("%+v", w)
	}
}

// A turn that the person cancelled says no more than that, and every other that ended badly says why once.
func TestHowATurnEndedIsSaidOnce(t *testing.T) {
	for status, want := range map[nebula.EndStatus]int{nebula.Cancelled: 0, nebula.TurnDone: 0, nebula.TurnFailed: 1, nebula.LimitReached: 1} {
		got := rows(folded("en", nebula.Submitted{Turn: 1, Text: "go"}, nebula.Requested{}, nebula.Replied{Intent: nebula.Intent{Say: "I look"}},
			nebula.Ended{Outcome: nebula.Outcome{Turn: 1, Status: status, Text: "I look\nIt ended."}}))
		if strings.Count(got, "note: It ended.") != want || strings.Count(got, "I look") != 1 {
			t.Errorf("%s:\n%s", status, got)
		}
	}
}

// Of what was streamed only what is missing is said at the end, what the model thought among it, and the items that stand
// are those that were set last.
func TestWhatWasHeardIsNotSaidAgain(t *testing.T) {
	v := folded("en", nebula.Requested{}, nebula.Streamed{Kind: "text", Text: "one\n\n two"},
		nebula.Replied{Intent: nebula.Intent{Say: "one two", Thoughts: []string{"hm"}}},
		nebula.Requested{}, nebula.Streamed{Kind: "text", Text: "one\n"}, nebula.Replied{Intent: nebula.Intent{Say: "one\n\nthree"}})
	if got := rows(v); got != "say: one\n\n two\nthought: hm\nsay: one\nsay: three\n" {
		t.Errorf("%s", got)
	}
	goal, why := "g", "w"
	v.Apply(nebula.Event{Body: nebula.Updated{Delta: nebula.Delta{Goal: &goal, WhyNow: &why}}})
	other := "h"
	v.Apply(nebula.Event{Body: nebula.Updated{Delta: nebula.Delta{Goal: &other}}})
	if f := v.Fixed; f.Goal == nil || *f.Goal != "h" || f.WhyNow == nil || *f.WhyNow != "w" {
		t.Errorf("%+v", f)
	}
}

// A request that does not say what it is made of leaves what is known of the context.
func TestTheContextStaysKnown(t *testing.T) {
	of := nebula.Requested{Layers: []nebula.LayerCost{{Tokens: 30}, {Tokens: 12}}}
	if got := folded("en", of, nebula.Requested{}).Context; got != 42 {
		t.Errorf("%d tokens", got)
	}
}

// A policy that the session begins with is no news; one that it is given is.
func TestTheFirstPolicyIsNoNews(t *testing.T) {
	for want, bodies := range map[string][]nebula.Body{
		"": {nebula.Switched{Approve: "all"}},
		"note: approval: acts without asking (known)\n": {nebula.Switched{Approve: "ask"}, nebula.Switched{Approve: "all"}, nebula.Switched{Approve: "all"}},
	} {
		if got := rows(folded("en", bodies...)); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// TestShorteningIsTold with what is kept in view, and counts at once in what the window holds.
func TestShorteningIsTold(t *testing.T) {
	for lang, want := range map[string]string{
		"en": "the conversation was shortened for the model: 9.0k to 3.0k tokens · in view: gate.go",
		"ja": "モデルに渡す会話を縮めました: 9.0k から 3.0k トークン · 着目: gate.go",
	} {
		f := folded(lang, nebula.Requested{Layers: []nebula.LayerCost{{Name: "base", Tokens: 1000}, {Name: "conversation", Tokens: 9000}}},
			nebula.Compacted{Before: 9000, After: 3000, Focus: "gate.go"})
		if got := rows(f); !strings.Contains(got, want) || f.Context != 4000 {
			t.Errorf("%d tokens, and it says\n%s", f.Context, got)
		}
	}
}

// A message that joins the turn leaves what goes on as it is: the command still runs, since when it did.
func TestSteeringKeepsWhatGoesOn(t *testing.T) {
	v, at := transcript.New("en"), time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)
	for i, b := range []nebula.Body{nebula.Submitted{Turn: 1}, nebula.Proposed{Proposal: nebula.Proposal{Action: nebula.Action{ID: "a"}, Command: "make"}},
		nebula.Began{Action: "a"}, nebula.Submitted{Turn: 1, Text: "mind the tests", Steer: true}} {
		v.Apply(nebula.Event{At: at.Add(time.Duration(i) * time.Second), Body: b})
	}
	if v.Acting == nil || v.Acting != v.Open("a") || !v.Doing.Equal(at.Add(2*time.Second)) {
		t.Errorf("%+v goes on, since %s", v.Acting, v.Doing)
	}
}

// Why a step failed is said once: its report does not say again what its end said.
func TestWhyAStepFailedIsSaidOnce(t *testing.T) {
	cause := nebula.NewCode(plan.Absent, "a.go")
	report := nebula.Reported{Plan: "p1", Step: "s1", Title: "build", Report: nebula.Report{Status: nebula.StageFailed, Summary: "nothing", Cause: cause}}
	step := nebula.PlanStep{ID: "s1", Name: "build", Status: nebula.StageFailed}
	for _, c := range []struct {
		bodies []nebula.Body
		want   int
	}{
		{[]nebula.Body{report}, 1},
		{[]nebula.Body{nebula.Stepped{Plan: "p1", Step: step, Cause: cause, Of: 1}, report}, 1},
		{[]nebula.Body{nebula.Stepped{Plan: "p1", Step: step, Cause: "failed", Of: 1}, report}, 1},
	} {
		if got := strings.Count(rows(folded("en", c.bodies...)), "a.go"); got != c.want {
			t.Errorf("%d times:\n%s", got, rows(folded("en", c.bodies...)))
		}
	}
}
