package headless

import (
	"bytes"
	"context"
	"testing"

	"nebula"
	"nebula/internal/nebulatest"
)

// TestOutputsAreTheSameOverAPipe where nebula is another process: through the codec of what is sent.
func TestOutputsAreTheSameOverAPipe(t *testing.T) {
	for _, output := range []Output{Text, JSON, Stream} {
		run := func(c nebula.Conversation) string {
			var out, log bytes.Buffer
			if end, err := Run(t.Context(), c, Request{Prompt: "go", Output: output, Stdout: &out, Stderr: &log}); err != nil || end.Status != nebula.TurnDone {
				t.Fatalf("%+v, %v", end, err)
			}
			return out.String() + log.String()
		}
		events := append([]nebula.Body{nebula.Started{Session: "s1"}}, session()...)
		host := nebulatest.Host{OnOpen: func(string) (nebula.Conversation, error) { return newScript(events...), nil }}
		far, err := nebulatest.Piped(context.Background(), host).Open(t.Context(), "")
		if err != nil {
			t.Fatal(err)
		}
		if here, there := run(newScript(events...)), run(far); here != there {
			t.Errorf("%s: here\n%s\nover a pipe\n%s", output, here, there)
		}
	}
}
