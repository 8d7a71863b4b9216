package line

import (
	"context"
	"iter"
	"reflect"
	"strings"
	"testing"
	"time"

	"nebula"
	"nebula/internal/terminal"
)

func TestBackgroundIsShownAndWaitsInTheQueue(t *testing.T) {
	for _, lang := range []string{"en", "ja"} {
		v := newView(wordsFor(lang), palette{}, false, time.Time{})
		q := nebula.Queued{Ask: "s1/q1", Plan: "plan_1", Step: "s1", Title: "core", Question: &nebula.Question{Text: "Does it\x1b[2J work?", Options: []string{"yes", "no"}}}
		v.fold(nebula.Event{Seq: 1, Body: nebula.Stepped{Plan: "plan_1", Step: nebula.PlanStep{ID: "s1", Name: "core", Status: nebula.InProgress}, Of: 2, Cause: "began"}})
		v.fold(nebula.Event{Seq: 2, Body: q})
		v.fold(nebula.Event{Seq: 3, Body: nebula.Reported{Step: "s0", Report: nebula.Report{Status: nebula.Completed, Summary: "It is there."}}})
		text := strings.Join(v.printed(), "\n")
		for _, want := range []string{map[string]string{"en": "s1 core: began (0/2)", "ja": "s1 core: 開始 (0/2)"}[lang], "s1 core", "Does it", "/answer 1", "It is there."} {
			if !strings.Contains(text, want) {
				t.Errorf("%s: there is no %q in\n%s", lang, want, text)
			}
		}
		if strings.Contains(text, "\x1b[2J") || v.Ask != nil || len(v.Beside.Waits) != 1 {
			t.Errorf("%s: it steers the terminal, or holds up the conversation", lang)
		}
		v.fold(nebula.Event{Seq: 4, Body: nebula.Answered{Ask: "s1/q1", Answer: nebula.Told, Text: "yes", By: "person"}})
		v.fold(nebula.Event{Seq: 5, Body: nebula.Queued{Ask: "s1/q2", Proposed: &nebula.Proposed{}}})
		if len(v.shows) != 1 {
			t.Error("what is to be allowed is not shown")
		}
		v.fold(nebula.Event{Seq: 6, Body: nebula.Answered{Ask: "s1/q2", Answer: nebula.No, By: "person"}})
		if len(v.Beside.Waits) != 0 || len(v.shows) != 0 {
			t.Error("the answered question still waits")
		}
	}
}

func TestStepsUnderWayAreShownWithTheirTime(t *testing.T) {
	v := newView(wordsFor("en"), palette{}, false, time.Time{})
	at := time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC)
	step := nebula.PlanStep{ID: "s1", Name: "core", Status: nebula.InProgress, Began: at}
	v.fold(nebula.Event{Seq: 1, Body: nebula.Stepped{Plan: "plan_1", Step: step, Of: 2, Cause: "began"}})
	v.fold(nebula.Event{Seq: 1, Body: nebula.Tasked{Plan: "plan_1", Step: "s1", Title: "core", Number: 3, Of: 5}})
	v.printed()
	if rows := v.moving(at.Add(75 * time.Second)); len(rows) != 1 || rows[0] != "◆ s1 core 3/5 · 1 min 15 s" {
		t.Errorf("shown %q", rows)
	}
	if more := v.printed(); len(more) != 0 {
		t.Errorf("a task prints %q", more)
	}
	step.Status, step.Ended = nebula.Completed, at.Add(80*time.Second)
	v.fold(nebula.Event{Seq: 2, Body: nebula.Stepped{Plan: "plan_1", Step: step, Done: 1, Of: 2, Cause: "completed"}})
	if rows := v.moving(at.Add(90 * time.Second)); len(rows) != 0 {
		t.Errorf("still shown: %q", rows)
	}
	if text := strings.Join(v.printed(), "\n"); !strings.Contains(text, "s1 core: completed (1/2) · 1 min 20 s") {
		t.Errorf("printed %q", text)
	}
}

// What a yes to a plan covers is on the screen when the plan is proposed, to the byte.
func TestAPlanShowsTheCommandsThatAYesCovers(t *testing.T) {
	v := newView(wordsFor("en"), palette{}, false, time.Time{})
	command := "touch x;\ncp a \u202eb"
	v.fold(nebula.Event{Body: nebula.Planned{Change: "proposed", Plan: nebula.Plan{ID: "p", Status: nebula.Draft, Steps: []nebula.PlanStep{{ID: "s1", Verify: nebula.Verify{Command: command}}}}}})
	if got := strings.Join(v.lines, "|"); !strings.Contains(got, "$ "+terminal.OneRow(command)) || strings.Contains(got, "\u202e") {
		t.Errorf("%q", got)
	}
}

// sent is a conversation in which nothing happens: it keeps what is sent.
type sent chan nebula.Command

func (s sent) Send(_ context.Context, c nebula.Command) error {
	s <- c
	return nil
}

func (s sent) Events(ctx context.Context, _ int64) iter.Seq[nebula.Event] {
	return func(func(nebula.Event) bool) { <-ctx.Done() }
}

// What would approve a draft shows it first, and approves what was shown when it is given again.
func TestADraftIsShownBeforeItIsApproved(t *testing.T) {
	for _, typed := range []string{"run", "approve"} {
		sent := sent(make(chan nebula.Command, 4))
		talk := &talk{words: wordsFor("en"), view: newView(wordsFor("en"), palette{}, false, time.Time{}), link: terminal.NewLink(t.Context(), sent)}
		plan := nebula.Plan{ID: "p", Name: "Store", Status: nebula.Draft, Steps: []nebula.PlanStep{{ID: "s1", Files: []string{"store.go"}, Verify: nebula.Verify{Command: "make check"}}}}
		fold := func() {
			talk.view.fold(nebula.Event{Body: nebula.Planned{Change: "proposed", Plan: plan}})
			talk.view.printed()
		}
		shows := func(command string) {
			t.Helper()
			talk.run("tasks", []string{typed})
			if got := strings.Join(talk.view.printed(), "\n"); !strings.Contains(got, "store.go") || !strings.Contains(got, command) || !strings.Contains(strings.Join(strings.Fields(got), " "), talk.words.PlanAgain) || len(sent) > 0 {
				t.Fatalf("%s: %q is not shown before it is approved: %q", typed, command, got)
			}
		}
		fold()
		shows("make check")
		plan.Steps = []nebula.PlanStep{{ID: "s1", Files: []string{"store.go"}, Verify: nebula.Verify{Command: "make install"}}}
		fold()
		shows("make install")
		talk.run("tasks", []string{typed})
		if d, ok := (<-sent).(nebula.Direct); !ok || string(d.Do) != typed {
			t.Errorf("%s: sent %#v", typed, d)
		}
	}
}

// A plan that waits for the person is shown by /tasks, with what lets it run.
func TestTasksShowsThePlanThatWaits(t *testing.T) {
	for _, lang := range []string{"en", "ja"} {
		talk := &talk{words: wordsFor(lang), view: newView(wordsFor(lang), palette{}, false, time.Time{})}
		talk.tasks()
		if got := strings.Join(talk.view.printed(), "\n"); !strings.Contains(got, talk.words.NoTasks) {
			t.Errorf("%s: without a plan %q", lang, got)
		}
		plan := nebula.Plan{ID: "p", Name: "Priorities", Status: nebula.Draft, Steps: []nebula.PlanStep{{ID: "s1"}}}
		talk.view.fold(nebula.Event{Body: nebula.Planned{Change: "proposed", Plan: plan}})
		talk.view.printed()
		talk.tasks()
		if got := strings.Join(talk.view.printed(), "\n"); !strings.Contains(got, "Priorities · 0/1 · "+talk.words.PlanDraft) || !strings.Contains(got, "/tasks run") {
			t.Errorf("%s: %q", lang, got)
		}
	}
}

// A yes as a message approves what stood on the screen: of a draft with more rows than that all is shown again, and the same
// yes once more counts. Other words, and a yes to something else, go their way.
func TestAYesToADraftTallerThanTheScreenIsAskedAgain(t *testing.T) {
	for _, tt := range []struct {
		steps, later int
		said         string
		again        bool
	}{{3, 0, "yes", false}, {30, 0, "yes", true}, {30, 0, "はい", true}, {30, 0, "approve the plan", true}, {30, 2, "yes", false}, {30, 0, "yes, but name it otherwise", false}} {
		sent := sent(make(chan nebula.Command, 4))
		talk := &talk{words: wordsFor("en"), view: newView(wordsFor("en"), palette{}, false, time.Time{}), link: terminal.NewLink(t.Context(), sent), history: &terminal.History{}}
		talk.view.width, talk.view.room = 80, 18
		plan := nebula.Plan{ID: "p", Name: "Store", Status: nebula.Draft}
		for range tt.steps {
			plan.Steps = append(plan.Steps, nebula.PlanStep{ID: "s", Files: []string{"store.go"}})
		}
		talk.view.fold(nebula.Event{Body: nebula.Submitted{Turn: 1, Text: "plan it"}})
		talk.view.fold(nebula.Event{Body: nebula.Planned{Change: "proposed", Plan: plan}})
		for i := range tt.later {
			talk.view.fold(nebula.Event{Body: nebula.Submitted{Turn: 2 + i, Text: "and?"}})
		}
		talk.submit(tt.said)
		talk.send(nebula.Cancel{})
		first := <-sent
		if again := reflect.DeepEqual(first, nebula.Cancel{}); again != tt.again {
			t.Errorf("%+v: asked again: %v", tt, again)
			continue
		}
		if tt.again {
			talk.submit(tt.said)
			first = <-sent
		}
		if !reflect.DeepEqual(first, nebula.Submit{Text: tt.said}) {
			t.Errorf("%+v: sent %#v", tt, first)
		}
	}
}

// A word that names none of several questions answers none: they are listed, with what answers each.
func TestAnAnswerToNoneOfSeveralListsThem(t *testing.T) {
	sent := sent(make(chan nebula.Command, 4))
	talk := &talk{words: wordsFor("en"), view: newView(wordsFor("en"), palette{}, false, time.Time{}), link: terminal.NewLink(t.Context(), sent)}
	for _, ask := range []string{"s1/q", "s2/q"} {
		talk.view.fold(nebula.Event{Body: nebula.Queued{Ask: ask, Question: &nebula.Question{Text: "Which?"}}})
	}
	talk.view.printed()
	talk.reply([]string{"this"})
	if got := strings.Join(talk.view.printed(), "\n"); !strings.Contains(got, "/answer 1") || !strings.Contains(got, "/answer 2") || !strings.Contains(got, talk.words.WhichOne) {
		t.Errorf("%q", got)
	}
	talk.reply([]string{"2", "this"})
	if got, ok := (<-sent).(nebula.Answer); !ok || got.Ask != "s2/q" || got.Text != "this" {
		t.Errorf("sent %#v", got)
	}
}
