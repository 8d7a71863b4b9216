package protocol

import (
	"bytes"
	"fmt"
	"strings"

	"nebula"
	"nebula/internal/phrase"
)

// patchIn reads a call that has a patch as its one text, as the call of the tool that changes, adds or deletes the file in it:
// what some models are taught as a tool of that name, or as a command.
func patchIn(a nebula.Action, tools []nebula.ToolSpec) (Call, bool) {
	const begin, name = "*** Begin Patch", "apply_patch"
	if !bytes.Contains(a.Args, []byte(begin)) {
		return Call{}, false
	}
	said := phrase.Texts(a.Args)
	spec, known := Find(a.Tool, tools)
	if fold(bareName(a.Tool)) != fold(name) && !(known && spec.Effect == nebula.Execute && strings.HasPrefix(strings.TrimSpace(said[0]), name)) {
		return Call{}, false
	}
	for _, s := range said {
		_, patch, ok := strings.Cut(s, begin+"\n")
		if !ok {
			continue
		}
		calls, _, ok := applyPatch(patch, tools)
		switch {
		case !ok:
			return Call{Name: "patch", Wrong: "the patch could not be read, so nothing of it was done."}, true
		case len(calls) > 1:
			return Call{Name: "patch", Wrong: fmt.Sprintf("a call changes one file here, and the patch has %d, so nothing of it was done. Make a call for each.", len(calls))}, true
		}
		return calls[0], true
	}
	return Call{}, false
}
