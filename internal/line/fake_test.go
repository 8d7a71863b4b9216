package line

import (
	"context"
	"iter"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"nebula"
)

// A scripted conversation: every message starts the turn that its first word names.
type scripted struct {
	mu     sync.Mutex
	events []nebula.Event
	seq    int64
	more   chan struct{} // closed and replaced when there is more
	answer chan nebula.Answer
	stop   chan struct{}
	turn   int
	ended  bool
	busy   atomic.Bool
	wait   sync.WaitGroup
}

func newScripted(lang string, resumed bool) *scripted {
	s := &scripted{more: make(chan struct{}), answer: make(chan nebula.Answer, 8), stop: make(chan struct{}, 8)}
	s.emit(nebula.Started{Session: "s1", Dir: "/work/todo", Model: "gpt-4.1-nano", Protocol: "auto", Mode: nebula.AgentMode, Lang: lang})
	if resumed {
		s.emit(nebula.Submitted{Turn: 1, Text: "以前の依頼"})
		s.emit(nebula.Ended{Outcome: nebula.Outcome{Turn: 1, Status: nebula.TurnDone, Text: "以前の答え"}})
		s.emit(nebula.Started{Session: "s1", Dir: "/work/todo", Model: "gpt-4.1-nano", Mode: nebula.AgentMode, Resumed: true})
	}
	return s
}

func (s *scripted) emit(b nebula.Body) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ended {
		return
	}
	if !b.Transient() {
		s.seq++
	}
	_, s.ended = b.(nebula.Closed)
	s.events = append(s.events, nebula.Event{Seq: s.seq, At: time.Now(), Body: b})
	close(s.more)
	s.more = make(chan struct{})
}

func (s *scripted) Events(ctx context.Context, after int64) iter.Seq[nebula.Event] {
	return func(yield func(nebula.Event) bool) {
		for i := 0; ; {
			s.mu.Lock()
			events, more, ended := s.events[i:], s.more, s.ended
			s.mu.Unlock()
			for _, e := range events {
				i++
				if !yield(e) {
					return
				}
			}
			if ended {
				return
			}
			select {
			case <-more:
			case <-ctx.Done():
				return
			}
		}
	}
}

func (s *scripted) Send(_ context.Context, c nebula.Command) error {
	switch c := c.(type) {
	case nebula.Submit:
		if !s.busy.CompareAndSwap(false, true) {
			s.emit(nebula.Submitted{Turn: s.turn, Text: c.Text, Steer: true})
			return nil
		}
		s.turn++
		s.emit(nebula.Submitted{Turn: s.turn, Text: c.Text})
		s.wait.Go(func() { s.play(c.Text) })
	case nebula.Answer:
		s.answer <- c
	case nebula.Cancel:
		s.stop <- struct{}{}
	case nebula.Switch:
		s.emit(nebula.Switched{Mode: c.Mode, Model: c.Model, Protocol: c.Protocol})
	case nebula.Undo:
		s.emit(nebula.Undone{Redo: c.Redo, Changes: []nebula.Change{{Path: "domain/todo.go", Kind: "edit"}}})
	case nebula.Direct:
		if c.Do == nebula.RunPlan && c.Step == "" {
			s.wait.Go(s.plan)
			return nil
		}
		return nebula.Errorf("there is no step %s", c.Step)
	case nebula.Close:
		s.emit(nebula.Closed{})
	}
	return nil
}

func (s *scripted) play(text string) {
	s.emit(nebula.Requested{Turn: s.turn, Step: 1, Model: "gpt-4.1-nano"})
	status, cause := nebula.TurnDone, nebula.EndCause("")
	switch word, _, _ := strings.Cut(text, " "); word {
	case "gate":
		s.gate()
	case "question":
		s.question()
	case "circles":
		status, cause = nebula.LimitReached, nebula.WentInCircles
	case "api":
		status = nebula.APIFailed
	case "limit":
		status = nebula.LimitReached
	case "hang":
		s.emit(nebula.Streamed{Kind: "text", Text: "I am going on and"})
		<-s.stop
		status = nebula.Cancelled
	case "long":
		for range 2000 {
			s.emit(nebula.Streamed{Kind: "text", Text: "word 語 "})
		}
		s.emit(nebula.Streamed{Kind: "text", Text: "\nend-of-long\n"})
	default:
		s.emit(nebula.Streamed{Kind: "thought", Text: "考え中の一行\n"})
		for _, piece := range []string{"## 見出し\n", "これは`code`と**太字**", "を含む日本語の長い一行で、端末の幅で折り返されます。", "\n```go\nfmt.Println()\n```\n"} {
			s.emit(nebula.Streamed{Kind: "text", Text: piece})
			time.Sleep(30 * time.Millisecond)
		}
	}
	s.busy.Store(false) // before it is said: the next request may come at once
	s.emit(nebula.Ended{Outcome: nebula.Outcome{Session: "s1", Turn: s.turn, Status: status, Cause: cause, Usage: nebula.Usage{Input: 1200, Output: 34}}})
}

func (s *scripted) gate() {
	p := nebula.Proposal{
		Action: nebula.Action{ID: "a1", Tool: "patchFile", Reason: "優先度を足す"}, Effect: nebula.Write, Summary: "domain/todo.go を変更 (+1 -1)",
		Targets: []nebula.Target{{Path: "domain/todo.go", Kind: "edit"}},
		Diff:    "--- a/domain/todo.go\n+++ b/domain/todo.go\n@@ -1,2 +1,2 @@\n package domain\n-type A int\n+type A string // \u202eevil\x1b[2J\n",
	}
	points := nebula.Points{Rationale: p.Action.Reason, Impact: []nebula.Code{"changes 1 file"}, Alternatives: []nebula.Code{"refuse"}}
	s.emit(nebula.Proposed{Proposal: p, Points: &points, Verdict: nebula.Verdict{Risk: "high", Risks: []nebula.Code{"network"}}})
	s.emit(nebula.Asked{Ask: "q1", Action: "a1"})
	a := <-s.answer
	s.emit(nebula.Answered{Ask: a.Ask, Answer: a.Answer, Text: a.Text, By: "person"})
	r := nebula.Result{Action: "a1", Tool: "patchFile", Status: nebula.Done, Summary: "domain/todo.go +1 -1"}
	if a.Answer == nebula.No {
		r.Status = nebula.Denied
	} else {
		s.emit(nebula.Began{Action: "a1"})
	}
	s.emit(nebula.Finished{Result: r})
}

func (s *scripted) question() {
	s.emit(nebula.Asked{Ask: "q2", Question: &nebula.Question{Text: "Which store?", Options: []string{"memory", "file"}}})
	a := <-s.answer
	s.emit(nebula.Answered{Ask: a.Ask, Answer: a.Answer, Text: a.Text, By: "person"})
}

// plan runs a step beside the conversation, which asks for something.
func (s *scripted) plan() {
	s.emit(nebula.Planned{Plan: nebula.Plan{ID: "p1", Status: nebula.Approved}, Change: "running", By: nebula.Person})
	time.Sleep(50 * time.Millisecond)
	s.emit(nebula.Queued{Ask: "s1/q1", Plan: "p1", Step: "s1", Question: &nebula.Question{Text: "Which store?"}})
	a := <-s.answer
	s.emit(nebula.Answered{Ask: a.Ask, Answer: a.Answer, Text: a.Text, By: a.By})
	time.Sleep(50 * time.Millisecond)
	s.emit(nebula.Reported{Plan: "p1", Step: "s1", Report: nebula.Report{Status: nebula.Completed, Summary: "All is done."}})
	s.emit(nebula.Planned{Plan: nebula.Plan{ID: "p1", Status: nebula.Completed}, Change: "ended", By: "nebula"})
}
