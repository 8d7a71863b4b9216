// Package aide is whom a conversation can have do a part of the work, apart from it: those that come with nebula, and those
// that people describe in a file each. It runs nothing and reads through what it is given.
package aide

import (
	"io/fs"
	"path"
	"slices"
	"strings"

	"nebula/internal/lists"
	"nebula/internal/matter"
	"nebula/internal/phrase"
)

// An Aide does a part of the work in a session of its own.
type Aide struct {
	Name    string
	About   string   // what it is for, in a line
	Model   string   // that it says it is for; empty for any
	Tools   []string // all that it uses, by names of this program or another; nil for no bound
	Without []string // tools that it does not use
	Reads   bool     // it changes nothing
	Small   bool     // a small model will do
	Body    string   // what it is told beside its task, in the language of its texts
	From    string   // its file, as the person would name it; empty for one that comes with nebula
	Own     bool     // it is the person's, not the project's
	Flaw    error    // why it cannot be read, with what to do; it says nothing else then
}

// Summary bounds what an aide says at its end, in tokens.
const Summary = 1500

// Bounds of what is read.
const (
	mostAides    = 100
	longestAbout = 120
	longestName  = 40
)

// Read gives the aides of a folder: Markdown files with a head. What such a head says of rights is passed over: an aide has
// those of the conversation at most.
func Read(f matter.Folder) []Aide { return matter.Files(f, mostAides, read) }

func read(f matter.Folder, file string) (Aide, bool) {
	if path.Ext(file) != ".md" {
		return Aide{}, false
	}
	bad := Aide{Name: strings.ToLower(strings.TrimSuffix(path.Base(file), path.Ext(file))), From: path.Join(f.Shown, file), Own: f.Own}
	data, err := fs.ReadFile(f.FS, file)
	if err != nil {
		bad.Flaw = matter.None(bad.From)
	} else {
		bad.Flaw = matter.Flaw(bad.From, data)
	}
	if bad.Flaw != nil {
		return bad, named(bad.Name)
	}
	head, body := matter.Split(data)
	a := Aide{
		Name: strings.ToLower(head.Text("name")), About: phrase.OneLine(head.Text("description"), longestAbout), Model: head.Text("model"),
		Tools: head.Items("tools"), Without: head.Items("disallowedtools"), Body: strings.TrimSpace(body), From: bad.From, Own: f.Own,
	}
	for _, field := range []string{"tools", "permission"} { // a table of what may be used and what not, as others write it
		if not, table := refused(head.Text(field)); table {
			a.Without = append(a.Without, not...)
			if field == "tools" {
				a.Tools = nil
			}
		}
	}
	if !named(a.Name) {
		a.Name = bad.Name
	}
	a.Reads = strings.EqualFold(head.Text("permissionmode"), "plan")
	switch {
	case head != nil && a.About == "":
		bad.Flaw = matter.Lacking(a.From, "description")
	case head != nil && a.Body == "":
		bad.Flaw = matter.Lacking(a.From, "prompt")
	default:
		return a, named(a.Name) && head != nil
	}
	return bad, named(bad.Name)
}

// refused are the names that a table of tools says no to, and whether a text is one.
func refused(text string) (names []string, table bool) {
	words := strings.Fields(text)
	for i, w := range words {
		name, key := strings.CutSuffix(w, ":")
		if table = table || key; key && i+1 < len(words) && (words[i+1] == "false" || words[i+1] == "deny") {
			switch name = strings.Trim(name, `"'`); name {
			case "*": // of what a command may be, not of tools
			case "edit": // is any change of a file there
				names = append(names, name, "write", "delete")
			default:
				names = append(names, name)
			}
		}
	}
	return names, table
}

// named reports whether a text can be an aide's name.
//
//go:noinline
func named(name string) bool { return matter.Named(name, longestName, "-_") }

// A Staff is the aides there are, the first of a name before the others.
type Staff []Aide

// Of are the person's aides, those that come with nebula and those of the project, the first of a name before the others. passed are the
// files of the project that describe another under the name of one that comes with nebula.
func Of(all []Aide, lang string) (s Staff, passed []string) {
	all = lists.Drop(lists.Clone(all), func(a Aide) bool { return a.Flaw != nil })
	for _, a := range all {
		if _, taken := s.Named(a.Name); a.Own && !taken {
			s = append(s, a)
		}
	}
	for _, a := range with(lang) {
		if _, taken := s.Named(a.Name); !taken {
			s = append(s, a)
		}
	}
	for _, a := range all {
		if by, taken := s.Named(a.Name); !taken {
			s = append(s, a)
		} else if by.From == "" {
			passed = append(passed, a.From)
		}
	}
	return s, passed
}

// Named is the aide of a name.
//
//go:noinline
func (s Staff) Named(name string) (Aide, bool) {
	at := slices.IndexFunc(s, func(a Aide) bool { return strings.EqualFold(a.Name, strings.TrimPrefix(strings.TrimSpace(name), "@")) })
	if at < 0 {
		return Aide{}, false
	}
	return s[at], true
}

// Tell names the aides with what they are for, within so many characters.
func (s Staff) Tell(most int) string {
	var parts []string
	for _, a := range s {
		part := a.Name
		if a.About != "" {
			part += " (" + a.About + ")"
		}
		if most -= len(part); most < 0 && len(parts) > 0 {
			break
		}
		parts = append(parts, part)
	}
	return strings.Join(parts, ", ")
}

// Brief is what an aide is told of a task.
//
//go:noinline
func (a Aide) Brief(task, lang string) string {
	return a.Body + "\n\n" + phrase.Pick(lang, reporting) + "\n\n" + phrase.Pick(lang, asked) + "\n" + task
}
