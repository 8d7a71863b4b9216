package tui

import (
	"fmt"
	"strings"

	"nebula/internal/terminal"
	"nebula/internal/transcript"
)

// The window's title is put aside at the beginning and comes back in the end.
const pushTitle, popTitle = "\x1b[22;2t", "\x1b[23;2t"

// titled is what gives the window its title where that is another now: the folder, and what it waits for.
func (a *app) titled() string {
	name, state := a.project(), ""
	switch {
	case a.gate != nil && a.gate.ask.Question != nil:
		state = a.words.StageInput
	case a.gate != nil:
		state = a.words.StageApproval
	case a.view.Busy:
		name, state = "… "+name, a.words.StageWorking
	case len(a.view.Beside.Waits) > 0:
		state = fmt.Sprintf(a.words.TitleWaits, len(a.view.Beside.Waits))
	}
	title := name + " · nebula"
	if state != "" {
		title = name + ": " + state
		if !a.view.Busy || a.gate != nil {
			title = "● " + title
		}
	}
	if title == a.titles {
		return ""
	}
	a.titles = title
	return "\x1b]2;" + title + "\x1b\\"
}

// project is the name of the folder.
func (a *app) project() string {
	dir := strings.TrimRight(a.folder.Dir, `/\`)
	return terminal.OneRow(dir[strings.LastIndexAny(dir, `/\`)+1:])
}

// outcome says how the last turn ended.
func (a *app) outcome() string {
	for i := len(a.view.Rows) - 1; i >= 0; i-- {
		if r := a.view.Rows[i]; r.Kind == transcript.End {
			return r.Text
		}
	}
	return ""
}

// call tells a person who looks elsewhere that something waits, where and what. It says nothing twice.
func (a *app) call(text string) {
	if a.focused || a.told == text {
		return
	}
	a.told = text
	text = a.project() + ": " + terminal.Clip(terminal.OneRow(text), 80)
	out := "\a"
	switch term := a.options.Env("TERM"); {
	case a.options.Env("TMUX") != "": // it shows bells, and passes on nothing else
	case strings.HasPrefix(term, "rxvt"):
		out = fmt.Sprintf("\x1b]777;notify;nebula;%s\a", text) + out
	default:
		out = fmt.Sprintf("\x1b]9;nebula · %s\a", text) + out
	}
	_, _ = a.options.Out.WriteString(out) // nothing depends on it
}
