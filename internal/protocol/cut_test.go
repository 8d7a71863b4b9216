package protocol_test

import (
	"testing"

	"nebula"
	"nebula/internal/nebulatest"
	"nebula/internal/protocol"
)

// An object that names a tool and that the reply ends in was meant as a call, whatever is said above it.
func TestACutCallBehindWordsIsUnread(t *testing.T) {
	for text, unread := range map[string]bool{
		"Sure! Let me fix it.\n\n{\"name\":\"patchFile\",\"arguments\":{\"path\":\"a.py\",\"edits\":[{\"old\":\"a - b\",\"new\":\"a + b\"}]": true,
		"The config is now:\n\n{\"port\": 80, \"host\": \"a": false,
		"{\"a\": 1} is an object, and readFile reads files.": false,
		"It prints\n{\"name\": \"x\"}\nand ends.":            false,
	} {
		if _, ok := protocol.Unread(nebula.Reply{Parts: nebula.Text(text)}, nebulatest.Specs()); ok != unread {
			t.Errorf("%q: unread %v", text, ok)
		}
	}
}
