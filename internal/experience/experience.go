// Package experience is what a folder's earlier turns taught: what was tried for a request, what of it failed and what worked
// (Duckflow v3 §3.1). It holds names of files and command lines, never what stands in a file or what a command printed. It is pure.
package experience

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"nebula"
	"nebula/internal/gate"
	"nebula/internal/lists"
	"nebula/internal/phrase"
)

// An Experience is one turn in short.
type Experience struct {
	ID      int64            `json:"id,omitempty"` // by which it is forgotten
	At      time.Time        `json:"at"`
	Session string           `json:"session"`
	Turn    int              `json:"turn"`
	Request string           `json:"request"`
	Ended   nebula.EndStatus `json:"ended"`
	Failed  []string         `json:"failed,omitempty"` // commands, or tools and their files
	Worked  []string         `json:"worked,omitempty"`
}

// Bounds of an experience, in characters and entries.
const (
	requestLimit = 120
	lineLimit    = 80
	tries        = 3
	// Kept is how many experiences a folder keeps, and fades after how long one goes that says of no way that works.
	Kept  = 200
	fades = 180 * 24 * time.Hour
)

// May reports whether a turn can have taught something, whatever it was about.
func May(o nebula.Outcome) bool {
	return o.Status != nebula.TurnDone || len(o.ChangedFiles) > 0 || slices.ContainsFunc(o.Actions, func(a nebula.ActionLine) bool { return a.Status == nebula.Failed })
}

// Of is what a turn taught; ok says that it is worth keeping: something failed in it, it came to no end, or what it changed was
// found to be right. What looks like a secret makes it none, and what came behind a refusal has not worked: it may be a way around it.
func Of(request string, o nebula.Outcome) (e Experience, ok bool) {
	e = Experience{Session: o.Session, Turn: o.Turn, Request: phrase.OneLine(request, requestLimit), Ended: o.Status}
	ran, refused := false, false
	for _, a := range o.Actions {
		what := tried(a)
		switch {
		case a.Status == nebula.Denied || a.Dropped > 0:
			refused = true
		case what == "" || gate.Confidential(what):
		case a.Status == nebula.Failed:
			e.Failed = added(e.Failed, what)
		case a.Status == nebula.Done && !refused:
			ran = ran || command(a) != ""
			e.Worked = added(e.Worked, what)
		}
	}
	e.Failed = lists.Drop(e.Failed, func(what string) bool { return lists.Has(e.Worked, what) })
	ended := o.Status.Did() || o.Status == nebula.TurnFailed || o.Status == nebula.LimitReached
	checked := ran && len(o.ChangedFiles) > 0
	ok = ended && e.Request != "" && !gate.Confidential(request) && (len(e.Failed) > 0 || o.Status != nebula.TurnDone || checked)
	return e, ok
}

// tried is an action in a few words: its command, or its tool and file where it changes one.
func tried(a nebula.ActionLine) string {
	if line := command(a); line != "" {
		return phrase.OneLine(line, lineLimit)
	}
	var in struct {
		Path       string
		Content    json.RawMessage
		NewContent json.RawMessage `json:"new_content"`
		Edits      json.RawMessage
	}
	if json.Unmarshal(a.Args, &in) != nil || in.Path == "" || len(in.Content)+len(in.NewContent)+len(in.Edits) == 0 {
		return ""
	}
	return phrase.OneLine(a.Tool+" "+in.Path, lineLimit)
}

//go:noinline
func command(a nebula.ActionLine) string {
	var in struct{ Command string }
	if json.Unmarshal(a.Args, &in) != nil {
		return ""
	}
	return in.Command
}

// added keeps the last few, each once.
func added(list []string, what string) []string {
	list = append(lists.Drop(list, func(l string) bool { return l == what }), what)
	return list[max(0, len(list)-tries):]
}

// Words are an experience as a line.
func (e Experience) Words() nebula.Words {
	request := phrase.OneLine(e.Request, requestLimit)
	failed, worked := strings.Join(e.Failed, "; "), strings.Join(e.Worked, "; ")
	switch {
	case failed != "" && worked != "":
		return nebula.Say("“%s”: failed: %s · worked: %s", request, failed, worked)
	case failed != "":
		return nebula.Say("“%s”: failed: %s", request, failed)
	case worked != "" && e.Ended == nebula.TurnDone:
		return nebula.Say("“%s”: worked: %s", request, worked)
	}
	return nebula.Say("“%s”: came to no end", request)
}

// weight is how much an experience teaches: what failed with what worked instead, what failed, what worked, that nothing came of it.
//
//go:noinline
func (e Experience) weight() int {
	switch {
	case len(e.Failed) > 0 && len(e.Worked) > 0:
		return 3
	case len(e.Failed) > 0:
		return 2
	case len(e.Worked) > 0 && e.Ended == nebula.TurnDone:
		return 1
	}
	return 0
}

// Leaving are those of all, the oldest first, that go where another one comes: what the same request taught before, failures that have
// all worked since, what has faded, and, where there is no room, what teaches least and of that the oldest.
func Leaving(all []Experience, e Experience) (leaving []Experience) {
	var rest []Experience
	for _, old := range all {
		outdated := len(old.Failed) > 0 && !slices.ContainsFunc(old.Failed, func(what string) bool { return !lists.Has(e.Worked, what) })
		if old.Request == e.Request || outdated || old.weight() < 3 && e.At.Sub(old.At) > fades {
			leaving = append(leaving, old)
		} else {
			rest = append(rest, old)
		}
	}
	lists.Sort(rest, func(a, b Experience) int { return cmp.Compare(a.weight(), b.weight()) })
	return append(leaving, rest[:max(0, len(rest)+1-Kept)]...)
}

// alike is how many words two requests share that are like each other.
const alike = 2

// Like are the experiences that are most like a request, the most like it first, at most n; none that is not like it.
func Like(request string, all []Experience, n int) []Experience {
	type found struct {
		Experience
		score float64
	}
	asked := phrase.About(request)
	known := map[string]int{}
	for _, e := range all {
		for w := range phrase.About(e.Request) {
			known[w]++
		}
	}
	var like []found
	for _, e := range all {
		same, score := 0, 0.0
		for w := range phrase.About(e.Request) {
			if asked[w] {
				same++
				score += 1 / float64(1+known[w])
			}
		}
		if same >= alike || same > 0 && same == min(len(asked), len(phrase.About(e.Request))) {
			like = append(like, found{e, score})
		}
	}
	lists.Sort(like, func(a, b found) int {
		return cmp.Or(cmp.Compare(b.score, a.score), b.At.Compare(a.At))
	})
	var out []Experience
	for _, f := range like {
		said := func(o Experience) bool { return lists.Equal(o.Failed, f.Failed) && lists.Equal(o.Worked, f.Worked) }
		if len(out) < n && !slices.ContainsFunc(out, said) {
			out = append(out, f.Experience)
		}
	}
	return out
}
