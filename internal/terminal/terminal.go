// Package terminal is what front ends on a terminal share: raw mode and the keys that come, how wide text is and where
// it may be broken, how foreign text is made visible, and the text that is being typed. It draws nothing.
package terminal

import (
	"bufio"
	"context"
	"errors"
	"image"
	"io"
	"os"
	"sync"
	"time"

	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/term"
	"github.com/muesli/cancelreader"

	"nebula"
	"nebula/internal/phrase"
)

// A Terminal is where the person types, in raw mode: every key comes at once, and none is shown by the system.
type Terminal struct {
	Events  chan uv.Event    // closed when the terminal is gone
	Resized <-chan os.Signal // holds one note while nobody looks: none is lost; nil where the system does not tell

	in, out *os.File
	on, off string
	before  *term.State
	deaf    func() // ends the notes of Resized
	reader  cancelreader.CancelReader
	pieces  pieces
	asked   time.Time // when the terminal was asked what on asks
	cancel  context.CancelFunc
	done    sync.WaitGroup
	undo    func() // what the system needs besides
	guard   chan *guard
}

// ErrNoTerminal is what Open returns where nobody can type.
var ErrNoTerminal = errors.New("standard input is no terminal; use: nebula run PROMPT")

// Dumb reports whether a terminal can only print: in an editor's window, say.
//
//go:noinline
func Dumb() bool { return os.Getenv("TERM") == "dumb" }

// Open turns a terminal to raw mode and begins to read its keys. The sequence on is written first, and off when the
// terminal is given back. A terminal that can only print stays as it is: it gives whole lines, each as something pasted
// and the key that ends it.
func Open(in, out *os.File, on, off string) (*Terminal, error) {
	if !term.IsTerminal(in.Fd()) || !term.IsTerminal(out.Fd()) {
		return nil, ErrNoTerminal
	}
	t := &Terminal{in: in, out: out, on: on, off: off, Events: make(chan uv.Event, 64)}
	if Dumb() {
		return t, t.lines()
	}
	if err := t.Raw(); err != nil {
		return nil, err
	}
	if err := t.listen(); err != nil {
		_ = t.Cooked()
		return nil, nebula.Errorf("terminal: %w", err)
	}
	t.guard = make(chan *guard, 1)
	before := t.before
	go func() { t.guard <- newGuard(in, out, before, off) }() // beside the first frame
	t.Resized, t.deaf = resized()
	return t, nil
}

// Script reads what a person would type from a file or a pipe, line by line, and needs no terminal to show what comes of
// it. What begins with bytes that are no text is one piece, without an end of a line.
func Script(in, out *os.File) (*Terminal, error) {
	t := &Terminal{in: in, out: out, Events: make(chan uv.Event)}
	return t, t.lines()
}

// listen begins to read keys.
func (t *Terminal) listen() (err error) {
	if t.reader, err = uv.NewCancelReader(t.in); err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(context.Background())
	t.cancel = cancel
	events := t.Events
	t.pieces.goOn(t.reader)
	t.done.Go(func() {
		defer close(events)
		_ = uv.NewTerminalReader(&t.pieces, os.Getenv("TERM")).StreamEvents(ctx, events) // its end is all that matters
	})
	return nil
}

// lines begins to read lines.
func (t *Terminal) lines() (err error) {
	if t.reader, err = lineReader(t.in); err != nil {
		return nebula.Errorf("terminal: %w", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	t.cancel = cancel
	t.done.Go(func() {
		defer close(t.Events)
		in := bufio.NewReader(t.reader)
		_, _ = in.Peek(1) // where there is nothing, there is no line either
		begins, _ := in.Peek(in.Buffered())
		send := func(e uv.Event) bool {
			select {
			case t.Events <- e:
				return true
			case <-ctx.Done():
				return false
			}
		}
		if phrase.Binary(begins) { // in pieces it would not be known
			send(uv.PasteEvent{Content: string(begins)})
			return
		}
		for lines := bufio.NewScanner(in); lines.Scan(); {
			if !send(uv.PasteEvent{Content: lines.Text()}) || !send(uv.KeyPressEvent{Code: uv.KeyEnter}) {
				return
			}
		}
	})
	return nil
}

// lineReader is a file as something whose reading can be cancelled. What is neither a terminal nor another's end of a pipe
// cannot be waited for, and need not be: it answers at once.
func lineReader(in *os.File) (cancelreader.CancelReader, error) {
	info, err := in.Stat()
	if err != nil {
		return nil, err
	}
	if info.Mode()&(os.ModeNamedPipe|os.ModeSocket) == 0 && !term.IsTerminal(in.Fd()) {
		return cancelreader.NewReader(struct{ io.Reader }{in})
	}
	return uv.NewCancelReader(in)
}

// deafen ends the reading; what was typed since is lost.
func (t *Terminal) deafen() {
	t.cancel()
	t.reader.Cancel()
	for range t.Events { // what was typed after the end
	}
	t.done.Wait()
	_ = t.reader.Close()
}

// Raw turns to raw mode; Cooked gives the terminal back.
func (t *Terminal) Raw() (err error) {
	if t.undo, err = prepare(t.out); err != nil {
		return nebula.Errorf("terminal: %w", err)
	}
	if t.before, err = term.MakeRaw(t.in.Fd()); err != nil {
		return nebula.Errorf("terminal: %w", err)
	}
	_, err = io.WriteString(t.out, t.on)
	t.asked = time.Now()
	return err
}

// Cooked gives the terminal back as it was before Raw.
func (t *Terminal) Cooked() error {
	_, err := io.WriteString(t.out, t.off)
	if e := term.Restore(t.in.Fd(), t.before); err == nil {
		err = e
	}
	t.undo()
	return err
}

// Lend gives the terminal to another program while run runs, and takes it back. Keys that come meanwhile are that
// program's; answers to what this one asked are not, and are waited for.
func (t *Terminal) Lend(run func() error) error {
	time.Sleep(time.Until(t.asked.Add(answers)))
	t.deafen()
	if err := t.Cooked(); err != nil {
		return err
	}
	failed := run()
	t.Events = make(chan uv.Event, 64)
	return errors.Join(failed, t.Raw(), t.listen())
}

// answers is how long a terminal may take to answer.
const answers = 300 * time.Millisecond

// Size is the terminal's, or a usual one where it does not tell.
//
//go:noinline
func (t *Terminal) Size() (width, height int) { return Size(t.out) }

// Cell is how many pixels one of its cells has; none where it does not tell.
func (t *Terminal) Cell() image.Point { return pixels(t.out) }

// Size is the size of the terminal that a file is, or a usual one where it does not tell.
func Size(out *os.File) (width, height int) {
	w, h, err := term.GetSize(out.Fd())
	if err != nil || w < 1 || h < 1 {
		return 80, 24
	}
	return w, h
}

// Clear empties the screen.
func (t *Terminal) Clear() error {
	_, err := io.WriteString(t.out, "\x1b[H\x1b[2J")
	return err
}

// Close ends the reading and puts the terminal back as it was.
func (t *Terminal) Close() error {
	t.deafen()
	if t.before == nil { // nothing was changed
		return nil
	}
	t.deaf()
	err := t.Cooked()
	(<-t.guard).leave()
	return err
}
