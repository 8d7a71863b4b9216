package line

import (
	"context"
	"fmt"
	"sync"
	"time"

	"nebula"
	"nebula/internal/terminal"

	uv "github.com/charmbracelet/ultraviolet"
)

// A talk is the loop of the line interface. One goroutine owns everything in it; the others only bring events, keys
// and answers to it.
type talk struct {
	options  Options
	words    words
	folder   nebula.Folder
	palette  palette
	ctx      context.Context // of the whole run; lives in the loop only
	cancel   context.CancelFunc
	terminal *terminal.Terminal
	screen   screen
	dumb     bool      // the terminal can only print
	spoken   bool      // it is listened to
	still    time.Time // when it was said last that something goes on
	history  *terminal.History
	gave     nebula.Answer // that was sent last
	editor   terminal.Editor

	view     *view
	link     *terminal.Link
	asking   string          // the ask that the editor is set up for
	lock     terminal.Lock   // of what is asked
	pasteFor string          // what was asked when the paste began that is under way
	stash    terminal.Editor // what was being typed when the ask came
	pick     *pick
	draft    *nebula.Plan         // that was shown to be approved
	written  []nebula.CommandInfo // commands that people wrote, as they were then:
	looked   time.Time
	search   *search

	last  nebula.Outcome // of a turn of this opening
	plan  nebula.Outcome // of the plan that a script ran last, where it did not come to a proper end
	round nebula.Outcome // of the last turn that went in circles
	lines int            // of a script, that were read
	due   string         // what a script waits for before its next line; see script.go
	runs  bool           // a plan that was told to run has not come to its end
	ended bool           // a script was read to its end
	away  int            // work apart that is under way

	hint   string // shown once, until the next key
	ctrlC  time.Time
	left   bool
	fault  error       // why a script was left
	calls  chan func() // work that comes back to the loop
	others sync.WaitGroup
	drawn  time.Time
}

// A pick is a choice that the interface itself asks for.
type pick struct {
	options []string
	free    bool // other text is an answer too
	chosen  func(option int, text string)
}

// frame is the least time between two drawings.
const (
	frame = 16 * time.Millisecond
	twice = 2 * time.Second
)

// loop runs until the person leaves.
func (t *talk) loop() error {
	tick := time.NewTicker(120 * time.Millisecond)
	defer tick.Stop()
	later := time.NewTimer(time.Hour)
	defer later.Stop()
	for !t.left {
		if wait := frame - time.Since(t.drawn); wait > 0 {
			later.Reset(wait)
		} else if err := t.draw(); err != nil {
			return nebula.Errorf("terminal: %w", err)
		} else {
			t.lock.Shown(time.Time{}) // what is asked is on the screen from now on
		}
		var ticks <-chan time.Time
		if t.view.Busy || len(t.view.Beside.Steps) > 0 { // else nothing moves, and nothing needs to wake up
			ticks = tick.C
		}
		select {
		case <-t.ctx.Done():
			return t.ctx.Err()
		case <-t.wake():
			t.take()
		case err := <-t.errs():
			t.take() // what happened before it
			t.unrun()
			t.due, t.runs = "", false
			t.view.note(t.palette.bad, terminal.Visible(err.Error()))
		case f := <-t.calls:
			f()
		case k, ok := <-t.keys():
			if !ok && !t.options.Script {
				return nil
			}
			t.typedOrEnded(k, ok)
		case <-t.terminal.Resized:
		case <-later.C:
		case <-ticks:
		}
	}
	return nil
}

func (t *talk) wake() <-chan struct{} {
	if t.link == nil {
		return nil
	}
	return t.link.Wake
}

func (t *talk) errs() <-chan error {
	if t.link == nil {
		return nil
	}
	return t.link.Errs
}

// take folds the events that have come.
func (t *talk) take() {
	events, over := t.link.Take()
	for _, e := range events {
		t.view.fold(e)
		t.follow()
		t.met(e)
	}
	switch {
	case over && t.options.Attached:
		t.view.note(t.palette.warn, t.words.ServerGone)
	case over && !t.view.Closed:
		t.view.note(t.palette.warn, t.words.Closed)
	}
	t.left = t.left || over
}

// follow sets the editor up for an answer when a question has come, and back when it is gone. What was typed before
// the question is put aside: it is no answer to it.
func (t *talk) follow() {
	now := ""
	if t.view.Ask != nil {
		now = t.view.Ask.Ask
	}
	if now == t.asking {
		return
	}
	if t.asking == "" {
		t.stash = t.editor
		if !t.stash.Empty() {
			t.view.print(terminal.Paint(t.palette.dim, t.words.DraftKept))
		}
	}
	if late := t.view.Late(t.asking, t.gave); t.asking != "" && late != "" && t.options.Attached && t.lock.Begun() {
		t.view.note(t.palette.warn, late)
	}
	if half := t.editor.Text(); t.asking != "" && half != "" { // it is no answer any more, and no message yet
		t.remember(half)
		t.hint = t.words.DraftBack
	}
	t.asking, t.search, t.pick, t.due = now, nil, nil, ""
	t.editor = t.editor.Cleared()
	if now == "" {
		t.editor, t.stash = t.stash, terminal.Editor{}
		return
	}
	t.lock = terminal.Lock{}
}

// attach turns to a conversation, and ends the one before.
func (t *talk) attach(c nebula.Conversation, resumed bool) {
	t.detach()
	lines := t.view.lines
	t.view = newView(t.words, t.palette, resumed, t.view.opened)
	t.view.lines, t.view.policy, t.view.aloud = lines, t.folder.Approve, t.spoken
	t.resize()
	t.asking, t.pick, t.search = "", nil, nil
	t.link = terminal.NewLink(t.ctx, c)
}

// detach ends the session and waits until it is closed.
func (t *talk) detach() {
	if l := t.link; l != nil {
		t.link = nil
		for _, e := range l.Close(t.ctx) {
			t.view.fold(e)
		}
	}
}

// end closes the session and gives the terminal back.
func (t *talk) end() error {
	t.detach()
	t.cancel()
	done := make(chan struct{})
	go func() {
		t.others.Wait()
		close(done)
	}()
	for waiting := true; waiting; {
		select {
		case <-t.calls:
		case <-done:
			waiting = false
		}
	}
	if id := t.view.Started.Session; id != "" {
		bye := t.words.Bye
		if t.options.Attached {
			bye = t.words.ByeServed
		}
		t.view.print(terminal.Paint(t.palette.dim, fmt.Sprintf(bye, id)))
	}
	var err error
	if rows := t.view.printed(); t.spoken {
		err = t.screen.speak(rows, "", "")
	} else if t.dumb {
		err = t.screen.print(rows, "")
	} else {
		err = t.screen.draw(rows, nil, 0, 0)
	}
	if e := t.terminal.Close(); err == nil {
		err = e
	}
	return err
}

// send hands a command to the session.
func (t *talk) send(c nebula.Command) {
	if answer, ok := c.(nebula.Answer); ok {
		t.gave = answer
	}
	switch {
	case t.link == nil:
	case t.link.Send(c):
		t.due = awaited(c)
		t.began(c)
	default:
		t.hint = t.words.Busy
	}
}

// apart runs work that may take long, and what it returns in the loop.
func (t *talk) apart(work func(context.Context) func()) {
	t.away++
	t.others.Go(func() {
		back := work(t.ctx)
		select {
		case t.calls <- func() { t.away--; back() }:
		case <-t.ctx.Done():
		}
	})
}

func (t *talk) resize() {
	w, h := t.terminal.Size()
	if t.options.Script {
		h = 1 << 16 // nothing scrolls away from a file
	}
	if w != t.screen.width || h != t.screen.height {
		t.screen.resize(w, h)
	}
	room := h - besides - 2*(60/max(w, 1)) // in a narrow terminal hints take more rows
	t.view.width, t.view.room, t.view.small = max(w-1, leastWidth), max(room, 1), w <= leastWidth || room < 2
}

// leastWidth is how many columns rows have at least, and besides how many rows of the screen are not for what is asked.
// In less than that nothing can be shown that a person could decide on.
const (
	leastWidth = 20
	besides    = 6
)

// input takes one thing that came from the terminal.
func (t *talk) input(event uv.Event) {
	switch e := event.(type) {
	case uv.MultiEvent:
		for _, one := range e {
			t.input(one)
		}
	case uv.KeyPressEvent:
		if !t.spoken {
			t.screen.asked = "" // of a terminal that can only print: the key has ended that line
		}
		t.key(e)
	case uv.PasteStartEvent:
		t.pasteFor = ""
		if t.takes() {
			t.pasteFor = t.asking
		}
	case uv.PasteEvent:
		if t.asking != "" && t.pasteFor != t.asking && !t.dumb || !t.takes() {
			t.aside(e.Content)
			return
		}
		t.hint = ""
		t.editor.Paste(e.Content, t.words.Pasted)
	}
}

// takes reports whether what is asked, if anything is, was on the screen for a while.
//
//go:noinline
func (t *talk) takes() bool {
	return t.asking == "" || t.options.Script || t.lock.Open()
}

// early takes a key that was meant for something else, while a question has only just come. What it types is kept for
// afterwards, and what it would have decided is said not to count.
func (t *talk) early(name, text string) bool {
	switch {
	case t.takes():
		return false
	case text != "":
		t.aside(text)
	case name == "enter":
		t.hint = t.words.TooEarly
		t.lock.Rest()
	}
	return true
}

// aside keeps what was typed too early. A terminal that can only print could not show later that it is there.
func (t *talk) aside(text string) {
	t.lock.Rest()
	switch {
	case t.dumb:
		t.hint = t.words.TooEarly
	case t.stash.Empty():
		t.view.print(terminal.Paint(t.palette.dim, t.words.DraftKept))
		fallthrough
	default:
		t.stash.Paste(text, t.words.Pasted)
	}
}
