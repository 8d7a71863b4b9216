package chat

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"nebula"
	"nebula/internal/model/transport"
)

func TestRequestsAreWhatServersExpect(t *testing.T) {
	p := nebula.Prompt{System: "S", Schema: json.RawMessage(`{"type":"object"}`), MaxOutput: 5, CacheKey: "s1",
		Tools: []nebula.ToolSpec{{Name: "list", Description: "Lists <b>."}},
		Messages: []nebula.Message{
			{Role: nebula.User, Parts: append(nebula.Text("look"), nebula.Pictures(nebula.Image{Type: "image/png", Data: []byte{1, 2, 3}})...)},
			{Role: nebula.Assistant, Parts: nebula.PartsOf("hm", "", nebula.Call{ID: "c", Name: "list"})},
			{Role: nebula.ToolRole, CallID: "c", Parts: nebula.Text("a\x00\xff")},
			{Role: nebula.Assistant, Parts: nebula.PartsOf("old", "done")},
		}}
	d := Dialect{Usage: true, Cost: true, Schema: true, CacheKey: true, ModernMax: true, Reasoning: "reasoning"}
	want := `{"model":"m","stream":true,"stream_options":{"include_usage":true},"usage":{"include":true},"prompt_cache_key":"s1",` +
		`"tools":[{"type":"function","function":{"name":"list","description":"Lists <b>.","parameters":{"type":"object","properties":` +
		`{"reason":{"type":"string"}},"required":["reason"]}}}],"messages":[{"role":"system","content":"S"},` +
		`{"role":"user","content":[{"type":"text","text":"look"},{"type":"image_url","image_url":{"url":"data:image/png;base64,AQID"}}]},` +
		`{"role":"assistant","content":null,"reasoning":"hm","tool_calls":[{"id":"c","type":"function","function":{"name":"list","arguments":"{}"}}]},` +
		`{"role":"tool","tool_call_id":"c","content":"a\u0000` + "\uFFFD" + `"},{"role":"assistant","content":"done"}],` +
		`"response_format":{"type":"json_schema","json_schema":{"name":"reply","schema":{"type":"object"}}},"max_completion_tokens":5}`
	if got := appendRequest(nil, "m", p, d, ""); string(got) != want || !json.Valid(got) {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	if got := appendRequest(nil, "m", p, Dialect{}, ""); !bytes.HasSuffix(got, []byte(`"content":"done"}],"max_tokens":5}`)) || bytes.Contains(got, []byte("hm")) {
		t.Errorf("%s", got)
	}
}

func FuzzString(f *testing.F) {
	for _, s := range []string{"", "a\"\\\n\r\t\b\f\x00\x1f\x7f", "日本\u2028🌍", "\xff\xc3(", "<>&"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		var back string
		if err := json.Unmarshal(transport.AppendString(nil, s), &back); err != nil {
			t.Fatal(err)
		}
		if utf8.ValidString(s) && back != s {
			t.Fatalf("%q became %q", s, back)
		}
	})
}

func BenchmarkEncode400Messages(b *testing.B) {
	p := nebula.Prompt{System: strings.Repeat("Be careful. ", 100)}
	text := strings.Repeat("\tif err != nil {\n\t\treturn fmt.Errorf(\"x: %w\", err)\n", 20)[:1000]
	for range 400 {
		p.Messages = append(p.Messages, nebula.Message{Role: nebula.User, Parts: nebula.Text(text)})
	}
	b.ReportAllocs()
	for b.Loop() {
		body := appendRequest(make([]byte, 0, requestSize(p)), "gpt-4.1-nano", p, Dialect{Usage: true}, "")
		b.SetBytes(int64(len(body)))
	}
}

// Most servers' deltas differ in what they say alone; OpenAI's own carry letters that differ too.
func BenchmarkDecode20000Deltas(b *testing.B) {
	for name, kinds := range map[string]int{"alike": 1, "other": 20000} {
		b.Run(name, func(b *testing.B) {
			var body bytes.Buffer
			for i := range 20000 {
				fmt.Fprintf(&body, `data: {"id":"chatcmpl-DuLdCoxuLDs8HRMlOuz0Bi4wgi4XJ","object":"chat.completion.chunk","created":1782321890,"model":"gpt-4o-2024-08-06","service_tier":"default","system_fingerprint":"fp_86f87dc6f1","choices":[{"index":0,"delta":{"content":" word%d\n"},"logprobs":null,"finish_reason":null}],"usage":null,"obfuscation":"kGEVHK%d"}`+"\n\n", i%100, i%kinds)
			}
			body.WriteString(`data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}` + "\n\ndata: [DONE]\n\n")
			b.SetBytes(int64(body.Len()))
			b.ReportAllocs()
			for b.Loop() {
				if r, err := decoded(bytes.NewReader(body.Bytes())); err != nil || r.Finish != "stop" {
					b.Fatal(err)
				}
			}
		})
	}
}

// A server that keeps what stands before marks alone is given them where the next request is still the same: without them each request
// is read anew. Another maker's models are sent none, and so is a server that refuses them.
func TestMarksStandBehindWhatStays(t *testing.T) {
	const mark = `,"cache_control":{"type":"ephemeral"}`
	user := func(s string) nebula.Message { return nebula.Message{Role: nebula.User, Parts: nebula.Text(s)} }
	d := Dialect{Marked: "a/"}
	p := nebula.Prompt{System: "S", Messages: []nebula.Message{user("q")}}
	kept := ""
	for n := range 4 {
		p.Messages = append(p.Messages, user("now "+strconv.Itoa(n)))
		marks := strings.Split(string(appendRequest(nil, "a/m", p, d, "")), mark)
		if !json.Valid([]byte(strings.Join(marks, mark))) || !strings.Contains(marks[len(marks)-1], "now ") || strings.Contains(strings.Join(marks[:len(marks)-1], ""), "now ") {
			t.Errorf("%d: %q", n, marks)
		}
		if again := strings.Join(marks[:max(1, len(marks)-2)], ""); n > 1 && again != kept {
			t.Errorf("%d: it was kept up to\n%s\nand is asked for up to\n%s", n, kept, again)
		}
		kept = strings.Join(marks[:len(marks)-1], "")
		p.Messages = append(p.Messages[:len(p.Messages)-1], nebula.Message{Role: nebula.Assistant, Parts: nebula.PartsOf("", "", nebula.Call{ID: "1", Name: "list"}, nebula.Call{ID: "2", Name: "list"})},
			nebula.Message{Role: nebula.ToolRole, CallID: "1", Parts: nebula.Text("r")}, nebula.Message{Role: nebula.ToolRole, CallID: "2", Parts: nebula.Text("r")})
	}
	if body := string(appendRequest(nil, "b/m", p, d, "")); strings.Contains(body, "cache_control") || strings.Contains(body, `"content":[`) {
		t.Error(body)
	}
	c := New(transport.Endpoint{Model: "a/m"}, d, true)
	if _, again := c.Ask(p).Learn(transport.Refusal{Status: http.StatusBadRequest, Raw: "cache_control: extra inputs are not permitted", Final: true}); !again || strings.Contains(string(c.Ask(p).Body), mark) {
		t.Error("a refusal of marks is not learnt from")
	}
}

// Of what a server does not take the one thing that its refusal names is left out, or said in the other form.
func TestWhatARefusalNamesIsLeftOut(t *testing.T) {
	p := nebula.Prompt{MaxOutput: 7, CacheKey: "s1", Schema: json.RawMessage(`{}`), Messages: []nebula.Message{{Role: nebula.User, Parts: nebula.Text("q")},
		{Role: nebula.Assistant, Parts: nebula.PartsOf("hm", "", nebula.Call{ID: "1", Name: "list"})}, {Role: nebula.ToolRole, CallID: "1", Parts: nebula.Text("r")}}}
	for refusal, c := range map[string][2]string{
		"Unrecognized request argument supplied: max_completion_tokens":      {`"max_completion_tokens":7`, `"max_tokens":7`},
		"stream_options: Extra inputs are not permitted":                     {`"stream_options"`, `"max_completion_tokens":7`},
		"Unknown parameter: prompt_cache_key":                                {`"prompt_cache_key"`, `"stream_options"`},
		"response_format json_schema is not supported":                       {`"response_format"`, `"prompt_cache_key"`},
		"property 'reasoning_content' is unsupported in messages.1":          {`"reasoning_content"`, `"response_format"`},
		"messages.0.content.0.cache_control: Extra inputs are not permitted": {`"cache_control"`, `"reasoning_content"`},
	} {
		d := Dialect{Usage: true, ModernMax: true, Schema: true, CacheKey: true, Reasoning: "reasoning_content", Marked: "a/"}
		a := New(transport.Endpoint{Model: "a/m"}, d, true)
		x := a.Ask(p)
		_, again := x.Learn(transport.Refusal{Status: http.StatusBadRequest, Kind: "bad_request", Raw: refusal, Final: true})
		if now := string(a.Ask(p).Body); !again || !strings.Contains(string(x.Body), c[0]) || strings.Contains(now, c[0]) || !strings.Contains(now, c[1]) {
			t.Errorf("%s: %v\n%s\n%s", refusal, again, x.Body, now)
		}
	}
	a := New(transport.Endpoint{Model: "m"}, Dialect{}, true)
	_, again := a.Ask(p).Learn(transport.Refusal{Status: http.StatusBadRequest, Kind: "bad_request", Raw: "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.", Final: true})
	if now := string(a.Ask(p).Body); !again || strings.Contains(now, `"max_tokens"`) || !strings.Contains(now, `"max_completion_tokens":7`) {
		t.Errorf("the other way: %v\n%s", again, now)
	}
}

func TestPrefixIsByteIdentical(t *testing.T) {
	spec := nebula.ToolSpec{Name: "readFile", Description: "Reads.", Params: []nebula.Param{{Name: "path", Type: "string", Required: true}}}
	p := nebula.Prompt{System: "S", Tools: []nebula.ToolSpec{spec}, MaxOutput: 10, CacheKey: "c"}
	d := Dialect{Usage: true, CacheKey: true}
	var before []byte
	for i := range 20 {
		p.Messages = append(p.Messages, nebula.Message{Role: nebula.User, Parts: nebula.Text("q\n\"<&>")},
			nebula.Message{Role: nebula.Assistant, Parts: nebula.PartsOf("", "", nebula.Call{ID: "i", Name: "readFile", Arguments: "{}"})},
			nebula.Message{Role: nebula.ToolRole, CallID: "i", Parts: nebula.Text("r")})
		p.MaxOutput = 10 + i // what is left of the window changes
		now := appendRequest(nil, "m", p, d, "")
		if end := bytes.LastIndexByte(before, ']'); before != nil && !bytes.HasPrefix(now, before[:end]) {
			t.Fatalf("%s\nis not the beginning of\n%s", before[:end], now)
		}
		before = now
	}
}

// What is read by the frame of the event before is what it says when it is taken apart: a tab behind the names keeps an event from being
// one with a frame.
func TestAnEventInAFrameSaysTheSame(t *testing.T) {
	var events []string
	for _, body := range []string{`"delta":{"content":"a"}`, `"delta":{"content":"b\n\"c"}`, `"delta":{"content":""}`, `"delta":{"reasoning_content":"t"}`,
		`"delta":{"reasoning_content":"u","content":null}`, `"delta":{"reasoning":"v"}`, `"delta":{"reasoning":"w"}`, `"delta":{"reasoning":"x","content":"d"}`,
		`"delta":{"content":"e","tool_calls":[{"index":0,"function":{"name":"f","arguments":"1"}}]}`,
		`"delta":{"content":"g","refusal":"no"}`, `"delta":{"content":"h"},"finish_reason":"length"`, `"delta":{"content":"i","reasoning_details":[{"type":"reasoning.encrypted","data":"y"}]}`,
		`"message":{"content":"j"}`, `"index":1,"delta":{"content":"k"}`} {
		events = append(events, `{"model":"m","choices":[{`+body+`}]}`)
	}
	events = append(events, `{"choices":[{"delta":{"content":"l"}}],"usage":{"prompt_tokens":7}}`, `{"choices":[{"delta":{"content":"n"}}],"error":{"message":"o"}}`)
	blank := strings.NewReplacer(`"content":`, "\"content\":\t", `"reasoning_content":`, "\"reasoning_content\":\t", `"reasoning":`, "\"reasoning\":\t")
	for i := range len(events) * len(events) * len(events) {
		body := ""
		for n := i + 1; len(body) == 0 || strings.Count(body, "data: ") < 4; n /= len(events) {
			body += "data: " + events[n%len(events)] + "\n\n" + "data: " + strings.ReplaceAll(events[n%len(events)], `":"a"`, `":"z"`) + "\n\n"
		}
		body += `data: {"choices":[{"delta":{},"finish_reason":"stop"}]}` + "\n\ndata: [DONE]\n\n"
		got, err := decoded(strings.NewReader(body))
		want, failed := decoded(strings.NewReader(blank.Replace(body)))
		for _, r := range []*nebula.Reply{&got, &want} {
			for j := range r.Parts {
				if c := r.Parts[j].Call; c != nil {
					c.ID = ""
				}
			}
		}
		if (err == nil) != (failed == nil) || !reflect.DeepEqual(got, want) {
			t.Fatalf("%s\nis read as %+v (%v), for %+v (%v)", body, got, err, want, failed)
		}
	}
}
