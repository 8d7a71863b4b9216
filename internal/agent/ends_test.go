package agent_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"nebula"
	"nebula/internal/agent"
	"nebula/internal/gate"
	"nebula/internal/nebulatest"
)

func TestCancelStopsTheModelWithin200ms(t *testing.T) {
	st := newStage(t, reply("never"))
	s := st.open("")
	reached := make(chan struct{})
	st.script.Before = func(ctx context.Context, _ int) {
		close(reached)
		<-ctx.Done()
	}
	go func() {
		<-reached
		_ = s.Send(context.Background(), nebula.Cancel{})
	}()
	start := time.Now()
	events := st.say("go", nil)
	if end := events[len(events)-1].Body.(nebula.Ended); end.Status != nebula.Cancelled {
		t.Errorf("ended %s", end.Status)
	}
	if took := time.Since(start); took > 5*time.Second {
		t.Errorf("took %v", took)
	}
}

func TestCancelAtTheGateSkipsTheRestAndKeepsHistoryWhole(t *testing.T) {
	st := newStage(t, reply("", call("1", "note", "path", "a", "content", "x"), call("2", "shout", "command", "x")), reply("Yes?"))
	s := st.open("")
	events := st.say("go", func(nebula.Asked) (nebula.Decided, string) {
		_ = s.Send(context.Background(), nebula.Cancel{})
		return nebula.Yes, ""
	})
	if len(st.world.files) != 0 || !strings.Contains(transcript(events), "finished shout skipped") {
		t.Errorf("got\n%s", transcript(events))
	}
	st.say("still there?", nil)
	tools := 0
	for _, m := range st.script.Prompts()[1].Messages {
		if m.Role == nebula.ToolRole {
			tools++
		}
	}
	if tools != 2 {
		t.Errorf("%d calls answered, want 2", tools)
	}
}

func TestStepLimitEndsTheTurn(t *testing.T) {
	st := newStage(t)
	st.script.Answers = func(int, nebula.Prompt) *nebula.Reply {
		r := reply("", call("1", "shout", "command", "again"))
		return &r
	}
	st.setup.Approve = gate.All
	st.setup.Limits.Steps = 3
	events := st.say("go", nil)
	if end := events[len(events)-1].Body.(nebula.Ended); end.Status != nebula.LimitReached || len(st.world.commands()) != 3 {
		t.Errorf("ended %s after %d commands", end.Status, len(st.world.commands()))
	}
}

func TestFailedAPIEndsTheTurnAndTheSessionGoesOn(t *testing.T) {
	st := newStage(t, reply(""), reply("Back."))
	st.script.Faults = map[int]error{0: &nebula.APIError{Kind: "auth", Text: "401", Next: "check the key"}}
	events := st.say("go", nil)
	if end := events[len(events)-1].Body.(nebula.Ended); end.Status != nebula.APIFailed || !strings.Contains(end.Text, "check the key") {
		t.Errorf("ended %s %q", end.Status, end.Text)
	}
	events = st.say("again", nil)
	if end := events[len(events)-1].Body.(nebula.Ended); end.Text != "Back." {
		t.Errorf("ended %q", end.Text)
	}
}

// breaking is a model whose first replies break off, each behind a text of its own.
type breaking struct {
	*nebulatest.Script
	halves []string
	hangs  bool // it breaks off only when nobody waits any more
}

// Stream implements nebula.Model.
func (b *breaking) Stream(ctx context.Context, p nebula.Prompt) iter.Seq2[nebula.Chunk, error] {
	if len(b.halves) == 0 {
		return b.Script.Stream(ctx, p)
	}
	return func(yield func(nebula.Chunk, error) bool) {
		for i, half := range b.halves {
			if i > 0 {
				yield(nebula.Chunk{Retry: &nebula.RetryNotice{Attempt: i + 1, Cause: "cut"}}, nil)
			}
			if half != "" {
				yield(nebula.Chunk{Text: half}, nil)
			}
		}
		if b.halves = nil; b.hangs {
			<-ctx.Done()
		}
		yield(nebula.Chunk{}, &nebula.APIError{Kind: "cut", Text: "cut off", Next: "try again"})
	}
}

// What came of a reply before the time ran out is in the turn's outcome.
func TestHalfOfAReplyIsKeptWhenTheTimeIsUp(t *testing.T) {
	st := newStage(t)
	m := &breaking{st.script, []string{"It has"}, true}
	st.setup.Model = func(string) (nebula.Model, error) { return m, nil }
	st.setup.Limits.Time = 200 * time.Millisecond
	events := st.say("what is it?", nil)
	if end := events[len(events)-1].Body.(nebula.Ended); end.Cause != nebula.TimeUp || end.Half != "It has" {
		t.Errorf("%s, half %q", end.Cause, end.Half)
	}
}

// What came of a reply that broke off for good is kept as unfinished, said in one sentence, and gone on from.
func TestHalfOfAReplyIsKept(t *testing.T) {
	for want, halves := range map[string][]string{"It has three": {"It is", "It has three"}, "It has two": {"It has two", ""}, "": {""}} {
		st := newStage(t, reply("parts."))
		m := &breaking{Script: st.script, halves: halves}
		st.setup.Model = func(string) (nebula.Model, error) { return m, nil }
		events := st.say("what is it?", nil)
		kept, said := "", 0
		for _, e := range events {
			switch b := e.Body.(type) {
			case nebula.Observed:
				kept += b.Said
			case nebula.Noted:
				if strings.Contains(b.Text, "kept as unfinished") {
					said++
				}
			}
		}
		if end := events[len(events)-1].Body.(nebula.Ended); end.Status != nebula.APIFailed || kept != want || end.Half != want || (said == 1) != (want != "") {
			t.Errorf("%q: %s, kept %q, said %d times", want, end.Status, kept, said)
		}
		events = st.say("go on", nil)
		if end := events[len(events)-1].Body.(nebula.Ended); end.Half != "" || end.Text != "parts." {
			t.Errorf("%q: then ended %q, half %q", want, end.Text, end.Half)
		}
		before := ""
		for _, p := range st.script.Prompts() {
			for _, m := range p.Messages {
				if m.Role == nebula.Assistant {
					before += m.Text()
				}
			}
		}
		if want != "" && before != want+"\n[the reply broke off here]" {
			t.Errorf("the model reads %q", before)
		}
	}
}

// Invariants 2 and 8: wherever the process stops, what was acknowledged is there, and the history is one a model can
// read. Every prefix of a session's events is a crash.
func TestEveryPrefixResumesToAWholeHistory(t *testing.T) {
	st := newStage(t,
		reply("", call("c1", "note", "path", "a", "content", "1"), call("c2", "shout", "command", "x")),
		reply("Done."))
	st.say("go", always(nebula.Yes))
	events := st.recorded()
	for n := 2; n <= len(events); n++ {
		again := newStage(t, reply("Resumed."))
		id := st.session.ID()
		info := nebula.SessionInfo{ID: id, Dir: "/project", Model: "scripted", Started: events[0].At}
		if err := again.store.Create(t.Context(), info); err != nil {
			t.Fatal(err)
		}
		if err := again.store.Append(t.Context(), id, events[:n]...); err != nil {
			t.Fatal(err)
		}
		again.open(id)
		got := again.say("and now?", nil)
		if end := got[len(got)-1].Body.(nebula.Ended); end.Text != "Resumed." {
			t.Errorf("cut after %d (%s): ended %q", n, events[n-1].Body.Name(), end.Text)
		}
		wholeHistory(t, n, again.script)
	}
}

func wholeHistory(t *testing.T, n int, script *nebulatest.Script) {
	t.Helper()
	open := map[string]bool{}
	for _, m := range script.Prompts()[0].Messages {
		for _, c := range m.Calls() {
			open[c.ID] = true
		}
		if m.Role == nebula.ToolRole {
			if !open[m.CallID] {
				t.Errorf("cut after %d: call %s is answered twice or was never made", n, m.CallID)
			}
			delete(open, m.CallID)
		} else if m.Role == nebula.User && len(open) > 0 {
			t.Errorf("cut after %d: calls without an answer: %v", n, open)
		}
	}
}

func TestInterruptedActionIsNotDoneAgain(t *testing.T) {
	st := newStage(t, reply("", call("c1", "shout", "command", "deploy")))
	st.setup.Approve = gate.All
	st.say("go", nil)
	var events []nebula.Event
	for e := range st.store.Load(t.Context(), st.session.ID()) {
		events = append(events, e)
		if _, ok := e.Body.(nebula.Began); ok {
			break
		}
	}
	again := newStage(t, reply("I will check."))
	id := st.session.ID()
	_ = again.store.Create(t.Context(), nebula.SessionInfo{ID: id, Dir: "/project"})
	if err := again.store.Append(t.Context(), id, events...); err != nil {
		t.Fatal(err)
	}
	again.open(id)
	again.say("continue", nil)
	if len(again.world.commands()) != 0 {
		t.Error("the command ran again")
	}
	if m := again.script.Prompts()[0].Messages; !strings.Contains(m[2].Text(), "whether it took effect is not known") {
		t.Errorf("the model read %q", m[2].Text())
	}
}

// What a command had changed that was cut off by the end of nebula is told to the person when the session goes on.
func TestPersonIsToldWhatACutOffCommandChanged(t *testing.T) {
	st := newStage(t, reply("", call("c1", "shout", "command", "deploy")))
	st.setup.Approve = gate.All
	st.say("go", nil)
	id := st.session.ID()
	again := newStage(t)
	_ = again.store.Create(t.Context(), nebula.SessionInfo{ID: id, Dir: "/project"})
	for e := range st.store.Load(t.Context(), id) {
		if err := again.store.Append(t.Context(), id, e); err != nil {
			t.Fatal(err)
		}
		if _, ok := e.Body.(nebula.Began); ok {
			break
		}
	}
	again.setup.Remains = func(context.Context, string, []nebula.Change) ([]nebula.Change, []string, bool) {
		return []nebula.Change{{Path: "dist/app", Kind: "edit", Before: "1", After: "2"}}, nil, true
	}
	s := again.open(id)
	if err := s.Send(t.Context(), nebula.Close{}); err != nil {
		t.Fatal(err)
	}
	said := ""
	for e := range s.Events(t.Context(), nebula.FromOpening) {
		if b, ok := e.Body.(nebula.Noted); ok {
			said += b.Text
		}
	}
	if !strings.Contains(said, "deploy") || !strings.Contains(said, "dist/app") {
		t.Errorf("the person is told %q", said)
	}
}

func TestUndoAndRedo(t *testing.T) {
	st := newStage(t, reply("", call("c1", "note", "path", "a", "content", "new")), reply("Done."))
	st.setup.Approve = gate.All
	st.world.set("a", "old")
	st.say("go", nil)
	before := nebula.Hash([]byte("old"))
	send := func(c nebula.Command) error { return st.session.Send(t.Context(), c) }
	if err := send(nebula.Undo{}); err != nil {
		t.Fatal(err)
	}
	if text, _ := st.world.get("a"); text != "content "+before {
		t.Errorf("after undo: %q", text)
	}
	if err := send(nebula.Undo{}); err == nil {
		t.Error("undo took back the same turn twice")
	}
	if err := send(nebula.Undo{Redo: true}); err != nil {
		t.Fatal(err)
	}
	if err := send(nebula.Undo{}); err != nil {
		t.Errorf("undo after redo: %v", err)
	}
}

// A turn whose changes are gone already is no step of an undo, and none of a redo.
func TestUndoPassesOverWhatDoesNothing(t *testing.T) {
	st := newStage(t, reply("", call("c1", "note", "path", "a", "content", "new")), reply("Done."), reply("", call("c2", "note", "path", "b", "content", "new")), reply("Done."))
	st.setup.Approve = gate.All
	st.setup.Idle = func(_ context.Context, changes []nebula.Change) bool {
		text, _ := st.world.get(changes[0].Path)
		return nebula.Hash([]byte(text)) == changes[0].Before
	}
	st.world.set("a", "old")
	st.world.set("b", "old")
	st.say("go", nil)
	st.say("go on", nil)
	st.world.set("b", "old") // by the person
	before := "content " + nebula.Hash([]byte("old"))
	for _, redo := range []bool{false, true} {
		if err := st.session.Send(t.Context(), nebula.Undo{Redo: redo}); err != nil {
			t.Fatal(err)
		}
		a, _ := st.world.get("a")
		if b, _ := st.world.get("b"); (a == before) == redo || b != "old" {
			t.Errorf("redo %v: %q %q", redo, a, b)
		}
	}
	if err := st.session.Send(t.Context(), nebula.Undo{Redo: true}); err == nil {
		t.Error("there was something more to bring back")
	}
}

// An undo in whose middle nebula was killed goes on when the session is opened; one that failed does not.
func TestUndoThatWasCutOffGoesOn(t *testing.T) {
	st := newStage(t, reply("", call("c1", "note", "path", "a", "content", "new")), reply("Done."))
	st.setup.Approve = gate.All
	st.world.set("a", "old")
	st.say("go", nil)
	before := nebula.Hash([]byte("old"))
	again := func(bodies ...nebula.Body) {
		t.Helper()
		id := st.session.ID()
		_ = st.session.Send(t.Context(), nebula.Close{})
		if err := st.session.Wait(); err != nil {
			t.Fatal(err)
		}
		var seq int64
		for e, err := range st.store.Load(t.Context(), id) {
			if err != nil {
				t.Fatal(err)
			}
			seq = e.Seq
		}
		for i, b := range bodies {
			if err := st.store.Append(t.Context(), id, nebula.Event{Seq: seq + 1 + int64(i), At: time.Unix(9, 0), Body: b}); err != nil {
				t.Fatal(err)
			}
		}
		st.open(id)
	}
	begun := nebula.Began{Action: "undo7", Grant: "undo7", By: "person", Turn: 1}
	again(begun, nebula.Undone{Turn: 1, Failed: "no room"})
	if text, _ := st.world.get("a"); text != "new" {
		t.Errorf("what had failed went on: %q", text)
	}
	again(begun)
	if text, _ := st.world.get("a"); text != "content "+before {
		t.Errorf("it did not go on: %q", text)
	}
	if err := st.session.Send(t.Context(), nebula.Undo{}); err == nil {
		t.Error("the turn is taken back twice")
	}
	if err := st.session.Send(t.Context(), nebula.Undo{Redo: true}); err != nil {
		t.Error(err)
	}
}

func TestUndoIsToldToTheModel(t *testing.T) {
	st := newStage(t, reply("", call("c1", "note", "path", "a", "content", "new")), reply("Done."), reply("I see."))
	st.setup.Approve = gate.All
	st.say("go", nil)
	if err := st.session.Send(t.Context(), nebula.Undo{}); err != nil {
		t.Fatal(err)
	}
	st.say("and now?", nil)
	m := st.script.Prompts()[2].Messages
	if text := m[len(m)-2].Text(); !strings.Contains(text, "took back the file changes of turn 1: a") {
		t.Errorf("the model read %q", text)
	}
}

// A session whose process was killed before its first event was on the disk is gone on with as a new one; one that was
// never begun is none.
func TestSessionWithoutAnEventIsGoneOnWith(t *testing.T) {
	st := newStage(t, reply("Hi."))
	if err := st.store.Create(t.Context(), nebula.SessionInfo{ID: "early", Dir: "/project"}); err != nil {
		t.Fatal(err)
	}
	st.open("early")
	st.say("go", nil)
	n := 0
	for e, err := range st.store.Load(t.Context(), "early") {
		if n++; err != nil || n == 1 && e.Body.(nebula.Started).Resumed {
			t.Errorf("%+v, %v", e, err)
		}
	}
	if n == 0 {
		t.Error("nothing was kept")
	}
	if _, err := agent.Open(t.Context(), st.setup, "never"); !errors.Is(err, nebula.ErrNoSession) {
		t.Errorf("one that was never begun: %v", err)
	}
}

func TestTwoProcessesCannotOpenOneSession(t *testing.T) {
	st := newStage(t, reply("Hi."))
	st.say("go", nil)
	other, err := agentOpen(t, st)
	if !errors.Is(err, nebula.ErrInUse) {
		t.Errorf("got %v, %v", other, err)
	}
}

func TestNothingIsKeptBeforeTheFirstMessage(t *testing.T) {
	st := newStage(t)
	s := st.open("")
	_ = s.Send(t.Context(), nebula.Switch{Mode: nebula.PlanMode})
	_ = s.Send(t.Context(), nebula.Close{})
	if err := s.Wait(); err != nil {
		t.Fatal(err)
	}
	if list, err := st.store.Sessions(t.Context(), ""); err != nil || len(list) != 0 {
		t.Errorf("kept %v, %v", list, err)
	}
}

func TestLostDiskEndsTheSessionLoudly(t *testing.T) {
	st := newStage(t, reply("Hi."), reply("Hi."))
	st.say("go", nil)
	_ = st.store.Close()
	err := st.session.Send(t.Context(), nebula.Submit{Text: "more"})
	if err == nil {
		t.Fatal("a message was acknowledged that could not be kept")
	}
	if st.session.Wait() == nil {
		t.Error("the session went on unrecorded")
	}
}

// A session of which nothing is recorded is named to nobody: there is none to go on with.
func TestSessionThatWasNeverKeptIsNotNamed(t *testing.T) {
	for _, kept := range []bool{false, true} {
		st := newStage(t, reply("Hi."), reply("Hi."))
		if kept {
			st.say("go", nil)
		} else {
			st.open("")
		}
		_ = st.store.Close()
		err := st.session.Send(t.Context(), nebula.Submit{Text: "more"})
		if err == nil || strings.Contains(err.Error(), st.session.ID()) != kept {
			t.Errorf("kept %v: %v", kept, err)
		}
	}
}

func TestEveryFrontEndSeesTheSameEvents(t *testing.T) {
	st := newStage(t, reply("One."), reply("Two."))
	s := st.open("")
	st.say("a", nil)
	st.say("b", nil)
	_ = s.Send(t.Context(), nebula.Close{})
	_ = s.Wait()
	var all, later []int64
	for e := range s.Events(t.Context(), 0) {
		all = append(all, e.Seq)
	}
	for e := range s.Events(t.Context(), 4) {
		later = append(later, e.Seq)
	}
	if len(all) == 0 || !slices.Equal(all[4:], later) {
		t.Errorf("from the start %v, after 4 %v", all, later)
	}
}

func TestRequestPrefixIsIdenticalFromTurnToTurn(t *testing.T) {
	st := newStage(t, reply("One."), reply("Two."), reply("Three."))
	for _, text := range []string{"a", "b", "c"} {
		st.say(text, nil)
	}
	p := st.script.Prompts()
	for i := 1; i < len(p); i++ {
		if p[i].System != p[i-1].System || !reflect.DeepEqual(p[i].Messages[:len(p[i-1].Messages)], p[i-1].Messages) {
			t.Errorf("request %d does not begin with request %d", i, i-1)
		}
	}
}

// A test that fails always, and of which that was said, costs no request more in the turns that change nothing of it.
func TestAKnownFailureIsAskedAboutOnce(t *testing.T) {
	st := newStage(t)
	how := "TestBroken"
	st.setup.Approve, st.setup.Checkable = gate.All, func() bool { return true }
	st.script.Answers = func(n int, p nebula.Prompt) *nebula.Reply {
		last := p.Messages[len(p.Messages)-1]
		r := reply("", call(fmt.Sprint(n), "shout", "command", "check --- FAIL: "+how))
		switch {
		case strings.Contains(last.Text(), "Not accepted as done"):
			r = reply("It is noted.\n\nUnverified: " + how + " fails always.")
		case last.Role == nebula.ToolRole:
			r = reply("It is noted.")
		}
		return &r
	}
	requests := 0
	for turn, want := range []int{3, 2, 2, 3} {
		if turn == 3 {
			how = "TestOther"
		}
		st.say(fmt.Sprintf("note %d", turn), nil)
		if n := len(st.script.Prompts()) - requests; n != want {
			t.Errorf("turn %d took %d requests, not %d", turn, n, want)
		}
		requests = len(st.script.Prompts())
	}
}
