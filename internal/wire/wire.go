// Package wire carries a [nebula.Host] and its conversations over a pipe, as lines of JSON: what a front end in another
// process asks, and what it is answered. It decides nothing; what it does not know it refuses.
//
// A request is {"v","id","do",…} with the arguments of what it asks for beside them. It is answered once, by {"id","answer"}
// or {"id","error"}; a request for events by {"id","event"} as often as there is one before that. {"do":"stop","call":ID}
// ends a request that is under way.
package wire

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"

	"nebula"
)

// Version is the form of requests and answers.
const Version = 1

// A request is what a front end asks. Which fields count is said by Do.
type request struct {
	V       int             `json:"v"`
	ID      int64           `json:"id"`
	Do      string          `json:"do"`
	Call    int64           `json:"call,omitempty"`    // of stop
	Talk    int64           `json:"talk,omitempty"`    // of send and events: the request that opened the conversation
	After   int64           `json:"after,omitempty"`   // of events
	Command json.RawMessage `json:"command,omitempty"` // of send
	Session string          `json:"session,omitempty"`
	Redo    bool            `json:"redo,omitempty"`
	Name    string          `json:"name,omitempty"` // of a model, a picture's path, a setting's key, or words to search
	Value   string          `json:"value,omitempty"`
	Args    []string        `json:"args,omitempty"`
}

// An answer is one line back.
type answer struct {
	ID     int64           `json:"id"`
	Event  *nebula.Event   `json:"event,omitempty"`
	Answer json.RawMessage `json:"answer,omitempty"`
	Error  *failure        `json:"error,omitempty"`
}

// A failure is an error as it is sent: what a front end may act on, and the text for the person.
type failure struct {
	Text string `json:"text"`
	Is   string `json:"is,omitempty"`
	API  *fault `json:"api,omitempty"`
}

// A fault is a nebula.APIError as it is sent.
type fault struct {
	Status int    `json:"status"`
	Kind   string `json:"kind"`
	Text   string `json:"text"`
	Next   string `json:"next"`
	Window int    `json:"window,omitempty"`
}

// known are the errors that keep their identity on the way.
var known = map[string]error{
	"no_session": nebula.ErrNoSession, "in_use": nebula.ErrInUse, "closed": nebula.ErrClosed, "no_plan": nebula.ErrNoPlan,
}

func failureOf(err error) *failure {
	f := &failure{Text: err.Error()}
	if api, ok := errors.AsType[*nebula.APIError](err); ok {
		f.API = (*fault)(api)
	}
	for name, is := range known {
		if errors.Is(err, is) {
			f.Is = name
		}
	}
	return f
}

// A remote is an error that came over the wire.
type remote struct{ failure }

// Error is the text for the person.
func (r *remote) Error() string { return r.Text }

// Unwrap gives what a front end may ask for with errors.Is and errors.As.
func (r *remote) Unwrap() error {
	if r.API != nil {
		return (*nebula.APIError)(r.API)
	}
	return known[r.Is]
}

// most bounds a line: a picture or a whole diff fits.
const most = 64 << 20

// lines reads lines of any length up to the bound.
//
//go:noinline
func lines(r io.Reader) *bufio.Scanner {
	s := bufio.NewScanner(r)
	s.Buffer(nil, most)
	return s
}

// A pen writes lines, each whole. What it writes to takes them from several goroutines, as files and pipes do.
type pen struct{ to io.Writer }

func (p pen) line(v any) error {
	data, err := json.Marshal(v)
	if err != nil {
		return err
	}
	_, err = p.to.Write(append(data, '\n'))
	return err
}
