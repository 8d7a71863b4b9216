package model

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"reflect"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"nebula"
	"nebula/internal/lazy"
	"nebula/internal/model/chat"
	"nebula/internal/phrase"
)

// A recording is a file of JSON objects, one a line, each an exchange with a model: what was asked, in brief, and
// what was answered. Empty lines and lines that begin with # are ignored. The shortest exchange is
//
//	{"reply":{"text":"Hello."}}
//
// and one with native calls, whose arguments may be an object or a string, is
//
//	{"reply":{"text":"Let me look.","calls":[{"name":"readFile","arguments":{"path":"a.go","reason":"to see it"}}]}}
//
// Every field but reply can be left out:
//
//	reply   text, reasoning, calls (id, name, arguments), finish, usage, model: as in [nebula.Reply]. Ids and the
//	        finish reason are made up where they are missing.
//	        A reply that is not reasoning, text and calls in this order, or that holds more, has parts in their place:
//	        as in [nebula.Parts].
//	error   in place of a reply: status, kind, text, next, as in [nebula.APIError]. The kind "cancelled" marks an
//	        exchange that was broken off from our side; it is skipped.
//	prompt  messages, how many there were; last, the [Mark] of the last of them. Replay compares both.
//	pace    how the reply came: a list of [milliseconds since the request, what, bytes], where what is "t" for text,
//	        "r" for reasoning and the number of a call for its arguments.
//	lang    the exchange is only for this language, when Replay is asked for one.
//	info    what is known about the model, as in [nebula.ModelInfo]; may stand on a line of its own.
//
// A line is written when its exchange is complete, so a crash damages at most the last one, which is then ignored.
type exchange struct {
	Info   *nebula.ModelInfo `json:"info,omitempty"`
	Lang   string            `json:"lang,omitempty"`
	Prompt *promptMark       `json:"prompt,omitempty"`
	Reply  *recordedReply    `json:"reply,omitempty"`
	Error  *recordedError    `json:"error,omitempty"`
	Pace   []beat            `json:"pace,omitempty"`
}

type promptMark struct {
	Messages int    `json:"messages"`
	Last     string `json:"last,omitempty"`
}

type recordedReply struct {
	Text      string         `json:"text,omitempty"`
	Reasoning string         `json:"reasoning,omitempty"`
	Calls     []recordedCall `json:"calls,omitempty"`
	Finish    string         `json:"finish,omitempty"`
	Parts     nebula.Parts   `json:"parts,omitempty"`
	Usage     nebula.Usage   `json:"usage,omitzero"`
	Model     string         `json:"model,omitempty"`
}

type recordedCall struct {
	ID        string          `json:"id,omitempty"`
	Name      string          `json:"name"`
	Arguments json.RawMessage `json:"arguments,omitempty"`
}

type recordedError struct {
	Status int    `json:"status,omitempty"`
	Kind   string `json:"kind"`
	Text   string `json:"text,omitempty"`
	Next   string `json:"next,omitempty"`
}

const cancelled = "cancelled"

// A beat is a piece of a reply in time.
type beat struct {
	at    time.Duration
	what  string
	bytes int
}

// MarshalJSON writes [milliseconds, what, bytes].
func (b beat) MarshalJSON() ([]byte, error) {
	return fmt.Appendf(nil, "[%d,%q,%d]", b.at.Milliseconds(), b.what, b.bytes), nil
}

// UnmarshalJSON reads what MarshalJSON writes.
func (b *beat) UnmarshalJSON(data []byte) error {
	var list []json.RawMessage
	var ms int64
	if err := json.Unmarshal(data, &list); err != nil {
		return err
	}
	if len(list) != 3 || json.Unmarshal(list[0], &ms) != nil || json.Unmarshal(list[1], &b.what) != nil ||
		json.Unmarshal(list[2], &b.bytes) != nil || ms < 0 || b.bytes < 0 {
		return fmt.Errorf("a beat of pace is [milliseconds, \"t\", bytes], not %s", phrase.OneLine(string(data), 60))
	}
	b.at = time.Duration(ms) * time.Millisecond
	return nil
}

// Mark names a message, so that a replay can tell whether it is asked the same as before. How long something took is never
// the same twice, and does not count.
func Mark(m nebula.Message) string {
	m.Parts = m.WithText(took.Re().ReplaceAllString(m.Text(), "…"))
	return nebula.Hash(chat.Canonical(m))[:16]
}

var took = &lazy.Pattern{X: `\b\d+(?:\.\d+)? ?(?:ns|µs|ms|s|sec|seconds?)\b|\(cached\)`}

func markOf(p nebula.Prompt) promptMark {
	mark := promptMark{Messages: len(p.Messages)}
	if mark.Messages > 0 {
		mark.Last = Mark(p.Messages[mark.Messages-1])
	}
	return mark
}

// Record returns a model that answers as m does and writes every exchange to w: with one Write each, and flushed to
// disk if w has a Sync method, before the end of the reply is handed on. Where replies come side by side, w takes what is
// written side by side, as a file does. A reply that cannot be recorded ends in [ErrNotRecorded].
func Record(m nebula.Model, w io.Writer) nebula.Model { return &recorder{model: m, w: w} }

// ErrNotRecorded is the error of a reply that came but could not be written down.
var ErrNotRecorded = errors.New("the reply could not be recorded")

type recorder struct {
	model nebula.Model
	w     io.Writer
	begun atomic.Bool // what the model is stands in the recording
}

// Info implements nebula.Model.
func (r *recorder) Info() nebula.ModelInfo { return r.model.Info() }

// Stream implements nebula.Model.
func (r *recorder) Stream(ctx context.Context, p nebula.Prompt) iter.Seq2[nebula.Chunk, error] {
	return func(yield func(nebula.Chunk, error) bool) {
		t := take{began: time.Now()}
		mark := markOf(p)
		x := exchange{Prompt: &mark}
		for c, err := range r.model.Stream(ctx, p) {
			switch {
			case err != nil:
				x.Error = errorOf(err)
				if failed := r.write(x); failed != nil {
					err = errors.Join(err, failed)
				}
				yield(c, err)
				return
			case c.Finish != "":
				t.add(c)
				x.Reply, x.Pace = t.reply(), t.beats
				if err := r.write(x); err != nil {
					yield(nebula.Chunk{}, err)
					return
				}
				yield(c, nil)
				return
			}
			t.add(c)
			if !yield(c, nil) {
				x.Error = &recordedError{Kind: cancelled}
				_ = r.write(x) // nobody is there to be told
				return
			}
		}
	}
}

func (r *recorder) write(x exchange) error {
	if !r.begun.Load() {
		info := r.model.Info()
		x.Info = &info
	}
	line, err := json.Marshal(x)
	if err == nil {
		_, err = r.w.Write(append(line, '\n'))
	}
	if s, ok := r.w.(interface{ Sync() error }); ok && err == nil {
		err = s.Sync()
	}
	if err != nil {
		return nebula.Errorf("%w: %w", ErrNotRecorded, err)
	}
	r.begun.Store(true)
	return nil
}

func errorOf(err error) *recordedError {
	if api, ok := errors.AsType[*nebula.APIError](err); ok {
		return &recordedError{api.Status, api.Kind, api.Text, api.Next}
	}
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return &recordedError{Kind: cancelled}
	}
	return &recordedError{Kind: "server", Text: err.Error()}
}

// A take is a reply that is being recorded.
type take struct {
	began time.Time
	parts nebula.Assembler
	beats []beat
}

// coarse is how much time one beat may cover.
const coarse = 40 * time.Millisecond

func (t *take) add(c nebula.Chunk) {
	t.parts.Add(c)
	switch {
	case c.Retry != nil:
		t.beats = nil
	case c.Text != "":
		t.beat("t", len(c.Text))
	case c.Reasoning != "":
		t.beat("r", len(c.Reasoning))
	case c.Call != nil && c.Call.Arguments != "":
		t.beat(strconv.Itoa(c.Call.Index), len(c.Call.Arguments))
	}
}

func (t *take) beat(what string, n int) {
	at := time.Since(t.began)
	if len(t.beats) > 0 {
		if last := &t.beats[len(t.beats)-1]; last.what == what && at-last.at < coarse {
			last.bytes += n
			return
		}
	}
	t.beats = append(t.beats, beat{at, what, n})
}

func (t *take) reply() *recordedReply {
	r, _ := t.parts.Reply()
	out := &recordedReply{Finish: r.Finish, Usage: r.Usage, Model: r.Model}
	if !reflect.DeepEqual(r.Parts, nebula.PartsOf(r.Reasoning(), r.Text(), r.Calls()...)) {
		out.Parts = r.Parts
		return out
	}
	out.Text, out.Reasoning = r.Text(), r.Reasoning()
	for _, c := range r.Calls() {
		out.Calls = append(out.Calls, recordedCall{c.ID, c.Name, chat.Quote(c.Arguments)})
	}
	return out
}

// reply turns what a file says into a reply; n numbers the exchange, for the ids that are missing.
func (r *recordedReply) reply(n int) (nebula.Reply, error) {
	out := nebula.Reply{Parts: nebula.PartsOf(r.Reasoning, r.Text), Finish: r.Finish, Usage: r.Usage, Model: r.Model}
	if r.Parts != nil {
		out.Parts = r.Parts
	}
	for i, c := range r.Calls {
		call := nebula.Call{ID: c.ID, Name: c.Name, Arguments: string(c.Arguments)}
		if strings.HasPrefix(call.Arguments, `"`) {
			if err := json.Unmarshal(c.Arguments, &call.Arguments); err != nil {
				return out, err
			}
		} else if call.Arguments == "" {
			call.Arguments = "{}"
		}
		if call.ID == "" {
			call.ID = fmt.Sprintf("call_%d_%d", n, i+1)
		}
		out.Parts = append(out.Parts, nebula.PartsOf("", "", call)...)
	}
	if out.Finish == "" {
		out.Finish = "stop"
		if out.Has(nebula.CallPart) {
			out.Finish = "tool_calls"
		}
	}
	return out, nil
}
