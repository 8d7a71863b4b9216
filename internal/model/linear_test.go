//go:build unix

package model_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"syscall"
	"testing"
	"time"

	"nebula"
	"nebula/internal/model/transport"
)

// streams are the pieces of a reply in each form, with what begins and what ends it: said, thought, and of a call's arguments.
var streams = map[string]map[string][3]string{
	"Chat": {
		"text":    {"", `{"choices":[{"delta":{"content":" word"}}]}`, `{"choices":[{"delta":{},"finish_reason":"stop"}]}` + "\n\ndata: [DONE]"},
		"thought": {"", `{"choices":[{"delta":{"reasoning_content":" word"}}]}`, `{"choices":[{"delta":{"content":"x"},"finish_reason":"stop"}]}` + "\n\ndata: [DONE]"},
		"call": {
			`{"choices":[{"delta":{"tool_calls":[{"index":0,"id":"c","type":"function","function":{"name":"writeFile","arguments":"{\"content\":\""}}]}}]}`,
			`{"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"arguments":" word"}}]}}]}`,
			`{"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"arguments":"\"}"}}]},"finish_reason":"tool_calls"}]}` + "\n\ndata: [DONE]",
		},
	},
	"Responses": {
		"text":    {"", `{"type":"response.output_text.delta","output_index":0,"delta":" word"}`, `{"type":"response.completed","response":{"status":"completed"}}`},
		"thought": {"", `{"type":"response.reasoning_summary_text.delta","output_index":0,"summary_index":0,"delta":" word"}`, `{"type":"response.output_text.delta","output_index":1,"delta":"x"}` + "\n\ndata: " + `{"type":"response.completed","response":{"status":"completed"}}`},
		"call": {
			`{"type":"response.output_item.added","output_index":0,"item":{"type":"function_call","id":"f","call_id":"c","name":"writeFile","arguments":""}}`,
			`{"type":"response.function_call_arguments.delta","output_index":0,"item_id":"f","delta":" word"}`,
			`{"type":"response.output_item.done","output_index":0,"item":{"type":"function_call","id":"f","call_id":"c","name":"writeFile","arguments":"{}"}}` + "\n\ndata: " + `{"type":"response.completed","response":{"status":"completed"}}`,
		},
	},
	"Messages": {
		"text":    {`{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}`, `{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":" word"}}`, stopped("end_turn")},
		"thought": {`{"type":"content_block_start","index":0,"content_block":{"type":"thinking","thinking":""}}`, `{"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":" word"}}`, stopped("end_turn")},
		"call": {
			`{"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"c","name":"writeFile","input":{}}}` + "\n\ndata: " + `{"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":"{\"content\":\""}}`,
			`{"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":" word"}}`,
			`{"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":"\"}"}}` + "\n\ndata: " + stopped("tool_use"),
		},
	},
	"Gemini": {
		"text":    {"", `{"candidates":[{"content":{"parts":[{"text":" word"}]}}]}`, `{"candidates":[{"content":{"parts":[{"text":"x"}]},"finishReason":"STOP"}]}`},
		"thought": {"", `{"candidates":[{"content":{"parts":[{"text":" word","thought":true}]}}]}`, `{"candidates":[{"content":{"parts":[{"text":"x"}]},"finishReason":"STOP"}]}`},
	},
}

func stopped(why string) string {
	return `{"type":"content_block_stop","index":0}` + "\n\ndata: " + `{"type":"message_delta","delta":{"stop_reason":"` + why + `"}}` + "\n\ndata: " + `{"type":"message_stop"}`
}

// A call of Gemini's comes whole, and there may be 256 of them. Of all else eight times as many pieces of a reply take some eight times as long in each form, whatever they are pieces of, and
// 20,000 a quarter of a second.
func TestLongRepliesAreReadInLinearTime(t *testing.T) {
	if testing.Short() {
		t.Skip("reads half a million pieces")
	}
	const few, many = 5000, 40_000
	for form, kinds := range streams {
		for kind, parts := range kinds {
			quickest := func(n int) time.Duration {
				least := time.Hour
				for range 3 {
					least = min(least, reads(t, form, parts, n))
				}
				return least
			}
			short, long := quickest(few), quickest(many)
			t.Logf("%s, %s: %v, %v", form, kind, short, long)
			if long > 600*time.Millisecond { // half a second, and what the server takes
				t.Errorf("%s, %s: %d pieces take %v", form, kind, many, long)
			}
			if long > 24*short+50*time.Millisecond { // eight times is what it should be; a square would be sixty-four
				t.Errorf("%s, %s: %d pieces take %v, %d take %v", form, kind, few, short, many, long)
			}
		}
	}
}

// spent is how long this process has had a processor: what else runs on the machine does not count.
func spent() time.Duration {
	var use syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &use) // never fails
	return time.Duration(use.Utime.Nano() + use.Stime.Nano())
}

// reads is how long a reply of so many pieces takes.
func reads(t *testing.T, form string, parts [3]string, n int) time.Duration {
	t.Helper()
	var b strings.Builder
	if parts[0] != "" {
		b.WriteString("data: " + parts[0] + "\n\n")
	}
	b.WriteString(strings.Repeat("data: "+parts[1]+"\n\n", n) + "data: " + parts[2] + "\n\n")
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = fmt.Fprint(w, b.String()) }))
	defer server.Close()
	at := transport.Endpoint{BaseURL: server.URL, Key: "k", Model: "m"}
	m := transport.New(at, nebula.ModelInfo{}, adapters(server.URL, false)[form], transport.Service{KeyName: "K"}, transport.Options{Attempts: 1})
	began := spent()
	r, err := nebula.Collect(m.Stream(t.Context(), nebula.Prompt{Messages: []nebula.Message{{Role: nebula.User, Parts: nebula.Text("q")}}}), nil)
	if err != nil || r.Finish == "" {
		t.Fatalf("%s: %+v, %v", form, r.Finish, err)
	}
	if size := len(r.Text()) + len(r.Reasoning()); size < n && len(r.Calls()) == 0 {
		t.Fatalf("%s: %d bytes came of %d pieces", form, size, n)
	}
	return spent() - began
}
