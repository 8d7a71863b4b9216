package main

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"nebula/internal/prompt"
	"nebula/internal/sqlite"
)

func (p *program) memoryCommand() *cobra.Command {
	everywhere := false
	root := group(&cobra.Command{
		Use:     "memory",
		Short:   "Show and remove what sessions remember of this folder",
		Long:    "Sessions remember notes that were agreed to, for this folder or everywhere. Nothing else of a conversation is carried over but its first line.",
		Example: "  nebula memory\n  nebula memory add \"run the tests with make check\"\n  nebula memory rm 3",
	}, p.showMemory)
	add := &cobra.Command{
		Use: "add NOTE…", Short: "Remember a note", Args: cobra.ArbitraryArgs,
		RunE: func(c *cobra.Command, args []string) error { return p.remember(c.Context(), args, everywhere) },
	}
	add.Flags().BoolVar(&everywhere, "everywhere", false, "in every folder")
	root.AddCommand(
		&cobra.Command{Use: "list", Short: "List the notes that hold here", Args: atMost(0), RunE: p.showMemory},
		add,
		&cobra.Command{Use: "rm ID", Short: "Forget a note", Args: exactly(1, "a note's number, which the list shows"), RunE: p.forget},
	)
	return root
}

func (p *program) showMemory(c *cobra.Command, _ []string) error {
	none := func() error {
		_, err := fmt.Fprintln(p.err, "no notes in this folder; nebula memory add \"…\" makes one")
		return err
	}
	return p.withStore(c.Context(), func(ctx context.Context, store *sqlite.Store, dir string) error {
		m, err := store.Memory(ctx, dir, "")
		if err != nil {
			return err
		}
		if len(m.Notes) == 0 {
			return none()
		}
		w := tabwriter.NewWriter(p.out, 0, 8, 2, ' ', 0)
		for _, n := range m.Notes {
			where := "here"
			if n.Project == "" {
				where = "everywhere"
			}
			fmt.Fprintf(w, "%d\t%s\t%s\t%s\n", n.ID, where, when(n.At), oneLine(n.Text))
		}
		return w.Flush()
	}, none)
}

func (p *program) remember(ctx context.Context, args []string, everywhere bool) error {
	note := oneLine(strings.Join(args, " "))
	if note == "" {
		return usage("there is nothing to remember; write nebula memory add \"…\"")
	}
	dir, err := folder("")
	if err != nil {
		return err
	}
	c, err := p.settings(dir, nil)
	if err != nil {
		return err
	}
	store, err := p.open(ctx, c)
	if err != nil {
		return err
	}
	defer store.Close()
	if everywhere {
		dir = ""
	}
	return store.Remember(ctx, dir, note)
}

func (p *program) forget(c *cobra.Command, args []string) error {
	id, err := strconv.ParseInt(args[0], 10, 64)
	if err != nil {
		return usage("%q is no note's number; nebula memory lists them", args[0])
	}
	return p.withStore(c.Context(), func(ctx context.Context, store *sqlite.Store, _ string) error {
		err := store.Forget(ctx, id)
		if errors.Is(err, sqlite.ErrNoNote) {
			return usage("no note %d; nebula memory lists them", id)
		}
		return err
	}, func() error { return usage("no note %d; there are none yet", id) })
}

// memory is what a session of the folder is told of earlier ones.
func memory(ctx context.Context, store *sqlite.Store, dir, session string) (prompt.Memory, error) {
	m, err := store.Memory(ctx, dir, session)
	if err != nil {
		return prompt.Memory{}, err
	}
	told := prompt.Memory{Files: m.Files, Done: m.Done, Sessions: m.Sessions}
	for _, n := range m.Notes {
		told.Notes = append(told.Notes, oneLine(n.Text))
	}
	for _, t := range m.Recent {
		told.Last = t.At.Local().Format("2006-01-02")
		told.Recent = append(told.Recent, fmt.Sprintf("%s: %s (%s, %d files)", told.Last, title(t.Title), t.Outcome, t.Files))
	}
	return told, nil
}

// notes lets a session remember for its folder.
type notes struct {
	store *sqlite.Store
	dir   string
}

// Remember implements tool.Notes.
func (n notes) Remember(ctx context.Context, note string, everywhere bool) error {
	dir := n.dir
	if everywhere {
		dir = ""
	}
	return n.store.Remember(ctx, dir, note)
}

// Forget implements tool.Notes.
func (n notes) Forget(ctx context.Context, note string) (ok bool, err error) {
	m, err := n.store.Memory(ctx, n.dir, "")
	if err != nil {
		return false, err
	}
	for _, held := range m.Notes {
		if held.Text == note {
			return true, n.store.Forget(ctx, held.ID)
		}
	}
	return false, nil
}
