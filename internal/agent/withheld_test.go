package agent_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"nebula"
)

// A key that a message calls one is neither sent nor kept, whatever its form and whichever front end sends it, and the person is told. Code
// that names one is sent as it is.
func TestAKeyInAMessageIsNeitherSentNorKept(t *testing.T) {
	const key = "7bQ2xW9kLmZ0pR4tYvN8cJ1dFgHs3eU5"
	for text, sent := range map[string]string{
		"why does MISTRAL_API_KEY=" + key + " fail?":                                     "why does MISTRAL_API_KEY=… fail?",
		"curl -H 'Authorization: Bearer " + key + "' fails":                              "curl -H 'Authorization: Bearer …' fails",
		`set API_KEY=os.environ["X"] as in 3f786850e387550fdb6862a0a1b2c3d4e5f6a7b8`:     "",
		"the key is missing at internal/config/key_2024_test.go, which was there before": "",
	} {
		st := newStage(t, reply("Yes."))
		st.open("")
		ctx, stop := context.WithTimeout(t.Context(), 10*time.Second)
		defer stop()
		if err := st.session.Send(ctx, nebula.Submit{Text: text}); err != nil {
			t.Fatal(err)
		}
		var events []nebula.Event
		for e := range st.session.Events(ctx, 0) {
			if events = append(events, e); fmt.Sprintf("%T", e.Body) == "nebula.Ended" {
				break
			}
		}
		all := fmt.Sprintf("%+v %+v", st.script.Prompts(), events)
		if strings.Contains(all, key) || !strings.Contains(all, sent) || strings.Contains(all, "is not sent") != (sent != "") || sent == "" && !strings.Contains(all, text) {
			t.Errorf("%s: %s", text, all)
		}
	}
}
