package line

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"

	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/term"
	"github.com/muesli/cancelreader"
)

// A terminal is where the person types, in raw mode: every key comes at once, and none is shown by the system.
type terminal struct {
	in, out *os.File
	events  chan uv.Event // closed when the terminal is gone
	resized <-chan os.Signal
	before  *term.State
	sizes   *uv.SizeNotifier
	reader  cancelreader.CancelReader
	cancel  context.CancelFunc
	done    sync.WaitGroup
	undo    func() // what the system needs besides
}

// errDumb is for terminals that can only print: in an editor's window, say.
var errDumb = errors.New("this terminal cannot place its cursor (TERM=dumb); use: nebula run PROMPT")

// on asks for marks around pasted text and for keys that tell shift+enter from enter; off takes that back.
const (
	on  = "\x1b[?2004h\x1b[>1u"
	off = "\x1b[<u\x1b[?2004l"
)

func openTerminal(in, out *os.File) (*terminal, error) {
	if !term.IsTerminal(in.Fd()) || !term.IsTerminal(out.Fd()) {
		return nil, ErrNoTerminal
	}
	if os.Getenv("TERM") == "dumb" {
		return nil, errDumb
	}
	t := &terminal{in: in, out: out, events: make(chan uv.Event, 64), sizes: uv.NewSizeNotifier(out)}
	if err := t.raw(); err != nil {
		return nil, err
	}
	var err error
	if t.reader, err = uv.NewCancelReader(in); err != nil {
		_ = t.cooked()
		return nil, fmt.Errorf("terminal: %w", err)
	}
	if t.sizes.Start() == nil {
		t.resized = t.sizes.C
	}
	ctx, cancel := context.WithCancel(context.Background())
	t.cancel = cancel
	t.done.Go(func() {
		defer close(t.events)
		_ = uv.NewTerminalReader(t.reader, os.Getenv("TERM")).StreamEvents(ctx, t.events) // its end is all that matters
	})
	return t, nil
}

func (t *terminal) raw() (err error) {
	if t.undo, err = prepare(t.out); err != nil {
		return fmt.Errorf("terminal: %w", err)
	}
	if t.before, err = term.MakeRaw(t.in.Fd()); err != nil {
		return fmt.Errorf("terminal: %w", err)
	}
	_, err = io.WriteString(t.out, on)
	return err
}

func (t *terminal) cooked() error {
	_, err := io.WriteString(t.out, off)
	if e := term.Restore(t.in.Fd(), t.before); err == nil {
		err = e
	}
	t.undo()
	return err
}

// size is the terminal's, or a usual one where it does not tell.
func (t *terminal) size() (width, height int) {
	w, h, err := term.GetSize(t.out.Fd())
	if err != nil || w < 1 || h < 1 {
		return 80, 24
	}
	return w, h
}

func (t *terminal) clear() error {
	_, err := io.WriteString(t.out, "\x1b[H\x1b[2J")
	return err
}

// close ends the reading and puts the terminal back as it was.
func (t *terminal) close() error {
	t.cancel()
	t.reader.Cancel()
	for range t.events { // what was typed after the end
	}
	t.done.Wait()
	if t.resized != nil {
		_ = t.sizes.Stop()
	}
	_ = t.reader.Close()
	return t.cooked()
}
