package mcp

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"nebula"
	"nebula/internal/helper"
)

// Bounds of what a server may take and say.
const (
	connecting  = 60 * time.Second // a program that is fetched first takes its time
	listing     = 20 * time.Second
	silence     = 2 * time.Minute // of a call, without word of its progress
	longestCall = 15 * time.Minute
	longestLine = 8 << 20  // of a message
	mostSaid    = 32 << 20 // in all, between two calls
	mostTools   = 1000
	mostListed  = 2 << 20 // bytes of all definitions
)

// A link is the connection to one server. It is made when it is first needed, and given up when it rests.
type link struct {
	server Server
	launch func(Server) (helper.Launch, error)
	env    func(string) string
	rest   time.Duration
	logins Logins
	warn   func(nebula.Words)
	reach  func(server, host string) http.RoundTripper
	guest  atomic.Pointer[guest] // who a server is shown; nil where nobody is
	life   context.Context       // ends with the hub
	end    context.CancelFunc

	own     chan struct{} // holds a value while somebody has what follows
	session *mcp.ClientSession
	program *helper.Program
	flow    flow
	idle    *time.Timer
	busy    int
	closed  bool

	calls calls
	live  atomic.Bool // there is a session
	stale atomic.Bool // it said that its tools are others now
}

func (l *link) hold() { l.own <- struct{}{} }
func (l *link) free() { <-l.own }

// errClosed is what is asked of a server when nebula ends.
var errClosed = errors.New("nebula is ending")

// do does something with the server, which is started where it does not run.
func (l *link) do(ctx context.Context, work func(*mcp.ClientSession) error) error {
	session, err := l.take(ctx)
	if err != nil {
		return err
	}
	err = work(session)
	l.give(session, broken(ctx, err))
	if broken(ctx, err) {
		return l.died(err)
	}
	return err
}

// broken reports whether an error is of the connection, and none that the server answered with.
func broken(ctx context.Context, err error) bool {
	_, answered := errors.AsType[*jsonrpc.Error](err)
	_, ours := errors.AsType[nebula.Speaker](err)
	return err != nil && ctx.Err() == nil && !answered && !ours
}

// take gives the session, connecting first where there is none.
func (l *link) take(ctx context.Context) (*mcp.ClientSession, error) {
	select {
	case l.own <- struct{}{}:
		defer l.free()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if l.closed {
		return nil, errClosed
	}
	if l.session == nil {
		if err := l.connect(ctx); err != nil {
			return nil, err
		}
	}
	if l.idle != nil {
		l.idle.Stop()
	}
	l.busy++
	return l.session, nil
}

// give returns the session. One that broke is given up, so that the next call begins anew.
func (l *link) give(session *mcp.ClientSession, broken bool) {
	l.hold()
	defer l.free()
	l.busy--
	if l.session != session {
		return
	}
	if broken {
		l.stop()
		return
	}
	if l.busy == 0 {
		l.idle = time.AfterFunc(l.rest, func() {
			l.hold()
			defer l.free()
			if l.busy == 0 {
				l.stop()
			}
		})
	}
}

// close ends the server for good.
func (l *link) close() {
	l.end() // of what is being started as well
	l.hold()
	defer l.free()
	l.closed = true
	l.stop()
}

// stop ends the connection and the program. It is held.
func (l *link) stop() {
	l.live.Store(false)
	if l.idle != nil {
		l.idle.Stop()
	}
	if l.program != nil {
		l.program.Stop() // what a server says at its end is for nobody
	}
	if l.session != nil {
		_ = l.session.Close()
		l.session = nil
	}
}

// running reports whether the server has been started and not ended.
func (l *link) running() bool {
	return l.live.Load()
}

// connect starts the server and greets it. It is held.
func (l *link) connect(ctx context.Context) error {
	ctx, stop := context.WithTimeout(ctx, connecting)
	defer stop()
	l.flow.said.Store(0)
	l.flow.over.Store(0)
	defer context.AfterFunc(l.life, stop)()
	s, missing := l.server.Expanded(l.env)
	if len(missing) > 0 {
		return nebula.Errorf("server %s needs variables that are not set: %s", s.Name, strings.Join(missing, ", "))
	}
	transport, err := l.transport(s)
	if err != nil {
		return nebula.Errorf("server %s cannot be started: %w", s.Name, err)
	}
	client := mcp.NewClient(&mcp.Implementation{Name: "nebula", Version: "1"}, &mcp.ClientOptions{
		Capabilities:                &mcp.ClientCapabilities{Elicitation: &mcp.ElicitationCapabilities{Form: &mcp.FormElicitationCapabilities{}}},
		ElicitationHandler:          l.calls.elicit(s.Name),
		ProgressNotificationHandler: l.calls.progress,
		ToolListChangedHandler:      func(context.Context, *mcp.ToolListChangedRequest) { l.stale.Store(true) },
	})
	l.session, err = client.Connect(ctx, transport, nil)
	if err == nil {
		l.live.Store(true)
		return nil
	}
	if ctx.Err() != nil {
		err = nebula.Errorf("it did not answer within %d seconds", int(connecting.Seconds()))
	}
	l.session = nil
	err = l.died(err)
	l.stop()
	return err
}

// died says of a server that has gone what it said last, and what its box kept it from.
func (l *link) died(err error) error {
	p := l.program
	if unknown, ok := errors.AsType[*Unknown](err); ok {
		return unknown
	}
	if most := l.flow.over.Load(); most > 0 {
		return nebula.Errorf("server %s sent more than %d MB, or messages without end, in place of an answer, and was ended for it", l.server.Name, int(most>>20))
	}
	if p == nil {
		return nebula.Errorf("server %s: %w", l.server.Name, err)
	}
	said := p.Last()
	if hosts := p.Refused(); len(hosts) > 0 {
		return nebula.Errorf("server %s wanted to reach %s, which it may not; the person allows it with nebula mcp add --host", l.server.Name, strings.Join(hosts, ", "))
	}
	if said != "" {
		return nebula.Errorf("server %s ended: %s", l.server.Name, said)
	}
	return nebula.Errorf("server %s ended: %w", l.server.Name, err)
}

func (l *link) transport(s Server) (mcp.Transport, error) {
	if s.URL != "" {
		l.program = nil
		client, err := bounded(s, &l.flow)
		if err == nil {
			client.Transport = sieve{client.Transport, l.passesOver(s.Name)}
		}
		over := &mcp.StreamableClientTransport{Endpoint: s.URL, HTTPClient: client, MaxRetries: 1, MaxEventSize: longestLine}
		if l.logins != nil {
			g := newGuest(l, s.URL)
			l.guest.Store(g)
			over.OAuthHandler = g
		}
		return over, err
	}
	launch, err := l.launch(s)
	if err != nil {
		return nil, err
	}
	if l.program, err = helper.Start(launch); err != nil {
		return nil, err
	}
	printed := newLines(&counted{l.program.Out, &l.flow, message}, &l.flow, l.passesOver(s.Name))
	return &mcp.IOTransport{Reader: printed, Writer: pressed{l.program.In, cmp.Or(l.server.patience(), listing)}, MaxLineLength: -1}, nil
}

// passesOver says once what is passed over of what a server sends.
func (l *link) passesOver(name string) func(line string) {
	var said atomic.Bool
	return func(line string) {
		if !said.Swap(true) {
			l.warn(nebula.Say("server %s prints what is no message, which is passed over: %s", name, line))
		}
	}
}

// bounded is a client that sends a server's headers to that server only, and reads no reply without end.
func bounded(s Server, flow *flow) (*http.Client, error) {
	at, err := url.Parse(s.URL)
	if err != nil {
		return nil, err
	}
	return &http.Client{
		Transport: headed{at.Host, s.Headers, flow},
		CheckRedirect: func(r *http.Request, via []*http.Request) error {
			if r.URL.Host != at.Host || r.URL.Scheme != at.Scheme || len(via) > 5 {
				return nebula.Errorf("it leads to another host, %s, which nobody agreed to", r.URL.Host)
			}
			return nil
		},
	}, nil
}

type headed struct {
	host    string
	headers map[string]string
	flow    *flow
}

// RoundTrip implements http.RoundTripper.
func (h headed) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.URL.Host == h.host {
		r = r.Clone(r.Context())
		for k, v := range h.headers {
			r.Header.Set(k, v)
		}
	}
	resp, err := http.DefaultTransport.RoundTrip(r)
	if err == nil {
		body := &counted{resp.Body, h.flow, message}
		if resp.Body = body; !strings.HasPrefix(resp.Header.Get("Content-Type"), "text/event-stream") {
			body.each = 0
			resp.Body = &short{resp.Body, longestLine}
		}
	}
	return resp, err
}

// A short body is cut off with an error where it is too long.
type short struct {
	io.ReadCloser
	left int
}

// Read implements io.Reader.
func (s *short) Read(b []byte) (int, error) {
	if s.left <= 0 {
		return 0, nebula.Errorf("the reply is longer than %d MB", longestLine>>20)
	}
	n, err := s.ReadCloser.Read(b[:min(len(b), s.left)])
	s.left -= n
	return n, err
}

// tools lists what the server offers.
func (l *link) tools(ctx context.Context) (list []Tool, err error) {
	err = l.do(ctx, func(session *mcp.ClientSession) error {
		ctx, stop := context.WithTimeout(ctx, listing)
		defer stop()
		if c := session.InitializeResult(); c != nil && c.Capabilities != nil && c.Capabilities.Tools == nil {
			return nil
		}
		size := 0
		for t, err := range session.Tools(ctx, nil) {
			if err != nil {
				return err
			}
			made := l.tool(t)
			if size += len(made.Description) + len(made.Schema); len(list) >= mostTools || size > mostListed {
				return nebula.Errorf("server %s offers more tools than anybody can look through", l.server.Name)
			}
			list = append(list, made)
		}
		return nil
	})
	return list, err
}

func (l *link) tool(t *mcp.Tool) Tool {
	schema, _ := json.Marshal(t.InputSchema) // it was JSON
	made := Tool{Server: l.server.Name, Name: t.Name, Description: cmp.Or(t.Description, t.Title), Schema: schema}
	if a := t.Annotations; a != nil {
		made.Ruins = a.DestructiveHint != nil && *a.DestructiveHint && !a.ReadOnlyHint
	}
	return made
}

// call has a tool do something.
func (l *link) call(ctx context.Context, name string, args json.RawMessage, r nebula.Run) (out *mcp.CallToolResult, err error) {
	err = l.do(ctx, func(session *mcp.ClientSession) error {
		l.flow.said.Store(0)
		defer l.flow.said.Store(0)
		begun := time.Now()
		ctx, stop := context.WithTimeoutCause(ctx, cmp.Or(l.server.patience(), longestCall), errSilent)
		defer stop()
		c, ctx := l.calls.begin(ctx, name, cmp.Or(l.server.patience(), silence), r)
		defer l.calls.end(c)
		params := &mcp.CallToolParams{Name: name, Arguments: args}
		params.SetProgressToken(c.token)
		var err error
		out, err = session.CallTool(ctx, params)
		if cause := context.Cause(ctx); err != nil && errors.Is(cause, errSilent) && l.flow.over.Load() == 0 {
			return nebula.Errorf("server %s did not answer within %d seconds; the call was given up", l.server.Name, int(time.Since(begun).Seconds()))
		}
		return err
	})
	return out, err
}

var errSilent = errors.New("silence")

// calls are those under way at one server.
type calls struct {
	next atomic.Int64
	open sync.Map // *call by its token
}

type call struct {
	token string
	tool  string
	run   nebula.Run
	ctx   context.Context
	watch *time.Timer
	// patience is how long it may say nothing.
	patience time.Duration
	stop     context.CancelCauseFunc
}

func (c *calls) begin(ctx context.Context, tool string, patience time.Duration, r nebula.Run) (*call, context.Context) {
	ctx, stop := context.WithCancelCause(ctx)
	made := &call{token: "c" + strconv.FormatInt(c.next.Add(1), 10), tool: tool, run: r, ctx: ctx, stop: stop}
	made.watch = time.AfterFunc(patience, func() { stop(errSilent) })
	made.patience = patience
	c.open.Store(made.token, made)
	return made, ctx
}

func (c *calls) end(done *call) {
	c.open.Delete(done.token)
	done.watch.Stop()
	done.stop(nil)
}

// only is the one call under way; with none or several, nobody can tell what a server's question is about.
func (c *calls) only() (one *call) {
	n := 0
	c.open.Range(func(_, v any) bool {
		one, n = v.(*call), n+1
		return true
	})
	if n != 1 {
		return nil
	}
	return one
}

// progress shows what a server says of a call, and gives it more time.
func (c *calls) progress(_ context.Context, n *mcp.ProgressNotificationClientRequest) {
	token, _ := n.Params.ProgressToken.(string)
	v, open := c.open.Load(token)
	if !open {
		return
	}
	one := v.(*call)
	one.watch.Reset(one.patience)
	if one.run.Output == nil {
		return
	}
	text := strconv.FormatFloat(n.Params.Progress, 'f', -1, 64)
	if n.Params.Total > 0 {
		text += " / " + strconv.FormatFloat(n.Params.Total, 'f', -1, 64)
	}
	if n.Params.Message != "" {
		text += " " + cut(n.Params.Message, 200)
	}
	one.run.Output([]byte(text + "\n"))
}
