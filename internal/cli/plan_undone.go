package cli

import (
	"context"
	"slices"
	"strings"

	"nebula"
	"nebula/internal/lists"
	"nebula/internal/plan"
	"nebula/internal/state"
)

// reopened has the steps of a plan done anew that are completed and whose changes were taken back since, or of those the one that is
// to be run, and says so.
func (p *program) reopened(ctx context.Context, store nebula.Store, dir string, found nebula.Plan, only string) (nebula.Plan, error) {
	steps, err := undoneSteps(ctx, store, dir, found)
	if i, failed := plan.Find(found, only); only != "" && failed == nil {
		steps = lists.Drop(steps, func(id string) bool { return id != found.Steps[i].ID })
	}
	if err != nil || len(steps) == 0 {
		return found, err
	}
	found, err = edited(ctx, store, dir, found.ID, "pending", func(was nebula.Plan) (_ nebula.Plan, err error) {
		for _, id := range steps {
			if was, err = plan.Retry(id)(was); err != nil {
				break
			}
		}
		return was, err
	})
	if err == nil {
		p.warn("what they changed was undone, so they are done anew: %s", strings.Join(steps, ", "))
	}
	return found, err
}

// undoneSteps are the completed steps of a plan of whose changes nothing stands, as the session tells that heard of them and was
// used last.
func undoneSteps(ctx context.Context, store nebula.Store, dir string, p nebula.Plan) (steps []string, err error) {
	open := map[string]string{} // steps by the sessions in which they changed files
	for _, s := range p.Steps {
		if s.Status == nebula.Completed && s.Changing() != "" {
			open[s.Changing()] = s.ID
		}
	}
	list, err := store.AllSessions(ctx, dir)
	for _, info := range list {
		if err != nil || len(open) == 0 {
			break
		}
		if info.Last.Before(p.Made) {
			continue
		}
		var gone map[string]bool
		gone, err = goneOf(ctx, store, info.ID)
		for session, all := range gone {
			if id := open[session]; all && id != "" {
				steps = append(steps, id)
			}
			delete(open, session)
		}
	}
	slices.Sort(steps)
	return steps, err
}

// goneOf tells of the sessions of whose changes a session knows, its own among them, whether all that it knows was taken back.
func goneOf(ctx context.Context, store nebula.Store, id string) (map[string]bool, error) {
	s := state.New()
	turns := map[int]map[string]bool{}
	for e, err := range store.Load(ctx, id) {
		if err != nil {
			return nil, err
		}
		s.Apply(e)
		of := ""
		switch b := e.Body.(type) {
		case nebula.Reported:
			of = b.Session
		case nebula.Stepped:
			if len(b.Changes) > 0 {
				of = b.Step.Changing()
			}
		case nebula.Finished:
			of = id
		}
		if turns[s.Turn.Number] == nil {
			turns[s.Turn.Number] = map[string]bool{}
		}
		turns[s.Turn.Number][of] = true
	}
	gone := map[string]bool{}
	for _, t := range s.Journal {
		for session := range turns[t.Turn] {
			before, known := gone[session]
			gone[session] = (before || !known) && t.Undone && len(t.Changes) == 0
		}
	}
	delete(gone, "")
	return gone, nil
}
