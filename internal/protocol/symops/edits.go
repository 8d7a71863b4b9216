package symops

import (
	"errors"

	"nebula/internal/protocol"
)

var errNoEdit = errors.New("the block is neither a whole file nor a complete list of changes: write the whole new file, or <<<<<<< SEARCH … ======= … >>>>>>> REPLACE")

// edits reads a block that says what to change: search and replace pairs, or a unified diff.
func edits(s string) ([]protocol.Change, error) {
	if changes, ok := protocol.Changes(s); ok {
		return changes, nil
	}
	return nil, errNoEdit
}
