package lsp

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync/atomic"
	"time"
)

// A message is one of JSON-RPC, of whatever kind.
type message struct {
	Version string           `json:"jsonrpc"`
	ID      *json.RawMessage `json:"id,omitempty"`
	Method  string           `json:"method,omitempty"`
	Params  any              `json:"params,omitempty"`
	Result  any              `json:"result,omitempty"`
	Error   *fault           `json:"error,omitempty"`
}

// An incoming message is read as far as is needed to know whose it is.
type incoming struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
	Result json.RawMessage `json:"result"`
	Error  *fault          `json:"error"`
}

type fault struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
}

// Error implements error.
func (f *fault) Error() string { return f.Message }

// longestWrite is how long a server may take to read what it is told.
const longestWrite = 3 * time.Second

// longestMessage bounds what a server says at once.
const longestMessage = 32 << 20

var errGone = errors.New("the server has ended")

// A wire carries messages to a server and back. hear is told what the server says by itself, and gives the answer to what it
// asks.
type wire struct {
	hear func(method string, params json.RawMessage) any
	out  chan io.Writer                  // whoever has taken it may write
	open chan map[string]chan<- incoming // what is asked and not answered; whoever has taken the map may use it
	next atomic.Int64
	gone chan struct{}
}

func newWire(in io.Reader, out io.Writer, hear func(string, json.RawMessage) any) *wire {
	w := &wire{hear: hear, out: make(chan io.Writer, 1), open: make(chan map[string]chan<- incoming, 1), gone: make(chan struct{})}
	w.out <- out
	w.open <- map[string]chan<- incoming{}
	go func() {
		defer close(w.gone)
		from := bufio.NewReaderSize(in, 64<<10)
		for {
			data, err := frame(from)
			if err != nil {
				return // it ended, or says what nobody can read
			}
			w.take(data)
		}
	}()
	return w
}

// frame reads one message: a head, an empty line, and as many bytes as the head says.
func frame(from *bufio.Reader) ([]byte, error) {
	length := -1
	for {
		line, err := from.ReadSlice('\n')
		if err != nil {
			return nil, err
		}
		name, value, _ := strings.Cut(strings.TrimSpace(string(line)), ":")
		if name == "" && length >= 0 {
			break
		}
		if strings.EqualFold(name, "Content-Length") {
			if length, err = strconv.Atoi(strings.TrimSpace(value)); err != nil || length < 0 || length > longestMessage {
				return nil, fmt.Errorf("a message of %q bytes", value)
			}
		}
	}
	data := make([]byte, length)
	_, err := io.ReadFull(from, data)
	return data, err
}

func (w *wire) take(data []byte) {
	var in incoming
	if json.Unmarshal(data, &in) != nil {
		return
	}
	if in.Method == "" {
		if waits := w.waiting(string(in.ID), nil); waits != nil {
			waits <- in
		}
		return
	}
	answer := w.hear(in.Method, in.Params)
	if len(in.ID) == 0 {
		return
	}
	if answer == nil {
		answer = json.RawMessage("null")
	}
	_ = w.send(message{ID: &in.ID, Result: answer}) // it has gone else
}

// waiting puts who waits for an answer in the place of who did.
//
//go:noinline
func (w *wire) waiting(id string, who chan<- incoming) (was chan<- incoming) {
	open := <-w.open
	was = open[id]
	if open[id] = who; who == nil {
		delete(open, id)
	}
	w.open <- open
	return was
}

func (w *wire) send(m message) error {
	m.Version = "2.0"
	data, err := json.Marshal(m)
	if err != nil {
		return err
	}
	to := <-w.out
	defer func() { w.out <- to }()
	if out, ok := to.(interface{ SetWriteDeadline(time.Time) error }); ok {
		_ = out.SetWriteDeadline(time.Now().Add(longestWrite)) // a server that reads nothing holds nobody up
	}
	_, err = fmt.Fprintf(to, "Content-Length: %d\r\n\r\n%s", len(data), data)
	return err
}

// tell says something that has no answer.
//
//go:noinline
func (w *wire) tell(method string, params any) error {
	return w.send(message{Method: method, Params: params})
}

// ask asks something and reads the answer into result, which may be nil.
func (w *wire) ask(ctx context.Context, method string, params, result any) error {
	id := json.RawMessage(strconv.FormatInt(w.next.Add(1), 10))
	answer := make(chan incoming, 1)
	w.waiting(string(id), answer)
	defer w.waiting(string(id), nil)
	if err := w.send(message{ID: &id, Method: method, Params: params}); err != nil {
		return err
	}
	select {
	case in := <-answer:
		switch {
		case in.Error != nil:
			return fmt.Errorf("%s: %w", method, in.Error)
		case result == nil:
			return nil
		}
		return json.Unmarshal(in.Result, result)
	case <-w.gone:
		return errGone
	case <-ctx.Done():
		return ctx.Err()
	}
}
