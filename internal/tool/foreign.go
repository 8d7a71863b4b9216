package tool

import (
	"encoding/json"
	"slices"
	"strings"

	"nebula"
)

// foreign are the tools of other programs by the names that people write in their skills, commands and hooks, and what they
// are here.
var foreign = map[string][]string{
	"Bash":            {"executeShell", "runTests"},
	"Shell":           {"executeShell", "runTests"},
	"Read":            {"readFile"},
	"NotebookRead":    {"readFile"},
	"Write":           {"writeFile", "editFile"},
	"Edit":            {"editFile", "patchFile"},
	"MultiEdit":       {"patchFile"},
	"Delete":          {"deleteFile"},
	"Glob":            {"list"},
	"LS":              {"list"},
	"Grep":            {"searchInDirectory", "searchCode"},
	"Skill":           {"useSkill"},
	"SlashCommand":    {"useSkill"},
	"TodoWrite":       {"updateState"},
	"AskUserQuestion": {"askUser"},
	"ExitPlanMode":    {"proposePlan"},
}

// preferred are the names under which a tool is known best elsewhere, where there are several.
var preferred = []string{"Bash", "Read", "Write", "Edit", "Glob", "Grep", "Skill"}

// Elsewhere are the names that other programs have for one of the tools, the best known first, and its own.
func Elsewhere(name string) []string {
	var names []string
	for other, here := range foreign {
		if slices.Contains(here, name) {
			names = append(names, other)
		}
	}
	place := func(n string) int {
		if at := slices.Index(preferred, n); at >= 0 {
			return at
		}
		return len(preferred)
	}
	slices.SortFunc(names, func(a, b string) int {
		if d := place(a) - place(b); d != 0 {
			return d
		}
		return strings.Compare(a, b)
	})
	return append(names, name)
}

// Fits reports whether a proposal is of one of the tools that a skill or a command says it needs: by a name of this program
// or another, and with what may stand in brackets behind it, as in Bash(git add:*) or Edit(docs/**).
func Fits(needs []string, p nebula.Proposal) bool {
	names := Elsewhere(p.Action.Tool)
	return slices.ContainsFunc(needs, func(need string) bool {
		name, inner, within := strings.Cut(strings.TrimSuffix(need, ")"), "(")
		if need != "*" && !slices.ContainsFunc(names, func(n string) bool { return strings.EqualFold(n, name) }) {
			return false
		}
		return !within || inner == "*" || covers(inner, p)
	})
}

// joins are what makes two commands of one line, or runs one within another: none of it is covered by a first word.
const joins = "|&;<>`$\n("

// covers reports whether what a proposal works on is within a pattern: a command that begins with its words, or a path.
func covers(pattern string, p nebula.Proposal) bool {
	if line := p.Line(); line != "" {
		prefix, open := strings.CutSuffix(pattern, ":*")
		if !open {
			prefix, open = strings.CutSuffix(pattern, "*")
			prefix = strings.TrimRight(prefix, " ")
		}
		rest, ok := strings.CutPrefix(line, prefix)
		return ok && (rest == "" || open && rest[0] == ' ' && !strings.ContainsAny(rest, joins))
	}
	var in struct{ Path string }
	if json.Unmarshal(p.Action.Args, &in) != nil {
		return false
	}
	if below, ok := strings.CutSuffix(strings.TrimPrefix(pattern, "./"), "**"); ok {
		return strings.HasPrefix(in.Path, below) && !slices.Contains(strings.Split(in.Path, "/"), "..")
	}
	return in.Path == pattern
}
