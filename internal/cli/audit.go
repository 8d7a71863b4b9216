package cli

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"nebula"
	"nebula/internal/config"
	"nebula/internal/lists"
	"nebula/internal/record"
)

func (p *program) auditCommand() *cobra.Command {
	verify, output := false, "text"
	c := &cobra.Command{
		Use:   "audit [ID]",
		Short: "Tell who did what, why, and on whose word",
		Long: "Lists every action of a session, or of all sessions of this folder, the steps of plans included: who asked for it and why, what policy said, who\n" +
			"allowed or refused it, how it ended, and the hashes of the files before and after. A summary of the approvals ends it.",
		Example:           "  nebula audit\n  nebula audit 20260102 --verify\n  nebula audit --output json",
		Args:              atMost(1),
		ValidArgsFunction: p.sessionIDs,
		RunE: func(c *cobra.Command, args []string) error {
			if err := choice("output", output, []string{"text", "json"}); err != nil {
				return err
			}
			return p.audit(c.Context(), args, verify, output)
		},
	}
	c.Flags().BoolVar(&verify, "verify", false, "check that the record is what was written")
	oneOf(c, &output, "output", "o", "text", "what goes to standard output", "text", "json")
	return c
}

func (p *program) audit(ctx context.Context, args []string, verify bool, output string) error {
	do := p.report
	if verify {
		do = p.verify
		if err := p.gone(output); err != nil {
			return err
		}
	}
	if len(args) == 1 {
		return p.withSession(ctx, args[0], func(store nebula.Store, info nebula.SessionInfo) error {
			list, err := withSteps(ctx, store, info)
			if err != nil {
				return err
			}
			err = do(ctx, store, list, output)
			if verify && err == nil {
				err = p.elsewhere(ctx, store, list, output)
			}
			return err
		})
	}
	return p.withStore(ctx, func(ctx context.Context, store nebula.Store, dir string) error {
		list, err := store.AllSessions(ctx, dir)
		if err != nil {
			return err
		}
		if verify {
			strays, err := record.Auditor{Store: store}.Strays(ctx, dir)
			if err != nil {
				return err
			}
			list = append(list, strays...)
		}
		err = do(ctx, store, list, output)
		if verify {
			err = errors.Join(err, p.missing(ctx, store, output), p.elsewhere(ctx, store, nil, output), p.beside(ctx, store, output))
		}
		return err
	}, func() error { return nil })
}

// withSteps is a session with those in which the steps of its plans were carried out.
func withSteps(ctx context.Context, store nebula.Store, info nebula.SessionInfo) ([]nebula.SessionInfo, error) {
	list, known := []nebula.SessionInfo{info}, map[string]bool{"": true, info.ID: true}
	for e, err := range store.Load(ctx, info.ID) {
		if err != nil {
			return list, nil // whoever reads it tells
		}
		id := ""
		switch b := e.Body.(type) {
		case nebula.Stepped:
			id = b.Step.Session
		case nebula.Queued:
			id = b.Session
		case nebula.Reported:
			id = b.Session
		}
		if known[id] {
			continue
		}
		known[id] = true
		step, err := store.Find(ctx, id)
		if errors.Is(err, nebula.ErrNoSession) {
			continue // it was removed
		}
		if err != nil {
			return nil, err
		}
		list = append(list, step)
	}
	return list, nil
}

// report writes every action, and what the approvals add up to.
func (p *program) report(ctx context.Context, store nebula.Store, list []nebula.SessionInfo, output string) error {
	all := approvals{}
	enc := json.NewEncoder(p.out)
	for _, info := range list {
		a := newAuditor(info.ID, config.Lang(p.env, langFlag(p.args)))
		for e, err := range store.Load(ctx, info.ID) {
			if err != nil {
				return err
			}
			entry, ok := a.take(e)
			if !ok {
				continue
			}
			all.add(entry)
			var err error
			if output == "json" {
				err = enc.Encode(entry)
			} else {
				_, err = fmt.Fprint(p.out, entry.text(p.tongue()))
			}
			if err != nil {
				return err
			}
		}
	}
	if output == "json" {
		return enc.Encode(struct {
			Approvals approvals `json:"approvals"`
		}{all})
	}
	_, err := fmt.Fprint(p.out, all.text(p.tongue()))
	return err
}

// A verdict of the chain, as --output json prints it.
type checked struct {
	Session string `json:"session"`
	Whole   bool   `json:"whole"`
	Seq     int64  `json:"seq,omitempty"` // the first event that does not fit
	Problem string `json:"problem,omitempty"`
}

// verify checks the sessions' chains and what they refer to. All are checked, also when one is broken.
func (p *program) verify(ctx context.Context, store nebula.Store, list []nebula.SessionInfo, output string) error {
	audit, first := p.auditor(store)
	if first != nil {
		return first
	}
	unnoted := 0
	for _, info := range list {
		if end, err := store.Head(ctx, info.ID); err == nil && end.Seq > 0 && !audit.Noted(info.ID) {
			unnoted++
		}
		c, problem := checked{Session: info.ID, Whole: true}, nebula.Words{}
		err := audit.Whole(ctx, info.ID)
		var broken *nebula.Broken
		if errors.As(err, &broken) {
			c, err = checked{info.ID, false, broken.Seq, broken.Text.String()}, nil
			problem = broken.Text
			if first == nil {
				first = fail(exitRecord, "%w; the events before it are sound", broken)
			}
		}
		if err == nil {
			err = p.found(c, problem, output)
		}
		if err != nil {
			return err
		}
	}
	if unnoted > 0 {
		first = cmp.Or(first, p.unnoted(unnoted))
	}
	return first
}

// unnoted tells of sessions whose ends are noted nowhere. The notes of a record that is shared lie where each session was written.
func (p *program) unnoted(n int) error {
	sessions := many(n, "%d session has", "%d sessions have")
	c, err := p.here()
	switch {
	case err != nil:
		return err
	case c.RecordURL.Set():
		p.warn("%s no note on this machine of where it ends: it was written on another, or whether it was cut cannot be told", sessions)
		return nil
	}
	return fail(exitRecord, "%s no note beside the record of where it ends, so whether it was cut cannot be told; put the notes back into %s from a copy: they were removed, or the record came here without them", sessions, c.Home.Heads())
}

func (p *program) found(c checked, problem nebula.Words, output string) (err error) {
	switch {
	case output == "json":
		err = json.NewEncoder(p.out).Encode(c)
	case c.Whole:
		_, err = fmt.Fprintln(p.out, p.say("%s  whole", c.Session))
	default:
		_, err = fmt.Fprintln(p.out, p.say("%s  broken at event %d: %s", c.Session, c.Seq, problem))
	}
	return err
}

// elsewhere tells of sessions that are not what was noted in the file elsewhere; of all for a nil list.
func (p *program) elsewhere(ctx context.Context, store nebula.Store, list []nebula.SessionInfo, output string) (first error) {
	audit, err := p.auditor(store)
	if err != nil {
		return err
	}
	faults, err := audit.Elsewhere(ctx)
	if err != nil {
		return fail(exitRecord, "%w", err)
	}
	for _, b := range faults {
		if list != nil && !slices.ContainsFunc(list, func(s nebula.SessionInfo) bool { return s.ID == b.Session }) {
			continue
		}
		if err := p.found(checked{b.Session, false, b.Seq, b.Text.String()}, b.Text, output); err != nil {
			return err
		}
		first = cmp.Or(first, fail(exitRecord, "%w", b))
	}
	return first
}

// beside tells of counts and notes that are not what was noted of them.
func (p *program) beside(ctx context.Context, store nebula.Store, output string) error {
	audit, err := p.auditor(store)
	if err != nil {
		return err
	}
	faults, err := audit.Beside(ctx)
	if err != nil || len(faults) == 0 {
		return err
	}
	for _, w := range faults {
		if output == "json" {
			err = json.NewEncoder(p.out).Encode(checked{Problem: w.String()})
		} else {
			_, err = fmt.Fprintln(p.out, p.say("%s", w))
		}
		if err != nil {
			return err
		}
	}
	return fail(exitRecord, "%s", faults[0])
}

// auditor compares the record with the notes of where sessions end.
func (p *program) auditor(store nebula.Store) (record.Auditor, error) {
	c, err := p.here()
	return record.Auditor{Store: store, Heads: heads(c)}, err
}

// heads are the notes of where sessions end, outside of the record.
func heads(c config.Config) record.Heads {
	place := c.Home.Database()
	if c.RecordURL.Set() {
		place = recordName(c.RecordURL.Reveal())
	}
	return record.NewHeads(c.Home.Heads(), c.Heads, place)
}

// missing tells of sessions that were written and are not in the record at all.
func (p *program) missing(ctx context.Context, store nebula.Store, output string) error {
	audit, err := p.auditor(store)
	if err != nil {
		return err
	}
	ids, err := audit.Missing(ctx)
	if err != nil {
		return err
	}
	c, err := p.here()
	if err != nil {
		return err
	}
	return p.lacking(ids, output, c.RecordURL.Set())
}

// gone tells of sessions that were written where there is no record at all.
func (p *program) gone(output string) error {
	home, err := config.FindHome(p.env)
	if err != nil || exists(config.Config{Home: home}) {
		return nil // whoever loads the settings tells
	}
	c, err := p.here()
	if err != nil {
		c = config.Config{Home: home}
	}
	if exists(c) { // on a server
		return nil
	}
	notes := heads(c)
	ids := append(notes.Sessions(), notes.Elsewhere()...)
	slices.Sort(ids)
	return p.lacking(lists.Compact(ids), output, false)
}

// lacking tells of them. Of a record that a team shares nobody is shown what lies with another team, or with the login from before
// it was in one.
func (p *program) lacking(ids []string, output string, shared bool) (err error) {
	if len(ids) == 0 {
		return nil
	}
	for _, id := range ids {
		if output == "json" {
			err = json.NewEncoder(p.out).Encode(checked{Session: id, Problem: p.say("it was written, and is not in the record any more")})
		} else {
			_, err = fmt.Fprintln(p.out, p.say("%s  missing: it was written, and is not in the record any more", id))
		}
		if err != nil {
			return err
		}
	}
	if shared {
		return fail(exitRecord, "%s missing from the part of the record that this login is shown; it was cut, an older copy was put in its place, or the login came into another team since (nebula.members)", many(len(ids), "%d session is", "%d sessions are"))
	}
	return fail(exitRecord, "%s missing from the record; it was cut, or an older copy was put in its place", many(len(ids), "%d session is", "%d sessions are"))
}
