package transport

import (
	"context"
	"io"
	"net"
	"net/url"
	"strings"
	"time"

	"nebula"
	"nebula/internal/phrase"
)

// A silence is why a request was given up: nothing came for so long.
type silence struct{ after time.Duration }

// Error says how long the server was silent.
func (s *silence) Error() string { return "the server is silent for " + s.after.String() }

// A watchdog lets only so much time pass in one read.
type watchdog struct {
	r        io.Reader
	idle     time.Duration
	timer    *time.Timer
	patience *patience // until the reply begins; nil for a server elsewhere
	until    time.Time // when what still comes of a reply that is there is waited for no longer
}

const (
	settleTime = 3 * time.Second       // for usage and the end mark to follow the finish reason
	drainTime  = 20 * time.Millisecond // for a body to end after its end mark
)

// Read implements io.Reader.
func (w *watchdog) Read(p []byte) (n int, err error) {
	if w.patience != nil {
		got := patiently(w.patience, func() read {
			n, err := w.r.Read(p)
			return read{n, err}
		})
		w.patience = nil
		return got.n, got.err
	}
	idle := w.idle
	if !w.until.IsZero() {
		idle = min(idle, time.Until(w.until))
	}
	w.timer.Reset(idle)
	n, err = w.r.Read(p)
	w.timer.Stop()
	return n, err
}

func (w *watchdog) settle() { w.until = time.Now().Add(settleTime) }
func (w *watchdog) drain()  { w.idle = min(w.idle, drainTime) }

// Patience is for a server nearby, which may say nothing for long because it loads the model or reads the prompt. While
// it runs it is waited for; sending a request again would make it begin anew.
type patience struct {
	most, least time.Duration // while the server runs, and while that cannot be told
	notice      time.Duration // until the person is told, and the server is looked at; then twice as long each time
	runs        func() bool
	cancel      context.CancelCauseFunc
	tell        func(waited time.Duration) bool // the person; false when nobody listens any more
}

// A read is what one read brought.
type read struct {
	n   int
	err error
}

// patiently does what may take long. The person is told from the goroutine that waits.
func patiently[T any](p *patience, do func() T) T {
	if p == nil {
		return do()
	}
	done := make(chan T, 1)
	go func() { done <- do() }()
	began := time.Now()
	for next := min(p.notice, p.most); ; next = min(2*next, p.most) {
		timer := time.NewTimer(next - time.Since(began))
		select {
		case v := <-done:
			timer.Stop()
			return v
		case <-timer.C:
		}
		if next >= p.most || next >= p.least && !p.runs() || !p.tell(next) {
			p.cancel(&silence{next})
			return <-done
		}
	}
}

// waiting tells the person of a server that is waited for.
func (c *Client) waiting(emit func(nebula.Chunk) bool) func(time.Duration) bool {
	return func(waited time.Duration) bool {
		text := nebula.Say("%s has said nothing for %s: it may be loading the model or reading the request; nebula waits up to %s while it runs",
			HostOf(c.info.Server), waited, c.opts.Patience)
		return emit(nebula.Chunk{Wait: phrase.Said(text)})
	}
}

// runs reports whether the server takes connections.
func (c *Client) runs() bool {
	u, err := url.Parse(c.at.BaseURL)
	if err != nil {
		return false
	}
	port := u.Port()
	if port == "" {
		port = u.Scheme // a service's name will do
	}
	conn, err := net.DialTimeout("tcp", net.JoinHostPort(u.Hostname(), port), 2*time.Second)
	if err != nil {
		return false
	}
	_ = conn.Close()
	return true
}

// loads reports whether a server nearby refuses because it is still loading its model.
func (c *Client) loads(f *faultOf) bool {
	return c.opts.Patience > 0 && f.status == 503 && strings.Contains(strings.ToLower(f.raw), "loading")
}

// A loading is a server that says that it loads its model: it is asked again and again, until it has done so.
type loading struct {
	since, told time.Time
}

// next waits until the server may be asked again; false when patience is at its end.
func (l *loading) next(ctx context.Context, c *Client, emit func(nebula.Chunk) bool) (again bool, err error) {
	now := time.Now()
	if l.since.IsZero() {
		l.since = now
	}
	if now.Sub(l.since) > c.opts.Patience {
		return false, nil
	}
	if l.told.IsZero() || now.Sub(l.told) > now.Sub(l.since)/2 && now.Sub(l.told) > c.opts.Notice {
		l.told = now
		text := nebula.Say("%s is loading its model; nebula waits up to %s", HostOf(c.info.Server), c.opts.Patience)
		if !emit(nebula.Chunk{Wait: phrase.Said(text)}) {
			return false, ErrStopped
		}
	}
	return true, Sleep(ctx, 4*c.opts.Backoff)
}
