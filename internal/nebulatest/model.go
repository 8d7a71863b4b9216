package nebulatest

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"nebula"
)

// ModelReplies are the replies that [TestModel] wants answered.
func ModelReplies() []nebula.Reply {
	return []nebula.Reply{
		{Parts: nebula.Text("Hello, 世界 🌍.\n\tA \"quoted\" \\ line\r\n\u2028\x01"), Finish: "stop", Usage: nebula.Usage{Input: 7, Cached: 2, Output: 5}, Model: "m-1"},
		{Parts: nebula.PartsOf("First look.", "Let me look.", nebula.Call{ID: "a", Name: "readFile", Arguments: `{"path":"日本.go","reason":"to see it"}`}, nebula.Call{ID: "b", Name: "list", Arguments: `{"path": ".", "reason": "x"}`}, nebula.Call{ID: "c", Name: "broken", Arguments: `{"path": `}), Finish: "tool_calls", Model: "m-1"},
		{Parts: nebula.Text(strings.Repeat("long and cut ", 1000)), Finish: "length", Model: "m-1"},
	}
}

// TestModel checks that a model keeps the promises of nebula.Model. Every call of open gives a model that answers
// with the replies of [ModelReplies], one a request, and then fails for good.
func TestModel(t *testing.T, open func(t *testing.T) nebula.Model) {
	prompt := nebula.Prompt{System: "s", Messages: []nebula.Message{{Role: nebula.User, Parts: nebula.Text("q")}}}
	want := ModelReplies()
	t.Run("answers in order, then fails", func(t *testing.T) {
		m := open(t)
		for i := range want {
			got, err := collect(t, m.Stream(t.Context(), prompt))
			if err != nil {
				t.Fatalf("reply %d: %v", i, err)
			}
			want[i].Usage, want[i].Model = got.Usage, got.Model // a server counts and names for itself
			if !reflect.DeepEqual(got, want[i]) {
				t.Errorf("reply %d is\n%.2000q, want\n%.2000q", i, fmt.Sprint(got), fmt.Sprint(want[i]))
			}
		}
		if got, err := collect(t, m.Stream(t.Context(), prompt)); err == nil {
			t.Errorf("a reply after the last: %+v", got)
		}
	})
	t.Run("nothing begins with a cancelled context", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		for c, err := range open(t).Stream(ctx, prompt) {
			if !errors.Is(err, context.Canceled) {
				t.Errorf("%+v, %v", c, err)
			}
		}
	})
	t.Run("cancel stops it", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		var at time.Time
		var last error
		for _, err := range open(t).Stream(ctx, prompt) {
			last = err
			if at.IsZero() {
				at = time.Now()
				cancel()
			}
		}
		if took := time.Since(at); !errors.Is(last, context.Canceled) || took > 200*time.Millisecond {
			t.Errorf("%v after %v", last, took)
		}
	})
	t.Run("nobody has to listen to the end", func(t *testing.T) {
		m := open(t)
		for range m.Stream(t.Context(), prompt) { //nolint:errcheck // it is left at its first piece
			break
		}
		if _, err := collect(t, m.Stream(t.Context(), prompt)); err != nil {
			t.Error(err)
		}
	})
	t.Run("has a name", func(t *testing.T) {
		if m := open(t); m.Info().Name == "" || m.Info() != m.Info() {
			t.Errorf("%+v", m.Info())
		}
	})
}

// collect builds a reply and checks the form of the stream.
func collect(t *testing.T, seq func(func(nebula.Chunk, error) bool)) (r nebula.Reply, err error) {
	t.Helper()
	place := map[int]int{}
	var text, reasoning string
	var calls []nebula.Call
	for c, fault := range seq {
		if r.Finish != "" || err != nil {
			t.Errorf("%+v, %v came after the end", c, fault)
		}
		if groups(c) > 1 {
			t.Errorf("%+v has more than one group", c)
		}
		err = fault
		if c.Retry != nil {
			r, place, text, reasoning, calls = nebula.Reply{}, map[int]int{}, "", "", nil
		}
		text += c.Text
		reasoning += c.Reasoning
		if c.Model != "" {
			r.Model = c.Model
		}
		if c.Usage != nil {
			r.Usage = *c.Usage
		}
		r.Finish = c.Finish
		if c.Call != nil {
			at, ok := place[c.Call.Index]
			if !ok {
				at = len(calls)
				place[c.Call.Index] = at
				calls = append(calls, nebula.Call{})
			}
			call := &calls[at]
			if c.Call.ID != "" && call.ID != "" || c.Call.Name != "" && call.Name != "" {
				t.Errorf("the id or name of call %d came twice", c.Call.Index)
			}
			call.ID += c.Call.ID
			call.Name += c.Call.Name
			call.Arguments += c.Call.Arguments
		}
	}
	if err == nil && r.Finish == "" {
		t.Error("the stream has neither a finish reason nor an error")
	}
	r.Parts = nebula.PartsOf(reasoning, text, calls...)
	return r, err
}

func groups(c nebula.Chunk) int {
	n := 0
	for _, set := range []bool{c.Text != "", c.Reasoning != "", c.Call != nil, c.Part != nil, c.Opaque != nil, c.Usage != nil, c.Model != "", c.Finish != "", c.Retry != nil} {
		if set {
			n++
		}
	}
	return n
}
