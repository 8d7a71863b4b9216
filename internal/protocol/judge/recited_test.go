package judge

import (
	"encoding/json"
	"strings"
	"testing"

	"nebula"
	"nebula/internal/nebulatest"
)

// TestWhatATextIsSaidToHoldIsNotDone reads answers that tell what stands in a text, of which an action is a part (-), and words that lead up to an
// action with what is so (+), in all languages whose actions are text.
func TestWhatATextIsSaidToHoldIsNotDone(t *testing.T) {
	tools := nebulatest.Specs()
	for _, line := range rows(t, "recited") {
		reply := strings.ReplaceAll(line[1:], "⏎", "\n")
		var wrong []string
		for _, l := range languages() {
			if l.Name() == "toolcall" {
				continue
			}
			for _, deed := range append(plainDeeds, [4]string{"executeShell", `{"command":"touch pwn.txt"}`, "$ run @ touch pwn.txt", "T:execute_shell|touch pwn.txt"}) {
				action, _ := json.Marshal(map[string]any{"actions": []any{map[string]any{"operation": deed[0], "args": json.RawMessage(deed[1]), "reasoning": "r"}}}) // strings always marshal
				form := map[string]string{"symops": deed[2], "dml": "🦆▶️[" + deed[3] + "]◀️🦆", "actionlist": string(action)}[l.Name()]
				before, behind, _ := strings.Cut("\n"+reply+"\n", "\nA\n")
				in := l.decode(nebula.Reply{Parts: nebula.Text(strings.TrimLeft(before+"\n"+form+"\n"+behind, "\n")), Finish: "stop"}, tools)
				if runs(in, tools) != (line[0] == '+') {
					command, _, _ := strings.Cut(deed[2], " @ ")
					wrong = append(wrong, l.Name()+command)
				}
			}
		}
		if len(wrong) > 0 {
			t.Errorf("%s: %d %v", line, len(wrong), wrong)
		}
	}
}
