package cli

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"nebula"
	"nebula/internal/experience"
	"nebula/internal/gate"
	"nebula/internal/phrase"
	"nebula/internal/prompt"
	"nebula/internal/record"
	"nebula/internal/tool"
)

func (p *program) memoryCommand() *cobra.Command {
	m := &remembering{program: p}
	root := group(&cobra.Command{
		Use:   "memory",
		Short: "Show and change what sessions remember of this folder",
		Long: "Sessions remember notes that were agreed to, for this folder or everywhere, how much was done here, the first line\n" +
			"of the last conversations, and of turns in which something failed or was checked, what was tried and what worked: a request that\n" +
			"is like such a one is told of it in a line. Nothing else of a conversation is carried over, and no contents of files.",
		Example: "  nebula memory\n  nebula memory add \"run the tests with make check\"\n  nebula memory edit --user\n  nebula memory rm 3",
	}, m.show)
	root.PersistentFlags().BoolVarP(&m.user, "user", "u", false, "what holds for you everywhere, not for this folder")
	output := func(c *cobra.Command) {
		oneOf(c, &m.output, "output", "o", "text", "what goes to standard output", "text", "json")
	}
	output(root)
	list := &cobra.Command{Use: "list", Short: "List what is remembered", Args: atMost(0), RunE: m.show}
	output(list)
	add := &cobra.Command{Use: "add NOTE…", Short: "Remember a note", Args: cobra.ArbitraryArgs, RunE: m.add}
	add.Flags().BoolVar(&m.user, "everywhere", false, "the same as --user")
	root.AddCommand(list, add,
		&cobra.Command{Use: "edit", Short: "Change the notes in your editor", Args: atMost(0), RunE: m.edit},
		&cobra.Command{Use: "rm ID", Short: "Forget a note or an experience", Args: exactly(1, "a note's number, which the list shows"), RunE: p.forget},
	)
	return root
}

// remembering is the memory command with its flags.
type remembering struct {
	*program
	user   bool
	output string
}

func (m *remembering) show(c *cobra.Command, _ []string) error {
	if err := choice("output", m.output, []string{"text", "json"}); err != nil {
		return err
	}
	none := func() error {
		if m.output == "json" {
			return m.asJSON(nebula.Remembered{}, nil)
		}
		_, err := fmt.Fprintln(m.err, m.say("no notes in this folder; nebula memory add \"…\" makes one"))
		return err
	}
	return m.withStore(c.Context(), func(ctx context.Context, store nebula.Store, dir string) error {
		held, err := m.held(ctx, store, dir)
		if err != nil {
			return err
		}
		var learnt []experience.Experience
		if !m.user {
			if learnt, err = (lessons{store, dir}).all(ctx); err != nil {
				return err
			}
		}
		if m.output == "json" {
			return m.asJSON(held, learnt)
		}
		if len(held.Notes)+len(learnt) == 0 && held.Sessions == 0 {
			return none()
		}
		var notes table
		for _, n := range held.Notes {
			where := m.say("here")
			if n.Project == "" {
				where = m.say("everywhere")
			}
			notes.row(strconv.FormatInt(n.ID, 10), where, when(n.At), phrase.OneLine(n.Text, 0))
		}
		if err := notes.print(m.out); err != nil {
			return err
		}
		if err := m.experienced(learnt); err != nil {
			return err
		}
		for _, t := range held.Recent {
			fmt.Fprintf(m.out, "   %s\n", m.words(conversation(t)))
		}
		_, err = fmt.Fprintln(m.out, m.say("%s, %s, %s", many(held.Sessions, "%d session", "%d sessions"),
			many(held.Files, "%d file change", "%d file changes"), many(held.Done, "%d action done", "%d actions done")))
		return err
	}, none)
}

//go:noinline
func (m *remembering) asJSON(held nebula.Remembered, learnt []experience.Experience) error {
	return json.NewEncoder(m.out).Encode(struct {
		nebula.Remembered
		Experience []experience.Experience `json:"experience,omitempty"`
	}{held, learnt})
}

// held is what is remembered for the folder, or for the person everywhere.
func (m *remembering) held(ctx context.Context, store nebula.Store, dir string) (nebula.Remembered, error) {
	if !m.user {
		return store.Memory(ctx, dir, "")
	}
	held, err := store.Memory(ctx, "", "")
	if err != nil {
		return held, err
	}
	all, err := store.Totals(ctx)
	held.Sessions, held.Files, held.Done = all.Sessions, all.Files, all.Done
	return held, err
}

func (m *remembering) add(c *cobra.Command, args []string) error {
	note := phrase.OneLine(strings.Join(args, " "), 0)
	if note == "" {
		return usage("there is nothing to remember; write nebula memory add \"…\"")
	}
	if err := fitting(note); err != nil {
		return err
	}
	return m.changing(c.Context(), func(store nebula.Store, project string) error {
		return store.Remember(c.Context(), project, note)
	})
}

// noteLimit is how many characters of a note a session reads.
const noteLimit = 100

// fitting says why a note cannot be kept.
func fitting(note string) error {
	switch n := utf8.RuneCountInString(note); {
	case n > noteLimit:
		return usage("a note of %d characters is too long; say it in %d", n, noteLimit)
	case gate.Confidential(note):
		return usage("that looks like a secret, and secrets are never remembered; keep it in the environment")
	}
	return nil
}

// changing opens the record, which is made where there is none, for a change of what is remembered.
func (m *remembering) changing(ctx context.Context, change func(store nebula.Store, project string) error) error {
	dir, err := folder(m.at)
	if err != nil {
		return err
	}
	c, err := m.settings(dir, nil)
	if err != nil {
		return err
	}
	store, err := m.open(ctx, c)
	if err != nil {
		return err
	}
	defer store.Close()
	if m.user {
		dir = ""
	}
	return change(store, dir)
}

// edit lets the person's editor change the notes, one a line.
func (m *remembering) edit(c *cobra.Command, _ []string) error {
	return m.changing(c.Context(), func(store nebula.Store, project string) error {
		held, err := store.Memory(c.Context(), project, "")
		if err != nil {
			return err
		}
		var b strings.Builder
		b.WriteString(m.say("# One note a line. Lines that begin with # are left out; a line that is removed is forgotten.") + "\n")
		for _, n := range held.Notes {
			if n.Project == project {
				b.WriteString("- " + phrase.OneLine(n.Text, 0) + "\n")
			}
		}
		text, err := m.edited(c.Context(), "nebula-memory-*.md", b.String())
		if err != nil || text == b.String() {
			return err
		}
		var notes []string
		for line := range strings.Lines(text) {
			line = phrase.OneLine(strings.TrimPrefix(strings.TrimSpace(line), "- "), 0)
			if line == "" || strings.HasPrefix(line, "#") {
				continue
			}
			if err := fitting(line); err != nil {
				return usage("%w; nothing was changed", err)
			}
			notes = append(notes, line)
		}
		return store.Renote(c.Context(), project, notes)
	})
}

// edited is a text as the person's editor leaves it.
func (p *program) edited(ctx context.Context, name, text string) (string, error) {
	f, err := os.CreateTemp("", name)
	if err != nil {
		return "", err
	}
	defer os.Remove(f.Name())
	_, err = f.WriteString(text)
	if err = errors.Join(err, f.Close()); err != nil {
		return "", err
	}
	editor := cmp.Or(p.env("VISUAL"), p.env("EDITOR"))
	c := exec.CommandContext(ctx, "sh", "-c", editor+` "$1"`, "sh", f.Name())
	switch {
	case runtime.GOOS == "windows":
		c = exec.CommandContext(ctx, cmp.Or(editor, "notepad"), f.Name())
	case editor == "":
		c = exec.CommandContext(ctx, "vi", f.Name())
	}
	c.Stdin, c.Stdout, c.Stderr = p.in, p.out, p.err
	if err := c.Run(); err != nil {
		return "", fail(exitFailed, "the editor %s: %v; nothing was changed. Set EDITOR to one that works", cmp.Or(editor, "vi"), err)
	}
	data, err := readSmall(f.Name())
	return string(data), err
}

func (p *program) forget(c *cobra.Command, args []string) error {
	id, err := strconv.ParseInt(args[0], 10, 64)
	if err != nil {
		return usage("%q is no note's number; nebula memory lists them", args[0])
	}
	return p.withStore(c.Context(), func(ctx context.Context, store nebula.Store, _ string) error {
		err := store.Forget(ctx, id)
		if errors.Is(err, nebula.ErrNoNote) {
			return usage("no note %d; nebula memory lists them", id)
		}
		return err
	}, func() error { return usage("no note %d; there are none yet", id) })
}

// memory is what a session of the folder is told of earlier ones.
func (p *program) memory(ctx context.Context, store nebula.Store, dir, session string) (prompt.Memory, error) {
	m, err := store.Memory(ctx, dir, session)
	if err != nil {
		return prompt.Memory{}, err
	}
	told := prompt.Memory{Files: m.Files, Done: m.Done, Sessions: m.Sessions}
	if n := len(m.Recent); n == 0 { // what was counted is this conversation's own, and its steps'
		told = prompt.Memory{}
	} else if n < record.Talks {
		told.Sessions = n
	}
	for _, n := range m.Notes {
		told.Notes = append(told.Notes, phrase.OneLine(n.Text, 0))
	}
	for _, t := range m.Recent {
		told.Last = t.At.Local().Format("2006-01-02")
		if t.Outcome == nebula.APIFailed && t.Files == 0 {
			continue // nothing was said in it
		}
		told.Recent = append(told.Recent, p.words(conversation(t)))
	}
	return told, nil
}

// conversation is an earlier conversation in one line: when, what was asked first, and, where it is not that it was answered,
// how it ended.
func conversation(t nebula.Talk) nebula.Words {
	if t.Outcome == nebula.TurnDone && t.Files == 0 {
		return nebula.Say("%s: %s", t.At.Local().Format("2006-01-02"), title(t.Title))
	}
	return nebula.Say("%s: %s (%s, %s)", t.At.Local().Format("2006-01-02"), title(t.Title), nebula.Say(cmp.Or(endings[t.Outcome], string(t.Outcome), "interrupted")), many(t.Files, "%d file change", "%d file changes"))
}

// endings say how a conversation ended, where the code of it is no word.
var endings = map[nebula.EndStatus]string{
	nebula.TurnUnchecked: "not checked", nebula.NeedsApproval: "waits for approval", nebula.NeedsInput: "waits for an answer",
	nebula.LimitReached: "limit reached", nebula.APIFailed: "no answer from the model",
}

// notes lets a session remember for its folder.
type notes struct {
	store nebula.Store
	dir   string
}

// notebook is where a session's notes go; none where nobody could agree to them.
//
//go:noinline
func (s *session) notebook() tool.Notes {
	if s.config.Approve == string(gate.All) || s.person() {
		return notes{s.store, s.dir}
	}
	return nil
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
