package tool

import (
	"context"
	"encoding/json"
	"path"
	"slices"
	"strings"

	"nebula"
	"nebula/internal/lists"
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
	"TodoWrite":       {"checklist"},
	"WebFetch":        {"fetch"},
	"Task":            {"delegate"},
	"AskUserQuestion": {"askUser"},
	"ExitPlanMode":    {"proposePlan"},
}

// preferred are the names under which a tool is known best elsewhere, where there are several.
var preferred = []string{"Bash", "Read", "Write", "Edit", "Glob", "Grep", "Skill"}

// Elsewhere are the names that other programs have for one of the tools, the best known first, and its own.
func Elsewhere(name string) []string {
	var names []string
	for other, here := range foreign {
		if lists.Has(here, name) {
			names = append(names, other)
		}
	}
	place := func(n string) int {
		if at := slices.Index(preferred, n); at >= 0 {
			return at
		}
		return len(preferred)
	}
	lists.Sort(names, func(a, b string) int {
		if d := place(a) - place(b); d != 0 {
			return d
		}
		return strings.Compare(a, b)
	})
	return append(names, name)
}

// Fits reports whether a proposal is of one of the tools that a skill or a command says it needs: by a name of this program
// or another, and with what may stand in brackets behind it, as in Bash(git add:*) or Edit(docs/**); and of none behind an exclamation mark.
func Fits(needs []string, p nebula.Proposal) bool {
	names := Elsewhere(p.Action.Tool)
	not := slices.ContainsFunc(needs, func(need string) bool {
		name, ok := strings.CutPrefix(need, "!")
		return ok && slices.ContainsFunc(names, func(n string) bool { return strings.EqualFold(n, name) })
	})
	return !not && slices.ContainsFunc(needs, func(need string) bool {
		name, inner, within := strings.Cut(strings.TrimSuffix(need, ")"), "(")
		if need != "*" && !slices.ContainsFunc(names, func(n string) bool { return strings.EqualFold(n, name) }) {
			return false
		}
		return !within || inner == "*" || covers(inner, p)
	})
}

// Meant reports whether an action, whose tool has these names, is what a rule says, as in Bash(git *) or Edit(*.ts), and whether that
// is sure: a command of several, or a pattern that is not known here, may be.
func Meant(rule string, names []string, a nebula.Action) (is, sure bool) {
	name, inner, within := strings.Cut(strings.TrimSuffix(strings.TrimSpace(rule), ")"), "(")
	if !slices.ContainsFunc(names, func(n string) bool {
		same, err := path.Match(strings.ToLower(name), strings.ToLower(n))
		return same && err == nil
	}) {
		return false, true
	}
	var in struct{ Command, Path string }
	_ = json.Unmarshal(a.Args, &in) // what cannot be read is not sure
	switch {
	case !within || inner == "*" || covers(inner, nebula.Proposal{Action: a, Command: in.Command}):
		return true, true
	case in.Command != "":
		return strings.ContainsAny(in.Command, joins) || strings.Contains(strings.TrimSuffix(inner, "*"), "*"), false
	case in.Path == "" || strings.Contains(inner, "**") || strings.HasPrefix(inner, "/") || strings.HasPrefix(inner, "~"):
		return true, false
	}
	file := in.Path
	if !strings.Contains(inner, "/") {
		file = path.Base(file)
	}
	is, err := path.Match(strings.TrimPrefix(inner, "./"), file)
	return is || err != nil, err == nil
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
		return strings.HasPrefix(in.Path, below) && !lists.Has(strings.Split(in.Path, "/"), "..")
	}
	return in.Path == pattern
}

// Only are those of the tools that needs name, as in [Fits], without those that a second list names; all of them where needs
// is nil. One that is named with something in brackets does nothing else.
func Only(tools []nebula.Tool, needs, without []string) (list []nebula.Tool) {
	bare := func(names []string) (out []string) {
		for _, n := range names {
			name, _, _ := strings.Cut(n, "(")
			out = append(out, strings.TrimSpace(name))
		}
		return out
	}
	for _, t := range tools {
		p := nebula.Proposal{Action: nebula.Action{Tool: t.Spec().Name}}
		switch {
		case needs != nil && !Fits(bare(needs), p), Fits(without, p):
		case needs == nil || Fits(needs, p):
			list = append(list, t)
		default:
			list = append(list, within{t, needs})
		}
	}
	return list
}

// within is a tool that does only what a list of needs names.
type within struct {
	nebula.Tool
	needs []string
}

// Propose implements nebula.Tool.
func (t within) Propose(ctx context.Context, a nebula.Action, v nebula.View) (nebula.Proposal, error) {
	p, err := t.Tool.Propose(ctx, a, v)
	if err != nil {
		return p, err
	}
	asked := p
	asked.Action.Tool = t.Spec().Name
	if !Fits(t.needs, asked) {
		return nebula.Proposal{}, nebula.Wrong("", "That is not among what you may do here.").Then("You have: %s.", strings.Join(t.needs, ", "))
	}
	return p, nil
}
