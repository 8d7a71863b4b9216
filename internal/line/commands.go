package line

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"nebula"
	"nebula/internal/gate"
	"nebula/internal/terminal"
)

// commands are the words after a slash, and whether each is also understood bare, alone on a line.
var commands = []struct {
	name string
	bare bool
}{
	{"help", false}, {"plan", true}, {"agent", true}, {"mode", true}, {"model", true}, {"models", true}, {"protocol", false},
	{"keep", false}, {"config", true}, {"sessions", false}, {"new", false}, {"undo", false}, {"redo", false}, {"status", false}, {"answer", false},
	{"exit", true}, {"quit", true},
}

// command reads a line as a command. A line that begins with a slash and a path (/usr/bin is broken) is a message.
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
	if slashed {
		return strings.ToLower(word), fields[1:], !strings.Contains(word, "/") && word != ""
	}
	for _, c := range commands {
		if c.bare && len(fields) == 1 && strings.EqualFold(c.name, word) {
			return c.name, nil, true
		}
	}
	return "", nil, false
}

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
	for _, c := range commands {
		if strings.HasPrefix(c.name, word) {
			names = append(names, c.name)
		}
	}
	return names
}

// spared does what a slash command says while permission is asked for, and reports whether the text is one. It is no
// answer: what only shows something is done, and the rest can wait.
func (t *talk) spared(text string) bool {
	name, args, ok := command(text)
	if !ok || !strings.HasPrefix(strings.TrimSpace(terminal.Narrow(text)), "/") {
		return false
	}
	switch terminal.Spoken(name) {
	case "help", "status", "models", "exit", "quit":
		t.run(name, args)
	default:
		t.hint = t.words.NotNow
	}
	return true
}

// run does what a command says.
func (t *talk) run(name string, args []string) {
	arg := strings.Join(args, " ")
	switch name = terminal.Spoken(name); name {
	case "compact":
		t.view.note(t.palette.note, t.words.Compacts)
	case "init":
		t.view.note(t.palette.note, t.words.Inits)
	case "help":
		t.show(t.words.Help...)
	case "plan":
		if len(args) > 0 {
			t.direct(args)
			return
		}
		t.change("mode", string(nebula.PlanMode))
	case "answer":
		t.reply(args)
	case "agent":
		t.change("mode", string(nebula.AgentMode))
	case "mode":
		t.mode(arg)
	case "model":
		t.model(arg)
	case "models":
		t.models(false)
	case "protocol":
		t.protocol(arg)
	case "keep":
		t.keep()
	case "config":
		t.config(args)
	case "sessions":
		t.sessions()
	case "new":
		t.reopen("")
	case "undo":
		t.send(nebula.Undo{})
	case "redo":
		t.send(nebula.Undo{Redo: true})
	case "status", "permissions":
		t.status()
	case "exit", "quit":
		t.left = true
	default:
		t.unknown(name)
	}
}

func (t *talk) show(lines ...string) {
	t.view.gap()
	for _, l := range lines {
		t.view.print(l)
	}
}

func (t *talk) unknown(name string) {
	text := fmt.Sprintf(t.words.Unknown, "/"+terminal.Visible(name))
	for _, c := range commands {
		if len(name) > 1 && (strings.HasPrefix(c.name, name[:2]) || strings.HasPrefix(name, c.name)) {
			text += " " + fmt.Sprintf(t.words.Nearest, "/"+c.name)
			break
		}
	}
	t.view.note(t.palette.warn, text+" /help")
}

// change switches mode, model or protocol of this session.
func (t *talk) change(key, value string) {
	s := nebula.Switch{}
	switch key {
	case "mode":
		s.Mode = nebula.Mode(value)
	case "model":
		s.Model = value
	case "protocol":
		s.Protocol = value
	}
	t.send(s)
}

// keep has later sessions begin with the model and the protocol of this one.
func (t *talk) keep() {
	if t.options.Keep == nil || t.view.model == "" {
		return
	}
	if err := errors.Join(t.options.Keep("model", t.view.model), t.options.Keep("protocol", t.view.protocol)); err != nil {
		t.view.note(t.palette.warn, terminal.Visible(err.Error()))
		return
	}
	t.view.note(t.palette.good, fmt.Sprintf(t.words.Kept, terminal.Visible(t.view.model), t.view.protocol))
}

func (t *talk) mode(arg string) {
	modes := []string{string(nebula.PlanMode), string(nebula.AgentMode)}
	if arg != "" {
		if !slices.Contains(modes, arg) {
			t.view.note(t.palette.warn, fmt.Sprintf(t.words.Usage, "/mode plan | agent"))
			return
		}
		t.change("mode", arg)
		return
	}
	t.offer(t.words.PickMode, t.marked(modes, string(t.view.mode)), "", func(i int, _ string) { t.change("mode", modes[i]) })
}

func (t *talk) protocol(arg string) {
	names := t.options.Protocols
	if arg != "" || len(names) == 0 {
		if arg == "" || len(names) > 0 && !slices.Contains(names, arg) {
			t.view.note(t.palette.warn, fmt.Sprintf(t.words.Usage, "/protocol "+strings.Join(names, " | ")))
			return
		}
		t.change("protocol", arg)
		return
	}
	t.offer(t.words.PickProtocol, t.marked(names, t.view.protocol), "", func(i int, _ string) { t.change("protocol", names[i]) })
}

func (t *talk) model(arg string) {
	if arg != "" {
		t.change("model", arg)
		return
	}
	t.models(true)
}

// models lists the models that can be used now; to choose one when choosing.
func (t *talk) models(choosing bool) {
	if t.options.Models == nil {
		t.view.note(t.palette.warn, t.words.NoModels)
		return
	}
	t.apart(func(ctx context.Context) func() {
		found, err := t.options.Models(ctx)
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
		names[i], rows[i] = m.Name, strings.Join(about(m), " · ")
		if m.Name == t.view.model {
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
		t.change("model", text)
	})
}

// about is a model's line in a list.
func about(m nebula.ModelInfo) []string {
	parts := []string{terminal.Visible(m.Name)}
	if m.Provider != "" {
		parts = append(parts, terminal.Visible(m.Provider))
	}
	if m.Window > 0 {
		parts = append(parts, terminal.Count(m.Window))
	}
	if m.InputUSD > 0 || m.OutputUSD > 0 {
		parts = append(parts, fmt.Sprintf("$%.2f/$%.2f", m.InputUSD, m.OutputUSD))
	}
	return parts
}

func (t *talk) marked(names []string, now string) []string {
	rows := slices.Clone(names)
	for i, n := range names {
		if n == now {
			rows[i] += " ← " + t.words.Current
		}
	}
	return rows
}

func (t *talk) config(args []string) {
	if t.options.Config == nil {
		t.view.note(t.palette.warn, fmt.Sprintf(t.words.NotAvailable, "/config"))
		return
	}
	text, err := t.options.Config(t.ctx, args)
	if err != nil {
		t.view.note(t.palette.bad, terminal.Visible(err.Error()))
		return
	}
	t.show(strings.Split(strings.TrimRight(terminal.Visible(text), "\n"), "\n")...)
}

func (t *talk) status() {
	if t.options.Status != nil && t.session != nil {
		text, err := t.options.Status(t.ctx)
		if err != nil {
			t.view.note(t.palette.bad, terminal.Visible(err.Error()))
			return
		}
		t.show(strings.Split(strings.TrimRight(terminal.Visible(text), "\n"), "\n")...)
		return
	}
	v := t.view
	text := fmt.Sprintf(t.words.Status, v.started.Session, terminal.Visible(v.started.Dir), v.mode, v.step, terminal.Visible(v.model), v.protocol, v.turns,
		terminal.Count(v.usage.Input), terminal.Count(v.usage.Cached), terminal.Count(v.usage.Output), v.usage.Cost, gate.Says(v.approval(), t.words.Lang))
	t.show(strings.Split(text, "\n")...)
}

func (t *talk) sessions() {
	if t.options.Sessions == nil || t.options.Open == nil {
		t.view.note(t.palette.warn, fmt.Sprintf(t.words.NotAvailable, "/sessions"))
		return
	}
	found, err := t.options.Sessions(t.ctx)
	found = slices.DeleteFunc(found, func(s nebula.SessionInfo) bool { return s.ID == t.view.started.Session })
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
			t.ago(time.Since(s.Last)), fmt.Sprintf(t.words.Messages, s.Messages), s.ID}, " · ")))
	}
	free := ""
	if t.session == nil {
		free = t.words.OrRequest
	}
	t.offer(t.words.PickSession, rows, free, func(i int, text string) {
		if i > 0 {
			t.reopen(found[i-1].ID)
			return
		}
		t.reopen("")
		if text != "" && t.session != nil {
			t.submit(text)
		}
	})
}

func (t *talk) ago(d time.Duration) string {
	switch {
	case d < time.Minute:
		return t.words.Just
	case d < time.Hour:
		return fmt.Sprintf(t.words.Minutes, int(d.Minutes()))
	case d < 48*time.Hour:
		return fmt.Sprintf(t.words.Hours, int(d.Hours()))
	}
	return fmt.Sprintf(t.words.Days, int(d.Hours()/24))
}

// reopen turns to another session.
func (t *talk) reopen(id string) {
	if t.view.busy {
		t.view.note(t.palette.warn, t.words.Busy)
		return
	}
	if t.options.Open == nil {
		t.view.note(t.palette.warn, fmt.Sprintf(t.words.NotAvailable, "/new"))
		return
	}
	if err := t.open(id); err != nil {
		t.view.note(t.palette.bad, terminal.Visible(err.Error()))
		if t.session == nil && id != "" {
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
	text = strings.TrimSpace(terminal.Narrow(text))
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

func (t *talk) dropPick() {
	p := t.pick
	t.pick = nil
	if t.session == nil {
		p.chosen(0, "")
	}
}
