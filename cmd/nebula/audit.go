package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"nebula"
	"nebula/internal/sqlite"
)

func (p *program) auditCommand() *cobra.Command {
	verify := false
	c := &cobra.Command{
		Use:               "audit [ID]",
		Short:             "Tell who did what, why, and on whose word",
		Long:              "Lists every action of a session, or of all sessions of this folder: when, what, how it ended, who allowed it, and the model's reason.",
		Example:           "  nebula audit\n  nebula audit 20260102 --verify",
		Args:              atMost(1),
		ValidArgsFunction: p.sessionIDs,
		RunE: func(c *cobra.Command, args []string) error {
			return p.audit(c.Context(), args, verify)
		},
	}
	c.Flags().BoolVar(&verify, "verify", false, "check that the record is what was written")
	return c
}

func (p *program) audit(ctx context.Context, args []string, verify bool) error {
	if len(args) == 1 {
		return p.withSession(ctx, args[0], func(store *sqlite.Store, info nebula.SessionInfo) error {
			return p.auditAll(ctx, store, []nebula.SessionInfo{info}, verify)
		})
	}
	return p.withStore(ctx, func(ctx context.Context, store *sqlite.Store, dir string) error {
		list, err := store.Sessions(ctx, dir)
		if err != nil {
			return err
		}
		return p.auditAll(ctx, store, list, verify)
	}, func() error { return nil })
}

func (p *program) auditAll(ctx context.Context, store *sqlite.Store, list []nebula.SessionInfo, verify bool) error {
	var first error
	for _, info := range list {
		if !verify {
			if err := p.auditOne(ctx, store, info.ID); err != nil {
				return err
			}
			continue
		}
		err := store.Verify(ctx, info.ID)
		var broken *sqlite.Broken
		switch {
		case err == nil:
			_, err = fmt.Fprintf(p.out, "%s  whole\n", info.ID)
		case errors.As(err, &broken):
			fmt.Fprintf(p.out, "%s  broken at event %d: %s\n", info.ID, broken.Seq, broken.Text)
			if first == nil {
				first = &exit{exitRecord, broken.Error() + "; the events before it are sound"}
			}
			continue
		}
		if err != nil {
			return err
		}
	}
	return first
}

func (p *program) auditOne(ctx context.Context, store *sqlite.Store, id string) error {
	a := auditor{out: p.out, session: id, reasons: map[string]string{}, by: map[string]string{}, what: map[string]string{}}
	for e, err := range store.Load(ctx, id) {
		if err != nil {
			return err
		}
		if err := a.line(e); err != nil {
			return err
		}
	}
	return nil
}

// An auditor follows the events of a session and writes a line for every action that ended.
type auditor struct {
	out     io.Writer
	session string
	reasons map[string]string
	what    map[string]string
	by      map[string]string
	gated   string // the action that waits at the gate
}

func (a *auditor) line(e nebula.Event) error {
	switch b := e.Body.(type) {
	case nebula.Proposed:
		id := b.Proposal.Action.ID
		a.what[id], a.reasons[id] = b.Proposal.Summary, b.Proposal.Action.Reason
		a.by[id] = "policy: " + b.Verdict.Why
	case nebula.Asked:
		a.gated = b.Action
	case nebula.Answered:
		if a.gated != "" {
			a.by[a.gated] = fmt.Sprintf("%s: %s %s", b.By, b.Answer, b.Text)
		}
	case nebula.Began:
		if b.By == "person" {
			a.by[b.Action] = fmt.Sprintf("person, grant %s", b.Grant)
		} else if b.Grant != "" {
			a.by[b.Action] = fmt.Sprintf("%s, grant %s", b.By, b.Grant)
		}
	case nebula.Finished:
		r := b.Result
		_, err := fmt.Fprintf(a.out, "%s  %s  %s  %s  %s  [%s]  %s\n", e.At.Local().Format("2006-01-02 15:04:05"), a.session, r.Action,
			r.Status, oneLine(r.Tool+" "+or(a.what[r.Action], r.Summary)), oneLine(a.by[r.Action]), oneLine(a.reasons[r.Action]))
		return err
	case nebula.Undone:
		word := "undo"
		if b.Redo {
			word = "redo"
		}
		_, err := fmt.Fprintf(a.out, "%s  %s  %s of turn %d  [person]  %d changes\n", e.At.Local().Format("2006-01-02 15:04:05"), a.session, word, b.Turn, len(b.Changes))
		return err
	}
	return nil
}

func or(text, instead string) string {
	if text == "" {
		return instead
	}
	return text
}
