package tui

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"nebula"
	"nebula/internal/gate"
	"nebula/internal/terminal"
)

// A question is what waits for the person: permission for an action, or a question of the model's. It takes no key that
// was pressed before it could be read.
type question struct {
	ask     nebula.Asked
	block   *block
	armed   time.Time // zero until it was seen
	draft   terminal.Editor
	at      int  // the option that is chosen
	editing bool // another command is being written
	sent    bool // it is answered, and the session has not said so yet
}

// guard is how long a question must have been there before it takes keys, and how long the person must have rested
// from typing something else.
const guard = 300 * time.Millisecond

// follow opens and closes the question as the session does. What was typed before is put aside: it is no answer.
func (a *app) follow() {
	ask, of := a.view.ask, (*block)(nil)
	if ask != nil {
		of = a.view.open[ask.Action]
	} else if ask = a.opened(); ask != nil {
		of = a.waitingBlock
	}
	switch {
	case ask == nil && a.gate != nil:
		a.editor = a.gate.draft
		a.gate = nil
	case ask != nil && (a.gate == nil || a.gate.ask.Ask != ask.Ask):
		draft := a.editor
		if a.gate != nil {
			draft = a.gate.draft
		}
		a.gate = &question{ask: *ask, draft: draft, at: -1, block: of}
		a.editor = a.editor.Cleared()
		a.popup, a.scroll.held, a.selected = nil, false, -1
		a.call(a.title())
	}
}

func (a *app) title() string {
	if q := a.gate.ask.Question; q != nil {
		return terminal.OneLine(terminal.Visible(q.Text), 200)
	}
	if b := a.gate.block; b != nil {
		return fmt.Sprintf(a.words.Gate, b.action.title())
	}
	return a.words.Gate
}

// early takes a key that was meant for something else, while a question has only just come. It goes to the draft.
func (a *app) early(name, text string) bool {
	q := a.gate
	if q == nil || !q.sent && !q.armed.IsZero() && time.Now().After(q.armed) {
		return false
	}
	if text != "" || name == "backspace" {
		if text == "" {
			q.draft.Key(name)
		} else {
			q.draft.Insert(text)
		}
		q.armed = time.Now().Add(2 * guard)
	}
	return true
}

// seen begins the time after which a question takes keys: it is on the screen now.
func (q *question) seen(lastKey time.Time) {
	if q.armed.IsZero() {
		q.armed = time.Now().Add(guard)
		if rest := lastKey.Add(2 * guard); !q.draft.Empty() && rest.After(q.armed) {
			q.armed = rest
		}
	}
}

// gateKey takes a key while a question waits, and reports whether it was for that.
func (a *app) gateKey(name, text string) bool {
	q := a.gate
	if q.ask.Question != nil {
		return a.optionKey(name)
	}
	if !a.editor.Empty() || q.editing {
		switch name {
		case "enter":
			a.answerTyped()
			return true
		case "esc":
			a.editor, q.editing = a.editor.Cleared(), false
			return true
		}
		return false
	}
	switch terminal.Narrow(text) {
	case "y", "Y":
		a.answer(nebula.Yes, "")
		a.tail = "es"
	case "a", "A":
		a.answer(nebula.Always, "")
		a.tail = "lways"
	case "e", "E":
		if q.block == nil || q.block.action.proposal.Command == "" {
			return false
		}
		q.editing = true
		a.editor.Set(q.block.action.proposal.Command)
	case "?":
		a.points()
	case "v", "V":
		a.look.side = !a.look.side
	default:
		return false
	}
	return true
}

// points shows the five points of what is asked, or hides them. They are seen also where what follows them is long.
func (a *app) points() {
	b := a.gate.block
	if b == nil {
		return
	}
	b.action.why = !b.action.why
	b.stale()
	if a.scroll.held = false; b.action.why {
		a.scroll.window(a.view.blocks, a.bodyHeight(), a.rowsOf)
		a.scroll.show(slices.Index(a.view.blocks, b), a.view.blocks, a.bodyHeight(), a.rowsOf)
	}
}

// optionKey takes a key at a question of the model's.
func (a *app) optionKey(name string) bool {
	q := a.gate
	n := len(q.ask.Question.Options)
	switch {
	case name == "enter" && a.editor.Empty() && q.at >= 0:
		a.tell(q.ask.Question.Options[q.at])
	case name == "enter":
		told, ok := terminal.Choose(a.editor.Text(), q.ask.Question.Options)
		if !ok {
			if !a.editor.Empty() {
				a.hint = fmt.Sprintf(a.words.NoSuchOption, terminal.Visible(strings.TrimSpace(a.editor.Text())), n)
			}
			return true
		}
		a.tell(told)
	case name == "up" && a.editor.Empty() && n > 0:
		q.at = max(q.at-1, 0)
	case name == "down" && a.editor.Empty() && n > 0:
		q.at = min(q.at+1, n-1)
	default:
		return false
	}
	return true
}

func (a *app) tell(text string) {
	a.send(nebula.Answer{Ask: a.gate.ask.Ask, Answer: nebula.Told, Text: text})
	a.editor, a.gate.sent = a.editor.Cleared(), true
}

// answerTyped reads an answer in words, or sends the command that is to run instead.
func (a *app) answerTyped() {
	q, text := a.gate, a.editor.Text()
	if !q.editing {
		decided, reason, clear := gate.ReadAnswer(text)
		if !clear {
			a.hint = a.words.Unclear
		}
		a.answer(decided, reason)
		return
	}
	if text == q.block.action.proposal.Command {
		a.answer(nebula.Yes, "")
		return
	}
	if strings.TrimSpace(text) != "" {
		a.send(nebula.Answer{Ask: q.ask.Ask, Answer: nebula.Yes, Command: text})
		a.editor, q.editing, q.sent = a.editor.Cleared(), false, true
	}
}

func (a *app) answer(d nebula.Decided, reason string) {
	a.send(nebula.Answer{Ask: a.gate.ask.Ask, Answer: d, Text: reason})
	a.editor, a.gate.editing, a.gate.sent = a.editor.Cleared(), false, true
}

// rest takes the other letters of a word whose first was an answer already: yes, always.
func (a *app) rest(text string) bool {
	if a.tail == "" || time.Since(a.lastKey) > time.Second {
		a.tail = ""
		return false
	}
	after, ok := strings.CutPrefix(a.tail, strings.ToLower(text))
	if ok = ok && text != ""; !ok {
		after = ""
	}
	a.tail = after
	return ok
}

// draw lays out what can be answered.
func (q *question) draw(d drawer, typing bool) []string {
	w, s := d.words, d.style
	if q.ask.Question != nil {
		rows := []string{d.keys(w.Question)[0]}
		for i, o := range q.ask.Question.Options {
			row := terminal.Clip(fmt.Sprintf("%d  %s", i+1, terminal.Visible(o)), d.width-2)
			if i == q.at {
				rows = append(rows, d.chosen("› "+row))
			} else {
				rows = append(rows, "  "+row)
			}
		}
		return rows
	}
	title, risk := w.GateTitle, ""
	if q.block != nil {
		a := q.block.action
		if a.verdict.Risk != "" {
			risk = " " + terminal.Paint(d.risk(a.verdict.Risk), w.Risk+": "+w.risk(a.verdict.Risk))
		}
		title = fmt.Sprintf(w.Gate, a.title())
	}
	rows := terminal.Wrap(terminal.Paint(s.bold+s.warn, terminal.OneLine(title, 2*d.width-terminal.Bare(risk)-8)), d.width)
	if last := len(rows) - 1; terminal.Bare(rows[last])+terminal.Bare(risk) <= d.width {
		rows[last] += risk
	} else {
		rows = append(rows, strings.TrimPrefix(risk, " "))
	}
	if q.block != nil {
		if why := q.block.action.proposal.Action.Reason; why != "" {
			rows = append(rows, terminal.Paint(s.dim, terminal.OneLine(terminal.Visible(why), d.width)))
		}
	}
	keys := w.GateKeys
	switch {
	case q.editing:
		keys = w.GateEdit
	case typing:
		keys = w.GateTyping
	case q.block != nil && q.block.action.proposal.Command != "":
		keys = w.GateKeysCommand
	case d.width < sideWidth+2:
		keys = w.GateNarrow
	}
	return append(rows, d.keys(keys)...)
}
