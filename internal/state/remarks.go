package state

import (
	"encoding/json"
	"strings"

	"nebula"
	"nebula/internal/lazy"
)

// remarksOnly reports whether an edit leaves all but the remarks of a file as it was. It is work like any other, but what failed before it
// fails after it: it is no step on from there.
func remarksOnly(a nebula.Action, r nebula.Result) bool {
	if len(r.Changes) != 1 || r.Changes[0].Kind != "edit" {
		return false
	}
	type edit struct{ Old, New string }
	var args struct {
		edit
		Edits []edit
	}
	if json.Unmarshal(a.Args, &args) != nil {
		return false
	}
	edits := args.Edits
	if args.Old+args.New != "" {
		edits = append(edits, args.edit)
	}
	for _, e := range edits {
		if code(e.Old) != code(e.New) {
			return false
		}
	}
	return len(edits) > 0
}

// code are a text's lines without those that are empty or a remark, and without the remark at the end of a line.
func code(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(remark.For(line).ReplaceAllString(line, ""))
		if line != "" {
			b.WriteString(line + "\n")
		}
	}
	return b.String()
}

// remark is one as most languages write it. A # without a space behind it may be a directive or a colour.
var remark = &lazy.Pattern{X: `(?:^|\s)(?://|#(?:\s|$)|--\s|;;|/\*|\*\s|\*/|<!--).*$`}
