package protocol_test

import (
	"testing"

	"nebula"
	"nebula/internal/nebulatest"
	"nebula/internal/protocol"
)

// A reply that is no answer to anybody is not taken for one, and an answer is.
func TestWhatIsNoAnswer(t *testing.T) {
	for reply, unread := range map[string]bool{
		"<artifact path=\"calc.py\">\nx = 1\n</artifact>":                                                          true,
		"<boltAction type=\"file\" filePath=\"calc.py\">\nx = 1\n</boltAction>":                                    true,
		"I fix it.\n\n<file name=\"calc.py\">\nx = 1\n</file>":                                                     true,
		"<tool>bash</tool>\n<input>ls</input>":                                                                     true,
		"{“tool”: “readFile”, “args”: {“path”: “a.py”}}":                                                           true,
		"&lt;tool_call&gt;{\"name\":\"readFile\"}&lt;/tool_call&gt;":                                               true,
		"Sure! Let me fix it.\n\n{\"name\":\"patchFile\",\"arguments\":{\"path\":\"a.py\",\"edits\":[{\"old\":\"a": true,
		"It prints this:\n\n{\"name\": \"demo\", \"parts\": [1, 2":                                                 false,
		"<|im_end|>":                          true,
		"...":                                 true,
		"{\"actions\": [\"list\"]}":           true,
		"{\"actions\": [\"patchFile a.go\"]}": true,
		"patchFile":                           true,
		"`patchFile`":                         true,
		"$ run\ntouch new.txt":                true,
		"$ create new.py\n\nx = 1":            true,
		"{\"command\":\"touch new.txt\"}":     true,
		"{\"path\": \"new.py\", \"content\": \"x = 1\"}":     true,
		"[writeFile] new.py: x = 1":                          true,
		"🦆▶️T:write_file|new.py|x = 1◀️🦆":                    true,
		"$ git status\nOn branch main":                       false,
		"$ run-parts /etc\nok":                               false,
		"{\"path\": \"new.py\"}":                             false,
		"{\"command\": \"touch\", \"lines\": 3}":             false,
		"{\"name\": \"demo\"}":                               false,
		"[1] new.py: x = 1":                                  false,
		"[note] writeFile writes.":                           false,
		"The bird is 🦆, and T:write_file is a macro's name.": false,
		"":   false, // is asked for again elsewhere
		"OK": false,
		"👍":  false,
		"It is done: `<input type=\"file\">` takes the file.": false,
		"So:\n```html\n<source file=\"a.mp3\">\n```":          false,
		"patchFile changes a file.":                           false,
	} {
		if _, ok := protocol.Unread(nebula.Reply{Parts: nebula.Text(reply)}, nebulatest.Specs()); ok != unread {
			t.Errorf("%q: unread is %v", reply, ok)
		}
	}
}
