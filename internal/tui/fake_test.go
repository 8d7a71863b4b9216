package tui

import (
	"context"
	"fmt"
	"iter"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"nebula"
)

// A scripted conversation: every message starts the turn that its first word names. Its clock stands still, so that the
// same keys give the same screens.
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
	edited atomic.Bool
}

func newScripted(lang string, resumed bool) *scripted {
	s := &scripted{more: make(chan struct{}), answer: make(chan nebula.Answer, 64), stop: make(chan struct{}, 64)}
	begin := nebula.Started{Session: "s1", Dir: "/work/todo", Model: "gpt-4.1-nano", Protocol: "auto", Mode: nebula.AgentMode, Lang: lang}
	s.emit(begin)
	if resumed {
		s.emit(nebula.Submitted{Turn: 1, Text: "以前の依頼"})
		s.emit(nebula.Replied{Intent: nebula.Intent{Say: "以前の答え"}})
		s.emit(nebula.Ended{Outcome: nebula.Outcome{Turn: 1, Status: nebula.TurnDone}})
		begin.Resumed = true
		s.emit(begin)
	}
	return s
}

var noon = time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)

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
	s.events = append(s.events, nebula.Event{Seq: s.seq, At: noon, Body: b})
	close(s.more)
	s.more = make(chan struct{})
}

func (s *scripted) Events(ctx context.Context, _ int64) iter.Seq[nebula.Event] {
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
		go s.play(c.Text)
	case nebula.Answer:
		if strings.Contains(c.Ask, "/") {
			s.emit(nebula.Answered{Ask: c.Ask, Answer: c.Answer, By: "person"})
			return nil
		}
		select {
		case s.answer <- c:
		default:
		}
	case nebula.Cancel:
		select {
		case s.stop <- struct{}{}:
		default:
		}
	case nebula.Switch:
		s.emit(nebula.Switched{Mode: c.Mode, Model: c.Model, Protocol: c.Protocol, Approve: c.Approve})
	case nebula.Direct:
		s.emit(nebula.Noted{Level: "info", Text: "direct: " + string(c.Do)})
	case nebula.Undo:
		s.emit(nebula.Undone{Turn: s.turn, Redo: c.Redo, Changes: []nebula.Change{{Path: "domain/todo.go", Kind: "edit"}}})
	case nebula.Close:
		s.emit(nebula.Closed{})
	}
	return nil
}

// undoable is the one change that there is in a scripted conversation, either way.
func (s *scripted) undoable(redo bool) nebula.Undoable {
	const head = "--- a/domain/todo.go\n+++ b/domain/todo.go\n@@ -1,3 +1,3 @@\n package domain\n"
	const was, now = "type Priority int // low or high\n", "type Priority string // low, normal or high\n"
	switch {
	case !s.edited.Load():
		return nebula.Undoable{}
	case redo:
		return nebula.Undoable{Turn: s.turn, Files: 1, Diff: head + "-" + was + "+" + now + " \n"}
	}
	return nebula.Undoable{Turn: s.turn, Files: 1, Diff: head + "-" + now + "+" + was + " \n@@ -40,3 +40,2 @@ func (t Todo) String() string\n \treturn t.Title\n-// \u202eevil\x1b[2J pаypal\n }\n"}
}

func (s *scripted) play(text string) {
	for len(s.stop) > 0 { // from an earlier turn
		<-s.stop
	}
	s.emit(nebula.Moved{From: "PLANNING", To: "EXECUTION", Status: "IN_PROGRESS", Cause: "model"})
	s.emit(nebula.Requested{Turn: s.turn, Step: 1, Model: "gpt-4.1-nano", Layers: []nebula.LayerCost{{Name: "base", Tokens: 900}, {Name: "history", Tokens: 300}}})
	status := nebula.TurnDone
	switch word, _, _ := strings.Cut(text, " "); word {
	case "gate":
		s.edit("high")
	case "shell":
		s.shell()
	case "given":
		s.given(string(nebula.NewCode(nebula.Reads, "/home/u/.ssh")), string(nebula.NewCode(nebula.Reaches, "example.org:443")))
	case "outside":
		s.given(nebula.Unconfined)
	case "destroys":
		s.given("destroys", "network")
	case "question":
		s.question()
	case "hang":
		s.emit(nebula.Streamed{Kind: "text", Text: "I am going on and"})
		<-s.stop
		status = nebula.Cancelled
	case "chaos":
		s.chaos()
	case "beside":
		s.emit(nebula.Planned{Plan: nebula.Plan{ID: "p1", Name: "Priorities", Goal: "Todos have a priority: low, normal or high.", Status: nebula.InProgress, Steps: []nebula.PlanStep{
			{ID: "t1", Name: "Model", Status: nebula.Completed, Began: noon.Add(-130 * time.Second), Ended: noon.Add(-118 * time.Second),
				Evidence: &nebula.Evidence{How: "tests", Detail: "go test ./domain: 12 passed"}},
			{ID: "t2", Name: "Storage", Description: "Keep the priority in the file, and read files that have none.", Status: nebula.InProgress, DependsOn: []string{"t1"},
				Began: noon.Add(-75 * time.Second), Verify: nebula.Verify{Tests: true}},
			{ID: "t3", Name: "優先度の表示", Status: nebula.Pending, DependsOn: []string{"t2"}, Verify: nebula.Verify{Command: "make demo"}}}}})
		s.emit(nebula.Tasked{Plan: "p1", Step: "t2", Title: "Storage", Number: 2, Of: 3, Task: nebula.Task{Reason: "write the migration"}})
		s.emit(nebula.Queued{Ask: "t2/q1", Plan: "p1", Step: "t2", Title: "Storage", Proposed: &nebula.Proposed{Proposal: nebula.Proposal{
			Action: nebula.Action{ID: "b1"}, Effect: nebula.Execute, Summary: "run it", Command: "make store"}, Verdict: nebula.Verdict{Risk: "low"}}})
	default:
		s.emit(nebula.Streamed{Kind: "thought", Text: "考え中の一行\nand another line of it\n"})
		for _, piece := range []string{"## 見出し\n", "これは`code`と**太字**", "を含む日本語の長い一行で、端末の幅で折り返されます。\n\n- one\n- two, which goes on for so long that it has to be broken\n",
			"\n```go\nfunc main() { // 挨拶\n\tfmt.Println(\"hi\", 42)\n}\n```\n\n| name | n |\n|---|--:|\n| 日本語 | 12 |\n"} {
			s.emit(nebula.Streamed{Kind: "text", Text: piece})
		}
		sure, half, low := 0.9, 0.5, 0.3
		s.emit(nebula.Replied{Turn: s.turn, Vitals: nebula.Vitals{Confidence: &sure, Mood: &half, Focus: &low, Stamina: &sure}})
	}
	s.busy.Store(false) // before it is said: the next request may come at once
	s.emit(nebula.Ended{Outcome: nebula.Outcome{Session: "s1", Turn: s.turn, Status: status, Usage: nebula.Usage{Input: 1200, Output: 34, Cost: 0.0012}}})
}

// ask waits for the person, or for the end of the turn.
func (s *scripted) ask(id, action string, q *nebula.Question) nebula.Answer {
	for len(s.answer) > 0 {
		<-s.answer
	}
	s.emit(nebula.Asked{Ask: id, Action: action, Question: q})
	var a nebula.Answer
	for a.Ask != id {
		select {
		case a = <-s.answer:
		case <-s.stop:
			a = nebula.Answer{Ask: id, Answer: nebula.No, By: nebula.Person}
			s.stop <- struct{}{} // the turn stops, too
		}
	}
	s.emit(nebula.Answered{Ask: id, Answer: a.Answer, Text: a.Text, By: "person", Command: a.Command})
	return a
}

func (s *scripted) finish(p nebula.Proposal, a nebula.Answer, r nebula.Result) {
	r.Action, r.Tool, r.Status = p.Action.ID, p.Action.Tool, nebula.Done
	if a.Answer == nebula.No {
		r = nebula.Result{Action: p.Action.ID, Tool: p.Action.Tool, Status: nebula.Denied}
	} else {
		s.emit(nebula.Began{Action: p.Action.ID})
	}
	s.emit(nebula.Finished{Result: r})
}

func (s *scripted) edit(risk string) {
	p := nebula.Proposal{
		Action: nebula.Action{ID: fmt.Sprintf("a%d", s.turn), Tool: "patchFile", Reason: "優先度を足す"}, Effect: nebula.Write, Summary: "domain/todo.go を変更 (+2 -1)",
		Targets: []nebula.Target{{Path: "domain/todo.go", Kind: "edit"}},
		Diff:    "--- a/domain/todo.go\n+++ b/domain/todo.go\n@@ -1,3 +1,3 @@\n package domain\n-type Priority int // low or high\n+type Priority string // low, normal or high\n \n@@ -40,2 +40,3 @@ func (t Todo) String() string\n \treturn t.Title\n+// \u202eevil\x1b[2J pаypal\n }\n",
	}
	points := nebula.Points{Intent: "make priorities readable", Rationale: p.Action.Reason, Impact: []nebula.Code{"changes 1 file"}, Alternatives: []nebula.Code{"refuse"}}
	s.emit(nebula.Moved{From: "EXECUTION", To: "AWAITING_APPROVAL", Status: "REQUIRES_USER_INPUT", Cause: "approval_needed"})
	s.emit(nebula.Proposed{Proposal: p, Points: &points, Verdict: nebula.Verdict{Risk: risk, Risks: []nebula.Code{"alters"}, Why: "it changes files"}})
	a := s.ask(fmt.Sprintf("q%d", s.turn), p.Action.ID, nil)
	s.emit(nebula.Moved{From: "AWAITING_APPROVAL", To: "EXECUTION", Status: "IN_PROGRESS", Cause: "approved"})
	s.edited.Store(a.Answer != nebula.No)
	s.finish(p, a, nebula.Result{Summary: "domain/todo.go +2 -1", Text: "changed", Changes: []nebula.Change{{Path: "domain/todo.go", Kind: "edit"}}})
}

func (s *scripted) shell() {
	p := nebula.Proposal{Action: nebula.Action{ID: fmt.Sprintf("s%d", s.turn), Tool: "executeShell", Reason: "to see"}, Effect: nebula.Execute, Summary: "run a command", Command: "go test ./... && echo 'ok'\u200b"}
	s.emit(nebula.Proposed{Proposal: p, Verdict: nebula.Verdict{Risk: "low", Why: "it runs a command"}})
	a := s.ask(fmt.Sprintf("c%d", s.turn), p.Action.ID, nil)
	if a.Command != "" {
		p.Command = a.Command
		s.emit(nebula.Proposed{Proposal: p})
	}
	s.finish(p, a, nebula.Result{Summary: "exit 0", Text: "ok  nebula\nok  nebula/internal"})
}

// given is a command that asks for more than commands may.
func (s *scripted) given(risks ...string) {
	p := nebula.Proposal{Action: nebula.Action{ID: fmt.Sprintf("g%d", s.turn), Tool: "executeShell"}, Effect: nebula.Execute, Summary: "run make test", Command: "make test", Risks: risks}
	v := nebula.Verdict{Risk: "high"}
	for _, r := range risks {
		v.Risks = append(v.Risks, nebula.Code(r))
	}
	s.emit(nebula.Proposed{Proposal: p, Verdict: v})
	s.finish(p, s.ask(fmt.Sprintf("n%d", s.turn), p.Action.ID, nil), nebula.Result{Summary: "exit 0", Text: "ok"})
}

func (s *scripted) question() {
	s.ask(fmt.Sprintf("w%d", s.turn), "", &nebula.Question{Text: "Which store?", Options: []string{"memory", "file"}})
}

// chaos streams everything at once until the turn is stopped.
func (s *scripted) chaos() {
	for i := 0; ; i++ {
		select {
		case <-s.stop:
			return
		case <-time.After(3 * time.Millisecond):
		}
		switch i % 97 {
		case 11:
			s.emit(nebula.Streamed{Kind: "thought", Text: "hm\n"})
		case 50:
			s.emit(nebula.Retried{Attempt: 1, After: 10, Cause: "cut"})
		case 70:
			s.emit(nebula.Replied{Intent: nebula.Intent{Say: "x"}})
			s.edit("medium")
		case 90:
			s.question()
		default:
			s.emit(nebula.Streamed{Kind: "text", Text: "word 語 **b** `c` ```\n"[i%7:]})
		}
	}
}

// A broken conversation panics with the first message, where it is told to.
type broken struct {
	*scripted
	where string
}

func (b *broken) Send(ctx context.Context, c nebula.Command) error {
	if _, ok := c.(nebula.Submit); ok && b.where == "elsewhere" {
		go func() { panic("a defect") }()
		time.Sleep(time.Hour)
	} else if ok && b.where == "send" {
		panic("a defect")
	}
	return b.scripted.Send(ctx, c)
}

func (b *broken) Events(ctx context.Context, after int64) iter.Seq[nebula.Event] {
	return func(yield func(nebula.Event) bool) {
		for e := range b.scripted.Events(ctx, after) {
			if _, ok := e.Body.(nebula.Submitted); ok && b.where == "events" {
				panic("a defect")
			}
			if !yield(e) {
				return
			}
		}
	}
}
