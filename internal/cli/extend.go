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
	"nebula/internal/matter"
	"nebula/internal/model"
	"nebula/internal/phrase"
	"nebula/internal/skill"
	"nebula/internal/trust"
	"nebula/internal/workspace"
)

// Where people keep skills and commands of their own, below a project's folder or their home; what stands first wins.
var (
	skillFolders   = []string{".nebula/skills", ".agents/skills", ".claude/skills"}
	commandFolders = []string{".nebula/commands", ".claude/commands", ".opencode/command", ".opencode/commands", ".gemini/commands"}
	homeCommands   = []string{".config/opencode/command", ".config/opencode/commands", ".codex/prompts"}
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
		for _, name := range append(slices.Clone(below), home...) {
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
		name := e.Name()
		in := rooted{at.dir, name}
		if real, err := filepath.EvalSymlinks(filepath.Join(at.dir, name)); err == nil && at.own {
			in = rooted{real, "."}
		}
		if s, ok := skill.Read(skill.Folder{FS: in, Name: name, Shown: at.shown + "/" + name, Path: at.from + "/" + name, Own: at.own}); ok {
			list = append(list, s)
		}
	}
	return list
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
	for _, at := range p.shelfPlaces(dir, settings, skillFolders, nil) {
		if at.own {
			continue
		}
		for _, s := range skillsIn(at) {
			if s.Runs() {
				things = append(things, skillThing(s))
			}
		}
	}
	return things
}

// commandsOf are a folder's commands that have programs run.
func (p *program) commandsOf(dir, settings string) (things []trust.Thing) {
	for _, at := range p.shelfPlaces(dir, settings, commandFolders, homeCommands) {
		if at.own {
			continue
		}
		for _, c := range custom.Read(matter.Folder{FS: rooted{at.dir, "."}, Shown: at.shown}) {
			if c.Runs() {
				things = append(things, commandThing(c))
			}
		}
	}
	return things
}

// shelf is the skills that may be used now: the person's, and of the folder's those that run nothing or were agreed to.
func (s *session) shelf() (shelf skill.Shelf) {
	for _, at := range s.shelfPlaces(s.dir, s.config.Home.Settings, skillFolders, nil) {
		for _, k := range skillsIn(at) {
			if at.own || !k.Runs() || ledger(s.config).Agrees(s.dir, skillThing(k)) {
				shelf = shelf.Add(k)
			}
		}
	}
	return shelf
}

// customs are the commands that people wrote for this folder or for themselves.
func (s *session) customs() (set custom.Set) {
	for _, at := range s.shelfPlaces(s.dir, s.config.Home.Settings, commandFolders, homeCommands) {
		set = set.Add(custom.Read(matter.Folder{FS: rooted{at.dir, "."}, Shown: at.shown, Own: at.own})...)
	}
	return set
}

// skills are those of a session. They are looked for when the first message comes.
type skills struct {
	session *session
	any     atomic.Bool
}

// skills are nil where a recording is made or played: it has to be asked the same again.
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
		return "", nil, nebula.Wrong("Those most like it:\n"+strings.Join(near, "\n"), "There is no skill %q.", name)
	}
	return s.Text(lang, ""), s.Tools, nil
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
		list = append(list, nebula.CommandInfo{Name: c.Name, Takes: c.Takes, About: c.About})
	}
	for _, k := range h.shelf() {
		if !slices.ContainsFunc(list, func(c nebula.CommandInfo) bool { return c.Name == strings.ToLower(k.Name) }) {
			list = append(list, nebula.CommandInfo{Name: strings.ToLower(k.Name), About: k.About})
		}
	}
	return list, nil
}

// expand gives what a message stands for that begins with a command or a skill.
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
		if name == "skill" {
			name, rest, _ = strings.Cut(strings.TrimSpace(rest), " ")
			return s.takenUp(name, rest, true)
		}
		c, ok := s.customs().Named(name)
		if !ok {
			return s.takenUp(name, rest, false)
		}
		if !c.Own && c.Runs() && !ledger(s.config).Agrees(s.dir, commandThing(c)) {
			return nil, nebula.Errorf("%s has programs run, and came with this folder; read it with nebula trust, and agree to it there", word)
		}
		x := &agent.Expansion{Name: word, Needs: c.Tools}
		if c.Own { // which model reads the folder is not for the folder to say
			x.Model = s.modelOf(c.Model)
		}
		for _, p := range c.Expand(rest, read) {
			x.Pieces = append(x.Pieces, agent.Piece{Text: p.Text, Command: p.Program})
		}
		return x, nil
	}
}

// takenUp is a skill that the person takes up.
func (s *session) takenUp(name, rest string, asked bool) (*agent.Expansion, error) {
	k, ok := s.shelf().Named(name)
	switch {
	case ok:
		return &agent.Expansion{Name: "/" + k.Name, Needs: k.Tools, Pieces: []agent.Piece{{Text: k.Text(s.config.Lang, strings.TrimSpace(rest))}}}, nil
	case asked:
		return nil, nebula.Errorf("there is no skill %q that may be used here; nebula trust shows what this folder brings", name)
	}
	return nil, nil
}

// modelOf is a model that a command names, if it is one here: other programs have short names for theirs.
func (s *session) modelOf(name string) string {
	if name == "" || s.models == nil {
		return ""
	}
	if _, err := s.models.named(name); err != nil {
		return ""
	}
	return name
}

// largestIncluded bounds a file that a command's text takes in.
const largestIncluded = 64 << 10

// included reads files of the folder that a command names, as the tools may read them, and none that holds secrets.
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
