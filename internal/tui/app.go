package tui

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"nebula"
	"nebula/internal/terminal"
	"nebula/internal/transcript"

	uv "github.com/charmbracelet/ultraviolet"
)

// An app is all that the interface knows. One goroutine, the loop, owns it; the others only bring events, keys and
// answers to it.
type app struct {
	options  Options
	words    words
	style    style
	light    bool            // the background is
	ctx      context.Context // of the whole run; lives in the loop only
	cancel   context.CancelFunc
	terminal *terminal.Terminal
	screen   screen
	width    int
	height   int
	tiny     bool // the terminal is smaller than what is drawn
	look     look
	opens    opener
	gallery  gallery
	shown    []string // the rows of the last frame
	docked   int      // the least rows of the dock, as long as a frame is being settled
	printed  int      // blocks that an inline screen has printed
	about    nebula.ModelInfo
	aboutFor string

	view     *view
	link     *terminal.Link
	opening  bool
	keyed    bool // a key was just given
	attached time.Time
	home     []nebula.SessionInfo // offered before a session is open
	folder   nebula.Folder
	wanted   nebula.Switch           // what was chosen before there is a session
	pending  []string                // messages sent before there is a session
	queue    []string                // messages for after the turn
	copied   map[string]nebula.Image // pictures that the person copied, by the names that messages have for them

	editor       terminal.Editor
	vi           terminal.Vi // where the options want it
	history      *terminal.History
	scroll       scroll
	selected     int // the block that keys open; -1 for none
	gate         *question
	gave         nebula.Answer // that was sent last
	waiting      *nebula.Asked // of the background, opened by the person
	waitingBlock *block
	waitingAll   []*block // what stands in the conversation for it
	draft        draft
	picker       *picker
	popup        *popup
	page         *reading
	finder       *finder
	sought       string // what was looked for last
	files        []string
	listed       time.Time
	customs      []nebula.CommandInfo // that people wrote; nil before they were asked for
	drag         selection
	mouse        bool // released: the terminal selects text itself

	hint    string // shown once, until the next key
	ctrlC   time.Time
	focused bool
	told    string // what the person was last called for
	titles  string // what the window is called
	needs   bool   // no session could be begun for want of a model

	left     bool
	ousted   bool // by the end of the server
	failure  error
	calls    chan func() // work that comes back to the loop
	others   sync.WaitGroup
	signals  <-chan os.Signal
	drawn    time.Time
	due      time.Time // when the next drawing of what streams may be
	lastKey  time.Time
	pasteFor *question // what was asked when the paste began that is under way
	typist   *typist   // types in the person's place
}

// frame is the time between two drawings of what streams, after the first few, which are drawn as they come; keys are
// drawn at once. turn is how often what moves by itself is drawn: only while something runs.
const (
	frame = 40 * time.Millisecond
	ahead = 4
	turn  = 250 * time.Millisecond
	twice = 2 * time.Second
)

// loop runs until the person leaves.
func (a *app) loop() error {
	timer := time.NewTimer(0)
	defer timer.Stop()
	if err := a.draw(); err != nil {
		return err
	}
	waiting := false // events are known to wait for their frame
	for !a.left {
		wake := a.wake()
		switch left := time.Until(a.due); {
		case waiting && left <= 0:
			waiting = false
			a.due = slices.MaxFunc([]time.Time{a.due, time.Now().Add(-ahead * frame)}, time.Time.Compare).Add(frame)
			a.take()
			if err := a.draw(); err != nil {
				return err
			}
			continue
		case waiting:
			timer.Reset(left)
			wake = nil
		case a.pace() > 0:
			timer.Reset(max(a.pace()-time.Since(a.drawn), time.Millisecond))
		default:
			timer.Stop()
		}
		select {
		case <-a.ctx.Done():
			return a.ctx.Err()
		case s := <-a.signals:
			return &Stop{s}
		case <-wake:
			waiting = true
			continue
		case <-timer.C:
			if waiting {
				continue
			}
		case err := <-a.errs():
			a.failed(err)
		case f := <-a.calls:
			f()
		case k, ok := <-a.terminal.Events:
			if !ok {
				return a.failure
			}
			a.input(k)
			a.more()
		case <-a.terminal.Resized:
			a.resize()
		}
		if a.left {
			break
		}
		a.take()
		waiting = false
		if err := a.draw(); err != nil {
			return err
		}
	}
	return a.failure
}

// more takes the keys that came together with one.
func (a *app) more() {
	for range 256 {
		select {
		case k, ok := <-a.terminal.Events:
			if !ok {
				a.left = true
				return
			}
			a.input(k)
		default:
			return
		}
	}
}

func (a *app) wake() <-chan struct{} {
	if a.link == nil {
		return nil
	}
	return a.link.Wake
}

func (a *app) errs() <-chan error {
	if a.link == nil {
		return nil
	}
	return a.link.Errs
}

// moves reports whether something on the screen moves by itself.
func (a *app) moves() bool { return a.opening || a.view.Busy && a.view.Ask == nil }

// pace is how long what moves stays as it is: a turn for the spinner, a second for the clocks of the background.
//
//go:noinline
func (a *app) pace() time.Duration {
	switch key := a.typist.pace(); {
	case key > 0:
		return key
	case a.moves():
		return turn
	case a.view.Beside.Works():
		return time.Second
	}
	return 0
}

// take folds the events that have come.
func (a *app) take() {
	if a.link == nil {
		return
	}
	events, over := a.link.Take()
	defer a.anchor()()
	for _, e := range events {
		a.view.fold(e)
		if _, ok := e.Body.(nebula.Started); ok {
			a.begun()
		}
		if _, ok := e.Body.(nebula.Ended); ok {
			if a.hint == a.words.Stopping { // it has
				a.hint = ""
			}
			a.turnEnded()
		}
	}
	a.follow()
	if over && a.link != nil && !a.left {
		if !a.view.Closed {
			a.view.note(transcript.Bad, a.words.Closed)
			a.link = nil
			return
		}
		a.left, a.ousted = true, a.options.Attached
		return
	}
	a.play()
}

// begun sends what was typed before the session was there.
func (a *app) begun() {
	for _, text := range a.pending {
		a.submit(text)
	}
	a.pending = nil
}

// turnEnded sends the next message of the queue, and calls the person.
func (a *app) turnEnded() {
	if len(a.queue) > 0 && !a.view.Closed {
		text := a.queue[0]
		a.queue = a.queue[1:]
		a.submit(text)
		return
	}
	a.refresh()
	if a.view.Closed || time.Since(a.view.Since) < 2*time.Second {
		return
	}
	a.call(a.outcome())
}

// unqueue gives what was to be sent after the turn back to the person, before what is being typed.
func (a *app) unqueue() {
	draft := &a.editor
	if a.gate != nil {
		draft = &a.gate.draft
	}
	all := a.queue
	if len(all) == 0 {
		return
	}
	if !draft.Empty() {
		all = append(all, draft.Text())
	}
	draft.Set(strings.Join(all, "\n"))
	a.queue = nil
}

// refresh asks anew where the folder stands: a turn may have changed the branch.
func (a *app) refresh() {
	if a.options.Host == nil {
		return
	}
	a.apart(func(ctx context.Context) func() {
		f, err := a.options.Host.Folder(ctx)
		return func() {
			if err == nil {
				a.folder.Branch = f.Branch
			}
		}
	})
}

// failed shows an error that is nobody's.
func (a *app) failed(err error) {
	a.view.note(transcript.Bad, terminal.Visible(err.Error()))
	if a.gate != nil {
		a.gate.sent = false
	}
}

// send hands a command to the session.
//
//go:noinline
func (a *app) send(c nebula.Command) {
	if a.link == nil {
		return
	}
	if answer, ok := c.(nebula.Answer); ok {
		a.gave = answer
	}
	if !a.link.Send(c) {
		a.hint = a.words.Busy
	}
}

// apart runs work that may take long, and what it returns in the loop.
//
//go:noinline
func (a *app) apart(work func(context.Context) func()) {
	a.others.Go(func() {
		back := sheltered(a.ctx, work)
		select {
		case a.calls <- back:
		case <-a.ctx.Done():
		}
	})
}

// sheltered brings a panic to the loop, which gives the terminal back before it goes on.
func sheltered(ctx context.Context, work func(context.Context) func()) (back func()) {
	defer func() {
		if p := recover(); p != nil {
			back = func() { panic(p) }
		}
	}()
	return work(ctx)
}

// resize lays out for the terminal's size. It may have been another one in between, which cut what stood there: all is drawn
// anew also where the size is the same.
func (a *app) resize() {
	w, h := a.terminal.Size()
	a.tiny = w < 8 || h < 4
	w, h = max(w, 8), max(h, 4)
	a.width, a.height = w, h
	a.drag = selection{}
	a.screen.resize(w, h)
}

// restyle draws everything anew in other colours.
func (a *app) restyle(light bool) {
	a.light, a.style = light, styleFor(a.options.Depth, light)
	a.look.generation++
}

// input takes one thing that came from the terminal.
func (a *app) input(event uv.Event) {
	switch e := event.(type) {
	case uv.MultiEvent:
		for _, one := range e {
			a.input(one)
		}
	case uv.KeyPressEvent:
		a.yield(e)
		a.key(e)
	case uv.PasteStartEvent:
		a.pasting()
	case uv.PasteEvent:
		a.paste(e.Content)
	case uv.CursorPositionEvent:
		if terminal.Measured(e) {
			a.look.generation++
			a.screen.clear()
		}
	case uv.FocusEvent:
		a.focused, a.told = true, ""
	case uv.BlurEvent:
		a.focused = false
	case uv.BackgroundColorEvent:
		if now := light(e.Color); now != a.light && a.options.Theme != "dark" && a.options.Theme != "light" {
			a.restyle(now)
		}
	case uv.PrimaryDeviceAttributesEvent:
		a.gallery.can = terminal.Answered(a.gallery.can, e, a.options.Env)
		for _, b := range a.view.blocks[:min(a.printed, len(a.view.blocks))] { // before the terminal said so
			a.hang(b)
		}
	case uv.MouseWheelEvent:
		a.wheel(e)
	case uv.MouseClickEvent:
		a.press(uv.Mouse(e))
	case uv.MouseMotionEvent:
		a.pull(uv.Mouse(e))
	case uv.MouseReleaseEvent:
		a.release(uv.Mouse(e))
	}
}

// keepChoices has later sessions begin with the model and the protocol of this one.
func (a *app) keepChoices() {
	model, protocol := a.chosenNow()
	if a.options.Host == nil || model == "" {
		return
	}
	a.apart(func(ctx context.Context) func() {
		err := errors.Join(a.options.Host.Keep(ctx, "model", model), a.options.Host.Keep(ctx, "protocol", protocol))
		return func() {
			if err != nil {
				a.failed(err)
				return
			}
			a.view.note(transcript.Good, fmt.Sprintf(a.words.Kept, terminal.Visible(model), protocol))
		}
	})
}

// chosenNow are the model and the protocol that are spoken now, or will be.
//
//go:noinline
func (a *app) chosenNow() (model, protocol string) {
	if a.view.Started.Session == "" {
		return a.wanted.Model, a.wanted.Protocol
	}
	return a.view.Model, a.view.Protocol
}
