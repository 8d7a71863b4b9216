package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"nebula"
	"nebula/internal/demo"
)

// A talk is a model that says what the demo's model says, served on this machine, and the demo's project with a home of
// its own to talk about it in.
type talk struct {
	dir     string // holds the folders todo and home
	server  *http.Server
	address string
	replies []nebula.Intent
	said    int
}

func newTalk(lang string) (*talk, error) {
	recorded, err := demo.Conversation(lang)
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "nebula-screen-")
	if err != nil {
		return nil, err
	}
	t := &talk{dir: dir, replies: recorded.Replies}
	err = errors.Join(demo.Write(filepath.Join(dir, "todo"), demo.Project()), os.Mkdir(filepath.Join(dir, "home"), 0o700))
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	t.address = l.Addr().String()
	t.server = &http.Server{Handler: t, ReadHeaderTimeout: time.Minute}
	go func() { _ = t.server.Serve(l) }() // ends with close
	return t, nil
}

func (t *talk) close() error { return errors.Join(t.server.Close(), os.RemoveAll(t.dir)) }

// environment leads a program to the talk.
func (t *talk) environment() []string {
	return []string{"env", "-C", filepath.Join(t.dir, "todo"), "OPENAI_API_KEY=sk-none", "OPENAI_BASE_URL=http://" + t.address + "/v1",
		"NEBULA_HOME=" + filepath.Join(t.dir, "home"), "COLORTERM=truecolor"}
}

// ServeHTTP streams the next reply as Chat Completions does. Requests come one after the other.
func (t *talk) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodPost || t.said == len(t.replies) {
		http.NotFound(w, r)
		return
	}
	in := t.replies[t.said]
	t.said++
	w.Header().Set("Content-Type", "text/event-stream")
	finish := "stop"
	send(w, map[string]any{"content": in.Say}, nil, nil)
	for i, a := range in.Actions {
		finish = "tool_calls"
		send(w, map[string]any{"tool_calls": []any{map[string]any{"index": i, "id": fmt.Sprintf("call_%d_%d", t.said, i), "type": "function",
			"function": map[string]any{"name": a.Tool, "arguments": string(reasoned(a))}}}}, nil, nil)
	}
	send(w, map[string]any{}, finish, map[string]int{"prompt_tokens": 1800 + 2300*t.said, "completion_tokens": 90})
	_, _ = fmt.Fprint(w, "data: [DONE]\n\n") // a client that is gone needs no end
}

func send(w http.ResponseWriter, delta map[string]any, finish, usage any) {
	data, err := json.Marshal(map[string]any{"choices": []any{map[string]any{"index": 0, "delta": delta, "finish_reason": finish}}, "usage": usage})
	if err == nil {
		_, _ = fmt.Fprintf(w, "data: %s\n\n", data)
	}
}

// reasoned is an action's arguments with its reason.
func reasoned(a nebula.Action) json.RawMessage {
	args := map[string]any{}
	if json.Unmarshal(a.Args, &args) != nil {
		return a.Args
	}
	args["reason"] = a.Reason
	data, err := json.Marshal(args)
	if err != nil {
		return a.Args
	}
	return data
}
