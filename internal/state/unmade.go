package state

import (
	"path"
	"slices"
	"strings"

	"nebula"
	"nebula/internal/lists"
)

// An Unmade change is one that failed: of a file, or what a tool does whose call could not be read, as name().
type Unmade struct {
	What string
	Torn bool // its call could not be read: nothing but itself makes it
	step int
}

// unmakes takes in what a result did not make, and what it made of that. Who read that a change failed, and made another, took another way.
func (t *Turn) unmakes(a nebula.Action, r nebula.Result) {
	torn := a.Problem != ""
	what := r.Unmade
	if torn && what == r.Tool {
		what += "()"
	}
	other := len(r.Changes)+len(r.Lost) > 0
	t.Unmade = lists.Drop(slices.Clone(t.Unmade), func(old Unmade) bool {
		return old.What == what || r.Unmade == "" && Makes(r, old.What) || other && !old.Torn && old.step != t.Step
	})
	if what != "" {
		t.Unmade = append(t.Unmade, Unmade{what, torn, t.Step})
	}
}

// Makes reports whether a result makes what was not made: the file, some file in the folder, or a call of the tool.
func Makes(r nebula.Result, what string) bool {
	if tool, is := strings.CutSuffix(what, "()"); is || what == r.Tool {
		return r.Status == nebula.Done && r.Tool == tool
	}
	what = "/" + strings.Trim(strings.ReplaceAll(path.Clean(what), "../", ""), "/") + "/"
	made := slices.Clone(r.Lost)
	for _, c := range r.Changes {
		made = append(made, c.Path)
	}
	return slices.ContainsFunc(made, func(file string) bool {
		file = "/" + strings.Trim(file, "/") + "/"
		return what == "/./" || strings.HasPrefix(file, what) || strings.HasSuffix(what, file) || strings.HasSuffix(file, what)
	})
}

// Untold is what was to be changed and was not, and of which an answer does not say so.
func (t Turn) Untold(say string) (what []string) {
	for _, u := range t.Unmade {
		if !TellsUnmade(say, u.What) {
			what = append(what, u.What)
		}
	}
	return what
}
