package state

import (
	"path"
	"slices"
	"strings"

	"nebula"
	"nebula/internal/lists"
)

// unmakes takes in what a result did not make, and what it made of that. Who read that a change failed, and made another, took another
// way; what a call that could not be read was to do is made by that alone.
func (t *Turn) unmakes(a nebula.Action, r nebula.Result) {
	what, other := r.Unmade, len(r.Changes)+len(r.Lost) > 0
	if a.Problem != "" && what == r.Tool {
		what += "()"
	}
	t.Unmade = lists.Drop(lists.Clone(t.Unmade), func(old string) bool {
		// What stands behind a call in its reply is not that call again; in a text it may be what the reader made of its other half.
		another := t.Native && strings.HasSuffix(old, "()") && lists.Has(t.now, old)
		return old == what || what == "" && !another && Makes(r, old) || other && lists.Has(t.read, old)
	})
	if what == "" {
		return
	}
	t.Unmade = append(t.Unmade, what)
	if a.Problem != "" {
		t.torn, t.now = append(slices.Clip(t.torn), what), append(slices.Clip(t.now), what)
	}
}

// Makes reports whether a result makes what was not made: the file, some file in the folder, or a call of the tool.
//
//go:noinline
func Makes(r nebula.Result, what string) bool {
	if tool, is := strings.CutSuffix(what, "()"); is || what == r.Tool {
		return r.Status == nebula.Done && r.Tool == tool
	}
	what = "/" + strings.TrimLeft(path.Clean(what), "./")
	made := lists.Clone(r.Lost)
	for _, c := range r.Changes {
		made = append(made, c.Path)
	}
	for _, file := range made {
		if file = "/" + strings.TrimLeft(file, "./"); what == "/" || strings.HasSuffix(what, file) || strings.HasSuffix(file, what) || strings.HasPrefix(file, what+"/") {
			return true
		}
	}
	return false
}

// Untold is what was to be changed and was not, and of which an answer does not say so.
//
//go:noinline
func (t *Turn) Untold(say string) []string {
	return lists.Drop(lists.Clone(t.Unmade), func(what string) bool { return TellsUnmade(say, what) })
}
