package gate

import (
	"slices"
	"strings"

	"nebula/internal/lazy"
)

// Writes reports whether a command line may change a file that it names and that fits: it writes to it by its name, or it names it and
// changes files, or is code that does. What holds takes a folder or a pattern of the line's that it takes away or moves, whole. What a program
// of its own does with a name is not known beforehand, nor held against it.
func Writes(line string, fits, holds func(path string) bool) bool {
	r := read(line)
	if slices.ContainsFunc(r.wrote, func(w string) bool { return slices.ContainsFunc(braced(w), fits) }) || slices.ContainsFunc(r.gone(), holds) {
		return true
	}
	if !codeWrites().MatchString(line) && !slices.ContainsFunc(r.found, func(d Danger) bool { return d == Alters || d == Destroys || d == Empties }) {
		return false
	}
	return slices.ContainsFunc(strings.FieldsFunc(line, func(c rune) bool { return strings.ContainsRune(" \t\n'\"`=<>|&;:,(){}", c) }), fits)
}

// codeWrites is how code that stands in a line itself changes files.
var codeWrites = lazy.Regexp(`\bopen\s*\([^)]*,\s*(?:mode\s*=\s*)?['"][rb]*[wax+]|\.(?:write_text|write_bytes|unlink|rename|replace|touch)\s*\(|\bos\.(?:remove|unlink|rename|truncate)|\bshutil\.|` +
	`\b(?:writeFile|appendFile|unlink|rm|rename|copyFile|truncate)(?:Sync)?\s*\(|\bFile\.(?:write|delete|rename|open)|\b(?:perl|ruby)\b[^;|&]*?\s-[a-z]*i`)

// gone are what the programs of a line take away or move.
func (r *reading) gone() (list []string) {
	for _, c := range r.calls {
		name, args := base(c.name), texts(c.args)
		if files, ok := deleted(name, args); ok && name != "find" {
			list = append(list, files...)
		}
		name, words := spoken(name, args)
		switch {
		case name == "git" && len(words) > 2 && words[0] == "mv":
			list = append(list, words[1:len(words)-1]...)
		case name == "mv" && len(words) > 1:
			list = append(list, words[:len(words)-1]...)
		case name == "git" && len(words) > 0 && words[0] == "clean":
			list = append(list, append(slices.Clone(words[1:]), ".")[0])
		}
	}
	return list
}
