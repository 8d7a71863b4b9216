package cli

import (
	"context"
	"errors"
	"io"
	"os"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"nebula"
	"nebula/internal/headless"
	"nebula/internal/line"
	"nebula/internal/lists"
	"nebula/internal/phrase"
	"nebula/internal/plan"
	"nebula/internal/terminal"
	"nebula/internal/tui"
)

// A front is a front end. It is given the host and the session to go on with (empty for a new one, or for the person to
// choose), and returns when the person has left.
type front struct {
	flag, about string // asks for it, with what the help says of that; the last of the table is taken unasked
	dumb        bool   // fit for a terminal that can only print
	script      bool   // where nobody can type, what is piped in is what a person would
	late        bool   // opens the record with the first session, so that the person can begin to type at once
	signals     bool   // a signal ends what is under way; a front end that reads a terminal's keys hears of it there
	show        func(h *host, ctx context.Context, id string) error
}

// fronts are the front ends that a person talks in. A new one is a row.
func fronts() []front {
	return []front{
		{flag: "plain", about: "one line after the other, for screen readers, slow lines and scripts: what is piped in is typed, answers in their order",
			dumb: true, script: true, show: (*host).lines},
		{late: true, show: (*host).fullscreen},
	}
}

// once is the front end of nebula run: it carries out one request.
func once() front { return front{signals: true, show: (*host).once} }

// frontFor is the front end that was asked for, or the one that fits the terminal.
func (p *program) frontFor(c *cobra.Command) front {
	list := fronts()
	for _, f := range list {
		if asked(c, f) || f.dumb && p.outTerminal && p.env("TERM") == "dumb" {
			return f
		}
	}
	return list[len(list)-1]
}

func asked(c *cobra.Command, f front) bool {
	on, err := c.Flags().GetBool(f.flag)
	return err == nil && on
}

// interactive is nebula without a command. Where nobody can type, the one request comes from standard input.
func (s *session) interactive(c *cobra.Command, args []string) (err error) {
	in, okIn := s.in.(*os.File)
	out, okOut := s.out.(*os.File)
	f := s.frontFor(c)
	s.script = f.script && asked(c, f) && !s.inTerminal && okIn && okOut
	switch {
	case !s.script && !s.inTerminal:
		return s.run(c, args)
	case !okIn || !okOut || !s.script && !s.outTerminal:
		return usage("an interactive session needs a terminal for output too; write nebula run \"…\"")
	}
	if err = s.settleModel(c); err != nil {
		return err
	}
	if len(s.images) > 0 {
		return usage("--image is for nebula run and nebula -p; in a session, write @ and the file's name in a message")
	}
	if s.first, err = s.opening(args); err != nil {
		return err
	}
	s.keys, s.page = in, out
	f.signals = f.signals || s.script // a terminal gives its keys to the conversation, signals none
	return s.through(c.Context(), f)
}

// opening is the message to begin with. What is piped into a script belongs to it where a word is -; else each line is for
// what waits when it is read, also where somebody meant it to join the words.
func (s *session) opening(args []string) (string, error) {
	switch {
	case s.script && lists.Has(args, "-"):
		return s.prompt(args)
	case s.script && len(args) > 0 && gives(s.in):
		s.warn("each line of standard input answers what is asked, or is a request of its own; a word that is - makes all of it part of the request")
	}
	return s.unkeyed(strings.Join(args, " ")), nil
}

// through leads a front end through its time: what it needs is open before it begins, and put away behind it.
func (s *session) through(ctx context.Context, f front) (err error) {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	h := &host{session: s}
	defer func() { err = errors.Join(err, s.close()) }()
	id := ""
	if !f.late || s.id != "" || s.resume { // a wrong name is said before the screen is taken
		if err := h.prepared(ctx); err != nil {
			return err
		}
		if id, err = s.choose(ctx, s.store); err != nil {
			return err
		}
	}
	var w *watcher
	if f.signals {
		w = watch(h, stop)
		defer w.end()
	}
	err = f.show(h, ctx, id)
	if broken := h.leave(); broken != nil {
		return broken // it says more than what came of it
	}
	if n := w.signal(); n != 0 {
		return fail(exitSignal+n, "")
	}
	return err
}

// once carries one request through a session.
func (h *host) once(ctx context.Context, id string) error {
	h.alone = !h.person()
	c, err := h.Open(ctx, id)
	if err != nil {
		return err
	}
	if h.schema != nil {
		return h.shaped(ctx, c)
	}
	end, err := headless.Run(ctx, c, h.request())
	h.began = end.Session != ""
	if err != nil && !errors.Is(err, headless.ErrNoEnd) {
		return err
	}
	if end.Plan == nil {
		end.Plan = h.draft
	}
	if text, waits := unapproved(end.Outcome, h.config.Approve, h.config.Lang); waits && h.actions != nil {
		return &exit{headless.Code(end.Status), text}
	}
	return h.verdict(end.Outcome)
}

// lines is the line interface.
func (h *host) lines(ctx context.Context, id string) error {
	c := h.config
	last, err := line.Run(ctx, line.Options{
		In: h.keys, Out: h.page, Script: h.script, Spoken: !h.inline, Lang: c.Lang, Ambiguous: c.Ambiguous, Color: h.colour(h.outTerminal) && c.Theme != "plain",
		History: terminal.HistoryFile(c.Home.State, h.dir), Session: id, First: h.first, Host: h.shown(), Attached: h.far != nil,
	})
	switch {
	case errors.Is(err, line.ErrEmpty):
		return usage("there is no request; write it as the first line of standard input, or start nebula in a terminal")
	case errors.Is(err, line.ErrBinary):
		return usage(noText)
	case err == nil && h.script && last.Session != "" && last.Turn == 0: // a plan that it ran
		text, waits := unapproved(last, c.Approve, c.Lang)
		if !waits && last.Plan != nil {
			text = nebula.Say(phrase.OneLine(plan.Say(last.Plan.Why, c.Lang), 0))
		}
		return &exit{headless.Code(last.Status), text}
	case err == nil && h.script && last.Session != "":
		return h.verdict(last)
	}
	return err
}

// fullscreen is the full-screen interface.
func (h *host) fullscreen(ctx context.Context, id string) error {
	c := h.config
	o := tui.Options{
		In: h.keys, Out: h.page, Env: h.env, Lang: c.Lang, Depth: tui.DepthOf(h.env), Theme: c.Theme, Inline: h.inline, Vi: c.Keys == "vi", Ambiguous: c.Ambiguous,
		Marks:   nebula.Vitals{Confidence: &c.Vitals.Confidence, Mood: &c.Vitals.Mood, Focus: &c.Vitals.Focus, Stamina: &c.Vitals.Stamina},
		History: terminal.HistoryFile(c.Home.State, h.dir), Session: id, Choose: h.again == chosen, First: h.first, Host: h.shown(), Attached: h.far != nil,
	}
	if o.Script = h.typed; o.Script != nil {
		o.History = ""
	} else if self, err := os.Executable(); err == nil { // a process of its own, as the demo changes its environment
		o.Demo = []string{self, "demo", "--lang", c.Lang}
	}
	if c.Theme == "plain" {
		o.Depth = tui.NoColor
	}
	before, said := h.err, newAside()
	h.err = said
	err := tui.Run(ctx, o)
	h.err = before
	_, _ = before.Write(said.end())
	if stop, ok := errors.AsType[*tui.Stop](err); ok {
		if n, ok := stop.Signal.(syscall.Signal); ok {
			return fail(exitSignal+int(n), "")
		}
	}
	return err
}

// An aside keeps what is said while the screen belongs to the interface.
type aside struct {
	*io.PipeWriter
	text chan []byte
}

func newAside() aside {
	from, to := io.Pipe()
	a := aside{to, make(chan []byte, 1)}
	go func() {
		all, _ := io.ReadAll(from) // a pipe ends, and does not fail
		a.text <- all
	}()
	return a
}

// end gives what was said.
//
//go:noinline
func (a aside) end() []byte {
	_ = a.Close()
	return <-a.text
}
