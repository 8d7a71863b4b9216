package tui

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"nebula"
	"nebula/internal/gate"
	"nebula/internal/terminal"
)

// A verb is a command: its name after a slash, what it does, and whether it takes words.
type verb struct {
	name, about string
	words       bool
}

// commands are all commands in the person's language.
func (a *app) commands() []verb {
	w := a.words.Commands
	return []verb{
		{"help", w[0], false}, {"plan", w[1], false}, {"agent", w[2], false}, {"mode", w[3], true}, {"model", w[4], true},
		{"models", w[5], false}, {"protocol", w[6], true}, {"keep", w[22], false}, {"approve", w[20], true}, {"tasks", w[21], true}, {"sessions", w[7], false}, {"new", w[8], false}, {"undo", w[9], false},
		{"redo", w[10], false}, {"status", w[11], false}, {"config", w[12], true}, {"history", w[13], false}, {"edit", w[14], false},
		{"diff", w[15], false}, {"mouse", w[16], false}, {"key", w[17], false}, {"demo", w[18], false}, {"exit", w[19], false},
	}
}

func (a *app) takesWords(name string) bool {
	return slices.ContainsFunc(a.commands(), func(v verb) bool { return v.name == name && v.words && name == "config" })
}

// bares are the commands that are also understood without the slash, alone on a line.
const bares = " plan agent mode model models config exit quit "

// command reads a message as a command. A line that begins with a slash and a path (/usr/bin is broken) is a message.
func command(text string) (name string, args []string, ok bool) {
	text = strings.TrimSpace(text)
	if strings.Contains(text, "\n") {
		return "", nil, false
	}
	fields := strings.Fields(terminal.Narrow(text))
	if len(fields) == 0 {
		return "", nil, false
	}
	word, slashed := strings.CutPrefix(fields[0], "/")
	word = strings.ToLower(word)
	if slashed {
		return word, fields[1:], word != "" && !strings.Contains(word, "/")
	}
	return word, nil, len(fields) == 1 && strings.Contains(bares, " "+word+" ")
}

// looks are the commands that a question can wait for: they only show something, or leave.
const looks = " help status diff mouse exit quit "

// aside does what a slash command says while a question waits, or says that it can be done afterwards. It is no answer.
func (a *app) aside(name string, args []string) {
	if strings.Contains(looks, " "+terminal.Spoken(name)+" ") {
		a.run(name, args)
		return
	}
	a.hint = fmt.Sprintf(a.words.NotNow, "/"+terminal.Visible(name))
}

// run does what a command says.
func (a *app) run(name string, args []string) {
	arg := strings.Join(args, " ")
	switch name = terminal.Spoken(name); name {
	case "compact":
		a.hint = a.words.Compacts
	case "init":
		a.hint = a.words.Inits
	case "help":
		a.help()
	case "plan", "agent":
		a.setMode(nebula.Mode(name))
	case "mode":
		a.pickMode(arg)
	case "model", "models":
		a.pickModel(arg)
	case "protocol":
		a.pickProtocol(arg)
	case "keep":
		a.keepChoices()
	case "approve", "permissions":
		a.pickApproval(arg)
	case "tasks":
		a.tasks(arg)
	case "sessions":
		a.pickSession()
	case "new":
		a.reopen("")
	case "undo", "redo":
		a.undo(name == "redo")
	case "status":
		a.status()
	case "config":
		a.configure(args)
	case "history":
		a.past()
	case "edit":
		a.edit()
	case "diff":
		a.look.side = !a.look.side
	case "mouse":
		a.lendMouse()
	case "key":
		a.setup("")
	case "demo":
		a.demo()
	case "exit", "quit":
		a.left = true
	default:
		a.unknown(name)
	}
}

func (a *app) unknown(name string) {
	text := fmt.Sprintf(a.words.Unknown, "/"+terminal.Visible(name))
	for _, c := range a.commands() {
		if len(name) > 1 && strings.HasPrefix(c.name, name[:2]) || strings.HasPrefix(name, c.name) {
			text += " " + fmt.Sprintf(a.words.Nearest, "/"+c.name)
			break
		}
	}
	a.hint = text
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
	list := a.commands()
	p := &picker{title: a.words.PickCommand, chosen: func(a *app, i int, _ string) {
		if list[i].name == "config" {
			a.editor.Set("/config ")
			return
		}
		a.run(list[i].name, nil)
	}}
	for _, c := range list {
		p.rows = append(p.rows, choice{"/" + c.name, c.about})
	}
	a.offer(p)
}

// names are names as choices, with the present one told.
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

func (a *app) pickMode(arg string) {
	modes := []string{string(nebula.PlanMode), string(nebula.AgentMode)}
	if slices.Contains(modes, arg) {
		a.setMode(nebula.Mode(arg))
		return
	}
	a.offer(&picker{title: a.words.PickMode, rows: a.names(modes, string(a.modeNow())),
		chosen: func(a *app, i int, _ string) { a.setMode(nebula.Mode(modes[i])) }})
}

func (a *app) pickApproval(arg string) {
	policies := gate.Choices()
	if slices.Contains(policies, arg) {
		a.send(nebula.Switch{Approve: arg})
		return
	}
	a.offer(&picker{title: a.words.PickApprove, rows: a.names(policies, a.policyNow()),
		chosen: func(a *app, i int, _ string) { a.send(nebula.Switch{Approve: policies[i]}) }})
}

func (a *app) pickProtocol(arg string) {
	if arg != "" {
		a.setProtocol(arg)
		return
	}
	names := a.options.Protocols
	_, now := a.chosenNow()
	a.offer(&picker{title: a.words.PickProtocol, rows: a.names(names, now), free: true,
		chosen: func(a *app, _ int, text string) { a.setProtocol(text) }})
}

// setProtocol and setModel change this session, or the one that is to come. Later ones begin as before, until the
// person says otherwise.
func (a *app) setProtocol(name string) {
	if a.view.started.Session == "" {
		a.wanted.Protocol = name
		return
	}
	a.send(nebula.Switch{Protocol: name})
}

func (a *app) setModel(name string) {
	switch {
	case a.view.started.Session != "":
		a.send(nebula.Switch{Model: name})
	case a.needs && a.options.Keep != nil:
		a.begins(name)
	default:
		a.wanted.Model = name
	}
}

// begins makes a model the one that sessions begin with, where they could not begin with another, and begins one.
func (a *app) begins(model string) {
	a.apart(func(context.Context) func() {
		err := a.options.Keep("model", model)
		return func() {
			if err != nil {
				a.failed(err)
				return
			}
			a.wanted.Model, a.options.Begin.Model = model, model
			a.open("")
		}
	})
}

// pickModel asks the servers, beside the loop, and offers what they have.
func (a *app) pickModel(arg string) {
	if arg != "" {
		a.setModel(arg)
		return
	}
	now, _ := a.chosenNow()
	p := &picker{title: a.words.PickModel, free: true, chosen: func(a *app, _ int, text string) { a.setModel(text) }}
	a.offer(p)
	if a.options.Models == nil {
		return
	}
	p.title += " " + a.words.Asking
	a.apart(func(ctx context.Context) func() {
		found, err := a.options.Models(ctx)
		return func() {
			p.title = a.words.PickModel
			if len(found) == 0 {
				p.title = a.words.NoModels
			}
			if err != nil {
				p.title += " · " + terminal.OneLine(terminal.Visible(err.Error()), 200)
			}
			for _, m := range found {
				p.rows = append(p.rows, choice{m.Name, about(m, m.Name == now, a.words)})
			}
			p.search()
		}
	})
}

// about is what a list says of a model.
func about(m nebula.ModelInfo, now bool, w words) string {
	var parts []string
	if m.Provider != "" {
		parts = append(parts, m.Provider)
	}
	if m.Window > 0 {
		parts = append(parts, terminal.Count(m.Window))
	}
	if m.InputUSD > 0 || m.OutputUSD > 0 {
		parts = append(parts, fmt.Sprintf("$%.2f/$%.2f", m.InputUSD, m.OutputUSD))
	}
	if now {
		parts = append(parts, "← "+w.Current)
	}
	return strings.Join(parts, " · ")
}

func (a *app) pickSession() {
	if a.options.Sessions == nil {
		return
	}
	a.apart(func(ctx context.Context) func() {
		found, err := a.options.Sessions(ctx)
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
				detail := a.words.ago(time.Since(s.Last)) + " · " + s.ID
				if s.ID == a.view.started.Session {
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
	if a.view.busy {
		a.hint = a.words.Busy
		return
	}
	if id != "" && id == a.view.started.Session {
		return
	}
	a.open(id)
}

// undo shows what would be taken back, or brought back, before it happens.
func (a *app) undo(redo bool) {
	if a.link == nil || a.options.Undoable == nil {
		a.hint = a.words.NothingUndo
		return
	}
	title, c := a.words.UndoTitle, a.link.talk
	if redo {
		title = a.words.RedoTitle
	}
	a.apart(func(ctx context.Context) func() {
		u, err := a.options.Undoable(ctx, c, redo)
		return func() {
			switch {
			case err != nil:
				a.failed(err)
			case u.Turn == 0:
				a.hint = a.words.NothingUndo
			default:
				a.page = &reading{title: fmt.Sprintf(many(title, u.Files), u.Turn, u.Files), diff: u.Diff, yes: func(a *app) { a.send(nebula.Undo{Redo: redo}) }}
			}
		}
	})
}

func (a *app) configure(args []string) {
	if a.options.Config == nil {
		return
	}
	a.apart(func(ctx context.Context) func() {
		text, err := a.options.Config(ctx, args)
		return func() {
			switch {
			case err != nil:
				a.failed(err)
			case len(args) > 1:
				a.view.note(info, terminal.Visible(text))
			default:
				a.page = &reading{title: "/config", lines: strings.Split(strings.TrimRight(terminal.Visible(text), "\n"), "\n")}
			}
		}
	})
}
