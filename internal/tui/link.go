package tui

import (
	"context"
	"sync"
	"time"

	"nebula"
)

// A link carries a conversation's events and commands. Events gather until the loop takes them: however fast they come,
// the loop wakes once for all of them.
type link struct {
	talk   nebula.Conversation
	wake   chan struct{} // one element: there are events, or there is an end
	sends  chan nebula.Command
	errs   chan error
	cancel context.CancelFunc
	done   sync.WaitGroup

	mu     sync.Mutex
	events []nebula.Event
	over   bool
}

func newLink(ctx context.Context, c nebula.Conversation) *link {
	ctx, cancel := context.WithCancel(ctx)
	l := &link{talk: c, wake: make(chan struct{}, 1), sends: make(chan nebula.Command, 64), errs: make(chan error, 8), cancel: cancel}
	l.done.Go(func() {
		for e := range c.Events(ctx, 0) {
			l.put(e)
		}
		l.end()
	})
	l.done.Go(func() { l.carry(ctx) })
	return l
}

func (l *link) put(e nebula.Event) {
	l.mu.Lock()
	l.events = append(l.events, e)
	l.mu.Unlock()
	l.signal()
}

func (l *link) end() {
	l.mu.Lock()
	l.over = true
	l.mu.Unlock()
	l.signal()
}

func (l *link) signal() {
	select {
	case l.wake <- struct{}{}:
	default:
	}
}

// take gives the events since the last time, and whether there will be no more.
func (l *link) take() ([]nebula.Event, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	events := l.events
	l.events = nil
	return events, l.over
}

// carry sends commands one after the other, outside of the loop.
func (l *link) carry(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case c := <-l.sends:
			if err := l.talk.Send(ctx, c); err != nil && ctx.Err() == nil {
				select {
				case l.errs <- err:
				case <-ctx.Done():
				}
			}
		}
	}
}

// send queues a command; false when too many wait.
func (l *link) send(c nebula.Command) bool {
	select {
	case l.sends <- c:
		return true
	default:
		return false
	}
}

// closing is how long an ending session may take.
const closing = 5 * time.Second

// close ends the session, and waits until it has ended.
func (l *link) close(ctx context.Context) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), closing)
	defer cancel()
	if l.talk.Send(ctx, nebula.Close{}) == nil {
		for {
			if _, over := l.take(); over {
				break
			}
			select {
			case <-l.wake:
			case <-ctx.Done():
			}
			if ctx.Err() != nil {
				break
			}
		}
	}
	l.cancel()
	l.done.Wait()
}
