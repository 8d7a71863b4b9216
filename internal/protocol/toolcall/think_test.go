package toolcall_test

import (
	"testing"

	"nebula"
	"nebula/internal/protocol/toolcall"
)

func TestOnlyReasoningThatOpensTheReplyIsThought(t *testing.T) {
	for _, c := range []struct{ text, say string }{
		{"<think>a</think>b", "b"},
		{"Let me see. Fine.\n</think>\n\nDone.", "Done."},
		{"The tag </think> ends it.", "The tag </think> ends it."},
		{"Write `x`:\n</think>\nrest", "Write `x`:\n</think>\nrest"},
		{"{\"a\":\"\n</think>\n\"}", "{\"a\":\"\n</think>\n\"}"},
		{"Hello <think>a</think>", "Hello <think>a</think>"},
	} {
		if got := (toolcall.Protocol{}).Decode(nebula.Reply{Parts: nebula.Text(c.text)}, nil).Say; got != c.say {
			t.Errorf("%q says %q, want %q", c.text, got, c.say)
		}
	}
}
