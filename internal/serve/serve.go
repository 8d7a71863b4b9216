// Package serve is the front end for other programs and other devices: the sessions of all folders over HTTP, each with one
// owner in this process and as many clients as come. It knows hosts and conversations, no tool, no provider and no protocol.
//
// Its routes are one table, from which the mux, the description for programs (OpenAPI) and the tests are made. Events are
// server-sent, with the event's Seq as their id, so that a reader that was cut off goes on where it was. A command may carry a
// name in Idempotency-Key: of that name it is taken in once.
package serve

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strconv"
	"time"

	"nebula"
	"nebula/internal/wire"
)

// A Server answers clients over HTTP.
type Server struct {
	Hub     *Hub
	Version string
	Say     func(error) string // in the person's language
	Stop    func()             // ends the process that serves

	Looks

	site *site
}

// New is a server over a hub.
func New(h *Hub, version string, say func(error) string) *Server {
	return &Server{Hub: h, Version: version, Say: say}
}

// A route is one thing that can be asked of the server.
type route struct {
	Method, Path string
	About        string
	Query        []string // names that may stand behind a question mark
	Takes        any      // an example of what the request holds; nil for nothing
	Gives        any      // of what the answer holds; nil for what is no JSON
	do           func(s *Server, w http.ResponseWriter, r *http.Request) (any, error)
}

// A Begin asks for a session.
type Begin struct {
	Dir string `json:"dir"`
	ID  string `json:"id,omitempty"` // to go on with; empty for a new one
}

// A Begun session is open.
type Begun struct {
	ID string `json:"id"`
}

// A Standing is what a server tells of itself.
type Standing struct {
	Version  string        `json:"version"`
	Sessions []OpenSession `json:"sessions"` // that are open
}

// A Problem is why something was not done, in the person's language.
type Problem struct {
	Error string `json:"error"`
}

// routes are all that can be asked.
func routes() []route {
	return []route{
		{Method: "GET", Path: "/v1/server", About: "what is served", Gives: Standing{}, do: (*Server).standing},
		{Method: "GET", Path: "/v1/openapi.json", About: "this description", do: (*Server).described},
		{Method: "GET", Path: "/v1/folder", About: "what sessions of a folder begin with", Query: []string{"dir"}, Gives: nebula.Folder{},
			do: of(func(ctx context.Context, h nebula.Host, _ *http.Request) (any, error) { return h.Folder(ctx) })},
		{Method: "GET", Path: "/v1/sessions", About: "a folder's sessions, the one used last first; those whose titles have all words", Query: []string{"dir", "words"}, Gives: []nebula.SessionInfo{},
			do: of(func(ctx context.Context, h nebula.Host, r *http.Request) (any, error) {
				return h.Sessions(ctx, r.FormValue("words"))
			})},
		{Method: "POST", Path: "/v1/sessions", About: "open a session, or begin one", Takes: Begin{}, Gives: Begun{}, do: (*Server).begin},
		{Method: "GET", Path: "/v1/sessions/{id}/events", About: "an open session's events as server-sent events: those after a Seq, then those to come. Last-Event-ID counts before after", Query: []string{"after"}, do: (*Server).events},
		{Method: "POST", Path: "/v1/sessions/{id}/commands", About: "send an open session a command (the form is that of docs/schema.json); with Idempotency-Key one of that name is taken in once, and another command of that name is refused", Takes: json.RawMessage{}, Gives: struct{}{}, do: (*Server).command},
		{Method: "GET", Path: "/v1/sessions/{id}/status", About: "where an open session stands, a line for each thing", Gives: "", do: (*Server).status},
		{Method: "GET", Path: "/v1/sessions/{id}/undoable", About: "what an undo would take back, or with redo=true a redo bring back", Query: []string{"redo"}, Gives: nebula.Undoable{}, do: (*Server).undoable},
		{Method: "GET", Path: "/v1/plans", About: "a folder's plans, newest first", Query: []string{"dir"}, Gives: []nebula.PlanInfo{},
			do: of(func(ctx context.Context, h nebula.Host, _ *http.Request) (any, error) { return h.Plans(ctx) })},
		{Method: "GET", Path: "/v1/models", About: "the models that could answer now", Query: []string{"dir"}, Gives: []nebula.ModelInfo{},
			do: of(func(ctx context.Context, h nebula.Host, _ *http.Request) (any, error) { return h.Models(ctx) })},
		{Method: "GET", Path: "/v1/files", About: "a folder's files, without what is ignored", Query: []string{"dir"}, Gives: []string{},
			do: of(func(ctx context.Context, h nebula.Host, _ *http.Request) (any, error) { return h.Files(ctx) })},
		{Method: "GET", Path: "/v1/commands", About: "the commands that people wrote for a folder, and its skills", Query: []string{"dir"}, Gives: []nebula.CommandInfo{},
			do: of(func(ctx context.Context, h nebula.Host, _ *http.Request) (any, error) { return h.Commands(ctx) })},
		{Method: "GET", Path: "/v1/pipe", About: "a folder's host over the connection, as lines of JSON (docs/schema.json), for front ends in other processes", Query: []string{"dir"}, do: (*Server).pipe},
		{Method: "POST", Path: "/v1/web", About: "a link that opens the page for browsers, once; the first time the page begins to listen at a port of this computer's loopback", Takes: WebLink{}, Gives: WebAddress{}, do: (*Server).web},
		{Method: "POST", Path: "/v1/stop", About: "end the server; what is under way is interrupted, and can be gone on with", Gives: struct{}{}, do: (*Server).stop},
	}
}

// most is how long a request may be: pictures are sent in it.
const most = 32 << 20

// Handler answers all routes, for who reaches the socket, which is the person alone.
func (s *Server) Handler() http.Handler {
	mux := http.NewServeMux()
	for _, r := range routes() {
		mux.Handle(r.Method+" "+r.Path, s.handler(r))
	}
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		s.answer(w, nil, refusal(http.StatusNotFound, "there is nothing at %s %s; /v1/openapi.json tells what there is", r.Method, r.URL.Path))
	})
	return mux
}

func (s *Server) handler(r route) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		q.Body = http.MaxBytesReader(w, q.Body, most)
		v, err := r.do(s, w, q)
		if v != nil || err != nil {
			s.answer(w, v, err)
		}
	})
}

// A refused request, and the status that says why.
type refused struct {
	status int
	error
}

//go:noinline
func refusal(status int, text string, args ...any) error {
	return refused{status, nebula.Errorf(text, args...)}
}

// errLong is what comes of a request that is longer than one may be.
var errLong = refusal(http.StatusRequestEntityTooLarge, "the request is longer than %d MB, which is as much as is taken in", most>>20)

func (s *Server) answer(w http.ResponseWriter, v any, err error) {
	status := http.StatusOK
	if err != nil {
		status = http.StatusInternalServerError
		if r, ok := errors.AsType[refused](err); ok {
			status, err = r.status, r.error
		}
		switch {
		case errors.Is(err, nebula.ErrNoSession):
			status = http.StatusNotFound
		case errors.Is(err, errUnderWay):
			status = http.StatusConflict
		case errors.Is(err, errOtherNamed):
			status = http.StatusUnprocessableEntity
		case errors.Is(err, errTooLong):
			status = http.StatusRequestEntityTooLarge
		case errors.Is(err, errOver):
			status = http.StatusServiceUnavailable
		}
		v = Problem{s.Say(err)}
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(v) // who went away is not told
}

// of is a route that asks a folder's host.
func of(ask func(context.Context, nebula.Host, *http.Request) (any, error)) func(*Server, http.ResponseWriter, *http.Request) (any, error) {
	return func(s *Server, _ http.ResponseWriter, r *http.Request) (any, error) {
		h, leave, err := s.host(r.FormValue("dir"))
		if err != nil {
			return nil, err
		}
		defer leave()
		return ask(r.Context(), h, r)
	}
}

func (s *Server) host(dir string) (nebula.Host, func(), error) {
	if dir == "" {
		return nil, nil, refusal(http.StatusBadRequest, "which folder? name it with dir=/its/path")
	}
	h, leave, err := s.Hub.Host(dir)
	if err != nil && !errors.Is(err, errOver) {
		err = refused{http.StatusBadRequest, err}
	}
	return h, leave, err
}

func (s *Server) standing(http.ResponseWriter, *http.Request) (any, error) {
	list, err := s.Hub.Sessions()
	return Standing{s.Version, list}, err
}

func (s *Server) described(w http.ResponseWriter, _ *http.Request) (any, error) {
	data, err := OpenAPI(s.Version)
	return json.RawMessage(data), err
}

func (s *Server) begin(_ http.ResponseWriter, r *http.Request) (any, error) {
	var b Begin
	if err := read(r, &b); err != nil {
		return nil, err
	}
	h, leave, err := s.host(b.Dir)
	if err != nil {
		return nil, err
	}
	defer leave()
	id, _, err := h.(*shared).enter(b.ID)
	return Begun{id}, err
}

// read takes a request's JSON, whole and nothing behind it.
func read(r *http.Request, into any) error {
	in := json.NewDecoder(r.Body)
	in.DisallowUnknownFields()
	if err := in.Decode(into); err != nil {
		if _, long := errors.AsType[*http.MaxBytesError](err); long {
			return errLong
		}
		return refusal(http.StatusBadRequest, "the request is no JSON that is understood: %w", err)
	}
	if _, err := in.Token(); !errors.Is(err, io.EOF) {
		return refusal(http.StatusBadRequest, "the request holds more than one value")
	}
	return nil
}

// session is the open session that a request names.
func (s *Server) session(r *http.Request) (*Joined, func(), error) {
	id := r.PathValue("id")
	c, leave, err := s.Hub.Session(id)
	if err == nil && c == nil {
		err = nebula.Errorf("session %s: %w; open it first: POST /v1/sessions", id, nebula.ErrNoSession)
	}
	return c, leave, err
}

func (s *Server) command(_ http.ResponseWriter, r *http.Request) (any, error) {
	c, leave, err := s.session(r)
	if err != nil {
		return nil, err
	}
	defer leave()
	data, err := io.ReadAll(r.Body)
	if _, long := errors.AsType[*http.MaxBytesError](err); long {
		return nil, errLong
	}
	if err != nil {
		return nil, refusal(http.StatusBadRequest, "the request was cut off: %w", err)
	}
	cmd, err := nebula.DecodeCommand(data)
	if err != nil {
		return nil, refusal(http.StatusBadRequest, "%w", err)
	}
	err = c.SendOnce(r.Context(), r.Header.Get("Idempotency-Key"), cmd)
	if err != nil && !errors.Is(err, errOver) {
		err = refused{http.StatusConflict, err} // the session is not there for it, or not any more
	}
	return struct{}{}, err
}

// slow is how long a client may take to read what it is sent before it is let go.
const slow = 30 * time.Second

func (s *Server) events(w http.ResponseWriter, r *http.Request) (any, error) {
	c, leave, err := s.session(r)
	if err != nil {
		return nil, err
	}
	defer leave()
	from := r.Header.Get("Last-Event-ID")
	if from == "" {
		from = r.FormValue("after")
	}
	after, err := strconv.ParseInt(from, 10, 64)
	if from != "" && err != nil {
		return nil, refusal(http.StatusBadRequest, "after=%s is no number of an event", from)
	}
	out := http.NewResponseController(w)
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(http.StatusOK)
	if err := out.Flush(); err != nil {
		return nil, nil //nolint:nilerr // it is gone
	}
	for e := range c.Events(r.Context(), after) {
		data, err := json.Marshal(e)
		if err != nil {
			return nil, nil //nolint:nilerr // an answer has begun: what follows would be no event
		}
		_ = out.SetWriteDeadline(time.Now().Add(slow))
		buf := append(make([]byte, 0, len(data)+32), "id: "...)
		buf = append(strconv.AppendInt(buf, e.Seq, 10), "\ndata: "...)
		buf = append(append(buf, data...), "\n\n"...)
		if _, err := w.Write(buf); err != nil || out.Flush() != nil {
			return nil, nil //nolint:nilerr // it is gone, or too slow
		}
	}
	return nil, nil
}

func (s *Server) asked(r *http.Request, ask func(h nebula.Host, id string) (any, error)) (any, error) {
	c, leave, err := s.session(r)
	if err != nil {
		return nil, err
	}
	defer leave()
	host, err := c.talk.place.begin()
	if err != nil {
		return nil, err
	}
	return ask(host, r.PathValue("id"))
}

func (s *Server) status(_ http.ResponseWriter, r *http.Request) (any, error) {
	return s.asked(r, func(h nebula.Host, id string) (any, error) { return h.Status(r.Context(), id) })
}

func (s *Server) undoable(_ http.ResponseWriter, r *http.Request) (any, error) {
	return s.asked(r, func(h nebula.Host, id string) (any, error) {
		return h.Undoable(r.Context(), id, r.FormValue("redo") == "true")
	})
}

// Pipe is the name that a connection takes on as it becomes a pipe.
const Pipe = "nebula-wire"

func (s *Server) pipe(w http.ResponseWriter, r *http.Request) (any, error) {
	if r.Header.Get("Upgrade") != Pipe {
		return nil, refusal(http.StatusUpgradeRequired, "a pipe needs the header Upgrade: %s", Pipe)
	}
	h, leave, err := s.host(r.FormValue("dir"))
	if err != nil {
		return nil, err
	}
	defer leave()
	conn, buffered, err := http.NewResponseController(w).Hijack()
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	_ = conn.SetDeadline(time.Time{})
	if _, err := io.WriteString(conn, "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: "+Pipe+"\r\n\r\n"); err != nil {
		return nil, nil //nolint:nilerr // it is gone
	}
	_ = wire.Serve(r.Context(), h, buffered.Reader, conn) // who is at the other end knows when it ends
	return nil, nil
}

func (s *Server) stop(http.ResponseWriter, *http.Request) (any, error) {
	time.AfterFunc(50*time.Millisecond, s.Stop) // who asked is answered first
	return struct{}{}, nil
}
