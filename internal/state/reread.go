package state

import (
	"maps"
	"math"
	"slices"

	"nebula"
)

// rereads is how many looks at lines that were all shown before count once: a slice between two of them may well be wanted again.
const rereads = 3

// reread counts looks that show only lines that the model was shown before, with nothing new in between: a file that is read in ever other
// slices is one loop in the end. What was changed may be read anew.
func (w Watch) reread(a nebula.Action, r nebula.Result) Watch {
	if len(r.Changes) > 0 {
		w.shown, w.looked = nil, 0
		return w
	}
	if len(r.Seen) == 0 || r.Exit != nil {
		if w.Fresh {
			w.looked = 0
		}
		return w
	}
	w.shown = maps.Clone(w.shown)
	if w.shown == nil {
		w.shown = map[string][][2]int{}
	}
	fresh := false
	for _, f := range r.Seen {
		lines := f.Lines
		if len(lines) == 0 {
			lines = [][2]int{{1, math.MaxInt}}
		}
		for _, at := range lines {
			all, known := covering(w.shown[f.Path+"="+f.Hash], at)
			w.shown[f.Path+"="+f.Hash], fresh = all, fresh || !known
		}
	}
	if w.looked++; fresh {
		w.looked = 0
	}
	if n := w.looked / rereads; n > w.Repeats {
		w.Repeats, w.What = n, named(a, r)
	}
	return w
}

// covering are some runs of lines with another one, and whether all of it was in them.
func covering(all [][2]int, at [2]int) (_ [][2]int, known bool) {
	var out [][2]int
	for _, o := range all {
		known = known || o[0] <= at[0] && at[1] <= o[1]
		if o[1] < at[0]-1 || at[1] != math.MaxInt && o[0] > at[1]+1 {
			out = append(out, o)
			continue
		}
		at = [2]int{min(o[0], at[0]), max(o[1], at[1])}
	}
	return slices.Clip(append(out, at)), known
}
