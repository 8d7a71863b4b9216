package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"nebula"
	"nebula/internal/insight"
)

// rates tells how often each kind of work in the folder succeeded, over all its sessions.
func (p *program) rates(ctx context.Context, output string) error {
	write := p.writeRates
	if output == "json" {
		write = func(list []insight.Rate) error {
			return json.NewEncoder(p.out).Encode(append([]insight.Rate{}, list...))
		}
	}
	return p.withStore(ctx, func(ctx context.Context, store nebula.Store, dir string) error {
		list, err := store.AllSessions(ctx, dir)
		if err != nil {
			return err
		}
		var r insight.Rates
		for _, s := range list {
			for e, err := range store.Load(ctx, s.ID) {
				if err != nil {
					break // what is damaged says nothing; others tell of it
				}
				r.Take(s.ID, e)
			}
		}
		return write(r.List())
	}, func() error { return write(nil) })
}

func (p *program) writeRates(list []insight.Rate) error {
	t := table{}
	t.row(strings.Split(p.say("kind|done|failed|refused|succeeded"), "|")...)
	for _, r := range list {
		kind := r.Kind
		if kind == insight.Requests || kind == insight.PlanSteps {
			kind = p.say(kind)
		}
		t.row(kind, strconv.Itoa(r.Done), strconv.Itoa(r.Failed), strconv.Itoa(r.Refused), fmt.Sprintf("%.0f %%", 100*r.Share()))
	}
	return t.print(p.out)
}
