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

// matches says what an "always" would allow; empty where it would allow nothing that is not asked about anyway.
func matches(p nebula.Proposal, dangers []Danger, lang string) string {
	about := targets(p)
	switch {
	case p.Effect == nebula.Memory, p.Action.Inferred, guessed(dangers) != "", slices.Contains(dangers, Unconfined), p.Effect == nebula.Write && (atStake(dangers) != "" || slices.Contains(dangers, AtBuild)):
		return ""
	case p.Command != "":
		return fmt.Sprintf(phrase.In(lang, "always = exactly this command, until nebula ends: %s"), p.Command)
	case about == "":
		return ""
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

// ways are what could be done instead, by what is dangerous about a proposal or else by what it is. %s is what it is
// about.
var ways = []struct {
	danger Danger
	effect nebula.Effect
	kind   string // of a target
	en     string
}{
	{danger: FilledIn, en: "have %s written out in full, or only the passage that changes"},
	{danger: Marked, en: "have the edit of %s written anew, without its marks in the text"},
	{danger: Part, en: "have only the passage of %s replaced that changes"},
	{danger: Undressed, en: "have %s given as plain text, with nothing around it"},
	{danger: Empties, en: "keep %s, and change only what must go"},
	{danger: Secret, en: "put the value into %s yourself, and tell the model only its name"},
	{danger: Steers, en: "change %s yourself: other tools follow it"},
	{danger: AtBuild, en: "change %s yourself: what stands in it runs when the project is built or tested"},
	{danger: Destroys, en: "first have listed what would be lost by: %s"},
	{danger: Publishes, en: "look at it here first, and publish it yourself: %s"},
	{danger: Privileged, en: "do this one yourself in a terminal: %s"},
	{danger: Outside, en: "stay inside the folder, with a copy of what is needed: %s"},
	{danger: Network, en: "do without the network, or fetch it yourself: %s"},
	{danger: Unclear, en: "have the commands written out one by one: %s"},
	{danger: RunsCode, en: "have the code shown first that would run: %s"},
	{effect: nebula.Write, kind: "delete", en: "keep %s, or move it aside"},
	{effect: nebula.Write, kind: "create", en: "do without a new file, in one that is there: %s"},
	{effect: nebula.Write, kind: "edit", en: "leave %s as it is, or say which lines may change"},
	{effect: nebula.Execute, en: "write another command in its place: %s"},
	{effect: nebula.Memory, en: "say it again when it is needed, instead of having it kept"},
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
	for _, w := range ways {
		kind := w.kind == "" || slices.ContainsFunc(p.Targets, func(t nebula.Target) bool { return t.Kind == w.kind })
		if fits := w.danger != "" && slices.Contains(dangers, w.danger) || w.danger == "" && w.effect == p.Effect && kind; !fits || len(out) == 2 {
			continue
		}
		text := phrase.In(lang, w.en)
		if strings.Contains(text, "%s") {
			text = fmt.Sprintf(text, about)
		}
		out = append(out, text)
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
	for _, d := range dangers {
		if d == Destroys || d == Outside || d == Network || d == Publishes || d == Privileged {
			return phrase.In(lang, "what it does outside the folder's files cannot be undone")
		}
	}
	return phrase.In(lang, "changes to the folder's files can be undone")
}
