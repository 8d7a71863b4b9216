package demo

import (
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"slices"
	"strings"
	"time"

	"nebula"
)

// A Partner is a model that says what it is given to say, served on this machine as Chat Completions.
type Partner struct {
	Topics []Topic
	Else   string        // is said to what begins no topic; empty is an error
	Word   time.Duration // that a word takes to be written
	URL    string        // where it is reached, once it is served

	server *http.Server
}

// A Topic is what is said to messages that hold a text at the beginning of a line, one reply after the other.
type Topic struct {
	To      string
	Replies []Reply
}

// A Reply is what is said and done; one that is held never ends.
type Reply struct {
	Say     string
	Actions []nebula.Action
	Hold    bool
}

// Topics are the messages of a talk: what is said to each ends with a reply that does nothing.
func (t Talk) Topics() (topics []Topic) {
	replies := t.Replies
	for _, to := range t.Messages {
		if strings.HasPrefix(to, "/") {
			continue
		}
		of := Topic{To: to}
		for more := true; more && len(replies) > 0; replies = replies[1:] {
			of.Replies = append(of.Replies, Reply{Say: replies[0].Say, Actions: replies[0].Actions})
			more = len(replies[0].Actions) > 0
		}
		topics = append(topics, of)
	}
	return topics
}

// Serve has the partner answer at its URL until it is closed.
func (p *Partner) Serve() error {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	p.URL = "http://" + l.Addr().String() + "/v1"
	p.server = &http.Server{Handler: p, ReadHeaderTimeout: time.Minute}
	go func() { _ = p.server.Serve(l) }() // ends with Close
	return nil
}

// Close ends what Serve began.
func (p *Partner) Close() error { return p.server.Close() }

// A message is what is read of one in a request.
type message struct {
	Role    string
	Content any
}

// next is the reply to a request: those before it were to the last message of the person's that begins a topic.
func (p *Partner) next(messages []message) (in Reply, said int, ok bool) {
	for _, m := range slices.Backward(messages) {
		if m.Role == "assistant" {
			said++
		}
		i := slices.IndexFunc(p.Topics, func(of Topic) bool { return strings.Contains("\n"+fmt.Sprint(m.Content), "\n"+of.To) })
		if m.Role == "user" && i >= 0 && said < len(p.Topics[i].Replies) {
			return p.Topics[i].Replies[said], said, true
		}
	}
	return Reply{Say: p.Else}, 0, p.Else != ""
}

// ServeHTTP streams the next reply.
func (p *Partner) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var asked struct{ Messages []message }
	if r.Method != http.MethodPost || json.NewDecoder(r.Body).Decode(&asked) != nil {
		http.NotFound(w, r)
		return
	}
	in, said, ok := p.next(asked.Messages)
	if !ok {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	p.write(w, r, in.Say)
	if in.Hold {
		<-r.Context().Done()
		return
	}
	finish := "stop"
	for i, a := range in.Actions {
		finish = "tool_calls"
		send(w, map[string]any{"tool_calls": []any{map[string]any{"index": i, "id": fmt.Sprintf("call_%d_%d", said, i), "type": "function",
			"function": map[string]any{"name": a.Tool, "arguments": string(reasoned(a))}}}}, nil, nil)
	}
	send(w, map[string]any{}, finish, map[string]int{"prompt_tokens": 4100 + 2300*said, "completion_tokens": 90})
	_, _ = fmt.Fprint(w, "data: [DONE]\n\n") // a client that is gone needs no end
}

// write streams a text, a word at a time.
func (p *Partner) write(w http.ResponseWriter, r *http.Request, text string) {
	for word := range strings.SplitAfterSeq(text, " ") {
		send(w, map[string]any{"content": word}, nil, nil)
		if p.Word > 0 && r.Context().Err() == nil {
			_ = http.NewResponseController(w).Flush()
			time.Sleep(p.Word)
		}
	}
	_ = http.NewResponseController(w).Flush()
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
