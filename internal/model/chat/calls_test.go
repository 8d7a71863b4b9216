package chat

import (
	"reflect"
	"strings"
	"testing"

	"nebula"
	"nebula/internal/model/transport"
)

// What servers send for calls: each line is the tool_calls of one delta. Ids that were made up are written *.
func TestCallsAreToldApart(t *testing.T) {
	cases := map[string]struct {
		deltas string
		want   []nebula.Call
	}{
		"interleaved": {`[{"index":0,"id":"a","function":{"name":"x","arguments":"{\"p\":"}}]
[{"index":1,"id":"b","function":{"name":"y","arguments":"{\"q\":"}}]
[{"index":0,"function":{"arguments":"1}"}},{"index":1,"function":{"arguments":"2}"}}]`,
			[]nebula.Call{{ID: "a", Name: "x", Arguments: `{"p":1}`}, {ID: "b", Name: "y", Arguments: `{"q":2}`}}},
		"whole calls in one delta, all with index 0": {`[{"index":0,"id":"a","function":{"name":"x","arguments":"{}"}},{"index":0,"id":"b","function":{"name":"x","arguments":"{}"}}]`,
			[]nebula.Call{{ID: "a", Name: "x", Arguments: "{}"}, {ID: "b", Name: "x", Arguments: "{}"}}},
		"whole calls without index or id": {`[{"function":{"name":"x","arguments":"{\"a\":1}"}},{"function":{"name":"x","arguments":"{\"a\":2}"}}]`,
			[]nebula.Call{{ID: "*", Name: "x", Arguments: `{"a":1}`}, {ID: "*", Name: "x", Arguments: `{"a":2}`}}},
		"whole calls one after the other, all index 0, no ids": {`[{"index":0,"id":"","function":{"name":"x","arguments":"{\"a\":1}"}}]
[{"index":0,"id":"","function":{"name":"x","arguments":"{\"a\":2}"}}]`,
			[]nebula.Call{{ID: "*", Name: "x", Arguments: `{"a":1}`}, {ID: "*", Name: "x", Arguments: `{"a":2}`}}},
		"the id in every delta": {`[{"index":0,"id":"a","function":{"name":"x","arguments":"{\"p\""}}]
[{"index":0,"id":"a","function":{"arguments":":1"}}]
[{"index":0,"id":"a","function":{"arguments":"}"}}]`, []nebula.Call{{ID: "a", Name: "x", Arguments: `{"p":1}`}}},
		"id and name in every delta": {`[{"index":0,"id":"a","function":{"name":"x","arguments":"{\"p\""}}]
[{"index":0,"id":"a","function":{"name":"x","arguments":":{}"}}]
[{"index":0,"id":"a","function":{"name":"x","arguments":"}"}}]`, []nebula.Call{{ID: "a", Name: "x", Arguments: `{"p":{}}`}}},
		"no index, the id in every delta": {`[{"id":"a","function":{"name":"x","arguments":"{"}}]
[{"id":"b","function":{"name":"y","arguments":"{"}}]
[{"id":"a","function":{"arguments":"}"}}]
[{"id":"b","function":{"arguments":"}"}}]`, []nebula.Call{{ID: "a", Name: "x", Arguments: "{}"}, {ID: "b", Name: "y", Arguments: "{}"}}},
		"no index, fragments belong to the last": {`[{"id":"a","function":{"name":"x","arguments":"{"}}]
[{"function":{"arguments":"}"}}]
[{"id":"b","function":{"name":"y","arguments":"{"}}]
[{"function":{"arguments":"}"}}]`, []nebula.Call{{ID: "a", Name: "x", Arguments: "{}"}, {ID: "b", Name: "y", Arguments: "{}"}}},
		"two calls with one id": {`[{"index":0,"id":"a","function":{"name":"x","arguments":"{}"}}]
[{"index":1,"id":"a","function":{"name":"y","arguments":"{}"}}]`,
			[]nebula.Call{{ID: "a", Name: "x", Arguments: "{}"}, {ID: "*", Name: "y", Arguments: "{}"}}},
		"one call sent twice": {`[{"index":0,"id":"a","function":{"name":"x","arguments":"{\"n\":1}"}}]
[{"index":0,"id":"a","function":{"name":"x","arguments":"{\"n\":1}"}}]
[{"index":1,"id":"a","function":{"name":"x","arguments":"{\"n\":1}"}}]`,
			[]nebula.Call{{ID: "a", Name: "x", Arguments: `{"n":1}`}}},
		"one call sent twice in pieces": {`[{"index":0,"id":"a","function":{"name":"x","arguments":""}}]
[{"index":0,"function":{"arguments":"{\"n\":"}}]
[{"index":0,"function":{"arguments":"1}"}}]
[{"index":0,"id":"a","function":{"name":"x","arguments":""}}]
[{"index":0,"function":{"arguments":"{\"n\":"}}]
[{"index":0,"function":{"arguments":"1}"}}]
[{"index":1,"id":"a","function":{"name":"x","arguments":"{\"n\""}},{"index":1,"function":{"arguments":":1}"}}]`,
			[]nebula.Call{{ID: "a", Name: "x", Arguments: `{"n":1}`}}},
		"id and name once more behind a call": {`[{"index":0,"id":"a","function":{"name":"x","arguments":"{\"n\":1}"}}]
[{"index":0,"id":"a","function":{"name":"x","arguments":""}}]`,
			[]nebula.Call{{ID: "a", Name: "x", Arguments: `{"n":1}`}}},
		"one id in pieces with other arguments": {`[{"index":0,"id":"a","function":{"name":"x","arguments":""}}]
[{"index":0,"function":{"arguments":"{\"n\":1}"}}]
[{"index":0,"id":"a","function":{"name":"x","arguments":""}}]
[{"index":0,"function":{"arguments":"{\"n\":"}}]
[{"index":0,"function":{"arguments":"2}"}}]`,
			[]nebula.Call{{ID: "a", Name: "x", Arguments: `{"n":1}`}, {ID: "*", Name: "x", Arguments: `{"n":2}`}}},
		"one call sent twice in a chunk": {`[{"index":0,"id":"a","function":{"name":"x","arguments":"{}"}},{"index":0,"id":"a","function":{"name":"x","arguments":"{}"}}]`,
			[]nebula.Call{{ID: "a", Name: "x", Arguments: "{}"}}},
		"one id with other arguments": {`[{"index":0,"id":"a","function":{"name":"x","arguments":"{\"n\":1}"}}]
[{"index":0,"id":"a","function":{"name":"x","arguments":"{\"n\":2}"}}]`,
			[]nebula.Call{{ID: "a", Name: "x", Arguments: `{"n":1}`}, {ID: "*", Name: "x", Arguments: `{"n":2}`}}},
		"the id late":            {"[{\"index\":0,\"function\":{\"name\":\"x\"}}]\n[{\"index\":0,\"id\":\"a\",\"function\":{\"arguments\":\"{}\"}}]", []nebula.Call{{ID: "a", Name: "x", Arguments: "{}"}}},
		"index 1 first":          {`[{"index":1,"id":"a","function":{"name":"x","arguments":"{}"}}]`, []nebula.Call{{ID: "a", Name: "x", Arguments: "{}"}}},
		"arguments as an object": {`[{"index":0,"id":"a","function":{"name":"x","arguments":{"p": [1, "ä"]}}}]`, []nebula.Call{{ID: "a", Name: "x", Arguments: `{"p":[1,"ä"]}`}}},
		"nothing at all":         {`[{"index":0}]`, nil},
		"null everywhere":        {`[{"index":null,"id":null,"function":{"name":"x","arguments":null}}]`, []nebula.Call{{ID: "*", Name: "x"}}},
		"without a name":         {`[{"index":0,"id":"a","function":{"arguments":"{}"}}]`, []nebula.Call{{ID: "a", Arguments: "{}"}}},
		"a foreign index first":  {"[{\"id\":\"a\",\"function\":{\"name\":\"x\"}}]\n[{\"index\":0,\"function\":{\"arguments\":\"{}\"}}]", []nebula.Call{{ID: "a", Name: "x", Arguments: "{}"}}},
	}
	for name, tt := range cases {
		t.Run(name, func(t *testing.T) {
			var body strings.Builder
			for line := range strings.Lines(tt.deltas) {
				body.WriteString(`data: {"choices":[{"delta":{"tool_calls":` + strings.TrimSpace(line) + `}}]}` + "\n\n")
			}
			body.WriteString(`data: {"choices":[{"delta":{},"finish_reason":"stop"}]}` + "\n\n")
			r, err := nebula.Collect(pieces(strings.NewReader(body.String()), nebula.Prompt{}), nil)
			if err != nil {
				t.Fatal(err)
			}
			if (r.Finish == "tool_calls") != (len(tt.want) > 0) {
				t.Errorf("finish %q", r.Finish)
			}
			got := r.Calls()
			for i, c := range got {
				if strings.HasPrefix(c.ID, "call_") && len(c.ID) > 16 {
					got[i].ID = "*"
				}
			}
			if !reflect.DeepEqual(got, tt.want) {
				t.Errorf("%+v, want %+v", got, tt.want)
			}
		})
	}
}

func TestReasoningHasManyNames(t *testing.T) {
	for _, delta := range []string{
		`{"reasoning":"hm"}`, `{"reasoning_content":"hm"}`, `{"thinking":"hm"}`, `{"reasoning_text":"hm"}`, `{"content":null,"thought":"hm"}`,
		`{"reasoning_details":[{"type":"reasoning.text","text":"hm"}]}`, `{"reasoning_details":[{"type":"reasoning.summary","summary":"hm"}]}`,
		`{"reasoning":"hm","reasoning_details":[{"text":"hm"}]}`, `{"reasoning_details":[{"text":"hm"}],"reasoning":"hm"}`,
		`{"reasoning":null,"reasoning_content":"hm"}`, `{"reasoning_content":"hm","reasoning":"hm"}`,
		`{"content":[{"type":"thinking","thinking":[{"type":"text","text":"hm"}]}]}`,
		`{"thinking_blocks":[{"type":"x","thinking":"hm"}]}`,
	} {
		c, err := readChunk([]byte(`{"choices":[{"delta":` + delta + `}]}`))
		if err != nil || string(c.reasoning) != "hm" || len(c.text) != 0 {
			t.Errorf("%s: %q, %q, %v", delta, c.reasoning, c.text, err)
		}
	}
}

func TestUsageHasManyForms(t *testing.T) {
	for raw, want := range map[string]nebula.Usage{
		`{"prompt_tokens":10,"completion_tokens":2}`:                                                    {Input: 10, Output: 2},
		`{"prompt_tokens":10,"completion_tokens":2,"prompt_tokens_details":null,"cost":0.0125}`:         {Input: 10, Output: 2, Cost: 0.0125},
		`{"prompt_tokens":10,"completion_tokens":2,"prompt_cache_hit_tokens":6}`:                        {Input: 10, Cached: 6, Output: 2},
		`{"input_tokens":10,"output_tokens":2,"prompt_tokens_details":{"cached_tokens":99}}`:            {Input: 10, Cached: 10, Output: 2},
		`{"prompt_tokens":10,"completion_tokens":9,"completion_tokens_details":{"reasoning_tokens":7}}`: {Input: 10, Output: 9, Reasoning: 7},
		`{"prompt_tokens":-5,"completion_tokens":1e300}`:                                                {},
	} {
		if got, ok := readUsage([]byte(raw)); !ok || got != want {
			t.Errorf("%s: %+v", raw, got)
		}
	}
}

// What a server gives with a call comes back with it, to that server only.
func TestExtrasOfCallsGoBackToTheirServer(t *testing.T) {
	const extra = `{"google":{"thought_signature":"a+/=="}}`
	body := `data: {"choices":[{"delta":{"tool_calls":[{"index":0,"id":"1","extra_content":` + extra + `,"function":{"name":"list","arguments":"{}"}}]},"finish_reason":"tool_calls"}]}` + "\n\n"
	at := transport.Endpoint{Provider: "gemini", Model: "m"}
	r, err := nebula.Collect(func(yield func(nebula.Chunk, error) bool) {
		_ = transport.Read(strings.NewReader(body), New(at, Dialect{}, true).Ask(nebula.Prompt{}), func(c nebula.Chunk) bool { return yield(c, nil) })
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	p := nebula.Prompt{Messages: []nebula.Message{{Role: nebula.Assistant, Parts: r.Parts}, {Role: nebula.ToolRole, CallID: "1", Parts: nebula.Text("r")}}}
	for provider, back := range map[string]bool{"gemini": true, "groq": false, "": false} {
		for _, shape := range []Shape{{}, {Single: true}, {IDs: true}} {
			at.Provider = provider
			sent := string(New(at, Dialect{Shape: shape}, true).Ask(p).Body)
			if strings.Contains(sent, `"arguments":"{}"},"extra_content":`+extra+"}") != back || strings.Contains(sent, "signature") != back {
				t.Errorf("%q gets %s", provider, sent)
			}
		}
	}
}
