package terminal_test

import (
	"context"
	"iter"
	"testing"

	"nebula"
	"nebula/internal/terminal"
)

// A talk says so many things and ends when it is told to.
type talk struct {
	says   int
	closed chan struct{}
}

func (c talk) Events(ctx context.Context, _ int64) iter.Seq[nebula.Event] {
	return func(yield func(nebula.Event) bool) {
		for i := range c.says {
			if !yield(nebula.Event{Seq: int64(i + 1)}) {
				return
			}
		}
		select {
		case <-c.closed:
			yield(nebula.Event{Seq: int64(c.says + 1), Body: nebula.Closed{}})
		case <-ctx.Done():
		}
	}
}

func (c talk) Send(_ context.Context, command nebula.Command) error {
	if _, ok := command.(nebula.Close); ok {
		close(c.closed)
	}
	return nil
}

func TestEveryEventIsTakenOnceInOrder(t *testing.T) {
	const says = 20_000
	l := terminal.NewLink(t.Context(), talk{says, make(chan struct{})})
	var last int64
	took := func(events []nebula.Event) {
		for _, e := range events {
			if e.Seq != last+1 {
				t.Fatalf("%d after %d", e.Seq, last)
			}
			last = e.Seq
		}
	}
	for last < says/2 {
		<-l.Wake
		events, over := l.Take()
		if took(events); over {
			t.Fatal("it is over before its end")
		}
	}
	took(l.Close(t.Context()))
	if last != says+1 {
		t.Errorf("%d of %d events", last, says+1)
	}
}
