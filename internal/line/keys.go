package line

import (
	"context"
	"strings"
	"time"

	"nebula"
	"nebula/internal/command"
	"nebula/internal/phrase"
	"nebula/internal/terminal"

	uv "github.com/charmbracelet/ultraviolet"
)

// key takes one key.
func (t *talk) key(k uv.KeyPressEvent) {
	name := k.Keystroke()
	if name == "ctrl+c" {
		t.interrupt()
		return
	}
	if t.early(name, k.Text) {
		return
	}
	t.hint = ""
	if t.gating() && t.gateKey(name) {
		return
	}
	if t.search != nil && t.searchKey(name, k.Text) {
		return
	}
	switch name {
	case "enter":
		t.enter()
	case "alt+enter", "ctrl+j", "shift+enter", "ctrl+enter":
		t.editor.Insert("\n")
	case "ctrl+d":
		if t.editor.Empty() {
			t.left = true
			return
		}
		t.editor.Key(name)
	case "esc", "escape":
		if t.view.Busy && t.asking == "" {
			t.stop()
		} else if t.pick != nil {
			t.dropPick()
		}
	case "up", "ctrl+p":
		t.vertical(-1)
	case "down", "ctrl+n":
		t.vertical(1)
	case "ctrl+r":
		t.search = &search{at: len(t.history.Entries), draft: t.editor.Text()}
	case "ctrl+l":
		t.clear()
	case "ctrl+z":
		t.suspend()
	case "tab":
		t.complete()
	case "shift+tab":
		t.toggle()
	default:
		if !t.editor.Key(name) && k.Text != "" {
			t.editor.Insert(k.Text)
		}
	}
}

// gating reports whether permission is asked for.
func (t *talk) gating() bool { return t.asking != "" && t.view.show != nil }

// gateKey takes the keys that mean something else while permission is asked for, and reports whether it was one. They
// select; only enter decides.
func (t *talk) gateKey(name string) bool {
	switch name {
	case "esc", "escape":
		t.editor.Choose(t.words.No)
	case "alt+enter": // escape and enter that came together
		t.send(nebula.Answer{Ask: t.asking, Answer: nebula.No, By: nebula.Person})
		t.editor = t.editor.Cleared()
	default:
		return false
	}
	return true
}

// interrupt is Ctrl-C: it stops what is going on, or clears what was typed; twice it leaves, where nothing is typed.
func (t *talk) interrupt() {
	again := time.Since(t.ctrlC) < twice
	t.ctrlC = time.Now()
	switch {
	case t.search != nil:
		t.editor.Set(t.search.draft)
		t.search, t.ctrlC = nil, time.Time{}
	case t.pick != nil && t.link != nil:
		t.dropPick()
	case again && t.editor.Empty():
		t.left = true
	case !again && (t.view.Busy || t.asking != ""):
		t.stop()
	case !t.editor.Empty():
		t.ctrlC = time.Time{} // the next says first that one more leaves
		t.remember(t.editor.Text())
		t.editor.Clear()
		t.hint = t.words.DraftBack
	default:
		t.hint = t.words.CtrlC
	}
}

//go:noinline
func (t *talk) stop() {
	t.send(nebula.Cancel{})
	t.view.stopping, t.hint = t.view.Busy, t.words.CtrlC
}

func (t *talk) vertical(by int) {
	if t.editor.Vertical(by, t.view.width, terminal.Width(t.prompt())) {
		return
	}
	if t.asking != "" || t.pick != nil {
		return
	}
	if text, ok := t.history.Move(by, t.editor.Text()); ok {
		t.editor.Set(text)
	}
}

func (t *talk) clear() {
	if err := t.terminal.Clear(); err == nil {
		t.screen.rows, t.screen.x, t.screen.y = []string{""}, 0, 0
	}
}

func (t *talk) toggle() {
	mode := nebula.PlanMode
	if t.view.Mode == nebula.PlanMode {
		mode = nebula.AgentMode
	}
	t.send(nebula.Switch{Mode: mode})
}

// enter ends a line: a new one after a backslash, else what was typed goes where it belongs.
func (t *talk) enter() {
	text := t.editor.Text()
	if strings.HasSuffix(text, `\`) && t.editor.AtEnd() && !t.gating() {
		t.editor.Key("backspace")
		t.editor.Insert("\n")
		return
	}
	typed := t.editor
	if t.spoken {
		t.screen.over(t.prompt(), typed.Spoken())
	}
	t.editor = t.editor.Cleared()
	switch {
	case t.asking != "":
		if !t.answer(phrase.Withheld(text)) {
			t.again(typed)
		}
	case t.pick != nil:
		if !t.picked(text) {
			t.again(typed)
		}
	case strings.TrimSpace(text) != "":
		t.submit(text)
	}
}

// again leaves what was no answer to be changed. Nobody changes a script's line, and the next is one of its own.
func (t *talk) again(typed terminal.Editor) {
	if !t.options.Script {
		t.editor = typed
		return
	}
	if t.hint != "" {
		t.view.note(t.palette.warn, t.hint)
	}
	t.hint = ""
}

// remember keeps what was typed.
func (t *talk) remember(text string) {
	if err := t.history.Add(strings.TrimRight(text, "\n ")); err != nil {
		t.view.note(t.palette.warn, err.Error())
		t.history.File = ""
	}
}

// submit sends a message, or does what a command says.
func (t *talk) submit(text string) {
	text, instead := command.Unkeyed(text, t.words.Lang)
	t.remember(text)
	if instead != "" { // without the key it is theirs to send
		if t.view.note(t.palette.warn, instead); !t.options.Script {
			t.editor.Set(text)
		}
		return
	}
	if name, args, ok := command.Read(text); ok && !t.own(name) {
		t.run(name, args)
		return
	}
	text = t.view.Means(strings.Trim(text, "\n"))
	if t.view.typed = ""; t.spoken && t.link != nil {
		t.view.typed = text
	}
	paths := terminal.Mentioned(text)
	if len(paths) == 0 {
		t.order(nebula.Submit{Text: text})
		return
	}
	model := t.view.Model
	t.apart(func(ctx context.Context) func() {
		images, trouble := terminal.Show(ctx, t.options.Host, t.options.Lang, model, paths, nil)
		return func() {
			if trouble != "" {
				t.view.note(t.palette.bad, terminal.Visible(trouble))
			}
			t.order(nebula.Submit{Text: text, Images: images})
		}
	})
}

// answer answers the question that waits, and reports whether the text could be an answer.
func (t *talk) answer(text string) bool {
	ask := t.view.Ask
	if ask.Question != nil {
		told, ok := terminal.Choose(text, ask.Question.Options)
		if !ok {
			if strings.TrimSpace(text) != "" {
				t.hint = t.noOption(text, len(ask.Question.Options))
			}
			return false
		}
		t.send(nebula.Answer{Ask: ask.Ask, Answer: nebula.Told, Text: told, By: nebula.Person})
		return true
	}
	if t.spared(text) {
		return true
	}
	decided, reason, ok := t.view.answers(t.view.show, text)
	if !ok {
		t.lock = terminal.Lock{} // what is shown now must be seen, too
		return true
	}
	t.send(nebula.Answer{Ask: ask.Ask, Answer: decided, Text: reason, By: nebula.Person})
	return true
}

// A search is Ctrl-R: history entries that contain what is typed.
type search struct {
	query string
	at    int // the entry that is shown
	draft string
}

// searchKey takes a key while searching, and reports whether it was for the search. Any other key takes what was
// found and does its work on that.
func (t *talk) searchKey(name, text string) bool {
	s := t.search
	switch {
	case name == "ctrl+r":
		t.find(s.query, s.at)
	case name == "backspace" || name == "ctrl+h":
		r := []rune(s.query)
		t.find(string(r[:max(len(r)-1, 0)]), len(t.history.Entries))
	case name == "esc" || name == "escape" || name == "ctrl+g":
		t.editor.Set(s.draft)
		t.search = nil
	case name == "enter":
		t.search = nil
	case text != "":
		t.find(s.query+text, len(t.history.Entries))
	default:
		t.search = nil
		return false
	}
	return true
}

func (t *talk) find(query string, before int) {
	t.search.query = query
	if i := t.history.Find(query, before); i >= 0 && query != "" {
		t.search.at = i
		t.editor.Set(t.history.Entries[i])
	}
}
