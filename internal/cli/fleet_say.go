package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"nebula"
	"nebula/internal/fleet"
	"nebula/internal/headless"
	"nebula/internal/plan"
)

// heeds refuses what would mean nothing.
func (b *base) heeds(ctx context.Context, id string, w *fleet.Word) error {
	if w.Do == "approve" {
		return b.approves(ctx, id, w)
	}
	if !fleet.Words[w.Do] {
		return nil
	}
	s, err := b.engine.State(ctx, id)
	if err != nil {
		return fail(exitFailed, "%w", err)
	}
	i := slices.IndexFunc(s.Steps, func(x fleet.StepState) bool { return x.ID == w.Step })
	if i < 0 {
		return usage("%s has no step %s", id, w.Step)
	}
	if w.Do == "answer" && (s.Steps[i].Ask == nil || s.Steps[i].Status != fleet.Waits) {
		return usage("step %s asks nothing", w.Step)
	}
	if w.Do == "answer" {
		w.Key = s.Steps[i].Ask.Key
	}
	failed := s.Steps[i].Status == string(nebula.StageFailed)
	if ended(s.Status) || w.Do == "retry" && !failed || w.Do == "skip" && !failed && s.Steps[i].Status != fleet.Waits && s.Steps[i].Status != string(nebula.Pending) {
		return usage("nothing changes: step %s of %s is %s", w.Step, id, b.standing(s.Steps[i].Status))
	}
	return nil
}

// approves binds an approval to what was shown: the plan as it was handed over, and stands in the record.
func (b *base) approves(ctx context.Context, id string, w *fleet.Word) error {
	if strings.HasPrefix(id, fleet.ManyPrefix) {
		m, err := b.engine.StateMany(ctx, id)
		if err != nil {
			return fail(exitFailed, "%w", err)
		}
		if m.Status != fleet.Waits {
			return usage("%s does not wait for approval: it is %s", id, b.standing(m.Status))
		}
		return nil
	}
	s, err := b.engine.State(ctx, id)
	if err != nil {
		return fail(exitFailed, "%w", err)
	}
	if s.Approved != "" || ended(s.Status) {
		return usage("%s does not wait for approval: it is %s", id, b.standing(s.Status))
	}
	p, err := b.store.Plan(ctx, s.Order.Project, s.Order.Plan)
	if err != nil {
		return missing(err)
	}
	if w.Key = plan.Agreed(p); w.Key != s.Order.Agreed {
		return fail(exitFailed, "plan %s was changed since it was handed over; end this one with nebula fleet cancel %s, and hand it over again", p.ID, id)
	}
	return nil
}

// agreed prints what is approved with a plan.
func (b *base) agreed(ctx context.Context, o fleet.Order) error {
	p, err := b.store.Plan(ctx, o.Project, o.Plan)
	if err != nil {
		return missing(err)
	}
	if plan.Agreed(p) != o.Agreed {
		b.warn("plan %s was changed since it was handed over; this is how it stands now", p.ID)
	}
	text := plan.Markdown(p)
	for _, s := range p.Steps {
		for _, t := range s.Tasks {
			text += "\n" + s.ID + ": " + t.Operation + " " + string(t.Args) + "\n"
		}
	}
	_, err = fmt.Fprintln(b.out, "\n"+headless.Clean(text))
	return err
}
