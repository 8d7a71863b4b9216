package model_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"nebula"
	"nebula/internal/model/transport"
)

// What came of a reply that tore is no part of the one that is asked for then, whatever the server says of the tear, and whatever is
// learnt from it; the person is told that it starts again.
func TestATornReplyIsNoPartOfTheNext(t *testing.T) {
	whole := map[string]string{
		"Chat":      `data: {"choices":[{"delta":{"content":"WORD"}}]}` + "\n\n",
		"Messages":  `data: {"type":"content_block_start","index":0,"content_block":{"type":"text","text":"WORD"}}` + "\n\n" + `data: {"type":"content_block_stop","index":0}` + "\n\n",
		"Gemini":    `data: {"candidates":[{"content":{"parts":[{"text":"WORD"}]}}]}` + "\n\n",
		"Responses": `data: {"type":"response.output_text.delta","output_index":0,"delta":"WORD"}` + "\n\n",
	}
	ends := map[string]string{
		"Chat":      `data: {"choices":[{"delta":{},"finish_reason":"stop"}]}` + "\n\ndata: [DONE]\n\n",
		"Messages":  `data: {"type":"message_delta","delta":{"stop_reason":"end_turn"}}` + "\n\n" + `data: {"type":"message_stop"}` + "\n\n",
		"Gemini":    `data: {"candidates":[{"finishReason":"STOP"}]}` + "\n\n",
		"Responses": `data: {"type":"response.completed","response":{"status":"completed","output":[]}}` + "\n\n",
	}
	for form := range whole {
		for _, fault := range []string{
			`{"error":{"message":"Provider returned error","code":400}}`, `{"error":{"message":"Provider returned error","code":"400"}}`, `{"error":{"message":"x","code":422}}`,
			`{"error":{"object":"error","message":"x","type":"BadRequestError","param":null,"code":400}}`, `{"error":{"message":"stream_options: not taken","code":400}}`,
			`{"error":{"message":"thinking, reasoning, effort: not taken","code":400}}`, `{"error":{"message":"tools, tool_choice, temperature: not taken","code":400}}`,
			`{"choices":[{"delta":{"content":""},"finish_reason":"error"}],"error":{"code":400,"message":"x"}}`, `{"error":{"message":"loading","code":503}}`,
		} {
			half := fill(whole[form], "half")
			asks := 0
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				if asks++; asks == 1 {
					_, _ = fmt.Fprint(w, half, "event: error\ndata: ", fault, "\n\n")
					return
				}
				_, _ = fmt.Fprint(w, fill(whole[form], "all"), ends[form])
			}))
			adapter := adapters(server.URL, true)[form]
			m := transport.New(transport.Endpoint{BaseURL: server.URL, Model: "m"}, nebula.ModelInfo{}, adapter, transport.Service{}, transport.Options{Backoff: time.Millisecond, Patience: time.Minute})
			told := 0
			r, err := nebula.Collect(m.Stream(t.Context(), nebula.Prompt{Effort: "high", Messages: []nebula.Message{{Role: nebula.User, Parts: nebula.Text("q")}}}), func(c nebula.Chunk) {
				if c.Retry != nil {
					told++
				}
			})
			server.Close()
			if err != nil || r.Text() != "all" || told != 1 || asks != 2 {
				t.Errorf("%s, %s: %q, %v, told %d times, %d requests", form, fault, r.Text(), err, told, asks)
			}
		}
	}
}

// fill puts a word into a stream.
func fill(stream, word string) string { return strings.ReplaceAll(stream, "WORD", word) }

// Half of a surrogate pair in a call's arguments would have a strict server refuse all that follows.
func TestHalfASurrogatePairIsNotSentBack(t *testing.T) {
	messages := []nebula.Message{{Role: nebula.User, Parts: nebula.Text("q")}, {Role: nebula.Assistant, Parts: nebula.PartsOf("", "", nebula.Call{ID: "c", Name: "weather", Arguments: `{"location":"x\ud83d y"}`})},
		{Role: nebula.ToolRole, CallID: "c", Parts: nebula.Text("r")}}
	for form, a := range adapters("http://h", false) {
		want := `{"location":"x\ufffd y"}`
		if form == "Chat" || form == "Responses" { // a text, in which the stroke is one
			want = `"{\"location\":\"x\\ud83d y\"}"`
		}
		if body := string(a.Ask(nebula.Prompt{Messages: messages}).Body); !strings.Contains(body, want) {
			t.Errorf("%s: %s", form, body)
		}
	}
}

// What only its provider can read goes back in the same bytes at once and in a session that was kept and taken up again: else nothing
// behind it would be found in the provider's cache.
func TestASealGoesBackInTheSameBytesAlways(t *testing.T) {
	for form, body := range map[string]string{
		"Responses": `data: {"type":"response.output_item.done","output_index":0,"item": {"type": "reasoning", "id": "r", "summary": [ ], "encrypted_content": "<e>&"}}` + "\n\n" +
			`data: {"type":"response.reasoning_text.delta","output_index":1,"delta":"a"}` + "\n\n" + `data: {"type":"response.output_item.done","output_index":1,"item": {"type": "reasoning", "id": "s", "encrypted_content": "s"}}` + "\n\n" +
			`data: {"type":"response.output_text.delta","output_index":2,"delta":"a"}` + "\n\n" + `data: {"type":"response.completed","response":{"status":"completed"}}` + "\n\n",
		"Chat": `data: {"choices":[{"delta":{"tool_calls":[{"index":0,"id":"c","extra_content": { "google": "<e>&" },"function":{"name":"x","arguments":"{}"}}]},"finish_reason":"tool_calls"}]}` + "\n\n",
		"Messages": `data: {"type":"content_block_start","index":0,"content_block":{"type": "redacted_thinking", "data": "<e>&"}}` + "\n\n" +
			`data: {"type":"content_block_start","index":1,"content_block":{"type":"text","text":"a"}}` + "\n\n" + `data: {"type":"message_delta","delta":{"stop_reason":"end_turn"}}` + "\n\n",
		"Gemini": `data: {"candidates":[{"content":{"parts":[{ "thoughtSignature": "<e>&", "text": "" }, {"text":"a"}]},"finishReason":"STOP"}]}` + "\n\n",
	} {
		a := adapters("http://h", true)[form]
		var parts nebula.Assembler
		err := transport.Read(strings.NewReader(body), a.Ask(nebula.Prompt{}), func(c nebula.Chunk) bool { parts.Add(c); return true })
		r, _ := parts.Reply()
		kept, failed := nebula.EncodeBody(nebula.Replied{Reply: r})
		again, wrong := nebula.DecodeBody(nebula.Replied{}.Name(), kept)
		if err != nil || failed != nil || wrong != nil {
			t.Fatal(err, failed, wrong)
		}
		ask := func(p nebula.Parts) string {
			return string(a.Ask(nebula.Prompt{Messages: []nebula.Message{{Role: nebula.Assistant, Parts: p}}}).Body)
		}
		if first, later := ask(r.Parts), ask(again.(nebula.Replied).Reply.Parts); first != later || !strings.Contains(first, "<e>&") {
			t.Errorf("%s: %s\nis later %s", form, first, later)
		}
	}
}

// A stream that ends anywhere inside of an event is cut off, not damaged.
func TestAStreamThatEndsInAnEventIsCutOff(t *testing.T) {
	const event = `data: {"choices":[{"delta":{"content":"a"}}]}` + "\n\n"
	for n := range len(event) {
		err := transport.Read(strings.NewReader(event+event[:n]), adapters("http://h", false)["Chat"].Ask(nebula.Prompt{}), func(nebula.Chunk) bool { return true })
		if err == nil || !strings.Contains(err.Error(), "cut off") {
			t.Errorf("%q: %v", event[:n], err)
		}
	}
}

// A piece of a kind that nobody knows is stepped over wherever it comes; one that says something is not.
func TestAnUnknownPieceOfABlockThatEndedIsSteppedOver(t *testing.T) {
	for kind, want := range map[string]bool{"brand_new_delta": true, "text_delta": false} {
		body := `data: {"type":"content_block_start","index":0,"content_block":{"type":"text","text":"a"}}` + "\n\n" + `data: {"type":"content_block_start","index":1,"content_block":{"type":"text","text":"b"}}` + "\n\n" +
			`data: {"type":"content_block_delta","index":0,"delta":{"type":"` + kind + `"}}` + "\n\n" + `data: {"type":"message_delta","delta":{"stop_reason":"end_turn"}}` + "\n\n"
		if err := transport.Read(strings.NewReader(body), adapters("http://h", false)["Messages"].Ask(nebula.Prompt{}), func(nebula.Chunk) bool { return true }); (err == nil) != want {
			t.Errorf("%s: %v", kind, err)
		}
	}
}
