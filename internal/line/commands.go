package line

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"nebula"
	"nebula/internal/command"
	"nebula/internal/gate"
	"nebula/internal/lists"
	"nebula/internal/phrase"
	"nebula/internal/terminal"
)

// complete fills a command's name in.
func (t *talk) complete() {
	matches := t.matches()
	if len(matches) == 0 {
		return
	}
	common := matches[0]
	for _, m := range matches[1:] {
		for !strings.HasPrefix(m, common) {
			common = common[:len(common)-1]
		}
	}
	if len(matches) == 1 {
		common += " "
	}
	t.editor.Set("/" + common)
}

// matches are the commands that what is being typed may become.
func (t *talk) matches() []string {
	text := t.editor.Text()
	word, ok := strings.CutPrefix(text, "/")
	if !ok || strings.ContainsAny(word, " \n/") || t.asking != "" || t.pick != nil {
		return nil
	}
	var names []string
	for _, r := range command.Rows {
		if r.Title() == "/"+r.Name && strings.HasPrefix(r.Name, word) {
			names = append(names, r.Name)
		}
	}
	for _, c := range t.customs() {
		if strings.HasPrefix(c.Name, word) {
			names = append(names, terminal.Visible(c.Name))
		}
	}
	return names
}

// customs are the commands that people wrote.
func (t *talk) customs() []nebula.CommandInfo {
	if t.options.Host == nil || time.Since(t.looked) < 5*time.Second {
		return t.written
	}
	list, err := t.options.Host.Commands(t.ctx)
	if err != nil {
		t.view.note(t.palette.warn, terminal.Visible(err.Error()))
	}
	t.written, t.looked = list, time.Now()
	return list
}

// own reports whether a name is that of a command that somebody wrote: the session knows what it stands for.
func (t *talk) own(name string) bool {
	_, known := command.Find(name)
	return !known && command.Own(t.customs(), name)
}

// spared does what a slash command says while permission is asked for, and reports whether the text is one. It is no
// answer: what only shows something is done, and the rest can wait.
func (t *talk) spared(text string) bool {
	if !command.Slashed(text) {
		return false
	}
	name, args, _ := command.Read(text)
	if row, ok := command.Find(name); ok && row.Looks {
		t.run(name, args)
	} else {
		t.hint = t.words.NotNow
	}
	return true
}

// acts are what commands show or choose that send nothing as they stand. A test finds what is missing.
func acts() map[string]func(t *talk, args []string) {
	do := func(f func(t *talk)) func(*talk, []string) { return func(t *talk, _ []string) { f(t) } }
	return map[string]func(*talk, []string){
		"help": do((*talk).help), "mode": do((*talk).mode), "model": do(func(t *talk) { t.models(true) }), "models": do(func(t *talk) { t.models(false) }),
		"protocol": do((*talk).protocol), "effort": do((*talk).effort), "keep": do((*talk).keep), "approve": do((*talk).approve), "tasks": do((*talk).tasks), "answer": (*talk).reply,
		"sessions": do((*talk).sessions), "new": do(func(t *talk) { t.reopen("") }), "status": do((*talk).status), "config": (*talk).config,
		"exit": do(func(t *talk) { t.left = true }),
	}
}

// run does what a command says.
func (t *talk) run(name string, args []string) {
	row, ok := command.Find(name)
	if !ok {
		t.unknown(name)
		return
	}
	text := row.Text(t.words.Lang)
	c, fits := row.Sends(args, t.words.Lang)
	switch act := acts()[row.Name]; {
	case !fits || row.Name == "protocol" && len(args) > 0 && len(t.folder.Protocols) > 0 && !lists.Has(t.folder.Protocols, args[0]):
		t.usage(row)
	case c != nil:
		t.order(c)
	case act != nil:
		act(t, args)
	default:
		t.view.note(t.palette.note, text.Instead)
	}
}

// usage says which words fit behind a command.
func (t *talk) usage(row command.Row) {
	takes := row.Text(t.words.Lang).Takes
	if row.Name == "protocol" && len(t.folder.Protocols) > 0 {
		takes = strings.Join(t.folder.Protocols, " | ")
	}
	t.view.note(t.palette.warn, fmt.Sprintf(t.words.Usage, row.Title()+" "+takes))
}

// help lists the commands, and what keys do.
func (t *talk) help() {
	wide := 0
	heads := make([]string, len(command.Rows))
	for i, r := range command.Rows {
		heads[i] = strings.TrimSpace(r.Title() + " " + r.Text(t.words.Lang).Takes)
		if n := terminal.Width(heads[i]); n <= helpColumn {
			wide = max(wide, n)
		}
	}
	var lines []string
	for i, r := range command.Rows {
		about := r.Text(t.words.Lang).About
		if n := terminal.Width(heads[i]); n <= wide {
			lines = append(lines, heads[i]+strings.Repeat(" ", wide-n+2)+about)
		} else {
			lines = append(lines, heads[i], strings.Repeat(" ", wide+2)+about)
		}
	}
	for _, c := range t.customs() {
		lines = append(lines, terminal.Visible(strings.TrimSpace("/"+c.Name+" "+c.Takes)+"  "+c.About))
	}
	t.show(append(append(lines, ""), t.words.Help...)...)
}

// helpColumn is how wide what is typed gets beside what it does.
const helpColumn = 24

func (t *talk) show(lines ...string) {
	t.view.gap()
	for _, l := range lines {
		t.view.print(l)
	}
}

func (t *talk) unknown(name string) {
	text := fmt.Sprintf(t.words.Unknown, "/"+terminal.Visible(name))
	if near := command.Nearest(name); near != "" {
		text += " " + fmt.Sprintf(t.words.Nearest, near)
	}
	t.view.note(t.palette.warn, text+" /help")
}

// keep has later sessions begin with the model and the protocol of this one.
func (t *talk) keep() {
	if t.options.Host == nil || t.view.Model == "" {
		return
	}
	if err := errors.Join(t.options.Host.Keep(t.ctx, "model", t.view.Model), t.options.Host.Keep(t.ctx, "protocol", t.view.Protocol)); err != nil {
		t.view.note(t.palette.warn, terminal.Visible(err.Error()))
		return
	}
	t.view.note(t.palette.good, fmt.Sprintf(t.words.Kept, terminal.Visible(t.view.Model), t.view.Protocol))
}

func (t *talk) mode() {
	t.offer(t.words.PickMode, t.marked(command.Modes, string(t.view.Mode)), "", func(i int, _ string) {
		t.send(nebula.Switch{Mode: nebula.Mode(command.Modes[i])})
	})
}

func (t *talk) approve() {
	policies := gate.Choices()
	t.offer(t.words.PickApprove, t.marked(policies, string(t.view.approval())), "", func(i int, _ string) {
		t.send(nebula.Switch{Approve: policies[i]})
	})
}

func (t *talk) effort() {
	efforts := command.Efforts()
	t.offer(t.words.PickEffort, t.marked(efforts, t.view.Effort), "", func(i int, _ string) {
		t.send(nebula.Switch{Effort: nebula.Effort(efforts[i])})
	})
}

func (t *talk) protocol() {
	names := t.folder.Protocols
	if len(names) == 0 {
		row, _ := command.Find("protocol")
		t.usage(row)
		return
	}
	t.offer(t.words.PickProtocol, t.marked(names, t.view.Protocol), "", func(i int, _ string) { t.send(nebula.Switch{Protocol: names[i]}) })
}

// models lists the models that can be used now; to choose one when choosing.
func (t *talk) models(choosing bool) {
	if t.options.Host == nil {
		t.view.note(t.palette.warn, t.words.NoModels)
		return
	}
	t.apart(func(ctx context.Context) func() {
		found, err := t.options.Host.Models(ctx)
		return func() { t.found(found, err, choosing) }
	})
}

func (t *talk) found(models []nebula.ModelInfo, err error, choosing bool) {
	if err != nil {
		t.view.note(t.palette.bad, terminal.Visible(err.Error()))
	}
	if len(models) == 0 {
		t.view.note(t.palette.warn, t.words.NoModels)
		return
	}
	names, rows := make([]string, len(models)), make([]string, len(models))
	for i, m := range models {
		names[i], rows[i] = m.Name, terminal.Visible(m.Name)
		if about := t.words.About(m, false); about != "" {
			rows[i] += " · " + terminal.Visible(about)
		}
		if m.Name == t.view.Model {
			rows[i] += " ← " + t.words.Current
		}
	}
	if !choosing || t.asking != "" {
		t.show(rows...)
		return
	}
	t.offer(t.words.PickModel, rows, t.words.OtherModel, func(i int, text string) {
		if i >= 0 {
			text = names[i]
		}
		t.send(nebula.Switch{Model: text})
	})
}

//go:noinline
func (t *talk) marked(names []string, now string) []string {
	rows := lists.Clone(names)
	for i, n := range names {
		if n == now {
			rows[i] += " ← " + t.words.Current
		}
	}
	return rows
}

func (t *talk) config(args []string) {
	if t.options.Host == nil {
		t.view.note(t.palette.warn, fmt.Sprintf(t.words.NotAvailable, "/config"))
		return
	}
	text, err := t.options.Host.Settings(t.ctx, args)
	if err != nil {
		t.view.note(t.palette.bad, terminal.Visible(err.Error()))
		return
	}
	t.show(strings.Split(strings.TrimRight(terminal.Visible(text), "\n"), "\n")...)
}

func (t *talk) status() {
	if t.options.Host != nil && t.link != nil {
		text, err := t.options.Host.Status(t.ctx, t.view.Started.Session)
		if err != nil {
			t.view.note(t.palette.bad, terminal.Visible(err.Error()))
			return
		}
		if text != "" {
			t.show(strings.Split(strings.TrimRight(terminal.Visible(text), "\n"), "\n")...)
			return
		}
	}
	v := t.view
	text := fmt.Sprintf(t.words.Status, v.Started.Session, terminal.Visible(v.Started.Dir), v.Mode, v.Step, terminal.Visible(v.Model), v.Protocol, v.Turns,
		phrase.Count(v.Usage.Input), phrase.Count(v.Usage.Cached), phrase.Count(v.Usage.Output), v.Usage.Cost, gate.Says(v.approval(), t.words.Lang))
	t.show(strings.Split(text, "\n")...)
}

func (t *talk) sessions() {
	if t.options.Host == nil {
		t.view.note(t.palette.warn, fmt.Sprintf(t.words.NotAvailable, "/sessions"))
		return
	}
	found, err := t.options.Host.Sessions(t.ctx, "")
	found = lists.Drop(found, func(s nebula.SessionInfo) bool { return s.ID == t.view.Started.Session })
	switch {
	case err != nil:
		t.view.note(t.palette.bad, terminal.Visible(err.Error()))
	case len(found) == 0:
		t.view.note(t.palette.note, t.words.NoSessions)
	default:
		t.pickSession(found)
	}
}

// pickRows is how many sessions are offered.
const pickRows = 9

// pickSession offers sessions, and a new one.
func (t *talk) pickSession(found []nebula.SessionInfo) {
	found = found[:min(len(found), pickRows)]
	rows := []string{t.words.NewSession}
	for _, s := range found {
		title := terminal.OneLine(terminal.Visible(s.Title), max(t.view.width-8, 20))
		rows = append(rows, title+"\n     "+terminal.Paint(t.palette.dim, strings.Join([]string{
			t.words.Ago(time.Since(s.Last)), fmt.Sprintf(t.words.Messages, s.Messages), s.ID}, " · ")))
	}
	free := ""
	if t.link == nil {
		free = t.words.OrRequest
	}
	t.offer(t.words.PickSession, rows, free, func(i int, text string) {
		if i > 0 {
			t.reopen(found[i-1].ID)
			return
		}
		t.reopen("")
		if text != "" && t.link != nil {
			t.submit(text)
		}
	})
}

// reopen turns to another session.
func (t *talk) reopen(id string) {
	if t.view.Busy {
		t.view.note(t.palette.warn, t.words.Busy)
		return
	}
	if t.options.Host == nil {
		t.view.note(t.palette.warn, fmt.Sprintf(t.words.NotAvailable, "/new"))
		return
	}
	if err := t.open(id); err != nil {
		t.view.note(t.palette.bad, terminal.Visible(err.Error()))
		if t.link == nil && id != "" {
			if err := t.begin(); err != nil {
				t.left = true
			}
		}
	}
}

// offer lets the person choose among rows; free says what else may be typed, when something may.
func (t *talk) offer(title string, rows []string, free string, chosen func(int, string)) {
	t.view.gap()
	t.view.print(terminal.Paint(t.palette.bold, title))
	for i, r := range rows {
		t.view.print(fmt.Sprintf("  %d  %s", i+1, r))
	}
	if free != "" {
		t.view.print(terminal.Paint(t.palette.dim, free))
	}
	t.pick = &pick{options: rows, free: free != "", chosen: chosen}
}

// picked takes the answer to an offer, and reports whether it was one. Nothing typed is the first, when there is no
// session yet, and else no choice.
func (t *talk) picked(text string) bool {
	p := t.pick
	text = strings.TrimSpace(phrase.Narrow(text))
	if text == "" {
		t.dropPick()
		return true
	}
	n, err := strconv.Atoi(strings.TrimSuffix(text, "."))
	switch {
	case err == nil && n >= 1 && n <= len(p.options):
		t.pick = nil
		p.chosen(n-1, "")
		return true
	case err != nil && p.free:
		t.pick = nil
		p.chosen(-1, text)
		return true
	}
	t.hint = t.noOption(text, len(p.options))
	return false
}

func (t *talk) noOption(text string, n int) string {
	return fmt.Sprintf(t.words.NoSuchOption, terminal.OneLine(terminal.Visible(text), 20), n)
}

//go:noinline
func (t *talk) dropPick() {
	p := t.pick
	t.pick = nil
	if t.link == nil {
		p.chosen(0, "")
	}
}
