package tui

import (
	"cmp"
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"nebula"
	"nebula/internal/command"
	"nebula/internal/gate"
	"nebula/internal/phrase"
	"nebula/internal/terminal"
	"nebula/internal/transcript"
)

// acts are what commands show or choose that send nothing as they stand. A test finds what is missing.
func acts() map[string]func(a *app, args []string) {
	do := func(f func(a *app)) func(*app, []string) { return func(a *app, _ []string) { f(a) } }
	return map[string]func(*app, []string){
		"help": do((*app).help), "mode": do((*app).pickMode), "model": do((*app).pickModel), "models": do((*app).pickModel),
		"protocol": do((*app).pickProtocol), "effort": do((*app).pickEffort), "keep": do((*app).keepChoices), "approve": do((*app).pickApproval),
		"tasks": do((*app).tasks), "answer": (*app).reply, "sessions": do((*app).pickSession), "new": do(func(a *app) { a.reopen("") }),
		"status": do((*app).status), "config": (*app).configure, "history": do((*app).past), "edit": do((*app).edit),
		"diff": do(func(a *app) { a.look.side = !a.look.side }), "mouse": do((*app).lendMouse), "copy": (*app).copyAnswer, "key": (*app).keyOf,
		"demo": do((*app).demo), "exit": do(func(a *app) { a.left = true }),
	}
}

// aside does what a slash command says while a question waits, or says that it can be done afterwards. It is no answer.
func (a *app) aside(name string, args []string) {
	if row, ok := command.Find(name); ok && (row.Looks || row.Name == "answer" && len(a.view.Beside.Waits) > 0) {
		a.run(name, args)
		return
	}
	a.hint = fmt.Sprintf(a.words.NotNow, "/"+terminal.Visible(name))
}

// run does what a command says.
func (a *app) run(name string, args []string) {
	row, ok := command.Find(name)
	if !ok {
		a.unknown(name)
		return
	}
	c, fits := row.Sends(args, a.words.Lang)
	if c != nil && !fits {
		a.hint = row.Title() + " " + row.Text(a.words.Lang).Takes
		return
	}
	switch c := c.(type) {
	case nil:
		if act := acts()[row.Name]; act != nil {
			act(a, args)
			return
		}
		a.hint = row.Text(a.words.Lang).Instead
	case nebula.Switch:
		a.turnTo(c)
	case nebula.Undo:
		a.undo(c.Redo)
	case nebula.Submit:
		a.message(c.Text)
	case nebula.Shell:
		a.shell(c)
	case nebula.Direct:
		if a.link == nil { // it waits for a session, as a message does
			a.wait(row.Title() + " " + strings.Join(args, " "))
			return
		}
		a.direct(c)
	case nebula.Compact:
		a.send(c)
		if a.link == nil {
			a.hint = row.Text(a.words.Lang).Instead
		}
	default:
		a.send(c)
	}
}

// turnTo changes this session, or the one that is to come. Later ones begin as before, until the person says otherwise.
func (a *app) turnTo(c nebula.Switch) {
	switch {
	case c.Model != "":
		a.setModel(c.Model)
	case a.view.Started.Session != "":
		a.send(c)
	default:
		w := &a.wanted
		w.Mode, w.Protocol, w.Approve = cmp.Or(c.Mode, w.Mode), cmp.Or(c.Protocol, w.Protocol), cmp.Or(c.Approve, w.Approve)
		w.Effort = cmp.Or(c.Effort, w.Effort)
	}
}

// shell runs a command of the person's own; before there is a session it waits for one.
func (a *app) shell(c nebula.Shell) {
	if a.link == nil || a.view.Started.Session == "" {
		a.wait("!" + c.Command)
		return
	}
	a.send(c)
}

// unfinished reports whether a command that was chosen is to be typed on: it does nothing by itself.
func unfinished(name string) bool { return name == "config" || name == "!" }

// own sends a command that somebody wrote, as it was typed: the session knows what it stands for.
func (a *app) own(name, text string) {
	if a.options.Host == nil {
		a.unknown(name)
		return
	}
	a.ask(func() {
		if command.Own(a.customs, name) {
			a.message(strings.Trim(text, "\n"))
		} else {
			a.unknown(name)
		}
	})
}

// ask looks beside the loop which commands people wrote, and goes on.
//
//go:noinline
func (a *app) ask(then func()) {
	a.apart(func(ctx context.Context) func() {
		list, err := a.options.Host.Commands(ctx)
		return func() {
			if err != nil {
				a.hint = terminal.Visible(err.Error())
			}
			a.customs = append([]nebula.CommandInfo{}, list...)
			then()
		}
	})
}

func (a *app) unknown(name string) {
	a.hint = fmt.Sprintf(a.words.Unknown, "/"+terminal.Visible(name))
	if near := command.Nearest(name); near != "" {
		a.hint += " " + fmt.Sprintf(a.words.Nearest, near)
	}
}

// copyAnswer copies the last answer as it was written, or an earlier one.
func (a *app) copyAnswer(args []string) {
	n := 1
	if len(args) > 0 {
		n, _ = strconv.Atoi(args[0]) // what is no number is no answer's
	}
	for i := len(a.view.Rows) - 1; i >= 0; i-- {
		if r := a.view.Rows[i]; r.Kind == transcript.Say && !r.Void {
			if n--; n == 0 {
				a.copy(r.Text)
				return
			}
		}
	}
	a.hint = a.words.NoAnswer
}

// lendMouse gives the mouse to the terminal, or takes it.
func (a *app) lendMouse() {
	a.mouse = !a.mouse
	to, text := mouseOn, a.words.MouseOurs
	if a.mouse {
		to, text = mouseOff, a.words.MouseYours
	}
	if _, err := a.options.Out.WriteString(to); err == nil {
		a.hint = text
	}
}

// palette offers every command.
func (a *app) palette() {
	list := command.Rows
	p := &picker{title: a.words.PickCommand, chosen: func(a *app, i int, _ string) {
		if unfinished(list[i].Name) {
			a.editor.Set(strings.TrimSuffix(list[i].Title(), "!") + " ")
			return
		}
		a.run(list[i].Name, nil)
	}}
	for _, r := range list {
		p.rows = append(p.rows, choice{r.Title(), r.Text(a.words.Lang).About})
	}
	a.offer(p)
}

// names are names as choices, with the present one told.
//
//go:noinline
func (a *app) names(names []string, now string) []choice {
	rows := make([]choice, len(names))
	for i, n := range names {
		rows[i].label = n
		if n == now {
			rows[i].detail = "← " + a.words.Current
		}
	}
	return rows
}

func (a *app) pickMode() {
	a.offer(&picker{title: a.words.PickMode, rows: a.names(command.Modes, string(a.modeNow())),
		chosen: func(a *app, i int, _ string) { a.setMode(nebula.Mode(command.Modes[i])) }})
}

func (a *app) pickApproval() {
	policies := gate.Choices()
	a.offer(&picker{title: a.words.PickApprove, rows: a.names(policies, a.policyNow()),
		chosen: func(a *app, i int, _ string) { a.turnTo(nebula.Switch{Approve: policies[i]}) }})
}

func (a *app) pickEffort() {
	efforts := command.Efforts()
	a.offer(&picker{title: a.words.PickEffort, rows: a.names(efforts, cmp.Or(string(a.wanted.Effort), a.view.Effort)),
		chosen: func(a *app, i int, _ string) { a.turnTo(nebula.Switch{Effort: nebula.Effort(efforts[i])}) }})
}

func (a *app) pickProtocol() {
	names := a.folder.Protocols
	_, now := a.chosenNow()
	a.offer(&picker{title: a.words.PickProtocol, rows: a.names(names, now), free: true,
		chosen: func(a *app, _ int, text string) { a.turnTo(nebula.Switch{Protocol: text}) }})
}

// setModel changes the model of this session, or of the one that is to come.
func (a *app) setModel(name string) {
	switch {
	case a.view.Started.Session != "":
		a.send(nebula.Switch{Model: name})
	case a.needs:
		a.begins(name)
	default:
		a.wanted.Model = name
	}
}

// begins makes a model the one that sessions begin with, where they could not begin with another, and begins one.
func (a *app) begins(model string) {
	a.apart(func(ctx context.Context) func() {
		err := a.options.Host.Keep(ctx, "model", model)
		return func() {
			if err != nil {
				a.failed(err)
				return
			}
			a.wanted.Model, a.folder.Model = model, model
			a.open("")
		}
	})
}

// pickModel asks the servers, beside the loop, and offers what they have.
func (a *app) pickModel() {
	now, _ := a.chosenNow()
	p := &picker{title: a.words.PickModel, free: true, names: true, chosen: func(a *app, _ int, text string) { a.setModel(text) }}
	a.offer(p)
	if a.options.Host == nil {
		return
	}
	p.title += " " + a.words.Asking
	a.apart(func(ctx context.Context) func() {
		found, err := a.options.Host.Models(ctx)
		return func() {
			p.title = a.words.PickModel
			if len(found) == 0 {
				p.title = a.words.NoModels
			}
			if err != nil {
				p.title += " · " + terminal.OneLine(terminal.Visible(err.Error()), 200)
			}
			for _, m := range found {
				p.rows = append(p.rows, choice{m.Name, a.words.About(m, m.Name == now)})
			}
			p.search()
		}
	})
}

func (a *app) pickSession() {
	if a.options.Host == nil {
		return
	}
	a.apart(func(ctx context.Context) func() {
		found, err := a.options.Host.Sessions(ctx, "")
		return func() {
			if err != nil {
				a.failed(err)
				return
			}
			p := &picker{title: a.words.PickSession, rows: []choice{{a.words.NewSession, ""}}, chosen: func(a *app, i int, _ string) {
				if i == 0 {
					a.reopen("")
				} else {
					a.reopen(found[i-1].ID)
				}
			}}
			for _, s := range found {
				detail := a.words.Ago(time.Since(s.Last)) + " · " + s.ID
				if s.ID == a.view.Started.Session {
					detail += " ← " + a.words.Current
				}
				p.rows = append(p.rows, choice{terminal.OneLine(s.Title, 200), detail})
			}
			a.offer(p)
		}
	})
}

// reopen turns to another session. The present one goes on until the other is open.
func (a *app) reopen(id string) {
	if a.view.Busy {
		a.hint = a.words.Busy
		return
	}
	if id != "" && id == a.view.Started.Session {
		return
	}
	a.open(id)
}

// undo shows what would be taken back, or brought back, before it happens.
func (a *app) undo(redo bool) {
	if a.link == nil || a.options.Host == nil {
		a.hint = a.words.NothingUndo
		return
	}
	title, session := a.words.UndoTitle, a.view.Started.Session
	if redo {
		title = a.words.RedoTitle
	}
	a.apart(func(ctx context.Context) func() {
		u, err := a.options.Host.Undoable(ctx, session, redo)
		return func() {
			switch {
			case err != nil:
				a.failed(err)
			case u.Turn == 0:
				a.hint = a.words.NothingUndo
			default:
				a.page = &reading{title: fmt.Sprintf(phrase.Many(title, u.Files), u.Turn, u.Files), diff: u.Diff, yes: func(a *app) { a.send(nebula.Undo{Redo: redo}) }}
			}
		}
	})
}

func (a *app) configure(args []string) {
	if a.options.Host == nil {
		return
	}
	a.apart(func(ctx context.Context) func() {
		text, err := a.options.Host.Settings(ctx, args)
		return func() {
			switch {
			case err != nil:
				a.failed(err)
			case len(args) > 1:
				a.view.note(transcript.Info, terminal.Visible(text))
			default:
				a.page = &reading{title: "/config", lines: strings.Split(strings.TrimRight(terminal.Visible(text), "\n"), "\n")}
			}
		}
	})
}
