package tool

import (
	"encoding/json"
	"net/url"
	"path"
	"slices"
	"strings"

	"nebula"
)

// Forbidden reports whether an action, whose tool has these names, is what a rule forbids that is not of files, as in WebFetch or Bash(npm test):
// a command where any of the commands of its line is, also behind what it is run by, as started tells, and where that does not know which it is.
func Forbidden(rule string, names []string, started func(line string) []string, a nebula.Action) bool {
	name, inner, within := strings.Cut(strings.TrimSuffix(strings.TrimSpace(rule), ")"), "(")
	if !slices.ContainsFunc(names, func(n string) bool {
		same, err := path.Match(strings.ToLower(name), strings.ToLower(n))
		return same && err == nil
	}) {
		return false
	}
	var in struct{ Command, URL, Agent string }
	_ = json.Unmarshal(a.Args, &in) // what cannot be read names nothing
	if !within || inner == "*" {
		return true
	}
	if host, ok := strings.CutPrefix(strings.ToLower(inner), "domain:"); ok {
		at, err := url.Parse(strings.TrimSpace(in.URL))
		name := ""
		if err == nil {
			name = "." + strings.TrimSuffix(strings.ToLower(at.Hostname()), ".")
		}
		return in.URL != "" && (name == "" || name == "." || strings.HasSuffix(name, "."+strings.TrimPrefix(host, "*.")))
	}
	if in.Command == "" {
		return in.Agent != "" && strings.EqualFold(strings.TrimPrefix(strings.TrimPrefix(in.Agent, "@"), "agent-"), inner)
	}
	parts := strings.FieldsFunc(in.Command, func(r rune) bool { return strings.ContainsRune(joins+")", r) })
	return slices.ContainsFunc(append(parts, started(in.Command)...), func(part string) bool {
		return strings.HasPrefix(part, "? ") || covers(inner, nebula.Proposal{Command: strings.TrimSpace(part)})
	})
}

// Names reports whether a rule that denies names what there is: a tool of other programs, one of a server's, or, in small letters, one of nebula's own.
func Names(rule string) bool {
	name, _, _ := strings.Cut(strings.TrimSpace(rule), "(")
	if name != "" && (name[0] >= 'a' && name[0] <= 'z' || name[0] == '*') || strings.EqualFold(name, "webSearch") {
		return true
	}
	for known := range foreign {
		if is, _ := path.Match(strings.ToLower(name), strings.ToLower(known)); is {
			return true
		}
	}
	return false
}
