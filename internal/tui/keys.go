package tui

import (
	"context"
	"errors"
	"maps"
	"strings"
	"time"

	"nebula"
	"nebula/internal/command"
	"nebula/internal/gate"
	"nebula/internal/terminal"
	"nebula/internal/transcript"

	uv "github.com/charmbracelet/ultraviolet"
)

// key takes one key: whoever is in front gets it first.
func (a *app) key(k uv.KeyPressEvent) {
	name, text := k.Keystroke(), k.Text
	defer func() { a.lastKey = time.Now() }()
	if name == "ctrl+c" {
		a.interrupt()
		return
	}
	if a.early(name, text) {
		return
	}
	a.hint = ""
	switch {
	case a.page != nil:
		if a.pageKey(name, text) {
			return
		}
	case a.picker != nil:
		a.pickKey(name, text)
		return
	case a.finder != nil:
		a.findKey(name, text)
		return
	case a.popup != nil && a.popupKey(name):
		return
	case a.gate != nil && a.gateKey(name):
		return
	}
	if a.options.Vi && a.gate == nil {
		if name = a.vi.Key(&a.editor, name, text); a.vi.Normal() {
			text = ""
		}
		if name == "" {
			a.complete()
			return
		}
	}
	if a.sight(name) || a.does(name) {
		return
	}
	if a.gate != nil {
		a.gate.held = ""
	}
	switch {
	case text == "?" && a.editor.Empty() && a.gate == nil:
		a.help()
	case a.editor.Key(name):
	case text != "":
		a.editor.Insert(text)
		a.selected = -1
	}
	a.complete()
}

// sight handles the keys that move what is seen, and reports whether it was one.
func (a *app) sight(name string) bool {
	page := max(a.bodyHeight()-2, 1)
	switch name {
	case "pgup":
		a.scrollBy(-page)
	case "pgdown":
		a.scrollBy(page)
	case "shift+up":
		a.scrollBy(-1)
	case "shift+down":
		a.scrollBy(1)
	case "alt+home", "shift+home":
		a.scroll = scroll{held: len(a.view.blocks) > 0, warm: a.scroll.warm}
	case "alt+end", "shift+end":
		a.scroll.held = false
	case "alt+up":
		a.choose(-1)
	case "alt+down":
		a.choose(1)
	case "ctrl+o":
		a.toggle(a.chosen())
	case "alt+t":
		a.thoughts()
	case "alt+p":
		a.tasks()
	case "alt+v":
		a.look.side = !a.look.side
	case "alt+pgup", "ctrl+up":
		a.jump(-1)
	case "alt+pgdown", "ctrl+down":
		a.jump(1)
	case "ctrl+l":
		a.screen.clear()
	default:
		return false
	}
	return true
}

// does handles the keys that do something, and reports whether it was one.
func (a *app) does(name string) bool {
	switch name {
	case "enter":
		a.enter()
	case "alt+enter", "ctrl+j", "shift+enter", "ctrl+enter":
		a.editor.Insert("\n")
	case "ctrl+d":
		if !a.editor.Empty() {
			return false
		}
		a.left = true
	case "esc":
		a.escape()
	case "up", "down":
		return a.vertical(map[string]int{"up": -1, "down": 1}[name])
	case "ctrl+f":
		if a.options.Inline { // the terminal looks through its own scrollback
			return false
		}
		a.find()
	case "ctrl+p":
		a.palette()
	case "ctrl+r":
		a.past()
	case "ctrl+g":
		a.edit()
	case "ctrl+v":
		a.pasteCopied()
	case "ctrl+z":
		a.suspend()
	case "tab":
		if a.editor.Empty() {
			a.mode()
		} else if a.view.Busy && a.gate == nil {
			a.enqueue()
		}
	case "shift+tab":
		a.freer()
	default:
		return false
	}
	return true
}

// interrupt is Ctrl-C: it closes what is in front, stops what is going on, or clears what was typed. Where nothing of
// that is left it says that the next one leaves.
func (a *app) interrupt() {
	again := a.hint != "" && time.Since(a.ctrlC) < twice // any other key takes the hint away
	a.ctrlC = time.Now()
	switch {
	case a.picker != nil || a.page != nil || a.popup != nil || a.finder != nil:
		a.picker, a.page, a.popup, a.finder, a.ctrlC = nil, nil, nil, nil, time.Time{}
	case again && a.hint == a.words.CtrlC && a.editor.Empty():
		a.left = true
	case !again && (a.view.Busy || a.gate != nil):
		a.stop()
	case !a.editor.Empty(): // nothing is lost: the draft is what was typed last
		a.remember(a.editor.Text())
		a.editor.Clear()
		a.hint = a.words.DraftBack
	default:
		a.hint = a.words.CtrlC
	}
}

func (a *app) stop() {
	a.unqueue()
	a.send(nebula.Cancel{})
	a.hint = a.words.Stopping
}

func (a *app) escape() {
	switch {
	case a.gate != nil && a.waiting != nil && a.view.Ask == nil:
		a.putBack()
	case a.selected >= 0:
		a.selected = -1
	case a.scroll.held:
		a.scroll.held = false
	case a.view.Busy && a.gate == nil:
		a.stop()
	}
}

// vertical moves the cursor by rows, and through what was typed before where there are no more.
func (a *app) vertical(by int) bool {
	if a.editor.Vertical(by, a.width, promptWidth) || a.gate != nil {
		return true
	}
	if a.link == nil && a.editor.Empty() && len(a.home) > 0 && (by > 0 || a.selected >= 0) {
		a.selected = min(max(a.selected+by, -1), len(a.home)-1)
		return true
	}
	if by < 0 && a.editor.Empty() && len(a.queue) > 0 {
		a.editor.Set(a.queue[len(a.queue)-1])
		a.queue = a.queue[:len(a.queue)-1]
		return true
	}
	if text, ok := a.history.Move(by, a.editor.Text()); ok {
		a.editor.Set(text)
	}
	return true
}

// enter ends a message: a new line after a backslash, else it goes where it belongs.
func (a *app) enter() {
	text := a.editor.Text()
	switch {
	case strings.HasSuffix(text, `\`) && a.editor.AtEnd():
		a.editor.Key("backspace")
		a.editor.Insert("\n")
		return
	case strings.TrimSpace(text) == "" && a.link == nil && a.selected >= 0 && a.selected < len(a.home):
		a.open(a.home[a.selected].ID)
		return
	case strings.TrimSpace(text) == "" && a.selected >= 0:
		a.toggle(a.selected)
		return
	case strings.TrimSpace(text) == "":
		return
	}
	a.editor = a.editor.Cleared()
	a.vi.Insert()
	a.popup, a.scroll.held, a.selected = nil, false, -1
	rest, instead := command.Unkeyed(text, a.words.Lang)
	a.remember(rest)
	if a.hint = ""; instead != "" { // without the key it is theirs to send
		a.editor.Set(rest)
		a.stray("")
		return
	}
	a.submit(text)
}

// remember keeps what was typed, on disk beside the loop.
func (a *app) remember(text string) {
	if write := a.history.Note(strings.TrimRight(text, "\n ")); write != nil {
		a.apart(func(context.Context) func() {
			err := write()
			return func() {
				if err != nil {
					a.view.note(transcript.Warning, terminal.Visible(err.Error()))
					a.history.File = ""
				}
			}
		})
	}
}

// submit sends a message, or does what a command says. Before there is a session it waits for one.
func (a *app) submit(text string) {
	if name, args, ok := command.Read(text); ok {
		if _, known := command.Find(name); known {
			a.run(name, args)
		} else {
			a.own(name, text)
		}
		return
	}
	a.message(a.view.Means(strings.Trim(text, "\n")))
}

// wait keeps what was typed until there is a session.
//
//go:noinline
func (a *app) wait(text string) {
	a.pending = append(a.pending, text)
	if a.link == nil {
		a.open("")
	}
}

// message sends a message to the model.
func (a *app) message(text string) {
	if a.link == nil || a.view.Started.Session == "" {
		a.wait(text)
		return
	}
	if a.consents(text) {
		return
	}
	paths := terminal.Mentioned(text)
	if len(paths) == 0 || a.options.Host == nil {
		a.send(nebula.Submit{Text: text})
		return
	}
	model, copied := a.view.Model, maps.Clone(a.copied)
	a.apart(func(ctx context.Context) func() {
		images, trouble := terminal.Show(ctx, a.options.Host, a.options.Lang, model, paths, copied)
		return func() {
			if trouble != "" {
				a.failed(errors.New(trouble))
			}
			a.send(nebula.Submit{Text: text, Images: images})
		}
	})
}

// enqueue keeps a message until the turn has ended.
func (a *app) enqueue() {
	text := a.editor.Text()
	if strings.TrimSpace(text) == "" {
		return
	}
	a.editor = a.editor.Cleared()
	a.remember(text)
	a.queue = append(a.queue, text)
}

// mode switches between planning and acting.
func (a *app) mode() {
	mode := nebula.PlanMode
	if a.modeNow() == nebula.PlanMode {
		mode = nebula.AgentMode
	}
	a.setMode(mode)
}

// freer goes on from planning to asking first to free edits, and round. What frees everything has to be said.
func (a *app) freer() {
	switch now := gate.Approve(a.policyNow()); {
	case a.modeNow() == nebula.PlanMode:
		a.turnTo(nebula.Switch{Mode: nebula.AgentMode, Approve: string(gate.Ask)})
	case now == gate.Ask || now == "":
		a.turnTo(nebula.Switch{Approve: string(gate.Edits)})
	case now == gate.Edits:
		a.turnTo(nebula.Switch{Mode: nebula.PlanMode, Approve: string(gate.Ask)})
	default:
		a.turnTo(nebula.Switch{Approve: string(gate.Ask)})
	}
}

//go:noinline
func (a *app) modeNow() nebula.Mode {
	if a.view.Started.Session == "" {
		return a.wanted.Mode
	}
	return a.view.Mode
}

//go:noinline
func (a *app) setMode(mode nebula.Mode) {
	a.turnTo(nebula.Switch{Mode: mode})
}

// pasting begins with a paste. A question that comes before its end takes nothing of it.
func (a *app) pasting() {
	a.pasteFor = nil
	if a.gate != nil && a.gate.takes() {
		a.pasteFor = a.gate
	}
}

// paste puts pasted text where the person types. A question that has only just come takes none.
func (a *app) paste(text string) {
	defer func() { a.lastKey = time.Now() }()
	switch {
	case a.gate != nil && (a.gate != a.pasteFor || !a.gate.takes()):
		a.gate.draft.Paste(text, a.words.Pasted)
		a.gate.lock.Rest()
	case a.picker != nil:
		a.hint = ""
		a.picker.query.Insert(strings.TrimSpace(text))
		a.picker.search()
	default:
		a.page = nil
		if a.hint = ""; a.gate != nil {
			a.gate.held = ""
		}
		if name := dropped(text); name != "" && a.gate == nil {
			a.editor.Insert(name)
		} else {
			a.editor.Paste(text, a.words.Pasted)
		}
		a.complete()
	}
}

// past offers what was typed before.
func (a *app) past() {
	p := &picker{title: a.words.PickHistory, free: true, chosen: func(a *app, i int, text string) { a.editor.Set(text) }}
	seen := map[string]bool{}
	for i := len(a.history.Entries) - 1; i >= 0; i-- {
		if e := a.history.Entries[i]; !seen[e] {
			seen[e] = true
			p.rows = append(p.rows, choice{label: e})
		}
	}
	p.query.Set(a.editor.Text())
	a.offer(p)
}
