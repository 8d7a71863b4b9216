package terminal

import (
	"context"
	"sync"
	"time"

	"nebula"
)

// A Link carries a conversation's events and commands for a loop that must not wait. Events gather until the loop takes
// them: however fast they come, it wakes once for all of them.
type Link struct {
	Wake <-chan struct{} // there are events, or there is an end
	Errs <-chan error    // what became of commands

	talk    nebula.Conversation
	batches chan []nebula.Event // one: what was not taken yet; closed at the end
	sends   chan nebula.Command
	cancel  context.CancelFunc
	done    sync.WaitGroup
}

// NewLink follows a conversation until ctx or the link ends.
func NewLink(ctx context.Context, c nebula.Conversation) *Link {
	ctx, cancel := context.WithCancel(ctx)
	wake, errs := make(chan struct{}, 1), make(chan error, 8)
	l := &Link{Wake: wake, Errs: errs, talk: c, batches: make(chan []nebula.Event, 1), sends: make(chan nebula.Command, 64), cancel: cancel}
	signal := func() {
		select {
		case wake <- struct{}{}:
		default:
		}
	}
	l.done.Go(func() {
		for e := range c.Events(ctx, 0) {
			var batch []nebula.Event
			select {
			case batch = <-l.batches: // nobody else puts one in
			default:
			}
			l.batches <- append(batch, e)
			signal()
		}
		close(l.batches)
		signal()
	})
	l.done.Go(func() { l.carry(ctx, errs) })
	return l
}

// Take gives the events since the last time, and whether there will be no more.
//
//go:noinline
func (l *Link) Take() (events []nebula.Event, over bool) {
	for {
		select {
		case batch, ok := <-l.batches:
			if !ok {
				return events, true
			}
			events = append(events, batch...)
		default:
			return events, false
		}
	}
}

// carry sends commands one after the other.
func (l *Link) carry(ctx context.Context, errs chan<- error) {
	for {
		select {
		case <-ctx.Done():
			return
		case c := <-l.sends:
			if err := l.talk.Send(ctx, c); err != nil && ctx.Err() == nil {
				select {
				case errs <- err:
				case <-ctx.Done():
				}
			}
		}
	}
}

// Send queues a command; false when too many wait.
func (l *Link) Send(c nebula.Command) bool {
	select {
	case l.sends <- c:
		return true
	default:
		return false
	}
}

// closing is how long an ending session may take.
const closing = 5 * time.Second

// Close ends the session, waits until it has ended, and gives the events that were not taken.
func (l *Link) Close(ctx context.Context) (rest []nebula.Event) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), closing)
	defer cancel()
	over := l.talk.Send(ctx, nebula.Close{}) != nil
	for !over {
		var events []nebula.Event
		events, over = l.Take()
		if rest = append(rest, events...); over {
			break
		}
		select {
		case <-l.Wake:
		case <-ctx.Done():
			over = true
		}
	}
	l.cancel()
	l.done.Wait()
	return rest
}
