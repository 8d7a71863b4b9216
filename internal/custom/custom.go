// Package custom reads commands that people wrote for themselves: a file each, with the text of a request in which their
// arguments, files and what programs print find their places. It runs nothing and reads through what it is given.
package custom

import (
	"io/fs"
	"path"
	"slices"
	"strings"

	"nebula/internal/matter"
	"nebula/internal/phrase"
)

// A Command is one that somebody wrote.
type Command struct {
	Name  string // without the slash; folders stand before it with colons
	About string
	Takes string // what may follow the name
	Model string // that it is for; empty for any
	Tools []string
	Body  string
	From  string // its file, as the person would name it
	Own   bool   // it is the person's, not the project's

	source string
	braced bool // its places are written in braces
}

// Bounds of what is read.
const (
	mostCommands = 300
	longestAbout = 120
	longestName  = 80
)

// Read gives the commands of a folder.
func Read(f matter.Folder) []Command { return matter.Files(f, mostCommands, read) }

func read(f matter.Folder, file string) (Command, bool) {
	kind := path.Ext(file)
	c := Command{Name: strings.ToLower(strings.ReplaceAll(strings.TrimSuffix(file, kind), "/", ":")), From: path.Join(f.Shown, file), Own: f.Own}
	if kind != ".md" && kind != ".toml" || !named(c.Name) {
		return c, false
	}
	data, err := fs.ReadFile(f.FS, file)
	if err != nil {
		return c, false
	}
	c.source = string(data)
	var head matter.Fields
	if kind == ".toml" {
		text := table(phrase.Clean(c.source))
		head, c.Body, c.braced = matter.Fields{"description": {text["description"]}}, text["prompt"], true
	} else {
		head, c.Body = matter.Split(data)
	}
	c.About = phrase.OneLine(head.Text("description"), longestAbout)
	if c.About == "" {
		first, _, _ := strings.Cut(strings.TrimLeft(c.Body, "# \n"), "\n")
		c.About = phrase.OneLine(first, longestAbout)
	}
	c.Takes = phrase.OneLine(head.Text("argument-hint"), longestAbout)
	c.Model, c.Tools = head.Text("model"), head.Items("allowed-tools")
	return c, strings.TrimSpace(c.Body) != ""
}

func named(name string) bool { return matter.Named(name, longestName, "-_.:") }

// Source is the whole file.
func (c Command) Source() string { return c.source }

// Runs reports whether it has programs run.
func (c Command) Runs() bool {
	return slices.ContainsFunc(c.places(), func(p slot) bool { return p.kind == program })
}

// table reads the texts of a TOML file's top.
func table(text string) map[string]string {
	found := map[string]string{}
	for text != "" {
		line, rest, _ := strings.Cut(text, "\n")
		key, value, ok := strings.Cut(line, "=")
		key, value = strings.TrimSpace(key), strings.TrimSpace(value)
		if strings.HasPrefix(key, "[") {
			return found
		}
		text = rest
		if !ok || strings.HasPrefix(key, "#") || value == "" {
			continue
		}
		for _, q := range []string{`"""`, `'''`, `"`, `'`} {
			inner, quoted := strings.CutPrefix(value, q)
			if !quoted {
				continue
			}
			if len(q) == 3 {
				inner += "\n" + text
			}
			inner, after, _ := strings.Cut(inner, q)
			if len(q) == 3 {
				inner = strings.TrimPrefix(inner, "\n")
				_, text, _ = strings.Cut(after, "\n")
			}
			if q[0] == '"' {
				inner = strings.NewReplacer(`\\`, `\`, `\"`, `"`, `\n`, "\n", `\t`, "\t").Replace(inner)
			}
			found[key] = inner
			break
		}
	}
	return found
}
