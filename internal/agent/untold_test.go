package agent_test

import (
	"strings"
	"testing"

	"nebula"
	"nebula/internal/gate"
)

// Who calls a tool that there is not is told of those that are offered: of none to ask with where nobody answers.
func TestOnlyOfferedToolsAreNamedForAnUnknownOne(t *testing.T) {
	for _, alone := range []bool{true, false} {
		p := newProject(t, languages()[0], map[string]string{"a.py": "a = 1\n"})
		p.setup.Approve, p.setup.Alone = gate.All, alone
		p.script.Replies = []nebula.Reply{reply("", call("1", "teleport", "to", "mars")), reply("There is no such tool."), reply("There is no such tool.")}
		p.say("look at a.py", nil)
		told := p.script.Prompts()[1].Messages
		text := ""
		for _, m := range told {
			text += m.Text()
		}
		if !strings.Contains(text, "there is no tool \"teleport\"") || strings.Contains(text, "askUser") == alone {
			t.Errorf("alone %v: %s", alone, text)
		}
	}
}
