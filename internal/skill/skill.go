// Package skill reads skills as people keep them (the open SKILL.md form): a folder with instructions for one kind of work,
// and what these need beside. A model is told names and what they are for; the instructions come when it wants them.
//
// The package reads through the file systems it is given and runs nothing: what a skill has run are ordinary commands.
package skill

import (
	"io/fs"
	"path"
	"slices"
	"strings"

	"nebula"
	"nebula/internal/lists"
	"nebula/internal/matter"
	"nebula/internal/phrase"
)

// File is the name under which a skill's instructions stand in its folder.
const File = "SKILL.md"

// A Folder may hold a skill.
type Folder struct {
	FS    fs.FS
	Name  string // of the folder
	Shown string // its path, as the person would name it
	Path  string // its path, as a command would name it
	Own   bool   // it is the person's, not the project's
}

// A Skill is instructions for one kind of work.
type Skill struct {
	Folder
	Name, About string
	Tools       []string // that it says it needs; nil where it says nothing
	Names       []string // of what may follow its name when the person takes it up
	Takes       string   // what may
	Left        []string // what its head says and nothing here does
	Unasked     bool     // the model may take it up by itself
	Typed       bool     // the person may, by its name alone
	Body        string
	Source      string   // the file with its head
	Files       []string // beside it, at most [mostFiles]
}

// Bounds of what a skill may say and hold.
const (
	longestName  = 64
	longestAbout = 300
	mostFiles    = 200
)

// unheeded are fields by which other programs do something that is not done here.
var unheeded = []string{"model", "effort", "context", "agent", "hooks", "paths", "shell"}

// Read reads the skill in a folder, if there is one.
func Read(f Folder) (Skill, bool) {
	data, err := fs.ReadFile(f.FS, File)
	if err != nil || matter.Flaw(File, data) != nil {
		return Skill{}, false
	}
	head, body := matter.Split(data)
	s := Skill{Folder: f, Name: head.Text("name"), About: phrase.OneLine(head.Text("description"), longestAbout), Body: strings.TrimSpace(body), Source: string(data)}
	if !Named(s.Name) {
		s.Name = f.Name
	}
	if s.About == "" {
		s.About = phrase.OneLine(strings.TrimLeft(firstLine(s.Body), "# "), longestAbout)
	}
	if when := head.Text("when_to_use"); when != "" {
		s.About = phrase.OneLine(s.About+" "+when, longestAbout)
	}
	s.Tools, s.Names = head.Tools(), head.Items("arguments")
	s.Takes = phrase.OneLine(head.Text("argument-hint"), longestAbout)
	s.Left = head.Said(unheeded...)
	s.Unasked, s.Typed = !head.On("disable-model-invocation"), !strings.EqualFold(head.Text("user-invocable"), "false")
	s.Files = files(f.FS)
	return s, Named(s.Name) && s.Body != ""
}

// Named reports whether a text can be a skill's name: a word without a path in it.
//
//go:noinline
func Named(name string) bool { return matter.Named(name, longestName, "-_.:") }

func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line
}

// files are those in the skill's folder but for its instructions.
func files(in fs.FS) (names []string) {
	_ = fs.WalkDir(in, ".", func(name string, d fs.DirEntry, err error) error { // what cannot be read is not there
		switch {
		case err != nil || len(names) == mostFiles:
			return fs.SkipAll
		case d.IsDir() && (d.Name() == "node_modules" || name != "." && strings.HasPrefix(d.Name(), ".")):
			return fs.SkipDir
		case !d.IsDir() && name != File:
			names = append(names, name)
		}
		return nil
	})
	return names
}

// Runs reports whether the skill brings something that could run: any file that is not for reading only.
//
//go:noinline
func (s Skill) Runs() bool {
	return slices.ContainsFunc(s.Files, func(name string) bool {
		return !lists.Has([]string{".md", ".txt", ".rst"}, strings.ToLower(path.Ext(name))) && !strings.HasPrefix(path.Base(name), "LICENSE")
	})
}

// Text is what a model reads of the skill when it takes it up.
func (s Skill) Text(lang string) string {
	body := strings.NewReplacer("${CLAUDE_SKILL_DIR}", s.Path, "{baseDir}", s.Path).Replace(s.Body)
	text := phrase.In(lang, "Instructions of the skill") + " " + s.Name + " (" + s.Path + "/):\n" + body + "\n"
	if len(s.Files) > 0 {
		text += phrase.In(lang, "Files of the skill, below") + " " + s.Path + "/: " + strings.Join(s.Files, ", ") + "\n"
	}
	return text
}

// Resource is a file of the skill. No path leads out of its folder.
func (s Skill) Resource(name string) (string, error) {
	data, err := fs.ReadFile(s.FS, path.Clean(strings.TrimPrefix(strings.TrimPrefix(name, s.Path), "/")))
	if err != nil {
		return "", nebula.Wrong("Name one of its files.", "The skill has no file %q that can be read.", name)
	}
	return phrase.Clean(string(data)), nil
}

// A Shelf is the skills there are, the first of a name before the others.
type Shelf []Skill

// Add puts further skills behind those there are, but for names that are taken.
func (s Shelf) Add(more ...Skill) Shelf {
	for _, m := range more {
		if _, taken := s.Named(m.Name); !taken {
			s = append(s, m)
		}
	}
	return s
}

// Named is the skill of a name.
//
//go:noinline
func (s Shelf) Named(name string) (Skill, bool) {
	at := slices.IndexFunc(s, func(k Skill) bool { return strings.EqualFold(k.Name, name) })
	if at < 0 {
		return Skill{}, false
	}
	return s[at], true
}
