// Package tui is the full-screen interface: one model of what is seen, components that draw it, and a loop that owns
// both. It knows a [nebula.Host] and its conversations only, keeps nothing but what it folds from the events, and knows
// no tool, protocol or model by name. Nothing reads or writes files while it takes a key or draws: what may take long
// runs beside the loop and comes back to it.
package tui

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"nebula"
	"nebula/internal/terminal"
	"nebula/internal/transcript"
)

// Options are what the interface works with. In and Out must be one terminal.
type Options struct {
	In, Out *os.File
	Env     func(name string) string
	Lang    string // "en" or "ja"
	Depth   Depth
	Theme   string // "dark" or "light"; anything else follows the terminal's background
	// Ambiguous is how wide characters are that Unicode leaves open: "narrow" or "wide"; anything else asks the terminal.
	Ambiguous string
	Vi        bool             // text is edited with the keys of vi
	Inline    bool             // keeps the conversation in the terminal's own scrollback
	Now       func() time.Time // the clock that times are shown by; nil is the system's
	Marks     nebula.Vitals    // below which vitals are low; those that are not given are as usual
	History   string           // the file of what was typed, see terminal.HistoryFile; empty remembers nothing

	// Session is the one to continue; empty offers the earlier ones, and begins a new one with the first message.
	Session string
	// Choose has the newest of them selected: enter continues it.
	Choose bool
	// First is the message to begin with: in Session, or in a new one.
	First string

	// Attached says that the sessions are held by a server, and may be shown at other terminals too.
	Attached bool
	// Host is where sessions are, and all that is asked beside them.
	Host nebula.Host
	// Script is typed as long as the person types nothing; nil types nothing.
	Script *Script
	// Demo is the program that shows what nebula does, with its arguments; none offers no demo.
	Demo []string
}

// A Stop is a signal that ended the program.
type Stop struct{ Signal os.Signal }

// Error names the signal.
func (s *Stop) Error() string { return "stopped by " + s.Signal.String() }

// Run shows sessions until the person leaves, or ctx ends. The terminal is as before when it returns, also where it
// returns by a panic. A signal that ends the program gives a [Stop].
func Run(ctx context.Context, o Options) (err error) {
	if o.Host == nil {
		return errors.New("tui: no way to open a session")
	}
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer signal.Stop(signals)
	a, err := newApp(ctx, o)
	if err != nil {
		return err
	}
	defer func() {
		if p := recover(); p != nil {
			_ = a.terminal.Close()
			panic(p)
		}
	}()
	a.signals = signals
	a.begin()
	err = a.loop()
	return errors.Join(err, a.end())
}

func newApp(ctx context.Context, o Options) (*app, error) {
	if o.Env == nil {
		o.Env = os.Getenv
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	folder, err := o.Host.Folder(ctx)
	if err != nil {
		return nil, err
	}
	past, historyErr := terminal.OpenHistory(o.History)
	on, off := modes(o.Inline, o.Depth)
	on += terminal.SetAmbiguous(o.Ambiguous, o.Inline)
	term, err := terminal.Open(o.In, o.Out, on, off)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(ctx)
	a := &app{options: o, folder: folder, words: wordsFor(o.Lang), ctx: ctx, cancel: cancel, terminal: term, history: past,
		calls: make(chan func()), wanted: chosen(folder), focused: true, selected: -1}
	if o.Script != nil {
		a.typist = &typist{Script: *o.Script}
	}
	a.light = o.Theme == "light" || o.Theme != "dark" && lightBefore(o.Env)
	a.style = styleFor(o.Depth, a.light)
	a.screen = screenFor(o)
	a.opens = openerFor(o.Env, folder.Dir)
	a.gallery.can = terminal.GraphicsOf(o.Env)
	a.view = newView(a.words)
	a.resize()
	if historyErr != nil {
		a.view.note(transcript.Warning, fmt.Sprintf(a.words.History, historyErr))
	}
	return a, nil
}

// modes are the sequences that turn a terminal to the interface's needs and back: the other screen, marks around pasted
// text, keys that tell shift+enter from enter, focus, mouse, and a question for the background.
func modes(inline bool, d Depth) (on, off string) {
	on, off = "\x1b[?2004h\x1b[?1004h\x1b[>1u", "\x1b[0m\x1b[?25h\x1b[<u\x1b[?1004l\x1b[?2004l"
	if !inline {
		on, off = "\x1b[?1049h"+on+mouseOn, "\x1b[r"+mouseOff+off+"\x1b[?1049l"
	}
	on, off = pushTitle+on, off+popTitle
	if d >= Indexed {
		on += "\x1b]11;?\x1b\\"
	}
	if inline { // sixels are drawn into what scrolls away only
		on += "\x1b[c"
	}
	return on, off
}

const (
	mouseOn  = "\x1b[?1002h\x1b[?1006h"
	mouseOff = "\x1b[?1006l\x1b[?1002l"
)

// begin shows the first screen and opens what there is to open, beside the loop.
func (a *app) begin() {
	switch {
	case a.options.Session != "":
		a.first()
		a.open(a.options.Session)
	case a.options.First != "":
		a.first()
		a.open("")
	default:
		a.apart(func(ctx context.Context) func() {
			found, err := a.options.Host.Sessions(ctx, "")
			return func() { a.offerSessions(found, err) }
		})
	}
}

// first has the message that the person began with wait for the session.
//
//go:noinline
func (a *app) first() {
	if text := strings.TrimSpace(a.options.First); text != "" {
		a.pending = append(a.pending, text)
	}
}

// offerSessions shows the earlier sessions below the first line. A message begins a new one.
func (a *app) offerSessions(found []nebula.SessionInfo, err error) {
	if err != nil {
		a.noSession(err)
		return
	}
	a.home = found
	if a.options.Choose && len(found) > 0 {
		a.selected = 0
	}
	if len(found) == 0 && a.link == nil && !a.opening {
		a.open("")
	}
}

// open opens a session and turns to it.
func (a *app) open(id string) {
	if a.opening {
		return
	}
	a.opening = true
	a.apart(func(ctx context.Context) func() {
		c, err := a.options.Host.Open(ctx, id)
		return func() {
			a.opening = false
			if err != nil {
				a.noSession(err)
				return
			}
			a.attach(c)
		}
	})
}

// attach turns to a conversation; the one before is ended beside the loop.
func (a *app) attach(c nebula.Conversation) {
	a.detach()
	a.view = newView(a.words)
	a.scroll, a.selected, a.gate, a.finder, a.home, a.printed = scroll{}, -1, nil, nil, nil, 0
	if a.folder.Note != "" {
		a.view.note(transcript.Warning, a.folder.Note)
		a.folder.Note = ""
	}
	a.link = terminal.NewLink(a.ctx, c)
	a.needs = false
	if w := a.differs(); w != (nebula.Switch{}) {
		a.send(w)
	}
	a.wanted = chosen(a.folder)
	a.attached = time.Now()
}

// chosen is what a new session begins with, as long as the person chooses nothing else.
func chosen(f nebula.Folder) nebula.Switch {
	return nebula.Switch{Model: f.Model, Protocol: f.Protocol, Mode: f.Mode, Approve: f.Approve}
}

// differs is what was chosen before there was a session, as far as sessions do not begin with it.
func (a *app) differs() nebula.Switch {
	w, b := a.wanted, a.folder
	s := nebula.Switch{Effort: w.Effort}
	if w.Mode != b.Mode {
		s.Mode = w.Mode
	}
	if w.Model != b.Model {
		s.Model = w.Model
	}
	if w.Protocol != b.Protocol {
		s.Protocol = w.Protocol
	}
	if w.Approve != b.Approve {
		s.Approve = w.Approve
	}
	return s
}

func (a *app) detach() {
	if l := a.link; l != nil {
		a.link = nil
		a.others.Go(func() { l.Close(a.ctx) })
	}
}

// end closes the session and gives the terminal back.
func (a *app) end() error {
	session := a.view.Started.Session
	turns := a.view.Turns
	a.detach()
	done := make(chan struct{})
	go func() {
		a.others.Wait()
		close(done)
	}()
	a.cancel()
	for waiting := true; waiting; {
		select {
		case <-a.calls:
		case <-done:
			waiting = false
		}
	}
	if !a.options.Inline && a.gallery.can == terminal.Kitty {
		_, _ = io.WriteString(a.options.Out, terminal.Forget(a.gallery.count)) // a terminal that is gone keeps nothing
	}
	err := a.screen.leave()
	err = errors.Join(err, a.terminal.Close())
	bye := a.words.Bye
	if a.options.Attached {
		bye = a.words.ByeServed
	}
	if a.ousted {
		_, _ = fmt.Fprintln(a.options.Out, a.words.ServerGone)
	}
	if session != "" && turns > 0 && a.options.Script == nil {
		_, _ = fmt.Fprintf(a.options.Out, bye+"\n", session)
	}
	return err
}
