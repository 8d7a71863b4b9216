package judge

import (
	"encoding/json"
	"strings"
	"testing"

	"nebula"
	"nebula/internal/nebulatest"
)

// TestASketchIsNoEdit reads words that show how a change would look (-) and words that make it (+) before an edit, in all languages, as they were
// taught and in the form of another model.
func TestASketchIsNoEdit(t *testing.T) {
	tools := nebulatest.Specs()
	wrong := map[string]int{}
	for _, line := range rows(t, "sketched") {
		mark, text, _ := strings.Cut(line, "|")
		var shown []string
		for _, l := range languages() {
			for _, deed := range []string{"W", "S"} {
				call, _ := json.Marshal(map[string]any{"name": "editFile", "arguments": json.RawMessage(deeds[deed][1])}) // strings always marshal
				abroad := nebula.Reply{Parts: nebula.Text(text + "\n\n<tool_call>\n" + string(call) + "\n</tool_call>\n"), Finish: "stop"}
				for form, reply := range map[string]nebula.Reply{"taught": beside(l.Name(), "B", deed, text, false), "abroad": abroad} {
					if runs(l.decode(reply, tools), tools) != (mark == "+") {
						shown = append(shown, l.Name()+" "+form)
						wrong[mark]++
					}
				}
			}
		}
		if len(shown) > 0 {
			t.Logf("%s %s: %v", mark, text, shown)
		}
	}
	if len(wrong) > 0 {
		t.Errorf("wrong: %v", wrong)
	}
}
