package responses

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
	"slices"
	"strings"
	"testing"
	"time"

	"nebula"
	"nebula/internal/model/transport"
	"nebula/internal/nebulatest"
)

var gpt = transport.Endpoint{Provider: "openai", BaseURL: "https://api.openai.com/v1", Key: "k", Model: "gpt-5"}

func decoded(body io.Reader) (nebula.Reply, error) { return nebula.Collect(pieces(body), nil) }

func pieces(body io.Reader) iter.Seq2[nebula.Chunk, error] {
	return func(yield func(nebula.Chunk, error) bool) {
		err := transport.Read(body, New(gpt).Ask(nebula.Prompt{}), func(c nebula.Chunk) bool { return yield(c, nil) })
		if err != nil && !errors.Is(err, transport.ErrStopped) {
			yield(nebula.Chunk{}, err)
		}
	}
}

func TestEveryCutGivesTheSameReplyOrNone(t *testing.T) {
	for _, rec := range nebulatest.Recordings(t, "openai-responses") {
		t.Run(rec.Name, func(t *testing.T) {
			whole := bytes.LastIndex(rec.Body, []byte("data: {\"type\":\"response.completed\""))
			whole += bytes.IndexByte(rec.Body[whole:], '\n')
			nebulatest.TestRecording(t, rec.Body, whole, decoded)
		})
	}
}

// input are the items of a request, as they are written.
func input(t *testing.T, request []byte) (items []json.RawMessage) {
	t.Helper()
	var r struct{ Input []json.RawMessage }
	if err := json.Unmarshal(request, &r); err != nil {
		t.Fatalf("%s: %v", request, err)
	}
	return r.Input
}

// What was received goes back: calls as they came, and what was thought in the server's own bytes, before what followed from it.
func TestRepliesGoBackAsTheyCame(t *testing.T) {
	sealed, called := 0, 0
	for _, rec := range nebulatest.Recordings(t, "openai-responses") {
		r, err := decoded(bytes.NewReader(rec.Body))
		if err != nil {
			t.Fatal(err)
		}
		p := nebula.Prompt{Messages: []nebula.Message{{Role: nebula.User, Parts: nebula.Text("q")}, {Role: nebula.Assistant, Parts: r.Parts}}}
		sent := New(gpt).Ask(p).Body
		for _, part := range r.Parts {
			if part.Opaque == nil {
				continue
			}
			sealed++
			if !bytes.Contains(sent, part.Opaque.Value) || !bytes.Contains(rec.Body, append([]byte(`"item":`), part.Opaque.Value...)) {
				t.Errorf("%s: %s is not as it came", rec.Name, part.Opaque.Value)
			}
		}
		if rec.Next == nil {
			continue
		}
		var got, want []any
		for _, item := range input(t, sent) {
			if bytes.Contains(item, []byte(`"function_call"`)) {
				got = append(got, value(item))
			}
		}
		for _, item := range input(t, rec.Next) {
			if bytes.Contains(item, []byte(`"function_call"`)) {
				want = append(want, value(item))
			}
		}
		if called += len(got); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %v, want %v", rec.Name, got, want)
		}
	}
	if sealed < 2 || called < 6 {
		t.Errorf("%d thoughts, %d calls", sealed, called)
	}
}

func value(raw []byte) (v any) {
	_ = json.Unmarshal(raw, &v)
	return v
}

// events is an answer of events.
func events(list ...string) io.Reader {
	return strings.NewReader("data: " + strings.Join(list, "\n\ndata: ") + "\n\n")
}

const done = `{"type":"response.completed","response":{"status":"completed","model":"m","usage":{"input_tokens":9,"input_tokens_details":{"cached_tokens":4},"output_tokens":7,"output_tokens_details":{"reasoning_tokens":5}}}}`

const thought = `{"type":"reasoning","id":"rs","summary":[],"encrypted_content":"e=="}`

func TestWhatOnlyTheProviderKnowsGoesBackToItAlone(t *testing.T) {
	r, err := decoded(events(`{"type":"response.brand_new","delta":{"a":1}}`,
		`{"type":"response.output_item.done","output_index":0,"item":`+thought+`}`,
		`{"type":"response.output_item.added","output_index":1,"item":{"type":"message","phase":"commentary"}}`,
		`{"type":"response.output_text.delta","output_index":1,"delta":"I look."}`,
		`{"type":"response.output_item.done","output_index":1,"item":{"type":"message","phase":"commentary","content":[{"text":"I look."}]}}`,
		`{"type":"response.output_item.done","output_index":2,"item":{"type":"web_search_call","id":"w"}}`,
		`{"type":"response.output_item.done","output_index":3,"item":{"type":"function_call","call_id":"c","name":"list","arguments":"{\"n\":1}"}}`, done))
	if err != nil || r.Usage != (nebula.Usage{Input: 9, Cached: 4, Output: 7, Reasoning: 5}) || r.Text() != "I look." || r.Finish != "tool_calls" || len(r.Calls()) != 1 {
		t.Fatalf("%+v, %v", r, err)
	}
	messages := []nebula.Message{{Role: nebula.Assistant, Parts: r.Parts}, {Role: nebula.ToolRole, CallID: "c", Parts: nebula.Text("x")}}
	body := string(New(gpt).Ask(nebula.Prompt{Messages: messages}).Body)
	want := `[` + thought + `,{"role":"assistant","content":"I look.","phase":"commentary"},{"type":"function_call","call_id":"c","name":"list","arguments":"{\"n\":1}"},{"type":"function_call_output","call_id":"c","output":"x"}]`
	if !strings.Contains(body, want) {
		t.Errorf("%s\nhas not\n%s", body, want)
	}
	if want := `{"model":"gpt-5","store":false,"stream":true,"include":["reasoning.encrypted_content"],`; !strings.HasPrefix(body, want) {
		t.Errorf("%s\ndoes not begin with\n%s", body, want)
	}
	messages[0].Parts = slices.Clone(r.Parts)
	for i := range messages[0].Parts {
		if messages[0].Parts[i].Opaque != nil {
			messages[0].Parts[i].Opaque = &nebula.Opaque{Of: "other", Value: json.RawMessage(`"theirs"`)}
		}
	}
	if body := string(New(gpt).Ask(nebula.Prompt{Messages: messages}).Body); strings.Contains(body, "theirs") || strings.Contains(body, `{"type":"reasoning"`) {
		t.Error(body)
	}
	// The server stored nothing: what it thought it knows again by what it sealed alone.
	bare, err := decoded(events(`{"type":"response.output_item.done","output_index":0,"item":{"type":"reasoning","id":"rs","summary":[{"text":"hm"}]}}`,
		`{"type":"response.output_text.delta","output_index":1,"delta":"a"}`, done))
	if body := string(New(gpt).Ask(nebula.Prompt{Messages: []nebula.Message{{Role: nebula.Assistant, Parts: bare.Parts}}}).Body); err != nil || bare.Reasoning() != "hm" || strings.Contains(body, `"rs"`) {
		t.Errorf("%v, %s", err, body)
	}
	// What was thought and nothing came of would be refused.
	messages[0].Parts = r.Parts[:1]
	if body := string(New(gpt).Ask(nebula.Prompt{Messages: messages[:1]}).Body); !strings.Contains(body, `"input":[]`) {
		t.Error(body)
	}
}

func TestEveryEndHasItsWord(t *testing.T) {
	said := `{"type":"response.output_text.delta","output_index":0,"delta":"a"}`
	refusal := `{"type":"response.refusal.delta","output_index":0,"delta":"no"}`
	const call = `{"type":"function_call","call_id":"c","name":"x","arguments":"{\"a\":1}"}`
	begun := `{"type":"response.output_item.added","output_index":0,"item":{"type":"function_call","call_id":"c","name":"x","arguments":""}}`
	piece := `{"type":"response.function_call_arguments.delta","output_index":0,"delta":"{\"a\":1}"}`
	for name, c := range map[string]struct {
		events []string
		finish string
		err    string
	}{
		"done":             {[]string{said, done}, "stop", ""},
		"whole at the end": {[]string{`{"type":"response.completed","response":{"status":"completed","output":[{"type":"message","content":[{"text":"a"}]}]}}`}, "stop", ""},
		"too long":         {[]string{said, `{"type":"response.incomplete","response":{"status":"incomplete","incomplete_details":{"reason":"max_output_tokens"}}}`}, "length", ""},
		"filtered":         {[]string{said, `{"type":"response.incomplete","response":{"status":"incomplete","incomplete_details":{"reason":"content_filter"}}}`}, "content_filter", ""},
		"another reason":   {[]string{said, `{"type":"response.incomplete","response":{"status":"incomplete","incomplete_details":{"reason":"new"}}}`}, "new", ""},
		"refused":          {[]string{refusal, done}, "content_filter", ""},
		"failed":           {[]string{said, `{"type":"response.failed","response":{"status":"failed","error":{"code":"rate_limit_exceeded","message":"slow down"}}}`}, "", "slow down"},
		"failed silently":  {[]string{said, `{"type":"response.failed","response":{"status":"failed"}}`}, "", "the reply failed"},
		"error":            {[]string{said, `{"type":"error","code":"server_error","message":"broken"}`}, "", "broken"},
		"cut":              {[]string{said}, "", "cut off"},
		"call":             {[]string{begun, piece, `{"type":"response.output_item.done","output_index":0,"item":` + call + `}`, done}, "tool_calls", ""},
		"other blanks":     {[]string{begun, `{"type":"response.function_call_arguments.delta","output_index":0,"delta":"{ \"a\": 1 }"}`, `{"type":"response.output_item.done","output_index":0,"item":` + call + `}`, done}, "tool_calls", ""},
		"a piece twice":    {[]string{begun, `{"type":"response.function_call_arguments.delta","output_index":0,"delta":"{\"a\":11}"}`, `{"type":"response.output_item.done","output_index":0,"item":` + call + `}`, done}, "", "damaged"},
		"a piece too few":  {[]string{begun, piece, `{"type":"response.completed","response":{"status":"completed","output":[` + strings.Replace(call, "1", "12", 1) + `]}}`}, "", "damaged"},
		"no piece":         {[]string{begun, `{"type":"response.completed","response":{"status":"completed","output":[` + call + `]}}`}, "tool_calls", ""},
		"call cut":         {[]string{begun, piece, `{"type":"response.output_item.done","output_index":0,"item":` + strings.Replace(call, `"name"`, `"status":"incomplete","name"`, 1) + `}`, done}, "length", ""},
		"call cut, at end": {[]string{begun, piece, `{"type":"response.completed","response":{"status":"completed","output":[` + strings.Replace(call, `"name"`, `"status":"incomplete","name"`, 1) + `]}}`}, "length", ""},
		"text cut":         {[]string{said, `{"type":"response.completed","response":{"status":"completed","output":[{"type":"message","status":"incomplete"}]}}`}, "length", ""},
		"damaged":          {[]string{`{"type":"response.output_text.delta","delta":{}}`, done}, "", "damaged"},
	} {
		r, err := decoded(events(c.events...))
		if r.Finish != c.finish || (err == nil) != (c.err == "") || err != nil && !strings.Contains(err.Error(), c.err) {
			t.Errorf("%s: %+v, %v", name, r, err)
		}
		if calls := r.Calls(); c.finish == "tool_calls" && (len(calls) != 1 || strings.ReplaceAll(calls[0].Arguments, " ", "") != `{"a":1}`) {
			t.Errorf("%s: %+v", name, calls)
		}
	}
	for usage, want := range map[string]nebula.Usage{
		`{"input_tokens":10.0,"output_tokens":5,"input_tokens_details":{"cached_tokens":99}}`: {Input: 10, Cached: 10, Output: 5},
		`{"input_tokens":9223372036854775807,"output_tokens":3}`:                              {Output: 3},
		`{"input_tokens":10,"output_tokens":-5,"input_tokens_details":{"cached_tokens":-9}}`:  {Input: 10},
		`{"input_tokens":"10"}`: {}, `{"input_tokens":{}}`: {}, `[]`: {}, `7`: {}, `null`: {}, `{}`: {},
	} {
		r, err := decoded(events(said, `{"type":"response.completed","response":{"status":"completed","usage":`+usage+`}}`))
		if err != nil || r.Usage != want || r.Finish != "stop" {
			t.Errorf("%s: %+v, %v", usage, r, err)
		}
	}
	r, err := decoded(strings.NewReader(`{"status":"completed","model":"m","output":[` + thought + `,{"type":"message","content":[{"text":"a"}]}]}`))
	if err != nil || r.Text() != "a" || r.Model != "m" || r.Parts[0].Opaque == nil {
		t.Errorf("without a stream: %+v, %v", r, err)
	}
}

// A conversation that grew shares all bytes before its end with the request before.
func TestPrefixStaysTheSame(t *testing.T) {
	p := nebula.Prompt{System: "S", CacheKey: "s1", Tools: []nebula.ToolSpec{{Name: "list", Description: "Lists <b>."}}}
	a, before := New(gpt), ""
	for range 10 {
		p.Messages = append(p.Messages, nebula.Message{Role: nebula.User, Parts: append(nebula.Text("q\n\"<&>"), nebula.Pictures(nebula.Image{Type: "image/png", Data: []byte{1}})...)},
			nebula.Message{Role: nebula.Assistant, Parts: nebula.PartsOf("", "\n", nebula.Call{ID: "i|1", Name: "list", Arguments: ""}, nebula.Call{ID: "j", Name: "list", Arguments: "broken"})},
			nebula.Message{Role: nebula.ToolRole, CallID: "i|1", Parts: append(nebula.Text("r"), nebula.Pictures(nebula.Image{Type: "image/png", Data: []byte{2}})...)},
			nebula.Message{Role: nebula.ToolRole, CallID: "j", Parts: nebula.Text("r")})
		body := string(a.Ask(p).Body)
		if !json.Valid([]byte(body)) || !strings.HasPrefix(body, strings.TrimSuffix(before, "]}")) || !strings.Contains(body, `"prompt_cache_key":"s1"`) {
			t.Fatalf("%s\nis not the beginning of\n%s", before, body)
		}
		before = body
	}
}

// refusing serves requests, and refuses those that a test says.
func refusing(t *testing.T, refuses func(body string) (status int, message string)) (*transport.Client, *[]string) {
	var asked []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		asked = append(asked, string(body))
		if r.URL.Path != "/v1/responses" || r.Header.Get("Authorization") != "Bearer k" {
			t.Errorf("%s %v", r.URL, r.Header)
		}
		if status, message := refuses(string(body)); status != 0 {
			w.WriteHeader(status)
			_, _ = fmt.Fprintf(w, `{"error":{"message":%q,"type":"invalid_request_error"}}`, message)
			return
		}
		_, _ = io.Copy(w, events(`{"type":"response.output_text.delta","output_index":0,"delta":"a"}`, done))
	}))
	t.Cleanup(server.Close)
	at := gpt
	at.BaseURL = server.URL + "/v1/"
	return transport.New(at, nebula.ModelInfo{}, New(at), transport.Service{KeyName: "OPENAI_API_KEY"}, transport.Options{Backoff: time.Millisecond, Effort: nebula.EffortOff}), &asked
}

func TestWhatAServerRefusesIsLeftOutAndSaidOnce(t *testing.T) {
	said := 0
	c, asked := refusing(t, func(body string) (int, string) {
		switch {
		case strings.Contains(body, "none"), strings.Contains(body, "minimal"), strings.Contains(body, `"effort"`):
			return 400, "Unsupported value for 'reasoning.effort'"
		case strings.Contains(body, "summary\":\"auto"):
			return 400, "Your organization must be verified to generate reasoning summaries."
		case strings.Contains(body, "e=="):
			return 400, "The encrypted content could not be verified."
		}
		return 0, ""
	})
	p := nebula.Prompt{Messages: []nebula.Message{
		{Role: nebula.Assistant, Parts: nebula.Parts{{Kind: nebula.ReasoningPart, Opaque: &nebula.Opaque{Of: Name, Value: json.RawMessage(thought)}}, {Kind: nebula.TextPart, Text: "kept"}}},
		{Role: nebula.User, Parts: nebula.Text("q")}}}
	for range 2 {
		r, err := nebula.Collect(c.Stream(context.Background(), p), func(c nebula.Chunk) {
			if c.Wait != "" {
				said++
			}
		})
		if err != nil || r.Text() != "a" {
			t.Fatalf("%+v, %v", r, err)
		}
	}
	last := (*asked)[len(*asked)-1]
	if len(*asked) != 7 || said != 1 || strings.Contains(last, "effort") || strings.Contains(last, "e==") || !strings.Contains(last, "kept") {
		t.Errorf("%d requests, said %d times, the last is %s", len(*asked), said, last)
	}
}

// Of what a server does not take the one thing that its refusal names is left out, and all else stays.
func TestWhatARefusalNamesIsLeftOut(t *testing.T) {
	p := nebula.Prompt{CacheKey: "s1", Schema: json.RawMessage(`{}`), Messages: []nebula.Message{{Role: nebula.User, Parts: nebula.Text("q")}}}
	parts := []string{`"include":`, `"stream":`, `"prompt_cache_key":`, `"text":{"format"`, `"summary":`, `"reasoning":`}
	for refusal, gone := range map[string][]string{
		"Encrypted content is not supported with this model.": {`"include":`},
		`"param": "include"`: {`"include":`},
		"Your organization must be verified to stream this model.":           {`"stream":`},
		"Unknown parameter: 'prompt_cache_key'.":                             {`"prompt_cache_key":`},
		"Invalid parameter: 'text.format' of type 'json_schema'":             {`"text":{"format"`},
		"Unsupported parameter: 'reasoning.summary'":                         {`"summary":`, `"reasoning":`}, // it was all that stood there
		"Unsupported parameter: 'reasoning' is not supported with the model": {`"summary":`, `"reasoning":`},
	} {
		a := New(gpt)
		x := a.Ask(p)
		_, again := x.Learn(transport.Refusal{Status: http.StatusBadRequest, Raw: refusal, Final: true})
		now := string(a.Ask(p).Body)
		for _, part := range parts {
			if !again || !strings.Contains(string(x.Body), part) || strings.Contains(now, part) == slices.Contains(gone, part) || !strings.Contains(now, `"store":false`) {
				t.Errorf("%s: %v, %s\n%s", refusal, again, part, now)
			}
		}
	}
}

func BenchmarkDecode20000Deltas(b *testing.B) {
	var body bytes.Buffer
	for range 20000 {
		body.WriteString(`data: {"type":"response.output_text.delta","content_index":0,"delta":" word\n","item_id":"msg_065915db01d8635a016a3c125c524c81a39e48ac0ebbcb6b30","logprobs":[],"obfuscation":"uuHtbVHvhLs","output_index":1,"sequence_number":87}` + "\n\n")
	}
	body.WriteString("data: " + done + "\n\n")
	b.SetBytes(int64(body.Len()))
	for b.Loop() {
		if r, err := decoded(bytes.NewReader(body.Bytes())); err != nil || r.Finish != "stop" {
			b.Fatal(err)
		}
	}
}
