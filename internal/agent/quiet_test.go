package agent_test

import (
	"context"
	"iter"
	"strings"
	"testing"
	"time"

	"nebula"
)

// A dreamer falls silent in the middle of its reply.
type dreamer struct{ silent time.Duration }

func (dreamer) Info() nebula.ModelInfo { return nebula.ModelInfo{Name: "dreamer", Window: 32_000} }

func (d dreamer) Stream(context.Context, nebula.Prompt) iter.Seq2[nebula.Chunk, error] {
	return func(yield func(nebula.Chunk, error) bool) {
		if !yield(nebula.Chunk{Text: "It is "}, nil) {
			return
		}
		time.Sleep(d.silent)
		_ = yield(nebula.Chunk{Text: "so."}, nil) && yield(nebula.Chunk{Finish: "stop"}, nil)
	}
}

// A reply that stands still is told of, less and less often, and goes on; one that does not is not.
func TestASilenceInTheMiddleIsTold(t *testing.T) {
	for silent, most := range map[time.Duration]int{400 * time.Millisecond: 5, 0: 0} {
		st := newStage(t)
		st.setup.Quiet = silent / 10 // nothing is the usual
		st.setup.Model = func(string) (nebula.Model, error) { return dreamer{silent}, nil }
		var told []string
		events := st.say("what is it?", nil)
		for _, e := range events {
			if b, ok := e.Body.(nebula.Noted); ok && strings.Contains(b.Text, "in the middle of its reply; it is still waited for") {
				told = append(told, b.Text)
			}
		}
		if end := events[len(events)-1].Body.(nebula.Ended); end.Text != "It is so." || len(told) > most || most > 0 && (len(told) < 2 || !strings.Contains(told[1], "80ms")) {
			t.Errorf("%s: told %q, %s %q", silent, told, end.Status, end.Text)
		}
	}
}

// A loader says that it is waited for, then that it is asked anew, before its reply begins.
type loader struct{ silent time.Duration }

func (loader) Info() nebula.ModelInfo { return nebula.ModelInfo{Name: "loader", Window: 32_000} }

func (l loader) Stream(context.Context, nebula.Prompt) iter.Seq2[nebula.Chunk, error] {
	return func(yield func(nebula.Chunk, error) bool) {
		for _, c := range []nebula.Chunk{{Wait: nebula.NewCode("loads")}, {Retry: &nebula.RetryNotice{Attempt: 2}}, {Text: "Here."}, {Finish: "stop"}} {
			if !yield(c, nil) {
				return
			}
			if c.Text == "" && c.Finish == "" {
				time.Sleep(l.silent)
			}
		}
	}
}

// Nothing is in the middle of a reply that has not begun.
func TestASilenceBeforeTheReplyIsNoneInIt(t *testing.T) {
	st := newStage(t)
	st.setup.Quiet = 20 * time.Millisecond
	st.setup.Model = func(string) (nebula.Model, error) { return loader{100 * time.Millisecond}, nil }
	events := st.say("what is it?", nil)
	for _, e := range events {
		if b, ok := e.Body.(nebula.Noted); ok && strings.Contains(b.Text, "in the middle") {
			t.Error(b.Text)
		}
	}
	if end := events[len(events)-1].Body.(nebula.Ended); end.Text != "Here." {
		t.Errorf("%s %q", end.Status, end.Text)
	}
}
