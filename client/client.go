// Package client is for programs that look at sessions and steer them: it asks the nebula serve of this person, and gives
// what the vocabulary of nebula names. An answer at the gate is the person's: a program gives none of its own.
package client

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"iter"
	"math"
	"net"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"time"

	"nebula"
	"nebula/internal/config"
	"nebula/internal/serve"
	"nebula/internal/wire"
)

// Socket is where the nebula serve of this person listens, if it runs.
func Socket() (string, error) {
	home, err := config.FindHome(os.Getenv)
	return serve.Socket(home.State), err
}

// A Client asks the server at a socket.
type Client struct {
	socket   string
	patience time.Duration // how long an answer may take
	brief    time.Duration // how long that one may take for which nothing has to be done
	http     *http.Client
}

// patience is how long the server may take to answer: to open a large folder takes a while on a busy machine. To say that it is there
// takes it nothing.
const (
	patience = time.Minute
	brief    = 8 * time.Second
)

// Dial is a client of the server at a socket. Nothing is asked yet.
//
//go:noinline
func Dial(socket string) *Client {
	return &Client{socket, patience, brief, &http.Client{Transport: &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return serve.Connect(ctx, socket)
	}}}}
}

// Hail asks whether a server answers at the socket. What listens there and says nothing is given up within seconds.
//
//go:noinline
func (c *Client) Hail(ctx context.Context) error {
	return c.within(ctx, c.brief, http.MethodGet, "/v1/server", "", nil, nil)
}

// Begin opens a session in a folder, a new one for id "", and tells its ID.
func (c *Client) Begin(ctx context.Context, dir, id string) (string, error) {
	var b serve.Begun
	err := c.Ask(ctx, http.MethodPost, "/v1/sessions", serve.Begin{Dir: dir, ID: id}, &b)
	return b.ID, err
}

// Send sends an open session a command. One that is given a name is taken in once, however often it is sent.
func (c *Client) Send(ctx context.Context, id, name string, cmd nebula.Command) error {
	data, err := nebula.EncodeCommand(cmd)
	if err != nil {
		return err
	}
	return c.ask(ctx, http.MethodPost, "/v1/sessions/"+url.PathEscape(id)+"/commands", name, json.RawMessage(data), nil)
}

// Events yields an open session's events after a Seq, first the past ones, then those to come, until ctx ends. An error is the
// last of it: the connection was cut, and who asks again after the last event's Seq misses none but the transient ones.
func (c *Client) Events(ctx context.Context, id string, after int64) iter.Seq2[nebula.Event, error] {
	return func(yield func(nebula.Event, error) bool) {
		ctx, stop := context.WithCancelCause(ctx)
		defer stop(nil)
		timer := time.AfterFunc(c.patience, func() { stop(late(c.patience)) })
		back, err := c.do(ctx, http.MethodGet, "/v1/sessions/"+url.PathEscape(id)+"/events?after="+strconv.FormatInt(after, 10), "", nil)
		timer.Stop()
		if err != nil {
			yield(nebula.Event{}, err)
			return
		}
		defer back.Body.Close()
		in := bufio.NewReader(back.Body)
		for {
			line, err := in.ReadBytes('\n')
			data, is := bytes.CutPrefix(line, []byte("data: "))
			var e nebula.Event
			switch {
			case err == nil && !is:
				continue
			case err == nil:
				err = json.Unmarshal(data, &e)
			}
			if ctx.Err() != nil || !yield(e, err) || err != nil {
				return
			}
		}
	}
}

// problem is why the server did not do what it was asked for.
func problem(back *http.Response) error {
	var p serve.Problem
	if json.NewDecoder(back.Body).Decode(&p) != nil || p.Error == "" {
		p.Error = back.Status
	}
	return errors.New(p.Error)
}

// Ask sends a request and reads its answer into a value.
//
//go:noinline
func (c *Client) Ask(ctx context.Context, method, path string, body, into any) error {
	return c.ask(ctx, method, path, "", body, into)
}

//go:noinline
func (c *Client) ask(ctx context.Context, method, path, name string, body, into any) error {
	return c.within(ctx, c.patience, method, path, name, body, into)
}

// within asks, and gives up after a time.
func (c *Client) within(ctx context.Context, wait time.Duration, method, path, name string, body, into any) error {
	ctx, stop := context.WithTimeoutCause(ctx, wait, late(wait))
	defer stop()
	back, err := c.do(ctx, method, path, name, body)
	if err != nil {
		return err
	}
	defer back.Body.Close()
	if into == nil {
		return nil
	}
	return c.fault(ctx, json.NewDecoder(back.Body).Decode(into))
}

// late is how long a server did not answer.
type late time.Duration

// Error implements error.
func (l late) Error() string { return "no answer within " + time.Duration(l).String() }

// silent says that the server did not answer in time, and which process that is.
func (c *Client) silent(waited late) error {
	seconds := int(math.Ceil(time.Duration(waited).Seconds()))
	if who := serve.Listener(c.socket); who != "" {
		return nebula.Errorf("%s listens at %s and has not answered for %d seconds; nebula serve --stop ends a server that still hears, else end that process", who, c.socket, seconds)
	}
	return nebula.Errorf("what listens at %s has not answered for %d seconds; nebula serve --stop ends a server that still hears, else end its process", c.socket, seconds)
}

// do sends a request, under a name if it has one, and gives back what the server answers when it did what it was asked for.
func (c *Client) do(ctx context.Context, method, path, name string, body any) (*http.Response, error) {
	var in io.Reader
	if body != nil {
		data, err := json.Marshal(body)
		if err != nil {
			return nil, err
		}
		in = bytes.NewReader(data)
	}
	r, err := http.NewRequestWithContext(ctx, method, "http://nebula"+path, in)
	if err != nil {
		return nil, err
	}
	if name != "" {
		r.Header.Set("Idempotency-Key", name)
	}
	back, err := c.http.Do(r)
	if err != nil {
		return nil, c.fault(ctx, err)
	}
	if back.StatusCode != http.StatusOK {
		return nil, errors.Join(problem(back), back.Body.Close())
	}
	return back, nil
}

// fault is an error as a person reads it: that nobody answered in time where that was it, and without the address that was
// asked, which says nothing.
func (c *Client) fault(ctx context.Context, err error) error {
	if cause := context.Cause(ctx); err != nil && cause != nil {
		if waited, ok := errors.AsType[late](cause); ok {
			return c.silent(waited)
		}
		return cause
	}
	if u, ok := errors.AsType[*url.Error](err); ok {
		return u.Err
	}
	return err
}

// Host is the host of a folder at the server. It ends with the function, or with the server.
func (c *Client) Host(ctx context.Context, dir string) (nebula.Host, func() error, error) {
	ctx, stop := context.WithTimeoutCause(ctx, c.patience, late(c.patience))
	defer stop()
	conn, err := serve.Connect(ctx, c.socket)
	if err != nil {
		return nil, nil, c.fault(ctx, err)
	}
	cut := context.AfterFunc(ctx, func() { _ = conn.Close() })
	in, err := c.pipe(ctx, conn, dir)
	if !cut() {
		err = cmp.Or(err, ctx.Err())
	}
	if err != nil {
		_ = conn.Close() // it may be closed already
		return nil, nil, c.fault(ctx, err)
	}
	return wire.Dial(in, conn), conn.Close, nil
}

// pipe has a connection become a folder's pipe.
func (c *Client) pipe(ctx context.Context, conn net.Conn, dir string) (*bufio.Reader, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://nebula/v1/pipe?dir="+url.QueryEscape(dir), nil)
	if err != nil {
		return nil, err
	}
	r.Header.Set("Connection", "Upgrade")
	r.Header.Set("Upgrade", serve.Pipe)
	if err := r.Write(conn); err != nil {
		return nil, err
	}
	in := bufio.NewReader(conn)
	back, err := http.ReadResponse(in, r)
	if err == nil && back.StatusCode != http.StatusSwitchingProtocols {
		err = errors.Join(problem(back), back.Body.Close())
	}
	return in, err
}
