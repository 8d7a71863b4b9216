package symops

import (
	"encoding/json"
	"errors"
	"strings"

	"nebula/internal/lazy"
	"nebula/internal/protocol"
)

var errNoEdit = errors.New("the block is neither a whole file nor a complete list of changes: write the whole new file, or <<<<<<< SEARCH … ======= … >>>>>>> REPLACE")

// edits reads a block that says what to change: search and replace pairs, or a unified diff.
//
//go:noinline
func edits(s string) ([]protocol.Change, error) {
	if changes, ok := protocol.Changes(s); ok {
		return changes, nil
	}
	return nil, errNoEdit
}

// object is a block that is one complete value in JSON with what a call would be given to change the file, as that call's arguments; nil for any
// other, and for a file that can be such a value itself, unless it stood there without delimiters.
func (a Action) object(delimited bool) json.RawMessage {
	block, args := strings.TrimSpace(a.Content), map[string]json.RawMessage{}
	if a.Type != edit || delimited && jsonFile.In(a.Path) || !strings.HasPrefix(strings.TrimLeft(block, "[ \t\n"), "{") {
		return nil
	}
	if block[0] == '[' {
		block = `{"edits":` + block + "}"
	}
	if json.Unmarshal([]byte(block), &args) != nil || !protocol.SaysChange(args) {
		return nil
	}
	args["path"] = protocol.Quote(a.Path)
	out, _ := json.Marshal(args) // what was read
	return out
}

// jsonFile is a file that can hold JSON.
var jsonFile = &lazy.Pattern{X: `\.(?:json\w*|webmanifest|map|\w*rc|ya?ml|lock)$|^[^.]*$|/\.?[^./]*$`}
