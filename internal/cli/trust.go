package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"nebula"
	"nebula/internal/agent"
	"nebula/internal/config"
	"nebula/internal/lists"
	"nebula/internal/mcp"
	"nebula/internal/terminal"
	"nebula/internal/trust"
	"nebula/internal/workspace"
)

// bringers find what a folder brings that could run, each of one kind. They only look.
var bringers = []func(root *os.Root) []trust.Thing{hooksOf, serversOf}

// further find what lies in many files, or above the folder in its repository.
var further = []func(p *program, dir, settings string) []trust.Thing{(*program).skillsOf, (*program).commandsOf, (*program).languagesOf}

// brings are the things that a folder brings that could run.
func (p *program) brings(dir, settings string) (things []trust.Thing) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil // whoever opens the folder says so
	}
	defer root.Close()
	for _, find := range bringers {
		things = append(things, find(root)...)
	}
	for _, find := range further {
		things = append(things, find(p, dir, settings)...)
	}
	return things
}

// largestBrought bounds a file that brings something.
const largestBrought = 1 << 20

// inRoot reads a file of a folder, through no link that leads out of it.
func inRoot(root *os.Root, name string) ([]byte, bool) {
	info, err := root.Stat(name)
	if err != nil || !info.Mode().IsRegular() || info.Size() > largestBrought {
		return nil, false
	}
	f, err := root.Open(name)
	if err != nil {
		return nil, false
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, largestBrought+1))
	return data, err == nil && len(data) <= largestBrought
}

// serverFiles are where projects keep servers.
var serverFiles = []string{".mcp.json", ".cursor/mcp.json", ".vscode/mcp.json", "opencode.json", "opencode.jsonc", ".gemini/settings.json"}

// forServers is how many of them hold servers and nothing else: in the others these have a place of their own.
const forServers = 3

// projectServers are the servers that a folder brings, and what of them was left out. One name counts once: where it stands first.
func projectServers(root *os.Root) (list []mcp.Server, left []nebula.Words) {
	for i, file := range serverFiles {
		data, ok := inRoot(root, file)
		if !ok || i >= forServers && !mcp.Rooted(data) {
			continue
		}
		found, without, err := mcp.Parse(data, file)
		if err != nil && unreadable(file, data) == nil {
			left = append(left, nebula.Say("%w", err))
		}
		left = append(left, without...)
		for _, s := range found {
			if s.Off || slices.ContainsFunc(list, func(o mcp.Server) bool { return o.Name == s.Name }) {
				continue
			}
			if s.Outside { // what a program loads can change after the yes, so that a yes to this would be one to anything
				s.Outside = false
				left = append(left, nebula.Say("%s: server %q: outside counts in your own settings alone: nebula mcp add --outside", file, s.Name))
			}
			list = append(list, s)
		}
	}
	return list, left
}

func serversOf(root *os.Root) (things []trust.Thing) {
	list, _ := projectServers(root)
	for _, s := range list {
		things = append(things, serverThing(root, s))
	}
	return things
}

// serverThing is a folder's server with everything that decides what it does: what is started of the folder's own files counts by its content.
func serverThing(root *os.Root, s mcp.Server) trust.Thing {
	meant, _ := s.Expanded(func(name string) string { return folders[name] })
	words := append([]string{meant.Command}, meant.Args...)
	for i, word := range words {
		if _, after, ok := strings.Cut(word, "="); ok {
			word = after
		}
		words[i] = word
	}
	words = parts(words)
	for _, name := range slices.Sorted(maps.Keys(meant.Env)) { // where it looks for what it loads
		words = append(words, filepath.SplitList(meant.Env[name])...)
	}
	if place := meant.Cwd; place != "" { // what its words name lies there, and so does what it loads without naming it
		if rel, err := filepath.Rel(root.Name(), place); filepath.IsAbs(place) && err == nil {
			place = rel
		}
		for _, word := range words {
			words = append(words, filepath.Join(place, word))
		}
		words = append(words, place)
	}
	return trust.Thing{Kind: "server", Name: s.Name, From: s.From, Text: s.Text() + loads(root, words)}
}

// ledger is where the person's word on what folders bring is kept.
//
//go:noinline
func ledger(c config.Config) trust.Ledger { return trust.Ledger{File: c.Home.Trust()} }

// agree keeps the person's word, unless a command runs, whose work it may be.
func agree(c config.Config, change func(trust.Ledger) error) error {
	if workspace.Holding(c.Home.Held()) {
		return fail(exitFailed, "a command that nebula runs is not over, and none may change the settings; try again when it has ended")
	}
	return change(ledger(c))
}

// rowsAsked is how many rows a question shows of what a folder brings: what is longer is read with nebula trust.
const rowsAsked = 30

// brought is what the person is to be asked about the folder, nil for nothing. A recording goes without.
func (s *session) brought() *agent.Brought {
	if s.bare() {
		return nil
	}
	b := &agent.Brought{}
	if root, err := os.OpenRoot(s.dir); err == nil {
		b.Amiss = lists.Concat(damaged(root), undenied(root), mute(root))
		if s.config.Budget.Advice > 0 {
			b.Amiss = append(b.Amiss, illegible(root)...)
		}
		_ = root.Close()
	}
	things := s.brings(s.dir, s.config.Home.Settings)
	if v, _ := s.config.Value("language_servers"); v.Text != "true" || !s.config.Sandbox {
		things = lists.Drop(things, func(t trust.Thing) bool { return t.Kind == kindLanguages })
	}
	all, err := ledger(s.config).Look(s.dir, things)
	if err != nil {
		b.Notice = nebula.Say("%w", err)
		return b
	}
	open := trust.Open(all)
	if len(open) == 0 {
		return b
	}
	b.Notice = nebula.Say("%s, and it does nothing until you agree: nebula trust shows it", bringing(len(open)))
	b.Agree = func() error { return s.trusts(open) }
	text := s.say("%s. May it be used?", bringing(len(open))) + "\n\n" + s.standings(all, false) + s.aside(s.unheeded(s.dir, s.config.Home.Settings))
	if strings.Count(text, "\n") <= rowsAsked {
		b.Question = nebula.Question{Text: strings.TrimRight(text, "\n"), Options: []string{s.say("yes, agree to exactly this"), s.say("not now: it does nothing")}}
	}
	return b
}

//go:noinline
func bringing(n int) nebula.Words {
	return many(n, "this folder brings %d thing that could run", "this folder brings %d things that could run")
}

// standings shows things to the byte, those that were agreed to by their names only, unless everything is to be shown.
func (p *program) standings(all []trust.Standing, whole bool) string {
	var b strings.Builder
	for _, t := range all {
		state := p.say("new")
		switch {
		case t.Agreed:
			state = p.say("agreed to")
		case t.Before != nil:
			state = p.say("changed since you agreed")
		}
		if t.Agreed && !whole {
			continue
		}
		fmt.Fprintf(&b, "%s %s (%s): %s\n", p.say(t.Kind), terminal.OneRow(t.Name), terminal.OneRow(t.From), state)
		text := t.Text
		if d := t.Diff(); d != "" {
			text = d
		}
		for line := range strings.Lines(text) {
			b.WriteString("    " + terminal.Exact(strings.TrimSuffix(line, "\n")) + "\n")
		}
		if strings.Contains(t.Text, ": sha256 ") || strings.Contains(t.Text, ", sha256 ") {
			b.WriteString("    " + p.say("(code beside and below these files counts too, but at the top of the folder; what they load from elsewhere does not)") + "\n")
		}
	}
	return b.String()
}

func (p *program) trustCommand() *cobra.Command {
	output := "text"
	root := &cobra.Command{
		Use:   "trust",
		Short: "Show and decide what this folder brings that could run",
		Long: "A folder can bring servers, hooks and scripts. None of them does anything before you have seen it and agreed, and each\n" +
			"change asks again. What you agree to is kept in your home, by its exact content.",
		Example: "  nebula trust\n  nebula trust agree 3f2a91c04b1d\n  nebula trust withdraw",
	}
	group(root, func(*cobra.Command, []string) error { return p.showTrust(output) })
	oneOf(root, &output, "output", "o", "text", "what goes to standard output", "text", "json")
	root.AddCommand(
		&cobra.Command{Use: "agree CODE", Short: "Agree to what was shown under this code", Args: exactly(1, "the code that nebula trust shows"), RunE: p.agreeTrust},
		&cobra.Command{Use: "withdraw", Short: "Take back all that you agreed to here", Args: atMost(0), RunE: p.withdrawTrust},
	)
	return root
}

// standing is what the folder brings and what was agreed to.
func (p *program) standing() (dir string, c config.Config, all []trust.Standing, err error) {
	if dir, err = folder(p.at); err != nil {
		return dir, c, nil, err
	}
	if c, err = p.settings(dir, nil); err != nil {
		return dir, c, nil, err
	}
	all, err = ledger(c).Look(dir, p.brings(dir, c.Home.Settings))
	return dir, c, all, err
}

func (p *program) showTrust(output string) error {
	if err := choice("output", output, []string{"text", "json"}); err != nil {
		return err
	}
	dir, c, all, err := p.standing()
	if err != nil {
		return err
	}
	for _, w := range p.unheeded(dir, c.Home.Settings) {
		p.warn("%s", w)
	}
	open := trust.Open(all)
	if output == "json" {
		shown := struct {
			Code   string           `json:"code,omitempty"`
			Things []trust.Standing `json:"things"`
		}{Things: lists.Concat([]trust.Standing{}, all)}
		if len(open) > 0 {
			shown.Code = trust.Code(open)
		}
		return json.NewEncoder(p.out).Encode(shown)
	}
	if len(all) == 0 {
		_, err := fmt.Fprintln(p.err, p.say("this folder brings nothing that could run"))
		return err
	}
	if _, err := fmt.Fprint(p.out, p.standings(all, true)); err != nil || len(open) == 0 {
		return err
	}
	_, err = fmt.Fprintln(p.out, "\n"+p.say("to agree to exactly this: nebula trust agree %s", trust.Code(open)))
	return err
}

func (p *program) agreeTrust(_ *cobra.Command, args []string) error {
	dir, c, all, err := p.standing()
	if err != nil {
		return err
	}
	open := trust.Open(all)
	switch {
	case len(open) == 0:
		return usage("nothing here waits for your word; nebula trust shows what there is")
	case trust.Code(open) != args[0]:
		return usage("%q is not the code of what is here now; read it again with nebula trust", args[0])
	}
	if err := agree(c, func(l trust.Ledger) error { return l.Agree(dir, open) }); err != nil {
		return err
	}
	_, err = fmt.Fprintln(p.err, p.words(many(len(open), "agreed to %d thing", "agreed to %d things")))
	return err
}

func (p *program) withdrawTrust(*cobra.Command, []string) error {
	dir, c, _, err := p.standing()
	if err != nil {
		return err
	}
	n := 0
	if err := agree(c, func(l trust.Ledger) (err error) { n, err = l.Withdraw(dir); return err }); err != nil {
		return err
	}
	_, err = fmt.Fprintln(p.err, p.words(many(n, "%d thing is not trusted any more", "%d things are not trusted any more")))
	return err
}
