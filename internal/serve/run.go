package serve

import (
	"context"
	"errors"
	"net"
	"net/http"
	"time"

	"nebula"
	"nebula/internal/page"
)

// Options are what a server works on.
type Options struct {
	Open    Open
	Lang    string
	Version string
	Say     func(error) string // in the person's language
	Idle    time.Duration      // after which what nobody uses is put away
	Last    time.Duration      // after which a server in which nothing is open ends; 0 for never
	Stop    func()             // ends ctx

	Looks
}

// Looks are what is read of the record, of all folders.
type Looks struct {
	All    func(context.Context) ([]nebula.SessionInfo, error)                 // the session used last first
	Search func(ctx context.Context, words string) ([]page.Hit, error)         // sessions in which all words stand
	Audit  func(ctx context.Context, session string) (page.Audit, error)       // its actions, and whether the record of it is whole
	Spent  func(ctx context.Context, since time.Time) ([]page.Spending, error) // by the turns that ended since
}

// Run serves at a socket until ctx ends, or until the socket is another server's.
func Run(ctx context.Context, l net.Listener, o Options) error {
	hub := NewHub(o.Open, o.Lang, o.Idle)
	s := New(hub, o.Version, o.Say)
	s.Stop, s.Looks = o.Stop, o.Looks
	s.site = newSite(s, o.Lang)
	defer s.site.http.Close()
	hub.look = func(empty time.Duration) {
		own, ok := l.(*listener)
		if ok && own.Lost() || o.Last > 0 && empty > o.Last {
			o.Stop()
		}
	}
	web := &http.Server{Handler: s.Handler(), ReadHeaderTimeout: 10 * time.Second, IdleTimeout: 5 * time.Minute, MaxHeaderBytes: 64 << 10}
	ended := make(chan error, 1)
	go func() { ended <- web.Serve(l) }()
	err := hub.Run(ctx)
	_ = l.Close()
	_ = web.Close() // it waits for nobody: all that was open is put away
	if e := <-ended; !errors.Is(e, http.ErrServerClosed) && !errors.Is(e, net.ErrClosed) {
		err = errors.Join(err, e)
	}
	return err
}
