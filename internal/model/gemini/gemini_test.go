package gemini

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
	"strings"
	"testing"
	"time"

	"nebula"
	"nebula/internal/model/transport"
	"nebula/internal/nebulatest"
)

var flash = transport.Endpoint{Provider: Name, BaseURL: "https://generativelanguage.googleapis.com/v1beta", Key: "k", Model: "gemini-2.5-flash"}

func decoded(body io.Reader) (nebula.Reply, error) { return nebula.Collect(pieces(body), nil) }

func pieces(body io.Reader) iter.Seq2[nebula.Chunk, error] {
	return func(yield func(nebula.Chunk, error) bool) {
		asked := New(flash, nebula.ModelInfo{}).Ask(nebula.Prompt{})
		err := transport.Read(body, asked, func(c nebula.Chunk) bool { return yield(c, nil) })
		if err != nil && !errors.Is(err, transport.ErrStopped) {
			yield(nebula.Chunk{}, err)
		}
	}
}

// named gives calls without ids ids by their place, so that two readings can be compared.
func named(r nebula.Reply, err error) (nebula.Reply, error) {
	r.Parts = r.EachCall(func(n int, c nebula.Call) nebula.Call {
		c.ID = fmt.Sprint(n + 1)
		return c
	})
	if len(r.Parts) == 0 {
		r.Parts = nil
	}
	return r, err
}

func TestEveryCutGivesTheSameReplyOrNone(t *testing.T) {
	for _, rec := range nebulatest.Recordings(t, "google") {
		t.Run(rec.Name, func(t *testing.T) {
			whole := bytes.Index(rec.Body, []byte(`"finishReason"`))
			if end := bytes.IndexByte(rec.Body[whole:], '\n'); end >= 0 {
				whole += end - 1
			} else {
				whole = len(rec.Body) - 1
			}
			nebulatest.TestRecording(t, rec.Body, whole, func(body io.Reader) (nebula.Reply, error) { return named(decoded(body)) })
		})
	}
}

// What was received goes back as the provider wants it, signatures in its own bytes.
func TestRepliesGoBackAsTheyCame(t *testing.T) {
	signatures := 0
	for _, rec := range nebulatest.Recordings(t, "google") {
		if rec.Next == nil {
			continue
		}
		r, err := named(decoded(bytes.NewReader(rec.Body)))
		if err != nil {
			t.Fatal(err)
		}
		p := nebula.Prompt{Messages: []nebula.Message{{Role: nebula.User, Parts: nebula.Text("q")}, {Role: nebula.Assistant, Parts: r.Parts}}}
		results := map[string]string{"add": "5", "multiply": "6", "weather": "40 C"}
		for _, c := range r.Calls() {
			p.Messages = append(p.Messages, nebula.Message{Role: nebula.ToolRole, CallID: c.ID, Parts: nebula.Text(results[c.Name])})
		}
		sent := New(flash, nebula.ModelInfo{}).Ask(p).Body
		got, want := contents(t, sent), contents(t, rec.Next)
		if !reflect.DeepEqual(got[1:], want[1:]) {
			t.Errorf("%s:\n%v\nwant\n%v", rec.Name, got[1:], want[1:])
		}
		for _, part := range r.Parts {
			if part.Opaque != nil {
				signatures++
				if !bytes.Contains(rec.Next, part.Opaque.Value) || !bytes.Contains(sent, part.Opaque.Value) {
					t.Errorf("%s: the signature %s is another", rec.Name, part.Opaque.Value)
				}
			}
		}
	}
	if signatures < 3 {
		t.Errorf("%d signatures", signatures)
	}
}

func contents(t *testing.T, request []byte) []any {
	t.Helper()
	var r struct{ Contents []any }
	if err := json.Unmarshal(request, &r); err != nil || len(r.Contents) == 0 {
		t.Fatalf("%s: %v", request, err)
	}
	return r.Contents
}

func answers(list ...string) io.Reader {
	return strings.NewReader("data: " + strings.Join(list, "\n\ndata: ") + "\n\n")
}

func says(parts, finish string) string {
	return `{"candidates":[{"content":{"parts":[` + parts + `]},"finishReason":"` + finish + `"}],"usageMetadata":{"promptTokenCount":9,"cachedContentTokenCount":4,"candidatesTokenCount":3,"thoughtsTokenCount":2},"modelVersion":"m"}`
}

func TestWhatOnlyTheProviderKnowsGoesBackToItAlone(t *testing.T) {
	r, err := decoded(answers(says(`{"text":"hm","thought":true,"thoughtSignature":"s0"},{"text":"a"},{"text":"b","thoughtSignature":"s1"}`, ""),
		says(`{"functionCall":{"name":"list","args":{"n":1},"id":"x"},"thoughtSignature":"s2"},{"functionCall":{"name":"list"}},{"executableCode":{"code":"1"}},{"text":"","thoughtSignature":"s3"}`, "STOP")))
	if err != nil || r.Usage != (nebula.Usage{Input: 9, Cached: 4, Output: 5, Reasoning: 2}) || r.Text() != "ab" || r.Reasoning() != "hm" || r.Finish != "tool_calls" || len(r.Calls()) != 2 {
		t.Fatalf("%+v, %v", r, err)
	}
	if ids := r.Calls(); ids[0].ID != "x" || ids[1].ID == "" || ids[1].ID == "x" {
		t.Errorf("%+v", ids)
	}
	if again, err := decoded(answers(says(`{"functionCall":{"name":"list"}}`, "STOP"))); err != nil || again.Calls()[0].ID == r.Calls()[1].ID {
		t.Errorf("a call of another reply has the id of this one's: %+v, %v", again.Calls(), err)
	}
	r, _ = named(r, nil)
	messages := []nebula.Message{{Role: nebula.Assistant, Parts: r.Parts}, {Role: nebula.ToolRole, CallID: "1", Parts: nebula.Text("x")}}
	body := string(New(flash, nebula.ModelInfo{}).Ask(nebula.Prompt{Messages: messages}).Body)
	want := `"parts":[{"text":"hm","thoughtSignature":"s0","thought":true},{"text":"ab","thoughtSignature":"s1"},{"functionCall":{"id":"1","name":"list","args":{"n":1}},"thoughtSignature":"s2"},{"functionCall":{"id":"2","name":"list","args":{}}},` +
		`{"executableCode":{"code":"1"}},{"text":"","thoughtSignature":"s3"}]},{"role":"user","parts":[{"functionResponse":{"id":"1","name":"list","response":{"result":"x"}}}]}`
	if !strings.Contains(body, want) {
		t.Errorf("%s\nhas not\n%s", body, want)
	}
	for i := range messages[0].Parts {
		if messages[0].Parts[i].Opaque != nil {
			messages[0].Parts[i].Opaque = &nebula.Opaque{Of: "other", Value: json.RawMessage(`"theirs"`)}
		}
	}
	three := flash
	three.Model = "gemini-3-pro-preview"
	body = string(New(three, nebula.ModelInfo{}).Ask(nebula.Prompt{Messages: messages}).Body)
	if strings.Contains(body, "theirs") || strings.Count(body, foreign) != 1 || !strings.Contains(body, `"args":{"n":1}},"thoughtSignature":`+foreign) {
		t.Error(body)
	}
}

func TestEveryEndHasItsWord(t *testing.T) {
	for reason, want := range map[string]string{"STOP": "stop", "MAX_TOKENS": "length", "SAFETY": "content_filter", "PROHIBITED_CONTENT": "content_filter", "NEW_ONE": "new_one",
		"MALFORMED_FUNCTION_CALL": "malformed_call", "UNEXPECTED_TOOL_CALL": "malformed_call"} {
		if r, err := decoded(answers(says(`{"text":"a"}`, ""), says(``, reason))); err != nil || r.Finish != want || r.Text() != "a" {
			t.Errorf("%s: %+v, %v", reason, r, err)
		}
	}
	if r, err := decoded(answers(`{"promptFeedback":{"blockReason":"SAFETY"},"usageMetadata":{"promptTokenCount":3}}`)); err != nil || r.Finish != "content_filter" {
		t.Errorf("a blocked request: %+v, %v", r, err)
	}
	for usage, want := range map[string]nebula.Usage{
		`{"promptTokenCount":10.0,"candidatesTokenCount":5,"cachedContentTokenCount":99}`: {Input: 10, Cached: 10, Output: 5},
		`{"promptTokenCount":9223372036854775807,"toolUsePromptTokenCount":2}`:            {Input: 2},
		`{"promptTokenCount":10,"cachedContentTokenCount":-9,"candidatesTokenCount":-1}`:  {Input: 10},
		`{"promptTokenCount":"10"}`: {}, `{"promptTokenCount":{}}`: {}, `[]`: {}, `7`: {}, `null`: {}, `{}`: {},
	} {
		r, err := decoded(answers(`{"candidates":[{"content":{"parts":[{"text":"a"}]},"finishReason":"STOP"}],"usageMetadata":` + usage + `}`))
		if err != nil || r.Usage != want || r.Finish != "stop" {
			t.Errorf("%s: %+v, %v", usage, r, err)
		}
	}
	for name, body := range map[string]io.Reader{
		"malformed reply": answers(says(`{"text":"a"}`, "MALFORMED_RESPONSE")), "cut": answers(says(`{"text":"a"}`, "")),
		"error":         answers(says(`{"text":"a"}`, ""), `{"error":{"code":503,"message":"busy","status":"UNAVAILABLE"}}`),
		"error as list": strings.NewReader(`[{"error":{"code":429,"message":"busy"}}]`),
	} {
		if r, err := decoded(body); err == nil {
			t.Errorf("%s: %+v", name, r)
		}
	}
	if r, err := decoded(strings.NewReader("[" + says(`{"text":"a"}`, "") + ",\n" + says(`{"text":"b"}`, "STOP") + "]")); err != nil || r.Text() != "ab" {
		t.Errorf("a list: %+v, %v", r, err)
	}
}

// A conversation that grew shares all bytes before its end with the request before; sides take turns, and results stand alone.
func TestPrefixStaysTheSameAndSidesTakeTurns(t *testing.T) {
	p := nebula.Prompt{System: "S", Tools: []nebula.ToolSpec{{Name: "list", Description: "Lists <b>."}}}
	a, before := New(flash, nebula.ModelInfo{Thinks: true}), ""
	for range 10 {
		p.Messages = append(p.Messages, nebula.Message{Role: nebula.User, Parts: append(nebula.Text("q\n\"<&>"), nebula.Pictures(nebula.Image{Type: "image/png", Data: []byte{1}})...)},
			nebula.Message{Role: nebula.Assistant, Parts: nebula.PartsOf("", "\n", nebula.Call{ID: "i|1", Name: "list", Arguments: ""}, nebula.Call{ID: "j", Name: "list", Arguments: "broken"})},
			nebula.Message{Role: nebula.ToolRole, CallID: "i|1", Parts: append(nebula.Text("r"), nebula.Pictures(nebula.Image{Type: "image/png", Data: []byte{2}})...)},
			nebula.Message{Role: nebula.ToolRole, CallID: "j", Parts: nebula.Text("r")})
		body := string(a.Ask(p).Body)
		if !json.Valid([]byte(body)) || strings.Contains(body, `"response":{"result":"r"}}},{"inline`) {
			t.Fatalf("%s", body)
		}
		shared, _, _ := strings.Cut(body, `,"generationConfig"`)
		if !strings.HasPrefix(shared, strings.TrimSuffix(before, "]}]")) {
			t.Fatalf("%s\nis not the beginning of\n%s", before, shared)
		}
		before = shared
	}
}

func TestWhatAServerRefusesIsLearntFrom(t *testing.T) {
	var asked []string
	said := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		raw, _ := io.ReadAll(r.Body)
		body := string(raw)
		asked = append(asked, body)
		refuse := func(status int, message string) {
			w.WriteHeader(status)
			_, _ = fmt.Fprintf(w, `{"error":{"code":%d,"message":%q,"status":"X","details":[{"retryDelay":"0.01s"}]}}`, status, message)
		}
		switch {
		case r.URL.Path != "/v1beta/models/gemini-2.5-flash:streamGenerateContent" || r.URL.RawQuery != "alt=sse" || r.Header.Get("X-Goog-Api-Key") != "k":
			t.Errorf("%s %v", r.URL, r.Header)
		case len(asked) == 1:
			refuse(429, "You exceeded your current quota, please check your plan")
		case strings.Contains(body, "thinkingBudget"):
			refuse(400, "Thinking budget is not supported for this model")
		case strings.Contains(body, `"old"`):
			refuse(400, "Thought signature is not valid.")
		case !strings.Contains(body, foreign):
			refuse(400, "Function call is missing a thought_signature in functionCall parts.")
		default:
			_, _ = io.Copy(w, answers(says(`{"text":"a"}`, "STOP")))
		}
	}))
	defer server.Close()
	at := flash
	at.BaseURL = server.URL + "/v1beta/"
	c := transport.New(at, nebula.ModelInfo{}, New(at, nebula.ModelInfo{Thinks: true}), transport.Service{}, transport.Options{Backoff: time.Millisecond, Effort: nebula.EffortHigh})
	p := nebula.Prompt{Messages: []nebula.Message{{Role: nebula.User, Parts: nebula.Text("q")}, {Role: nebula.Assistant, Parts: nebula.Parts{
		{Kind: nebula.CallPart, Call: &nebula.Call{ID: "1", Name: "list", Arguments: "{}"}, Opaque: &nebula.Opaque{Of: Name, Value: json.RawMessage(`"old"`)}}}},
		{Role: nebula.ToolRole, CallID: "1", Parts: nebula.Text("r")}}}
	r, err := nebula.Collect(c.Stream(context.Background(), p), func(c nebula.Chunk) {
		if c.Wait != "" {
			said++
		}
	})
	if err != nil || r.Text() != "a" || len(asked) != 5 || said != 1 {
		t.Errorf("%+v, %v after %d requests, said %d times", r, err, len(asked), said)
	}
}

func BenchmarkDecode20000Deltas(b *testing.B) {
	var body bytes.Buffer
	for range 20000 {
		body.WriteString(`data: {"candidates": [{"content": {"parts": [{"text": " word\n"}],"role": "model"},"index": 0}],"usageMetadata": {"promptTokenCount": 54,"totalTokenCount": 116,"thoughtsTokenCount": 62},"modelVersion": "gemini-2.5-flash","responseId": "zwCzaYWfAbnoz7IPmc_m6Q4"}` + "\n\n")
	}
	body.WriteString("data: " + says("", "STOP") + "\n\n")
	b.SetBytes(int64(body.Len()))
	for b.Loop() {
		if r, err := decoded(bytes.NewReader(body.Bytes())); err != nil || r.Finish != "stop" {
			b.Fatal(err)
		}
	}
}
