package nebulatest

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"
)

// A Server is an OpenAI-compatible server on 127.0.0.1. It answers each chat request with the next of its answers and
// keeps what it was asked. Used up, it refuses with status 418, which nothing retries.
type Server struct {
	Answers func(n int, body []byte) *Answer // answers instead of the list where it returns one; n counts from 0
	Models  []string                         // what /models lists; "gpt-4.1-nano" when empty
	Window  int                              // what it says of their window, in tokens; 0 says nothing

	mu       sync.Mutex
	list     []Answer
	requests []Request
	listener net.Listener
	http     *http.Server
	served   chan struct{}
}

// An Answer is one reply as a server sends it, or a fault. The zero Answer is an empty reply.
type Answer struct {
	Text      string     `json:"text"`
	Reasoning string     `json:"reasoning"`
	Calls     []ToolCall `json:"calls"`
	Finish    string     `json:"finish"`   // stop, or tool_calls when there are calls
	Piece     int        `json:"piece"`    // characters in a delta; 0 means 12
	Input     int        `json:"input"`    // tokens in the usage; 0 means counted by length
	Output    int        `json:"output"`   //
	Status    int        `json:"status"`   // answers with this HTTP status and Text as the error's message
	After     string     `json:"after"`    // Retry-After, with a status
	Delay     int        `json:"delay"`    // milliseconds before the first byte
	Pause     int        `json:"pause"`    // milliseconds between deltas
	Cut       int        `json:"cut"`      // drops the connection after so many bytes of the stream
	NoFinish  bool       `json:"nofinish"` // ends the stream properly, but without a finish reason
	Hang      bool       `json:"hang"`     // never answers
	Raw       string     `json:"raw"`      // sent as it is, as an event stream
}

// A ToolCall is a native tool call of an Answer. Arguments is an object, or a string to send as it is.
type ToolCall struct {
	ID        string          `json:"id"` // call_N_I when empty
	Name      string          `json:"name"`
	Arguments json.RawMessage `json:"arguments"`
}

// A Request is what the server was asked.
type Request struct {
	Path   string
	Header http.Header
	Body   []byte
	At     time.Time // when it had been read
	Done   time.Time // when the answer had been written; zero until then
}

// ReadAnswers reads a script: one JSON object a line; empty lines and lines that begin with # are left out.
func ReadAnswers(r io.Reader) ([]Answer, error) {
	var list []Answer
	s := bufio.NewScanner(r)
	s.Buffer(nil, 32<<20)
	for n := 1; s.Scan(); n++ {
		line := bytes.TrimSpace(s.Bytes())
		if len(line) == 0 || line[0] == '#' {
			continue
		}
		var a Answer
		dec := json.NewDecoder(bytes.NewReader(line))
		dec.DisallowUnknownFields()
		if err := dec.Decode(&a); err != nil {
			return nil, fmt.Errorf("answer on line %d: %w", n, err)
		}
		list = append(list, a)
	}
	return list, s.Err()
}

// Serve starts a server.
func Serve(answers ...Answer) (*Server, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	s := &Server{list: answers, listener: l, served: make(chan struct{})}
	s.http = &http.Server{Handler: s, ReadHeaderTimeout: time.Minute}
	go func() {
		defer close(s.served)
		_ = s.http.Serve(l) // ends with Close
	}()
	return s, nil
}

// URL is the base URL, with /v1.
func (s *Server) URL() string { return "http://" + s.listener.Addr().String() + "/v1" }

// Close stops the server and drops its connections.
func (s *Server) Close() {
	_ = s.http.Close()
	<-s.served
}

// Add puts answers behind those that are left.
func (s *Server) Add(answers ...Answer) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.list = append(s.list, answers...)
}

// Requests are the chat requests so far.
func (s *Server) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Request{}, s.requests...)
}

// ServeHTTP implements http.Handler.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	at := time.Now()
	switch {
	case strings.HasSuffix(r.URL.Path, "/chat/completions"):
		n, a := s.next(Request{Path: r.URL.Path, Header: r.Header.Clone(), Body: body, At: at})
		a.send(w, r, n)
		s.done(n)
	case strings.HasSuffix(r.URL.Path, "/models"):
		s.models(w)
	default:
		http.NotFound(w, r)
	}
}

func (s *Server) models(w http.ResponseWriter) {
	names := s.Models
	if len(names) == 0 {
		names = []string{"gpt-4.1-nano"}
	}
	type model struct {
		ID     string `json:"id"`
		Object string `json:"object"`
		Window int    `json:"max_model_len,omitempty"`
	}
	var data []model
	for _, name := range names {
		data = append(data, model{name, "model", s.Window})
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(map[string]any{"object": "list", "data": data})
}

func (s *Server) next(r Request) (int, Answer) {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := len(s.requests)
	s.requests = append(s.requests, r)
	if s.Answers != nil {
		if a := s.Answers(n, r.Body); a != nil {
			return n, *a
		}
	}
	if len(s.list) == 0 {
		return n, Answer{Status: http.StatusTeapot, Text: fmt.Sprintf("the script has no answer %d", n+1)}
	}
	a := s.list[0]
	s.list = s.list[1:]
	return n, a
}

func (s *Server) done(n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests[n].Done = time.Now()
}

func (a Answer) send(w http.ResponseWriter, r *http.Request, n int) {
	if a.Hang {
		<-r.Context().Done()
		return
	}
	pause(r, a.Delay)
	if a.Status != 0 {
		a.refuse(w)
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	sent := 0
	flush := http.NewResponseController(w).Flush
	for _, event := range a.events(n) {
		if a.Cut > 0 && sent+len(event) > a.Cut {
			_, _ = io.WriteString(w, event[:a.Cut-sent])
			_ = flush()
			panic(http.ErrAbortHandler) // drops the connection in the middle
		}
		n, err := io.WriteString(w, event)
		if err != nil {
			return
		}
		sent += n
		if a.Pause > 0 {
			_ = flush()
			pause(r, a.Pause)
		}
	}
}

func pause(r *http.Request, ms int) {
	if ms == 0 {
		return
	}
	select {
	case <-time.After(time.Duration(ms) * time.Millisecond):
	case <-r.Context().Done():
	}
}

func (a Answer) refuse(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "application/json")
	if a.After != "" {
		w.Header().Set("Retry-After", a.After)
	}
	w.WriteHeader(a.Status)
	text := a.Text
	if text == "" {
		text = http.StatusText(a.Status)
	}
	_ = json.NewEncoder(w).Encode(map[string]any{"error": map[string]any{"message": text, "type": "scripted"}})
}

// events are the lines of the stream, each with its blank line.
func (a Answer) events(n int) []string {
	if a.Raw != "" {
		return []string{a.Raw}
	}
	head := `{"id":"chatcmpl-` + strconv.Itoa(n) + `","object":"chat.completion.chunk","created":1700000000,"model":"test-model","choices":[`
	var out []string
	event := func(delta any, finish any) {
		d, _ := json.Marshal(delta) // strings and maps always marshal
		f, _ := json.Marshal(finish)
		out = append(out, "data: "+head+`{"index":0,"delta":`+string(d)+`,"finish_reason":`+string(f)+"}]}\n\n")
	}
	size := a.Piece
	if size <= 0 {
		size = 12
	}
	event(map[string]any{"role": "assistant", "content": ""}, nil)
	for _, p := range runes(a.Reasoning, size) {
		event(map[string]any{"reasoning_content": p}, nil)
	}
	for _, p := range runes(a.Text, size) {
		event(map[string]any{"content": p}, nil)
	}
	for i, c := range a.Calls {
		for _, d := range c.deltas(n, i, size) {
			event(map[string]any{"tool_calls": []any{d}}, nil)
		}
	}
	if !a.NoFinish {
		event(map[string]any{}, a.finish())
		out = append(out, "data: "+head+`],"usage":`+a.usage()+"}\n\n")
	}
	return append(out, "data: [DONE]\n\n")
}

func (c ToolCall) deltas(n, i, size int) []any {
	id := c.ID
	if id == "" {
		id = fmt.Sprintf("call_%d_%d", n, i)
	}
	arguments := string(c.Arguments)
	var quoted string
	if json.Unmarshal(c.Arguments, &quoted) == nil {
		arguments = quoted
	}
	type function map[string]any
	out := []any{map[string]any{"index": i, "id": id, "type": "function", "function": function{"name": c.Name, "arguments": ""}}}
	for _, p := range runes(arguments, size) {
		out = append(out, map[string]any{"index": i, "function": function{"arguments": p}})
	}
	return out
}

func (a Answer) finish() string {
	switch {
	case a.Finish != "":
		return a.Finish
	case len(a.Calls) > 0:
		return "tool_calls"
	}
	return "stop"
}

func (a Answer) usage() string {
	in, out := a.Input, a.Output
	if in == 0 {
		in = 100
	}
	if out == 0 {
		out = 1 + len(a.Text)/4
	}
	return fmt.Sprintf(`{"prompt_tokens":%d,"completion_tokens":%d,"total_tokens":%d}`, in, out, in+out)
}

// runes splits a text into pieces of whole characters.
func runes(text string, size int) []string {
	var out []string
	all := []rune(text)
	for len(all) > size {
		out = append(out, string(all[:size]))
		all = all[size:]
	}
	if len(all) > 0 {
		out = append(out, string(all))
	}
	return out
}
