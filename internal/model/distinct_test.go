package model_test

import (
	"io"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"nebula"
	"nebula/internal/model"
)

// A refusing server keeps what it was asked.
type refusing struct{ asked []byte }

// RoundTrip implements http.RoundTripper.
func (r *refusing) RoundTrip(req *http.Request) (*http.Response, error) {
	r.asked, _ = io.ReadAll(req.Body)
	return &http.Response{StatusCode: http.StatusTeapot, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(`{"error":{"message":"no"}}`)), Request: req}, nil
}

// Ids that a server gives again are sent once each, in every form, with their results, and in the same bytes as the conversation grows.
func TestIdsThatComeAgainAreSentOnceEach(t *testing.T) {
	call := func(ids ...string) nebula.Message {
		var calls []nebula.Call
		for _, id := range ids {
			calls = append(calls, nebula.Call{ID: id, Name: "list", Arguments: "{}"})
		}
		return nebula.Message{Role: nebula.Assistant, Parts: nebula.PartsOf("", "", calls...)}
	}
	said := func(id string) nebula.Message {
		return nebula.Message{Role: nebula.ToolRole, CallID: id, Parts: nebula.Text("r")}
	}
	long := strings.Repeat("x", 65)
	short, other := long[:32]+nebula.Hash([]byte(long))[:16], long[:32]+nebula.Hash([]byte(long + "b"))[:16]
	for name, tt := range map[string]struct {
		messages []nebula.Message
		want     string // the ids of calls and results
	}{
		"in a later reply":  {[]nebula.Message{call("a"), said("a"), call("a"), said("a"), call("a", "b"), said("b"), said("a")}, "a a a_2 a_2 a_3 b b a_3"},
		"in one reply":      {[]nebula.Message{call("a", "a"), said("a"), said("a"), call("b"), said("b")}, "a a_2 a a_2 b b"},
		"as another is now": {[]nebula.Message{call("a"), said("a"), call("a"), said("a"), call("a_2"), said("a_2")}, "a a a_2 a_2 a_2_2 a_2_2"},
		"too long":          {[]nebula.Message{call(long), said(long), call(long), said(long), call(long + "b"), said(long + "b")}, short + " " + short + " " + short + "_2 " + short + "_2 " + other + " " + other},
		"in other letters":  {[]nebula.Message{call("f.a_0"), said("f.a_0"), call("f_a_0"), said("f_a_0")}, "f_a_0 f_a_0 f_a_0_2 f_a_0_2"},
		"none":              {[]nebula.Message{call("", "x"), said(""), said("x")}, "call_2 x call_2 x"},
		"all different":     {[]nebula.Message{call("a", "b"), said("a"), said("b"), call("c"), said("c")}, "a b a b c c"},
	} {
		for form, pattern := range map[string]string{"chat": `"(?:id|tool_call_id)":"([^"]*)"`, "responses": `"call_id":"([^"]*)"`,
			"messages": `"(?:id|tool_use_id)":"([^"]*)"`, "gemini": `"id":"([^"]*)"`} {
			before := ""
			for _, n := range []int{len(tt.messages) - 2, len(tt.messages)} {
				server := &refusing{}
				messages := append([]nebula.Message{{Role: nebula.User, Parts: nebula.Text("q")}}, tt.messages[:n]...)
				m := model.New(model.Endpoint{BaseURL: "http://h/v1", Model: "m", Speaks: form}, nebula.ModelInfo{}, model.Options{Transport: server, Attempts: 1})
				_, _ = nebula.Collect(m.Stream(t.Context(), nebula.Prompt{Messages: messages}), nil)
				var ids []string
				for _, id := range regexp.MustCompile(pattern).FindAllSubmatch(server.asked, -1) {
					ids = append(ids, strings.ReplaceAll(string(id[1]), ".", "_"))
				}
				got := strings.Join(ids, " ")
				if !strings.HasPrefix(got, before) || n == len(tt.messages) && got != tt.want {
					t.Errorf("%s, %s: %q behind %q, want %q", name, form, got, before, tt.want)
				}
				before = got
				if calls := messages[1].Calls(); len(calls) > 0 && !slices.Equal(calls, tt.messages[0].Calls()) {
					t.Errorf("%s: the conversation itself is another", name)
				}
			}
		}
	}
}
