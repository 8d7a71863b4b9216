package agent_test

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"testing"

	"nebula"
	"nebula/internal/model"
	"nebula/internal/nebulatest"
)

// A server's window is smaller than assumed: what it says of it is kept and said once, and the request goes again, shorter,
// also when the session is opened anew.
func TestWindowIsLearnedFromTheServersRefusal(t *testing.T) {
	server, err := nebulatest.Serve()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(server.Close)
	refused := 0
	server.Answers = func(_ int, body []byte) *nebulatest.Answer {
		if len(body) > 8000*3 {
			refused++
			return &nebulatest.Answer{Status: 400, Text: fmt.Sprintf(`{"error":{"message":"This model's maximum context length is 8000 tokens, yours has %d"}}`, len(body)/3)}
		}
		return &nebulatest.Answer{Text: "It says a lot. " + strings.Repeat("word ", 300)}
	}
	st := newStage(t)
	st.setup.Prompt.Count = func(text string) int { return len(text)/3 + 1 }
	client := model.New(model.Endpoint{BaseURL: server.URL(), Model: "m"}, nebula.ModelInfo{Window: 32_000}, model.Options{})
	st.setup.Model = func(string) (nebula.Model, error) { return client, nil }
	told := 0
	for n := range 30 {
		for _, e := range st.say(fmt.Sprintf("request %d", n), nil) {
			switch b := e.Body.(type) {
			case nebula.Switched:
				if told++; b.Window != 8000 || !strings.Contains(b.Why, "8000") {
					t.Errorf("learned %d: %q", b.Window, b.Why)
				}
			case nebula.Ended:
				if b.Status != nebula.TurnDone {
					t.Fatalf("request %d ended %s: %s", n, b.Status, b.Text)
				}
			}
		}
	}
	if refused != 1 || told != 1 {
		t.Errorf("refused %d times, told %d times", refused, told)
	}
}

// Of a model that nobody knows the server's word counts, more or less than what is assumed, and is asked for once.
func TestWindowIsWhatTheServerDeclares(t *testing.T) {
	for _, declared := range []int{0, 16_000, 1_000_000} {
		server, err := nebulatest.Serve(nebulatest.Answer{Text: "One."}, nebulatest.Answer{Text: "Two."})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(server.Close)
		server.Models, server.Window = []string{"test-model"}, declared
		at, info, err := model.Resolve("test-model", model.Settings{BaseURL: server.URL(), Env: func(string) string { return "" }})
		if err != nil || info.Window != 128*1024 || !info.Assumed {
			t.Fatalf("assumed are %d (%v), %v", info.Window, info.Assumed, err)
		}
		st, asked := newStage(t), 0
		client := model.New(at, info, model.Options{})
		st.setup.Model = func(string) (nebula.Model, error) { return client, nil }
		st.setup.Declared = func(ctx context.Context, _ string) (int, string) {
			asked++
			window, wider := model.Declared(ctx, at, model.Settings{Env: func(string) string { return "" }})
			return window, wider.String()
		}
		st.say("first", nil)
		st.say("second", nil)
		status, err := st.session.Status(t.Context())
		if want := cmp.Or(declared, 128*1024); err != nil || status.Window != want {
			t.Errorf("declared %d: the window is %d, %v", declared, status.Window, err)
		}
		if declared > 0 && asked != 1 {
			t.Errorf("declared %d: asked %d times", declared, asked)
		}
	}
}
