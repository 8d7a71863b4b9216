// Package played answers as a model would, from a list: what the stages' tests talk to.
package played

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"strconv"
	"testing"

	"nebula/docs/learn/llm"
)

// Model is a server that gives its replies in their order and keeps what it was sent.
type Model struct {
	llm.Client
	replies chan llm.Message
	comes   chan []llm.Message // requests, in their order
	sent    [][]llm.Message    // those that the test has looked at
}

// New starts a server that ends with the test.
func New(t *testing.T, replies ...llm.Message) *Model {
	t.Helper()
	m := &Model{replies: make(chan llm.Message, len(replies)), comes: make(chan []llm.Message, len(replies)+1)}
	for _, reply := range replies {
		m.replies <- reply
	}
	server := httptest.NewServer(http.HandlerFunc(m.answer))
	t.Cleanup(server.Close)
	m.Client = llm.Client{Base: server.URL, Key: "none", Model: "played"}
	return m
}

// Says is a reply of words.
func Says(words string) llm.Message { return llm.Message{Role: "assistant", Content: words} }

// Calls is a reply that calls one tool; arguments are names and values in turn.
func Calls(tool string, arguments ...string) llm.Message {
	values := map[string]string{}
	for i := 0; i+1 < len(arguments); i += 2 {
		values[arguments[i]] = arguments[i+1]
	}
	written, _ := json.Marshal(values) // strings always can be written
	call := llm.Call{ID: "call_" + strconv.Itoa(len(written)), Type: "function"}
	call.Function.Name, call.Function.Arguments = tool, string(written)
	return llm.Message{Role: "assistant", Calls: []llm.Call{call}}
}

// Sent is what request number i (from 0) carried.
func (m *Model) Sent(i int) []llm.Message {
	m.Requests()
	return m.sent[i]
}

// Requests counts the requests.
func (m *Model) Requests() int {
	for len(m.comes) > 0 {
		m.sent = append(m.sent, <-m.comes)
	}
	return len(m.sent)
}

// Project is a folder with some files.
func Project(t *testing.T, files map[string]string) *os.Root {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		if err := os.WriteFile(dir+"/"+name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { root.Close() })
	return root
}

func (m *Model) answer(w http.ResponseWriter, r *http.Request) {
	var request struct{ Messages []llm.Message }
	if err := json.NewDecoder(r.Body).Decode(&request); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	select {
	case m.comes <- request.Messages:
	default: // more than were to come: that one more came is seen, and nothing hangs
	}
	select {
	case reply := <-m.replies:
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(map[string]any{"choices": []any{map[string]any{"message": reply}}})
	default:
		http.Error(w, "no reply is left", http.StatusTooManyRequests)
	}
}
