package mcp

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/auth"

	"nebula"
)

// A door is where the person's browser comes back to with a code for what was asked; who else calls is sent away.
type door struct {
	server http.Server
	done   string // what the person reads
	served chan struct{}
	asked  atomic.Pointer[string] // the state of what was asked
	came   chan callback
	opened int
}

type callback struct {
	result *auth.AuthorizationResult
	err    error
}

func newDoor(port net.Listener, done string) *door {
	d := &door{done: done, served: make(chan struct{}), came: make(chan callback, 1)}
	d.server = http.Server{ReadHeaderTimeout: answering, Handler: d}
	go func() {
		defer close(d.served)
		_ = d.server.Serve(port) // until it is closed
	}()
	return d
}

// close waits a little for the last page to be read.
func (d *door) close() {
	ctx, stop := context.WithTimeout(context.Background(), time.Second)
	defer stop()
	if d.server.Shutdown(ctx) != nil {
		_ = d.server.Close()
	}
	<-d.served
}

// ServeHTTP implements http.Handler.
func (d *door) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	asked := d.asked.Load()
	if r.URL.Path != "/callback" || asked == nil || q.Get("state") != *asked || !d.asked.CompareAndSwap(asked, nil) {
		http.NotFound(w, r)
		return
	}
	c := callback{result: &auth.AuthorizationResult{Code: q.Get("code"), State: *asked, Iss: q.Get("iss")}}
	if why := q.Get("error"); why != "" || c.result.Code == "" {
		c = callback{err: nebula.Errorf("the login was not given: %s", cut(strings.TrimSpace(why+" "+q.Get("error_description")), 200))}
	}
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	text := d.done
	if c.err != nil {
		text = c.err.Error()
	}
	_, _ = fmt.Fprintln(w, text)
	d.came <- c
}

// mostAsked is how often one login may lead to the person: a server can ask for more rights when it has seen whom it talks to.
const mostAsked = 3

// wait is what the person's browser comes back with.
func (d *door) wait(ctx context.Context, state string, open func(again bool)) (*auth.AuthorizationResult, error) {
	if d.opened++; d.opened > mostAsked {
		return nil, nebula.Errorf("the server asks again and again who you are")
	}
	d.asked.Store(&state)
	open(d.opened > 1)
	select {
	case c := <-d.came:
		return c.result, c.err
	case <-d.served:
		return nil, nebula.Errorf("nothing can come back to this machine")
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}
