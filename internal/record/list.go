package record

import (
	"strings"
	"time"

	"nebula"
	"nebula/internal/lists"
)

// HeldFor is how long contents are kept that no event names yet: their writer is between keeping and recording.
const HeldFor = time.Hour

// Talks is how many conversations are remembered.
const Talks = 5

// Newest puts sessions in the order of a list: the one used last first.
func Newest(list []nebula.SessionInfo) {
	lists.Sort(list, func(a, b nebula.SessionInfo) int {
		if c := b.Last.Compare(a.Last); c != 0 {
			return c
		}
		return strings.Compare(b.ID, a.ID)
	})
}

// Step reports whether nobody talks in a session.
//
//go:noinline
func Step(id string) bool { return strings.HasPrefix(id, nebula.StepPrefix) }

// Talked reports whether a session is remembered as a conversation.
func Talked(id string) bool { return !Step(id) && !strings.HasPrefix(id, nebula.PlanPrefix) }

// Pick chooses from the first few sessions, in the order of their ids, whose ids begin with one.
func Pick(id string, found []nebula.SessionInfo) (nebula.SessionInfo, error) {
	switch {
	case id == "" || len(found) == 0:
		return nebula.SessionInfo{}, nebula.Errorf("%w: %q", nebula.ErrNoSession, id)
	case len(found) == 1 || found[0].ID == id:
		return found[0], nil
	}
	a := &nebula.Ambiguous{Prefix: id}
	for _, f := range found[:min(len(found), PickFrom)] {
		a.IDs = append(a.IDs, f.ID)
	}
	return nebula.SessionInfo{}, a
}

// PickFrom is how many sessions are enough for [Pick].
const PickFrom = 5

// PickPlan is the id of the plan that a unique prefix names, the newest for none.
func PickPlan(id string, newestFirst []string) (string, error) {
	if lists.Has(newestFirst, id) {
		return id, nil
	}
	var found []string
	for _, have := range newestFirst {
		if strings.HasPrefix(have, id) {
			found = append(found, have)
		}
	}
	switch {
	case len(found) == 0 && id == "":
		return "", nebula.ErrNoPlan
	case len(found) == 0:
		return "", nebula.Errorf("%w: %s", nebula.ErrNoPlan, id)
	case len(found) > 1 && id != "":
		return "", nebula.Errorf("%w: %s begins the ids of several", nebula.ErrNoPlan, id)
	}
	return found[0], nil
}

// PlanLine is a plan's line in the list.
func PlanLine(p nebula.Plan) nebula.PlanInfo {
	info := nebula.PlanInfo{ID: p.ID, Name: p.Name, Status: p.Status, Steps: len(p.Steps), Changed: p.Changed.UTC()}
	for i := range p.Steps {
		if s := p.Steps[i].Status; s == nebula.Completed || s == nebula.StageSkipped {
			info.Done++
		}
	}
	return info
}
