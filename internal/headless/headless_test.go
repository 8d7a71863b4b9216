package headless

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"iter"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"nebula"
	"nebula/internal/gate"
)

// A script is a conversation that plays events; at an Asked it waits for the answer.
type script struct {
	events []nebula.Body

	mu       sync.Mutex
	commands []nebula.Command
	answered chan nebula.Answer
	cancel   chan struct{}
}

func newScript(events ...nebula.Body) *script {
	return &script{events: events, answered: make(chan nebula.Answer, 4), cancel: make(chan struct{}, 4)}
}

func (s *script) Send(_ context.Context, c nebula.Command) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.commands = append(s.commands, c)
	switch c := c.(type) {
	case nebula.Answer:
		s.answered <- c
	case nebula.Cancel:
		s.cancel <- struct{}{}
	}
	return nil
}

func (s *script) Events(ctx context.Context, after int64) iter.Seq[nebula.Event] {
	return func(yield func(nebula.Event) bool) {
		seq := after
		for _, b := range s.events {
			if !b.Transient() {
				seq++
			}
			if !yield(nebula.Event{Seq: seq, At: time.Unix(1700000000, 0), Body: b}) {
				return
			}
			if _, ok := b.(nebula.Asked); ok {
				select {
				case <-s.answered:
				case <-ctx.Done():
					return
				}
			}
		}
	}
}

func turn(bodies ...nebula.Body) []nebula.Body {
	return append([]nebula.Body{nebula.Submitted{Turn: 1, Text: "go"}}, bodies...)
}

func said(text string) []nebula.Body {
	return []nebula.Body{
		nebula.Streamed{Kind: "text", Text: text[:len(text)/2]}, nebula.Streamed{Kind: "text", Text: text[len(text)/2:]},
		nebula.Replied{Reply: nebula.Reply{Parts: nebula.Text(text)}, Intent: nebula.Intent{Say: text}},
	}
}

func ended(status nebula.EndStatus, text string, changed ...string) nebula.Body {
	return nebula.Ended{Outcome: nebula.Outcome{Session: "s1", Turn: 1, Status: status, Text: text, ChangedFiles: changed}}
}

// session is a turn that looks, edits, and answers.
func session() []nebula.Body {
	action := nebula.Action{ID: "a1", Tool: "editFile"}
	bodies := []nebula.Body{
		nebula.Streamed{Kind: "text", Text: "Let me "}, nebula.Streamed{Kind: "text", Text: "look."},
		nebula.Replied{Intent: nebula.Intent{Say: "Let me look.", Actions: []nebula.Action{action}}},
		nebula.Proposed{Proposal: nebula.Proposal{Action: action}},
		nebula.Finished{Result: nebula.Result{Action: "a1", Tool: "editFile", Status: nebula.Done, Summary: "main.go +1 -1"}},
		nebula.Finished{Result: nebula.Result{Action: "a2", Tool: "executeShell", Status: nebula.Denied, Text: "Refused\nbecause"}},
	}
	return turn(append(append(bodies, said("All done.")...), ended(nebula.TurnDone, "All done.", "main.go"))...)
}

func TestAnswerAloneGoesToAPipe(t *testing.T) {
	var out, log bytes.Buffer
	end, err := Run(context.Background(), newScript(session()...), Request{Prompt: "go", Output: Text, Stdout: &out, Stderr: &log})
	if err != nil || end.Status != nebula.TurnDone {
		t.Fatalf("%+v %v", end, err)
	}
	if out.String() != "All done.\n" {
		t.Errorf("stdout %q", out.String())
	}
	if want := "✓ editFile main.go +1 -1\n– executeShell Refused\n· changed: main.go\n"; log.String() != want {
		t.Errorf("stderr %q, want %q", log.String(), want)
	}
}

func TestAnswerOfAFailedTurnIsNotKeptBack(t *testing.T) {
	var out bytes.Buffer
	end := ended(nebula.TurnFailed, "All done.\nEnded without evidence: a.go was changed.")
	if _, err := Run(context.Background(), newScript(turn(append(said("All done."), end)...)...), Request{Output: Text, Stdout: &out, Stderr: io.Discard}); err != nil || out.String() != "All done.\n" {
		t.Errorf("stdout %q, %v", out.String(), err)
	}
}

func TestTerminalSeesTheAnswerAsItComesAndOnce(t *testing.T) {
	var both bytes.Buffer
	if _, err := Run(context.Background(), newScript(session()...), Request{Output: Text, Stdout: &both, Stderr: &both, Live: true}); err != nil {
		t.Fatal(err)
	}
	want := "Let me look.\n✓ editFile main.go +1 -1\n– executeShell Refused\nAll done.\n· changed: main.go\n"
	if both.String() != want {
		t.Errorf("got %q, want %q", both.String(), want)
	}
}

// Programs are told in words why a request is sent again, as people are.
func TestStreamSaysWhyItIsSentAgain(t *testing.T) {
	cause := nebula.NewCode("%s cut the reply off before its end", "h.example")
	for lang, want := range map[string]string{"en": `"cause":"h.example cut the reply off before its end"`, "ja": `"cause":"h.example `} {
		var out bytes.Buffer
		_, err := Run(t.Context(), newScript(turn(nebula.Retried{Attempt: 2, Cause: cause}, ended(nebula.TurnDone, "x"))...), Request{Prompt: "go", Output: Stream, Stdout: &out, Lang: lang})
		if err != nil || !strings.Contains(out.String(), want) || strings.Contains(out.String(), "%s") {
			t.Errorf("%s: %s, %v", lang, out.String(), err)
		}
	}
}

// What came of a reply that broke off for good is shown, once.
func TestHalfOfAReplyIsShown(t *testing.T) {
	for _, status := range []nebula.EndStatus{nebula.APIFailed, nebula.LimitReached} {
		end := nebula.Ended{Outcome: nebula.Outcome{Status: status, Text: "cut off", Half: "Half"}}
		events := turn(nebula.Streamed{Kind: "text", Text: "Half"}, nebula.Observed{Said: "Half"}, end)
		for _, live := range []bool{false, true} {
			var out, errs bytes.Buffer
			if _, err := Run(t.Context(), newScript(events...), Request{Prompt: "go", Output: Text, Stdout: &out, Stderr: &errs, Live: live}); err != nil || out.String() != "Half\n" {
				t.Errorf("%s, live %v: %q, %v", status, live, out.String(), err)
			}
		}
	}
}

func TestRetriedTextIsNotTheAnswer(t *testing.T) {
	bodies := append([]nebula.Body{nebula.Streamed{Kind: "text", Text: "half"}, nebula.Retried{Attempt: 1, After: 500, Cause: "cut"}}, said("whole")...)
	var out, log bytes.Buffer
	_, err := Run(context.Background(), newScript(turn(append(bodies, ended(nebula.TurnDone, "whole"))...)...),
		Request{Output: Text, Stdout: &out, Stderr: &log, Live: true})
	if err != nil || out.String() != "half\nwhole\n" || !strings.Contains(log.String(), "sent again in 500 ms: cut") {
		t.Errorf("%q %q %v", out.String(), log.String(), err)
	}
}

// What a yes to a plan covers is told where the plan is, as on every other screen, and how its steps end.
func TestAPlanIsToldAsItIsOnAScreen(t *testing.T) {
	s := nebula.PlanStep{ID: "s1", Name: "build", Files: []string{"a.go"}, Verify: nebula.Verify{Command: "make\x1b[2J"}}
	failed := s
	failed.Status = nebula.StageFailed
	bodies := turn(nebula.Planned{Plan: nebula.Plan{ID: "p1", Name: "P", Status: nebula.Draft, Steps: []nebula.PlanStep{s}}, Change: "proposed"},
		nebula.Stepped{Plan: "p1", Step: failed, Cause: "failed", Of: 1},
		nebula.Reported{Plan: "p1", Step: "s1", Title: "build", Report: nebula.Report{Status: nebula.StageFailed, Summary: "nothing", Cause: nebula.NewCode("absent", "a.go")}},
		ended(nebula.TurnDone, ""))
	var log bytes.Buffer
	if _, err := Run(t.Context(), newScript(bodies...), Request{Output: Text, Stdout: io.Discard, Stderr: &log, Lang: "en"}); err != nil {
		t.Fatal(err)
	}
	if want := "· p1 · proposed: P\n· s1 build\n· a.go\n· $ make[2J\n✗ s1 build: failed (0/1)\n✗ build: nothing\n· a.go does not exist\n"; log.String() != want {
		t.Errorf("got %q, want %q", log.String(), want)
	}
}

func TestControlCharactersDoNotReachATerminal(t *testing.T) {
	var out, log bytes.Buffer
	bodies := append(said("a\x1b[2Jb\u202ec\x07"), nebula.Finished{Result: nebula.Result{Tool: "x", Status: nebula.Done, Summary: "\x1b]0;t\x07s"}}, ended(nebula.TurnDone, "a\x1b[2Jb\u202ec\x07"))
	for _, live := range []bool{true, false} { // what a pipe takes is shown later
		if _, err := Run(context.Background(), newScript(turn(bodies...)...), Request{Output: Text, Stdout: &out, Stderr: &log, Live: live}); err != nil {
			t.Fatal(err)
		}
		if strings.ContainsAny(out.String()+log.String(), "\x1b\x07\u202e") || !strings.HasSuffix(out.String(), "c\n") {
			t.Errorf("live %v: %q %q", live, out.String(), log.String())
		}
	}
}

func TestNobodyThereIsSaidToTheSession(t *testing.T) {
	s := newScript(turn(nebula.Asked{Ask: "q1", Action: "a1"}, nebula.Asked{Ask: "q2", Question: &nebula.Question{Text: "?"}}, ended(nebula.NeedsInput, ""))...)
	end, err := Run(context.Background(), s, Request{Output: JSON, Stdout: io.Discard, Stderr: io.Discard})
	if err != nil || Code(end.Status) != 3 {
		t.Fatalf("%+v %v", end, err)
	}
	var out, log bytes.Buffer
	q := nebula.Question{Text: "Rounding or tax?", Options: []string{"rounding", "tax"}}
	s2 := newScript(turn(nebula.Asked{Ask: "q2", Question: &q}, ended(nebula.NeedsInput, q.Lines()))...)
	if _, err := Run(context.Background(), s2, Request{Output: Text, Stdout: &out, Stderr: &log}); err != nil || out.String() != q.Lines()+"\n" || log.String() != "? Rounding or tax?\n? 1. rounding\n? 2. tax\n" {
		t.Errorf("%q %q %v", out.String(), log.String(), err)
	}
	for i, ask := range []string{"q1", "q2"} {
		a, ok := s.commands[i+1].(nebula.Answer)
		if !ok || a.Ask != ask || a.Answer != nebula.No || a.By != "nobody" {
			t.Errorf("%+v", s.commands[i+1])
		}
	}
}

func TestPersonIsAskedWithWhatWouldBeDone(t *testing.T) {
	action := nebula.Action{ID: "a1", Tool: "executeShell", Reason: "to see"}
	s := newScript(turn(
		nebula.Proposed{Proposal: nebula.Proposal{Action: action, Command: "rm -rf x", Summary: "run rm"}, Points: &nebula.Points{Impact: []nebula.Code{"cannot be undone", "always = this\nalone"}}, Verdict: nebula.Verdict{Why: "it runs a command"}},
		nebula.Asked{Ask: "q1", Action: "a1"},
		nebula.Proposed{Proposal: nebula.Proposal{Action: nebula.Action{ID: "a2", Tool: "editFile"}, Diff: "--- a\n+++ b\n-x\n+y\n"}},
		nebula.Asked{Ask: "q2", Action: "a2"},
		nebula.Asked{Ask: "q3", Question: &nebula.Question{Text: "Which?", Options: []string{"left", "right"}}},
		ended(nebula.TurnDone, "ok"))...)
	var screen bytes.Buffer
	term := &Terminal{In: bufio.NewReader(strings.NewReader("yes\nno, not that\n2\n")), Out: &screen}
	if _, err := Run(context.Background(), s, Request{Output: Text, Stdout: io.Discard, Stderr: io.Discard, Person: term.Answer}); err != nil {
		t.Fatal(err)
	}
	want := []nebula.Answer{{Ask: "q1", Answer: nebula.Yes, By: nebula.Person}, {Ask: "q2", Answer: nebula.No, Text: "not that", By: nebula.Person}, {Ask: "q3", Answer: nebula.Told, Text: "right", By: nebula.Person}}
	for i, w := range want {
		if s.commands[i+1] != nebula.Command(w) {
			t.Errorf("got %+v, want %+v", s.commands[i+1], w)
		}
	}
	for _, part := range []string{"$ rm -rf x", "to see", "it runs a command", "effect: cannot be undone · always = this␊alone", "+y", "1. left"} {
		if !strings.Contains(screen.String(), part) {
			t.Errorf("%q is not shown: %s", part, screen.String())
		}
	}
}

// What a yes gives stands below the command, once, and counts among the rows that must have been on the screen; an "always" is
// offered only where it would hold.
func TestWhatIsGivenIsOnTheQuestion(t *testing.T) {
	for _, risk := range []nebula.Code{nebula.NewCode(nebula.Reads, "/home/u/.ssh"), gate.Unconfined} {
		p := nebula.Proposed{Proposal: nebula.Proposal{Effect: nebula.Execute, Command: "make", Risks: []string{string(risk)}}, Verdict: nebula.Verdict{Risks: []nebula.Code{risk}}}
		var screen bytes.Buffer
		term := &Terminal{In: bufio.NewReader(strings.NewReader("no\n")), Out: &screen}
		rows, firm := term.decision(p)
		if said := "! " + gate.Say(risk, "en"); firm != len(rows) || strings.Count(strings.Join(rows, "\n"), said) != 1 || !strings.Contains(rows[firm-1], said) {
			t.Errorf("%s: %d of %q", risk, firm, rows)
		}
		term.Answer(context.Background(), Question{Proposed: p})
		if offers := strings.Contains(screen.String(), "lways"); offers != (risk != gate.Unconfined) {
			t.Errorf("%s: %s", risk, screen.String())
		}
	}
}

func TestEndOfInputIsNo(t *testing.T) {
	term := &Terminal{In: bufio.NewReader(strings.NewReader("")), Out: io.Discard}
	if a := term.Answer(context.Background(), Question{Asked: nebula.Asked{Ask: "q"}}); a.Answer != nebula.No || a.By != "nobody" {
		t.Errorf("%+v", a)
	}
}

func TestStreamEndsWithEnded(t *testing.T) {
	var out bytes.Buffer
	if _, err := Run(context.Background(), newScript(append(session(), nebula.Closed{})...), Request{Output: Stream, Stdout: &out, Stderr: io.Discard}); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
	last := lines[len(lines)-1]
	if !strings.Contains(last, `"type":"ended","v":2,"session":"s1"`) || !strings.Contains(last, `"actions":[],"changed_files":["main.go"],"plan":null`) {
		t.Errorf("last line %s", last)
	}
	for _, l := range lines {
		if !strings.HasPrefix(l, `{"seq":`) {
			t.Errorf("line %s", l)
		}
	}
}

type closedPipe struct{ after int }

func (c *closedPipe) Write(p []byte) (int, error) {
	if c.after--; c.after < 0 {
		return 0, syscall.EPIPE
	}
	return len(p), nil
}

func TestClosedOutputCancelsTheTurnAndKeepsQuiet(t *testing.T) {
	s := newScript(session()...)
	var log bytes.Buffer
	_, err := Run(context.Background(), s, Request{Output: Stream, Stdout: &closedPipe{after: 2}, Stderr: &log})
	if !errors.Is(err, ErrClosedPipe) || log.Len() > 0 || len(s.cancel) != 1 {
		t.Errorf("%v %q %d", err, log.String(), len(s.cancel))
	}
}

func TestSessionThatBreaksHasNoEnd(t *testing.T) {
	_, err := Run(context.Background(), newScript(turn()...), Request{Output: JSON, Stdout: io.Discard, Stderr: io.Discard})
	if !errors.Is(err, ErrNoEnd) {
		t.Errorf("%v", err)
	}
}

func TestCodesAreTheInterfaces(t *testing.T) {
	for status, want := range map[nebula.EndStatus]int{nebula.TurnDone: 0, nebula.TurnFailed: 1, nebula.NeedsApproval: 3, nebula.NeedsInput: 3,
		nebula.APIFailed: 4, nebula.LimitReached: 6, nebula.Cancelled: 130, "": 1} {
		if got := Code(status); got != want {
			t.Errorf("%s: %d, want %d", status, got, want)
		}
	}
}

func BenchmarkStream(b *testing.B) {
	bodies := turn()
	for range 20_000 {
		bodies = append(bodies, nebula.Streamed{Kind: "text", Text: "delta "})
	}
	bodies = append(bodies, ended(nebula.TurnDone, "x"))
	for _, output := range []Output{Text, Stream} {
		b.Run(string(output), func(b *testing.B) {
			for b.Loop() {
				_, _ = Run(context.Background(), newScript(bodies...), Request{Output: output, Stdout: io.Discard, Stderr: io.Discard})
			}
		})
	}
}
