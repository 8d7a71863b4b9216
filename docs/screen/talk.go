package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"nebula"
	"nebula/internal/demo"
)

// A talk is a model that says what it is given to say, served on this machine, and the demo's project with a home of its own to
// talk about it in.
type talk struct {
	dir     string // holds the folders todo and home
	server  *http.Server
	address string
	topics  []topic
}

// A topic is what is said to messages that hold a text at the beginning of a line, one reply after the other.
type topic struct {
	To      string
	Replies []reply
}

// A reply is held where it never ends.
type reply struct {
	Say     string
	Actions []nebula.Action
	Hold    bool
}

// newTalk says what a file holds, or what the demo's model says.
func newTalk(lang, file string) (*talk, error) {
	topics, err := topicsOf(lang, file)
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "nebula-screen-")
	if err != nil {
		return nil, err
	}
	t := &talk{dir: dir, topics: topics}
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

func topicsOf(lang, file string) ([]topic, error) {
	if file == "" {
		recorded, err := demo.Conversation(lang)
		return topicsIn(recorded), err
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var topics []topic
	return topics, json.Unmarshal(data, &topics)
}

// topicsIn are the messages of the demo: what is said to each ends with a reply that does nothing.
func topicsIn(recorded demo.Talk) (topics []topic) {
	replies := recorded.Replies
	for _, to := range recorded.Messages {
		if strings.HasPrefix(to, "/") {
			continue
		}
		of := topic{To: to}
		for more := true; more && len(replies) > 0; replies = replies[1:] {
			of.Replies = append(of.Replies, reply{Say: replies[0].Say, Actions: replies[0].Actions})
			more = len(replies[0].Actions) > 0
		}
		topics = append(topics, of)
	}
	return topics
}

func (t *talk) close() error { return errors.Join(t.server.Close(), os.RemoveAll(t.dir)) }

// environment leads a program to the talk.
func (t *talk) environment() []string {
	return []string{"env", "-C", filepath.Join(t.dir, "todo"), "OPENAI_API_KEY=sk-none", "OPENAI_BASE_URL=http://" + t.address + "/v1",
		"NEBULA_HOME=" + filepath.Join(t.dir, "home"), "COLORTERM=truecolor"}
}

// A message is what is read of one in a request.
type message struct {
	Role    string
	Content any
}

// next is the reply to a request: those before it were to the last message of the person's that begins a topic.
func (t *talk) next(messages []message) (in reply, said int, ok bool) {
	for _, m := range slices.Backward(messages) {
		if m.Role == "assistant" {
			said++
		}
		i := slices.IndexFunc(t.topics, func(of topic) bool { return strings.Contains("\n"+fmt.Sprint(m.Content), "\n"+of.To) })
		if m.Role == "user" && i >= 0 && said < len(t.topics[i].Replies) {
			return t.topics[i].Replies[said], said, true
		}
	}
	return reply{}, 0, false
}

// ServeHTTP streams the next reply as Chat Completions does.
func (t *talk) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var asked struct{ Messages []message }
	if r.Method != http.MethodPost || json.NewDecoder(r.Body).Decode(&asked) != nil {
		http.NotFound(w, r)
		return
	}
	in, said, ok := t.next(asked.Messages)
	if !ok {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	finish := "stop"
	send(w, map[string]any{"content": in.Say}, nil, nil)
	if in.Hold {
		_ = http.NewResponseController(w).Flush()
		<-r.Context().Done()
		return
	}
	for i, a := range in.Actions {
		finish = "tool_calls"
		send(w, map[string]any{"tool_calls": []any{map[string]any{"index": i, "id": fmt.Sprintf("call_%d_%d", said, i), "type": "function",
			"function": map[string]any{"name": a.Tool, "arguments": string(reasoned(a))}}}}, nil, nil)
	}
	send(w, map[string]any{}, finish, map[string]int{"prompt_tokens": 4100 + 2300*said, "completion_tokens": 90})
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
