package anthropic

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"

	"nebula"
	"nebula/internal/model/transport"
	"nebula/internal/nebulatest"
	"nebula/internal/phrase"
)

var claude = transport.Endpoint{Provider: Name, BaseURL: "https://api.anthropic.com/v1", Key: "k", Model: "claude-sonnet-4"}

func decoded(body io.Reader) (nebula.Reply, error) {
	return nebula.Collect(pieces(body), nil)
}

func pieces(body io.Reader) iter.Seq2[nebula.Chunk, error] {
	return func(yield func(nebula.Chunk, error) bool) {
		asked := New(claude, nebula.ModelInfo{}).Ask(nebula.Prompt{})
		err := transport.Read(body, asked, func(c nebula.Chunk) bool { return yield(c, nil) })
		if err != nil && !errors.Is(err, transport.ErrStopped) {
			yield(nebula.Chunk{}, err)
		}
	}
}

// Pieces go to the block that they name: calls in turns get their own arguments, and what is signed in turns is damage. A call whose
// arguments stand where it begins has them, and one without an id gets one that no other has.
func TestPiecesGoToTheirBlocks(t *testing.T) {
	event := func(format string, args ...any) string { return "data: " + fmt.Sprintf(format, args...) + "\n\n" }
	begin := func(index int, id, input string) string {
		return event(`{"type":"content_block_start","index":%d,"content_block":{"type":"tool_use","id":%q,"name":"x","input":%s}}`, index, id, input)
	}
	piece := func(index int, text string) string {
		return event(`{"type":"content_block_delta","index":%d,"delta":{"type":"input_json_delta","partial_json":%q}}`, index, text)
	}
	stop := func(index int) string { return event(`{"type":"content_block_stop","index":%d}`, index) }
	thought := func(index int) string {
		return event(`{"type":"content_block_start","index":%d,"content_block":{"type":"thinking","thinking":""}}`, index)
	}
	signs := func(index int) string {
		return event(`{"type":"content_block_delta","index":%d,"delta":{"type":"signature_delta","signature":"s"}}`, index)
	}
	end := event(`{"type":"message_delta","delta":{"stop_reason":"tool_use"}}`) + event(`{"type":"message_stop"}`)
	for name, tt := range map[string]struct{ stream, want string }{
		"in turns":                 {begin(0, "a", "{}") + begin(1, "b", "{}") + piece(0, `{"n":0}`) + stop(0) + stop(1), `a{"n":0} b`},
		"in turns, in pieces":      {begin(0, "a", "{}") + begin(1, "b", "{}") + piece(1, `{"n"`) + piece(0, `{"m"`) + piece(1, `:1}`) + piece(0, `:0}`) + stop(1) + stop(0), `a{"m":0} b{"n":1}`},
		"of a call that ended":     {begin(0, "a", "{}") + stop(0) + begin(1, "b", "{}") + piece(1, `{}`) + piece(0, `{"n":0}`) + stop(1), `a{"n":0} b{}`},
		"of no call":               {begin(0, "a", "{}") + piece(7, `{"n":0}`) + stop(0), "damaged"},
		"of a lost beginning":      {piece(0, `{"n":0}`) + stop(0) + begin(1, "b", "{}") + stop(1), "damaged"},
		"of a lost one behind":     {begin(0, "a", "{}") + stop(0) + piece(1, `{"n":0}`) + stop(1), "damaged"},
		"an end without beginning": {begin(0, "a", "{}") + stop(0) + stop(1), "damaged"},
		"of what is not known":     {event(`{"type":"content_block_start","index":0,"content_block":{"type":"server_tool_use"}}`) + piece(0, `{}`) + stop(0) + begin(1, "a", "{}") + stop(1), "a"},
		"whole where it begins":    {begin(0, "a", `{"n":0}`) + stop(0), `a{"n":0}`},
		"whole, and pieces":        {begin(0, "a", `{"n":0}`) + piece(0, `{"n":1}`) + stop(0), `a{"n":1}`},
		"thoughts in turns":        {thought(0) + thought(1) + signs(0), "damaged"},
		"a thought behind another": {thought(0) + signs(0) + stop(0) + thought(1) + signs(1) + stop(1) + begin(2, "a", "{}") + stop(2), "a"},
	} {
		r, err := decoded(strings.NewReader(tt.stream + end))
		var got []string
		for _, c := range r.Calls() {
			got = append(got, c.ID+c.Arguments)
		}
		if is := strings.Join(got, " "); (err != nil) != (tt.want == "damaged") || err == nil && is != tt.want {
			t.Errorf("%s: %q, %v", name, is, err)
		}
	}
	r, err := decoded(strings.NewReader(begin(0, "", "{}") + stop(0) + begin(1, "", "{}") + stop(1) + end))
	if calls := r.Calls(); err != nil || len(calls) != 2 || calls[0].ID == "" || calls[1].ID == "" || calls[0].ID == calls[1].ID {
		t.Errorf("%+v, %v", r, err)
	}
}

// A call that comes twice under one id is one; with other arguments it is another, and has its own id.
func TestCallSentTwiceIsOne(t *testing.T) {
	use := func(index int, id string, pieces ...string) string {
		s := fmt.Sprintf("data: {\"type\":\"content_block_start\",\"index\":%d,\"content_block\":{\"type\":\"tool_use\",\"id\":%q,\"name\":\"x\",\"input\":{}}}\n\n", index, id)
		for _, p := range pieces {
			s += fmt.Sprintf("data: {\"type\":\"content_block_delta\",\"index\":%d,\"delta\":{\"type\":\"input_json_delta\",\"partial_json\":%q}}\n\n", index, p)
		}
		return s + fmt.Sprintf("data: {\"type\":\"content_block_stop\",\"index\":%d}\n\n", index)
	}
	const end = "data: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"tool_use\"},\"usage\":{\"output_tokens\":1}}\n\ndata: {\"type\":\"message_stop\"}\n\n"
	r, err := decoded(strings.NewReader(use(0, "a", `{"n"`, `:1}`) + use(1, "a", `{"n":`, `1}`) + use(2, "a", `{"n":2}`) + use(3, "b", `{"n":1}`) + end))
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, c := range r.Calls() {
		got[c.ID] += c.Arguments
	}
	if len(r.Calls()) != 3 || len(got) != 3 || got["a"] != `{"n":1}` || got["b"] != `{"n":1}` {
		t.Errorf("%+v", r.Calls())
	}
}

func TestEveryCutGivesTheSameReplyOrNone(t *testing.T) {
	for _, rec := range nebulatest.Recordings(t, Name) {
		t.Run(rec.Name, func(t *testing.T) {
			whole := bytes.Index(rec.Body, []byte("event: message_delta"))
			whole += bytes.Index(rec.Body[whole:], []byte("\n\n")) - 1
			nebulatest.TestRecording(t, rec.Body, whole, decoded)
		})
	}
}

// blocks are the contents of a request's message, without breakpoints.
func blocks(t *testing.T, request []byte, n int) (list []map[string]any) {
	t.Helper()
	var r struct {
		Messages []struct{ Content []map[string]any }
	}
	if err := json.Unmarshal(request, &r); err != nil || len(r.Messages) <= n {
		t.Fatalf("%s: %v", request, err)
	}
	for _, b := range r.Messages[n].Content {
		delete(b, "cache_control")
		list = append(list, b)
	}
	return list
}

// What was received goes back as the provider wants it: thinking with its signature, calls and texts, in their order.
func TestRepliesGoBackAsTheyCame(t *testing.T) {
	signatures := 0
	for _, rec := range nebulatest.Recordings(t, Name) {
		if rec.Next == nil {
			continue
		}
		r, err := decoded(bytes.NewReader(rec.Body))
		if err != nil {
			t.Fatal(err)
		}
		p := nebula.Prompt{Messages: []nebula.Message{{Role: nebula.User, Parts: nebula.Text("q")}, {Role: nebula.Assistant, Parts: r.Parts}}}
		for _, c := range r.Calls() {
			p.Messages = append(p.Messages, nebula.Message{Role: nebula.ToolRole, CallID: c.ID, Parts: nebula.Text("5")})
		}
		sent := New(claude, nebula.ModelInfo{}).Ask(p).Body
		got, want := blocks(t, sent, 1), blocks(t, rec.Next, 1)
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s:\n%v\nwant\n%v", rec.Name, got, want)
		}
		for _, part := range r.Parts {
			if part.Opaque != nil {
				signatures++
				if !bytes.Contains(rec.Next, part.Opaque.Value) || !bytes.Contains(sent, part.Opaque.Value) {
					t.Errorf("%s: the signature %s is another", rec.Name, part.Opaque.Value)
				}
			}
		}
		if results := blocks(t, sent, 2); len(results) != len(r.Calls()) || results[0]["tool_use_id"] != r.Calls()[0].ID {
			t.Errorf("%s: results %v", rec.Name, results)
		}
	}
	if signatures < 2 {
		t.Errorf("%d signatures", signatures)
	}
}

const redacted = `event: message_start
data: {"type":"message_start","message":{"model":"m","usage":{"input_tokens":3,"cache_creation_input_tokens":4,"cache_read_input_tokens":5,"output_tokens":1}}}

data: {"type":"content_block_start","index":0,"content_block":{"type":"redacted_thinking","data":"a+/=="}}

data: {"type":"content_block_stop","index":0}

data: {"type":"content_block_start","index":1,"content_block":{"type":"thinking","thinking":"","signature":""}}

data: {"type":"content_block_delta","index":1,"delta":{"type":"signature_delta","signature":"s=="}}

data: {"type":"content_block_stop","index":1}

data: {"type":"something_new","a":1}

data: {"type":"content_block_start","index":2,"content_block":{"type":"server_tool_use","id":"x","name":"web"}}

data: {"type":"content_block_stop","index":2}

data: {"type":"content_block_start","index":3,"content_block":{"type":"text","text":"ok"}}

data: {"type":"content_block_stop","index":3}

`

func TestWhatOnlyTheProviderKnowsGoesBackToItAlone(t *testing.T) {
	r, err := decoded(strings.NewReader(redacted + `data: {"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":9}}` + "\n\n"))
	if err != nil || r.Usage != (nebula.Usage{Input: 12, Cached: 5, Written: 4, Output: 9}) || r.Text() != "ok" || r.Finish != "stop" {
		t.Fatalf("%+v, %v", r, err)
	}
	messages := []nebula.Message{{Role: nebula.Assistant, Parts: r.Parts}, {Role: nebula.User, Parts: nebula.Text("go on")}}
	body := string(New(claude, nebula.ModelInfo{}).Ask(nebula.Prompt{Messages: messages}).Body)
	for _, want := range []string{`{"type":"redacted_thinking","data":"a+/=="}`, `{"type":"thinking","thinking":"","signature":"s=="}`, `{"type":"server_tool_use","id":"x","name":"web"}`} {
		if !strings.Contains(body, want) {
			t.Errorf("%s is not in\n%s", want, body)
		}
	}
	var foreign nebula.Parts
	for _, p := range r.Parts {
		if p.Opaque != nil {
			p.Opaque = &nebula.Opaque{Of: "other", Value: p.Opaque.Value}
		}
		foreign = append(foreign, p)
	}
	foreign = append(foreign, nebula.PartsOf("unsigned", "")...)
	messages[0].Parts = foreign
	body = string(New(claude, nebula.ModelInfo{}).Ask(nebula.Prompt{Messages: messages}).Body)
	if want := `"messages":[{"role":"user","content":[{"type":"text","text":"(The conversation goes on.)"` + breakpoint + `}]},{"role":"assistant","content":[{"type":"text","text":"ok"}]},`; !strings.Contains(body, want) {
		t.Errorf("%s\nhas not\n%s", body, want)
	}
}

func TestEveryReasonToStopHasItsWord(t *testing.T) {
	for reason, want := range map[string]string{"end_turn": "stop", "tool_use": "tool_calls", "max_tokens": "length", "refusal": "content_filter", "stop_sequence": "stop",
		"pause_turn": "pause", "network_error": "", "model_context_window_exceeded": "length", "something_new": "something_new"} {
		r, err := decoded(strings.NewReader(redacted + `data: {"type":"message_delta","delta":{"stop_reason":"` + reason + `"}}` + "\n\n"))
		if (err == nil) != (want != "") || r.Finish != want {
			t.Errorf("%s: %q, %v", reason, r.Finish, err)
		}
	}
}

// A server that does not stream answers with the whole message; what it says of tokens that can be no number of any is not taken.
func TestAWholeMessageIsRead(t *testing.T) {
	message := func(usage string) string {
		return `{"type":"message","model":"m","content":[{"type":"thinking","thinking":"hm","signature":"s"},{"type":"text","text":"a"},{"type":"tool_use","id":"i","name":"x","input":{"n":1}}],"stop_reason":"tool_use","usage":` + usage + `}`
	}
	for usage, want := range map[string]nebula.Usage{
		`{"input_tokens":10.0,"output_tokens":5,"cache_read_input_tokens":2}`: {Input: 12, Cached: 2, Output: 5},
		`{"input_tokens":9223372036854775807,"cache_read_input_tokens":9}`:    {Input: 9, Cached: 9},
		`{"input_tokens":10,"cache_read_input_tokens":-9}`:                    {Input: 10},
		`{"input_tokens":"10"}`: {}, `{"input_tokens":{}}`: {}, `[]`: {}, `7`: {}, `null`: {}, `{}`: {},
	} {
		r, err := decoded(strings.NewReader(message(usage)))
		if err != nil || r.Text() != "a" || r.Reasoning() != "hm" || r.Finish != "tool_calls" || r.Model != "m" || r.Usage != want || len(r.Calls()) != 1 || r.Calls()[0].Arguments != `{"n":1}` {
			t.Errorf("%s: %+v, %v", usage, r, err)
		}
		r, err = decoded(strings.NewReader(`data: {"type":"message_start","message":{"model":"m","usage":` + usage + "}}\n\n" + redacted + `data: {"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":"9"}}` + "\n\n"))
		if err != nil || r.Usage.Cached < 0 || r.Usage.Input < 0 || r.Finish != "stop" {
			t.Errorf("%s, in a stream: %+v, %v", usage, r, err)
		}
	}
	if r, err := decoded(strings.NewReader(`{"type":"error","error":{"message":"no"}}`)); err == nil {
		t.Errorf("%+v", r)
	}
}

// A conversation that grew shares all bytes before its end with the request before, breakpoints aside, and every server
// would take it: the user speaks first, sides take turns, results stand with the user.
func TestPrefixStaysTheSameAndSidesTakeTurns(t *testing.T) {
	p := nebula.Prompt{System: "S", MaxOutput: 10, Tools: []nebula.ToolSpec{{Name: "list", Description: "Lists <b>."}}}
	a := New(claude, nebula.ModelInfo{MaxOutput: 100})
	before := ""
	for range 10 {
		p.Messages = append(p.Messages, nebula.Message{Role: nebula.User, Parts: append(nebula.Text("q\n\"<&>"), nebula.Pictures(nebula.Image{Type: "image/png", Data: []byte{1}})...)},
			nebula.Message{Role: nebula.Assistant, Parts: nebula.PartsOf("", "\n", nebula.Call{ID: "i|1", Name: "list", Arguments: ""}, nebula.Call{ID: "j", Name: "list", Arguments: "broken"})},
			nebula.Message{Role: nebula.ToolRole, CallID: "i|1", Parts: append(nebula.Text("r"), nebula.Pictures(nebula.Image{Type: "image/png", Data: []byte{2}})...)},
			nebula.Message{Role: nebula.ToolRole, CallID: "j", Parts: nebula.Text("r")})
		body := a.Ask(p).Body
		if !json.Valid(body) || bytes.Count(body, []byte(breakpoint)) != 3 {
			t.Fatalf("%s", body)
		}
		now := strings.ReplaceAll(string(body), breakpoint, "")
		if !strings.HasPrefix(now, strings.TrimSuffix(before, "]}]}")) {
			t.Fatalf("%s\nis not the beginning of\n%s", before, now)
		}
		before = now
	}
	if strings.Contains(before, `"role":"user"},{"role":"user"`) || !strings.Contains(before, `"tool_use_id":"i_1"`) || !strings.Contains(before, `"id":"i_1"`) {
		t.Error(before)
	}
}

// What a server keeps of a request ends before what is another the next time, where the work stands, and the next request says so again,
// however many blocks came since.
func TestBreakpointsStandBehindWhatStays(t *testing.T) {
	note := func(s string) nebula.Message { return nebula.Message{Role: nebula.User, Parts: nebula.Text(s)} }
	p := nebula.Prompt{System: "S", Messages: []nebula.Message{note("q")}}
	a, kept := New(claude, nebula.ModelInfo{}), ""
	for n := range 4 {
		p.Messages = append(p.Messages, note("now "+strconv.Itoa(n)))
		marks := strings.Split(string(a.Ask(p).Body), breakpoint)
		if !strings.Contains(marks[len(marks)-1], "now ") || strings.Contains(strings.Join(marks[:len(marks)-1], ""), "now ") {
			t.Errorf("%d: %q", n, marks)
		}
		if again := strings.Join(marks[:max(1, len(marks)-2)], ""); n > 0 && again != kept {
			t.Errorf("%d: it was kept up to\n%s\nand is asked for up to\n%s", n, kept, again)
		}
		kept = strings.Join(marks[:len(marks)-1], "")
		p.Messages = p.Messages[:len(p.Messages)-1]
		calls := make([]nebula.Call, 15)
		for i := range calls {
			calls[i] = nebula.Call{ID: "c" + strconv.Itoa(i), Name: "list"}
		}
		p.Messages = append(p.Messages, nebula.Message{Role: nebula.Assistant, Parts: nebula.PartsOf("", "I look.", calls...)})
		for _, c := range calls {
			p.Messages = append(p.Messages, nebula.Message{Role: nebula.ToolRole, CallID: c.ID, Parts: nebula.Text("r")})
		}
	}
}

// What a server does not take back, or does not know, is left out, and the conversation goes on.
func TestWhatAServerRefusesIsLearntFrom(t *testing.T) {
	thought := nebula.Part{Kind: nebula.ReasoningPart, Text: "hm", Opaque: &nebula.Opaque{Of: Name, Value: json.RawMessage(`"old=="`)}}
	p := nebula.Prompt{Effort: nebula.EffortHigh, Schema: json.RawMessage(`{}`), Messages: []nebula.Message{{Role: nebula.User, Parts: nebula.Text("q")}, {Role: nebula.Assistant, Parts: append(nebula.Parts{thought}, nebula.Text("a")...)}, {Role: nebula.User, Parts: nebula.Text("q")}}}
	a := New(claude, nebula.ModelInfo{MaxOutput: 64000})
	for _, c := range []struct{ refusal, gone, stays string }{
		{"messages.1.content.0: Invalid `signature` in `thinking` block", "old==", `"text":"a"`},
		{"output_config.format: Extra inputs are not permitted", `"json_schema"`, `"budget_tokens":16384`},
		{"thinking.budget_tokens: must be less than 16000", `"budget_tokens":16384`, `"budget_tokens":4096`},
		{"thinking is not supported by this model", "budget_tokens", `"text":"a"`},
	} {
		x := a.Ask(p)
		if _, again := x.Learn(transport.Refusal{Status: http.StatusBadRequest, Raw: c.refusal, Final: true}); !again || !bytes.Contains(x.Body, []byte(c.gone)) {
			t.Errorf("%s: nothing is learnt of it: %s", c.refusal, x.Body)
		}
		if now := string(a.Ask(p).Body); strings.Contains(now, c.gone) || !strings.Contains(now, c.stays) {
			t.Errorf("%s: %s", c.refusal, now)
		}
	}
}

func TestFaultsAreRetriedByTheTransport(t *testing.T) {
	asked, said := 0, ""
	body := nebulatest.Recordings(t, Name)[0].Body
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked++
		switch {
		case r.URL.Path != "/v1/messages" || r.Header.Get("X-Api-Key") != "k" || r.Header.Get("Anthropic-Version") == "":
			t.Errorf("%s %v", r.URL, r.Header)
		case asked == 1:
			w.WriteHeader(529)
			_, _ = io.WriteString(w, `{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`)
		case asked == 2:
			_, _ = w.Write(append(body[:len(body)/2:len(body)/2], "\n\nevent: error\ndata: {\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\",\"message\":\"Overloaded\"}}\n\n"...))
		default:
			_, _ = w.Write(body)
		}
	}))
	defer server.Close()
	at := claude
	at.BaseURL = server.URL + "/v1"
	c := transport.New(at, nebula.ModelInfo{}, New(at, nebula.ModelInfo{}), transport.Service{KeyName: "ANTHROPIC_API_KEY"}, transport.Options{Backoff: time.Millisecond})
	r, err := nebula.Collect(c.Stream(context.Background(), nebula.Prompt{Messages: []nebula.Message{{Role: nebula.User, Parts: nebula.Text("q")}}}), func(c nebula.Chunk) {
		if c.Retry != nil {
			said += phrase.Told("en", c.Retry.Cause) + "\n"
		}
	})
	if want, _ := decoded(bytes.NewReader(body)); err != nil || asked != 3 || !reflect.DeepEqual(r, want) || strings.Count(said, "Overloaded") != 2 {
		t.Errorf("%+v, %v after %d requests: %s", r, err, asked, said)
	}
}

func BenchmarkDecode20000Deltas(b *testing.B) {
	body := []byte(strings.TrimSuffix(redacted, "\n"))
	body = append(body, "\ndata: {\"type\":\"content_block_start\",\"index\":4,\"content_block\":{\"type\":\"text\",\"text\":\"\"}}\n\n"...)
	for range 20000 {
		body = append(body, `data: {"type":"content_block_delta","index":4,"delta":{"type":"text_delta","text":" word\n"}              }`+"\n\n"...)
	}
	body = append(body, `data: {"type":"message_delta","delta":{"stop_reason":"end_turn"}}`+"\n\n"...)
	b.SetBytes(int64(len(body)))
	for b.Loop() {
		if r, err := decoded(bytes.NewReader(body)); err != nil || r.Finish != "stop" {
			b.Fatal(err)
		}
	}
}

// With a budget, what goes on behind calls must have begun with a thought of this provider's: the model that another one's
// calls were handed to thinks again when the person speaks.
func TestThinkingBeginsWhereItCan(t *testing.T) {
	call := nebula.Call{ID: "1", Name: "list", Arguments: "{}"}
	foreign := nebula.Message{Role: nebula.Assistant, Parts: nebula.PartsOf("theirs", "", call)}
	thought := nebula.Part{Kind: nebula.ReasoningPart, Opaque: &nebula.Opaque{Of: Name, Value: json.RawMessage(`"s"`)}}
	own := nebula.Message{Role: nebula.Assistant, Parts: append(nebula.Parts{thought}, nebula.PartsOf("", "", call)...)}
	result, more := nebula.Message{Role: nebula.ToolRole, CallID: "1", Parts: nebula.Text("r")}, nebula.Message{Role: nebula.User, Parts: nebula.Text("q")}
	answer := nebula.Message{Role: nebula.Assistant, Parts: nebula.Text("done")}
	for name, c := range map[string]struct {
		model    string
		messages []nebula.Message
		thinks   bool
	}{
		"at the beginning": {"claude-sonnet-4-5", []nebula.Message{more}, true}, "behind its own": {"claude-sonnet-4-5", []nebula.Message{more, own, result}, true},
		"behind another's": {"claude-sonnet-4-5", []nebula.Message{more, foreign, result}, false}, "later": {"claude-sonnet-4-5", []nebula.Message{more, foreign, result, answer, more}, true},
		"one that adapts": {"claude-opus-4-6", []nebula.Message{more, foreign, result}, true},
	} {
		at := claude
		at.Model = c.model
		x := New(at, nebula.ModelInfo{MaxOutput: 64000}).Ask(nebula.Prompt{Messages: c.messages, Effort: nebula.EffortHigh})
		if got := bytes.Contains(x.Body, []byte(`"thinking":{"type":"`)); got != c.thinks || (x.Header.Get("Anthropic-Beta") != "") != bytes.Contains(x.Body, []byte("budget_tokens")) {
			t.Errorf("%s: %s", name, x.Body)
		}
	}
}

// A token of a login goes as one, and asks for what takes it, beside what else is asked for.
func TestTokensAreNoKeys(t *testing.T) {
	for key, want := range map[string][3]string{
		"sk-ant-api03-k": {"sk-ant-api03-k", "", "interleaved-thinking-2025-05-14"},
		"sk-ant-oat01-k": {"", "Bearer sk-ant-oat01-k", "oauth-2025-04-20 interleaved-thinking-2025-05-14"},
	} {
		at := claude
		at.Key = key
		h := New(at, nebula.ModelInfo{MaxOutput: 64000}).Ask(nebula.Prompt{Effort: nebula.EffortHigh}).Header
		if got := [3]string{h.Get("X-Api-Key"), h.Get("Authorization"), strings.Join(h["Anthropic-Beta"], " ")}; got != want {
			t.Errorf("%s: %q", key, got)
		}
	}
}
