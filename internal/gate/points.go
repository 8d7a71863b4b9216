package gate

import (
	"fmt"
	"slices"
	"strings"

	"nebula"
	"nebula/internal/phrase"
)

// Points are the five points a person decides on (Duckflow v3 §8.2): the diff is the proposal's own. Intent, rationale
// and alternatives are the model's where it gave them; the impact is computed.
func Points(p nebula.Proposal, dangers []Danger, lang string) nebula.Points {
	var said nebula.Points
	if p.Action.Points != nil {
		said = *p.Action.Points
	}
	points := nebula.Points{Intent: said.Intent, Rationale: said.Rationale, Alternatives: said.Alternatives}
	if points.Intent == "" {
		points.Intent = p.Summary
	}
	if points.Rationale == "" {
		points.Rationale = p.Action.Reason
	}
	points.Impact = append(impact(p, dangers, lang), matches(p, dangers, lang))
	if points.Impact[len(points.Impact)-1] == "" {
		points.Impact = points.Impact[:len(points.Impact)-1]
	}
	if len(points.Alternatives) == 0 {
		points.Alternatives = alternatives(p, dangers, lang)
	}
	return points
}

// Lasts reports whether an "always" would allow anything that is not asked about anyway: else it is not offered.
func Lasts(p nebula.Proposal, dangers []Danger) bool {
	switch {
	case p.Effect == nebula.Memory, p.Action.Inferred, guessed(dangers) != "", slices.Contains(dangers, Unconfined):
		return false
	case p.Effect == nebula.Write && (atStake(dangers) != "" || slices.Contains(dangers, AtBuild)):
		return false
	}
	return p.Command != "" || targets(p) != ""
}

// matches says what an "always" would allow; empty where it would allow nothing that is not asked about anyway.
func matches(p nebula.Proposal, dangers []Danger, lang string) string {
	about := targets(p)
	switch {
	case !Lasts(p, dangers):
		return ""
	case p.Command != "" && slices.ContainsFunc(dangers, nebula.Beside):
		return fmt.Sprintf(phrase.In(lang, "always = exactly this command with exactly these permissions, until nebula ends: %s"), p.Command)
	case p.Command != "":
		return fmt.Sprintf(phrase.In(lang, "always = exactly this command, until nebula ends: %s"), p.Command)
	case p.Effect == nebula.Write:
		return fmt.Sprintf(phrase.In(lang, "always = every further %s of %s until nebula ends, whatever it writes"), p.Action.Tool, about)
	}
	return fmt.Sprintf(phrase.In(lang, "always = every further %s of %s until nebula ends"), p.Action.Tool, about)
}

func targets(p nebula.Proposal) string {
	var paths []string
	for _, t := range p.Targets {
		if t.Kind != "mkdir" {
			paths = append(paths, t.Path)
		}
	}
	if len(paths) > 3 {
		return strings.Join(paths[:3], ", ") + fmt.Sprintf(" (+%d)", len(paths)-3)
	}
	return strings.Join(paths, ", ")
}

// ways are what could be done instead of what no danger has a better word for. %s is what it is about.
var ways = []struct {
	effect nebula.Effect
	kind   string // of a target
	en     string
}{
	{nebula.Write, "delete", "keep %s, or move it aside"},
	{nebula.Write, "create", "do without a new file, in one that is there: %s"},
	{nebula.Write, "edit", "leave %s as it is, or say which lines may change"},
	{nebula.Execute, "", "write another command in its place: %s"},
	{nebula.Memory, "", "say it again when it is needed, instead of having it kept"},
}

// alternatives are the two nearest other ways to what a proposal is for.
func alternatives(p nebula.Proposal, dangers []Danger, lang string) []string {
	about := targets(p)
	if p.Command != "" {
		about = "`" + p.Command + "`"
		if r := []rune(about); len(r) > 80 || strings.Contains(about, "\n") {
			first, _, _ := strings.Cut(string(r[:min(len(r), 78)]), "\n")
			about = first + "…`"
		}
	}
	var out []string
	for _, r := range rows {
		if r.instead != "" && slices.Contains(dangers, r.danger) {
			out = append(out, r.instead)
		}
	}
	for _, w := range ways {
		if w.effect == p.Effect && (w.kind == "" || slices.ContainsFunc(p.Targets, func(t nebula.Target) bool { return t.Kind == w.kind })) {
			out = append(out, w.en)
		}
	}
	out = out[:min(len(out), 2)]
	for i, en := range out {
		if out[i] = phrase.In(lang, en); strings.Contains(out[i], "%s") {
			out[i] = fmt.Sprintf(out[i], about)
		}
	}
	return out
}

// impact says what carrying a proposal out would do, in lines a person reads.
func impact(p nebula.Proposal, dangers []Danger, lang string) []string {
	var lines []string
	add, del := 0, 0
	counts := map[string]int{}
	for _, t := range p.Targets {
		add, del = add+t.Add, del+t.Del
		counts[t.Kind]++
	}
	for _, kind := range []struct{ kind, en string }{
		{"create", "creates %d file(s)"},
		{"edit", "changes %d file(s)"},
		{"delete", "deletes %d file(s)"},
		{"mkdir", "creates %d folder(s)"},
	} {
		if n := counts[kind.kind]; n > 0 {
			lines = append(lines, fmt.Sprintf(phrase.In(lang, kind.en), n))
		}
	}
	if add+del > 0 {
		lines = append(lines, fmt.Sprintf("+%d −%d", add, del))
	}
	if p.Effect == nebula.Memory {
		return append(lines, phrase.In(lang, "every later session reads it"), phrase.In(lang, "nebula memory shows and removes it"))
	}
	if p.Command != "" {
		lines = append(lines, phrase.In(lang, "runs: ")+p.Command)
	}
	for _, d := range dangers {
		lines = append(lines, Say(d, lang))
	}
	return append(append(lines, undoable(p, dangers, lang)), uncovered(p, lang)...)
}

// uncovered names what a command could change in the folder without that undo can take it back.
func uncovered(p nebula.Proposal, lang string) []string {
	if p.Bare == 0 {
		return nil
	}
	names := strings.Join(p.Uncovered, ", ")
	if more := p.Bare - len(p.Uncovered); more > 0 {
		names += fmt.Sprintf(phrase.In(lang, " and %d more"), more)
	}
	return []string{phrase.In(lang, "undo does not cover: ") + names}
}

func undoable(p nebula.Proposal, dangers []Danger, lang string) string {
	if p.Effect == nebula.Write {
		return phrase.In(lang, "can be undone")
	}
	if p.Blind {
		return phrase.In(lang, "undo does not cover what commands do here: this is no project's folder, it has too many files to be looked at, or its images cannot be kept")
	}
	if first(dangers, elsewhere) != "" {
		return phrase.In(lang, "what it does outside the folder's files cannot be undone")
	}
	return phrase.In(lang, "changes to the folder's files can be undone")
}
