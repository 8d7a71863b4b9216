package judge

import (
	"testing"

	"nebula"
	"nebula/internal/nebulatest"
)

// A reply of which a call was meant and not read is asked for again, in every language; one that only tells of such forms is an answer.
func TestWhatLooksLikeACallNeverEndsAsAnAnswer(t *testing.T) {
	for text, meant := range map[string]bool{
		"<|start|>assistant to=functions.readFile<|channel|>commentary json<|message|>{\"path\":\"notes.md\"}<|call|>": true,
		"*** Update File: notes.md\n@@\n-a\n+b":                            true,
		"I'll read it. 🐔▶️[T:readFile|notes.md]◀️🐔":                        true,
		"🐧▶️[T:readFile|notes.md]◀️🐧":                                      true,
		"🦆[T:readFile|notes.md]🦆":                                          true,
		"T:readFile|notes.md":                                              true,
		"I'll read it.\n\noperation: readFile\nargs:\n  path: notes.md":    true,
		`{"say":"Done.","actions":["readFile notes.md"]}`:                  true,
		`{"say":"Done.","actions":"readFile"}`:                             true,
		`{"say":"Done.","actions":[{"thing":"editFile","stuff":{}}]}`:      true,
		"A macro is written as `🦆▶️[T:readFile|notes.md]◀️🦆`, as you see.": false,
		"The file has `operation: x` in it.":                               false,
		`{"name":"x","actions":["click","scroll"]}`:                        false,
	} {
		for _, l := range languages() {
			in := l.decode(nebula.Reply{Parts: nebula.Text(text), Finish: "stop"}, nebulatest.Specs())
			if asked := len(in.Problems)+len(in.Actions) > 0; asked != meant && !(l.Name() == "symops" && !meant && text[0] == '{' || l.Name() == "actionlist" && text[0] == '{') {
				t.Errorf("%s, %q: %d actions, problems %v", l.Name(), text, len(in.Actions), in.Problems)
			}
		}
	}
}
