package line

import (
	"strings"
	"testing"
	"time"

	"nebula"
)

func TestBackgroundIsShownAndWaitsInTheQueue(t *testing.T) {
	for _, lang := range []string{"en", "ja"} {
		v := newView(wordsFor(lang), palette{}, false, time.Time{})
		q := nebula.Queued{Ask: "s1/q1", Plan: "plan_1", Step: "s1", Title: "core", Question: &nebula.Question{Text: "Does it\x1b[2J work?", Options: []string{"yes", "no"}}}
		v.fold(nebula.Event{Seq: 1, Body: nebula.Stepped{Plan: "plan_1", Step: nebula.PlanStep{ID: "s1", Name: "core", Status: nebula.InProgress}, Of: 2, Cause: "began"}})
		v.fold(nebula.Event{Seq: 2, Body: q})
		v.fold(nebula.Event{Seq: 3, Body: nebula.Reported{Step: "s0", Report: nebula.Report{Status: nebula.Completed, Summary: "It is there."}}})
		text := strings.Join(v.printed(), "\n")
		for _, want := range []string{"s1 core: began (0/2)", "s1 core", "Does it", "/answer 1", "It is there."} {
			if !strings.Contains(text, want) {
				t.Errorf("%s: there is no %q in\n%s", lang, want, text)
			}
		}
		if strings.Contains(text, "\x1b[2J") || v.ask != nil || len(v.queue) != 1 {
			t.Errorf("%s: it steers the terminal, or holds up the conversation", lang)
		}
		v.fold(nebula.Event{Seq: 4, Body: nebula.Answered{Ask: "s1/q1", Answer: nebula.Told, Text: "yes", By: "person"}})
		if len(v.queue) != 0 {
			t.Error("the answered question still waits")
		}
	}
}
