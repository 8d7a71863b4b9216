package agent

import (
	"strings"
	"testing"

	"nebula"
)

func TestOutputWithoutEndDoesNotStay(t *testing.T) {
	j := newJournal(nil)
	j.append(nebula.Event{Seq: 1, Body: nebula.Submitted{Turn: 1}})
	j.append(nebula.Event{Seq: 1, Body: nebula.Streamed{Kind: "text", Text: "said"}})
	chunk := strings.Repeat("y\n", 8<<10)
	const chunks = 4 * most / (16 << 10)
	for n := range chunks {
		j.append(nebula.Event{Seq: 1, Body: nebula.Streamed{Kind: "output", Text: chunk, Action: string(rune('a' + n%26))}})
	}
	j.append(nebula.Event{Seq: 2, Body: nebula.Ended{}})
	j.close()
	bytes, said, last := 0, false, ""
	for e := range j.read(t.Context(), 0) {
		if s, ok := e.Body.(nebula.Streamed); ok {
			said = said || s.Text == "said"
			if s.Kind == "output" {
				bytes, last = bytes+len(s.Text), s.Action
			}
		}
	}
	if bytes < most || bytes > 2*most+len(chunk) || !said || last != string(rune('a'+(chunks-1)%26)) {
		t.Errorf("%d bytes of output stay, with the last %q, what was said: %v", bytes, last, said)
	}
}
