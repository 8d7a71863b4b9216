package insight

import (
	"strings"

	"nebula"
	"nebula/internal/lists"
)

// A Rate is how one kind of work ended, as often as it was tried: actions by their tools, requests and steps of plans.
type Rate struct {
	Kind    string `json:"kind"`
	Done    int    `json:"done"`
	Failed  int    `json:"failed"`
	Refused int    `json:"refused,omitempty"` // or not tried: they are no failure
}

// Share is the part of what was tried that succeeded.
func (r Rate) Share() float64 { return float64(r.Done) / float64(max(1, r.Done+r.Failed)) }

// Kinds of work that are no tool's.
const (
	Requests  = "requests"
	PlanSteps = "plan steps"
)

// Rates counts events of sessions, in any order.
type Rates struct{ kinds map[string]*Rate }

// Take counts an event. Requests of sessions that carry out a step are not the person's.
func (r *Rates) Take(session string, e nebula.Event) {
	switch b := e.Body.(type) {
	case nebula.Finished:
		r.count(b.Result.Tool, b.Result.Status == nebula.Done, b.Result.Status == nebula.Failed)
	case nebula.Stepped:
		if over := b.Step.Status == nebula.Completed || b.Step.Status == nebula.StageFailed; over {
			r.count(PlanSteps, b.Step.Status == nebula.Completed, true)
		}
	case nebula.Ended:
		if !strings.HasPrefix(session, nebula.StepPrefix) && !strings.HasPrefix(session, nebula.PlanPrefix) {
			s := b.Outcome.Status
			r.count(Requests, s == nebula.TurnDone, s == nebula.TurnUnchecked || s == nebula.TurnFailed || s == nebula.LimitReached || s == nebula.APIFailed)
		}
	}
}

//go:noinline
func (r *Rates) count(kind string, done, failed bool) {
	if kind == "" {
		return
	}
	if r.kinds == nil {
		r.kinds = map[string]*Rate{}
	}
	of := r.kinds[kind]
	if of == nil {
		of = &Rate{Kind: kind}
		r.kinds[kind] = of
	}
	switch {
	case done:
		of.Done++
	case failed:
		of.Failed++
	default:
		of.Refused++
	}
}

// List is what was counted, what was done most often first.
func (r *Rates) List() (list []Rate) {
	for _, of := range r.kinds {
		list = append(list, *of)
	}
	lists.Sort(list, func(a, b Rate) int {
		if n := b.Done + b.Failed - a.Done - a.Failed; n != 0 {
			return n
		}
		return strings.Compare(a.Kind, b.Kind)
	})
	return list
}
