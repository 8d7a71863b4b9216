package serve

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"net/http"
	"strconv"
	"time"

	"nebula"
	"nebula/internal/page"
)

// A viewer is a session on one page, as long as the page reads its changes. The goroutine of that request owns the view.
type viewer struct {
	site  *site
	id    string
	host  nebula.Host
	talk  *Joined
	view  *page.View
	inbox chan func()
	over  chan struct{}
	out   *http.ResponseController
	rw    http.ResponseWriter
	gone  bool
}

// How many pages may be open at once; how long changes are collected before they are sent, soon after quiet and in a stream;
// and how often a page that hears nothing is told that it still hears.
const (
	viewersMost = 64
	soon        = 5 * time.Millisecond
	pace        = 40 * time.Millisecond
	beat        = 20 * time.Second
)

// live sends a page what changes in a session: first what it lacks, then what happens.
func (w *site) live(rw http.ResponseWriter, r *http.Request) error {
	host, leave, err := w.server.host(r.FormValue("dir"))
	if err != nil {
		return err
	}
	defer leave()
	id, talk, err := host.(*shared).enter(r.PathValue("id"))
	if err != nil {
		rw.Header().Set("Content-Type", "text/event-stream") // a browser shows nothing of another answer
		data, _ := json.Marshal(w.server.Say(err))           // a text
		_, _ = rw.Write([]byte("event: said\ndata: " + string(data) + "\n\n"))
		return nil
	}
	v := &viewer{site: w, id: id, host: host, talk: talk, view: w.frame.View(), inbox: make(chan func()), over: make(chan struct{}), out: http.NewResponseController(rw), rw: rw}
	if folder, err := host.Folder(r.Context()); err == nil {
		v.view.Policy = folder.Approve
	}
	name, crowded := rand.Text(), false
	if err := w.server.Hub.do(func() {
		if crowded = len(w.viewers) >= viewersMost; !crowded {
			w.viewers[name] = v
		}
	}); err != nil {
		return err
	}
	if crowded {
		return refusal(http.StatusServiceUnavailable, "%d pages are open; close one", viewersMost)
	}
	defer close(v.over)
	defer func() { _ = w.server.Hub.do(func() { delete(w.viewers, name) }) }() // else all is put away
	_ = v.out.SetReadDeadline(time.Time{})
	rw.Header().Set("Content-Type", "text/event-stream")
	rw.WriteHeader(http.StatusOK)
	v.write("event: view\ndata: " + strconv.Quote(name) + "\n\n")
	v.follow(r)
	return nil
}

// follow folds a session and tells the page what that changes, until either has ended.
func (v *viewer) follow(r *http.Request) {
	ctx, stop := context.WithCancel(r.Context())
	defer stop()
	events := make(chan nebula.Event)
	go func() {
		defer close(events)
		for e := range v.talk.Events(ctx, 0) {
			select {
			case events <- e:
			case <-ctx.Done():
				return
			}
		}
	}()
	past := v.talk.last(ctx)
	var due <-chan time.Time
	var sent time.Time
	beats := time.NewTicker(beat)
	defer beats.Stop()
	for !v.gone {
		select {
		case e, ok := <-events:
			if !ok {
				return
			}
			v.view.Apply(e)
			if due == nil && e.Seq >= past {
				due = time.After(max(soon, pace-time.Since(sent)))
			}
		case <-due:
			due, sent = nil, time.Now()
			v.put(v.view.Take())
		case f := <-v.inbox:
			f()
		case <-beats.C:
			v.write(": here\n\n")
		case <-ctx.Done():
			return
		}
	}
}

// put sends changes.
func (v *viewer) put(c page.Changes) {
	data, err := json.Marshal(c)
	if err != nil {
		v.gone = true
		return
	}
	v.write("data: " + string(data) + "\n\n")
}

func (v *viewer) write(text string) {
	_ = v.out.SetWriteDeadline(time.Now().Add(slow))
	if _, err := v.rw.Write([]byte(text)); err != nil || v.out.Flush() != nil {
		v.gone = true // or too slow
	}
}

// ask has the viewer's own goroutine do something.
func (v *viewer) ask(ctx context.Context, do func()) error {
	done := make(chan struct{})
	select {
	case v.inbox <- func() { defer close(done); do() }:
		<-done
		return nil
	case <-ctx.Done():
		return ctx.Err()
	case <-v.over:
		return errLeft
	}
}

// errLeft is what a page is told whose connection has ended: it has another by then.
var errLeft = refusal(http.StatusGone, "the page was cut off; try again")

// asks is a leaf that the viewer of a page answers.
func asks(do func(*viewer, http.ResponseWriter, *http.Request) error) func(*site, http.ResponseWriter, *http.Request) error {
	return func(w *site, rw http.ResponseWriter, r *http.Request) error {
		var v *viewer
		if err := w.server.Hub.do(func() { v = w.viewers[r.PathValue("view")] }); err != nil {
			return err
		}
		if v == nil {
			return errLeft
		}
		return do(v, rw, r)
	}
}

// last is the Seq of an event that has happened already, with all that is known to have happened before it.
func (j *Joined) last(ctx context.Context) (seq int64) {
	_ = j.hub.do(func() { seq = j.talk.seq }) // else all is put away
	for e := range j.talk.open.Events(ctx, nebula.FromOpening) {
		return max(seq, e.Seq)
	}
	return seq
}
