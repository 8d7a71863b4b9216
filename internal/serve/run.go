package serve

import (
	"context"
	"errors"
	"net"
	"net/http"
	"time"

	"nebula"
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

	// All are the sessions of all folders, the one used last first.
	All func(context.Context) ([]nebula.SessionInfo, error)
}

// Run serves at a socket until ctx ends, or until the socket is another server's.
func Run(ctx context.Context, l net.Listener, o Options) error {
	hub := NewHub(o.Open, o.Lang, o.Idle)
	s := New(hub, o.Version, o.Say)
	s.Stop, s.All = o.Stop, o.All
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
