package prompt_test

import (
	"strings"
	"testing"

	"nebula"
	"nebula/internal/advice"
	"nebula/internal/prompt"
	"nebula/internal/protocol/toolcall"
)

// Advice for a folder that is first looked into in the middle of the work stands behind the conversation: what stands before it is
// the same as in the request before. When that changes anyway, all advice stands there.
func TestLaterAdviceLeavesTheBeginningAsItIs(t *testing.T) {
	f := newFold("en")
	f.turn(1, "look into sub", strings.Repeat("a line\n", 2000))
	b := &prompt.Builder{}
	top, sub := advice.File{Path: "AGENTS.md", Text: "Tabs only.\n"}, advice.File{Path: "sub/AGENTS.md", Text: "Short names.\n"}
	build := func(files ...advice.File) (nebula.Prompt, string) {
		p, _ := b.Build(prompt.Input{State: f.State, Protocol: toolcall.Protocol{}, Advice: files})
		return p, p.Messages[len(p.Messages)-1].Text()
	}
	first, _ := build(top)
	then, last := build(top, sub)
	if then.System != first.System || !strings.Contains(then.System, "Tabs only.") || !strings.Contains(last, "sub/AGENTS.md\nShort names.") || strings.Contains(last, "Tabs only.") {
		t.Errorf("the system text is the same: %v; last stands %q", then.System == first.System, last)
	}
	f.apply(nebula.Compacted{Elided: 2, Cap: 160})
	if now, last := build(top, sub); !strings.Contains(now.System, "Tabs only.") || !strings.Contains(now.System, "Short names.") || strings.Contains(last, "Short names.") {
		t.Errorf("after it was made shorter: %s\n%s", now.System, last)
	}
	changed := advice.File{Path: "AGENTS.md", Text: "Spaces only.\n"}
	if now, _ := build(changed, sub); !strings.Contains(now.System, "Spaces only.") || strings.Contains(now.System, "Tabs only.") {
		t.Error("advice that is no longer so stands there")
	}
}
