package lsp

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
)

// Malformed is where a JSON file is none since an edit, for which no server need be there; ok is false where it is one still, or was none before.
// A new one that has remarks may be of a kind that has them.
func Malformed(e Edit) (p Problem, ok bool) {
	if !strings.HasSuffix(e.Path, ".json") || json.Valid(e.After) || len(bytes.TrimSpace(e.After)) == 0 {
		return p, false
	}
	if len(e.Before) > 0 && !json.Valid(e.Before) || len(e.Before) == 0 && bytes.Contains(e.After, []byte("//")) {
		return p, false
	}
	var wrong *json.SyntaxError
	if err := json.Unmarshal(e.After, new(json.RawMessage)); !errors.As(err, &wrong) {
		return p, false
	}
	at := min(int(wrong.Offset), len(e.After))
	return Problem{e.Path, 1 + bytes.Count(bytes.TrimRight(e.After[:at], "\n"), []byte("\n")), wrong.Error()}, true
}
