package model_test

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"os"
	"strings"
	"testing"

	"nebula"
	"nebula/internal/model"
	"nebula/internal/model/transport"
)

// broken is a server whose stream ends with an error, if any, behind what it sent.
type broken struct {
	body string
	err  error
	asks int
}

// RoundTrip implements http.RoundTripper.
func (b *broken) RoundTrip(r *http.Request) (*http.Response, error) {
	b.asks++
	rest := io.Reader(strings.NewReader(""))
	if b.err != nil {
		rest = &breaks{b.err}
	}
	return &http.Response{StatusCode: http.StatusOK, Header: http.Header{"Content-Type": {"text/event-stream"}}, Body: io.NopCloser(io.MultiReader(bytes.NewReader([]byte(b.body)), rest)), Request: r}, nil
}

type breaks struct{ err error }

// Read implements io.Reader.
func (b *breaks) Read([]byte) (int, error) { return 0, b.err }

// ended are replies of a word that end, in each form.
var ended = map[string]string{
	"chat":     `data: {"choices":[{"delta":{"content":"half"},"finish_reason":"END"}]}` + "\n\n",
	"messages": `data: {"type":"content_block_start","index":0,"content_block":{"type":"text","text":"half"}}` + "\n\n" + `data: {"type":"content_block_stop","index":0}` + "\n\n" + `data: {"type":"message_delta","delta":{"stop_reason":"END"}}` + "\n\n",
	"gemini":   `data: {"candidates":[{"content":{"parts":[{"text":"half"}]},"finishReason":"END"}]}` + "\n\n",
	"responses": `data: {"type":"response.output_text.delta","output_index":0,"delta":"half"}` + "\n\n" +
		`data: {"type":"response.incomplete","response":{"status":"incomplete","incomplete_details":{"reason":"END"}}}` + "\n\n",
}

// A reply is done for the reasons that are known to be good ones; for a reason of which nobody knows what it means where its stream ended,
// too, and is kept by its name; a server that gave up is asked again.
func TestEndsMeanWhatTheySay(t *testing.T) {
	for _, tt := range []struct{ form, reason, want, reset string }{ // what it comes to, and what where the connection is reset behind it; empty for an error
		{"chat", "stop", "stop", "stop"}, {"chat", "network_error", "", ""}, {"chat", "insufficient_system_resource", "", ""}, {"chat", "error", "", ""}, {"chat", "", "", ""},
		{"chat", "abort", "", ""}, {"chat", "sensitive", "content_filter", "content_filter"}, {"chat", "malformed_function_call", "malformed_call", "malformed_call"}, {"chat", "brand_new", "brand_new", ""},
		{"messages", "end_turn", "stop", "stop"}, {"messages", "pause_turn", "pause", "pause"}, {"messages", "error", "", ""}, {"messages", "", "", ""}, {"messages", "brand_new", "brand_new", ""},
		{"gemini", "STOP", "stop", "stop"}, {"gemini", "MALFORMED_RESPONSE", "", ""}, {"gemini", "MALFORMED_FUNCTION_CALL", "malformed_call", "malformed_call"}, {"gemini", "", "", ""}, {"gemini", "BRAND_NEW", "brand_new", ""},
		{"responses", "max_output_tokens", "length", "length"}, {"responses", "content_filter", "content_filter", "content_filter"}, {"responses", "brand_new", "brand_new", "brand_new"},
	} {
		for _, err := range []error{nil, errors.New("connection reset by peer")} {
			server := &broken{body: strings.Replace(ended[tt.form], "END", tt.reason, 1), err: err}
			m := model.New(model.Endpoint{BaseURL: "http://h/v1", Model: "m", Speaks: tt.form}, nebula.ModelInfo{}, model.Options{Transport: server, Attempts: 2, Backoff: 1})
			r, failed := nebula.Collect(m.Stream(t.Context(), nebula.Prompt{Messages: []nebula.Message{{Role: nebula.User, Parts: nebula.Text("q")}}}), nil)
			want := tt.want
			if err != nil {
				want = tt.reset
			}
			if r.Finish != want || (failed != nil) != (want == "") || server.asks == 1 != (want != "") {
				t.Errorf("%s, %q, %v: %q, %v, %d requests, want %q", tt.form, tt.reason, err, r.Finish, failed, server.asks, want)
			}
			if api, ok := errors.AsType[*nebula.APIError](failed); ok && err == nil && tt.reason != "" && (api.Kind != "server" || !strings.Contains(api.Text, strings.ToLower(tt.reason))) {
				t.Errorf("%s, %q: %+v", tt.form, tt.reason, api)
			}
		}
	}
}

// A reply that breaks off in the middle is asked for less often than one that never began.
func TestAHalfReplyIsAskedForLessOften(t *testing.T) {
	for body, want := range map[string]int{"": 6, `data: {"choices":[{"delta":{"content":"half"}}]}` + "\n\n": 3, `data: {"choices":[{"delta":{"reasoning":"half"}}]}` + "\n\n": 3} {
		server := &broken{body: body, err: io.ErrUnexpectedEOF}
		m := model.New(model.Endpoint{BaseURL: "http://h/v1", Model: "m"}, nebula.ModelInfo{}, model.Options{Transport: server, Backoff: 1})
		if _, err := nebula.Collect(m.Stream(t.Context(), nebula.Prompt{Messages: []nebula.Message{{Role: nebula.User, Parts: nebula.Text("q")}}}), nil); err == nil || server.asks != want {
			t.Errorf("%q: %d requests, %v", body, server.asks, err)
		}
	}
}

// Every server's word for an end means what it does in any form, since servers stand in each other's place; an end that nobody knows keeps its
// name, and a good one behind a bad one makes it no better.
func TestEveryServersWordForAnEndIsKnown(t *testing.T) {
	rows, err := os.ReadFile("testdata/ends.txt")
	if err != nil {
		t.Fatal(err)
	}
	forms := map[string]string{"chat": "Chat", "messages": "Messages", "gemini": "Gemini"}
	read := func(form, body string) (finish string, err error) {
		err = transport.Read(strings.NewReader(body), adapters("http://h", false)[forms[form]].Ask(nebula.Prompt{}), func(c nebula.Chunk) bool { finish += c.Finish; return true })
		return finish, err
	}
	n := 0
	for line := range strings.Lines(string(rows) + "nobody | brand_new | BRAND_NEW brand_new Brand_New\n") {
		row := strings.Split(strings.TrimSpace(line), " | ")
		if len(row) != 3 || line[0] == '#' {
			continue
		}
		for _, word := range strings.Fields(row[2]) {
			for form := range forms {
				n++
				want := row[1]
				good := want == "stop" || want == "tool_calls" || want == "pause"
				if got, err := read(form, strings.ReplaceAll(ended[form], "END", word)); (want == "failed" || want == "goes on") != (err != nil) || err == nil && got != want || err != nil && strings.Contains(err.Error(), "cut off") != (want == "goes on") {
					t.Errorf("%s, %s: %q is %q, %v, want %s", row[0], form, word, got, err, want)
				}
				last := ended[form][strings.LastIndex(strings.TrimSpace(ended[form]), "\n")+1:]
				got, err := read(form, strings.ReplaceAll(ended[form], "END", word)+strings.ReplaceAll(last, "END", "stop"))
				if again := map[bool]string{true: "stop", false: want}[good || want == "goes on"]; want != "failed" && (err != nil || got != again) || want == "failed" && err == nil {
					t.Errorf("%s, %s: %q and stop is %q, %v", row[0], form, word, got, err)
				}
			}
		}
	}
	if n < 200 {
		t.Errorf("only %d were tried", n)
	}
}
