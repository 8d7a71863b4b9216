package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"nebula"
	"nebula/internal/headless"
	"nebula/internal/sqlite"
)

func (p *program) sessionsCommand() *cobra.Command {
	l := &listing{program: p}
	root := group(&cobra.Command{
		Use:     "sessions",
		Short:   "List, show, export and remove sessions of this folder",
		Example: "  nebula sessions --all\n  nebula sessions show 20260102\n  nebula sessions export 20260102 > session.jsonl",
	}, l.list)
	l.flags(root)
	list := &cobra.Command{Use: "list", Short: "List sessions, the last used first", Args: atMost(0), RunE: l.list}
	l.flags(list)
	ids := func(c *cobra.Command) *cobra.Command { c.ValidArgsFunction = p.sessionIDs; return c }
	root.AddCommand(list,
		ids(&cobra.Command{Use: "show ID", Short: "Show a session's conversation", Args: exactly(1, "a session's ID"), RunE: p.showSession}),
		ids(&cobra.Command{Use: "export ID", Short: "Write a session's events as JSON, one a line", Args: exactly(1, "a session's ID"), RunE: p.exportSession}),
		ids(&cobra.Command{Use: "rm ID", Short: "Remove a session and what only it holds", Args: exactly(1, "a session's ID"), RunE: p.removeSession}),
	)
	return root
}

// A listing is the list of sessions with its flags.
type listing struct {
	*program
	all, json bool
}

func (l *listing) flags(c *cobra.Command) {
	c.Flags().BoolVarP(&l.all, "all", "a", false, "every folder's sessions")
	c.Flags().BoolVar(&l.json, "json", false, "as JSON, one session a line")
}

func (l *listing) list(c *cobra.Command, _ []string) error {
	return l.withStore(c.Context(), func(ctx context.Context, store *sqlite.Store, dir string) error {
		if l.all {
			dir = ""
		}
		list, err := store.Sessions(ctx, dir)
		if err != nil {
			return err
		}
		return l.write(list)
	}, func() error { return l.write(nil) })
}

func (l *listing) write(list []nebula.SessionInfo) error {
	if l.json {
		enc := json.NewEncoder(l.out)
		enc.SetEscapeHTML(false)
		for _, s := range list {
			if err := enc.Encode(s); err != nil {
				return err
			}
		}
		return nil
	}
	if len(list) == 0 {
		where := "in this folder; --all lists every folder's"
		if l.all {
			where = "yet; nebula run \"…\" begins one"
		}
		_, err := fmt.Fprintln(l.err, "no sessions "+where)
		return err
	}
	w := tabwriter.NewWriter(l.out, 0, 8, 2, ' ', 0)
	for _, s := range list {
		place := ""
		if l.all {
			place = s.Dir + "\t"
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%d\t%s%s\n", s.ID, when(s.Last), s.Model, s.Messages, place, title(s.Title))
	}
	return w.Flush()
}

func when(t time.Time) string { return t.Local().Format("2006-01-02 15:04") }

func title(text string) string {
	r := []rune(oneLine(text))
	if len(r) > 60 {
		return string(r[:59]) + "…"
	}
	return string(r)
}

// withStore runs f with the record, or none where there is no record yet: looking never makes one.
func (p *program) withStore(ctx context.Context, f func(context.Context, *sqlite.Store, string) error, none func() error) error {
	dir, err := folder("")
	if err != nil {
		return err
	}
	c, err := p.settings(dir, nil)
	if err != nil {
		return err
	}
	if !exists(c) {
		return none()
	}
	store, err := p.open(ctx, c)
	if err != nil {
		return err
	}
	defer store.Close()
	return f(ctx, store, dir)
}

// withSession finds the one session that a word means.
func (p *program) withSession(ctx context.Context, id string, f func(*sqlite.Store, nebula.SessionInfo) error) error {
	return p.withStore(ctx, func(ctx context.Context, store *sqlite.Store, _ string) error {
		info, err := find(ctx, store, id)
		if err != nil {
			return err
		}
		return f(store, info)
	}, func() error { return usage("no session %q; there are none yet", id) })
}

func (p *program) exportSession(c *cobra.Command, args []string) error {
	return p.withSession(c.Context(), args[0], func(store *sqlite.Store, info nebula.SessionInfo) error {
		return store.Export(c.Context(), info.ID, p.out)
	})
}

func (p *program) removeSession(c *cobra.Command, args []string) error {
	return p.withSession(c.Context(), args[0], func(store *sqlite.Store, info nebula.SessionInfo) error {
		if err := store.Remove(c.Context(), info.ID); err != nil {
			return fmt.Errorf("session %s: %w", info.ID, err)
		}
		_, err := fmt.Fprintf(p.out, "removed %s\n", info.ID)
		return err
	})
}

func (p *program) showSession(c *cobra.Command, args []string) error {
	return p.withSession(c.Context(), args[0], func(store *sqlite.Store, info nebula.SessionInfo) error {
		w := &strings.Builder{}
		fmt.Fprintf(w, "%s · %s · %s · %s\n", info.ID, when(info.Started), info.Model, info.Dir)
		for e, err := range store.Load(c.Context(), info.ID) {
			if err != nil {
				return err
			}
			tell(w, e.Body)
		}
		_, err := io.WriteString(p.out, w.String())
		return err
	})
}

// tell writes what an event says to a reader of the conversation.
func tell(w io.Writer, b nebula.Body) {
	switch b := b.(type) {
	case nebula.Submitted:
		fmt.Fprintf(w, "\n> %s\n", strings.ReplaceAll(headless.Clean(b.Text), "\n", "\n  "))
	case nebula.Replied:
		if b.Intent.Say != "" {
			fmt.Fprintf(w, "\n%s\n", headless.Clean(b.Intent.Say))
		}
	case nebula.Asked:
		if b.Question != nil {
			fmt.Fprintf(w, "\n? %s\n", headless.Clean(b.Question.Text))
		}
	case nebula.Answered:
		if b.Answer == nebula.Told {
			fmt.Fprintf(w, "> %s\n", headless.Clean(b.Text))
		}
	case nebula.Finished:
		fmt.Fprintf(w, "  %s %s  %s\n", b.Result.Status, b.Result.Tool, oneLine(b.Result.Summary))
	case nebula.Switched:
		fmt.Fprintf(w, "  switched to %s\n", oneLine(strings.Join([]string{string(b.Mode), b.Model, b.Protocol, b.Approve}, " ")))
	case nebula.Undone:
		fmt.Fprintf(w, "  took back turn %d: %d changes\n", b.Turn, len(b.Changes))
	case nebula.Ended:
		if b.Status != nebula.TurnDone {
			fmt.Fprintf(w, "  ended: %s %s\n", b.Status, oneLine(b.Text))
		}
	}
}
