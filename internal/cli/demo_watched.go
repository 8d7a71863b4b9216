package cli

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"time"

	"nebula"
	"nebula/internal/demo"
	"nebula/internal/sqlite"
	"nebula/internal/tool"
	"nebula/internal/tui"
)

// How long the recorded person thinks and takes for a key, and the recorded model for a word.
const (
	demoPause = 1200 * time.Millisecond
	demoKey   = 25 * time.Millisecond
	demoWord  = 20 * time.Millisecond
)

// watched plays the conversation in the full-screen program, as it is, with a home of its own: the recorded model answers as any
// server would, and the recorded person types until a real one does.
func (d *show) watched(ctx context.Context) (err error) {
	partner := demo.Partner{Topics: d.topics(), Else: d.words.Else, Word: demoWord}
	if err := partner.Serve(); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, partner.Close()) }()
	inner := &program{
		in: d.in, out: d.out, err: d.err, linked: d.linked, inTerminal: true, outTerminal: true, errTerminal: d.errTerminal,
		typed: &tui.Script{Messages: d.talk.Messages, Answers: d.talk.Answers, Pause: demoPause, Key: demoKey, End: d.words.End},
		env: func(name string) string {
			switch {
			case name == "NEBULA_HOME":
				return filepath.Dir(d.record)
			case name == "OPENAI_API_KEY":
				return "demo"
			case name == "OPENAI_BASE_URL":
				return partner.URL
			case strings.HasPrefix(name, "NEBULA_"), secret(name, ""):
				return ""
			}
			return d.env(name)
		},
	}
	code := inner.main(ctx, []string{"-C", d.dir, "--lang", d.lang, "--mode", string(nebula.PlanMode), "--model", d.words.Model, "--protocol", d.language.Name()})
	if code != 0 {
		return fail(code, "")
	}
	store, err := sqlite.Open(ctx, d.record, sqlite.Options{})
	if err != nil {
		return err
	}
	defer store.Close()
	var tests *nebula.TestReport
	list, err := store.Sessions(ctx, d.dir)
	for _, s := range list {
		tests = lastTests(func(yield func(nebula.Event) bool) {
			for e, broken := range store.Load(ctx, s.ID) {
				if err = errors.Join(err, broken); broken != nil || !yield(e) {
					return
				}
			}
		})
	}
	if err == nil && tests == nil && !d.untested { // somebody left before
		return nil
	}
	return errors.Join(err, d.verdict(tests))
}

// topics are the talk as the language writes it.
func (d *show) topics() []demo.Topic {
	topics := d.talk.Topics()
	for _, t := range topics {
		for i, r := range t.Replies {
			in := nebula.Intent{Say: r.Say, Actions: r.Actions}
			if whole := inFull(d.language, in, tool.Specs()); len(whole.Calls()) == 0 {
				t.Replies[i] = demo.Reply{Say: whole.Text()}
			}
		}
	}
	return topics
}
