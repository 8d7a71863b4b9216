package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"nebula"
	"nebula/internal/headless"
	"nebula/internal/phrase"
	"nebula/internal/terminal"
)

func (p *program) sessionsCommand() *cobra.Command {
	l := &listing{program: p}
	root := group(&cobra.Command{
		Use:     "sessions",
		Short:   "List, search, show, export and remove sessions",
		Example: "  nebula sessions --all\n  nebula sessions show 20260102\n  nebula sessions export 20260102 > session.jsonl",
	}, l.list)
	l.flags(root)
	list := &cobra.Command{Use: "list", Short: "List sessions, the last used first", Args: atMost(0), RunE: l.list}
	l.flags(list)
	ids := func(c *cobra.Command) *cobra.Command { c.ValidArgsFunction = p.sessionIDs; return c }
	root.AddCommand(list,
		ids(&cobra.Command{Use: "show ID", Short: "Show a session's conversation", Args: exactly(1, "a session's ID"), RunE: p.showSession}),
		p.searchCommand(),
		ids(p.exportCommand()),
		ids(&cobra.Command{Use: "rm ID", Short: "Remove a session and what only it holds", Args: exactly(1, "a session's ID"), RunE: p.removeSession}),
	)
	return root
}

// A listing is the list of sessions with its flags.
type listing struct {
	*program
	all, json, steps bool
}

func (l *listing) flags(c *cobra.Command) {
	c.Flags().BoolVarP(&l.all, "all", "a", false, "every folder's sessions")
	c.Flags().BoolVar(&l.steps, "steps", false, "the sessions of steps of plans as well")
	c.Flags().BoolVar(&l.json, "json", false, "as JSON, one session a line")
}

func (l *listing) list(c *cobra.Command, _ []string) error {
	return l.withStore(c.Context(), func(ctx context.Context, store nebula.Store, dir string) error {
		if l.all {
			dir = ""
		}
		sessions := store.Sessions
		if l.steps {
			sessions = store.AllSessions
		}
		list, err := sessions(ctx, dir)
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
		none := l.say("no sessions in this folder; --all lists every folder's")
		if l.all {
			none = l.say("no sessions yet; nebula run \"…\" begins one")
		}
		_, err := fmt.Fprintln(l.err, none)
		return err
	}
	var t table
	for _, s := range list {
		cells := []string{s.ID, when(s.Last), s.Model, strconv.Itoa(s.Messages)}
		if l.all {
			cells = append(cells, phrase.OneLine(s.Dir, 0))
		}
		t.row(append(cells, title(s.Title))...)
	}
	return t.print(l.out)
}

func when(t time.Time) string { return t.Local().Format("2006-01-02 15:04") }

func title(text string) string { return terminal.Clip(phrase.OneLine(text, 0), 60) }

// withStore runs f with the record, or none where there is no record yet: looking never makes one.
func (p *program) withStore(ctx context.Context, f func(context.Context, nebula.Store, string) error, none func() error) error {
	dir, err := folder(p.at)
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
func (p *program) withSession(ctx context.Context, id string, f func(nebula.Store, nebula.SessionInfo) error) error {
	return p.withStore(ctx, func(ctx context.Context, store nebula.Store, _ string) error {
		info, err := find(ctx, store, id)
		if err != nil {
			return err
		}
		return f(store, info)
	}, func() error { return usage("no session %q; there are none yet", id) })
}

func (p *program) removeSession(c *cobra.Command, args []string) error {
	return p.withSession(c.Context(), args[0], func(store nebula.Store, info nebula.SessionInfo) error {
		if err := store.Remove(c.Context(), info.ID); err != nil {
			return nebula.Errorf("session %s: %w", info.ID, err)
		}
		_, err := fmt.Fprintln(p.out, p.say("removed %s", info.ID))
		return err
	})
}

func (p *program) showSession(c *cobra.Command, args []string) error {
	return p.withSession(c.Context(), args[0], func(store nebula.Store, info nebula.SessionInfo) error {
		w := &strings.Builder{}
		fmt.Fprintf(w, "%s · %s · %s · %s\n", info.ID, when(info.Started), info.Model, phrase.OneLine(info.Dir, 0))
		for e, err := range store.Load(c.Context(), info.ID) {
			if err != nil {
				return err
			}
			p.tell(w, e.Body)
		}
		_, err := io.WriteString(p.out, w.String())
		return err
	})
}

// tell writes what an event says to a reader of the conversation.
func (p *program) tell(w io.Writer, b nebula.Body) {
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
		fmt.Fprintf(w, "  %s %s  %s\n", b.Result.Status, b.Result.Tool, phrase.OneLine(b.Result.Summary, 0))
	case nebula.Switched:
		if to := strings.TrimSpace(strings.Join([]string{string(b.Mode), b.Model, b.Protocol, b.Approve}, " ")); to != "" {
			fmt.Fprintln(w, "  "+p.say("switched to %s", phrase.OneLine(to, 0)))
		} else if b.Why != "" {
			fmt.Fprintln(w, "  "+phrase.OneLine(b.Why, 0))
		}
	case nebula.Undone:
		if b.Failed != "" {
			return
		}
		changes := many(len(b.Changes), "%d change", "%d changes")
		back := nebula.Say("took back turn %d: %s", b.Turn, changes)
		if b.Redo {
			back = nebula.Say("brought back turn %d: %s", b.Turn, changes)
		}
		fmt.Fprintln(w, "  "+p.words(back))
	case nebula.Ended:
		if b.Status != nebula.TurnDone {
			fmt.Fprintln(w, "  "+strings.TrimSpace(p.say("ended: %s %s", b.Status, phrase.OneLine(b.Text, 0))))
		}
	}
}
