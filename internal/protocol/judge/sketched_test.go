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

// TestOneCallInPlainDressIsMeant reads replies of one call and a few words around it, in no form that was taught, in all languages.
func TestOneCallInPlainDressIsMeant(t *testing.T) {
	const (
		list   = `{"actions":[{"operation":"editFile","args":{"path":"a.go","new_content":"x"},"reasoning":"r"}]}`
		call   = `{"name":"editFile","arguments":{"path":"a.go","new_content":"x"}}`
		macro  = "🦆▶️[T:edit_file|a.go|x]◀️🦆"
		symbol = "$ edit @ a.go\n--\nx\n--"
	)
	for reply, meant := range map[string]bool{
		"Sure! " + list + " Done.": true, "Sure! " + call + " Done.": true, "Sure!\n" + list + "\nDone.": true, "OK. " + list: true, "はい。" + list + " 完了しました。": true, "I fix it now. " + list: true, "修正します。" + call: true,
		"I fix it now.\n\n```json\n" + call + "\n```": true, "I fix it now.\n```\n<tool_call>" + call + "</tool_call>\n```": true, "I fix it now.\n```\n" + macro + "\n```": true, "I fix it now.\n```\n" + symbol + "\n```": true, "修正します。\n```json\n" + call + "\n```": true,
		"I will not do this. " + list: false, "The log has this: " + list: false, "It printed this. " + list + " as you see.": false, "Sure! " + list + " Should I do that?": false, "For example. " + list: false, "Someone wrote: " + call + " Done.": false,
		"Here is how it looks:\n```json\n" + call + "\n```": false, "I would fix it like this.\n```json\n" + call + "\n```": false, "Here is how it looks:\n```\n" + macro + "\n```": false, "I will show you how it looks.\n```\n<tool_call>" + call + "</tool_call>\n```": false,
		"I'll explain it now.\n\n```\n<tool_call>\n" + call + "\n</tool_call>\n```": false, "I'll explain it now:\n```json\n<tool_call>" + call + "</tool_call>\n```": false, "Let me explain.\n```\n<tool_call>" + call + "</tool_call>\n```": false,
		"I will show you the format now.\n```xml\n<tool_call>" + call + "</tool_call>\n```": false, "An explanation follows.\n```\n<tool_call>" + call + "</tool_call>\n```": false,
		"I'll fix it now.\n\n```\n<tool_call>\n" + call + "\n</tool_call>\n```": true, "Fixing it now.\n```xml\n<tool_call>" + call + "</tool_call>\n```": true,
		"I fix it now. Not yet, though.\n```\n" + macro + "\n```": false, "例です。\n```json\n" + call + "\n```": false,
	} {
		for _, l := range languages() {
			in := l.decode(nebula.Reply{Parts: nebula.Text(reply), Finish: "stop"}, nebulatest.Specs())
			if runs(in, nebulatest.Specs()) != meant {
				t.Errorf("%s: %q: %s", l.Name(), reply, short(in))
			}
		}
	}
}

// TestWhatWasCutIsToldByItsLastLine reads replies that end inside a content, by the output limit or without its end mark: what the model is told says
// so, and where.
func TestWhatWasCutIsToldByItsLastLine(t *testing.T) {
	for _, c := range []struct{ language, reply, stop string }{
		{"symops", "$ create @ a.go\n--\npackage a\nvar x = ", "its last line --"},
		{"symops", "$ edit @ a.go\n--\n<<<<<<< SEARCH\nx := 1\n=======\nvar x =", "to >>>>>>> REPLACE"},
		{"dml", "🦆▶️[T:write_file|a.go|package a\nvar x = ", "not closed"},
		{"actionlist", `{"say":"","actions":[{"operation":"writeFile","args":{"path":"a.go","content":"var x ="}`, "before it is complete"},
		{"actionlist", `{"say":"","actions":[{"operation":"writeFile","args":{"path":"a.go","content":"var x =`, "was cut"},
		{"toolcall", `<tool_call>{"name":"writeFile","arguments":{"path":"a.go","content":"var x =`, "was cut"},
	} {
		for _, finish := range []string{"stop", "length"} {
			l := named(t, c.language)
			r := nebula.Reply{Parts: nebula.Text(c.reply), Finish: finish}
			in := l.decode(r, nebulatest.Specs())
			told := l.Protocol.(nebula.Corrector).Correction(r, in, "en")
			if !strings.Contains(told, "var x =") || finish == "stop" && !strings.Contains(told, c.stop) || runs(in, nebulatest.Specs()) {
				t.Errorf("%s, %s: %s", c.language, finish, told)
			}
		}
	}
}
