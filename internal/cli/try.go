package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"mvdan.cc/sh/v3/syntax"

	"nebula"
	"nebula/internal/lists"
	"nebula/internal/phrase"
	"nebula/internal/terminal"
	"nebula/internal/tool"
	"nebula/internal/workspace"
)

// tryTime is how long a command may take that a person tries: they can end it.
const tryTime = 24 * time.Hour

func (p *program) tryCommand() *cobra.Command {
	keep, drop, needs := false, false, ""
	c := &cobra.Command{
		Use:   "try [--keep|--drop] -- COMMAND…",
		Short: "Run a command on a view of the folder, and keep or drop what it did",
		Long: "Runs a command confined, on a view of the folder: what it changes is shown when it has ended, and only then kept in the folder or\n" +
			"dropped. Without --keep or --drop you are asked; where nobody can be asked it is dropped. The command reads no input.\n" +
			"It ends with the command's exit code; what could not be kept, since somebody changed it meanwhile, is a failure.",
		Example: "  nebula try -- make generate\n  nebula try --keep --needs registry.npmjs.org:443 -- npm install\n  nebula try --drop -- 'rm -rf build && make'",
		RunE: func(c *cobra.Command, args []string) error {
			switch {
			case len(args) == 0:
				return usage("name the command to try: nebula try -- COMMAND")
			case keep && drop:
				return usage("--keep and --drop exclude each other")
			}
			t := &trial{session: &session{program: p}, keep: keep, drop: drop, needs: needs}
			return t.run(c.Context(), written(args))
		},
	}
	c.Flags().BoolVar(&keep, "keep", false, "keep everything it did, unasked")
	c.Flags().BoolVar(&drop, "drop", false, "drop everything it did, unasked")
	c.Flags().StringVar(&needs, "needs", "", "what it is let do beside, as a `LIST`: host:port, a path to change, \"read PATH\"")
	c.Flags().SetInterspersed(false)
	return c
}

// written is a command line of its words. A single one is a line already.
func written(args []string) string {
	if len(args) == 1 {
		return args[0]
	}
	words := make([]string, len(args))
	for i, a := range args {
		quoted, err := syntax.Quote(a, syntax.LangBash)
		if err != nil {
			quoted = phrase.Quote(a)
		}
		words[i] = quoted
	}
	return strings.Join(words, " ")
}

// A trial is one command that is tried.
type trial struct {
	*session
	keep, drop bool
	needs      string
	work       *workspace.Dir
	line       string
	answers    *bufio.Reader
}

func (t *trial) run(ctx context.Context, line string) (err error) {
	t.line = line
	if t.dir, err = folder(t.at); err != nil {
		return err
	}
	if t.config, err = t.settings(t.dir, nil); err != nil {
		return err
	}
	if t.store, err = t.open(ctx, t.config); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, t.store.Close()) }()
	if t.work, err = t.folder(); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, t.work.Close()) }()
	if err := t.work.CanView(); err != nil {
		return fail(exitFailed, "there can be no view of this folder (%w); nothing was run", err)
	}
	ran, err := t.tried(ctx)
	if err != nil {
		return err
	}
	if ran.Stopped {
		ran.Effects.Drop()
		return context.Canceled
	}
	if kept := tool.Kept(t.config.Lang, ran.Refused); kept != "" && ran.Code != 0 {
		t.warn("confinement kept it from %s; --needs lets it do that", kept)
	}
	if err := t.settle(ctx, ran.Effects); err != nil {
		return err
	}
	if ran.Code != 0 {
		return &exit{code: ran.Code} // the command has said what there is to say
	}
	return nil
}

// tried runs the command on a view.
func (t *trial) tried(ctx context.Context) (workspace.Exit, error) {
	p := nebula.Proposal{Action: nebula.Action{ID: "try"}, Effect: nebula.Execute, Command: t.line}
	g := nebula.NewGrant("try", nebula.Person, p) // who wrote the command here allowed it
	if err := g.Open(p); err != nil {
		return workspace.Exit{}, err
	}
	defer g.Close()
	c := workspace.Command{Line: t.line, View: true, Timeout: tryTime, Pass: t.config.Environment, Secrets: secrets(t.config)}
	if _, err := tool.Needed(t.work, &c, t.needs); err != nil {
		return workspace.Exit{}, usage("--needs: %w", err)
	}
	return t.work.Run(ctx, g, c, func(chunk []byte) { _, _ = t.out.Write(chunk) })
}

// settle shows what the command did, and keeps or drops it.
func (t *trial) settle(ctx context.Context, e *workspace.Effects) error {
	if e.Nothing() {
		e.Drop()
		t.warn("it changed nothing in the folder")
		return nil
	}
	t.list(e)
	if len(e.Changes) == 0 {
		e.Drop()
		return nil
	}
	want, err := t.wanted(ctx, e)
	if err != nil || want == nil {
		e.Drop()
		if err == nil {
			t.warn("dropped: the folder is as it was")
		}
		return err
	}
	k := &keeping{effects: e, want: want, line: t.line}
	if err := t.session.keep(ctx, t.work, k); err != nil {
		return err
	}
	t.warn("kept: %s", many(counted(k.made), "%d change", "%d changes"))
	for _, path := range k.aside {
		t.warn("%s was put aside: no command may make it", phrase.OneLine(path, 0))
	}
	for _, l := range k.left {
		t.warn("%s", asLeft(l))
	}
	if len(k.left)+len(e.Clashes) > 0 {
		return fail(exitFailed, "not everything could be kept")
	}
	return nil
}

// counted is how many changes a person counts.
func counted(changes []nebula.Change) (n int) {
	for _, c := range changes {
		if c.Kind != "time" {
			n++
		}
	}
	return n
}

// list shows the effects, a line each.
func (t *trial) list(e *workspace.Effects) {
	moved := map[string]bool{}
	for _, old := range e.Renames {
		moved[old] = true
	}
	for _, c := range e.Changes {
		old := e.Renames[c.Path]
		switch {
		case c.Kind == "time", moved[c.Path]:
		case old != "":
			t.show("moved    %s from %s", c.Path, old)
		default:
			t.show(deeds[c.Kind], c.Path)
		}
	}
	for _, path := range e.Clashes {
		t.show("clash    %s: somebody changed it meanwhile, it stays as it is", path)
	}
	for _, path := range e.Lost {
		t.show("lost     %s: it cannot be kept", path)
	}
	for _, path := range e.Refused {
		t.show("refused  %s: no command may make it", path)
	}
	for _, path := range e.Apart {
		t.show("note     %s: other names of this file keep what they have", path)
	}
}

// deeds are the kinds of changes.
var deeds = map[string]string{
	"create": "made     %s", "edit": "changed  %s", "delete": "deleted  %s", "mkdir": "made     %s/", "rmdir": "deleted  %s/", "mode": "mode     %s",
}

func (t *trial) show(format string, args ...string) {
	safe := make([]any, len(args))
	for i, a := range args {
		safe[i] = phrase.OneLine(a, 0)
	}
	fmt.Fprintln(t.err, t.say(format, safe...))
}

// wanted says which changes are to be kept; nil for none.
func (t *trial) wanted(ctx context.Context, e *workspace.Effects) (func(nebula.Change) bool, error) {
	everything := func(nebula.Change) bool { return true }
	switch {
	case t.keep:
		return everything, nil
	case t.drop:
		return nil, nil
	case !t.person():
		t.warn("nobody can be asked here; --keep keeps what it did")
		return nil, nil
	}
	diff, _, err := tool.Tried(ctx, e, e.Changes)
	if err != nil {
		return nil, err
	}
	for line := range strings.Lines(diff) {
		fmt.Fprintln(t.paper(), terminal.Visible(strings.TrimSuffix(line, "\n")))
	}
	switch t.ask(t.say("Keep this? [y]es, [s]ome of it, [N]o: ")) {
	case "y", "yes", "はい":
		return everything, nil
	case "s", "some", "一部":
	default:
		return nil, nil
	}
	some := map[string]bool{}
	for _, c := range e.Changes {
		if c.Kind != "time" && c.Kind != "mkdir" {
			answer := t.ask(t.say("Keep %s? [y]es, [N]o: ", phrase.OneLine(c.Path, 0)))
			some[c.Name()] = lists.Has([]string{"y", "yes", "はい"}, answer)
		}
	}
	return func(c nebula.Change) bool { return some[c.Name()] }, nil
}

// paper is where the person reads.
//
//go:noinline
func (t *trial) paper() io.Writer {
	if s := t.screen(); s != nil {
		return s
	}
	return t.err
}

// ask puts a question. The end of the input is no answer.
func (t *trial) ask(question string) string {
	_, _ = io.WriteString(t.paper(), question)
	if t.answers == nil {
		t.answers = bufio.NewReader(t.in)
	}
	text, err := t.answers.ReadString('\n')
	if err != nil {
		return ""
	}
	return strings.ToLower(strings.TrimSpace(text))
}
