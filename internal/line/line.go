// Package line is the line interface: a conversation that scrolls by as in a shell, with one place at the bottom where
// the person types. It knows a [nebula.Host] and its conversations only, keeps nothing but what it folds from the
// events, and knows no tool, protocol or model by name.
package line

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"nebula"
	"nebula/internal/terminal"
)

// Options are what the line interface works with. In and Out must be one terminal, unless In is a script.
type Options struct {
	In, Out   *os.File
	Script    bool   // In is what a person would type, in its order: a line is read when one is wanted, never before
	Lang      string // "en" or "ja"
	Color     bool
	Spoken    bool   // for ears: nothing moves, nothing is written twice, and a word stands before every kind of line
	Ambiguous string // "wide" where characters that Unicode leaves open take two columns; nobody is asked: a screen reader would speak it
	History   string // the file of what was typed, see HistoryFile; empty remembers nothing

	Session string // the one to continue; empty has the person choose among the folder's
	First   string // the message to begin with: in Session, or in a new one

	// Attached says that the sessions are held by a server, and may be shown at other terminals too.
	Attached bool

	// Host is where sessions are, and all that is asked beside them. A conversation that it opened is closed before Run
	// returns.
	Host nebula.Host
}

// on asks for marks around pasted text and for keys that tell shift+enter from enter; off takes that back.
const (
	on  = "\x1b[?2004h\x1b[>1u"
	off = "\x1b[<u\x1b[?2004l"
)

// Run talks with the person until they leave, the session ends for good, or ctx ends, and returns how the last turn ended, or the
// plan that a script ran where that did not end well.
// The terminal is as before when it returns.
func Run(ctx context.Context, o Options) (nebula.Outcome, error) {
	t, err := newTalk(ctx, o)
	if err != nil {
		return nebula.Outcome{}, err
	}
	err = t.begin()
	if err == nil {
		err = t.loop()
	}
	if err = errors.Join(err, t.fault); err == nil && o.Script && t.lines == 0 && o.First == "" {
		err = ErrEmpty
	}
	err = errors.Join(err, t.end())
	for _, o := range []nebula.Outcome{t.plan, t.round} {
		if o.Session != "" && (t.last.Session == "" || t.last.Status.Did()) {
			return o, err
		}
	}
	return t.last, err
}

// What a script may be instead of lines: empty, and bytes that are no text.
var (
	ErrEmpty  = errors.New("the script is empty")
	ErrBinary = errors.New("the script is no text")
)

func newTalk(ctx context.Context, o Options) (*talk, error) {
	w := wordsFor(o.Lang)
	_ = terminal.SetAmbiguous(o.Ambiguous, true)
	folder, err := o.Host.Folder(ctx)
	if err != nil {
		return nil, err
	}
	past, historyErr := terminal.OpenHistory(o.History)
	dumb := o.Script || terminal.Dumb()
	open := func() (*terminal.Terminal, error) { return terminal.Open(o.In, o.Out, on, off) }
	if o.Script {
		open = func() (*terminal.Terminal, error) { return terminal.Script(o.In, o.Out) }
	}
	term, err := open()
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(ctx)
	t := &talk{options: o, folder: folder, words: w, palette: paletteFor((o.Color || o.Spoken) && !dumb), dumb: dumb, ctx: ctx, cancel: cancel, terminal: term,
		history: past, calls: make(chan func()), screen: screen{out: o.Out}}
	t.spoken = o.Spoken && !dumb
	t.view = newView(w, t.palette, false, time.Now())
	t.view.aloud = t.spoken
	t.resize()
	if folder.Note != "" {
		t.view.note(t.palette.warn, folder.Note)
	}
	if historyErr != nil {
		t.view.note(t.palette.warn, fmt.Sprintf(w.History, historyErr))
	}
	return t, nil
}

// begin finds the session to talk in.
func (t *talk) begin() error {
	o := t.options
	if o.Session != "" || o.First != "" || o.Script {
		if err := t.open(o.Session); err != nil || o.First == "" {
			return err
		}
		t.submit(o.First)
		return nil
	}
	sessions, err := o.Host.Sessions(t.ctx, "")
	if err != nil {
		return err
	}
	if len(sessions) == 0 {
		return t.open("")
	}
	t.pickSession(sessions)
	return nil
}

// open opens a session and turns to it.
func (t *talk) open(id string) error {
	at := time.Now()
	c, err := t.options.Host.Open(t.ctx, id)
	if err != nil {
		return err
	}
	t.attach(c, id != "")
	t.view.opened = at
	t.view.empty = id == "" && t.folder.Empty
	return nil
}
