// Package custom reads commands that people wrote for themselves: a file each, with the text of a request in which their
// arguments, files and what programs print find their places. It runs nothing and reads through what it is given.
package custom

import (
	"encoding/json"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
	"unicode"

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
	Names []string // its arguments', in their order
	Left  []string // what its head says and nothing here does
	Body  string
	From  string // its file, as the person would name it
	Own   bool   // it is the person's, not the project's
	Flaw  error  // why it cannot be read, with what to do; it says nothing else then

	source string
	braced bool // its places are written in braces
	greedy bool // the last of its arguments is all that is left
}

// Bounds of what is read.
const (
	mostCommands = 300
	longestAbout = 120
	longestName  = 80
)

// unheeded are fields by which other programs do something that is not done here.
var unheeded = []string{"agent", "subtask", "context", "hooks", "effort", "shell", "paths"}

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
		return c.flawed(matter.None(c.From)), true
	}
	c.source = string(data)
	c.greedy = strings.Contains(f.Shown, "opencode")
	var head matter.Fields
	if kind == ".toml" {
		text, err := table(c.From, phrase.Clean(c.source))
		if err != nil {
			return c.flawed(err), true
		}
		head, c.Body, c.braced = matter.Fields{"description": {text["description"]}}, text["prompt"], true
	} else {
		if err := matter.Flaw(c.From, data); err != nil {
			return c.flawed(err), true
		}
		head, c.Body = matter.Split(data)
	}
	c.headed(head)
	return c.full("prompt"), true
}

// full is the command, or one with a flaw where it has no text.
func (c Command) full(field string) Command {
	if strings.TrimSpace(c.Body) != "" {
		return c
	}
	return c.flawed(matter.Lacking(c.From, field))
}

func (c Command) flawed(err error) Command {
	return Command{Name: c.Name, From: c.From, Own: c.Own, Flaw: err}
}

// headed is what a head says of a command.
func (c *Command) headed(head matter.Fields) {
	c.About = phrase.OneLine(head.Text("description"), longestAbout)
	if c.About == "" {
		first, _, _ := strings.Cut(strings.TrimLeft(c.Body, "# \n"), "\n")
		c.About = phrase.OneLine(first, longestAbout)
	}
	c.Names = head.Items("arguments")
	if c.Takes = phrase.OneLine(head.Text("argument-hint"), longestAbout); c.Takes == "" && len(c.Names) > 0 {
		c.Takes = phrase.OneLine("["+strings.Join(c.Names, "] [")+"]", longestAbout)
	}
	c.Model, c.Tools = head.Text("model"), head.Tools()
	c.Left = head.Said(unheeded...)
}

// Listed are the commands that stand in a settings file, in a table by their names.
func Listed(data []byte, from string, own bool) (list []Command) {
	var doc struct {
		Command map[string]map[string]json.RawMessage `json:"command"`
	}
	if json.Unmarshal(matter.Plain(data), &doc) != nil {
		return nil
	}
	for _, name := range slices.Sorted(maps.Keys(doc.Command)) {
		head := matter.Fields{}
		for field, raw := range doc.Command[name] {
			var text string
			if json.Unmarshal(raw, &text) != nil {
				text = string(raw)
			}
			head[strings.ToLower(field)] = []string{text}
		}
		c := Command{Name: strings.ToLower(name), From: from, Own: own, Body: phrase.Clean(head.Text("template")), greedy: true}
		source, _ := json.Marshal(doc.Command[name]) // it was JSON
		c.source = string(source)
		if c.headed(head); named(c.Name) && len(list) < mostCommands {
			list = append(list, c.full("command."+name+".template"))
		}
	}
	return list
}

//go:noinline
func named(name string) bool { return matter.Named(name, longestName, "-_.:") }

// Source is the whole file.
func (c Command) Source() string { return c.source }

// Runs reports whether it has programs run.
func (c Command) Runs() bool {
	return slices.ContainsFunc(c.slots(c.Body, nil, true), func(s slot) bool { return s.kind == program })
}

// Quotes of texts, the longer before those that they begin with, and what stands for other signs within the double ones.
var (
	quotes  = []string{`"""`, "'''", `"`, "'"}
	escaped = strings.NewReplacer("\\\\", "\\", `\"`, `"`, `\n`, "\n", `\t`, "\t", `\r`, "", "\\\n", "")
)

// table reads the texts of a TOML file's top. What is none is an error.
func table(file, text string) (found map[string]string, err error) {
	found = map[string]string{}
	for whole := text; text != ""; {
		at := 1 + strings.Count(whole[:len(whole)-len(text)], "\n")
		line, rest, _ := strings.Cut(text, "\n")
		key, value, ok := strings.Cut(line, "=")
		key, value = strings.TrimSpace(key), strings.TrimSpace(value)
		if strings.HasPrefix(key, "[") {
			return found, nil
		}
		if !ok && key != "" && unicode.IsLetter(rune(key[0])) {
			return nil, matter.Unnamed(file, at, "=")
		}
		of := slices.IndexFunc(quotes, func(q string) bool { return strings.HasPrefix(value, q) })
		if text = rest; !ok || strings.HasPrefix(key, "#") || of < 0 {
			continue
		}
		q := quotes[of]
		inner := strings.TrimPrefix(value, q)
		if len(q) == 3 {
			inner += "\n" + rest
		}
		n := ending(inner, q)
		if n == len(inner) {
			return nil, matter.Unclosed(file, at)
		}
		if len(q) == 3 {
			_, text, _ = strings.Cut(inner[n+len(q):], "\n")
		}
		if inner = strings.TrimPrefix(inner[:n], "\n"); q[0] == '"' {
			inner = escaped.Replace(inner)
		}
		found[strings.Trim(key, `"'`)] = inner
	}
	return found, nil
}

// ending is where a text ends that a quote began.
func ending(text, quote string) int {
	for i := 0; i < len(text); i++ {
		switch {
		case text[i] == '\\' && quote[0] == '"':
			i++
		case strings.HasPrefix(text[i:], quote):
			return i
		}
	}
	return len(text)
}
