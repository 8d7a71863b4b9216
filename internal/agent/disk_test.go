package agent_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"nebula"
	"nebula/internal/gate"
)

// failing is a record that takes so many appends and no more.
type failing struct {
	nebula.Store
	left  int
	took  int
	began map[string]bool // grants that are on disk
}

var errDisk = errors.New("the disk is gone")

func (f *failing) Append(ctx context.Context, session string, events ...nebula.Event) error {
	if f.left == 0 {
		return errDisk
	}
	f.left--
	f.took++
	for _, e := range events {
		if b, ok := e.Body.(nebula.Began); ok {
			f.began[b.Action] = true
		}
	}
	return f.Store.Append(ctx, session, events...)
}

// TestNothingHappensUnrecorded takes the disk away before every append of a conversation that uses everything: the session
// ends with that error, at once, and nothing was changed whose beginning is not on disk.
func TestNothingHappensUnrecorded(t *testing.T) {
	whole := talkUntil(t, 1<<20)
	if whole < 30 {
		t.Fatalf("the conversation is recorded in %d appends: too few to show anything", whole)
	}
	for k := range whole {
		t.Run(fmt.Sprint(k), func(t *testing.T) {
			t.Parallel()
			talkUntil(t, k)
		})
	}
}

// talkUntil has the conversation on a disk that takes so many appends, and returns how many it took.
func talkUntil(t *testing.T, appends int) int {
	ask := func(id string) nebula.Call { return call(id, "wonder", "question", "which?") }
	st := newStage(t,
		reply("Edit.", call("1", "note", "path", "a", "content", "one"), call("2", "shout", "command", "exit 1"), ask("3")),
		reply("Again.", call("4", "note", "path", "a", "content", "two"), call("5", "shout", "command", "check ok")),
		reply("garbage"), reply("Done, tested."),
		reply("Look.", call("6", "look", "path", "a"), call("7", "note?", "path", "b", "content", "x")), reply("? How?"), reply("Well."))
	disk := &failing{Store: st.store, left: appends, began: map[string]bool{}}
	st.setup.Store = disk
	st.setup.Approve = gate.Ask
	done := 0
	st.world.before = func(tool string) {
		if tool == "look" || tool == "wonder" {
			return
		}
		if done++; done > len(disk.began) {
			t.Errorf("%s was carried out, and its beginning is not on disk", tool)
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	s := st.open("")
	go func() {
		for e := range s.Events(ctx, 0) {
			if b, ok := e.Body.(nebula.Asked); ok {
				a := nebula.Answer{By: nebula.Person, Ask: b.Ask, Answer: nebula.Yes}
				if b.Question != nil {
					a.Answer, a.Text = nebula.Told, "this one"
				}
				_ = s.Send(ctx, a) // void where the session has ended
			}
		}
	}()
	undone := []nebula.Action{{Tool: "note", Args: []byte(`{"path":"c","content":"own"}`), Reason: "to test"}}
	after, broken := int64(0), false
	for _, c := range []nebula.Command{nebula.Submit{Text: "go"}, nebula.Submit{Text: "look"}, nebula.Switch{Mode: nebula.PlanMode},
		nebula.Switch{Mode: nebula.AgentMode}, nebula.Perform{Text: "by hand", Actions: undone}, nebula.Undo{}, nebula.Undo{Redo: true}} {
		err := s.Send(ctx, c)
		if err == nil {
			after, err = settled(ctx, s, c, after)
		}
		broken = broken || err != nil
		if err == nil && disk.left == 0 && appends == 0 {
			t.Errorf("%T was acknowledged without a disk", c)
		}
	}
	_ = s.Send(ctx, nebula.Close{}) // it may have ended
	err := s.Wait()
	if lost := disk.left == 0 && broken; lost && !errors.Is(err, errDisk) {
		t.Errorf("the session ended with %v", err)
	}
	if ctx.Err() != nil {
		t.Error("it did not end")
	}
	return disk.took
}

// settled waits for the end of the turn that a command began, behind an event, and returns the end's number.
func settled(ctx context.Context, s nebula.Conversation, c nebula.Command, after int64) (int64, error) {
	switch c.(type) {
	case nebula.Submit, nebula.Perform:
	default:
		return after, nil
	}
	for e := range s.Events(ctx, after) {
		if _, ok := e.Body.(nebula.Ended); ok {
			return e.Seq, nil
		}
	}
	return after, errDisk
}
