package protocol

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"nebula"
	"nebula/internal/lists"
	"nebula/internal/phrase"
)

// Aliases are short names for files, for models to write {{F:name}} in place of a long path (DML §3 B). A name is the
// file's without its extension; of files that would share one, later ones get _2, _3 and so on. Which file has which
// name depends only on the order in which they were added, and never changes. The zero value is empty and ready; the
// session's owner is the only one to change it.
type Aliases struct {
	order []string
	name  map[string]string // by path
	path  map[string]string // by name
}

// Add gives a file its name, or returns the one it has. Paths are relative to the folder, with slashes.
func (a *Aliases) Add(file string) string {
	if name, ok := a.name[file]; ok {
		return name
	}
	if a.name == nil {
		a.name, a.path = map[string]string{}, map[string]string{}
	}
	base := Short(file)
	name := base
	for n := 2; a.path[name] != ""; n++ {
		name = fmt.Sprintf("%s_%d", base, n)
	}
	a.name[file], a.path[name] = name, file
	a.order = append(a.order, file)
	return name
}

// Short is the short name that a file would have where no other has it.
func Short(file string) string {
	base := path.Base(file)
	if stem := strings.TrimSuffix(base, path.Ext(base)); stem != "" {
		base = stem
	}
	base = strings.Map(func(r rune) rune {
		if r == '_' || r == '-' || unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) {
			return r
		}
		return '_'
	}, strings.TrimLeft(base, "."))
	if base == "" {
		return "file"
	}
	return base
}

// Files are the files that have a name, in the order in which they got it.
func (a *Aliases) Files() []string { return slices.Clone(a.order) }

// Name is a file's name, empty when it has none.
func (a *Aliases) Name(file string) string { return a.name[file] }

// Path is the file that a name stands for.
func (a *Aliases) Path(name string) (file string, ok bool) {
	file, ok = a.path[name]
	return file, ok
}

// Expand replaces references in an action's arguments by the files they stand for: everywhere but in file contents,
// which stay what they are. A name that no file has yet stands for the one
// that would have it, as find tells, which may be nil. A name that stands for no
// file is a problem, told with the nearest names.
func (a *Aliases) Expand(args json.RawMessage, spec nebula.ToolSpec, find func(name string) []string) (expanded json.RawMessage, problem string) {
	if !bytes.Contains(args, []byte("{{")) {
		return args, ""
	}
	fields, err := objectFields(args)
	if err != nil {
		return args, ""
	}
	var out bytes.Buffer
	for _, f := range fields {
		value := f.value
		if command := spec.Effect == nebula.Execute; command || !isPayload(f.key, spec) {
			e := expansion{aliases: a, find: find, shell: command, reference: regexp.MustCompile(referenceForm)}
			if value = e.value(value); e.problem != "" {
				return args, e.problem
			}
		}
		appendField(&out, f.key, value)
	}
	if out.Len() == 0 {
		return args, ""
	}
	out.WriteByte('}')
	return out.Bytes(), ""
}

//go:noinline
func isPayload(name string, spec nebula.ToolSpec) bool {
	return slices.ContainsFunc(spec.Params, func(p nebula.Param) bool { return p.Name == name && p.Payload })
}

// referenceForm is {{F:name}}, with blanks where models put them.
const referenceForm = `\{\{\s*[Ff]\s*:\s*([^{}\s]+)\s*\}\}`

type expansion struct {
	aliases   *Aliases
	find      func(name string) []string
	reference *regexp.Regexp
	shell     bool
	text      string // in which the references stand
	problem   string
}

// value expands the strings in a value.
func (e *expansion) value(v json.RawMessage) json.RawMessage {
	switch v[0] {
	case '"':
		var s string
		if json.Unmarshal(v, &s) != nil || !e.reference.MatchString(s) {
			return v
		}
		e.text = s
		return Quote(e.reference.ReplaceAllStringFunc(s, e.file))
	case '[':
		var items []json.RawMessage
		if json.Unmarshal(v, &items) != nil {
			return v
		}
		for i := range items {
			items[i] = e.value(items[i])
		}
		return lists.Concat([]byte("["), bytes.Join(rawBytes(items), []byte(",")), []byte("]"))
	}
	return v
}

func rawBytes(items []json.RawMessage) [][]byte {
	out := make([][]byte, len(items))
	for i, item := range items {
		out[i] = item
	}
	return out
}

func (e *expansion) file(reference string) string {
	name := e.reference.FindStringSubmatch(reference)[1]
	file, problem := e.aliases.known(name, e.find)
	if problem != "" {
		e.problem = cmp.Or(e.problem, problem)
		return reference
	}
	if e.shell {
		return e.word(name, file)
	}
	return file
}

// word is a file in a command. A name in which a shell could read anything but letters and blanks stands in no command,
// and one with blanks in none that quotes: what a shell, or a shell within it, makes of the name would depend on where it
// stands.
func (e *expansion) word(name, file string) string {
	if strings.HasPrefix(file, "-") {
		file = "./" + file
	}
	known := !strings.ContainsFunc(file, func(r rune) bool {
		return !strings.ContainsRune("_-./@+ ", r) && !unicode.IsLetter(r) && !unicode.IsDigit(r)
	})
	quoted := phrase.Quote(file)
	switch {
	case known && !strings.Contains(file, " "):
		return file
	case known && !strings.ContainsAny(e.text, "'\"`\\$<"):
		return quoted
	case e.problem == "":
		e.problem = fmt.Sprintf("{{F:%s}} cannot stand in this command, as the path has to be quoted. Write the path itself, quoted for where it stands: outside of quotes %s", name, quoted)
	}
	return name
}

// known is the file that a name stands for, or what is wrong with it.
func (a *Aliases) known(name string, find func(name string) []string) (file, problem string) {
	if file, ok := a.Path(name); ok {
		return file, ""
	}
	if find == nil {
		return "", a.unknown(name)
	}
	files, numbered := find(name), false
	if base := strings.TrimSuffix(strings.TrimRight(name, "0123456789"), "_"); len(files) == 0 && base != name && base != "" {
		files, numbered = find(base), true // which of them has the number is told by who names them first
	}
	switch {
	case len(files) == 1 && !numbered:
		return files[0], ""
	case len(files) > 0:
		return "", fmt.Sprintf("{{F:%s}} could be %s. Write the path itself.", name, strings.Join(files[:min(5, len(files))], ", "))
	}
	return "", a.unknown(name)
}

func (a *Aliases) unknown(name string) string {
	names := make([]string, len(a.order))
	for i, file := range a.order {
		names[i] = a.name[file]
	}
	near := Nearest(name, names, 3)
	if len(near) == 0 {
		return fmt.Sprintf("{{F:%s}} stands for no file. Write the path itself.", Clip(name, 80))
	}
	for i, n := range near {
		near[i] = fmt.Sprintf("{{F:%s}} (%s)", n, a.path[n])
	}
	return fmt.Sprintf("{{F:%s}} stands for no file. Did you mean %s?", Clip(name, 80), strings.Join(near, " or "))
}
