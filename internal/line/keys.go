package line

import (
	"strings"
	"time"

	"nebula"
	"nebula/internal/gate"

	uv "github.com/charmbracelet/ultraviolet"
)

// key takes one key.
func (t *talk) key(k uv.KeyPressEvent) {
	name := k.Keystroke()
	if name == "ctrl+c" {
		t.interrupt()
		return
	}
	if t.early() {
		return
	}
	t.hint = ""
	if t.search != nil && t.searchKey(name, k.Text) {
		return
	}
	switch name {
	case "enter":
		t.enter()
	case "alt+enter", "ctrl+j", "shift+enter", "ctrl+enter":
		t.editor.insert("\n")
	case "ctrl+d":
		if t.editor.empty() {
			t.left = true
			return
		}
		t.editor.key(name)
	case "esc", "escape":
		if t.view.busy && t.asking == "" {
			t.stop()
		} else if t.pick != nil {
			t.dropPick()
		}
	case "up", "ctrl+p":
		t.vertical(-1)
	case "down", "ctrl+n":
		t.vertical(1)
	case "ctrl+r":
		t.search = &search{at: len(t.history.entries), draft: t.editor.text()}
	case "ctrl+l":
		t.clear()
	case "ctrl+z":
		t.suspend()
	case "tab":
		t.complete()
	case "shift+tab":
		t.toggle()
	default:
		if !t.editor.key(name) && k.Text != "" {
			t.editor.insert(k.Text)
		}
	}
}

// interrupt is Ctrl-C: it stops what is going on, or clears what was typed; twice it leaves.
func (t *talk) interrupt() {
	again := time.Since(t.ctrlC) < twice
	t.ctrlC = time.Now()
	switch {
	case t.search != nil:
		t.editor.set(t.search.draft)
		t.search = nil
	case t.pick != nil && t.session != nil:
		t.dropPick()
	case again:
		t.left = true
	case t.view.busy || t.asking != "":
		t.stop()
	case !t.editor.empty():
		t.editor = editor{cut: t.editor.cut}
	default:
		t.hint = t.words.CtrlC
	}
}

func (t *talk) stop() {
	t.send(nebula.Cancel{})
	t.view.phase, t.hint = t.words.Interrupting, t.words.CtrlC
}

func (t *talk) vertical(by int) {
	if t.editor.vertical(by, t.view.width, width(t.prompt())) {
		return
	}
	if t.asking != "" || t.pick != nil {
		return
	}
	if text, ok := t.history.move(by, t.editor.text()); ok {
		t.editor.set(text)
	}
}

func (t *talk) clear() {
	if err := t.terminal.clear(); err == nil {
		t.screen.rows, t.screen.x, t.screen.y = []string{""}, 0, 0
	}
}

func (t *talk) toggle() {
	mode := nebula.PlanMode
	if t.view.mode == nebula.PlanMode {
		mode = nebula.AgentMode
	}
	t.send(nebula.Switch{Mode: mode})
}

// enter ends a line: a new one after a backslash, else what was typed goes where it belongs.
func (t *talk) enter() {
	text := t.editor.text()
	if strings.HasSuffix(text, `\`) && t.editor.at == len(t.editor.cells) {
		t.editor.remove(t.editor.at - 1)
		t.editor.insert("\n")
		return
	}
	typed := t.editor
	t.editor = editor{cut: t.editor.cut}
	switch {
	case t.asking != "":
		if !t.answer(text) {
			t.editor = typed
		}
	case t.pick != nil:
		if !t.picked(text) {
			t.editor = typed
		}
	case strings.TrimSpace(text) != "":
		t.submit(text)
	}
}

// submit sends a message, or does what a command says.
func (t *talk) submit(text string) {
	if err := t.history.add(strings.TrimRight(text, "\n ")); err != nil {
		t.view.note(t.palette.warn, err.Error())
		t.history.file = ""
	}
	if name, args, ok := command(text); ok {
		t.run(name, args)
		return
	}
	t.send(nebula.Submit{Text: strings.Trim(text, "\n")})
}

// answer answers the question that waits, and reports whether the text could be an answer.
func (t *talk) answer(text string) bool {
	ask := t.view.ask
	if ask.Question != nil {
		told, ok := choose(text, ask.Question.Options)
		if !ok {
			if strings.TrimSpace(text) != "" {
				t.hint = t.noOption(text, len(ask.Question.Options))
			}
			return false
		}
		t.send(nebula.Answer{Ask: ask.Ask, Answer: nebula.Told, Text: told})
		return true
	}
	decided, reason, clear := gate.ReadAnswer(text)
	if !clear {
		t.view.note(t.palette.warn, t.words.Unclear)
	}
	t.send(nebula.Answer{Ask: ask.Ask, Answer: decided, Text: reason})
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
		t.find(string(r[:max(len(r)-1, 0)]), len(t.history.entries))
	case name == "esc" || name == "escape" || name == "ctrl+g":
		t.editor.set(s.draft)
		t.search = nil
	case name == "enter":
		t.search = nil
	case text != "":
		t.find(s.query+text, len(t.history.entries))
	default:
		t.search = nil
		return false
	}
	return true
}

func (t *talk) find(query string, before int) {
	t.search.query = query
	if i := t.history.find(query, before); i >= 0 && query != "" {
		t.search.at = i
		t.editor.set(t.history.entries[i])
	}
}
