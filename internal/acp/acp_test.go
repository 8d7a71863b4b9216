package acp

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"

	"nebula"
	"nebula/internal/transcript"
)

// A message that is too long is answered as that, whether its number stands before or behind what it holds, and the next is taken.
func TestAMessageThatIsTooLongEndsNothing(t *testing.T) {
	in, editor := io.Pipe()
	answers, out := io.Pipe()
	ended := make(chan error, 1)
	go func() {
		ended <- Run(t.Context(), Options{In: in, Out: out, Say: func(err error) string { return err.Error() }})
	}()
	lines := bufio.NewScanner(answers)
	long := strings.Repeat("a", 11<<20)
	for i, sent := range []string{
		`{"jsonrpc":"2.0","id":%d,"method":"session/prompt","params":{"sessionId":"s","prompt":[{"type":"text","text":"` + long + `"}]}}`,
		`{"jsonrpc":"2.0","method":"session/prompt","params":{"prompt":"` + long + `","id":"inner"},"id":%d}`,
		`{"jsonrpc":"2.0","id":%d,"method":"initialize","params":{"protocolVersion":1,"clientCapabilities":{}}}`,
		`{"jsonrpc":"2.0","method":"session/cancel","params":{"sessionId":"` + long + `"}}` + "\n" + `{"jsonrpc":"2.0","id":%d,"method":"initialize","params":{"protocolVersion":1,"clientCapabilities":{}}}`,
	} {
		go fmt.Fprintf(editor, sent+"\n", i+1)
		if !lines.Scan() {
			t.Fatal("the connection is over")
		}
		var said struct {
			ID     int
			Result any
			Error  struct{ Message string }
		}
		if err := json.Unmarshal(lines.Bytes(), &said); err != nil || said.ID != i+1 || (said.Result == nil) != (i < 2) || i < 2 && !strings.Contains(said.Error.Message, "more than 10 MB") {
			t.Errorf("%d: %v %+v", i, err, said)
		}
	}
	_ = editor.Close()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// What work beside the conversation asks is asked in its name.
func TestWhoAsksIsNamed(t *testing.T) {
	a := transcript.Action{Proposal: nebula.Proposal{Effect: nebula.Execute, Command: "ls", Summary: "run ls"}}
	if got := *decided(nebula.Started{}, "e1 look around", a, "en").Title; !strings.HasPrefix(got, "[e1 look around] `ls`") {
		t.Errorf("%q", got)
	}
	if got := *decided(nebula.Started{}, "", a, "en").Title; !strings.HasPrefix(got, "`ls`") {
		t.Errorf("%q", got)
	}
}

// What was read is answered, though nothing follows it.
func TestWhatIsPipedInIsAnsweredWhole(t *testing.T) {
	for range 20 {
		var out bytes.Buffer
		in := strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":1}}` + "\n" + `{"jsonrpc":"2.0","id":2,"method":"_none"}` + "\n" + `{"jsonrpc":"2.0","id":3,"method":"_none"}` + "\n")
		if err := Run(t.Context(), Options{In: in, Out: &out, Say: func(err error) string { return err.Error() }}); err != nil || strings.Count(out.String(), "\n") != 3 {
			t.Fatalf("%v: %s", err, out.String())
		}
	}
}
