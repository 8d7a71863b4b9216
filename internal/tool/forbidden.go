package tool

import (
	"encoding/json"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"nebula"
	"nebula/internal/lists"
)

// Forbidden reports whether an action in a folder, whose tool has these names, is what a rule forbids, as in Read(./.env), Edit(src/**) or Bash(rm:*):
// a command where any of the commands of its line is, also behind what it is run by, as started tells, what edits where writing is, and the
// other way round.
func Forbidden(rule string, names []string, dir string, started func(line string) []string, a nebula.Action) bool {
	name, inner, within := strings.Cut(strings.TrimSuffix(strings.TrimSpace(rule), ")"), "(")
	if name == "Edit" && lists.Has(names, "Write") {
		name = "Write"
	}
	if !slices.ContainsFunc(names, func(n string) bool {
		same, err := path.Match(strings.ToLower(name), strings.ToLower(n))
		return same && err == nil
	}) {
		return false
	}
	var in struct{ Command, Path string }
	_ = json.Unmarshal(a.Args, &in) // what cannot be read names nothing
	switch {
	case !within || inner == "*":
		return true
	case in.Command != "":
		parts := strings.FieldsFunc(in.Command, func(r rune) bool { return strings.ContainsRune(joins+")", r) })
		return slices.ContainsFunc(append(parts, started(in.Command)...), func(part string) bool {
			return covers(inner, nebula.Proposal{Command: strings.TrimSpace(part)})
		})
	case in.Path == "":
		return false
	}
	file := filepath.ToSlash(in.Path)
	if rel, err := filepath.Rel(dir, in.Path); filepath.IsAbs(in.Path) && err == nil {
		file = filepath.ToSlash(rel)
	}
	file = path.Clean(file)
	if !strings.Contains(inner, "/") {
		inner = "**/" + inner
	}
	inner, _ = strings.CutPrefix(inner, "./")
	inner, _ = strings.CutPrefix(inner, "/")
	return falls(strings.Split(inner, "/"), strings.Split(file, "/"))
}

// falls reports whether the parts of a path are those of a pattern, where ** stands for any number of them.
func falls(pattern, parts []string) bool {
	switch {
	case len(pattern) == 0:
		return len(parts) == 0
	case pattern[0] == "**":
		return falls(pattern[1:], parts) || len(parts) > 0 && falls(pattern, parts[1:])
	case len(parts) == 0:
		return false
	}
	is, err := path.Match(pattern[0], parts[0])
	return err == nil && is && falls(pattern[1:], parts[1:])
}
