package cli

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/spf13/cobra"
	"nebula"
	"nebula/internal/agent"
	"nebula/internal/config"
	"nebula/internal/demo"
	"nebula/internal/gate"
	"nebula/internal/language"
	"nebula/internal/line"
	"nebula/internal/model"
	"nebula/internal/phrase"
	"nebula/internal/prompt"
	"nebula/internal/sqlite"
	"nebula/internal/tool"
	"nebula/internal/workspace"
)

func (p *program) demoCommand() *cobra.Command {
	var lang, protocol string
	c := &cobra.Command{
		Use:   "demo",
		Short: "Show a recorded conversation, offline and without a key",
		Long: "Plays a conversation about a small todo list: a vague request, a plan, permission for every change, a test that fails,\n" +
			"its fix, a report. What the model and the person say is recorded. Everything else really happens, in a new temporary\n" +
			"folder: files are read and written, tests run, the session is kept. Nothing of yours is touched.\n\n" +
			"In a terminal it is played in the full-screen program: look around meanwhile, type to take over, leave with Ctrl-D.",
		Example: "  nebula demo\n  nebula demo --lang ja --protocol symops",
		Args:    atMost(0),
		RunE: func(c *cobra.Command, _ []string) error {
			d, err := p.newDemo(lang, protocol)
			if err != nil {
				return err
			}
			return d.run(c.Context())
		},
	}
	oneOf(c, &lang, "lang", "", "", "the language of the conversation", phrase.Langs()...)
	oneOf(c, &protocol, "protocol", "", "toolcall", "how the model writes its actions", language.Names()...)
	return c
}

// A show is one run of the demo.
type show struct {
	*program
	lang     string
	language language.Row
	words    demoWords
	talk     demo.Talk
	dir      string // the sample project
	record   string // the demo's own database
	untested bool   // there is no Go to run the tests with
}

func (p *program) newDemo(lang, protocol string) (*show, error) {
	if lang == "" {
		lang = p.language()
	}
	if err := errors.Join(choice("lang", lang, phrase.Langs()), choice("protocol", protocol, language.Names())); err != nil {
		return nil, err
	}
	d := &show{program: p, lang: lang, words: demoWordsFor(lang)}
	for _, l := range language.All() {
		if l.Name() == protocol {
			d.language = l
		}
	}
	var err error
	if d.talk, err = demo.Conversation(lang); err != nil {
		return nil, err
	}
	if _, err := exec.LookPath("go"); err != nil {
		d.untested = true
		d.talk = d.talk.Untested()
	}
	return d, nil
}

// language is the one that the environment asks for. The person's settings are not read.
func (p *program) language() string {
	env := func(name string) string {
		if name == "NEBULA_HOME" {
			return filepath.Join(os.TempDir(), "nebula-demo-without-settings")
		}
		return p.env(name)
	}
	return config.Lang(env, "")
}

// run plays the conversation. It succeeds when the sample's tests passed in the end.
func (d *show) run(ctx context.Context) error {
	if err := d.lay(); err != nil {
		return err
	}
	if d.inTerminal && d.outTerminal && d.env("TERM") != "dumb" {
		return d.watched(ctx)
	}
	_, _ = fmt.Fprintf(d.out, d.words.Intro+"\n\n", d.language.Name())
	if d.untested {
		_, _ = fmt.Fprintln(d.out, d.words.NoGo+"\n")
	}
	tests, err := d.play(ctx)
	if err != nil {
		return err
	}
	return d.verdict(tests)
}

// verdict says what came of it.
func (d *show) verdict(tests *nebula.TestReport) error {
	switch {
	case tests != nil && tests.OK:
		_, err := fmt.Fprintf(d.out, "\n"+d.words.Passed+"\n", d.dir, filepath.Dir(d.dir))
		return err
	case d.untested:
		return fail(exitFailed, d.words.Untested, d.dir)
	}
	return fail(exitFailed, d.words.Failed, d.dir)
}

// lay puts the sample project into a new folder, with the demo's record beside it.
func (d *show) lay() error {
	top, err := os.MkdirTemp("", "nebula-demo-")
	if err == nil {
		top, err = filepath.EvalSymlinks(top)
	}
	if err != nil {
		return fail(exitNoFolder, "no room for the sample project (%v); free the disk or set TMPDIR", errors.Unwrap(err))
	}
	d.dir, d.record = filepath.Join(top, "todo"), filepath.Join(top, "nebula", "nebula.db")
	return errors.Join(demo.Write(d.dir, demo.Project()), os.MkdirAll(filepath.Dir(d.record), 0o700), isolate())
}

// isolate keeps the person's Go settings out of the sample's test runs, and the runs off the network. Tests always
// run, but what one demo compiled serves the next.
func isolate() error {
	var errs []error
	for name, value := range map[string]string{"GOFLAGS": "-trimpath -count=1", "GOWORK": "off", "GOTOOLCHAIN": "local", "GOPROXY": "off"} {
		errs = append(errs, os.Setenv(name, value))
	}
	return errors.Join(errs...)
}

// play lets the recorded model and the scripted person work on the project, and tells how the last test run ended.
func (d *show) play(ctx context.Context) (*nebula.TestReport, error) {
	store, err := sqlite.Open(ctx, d.record, sqlite.Options{})
	if err != nil {
		return nil, err
	}
	defer store.Close()
	work, err := workspace.Open(d.dir, store, filepath.Dir(d.record))
	if err != nil {
		return nil, err
	}
	defer work.Close()
	conversation, err := agent.Open(ctx, d.setup(store, work), "")
	if err != nil {
		return nil, err
	}
	_, err = line.Play(ctx, d.playing(conversation))
	_ = conversation.Send(context.Background(), nebula.Close{}) // Wait tells how it ended
	if err = errors.Join(err, conversation.Wait()); err != nil {
		return nil, err
	}
	return lastTests(conversation.Events(ctx, 0)), nil
}

func lastTests(events iter.Seq[nebula.Event]) (last *nebula.TestReport) {
	for e := range events {
		if b, ok := e.Body.(nebula.Finished); ok && b.Result.Tests != nil {
			last = b.Result.Tests
		}
	}
	return last
}

func (d *show) setup(store nebula.Store, work *workspace.Dir) agent.Setup {
	tools := tool.All(work, tool.Options{})
	var replies []nebula.Reply
	for _, in := range d.talk.Replies {
		replies = append(replies, inFull(d.language, in, tool.Specs()))
	}
	player := model.Replies(replies, model.ReplayOptions{Info: nebula.ModelInfo{Name: d.words.Model, Native: true}})
	return agent.Setup{
		Store: store, Model: func(string) (nebula.Model, error) { return player, nil }, Protocol: speak, Tools: tools,
		Restore: work.Restore, Ready: work.Ready, Prompt: &prompt.Builder{Facts: facts(work), Count: model.Estimate}, Approve: gate.Ask,
		Begin: nebula.Started{Dir: d.dir, Model: d.words.Model, Protocol: d.language.Name(), Mode: nebula.PlanMode, Lang: d.lang},

		Checkable: func() bool { return checkable(tools) },
	}
}

func (d *show) playing(c nebula.Conversation) line.PlayOptions {
	return line.PlayOptions{
		Conversation: c, Out: d.out, Lang: d.lang, Width: demoWidth, Color: d.colour(d.outTerminal),
		Script: line.Script{Messages: d.talk.Messages, Answers: d.talk.Answers},
	}
}

// demoWidth is the width of what is shown where nobody can type.
const demoWidth = 100
