package cli

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"

	"nebula"
	"nebula/internal/agent"
	"nebula/internal/custom"
	"nebula/internal/lists"
	"nebula/internal/matter"
	"nebula/internal/model"
	"nebula/internal/phrase"
	"nebula/internal/skill"
	"nebula/internal/trust"
	"nebula/internal/workspace"
)

// Where people keep skills and commands of their own, below a project's folder or their home; what stands first wins.
var (
	skillFolders   = []string{".nebula/skills", ".agents/skills", ".claude/skills", ".opencode/skills", ".opencode/skill", ".gemini/skills"}
	homeSkills     = []string{".codex/skills", ".config/opencode/skills", ".config/opencode/skill"}
	commandFolders = []string{".nebula/commands", ".claude/commands", ".opencode/command", ".opencode/commands", ".gemini/commands"}
	homeCommands   = []string{".config/opencode/command", ".config/opencode/commands", ".codex/prompts"}
	// commandFiles are settings in which commands stand beside other things.
	commandFiles = []string{"opencode.json", "opencode.jsonc", ".opencode/opencode.json", ".opencode/opencode.jsonc"}
)

// rooted is a folder that is read without keeping it open, and out of which no link leads.
type rooted struct{ dir, sub string }

// Open implements fs.FS. Only folders, and files that are not too large, are there.
func (r rooted) Open(name string) (fs.File, error) {
	bad := &fs.PathError{Op: "open", Path: name, Err: fs.ErrInvalid}
	if !fs.ValidPath(name) {
		return nil, bad
	}
	root, err := os.OpenRoot(r.dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	at := path.Join(r.sub, name)
	info, err := root.Stat(at)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() && (!info.Mode().IsRegular() || info.Size() > largestBrought) {
		return nil, bad
	}
	return root.Open(at)
}

// A shelfPlace is a folder in which skills or commands are kept.
type shelfPlace struct {
	dir   string // absolute
	shown string
	from  string // how what lies in it is named in a command: from the folder where it is in it, else whole
	own   bool
}

// shelfPlaces are the places that there are: the person's own first, then the folder's, then those above it in its repository.
func (p *program) shelfPlaces(dir, settings string, below, home []string) (list []shelfPlace) {
	add := func(base, name, from string, own bool) {
		at := filepath.Join(base, filepath.FromSlash(name))
		info, err := os.Stat(at)
		if err != nil || !info.IsDir() || slices.ContainsFunc(list, func(s shelfPlace) bool { return s.dir == at }) {
			return
		}
		shown := p.shown(at)
		if from == "" {
			from = at
		} else if !own {
			shown = name
		}
		list = append(list, shelfPlace{at, shown, filepath.ToSlash(from), own})
	}
	add(settings, path.Base(below[0]), "", true)
	if user := p.env("HOME"); filepath.IsAbs(user) {
		for _, name := range append(lists.Clone(below), home...) {
			add(user, name, "", true)
		}
	}
	for _, name := range below {
		add(dir, name, name, false)
	}
	if top := workspace.Repository(dir); top != "" {
		for _, above := range slices.Backward(onTheWay(top, dir)) {
			for _, name := range below {
				add(above, name, "", false)
			}
		}
	}
	return list
}

// skillsIn are the skills of a place. A person keeps theirs where they like: their links are followed.
func skillsIn(at shelfPlace) (list []skill.Skill) {
	entries, err := os.ReadDir(at.dir)
	if err != nil {
		return nil
	}
	for _, e := range entries {
		if s, ok := skill.Read(at.skill(e.Name())); ok {
			list = append(list, s)
		}
	}
	return list
}

// skill is the folder of a name in a place.
func (at shelfPlace) skill(name string) skill.Folder {
	in := rooted{at.dir, name}
	if real, err := filepath.EvalSymlinks(filepath.Join(at.dir, name)); err == nil && at.own {
		in = rooted{real, "."}
	}
	return skill.Folder{FS: in, Name: name, Shown: at.shown + "/" + name, Path: at.from + "/" + name, Own: at.own}
}

// skillThing is a project's skill with everything that decides what it does.
func skillThing(s skill.Skill) trust.Thing {
	text := s.Source + "\n"
	for _, name := range s.Files {
		data, err := fs.ReadFile(s.FS, name)
		if err != nil {
			text += fmt.Sprintf("%s: ?\n", name)
			continue
		}
		text += fmt.Sprintf("%s: sha256 %s\n", name, nebula.Hash(data))
	}
	return trust.Thing{Kind: "skill", Name: s.Name, From: s.Shown, Text: text}
}

func commandThing(c custom.Command) trust.Thing {
	return trust.Thing{Kind: "command", Name: "/" + c.Name, From: c.From, Text: c.Source()}
}

// skillsOf are a folder's skills that bring something that could run.
func (p *program) skillsOf(dir, settings string) (things []trust.Thing) {
	for _, at := range p.shelfPlaces(dir, settings, skillFolders, homeSkills) {
		if at.own {
			continue
		}
		for _, s := range skillsIn(at) {
			if couldRun(s) {
				things = append(things, skillThing(s))
			}
		}
	}
	return things
}

// commandsOf are a folder's commands that have programs run.
func (p *program) commandsOf(dir, settings string) (things []trust.Thing) {
	for _, c := range p.written(dir, settings) {
		if !c.Own && c.Runs() {
			things = append(things, commandThing(c))
		}
	}
	return things
}

// written are the commands that people wrote for a folder or for themselves, in the order in which the first of a name counts.
func (p *program) written(dir, settings string) (list []custom.Command) {
	for _, at := range p.shelfPlaces(dir, settings, commandFolders, homeCommands) {
		list = append(list, custom.Read(matter.Folder{FS: rooted{at.dir, "."}, Shown: at.shown, Own: at.own})...)
	}
	for _, own := range []bool{true, false} {
		base, files := dir, commandFiles
		if own {
			base, files = filepath.Join(p.env("HOME"), ".config", "opencode"), commandFiles[:2]
		}
		root, err := os.OpenRoot(base)
		if err != nil {
			continue
		}
		for _, name := range files {
			if data, ok := inRoot(root, name); ok {
				from := name
				if own {
					from = p.shown(filepath.Join(base, name))
				}
				list = append(list, custom.Listed(data, from, own)...)
			}
		}
		_ = root.Close() // it was only read
	}
	return list
}

// couldRun reports whether a skill brings something that could run, or has programs run when the person takes it up.
func couldRun(k skill.Skill) bool { return k.Runs() || typed(k, "").Runs() }

// typed is a skill as a command of the person's.
//
//go:noinline
func typed(k skill.Skill, lang string) custom.Command {
	return custom.Command{Name: k.Name, Names: k.Names, Tools: k.Tools, Left: k.Left, Body: k.Text(lang), Own: k.Own}
}

// shelf is the skills that may be used now: the person's, and of the folder's those that run nothing or were agreed to.
func (s *session) shelf() (shelf skill.Shelf) {
	for _, at := range s.shelfPlaces(s.dir, s.config.Home.Settings, skillFolders, homeSkills) {
		for _, k := range skillsIn(at) {
			if at.own || !couldRun(k) || ledger(s.config).Agrees(s.dir, skillThing(k)) {
				shelf = shelf.Add(k)
			}
		}
	}
	return shelf
}

// customs are the commands that people wrote for this folder or for themselves.
func (s *session) customs() custom.Set {
	return custom.Set{}.Add(s.written(s.dir, s.config.Home.Settings)...)
}

// skills are those of a session. They are looked for when the first message comes.
type skills struct {
	session *session
	any     atomic.Bool
}

// skills are nil where a recording is made or played: it has to be asked the same again.
//
//go:noinline
func (s *session) skills() *skills {
	if s.bare() {
		return nil
	}
	return &skills{session: s}
}

// offers says what a request tells of the skills; nil where it tells nothing.
func (k *skills) offers() func(request, lang string) string {
	if k == nil {
		return nil
	}
	return k.tell
}

// skillRoom is what a request says of skills at most, in tokens.
const skillRoom = 600

func (k *skills) tell(request, lang string) string {
	text := k.session.shelf().Tell(request, lang, skillRoom, model.Estimate)
	k.any.Store(text != "")
	return text
}

// Any implements tool.Skills.
func (k *skills) Any() bool { return k.any.Load() }

// likest is how many skills are named where one was asked for that there is not.
const likest = 5

// Skill implements tool.Skills.
func (k *skills) Skill(name, lang string) (string, []string, error) {
	shelf := k.session.shelf()
	s, ok := shelf.Named(name)
	if !ok {
		var near []string
		for _, o := range shelf.Ranked(name)[:min(likest, len(shelf))] {
			near = append(near, o.Name+": "+o.About)
		}
		return "", nil, nebula.Wrong("", "There is no skill %q.", name).Then("Those most like it:\n%s", strings.Join(near, "\n"))
	}
	return strings.ReplaceAll(s.Text(lang), "$ARGUMENTS", ""), s.Tools, nil
}

// Resource implements tool.Skills.
func (k *skills) Resource(name, file string) (string, error) {
	s, ok := k.session.shelf().Named(name)
	if !ok {
		return "", nebula.Wrong("", "There is no skill %q.", name)
	}
	return s.Resource(file)
}

// Commands implements nebula.Host.
func (h *host) Commands(context.Context) (list []nebula.CommandInfo, _ error) {
	for _, c := range h.customs() {
		if c.Flaw != nil {
			c.About = h.tongue().error(c.Flaw)
		}
		list = append(list, nebula.CommandInfo{Name: c.Name, Takes: c.Takes, About: c.About})
	}
	for _, k := range h.shelf() {
		if k.Typed && !slices.ContainsFunc(list, func(c nebula.CommandInfo) bool { return c.Name == strings.ToLower(k.Name) }) {
			list = append(list, nebula.CommandInfo{Name: strings.ToLower(k.Name), Takes: k.Takes, About: k.About})
		}
	}
	return list, nil
}

// expand gives what a message stands for that begins with a command or a skill.
//
//go:noinline
func (s *session) expand(read func(string) (string, bool)) func(string) (*agent.Expansion, error) {
	return func(text string) (*agent.Expansion, error) {
		word, rest, _ := strings.Cut(strings.TrimSpace(text), " ")
		if first, more, found := strings.Cut(word, "\n"); found {
			word, rest = first, more+" "+rest
		}
		name := strings.ToLower(strings.TrimPrefix(word, "/"))
		if name == "" || strings.Contains(name, "/") {
			return nil, nil
		}
		asked := name == "skill"
		if asked {
			name, rest, _ = strings.Cut(strings.TrimSpace(rest), " ")
		}
		c, ok := s.customs().Named(name)
		if k, skilled := s.shelf().Named(name); skilled && (asked || !ok && k.Typed) {
			c, ok, word = typed(k, s.config.Lang), true, "/"+k.Name
		} else if asked {
			return nil, nebula.Errorf("there is no skill %q that may be used here; nebula trust shows what this folder brings", name)
		} else if ok && c.Flaw != nil {
			return nil, c.Flaw
		} else if ok && !c.Own && c.Runs() && !ledger(s.config).Agrees(s.dir, commandThing(c)) {
			return nil, nebula.Errorf("%s has programs run, and came with this folder; read it with nebula trust, and agree to it there", word)
		}
		if !ok {
			return nil, nil
		}
		return s.expansion(word, rest, c, read), nil
	}
}

// expansion is what a command comes to with what stands behind it.
func (s *session) expansion(word, rest string, c custom.Command, read func(string) (string, bool)) *agent.Expansion {
	x := &agent.Expansion{Name: word, Needs: c.Tools}
	left := lists.Clone(c.Left)
	if c.Own { // which model reads the folder is not for the folder to say
		x.Model = s.modelOf(c.Model)
	}
	if c.Model != x.Model && c.Model != "inherit" {
		left = append(left, "model")
	}
	if len(left) > 0 {
		x.Notice = headUnheeded(word, left)
	}
	for _, p := range c.Expand(rest, read) {
		x.Pieces = append(x.Pieces, agent.Piece{Text: p.Text, Command: p.Program})
	}
	return x
}

// modelOf is a model that a command names, if it is one here: other programs have short names for theirs, such as haiku, which are nobody's.
func (s *session) modelOf(name string) string {
	if !strings.ContainsAny(name, "0123456789/:") || !s.hasModel(name) {
		return ""
	}
	return name
}

// hasModel reports whether a name is one of a model.
func (s *session) hasModel(name string) bool {
	if s.models == nil || name == "" {
		return false
	}
	_, err := s.models.named(name)
	return err == nil
}

// largestIncluded bounds a file that a command's text takes in.
const largestIncluded = 64 << 10

// included reads files of the folder that a command names, as the tools may read them, and none that holds secrets.
//
//go:noinline
func (s *session) included(work *workspace.Dir) func(string) (string, bool) {
	known := workspace.NewSecrets(work)
	secret := protection(s.config.Protection).Secret
	return func(name string) (string, bool) {
		data, e, err := work.Read(name, largestIncluded)
		if err != nil || secret(name) || secret(e.Path) || work.Veiled(e.Path) {
			return "", false
		}
		data, ok := readable(data, err)
		return known.Text(phrase.Clean(string(data))), ok
	}
}
