package chat

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"nebula"
	"nebula/internal/model/transport"
)

// What a router said of the model's thoughts, signatures included, goes back as it was, to it alone, and is left out once it is
// refused.
func TestDetailsOfThoughtsGoBackAsTheyCame(t *testing.T) {
	at := transport.Endpoint{Provider: "openrouter", BaseURL: "https://openrouter.ai/api/v1", Model: "m"}
	stream := strings.Join([]string{
		`{"choices":[{"delta":{"reasoning":"I ","reasoning_details":[{"type":"reasoning.text","text":"I ","format":"x-v1","index":0}]}}]}`,
		`{"choices":[{"delta":{"reasoning":"\"see\" 雪","reasoning_details":[{"type":"reasoning.text","text":"\"see\" 雪","format":"x-v1","index":0}]}}]}`,
		`{"choices":[{"delta":{"reasoning_details":[{"type":"reasoning.text","signature":"c2ln","index":0},{"type":"reasoning.encrypted","data":"ZW5j","id":"r1","index":1}]}}]}`,
		`{"choices":[{"delta":{"tool_calls":[{"index":0,"id":"c1","function":{"name":"list","arguments":"{}"}}]},"finish_reason":"tool_calls"}]}`, `[DONE]`,
	}, "\n\ndata: ")
	c := New(at, Dialect{Reasoning: "reasoning"}, true)
	reply, err := nebula.Collect(func(yield func(nebula.Chunk, error) bool) {
		if err := transport.Read(strings.NewReader("data: "+stream+"\n\n"), c.Ask(nebula.Prompt{}), func(c nebula.Chunk) bool { return yield(c, nil) }); err != nil {
			yield(nebula.Chunk{}, err)
		}
	}, nil)
	if err != nil || reply.Reasoning() != `I "see" 雪` {
		t.Fatalf("%q, %v", reply.Reasoning(), err)
	}
	p := nebula.Prompt{Messages: []nebula.Message{{Role: nebula.User, Parts: nebula.Text("hi")}, {Role: nebula.Assistant, Parts: reply.Parts}, {Role: nebula.ToolRole, CallID: "c1", Parts: nebula.Text("a.go")}}}
	const want = `"reasoning_details":[{"format":"x-v1","index":0,"signature":"c2ln","text":"I \"see\" 雪","type":"reasoning.text"},{"data":"ZW5j","id":"r1","index":1,"type":"reasoning.encrypted"}]`
	x := c.Ask(p)
	if !json.Valid(x.Body) || !bytes.Contains(x.Body, []byte(want)) || bytes.Contains(x.Body, []byte(`"reasoning":`)) {
		t.Errorf("sent back: %s", x.Body)
	}
	other := New(transport.Endpoint{Provider: "groq", Model: "m"}, Dialect{}, true).Ask(p)
	if !json.Valid(other.Body) || bytes.Contains(other.Body, []byte("reasoning_details")) {
		t.Errorf("another was sent: %s", other.Body)
	}
	if _, learnt := x.Learn(transport.Refusal{Status: http.StatusBadRequest, Kind: "bad_request", Raw: "Invalid signature in thinking block", Final: true}); !learnt {
		t.Error("nothing was learnt")
	}
	if again := c.Ask(p); !json.Valid(again.Body) || bytes.Contains(again.Body, []byte("c2ln")) || !bytes.Contains(again.Body, []byte(`"c1"`)) {
		t.Errorf("sent again: %s", again.Body)
	}
}
