// Package command is the table of what people type in place of a message: a slash and a name, a name alone on a line, or an
// exclamation mark and a command for the shell. Every front end that people type into reads it, knows all of it, and finds in it what a command
// sends; what has to be shown or chosen first is the front end's own.
package command

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"nebula"
	"nebula/internal/gate"
	"nebula/internal/lists"
	"nebula/internal/phrase"
)

// A Row is one command.
type Row struct {
	Name  string
	Also  []string // words that people know from elsewhere
	Bare  bool     // understood without the slash, alone on a line
	Free  bool     // what follows is a text of the person's, and no name
	Looks bool     // only shows something, or leaves: it can be done while a question waits
	Shell string   // what does the same in a shell; empty where it is only of use in a session that somebody looks at
	sends func(args []string, text Text) (nebula.Command, bool)
}

// A Text is what a row says in one language.
type Text struct {
	Takes   string // what may follow the name
	About   string
	Instead string // what to do instead, where there is nothing for a command to do
	Asks    string // the message that it sends to the model
}

// Rows are all commands, as they are listed. The last is what an exclamation mark stands for.
var Rows = []Row{
	{Name: "help", Shell: "nebula run --help", Looks: true},
	{Name: "plan", Free: true, Shell: "nebula plan, nebula run --mode plan", Bare: true, sends: plan},
	{Name: "agent", Shell: "nebula run --mode agent", Bare: true, sends: always(nebula.Switch{Mode: nebula.AgentMode})},
	{Name: "mode", Shell: "nebula run --mode plan|agent", Bare: true, sends: mode},
	{Name: "model", Shell: "nebula run --model NAME", Bare: true, sends: worded(func(s string) nebula.Command { return nebula.Switch{Model: s} })},
	{Name: "models", Shell: "nebula models", Bare: true, Looks: true},
	{Name: "protocol", Shell: "nebula run --protocol NAME", sends: worded(func(s string) nebula.Command { return nebula.Switch{Protocol: s} })},
	{Name: "effort", Shell: "nebula run --effort off|low|medium|high|max", Also: []string{"think", "reasoning"}, sends: effort},
	{Name: "keep", Shell: "nebula config set model NAME"},
	{Name: "approve", Shell: "nebula run --approve ask|edits|all|none", Also: []string{"permissions"}, sends: approve},
	{Name: "tasks", Free: true, Shell: "nebula plan", sends: tasks},
	{Name: "jobs", Also: []string{"job", "bashes"}, Looks: true, sends: jobs},
	{Name: "sessions", Shell: "nebula sessions, nebula run --continue", Also: []string{"resume", "continue"}},
	{Name: "new", Shell: "nebula run", Also: []string{"clear"}},
	{Name: "undo", Shell: "nebula undo", sends: always(nebula.Undo{})},
	{Name: "redo", Shell: "nebula undo --redo", sends: always(nebula.Undo{Redo: true})},
	{Name: "status", Shell: "nebula sessions show", Also: []string{"cost", "usage", "context", "mcp"}, Looks: true},
	{Name: "config", Shell: "nebula config", Bare: true},
	{Name: "history"},
	{Name: "edit"},
	{Name: "diff", Looks: true},
	{Name: "copy", Looks: true},
	{Name: "mouse", Looks: true},
	{Name: "key", Also: []string{"login"}, Shell: "nebula login"},
	{Name: "demo", Shell: "nebula demo"},
	{Name: "exit", Also: []string{"quit"}, Bare: true, Looks: true},
	{Name: "answer", Free: true},
	{Name: "review", Free: true, sends: review},
	{Name: "compact", Free: true, sends: compact},
	{Name: "skill", Free: true, Also: []string{"skills"}, sends: takeUp},
	{Name: "init", Shell: "nebula init", sends: begin},
	{Name: "!", Free: true, sends: shell},
}

// Modes are what the mode command takes.
var Modes = []string{string(nebula.PlanMode), string(nebula.AgentMode)}

// Title is how a command is written: with its slash.
//
//go:noinline
func (r Row) Title() string {
	if r.Name == "!" {
		return r.Name
	}
	return "/" + r.Name
}

// Text is what a row says in a language; English where that is not known.
//
//go:noinline
func (r Row) Text(lang string) Text {
	return phrase.Words(lang, "command."+r.Name, english[r.Name])
}

// Sends is what a command sends with these words behind its name. Where it sends nothing, the front end has something to
// show or to ask first; where the words do not fit, fits is false, and Takes says which would.
func (r Row) Sends(args []string, lang string) (c nebula.Command, fits bool) {
	if r.sends == nil {
		return nil, true
	}
	return r.sends(args, r.Text(lang))
}

// Acts reports whether a command does something to the session; the others show something, or choose.
func (r Row) Acts() bool { return r.sends != nil }

// Find is the row of a name, of a word that people know from elsewhere, or of either in full-width letters.
func Find(name string) (Row, bool) {
	name = strings.ToLower(phrase.Narrow(name))
	at := slices.IndexFunc(Rows, func(r Row) bool { return r.Name == name || lists.Has(r.Also, name) })
	if at < 0 {
		return Row{}, false
	}
	return Rows[at], true
}

// Own is the command that somebody wrote which a name means: that of the name, or of a name that ends with it.
//
//go:noinline
func Own(list []nebula.CommandInfo, name string) bool {
	return slices.ContainsFunc(list, func(c nebula.CommandInfo) bool { return c.Name == name || strings.HasSuffix(c.Name, ":"+name) })
}

// Nearest is the command that somebody may have meant by a name that there is not; empty where none is near.
//
//go:noinline
func Nearest(name string) string {
	for _, r := range Rows {
		if len(name) > 1 && strings.HasPrefix(r.Name, name[:2]) || strings.HasPrefix(name, r.Name) {
			return r.Title()
		}
	}
	return ""
}

// Read reads a message as a command: the word that names it, whether there is such a command or not, and what follows. A
// line that begins with a slash and a path (/usr/bin is broken), or a server's prompt (/server:name), is a message.
func Read(text string) (name string, args []string, ok bool) {
	text = strings.TrimSpace(text)
	if line, found := strings.CutPrefix(text, "!"); found && line != "" && !strings.ContainsAny(line[:1], "!= \t\n") {
		return "!", []string{line}, true
	}
	if strings.Contains(text, "\n") {
		return "", nil, false
	}
	fields := strings.Fields(phrase.Narrow(text))
	if len(fields) == 0 {
		return "", nil, false
	}
	word, slashed := strings.CutPrefix(fields[0], "/")
	word = strings.ToLower(word)
	if slashed {
		return word, fields[1:], word != "" && !strings.ContainsAny(word, "/:")
	}
	row, known := Find(word)
	return word, nil, known && row.Bare && len(fields) == 1
}

// longName is from how many letters on what stands behind the command for a key is one, and no provider's name.
const longName = 20

// Unkeyed is what of a typed text may stand on the screen and be sent: all but what has the form of a key. instead is what the
// person is told, where that is not all; a command and a key alone leave nothing.
func Unkeyed(text, lang string) (rest, instead string) {
	row, _ := Find("key")
	name, args, _ := Read(text)
	if of, ok := Find(name); ok && len(args) > 0 && !of.Free {
		switch last := args[len(args)-1]; { // a key, whatever its form
		case of.Name == row.Name && len(last) >= longName:
			args[len(args)-1] = ""
			return strings.TrimSpace(row.Title() + " " + strings.Join(args, " ")), row.Text(lang).Instead
		case phrase.Bare(last):
			return "", row.Text(lang).Instead
		}
	}
	rest = phrase.Withheld(text)
	if rest == text {
		return text, ""
	}
	if Slashed(text) || rest == "…" || phrase.IsKey(text) {
		rest = ""
	}
	return rest, row.Text(lang).Instead
}

// Slashed reports whether a message is a command that begins with a slash.
func Slashed(text string) bool {
	_, _, ok := Read(text)
	return ok && strings.HasPrefix(strings.TrimSpace(phrase.Narrow(text)), "/")
}

func always(c nebula.Command) func([]string, Text) (nebula.Command, bool) {
	return func([]string, Text) (nebula.Command, bool) { return c, true }
}

// worded sends what is made of the words behind a name, and nothing where there are none.
func worded(made func(string) nebula.Command) func([]string, Text) (nebula.Command, bool) {
	return func(args []string, _ Text) (nebula.Command, bool) {
		if len(args) == 0 {
			return nil, true
		}
		return made(strings.Join(args, " ")), true
	}
}

// among is one, where only some words fit.
func among(words []string, made func(string) nebula.Command) func([]string, Text) (nebula.Command, bool) {
	return func(args []string, text Text) (nebula.Command, bool) {
		if len(args) > 0 && !lists.Has(words, strings.Join(args, " ")) {
			return nil, false
		}
		return worded(made)(args, text)
	}
}

func mode(args []string, text Text) (nebula.Command, bool) {
	return among(Modes, func(s string) nebula.Command { return nebula.Switch{Mode: nebula.Mode(s)} })(args, text)
}

// Efforts are what the effort command takes.
//
//go:noinline
func Efforts() []string {
	words := []string{string(nebula.EffortSet)}
	for _, e := range nebula.Efforts() {
		words = append(words, string(e))
	}
	return words
}

func effort(args []string, text Text) (nebula.Command, bool) {
	return among(Efforts(), func(s string) nebula.Command { return nebula.Switch{Effort: nebula.Effort(s)} })(args, text)
}

func approve(args []string, text Text) (nebula.Command, bool) {
	return among(gate.Choices(), func(s string) nebula.Command { return nebula.Switch{Approve: s} })(args, text)
}

// plan turns to planning; with words it says how the work in the background goes on.
func plan(args []string, text Text) (nebula.Command, bool) {
	if len(args) == 0 {
		return nebula.Switch{Mode: nebula.PlanMode}, true
	}
	return tasks(args, text)
}

// directions are the words that say how the work in the background goes on.
var directions = map[string]nebula.Direction{
	"run": nebula.RunPlan, "resume": nebula.RunPlan, "approve": nebula.ApprovePlan, "pause": nebula.PausePlan,
	"cancel": nebula.CancelPlan, "steer": nebula.SteerPlan, "skip": nebula.SkipStep, "retry": nebula.RetryStep,
}

func tasks(args []string, _ Text) (nebula.Command, bool) {
	if len(args) == 0 {
		return nil, true
	}
	d := nebula.Direct{Do: directions[args[0]]}
	rest := strings.Join(args[1:], " ")
	switch d.Do {
	case "":
		return nil, false
	case nebula.SteerPlan:
		d.Text = rest
		return d, rest != ""
	case nebula.SkipStep, nebula.RetryStep:
		d.Step = rest
		return d, rest != ""
	}
	d.Step = rest
	return d, true
}

// jobs shows the commands in the background, or what one wrote, or stops or detaches one.
func jobs(args []string, _ Text) (nebula.Command, bool) {
	var c nebula.Job
	if len(args) > 0 {
		c.Stop, c.Detach = args[0] == "stop", args[0] == "detach"
	}
	if c.Stop || c.Detach {
		args = args[1:]
	}
	if len(args) > 0 {
		n, err := strconv.Atoi(args[0])
		if c.ID = n; err != nil || n < 1 || len(args) > 1 {
			return nil, false
		}
	}
	return c, true
}

// review asks for a look at what was changed, or at what the words name.
func review(args []string, text Text) (nebula.Command, bool) {
	ask := text.Asks
	if len(args) > 0 {
		ask += "\n\n" + strings.Join(args, " ")
	}
	return nebula.Submit{Text: ask}, true
}

// takeUp has the model work by a skill.
func takeUp(args []string, _ Text) (nebula.Command, bool) {
	if len(args) == 0 {
		return nil, true
	}
	return nebula.Submit{Text: "/skill " + strings.Join(args, " ")}, true
}

// begin has the commands of the folder tried, and those that work written down.
func begin(args []string, t Text) (nebula.Command, bool) {
	return nebula.Perform{Text: t.Asks, By: nebula.Person, Actions: Begin()}, len(args) == 0
}

// Begin are the actions of the command that begins in a folder: what builds, checks and tests it is run, and what ended well is written down.
//
//go:noinline
func Begin() (list []nebula.Action) {
	for _, kind := range []string{"build", "check", "test"} {
		list = append(list, nebula.Action{Call: kind, Tool: "verify", Args: json.RawMessage(`{"kind":"` + kind + `"}`)})
	}
	return append(list, nebula.Action{Call: "advise", Tool: "advise", Args: json.RawMessage(`{}`)})
}

// compact shortens the conversation, around what the words name.
func compact(args []string, _ Text) (nebula.Command, bool) {
	return nebula.Compact{Focus: strings.Join(args, " ")}, true
}

func shell(args []string, _ Text) (nebula.Command, bool) {
	command := strings.TrimSpace(strings.Join(args, " "))
	return nebula.Shell{Command: command}, command != ""
}
