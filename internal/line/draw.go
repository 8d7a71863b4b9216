package line

import (
	"fmt"
	"strings"
	"time"

	"nebula"
	"nebula/internal/gate"
	"nebula/internal/terminal"
)

// draw brings the terminal up to date.
func (t *talk) draw() error {
	t.resize()
	now := time.Now()
	t.drawn = now
	if t.spoken {
		return t.speak(now)
	}
	if t.dumb {
		return t.display()
	}
	rows := t.view.moving(now)
	input, x, y := t.typed()
	rows = append(rows, "")
	y += len(rows)
	rows = append(rows, input...)
	rows = append(rows, terminal.Paint(t.palette.dim, terminal.Clip(t.footer(), t.view.width)))
	return t.screen.draw(t.view.printed(), rows, x, y)
}

// display writes what is new to a terminal that can only print.
func (t *talk) display() error {
	if t.hint != "" {
		t.view.note(t.palette.warn, t.hint)
		t.hint = ""
	}
	prompt := t.prompt()
	if (t.view.Busy || t.options.Script) && t.asking == "" && t.pick == nil || t.options.Script && t.due != "" || t.settled() {
		prompt = "" // nothing is wanted now, though a line may be typed
	}
	return t.screen.print(t.view.printed(), prompt)
}

// settled reports whether what is asked has its answer, which the session has not told of yet.
func (t *talk) settled() bool { return t.asking != "" && t.due != "" }

// prompt is what stands before the cursor.
func (t *talk) prompt() string {
	prompt := t.words.Prompt
	switch {
	case t.search != nil:
		prompt = fmt.Sprintf(t.words.SearchPrompt, terminal.Visible(t.search.query))
	case t.view.Ask != nil && t.view.Ask.Question != nil:
		prompt = t.words.AskPrompt
	case t.view.Ask != nil:
		prompt = t.words.GatePrompt
	case t.pick != nil:
		prompt = t.words.PickPrompt
	}
	return terminal.Clip(prompt, t.view.width-8)
}

// typed is the rows that are being typed, with the cursor's place. When there are more than half the screen, those
// around the cursor.
func (t *talk) typed() (rows []string, x, y int) {
	prompt := t.prompt()
	lead := terminal.Width(prompt)
	rows, x, y = t.editor.Window(t.view.width, lead, max(t.screen.height/2, 3))
	style := t.palette.note
	if t.asking != "" || t.pick != nil {
		style = t.palette.warn
	}
	for i, r := range rows {
		if i == 0 {
			rows[i] = terminal.Paint(style, prompt) + r
		} else {
			rows[i] = strings.Repeat(" ", lead) + r
		}
	}
	return rows, x, y
}

// footer is the one line under the input: what can be done now, or where one is.
func (t *talk) footer() string {
	if t.hint != "" {
		return t.hint
	}
	if names := t.matches(); len(names) > 0 {
		return "/" + strings.Join(names, " /")
	}
	if t.asking != "" || t.pick != nil || t.view.Started.Session == "" {
		return ""
	}
	parts := []string{string(t.view.Mode), terminal.Visible(t.view.Model)}
	if t.view.Mode == nebula.PlanMode {
		parts[0] = t.words.PlanHint
	}
	if policy := t.view.approval(); policy != gate.Ask && policy != "" {
		parts[0] += " · " + gate.Says(policy, t.words.Lang)
	}
	return strings.Join(append(parts, t.words.Hint), " · ")
}
