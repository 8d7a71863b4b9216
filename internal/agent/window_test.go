package agent_test

import (
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
