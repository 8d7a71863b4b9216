package prompt

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"nebula"
	"nebula/internal/advice"
	"nebula/internal/lists"
	"nebula/internal/phrase"
	"nebula/internal/state"
)

// moment is what stands after the conversation: where the work is now, and the procedure for it where the model asked
// for one. It is empty as long as it would say nothing that the conversation does not. What is too long is cut in the
// fixed order: evidence, conversation summary, open questions, plan (Duckflow v3 §11).
func (b *Builder) moment(in Input, late []advice.File) (text string, costs []nebula.LayerCost, cuts []string) {
	s, lang := in.State, language(in.State.Lang)
	limits := b.Limits.defaults()
	parts := situation(in)
	around := b.around(in)
	if around == "" && b.Aliases {
		parts = append(parts, files(in.State))
	} else if around != "" {
		parts = lists.Drop(parts, func(p part) bool { return p.name == "plan" }) // stands around
	}
	if in.State.Pattern == "base_specialized" {
		parts = parts.only("evidence")
	}
	for _, cut := range cutOrder {
		for _, name := range cut {
			for b.count(parts.text(lang)) > limits.Main && parts.has(name) {
				parts = parts.shorter(name)
				if !lists.Has(cuts, cut[0]) {
					cuts = append(cuts, cut[0])
				}
			}
		}
	}
	text = parts.text(lang)
	if text != "" {
		costs = append(costs, nebula.LayerCost{Name: "situation", Tokens: b.count(text)})
	}
	if around != "" {
		costs = append(costs, nebula.LayerCost{Name: "surroundings", Tokens: b.count(around)})
		text += around
	}
	if told, cost := b.advice(late, lang); told != "" {
		costs = append(costs, cost...)
		text += told
	}
	if s.Pattern == "base_main_specialized" || s.Pattern == "base_specialized" {
		special := b.fit(b.own(in, procedure(s.Machine.Step)), limits.Specialized)
		if special != "" {
			costs = append(costs, nebula.LayerCost{Name: "specialized", Tokens: b.count(special)})
			text += special
		}
	}
	return text, costs, cuts
}

// cutOrder is what goes first when the situation is too long; the first name of each is the one that is reported.
var cutOrder = [][]string{{"evidence", "refs"}, {"summary", "decisions"}, {"questions"}, {"plan", "list"}, {"constraints"}}

func procedure(step nebula.Step) string {
	switch step {
	case state.Execution:
		return "execution"
	case state.Review, state.Done:
		return "review"
	}
	return "planning"
}

// A part is one heading of the situation with its lines.
type part struct {
	name  string
	label string
	lines []string
}

type parts []part

//go:noinline
func (p parts) has(name string) bool {
	return slices.ContainsFunc(p, func(q part) bool { return q.name == name && len(q.lines) > 0 })
}

//go:noinline
func (p parts) only(name string) parts {
	return lists.Drop(p, func(q part) bool { return q.name != name })
}

// shorter is the parts with one line less under a heading: the oldest of a summary, the last of everything else.
//
//go:noinline
func (p parts) shorter(name string) parts {
	out := lists.Clone(p)
	for i, q := range out {
		switch {
		case q.name != name || len(q.lines) == 0:
		case name == "summary":
			out[i].lines = q.lines[1:]
		default:
			out[i].lines = q.lines[:len(q.lines)-1]
		}
	}
	return out
}

// text is empty when no part has anything to say.
func (p parts) text(lang string) string {
	var b strings.Builder
	for _, q := range p {
		if len(q.lines) == 0 {
			continue
		}
		label := phrase.In(lang, q.label)
		if len(q.lines) == 1 {
			fmt.Fprintf(&b, "%s: %s\n", label, q.lines[0])
			continue
		}
		fmt.Fprintf(&b, "%s:\n- %s\n", label, strings.Join(q.lines, "\n- "))
	}
	if b.Len() == 0 {
		return ""
	}
	return phrase.In(lang, "[Where the work stands, from nebula; not from the person]\n") + b.String()
}

// situation gathers what is worth saying beside the conversation.
func situation(in Input) parts {
	s := in.State
	var p parts
	add := func(name, en string, lines ...string) {
		lines = lists.Drop(lists.Clone(lines), func(l string) bool { return strings.TrimSpace(l) == "" })
		p = append(p, part{name, en, lines})
	}
	i := s.Items
	if s.Informed { // who was never told of steps is not answered with their names
		add("step", "Step", fmt.Sprintf("%s %s", s.Machine.Step, s.Machine.Status))
	}
	if s.Told() {
		add("goal", "Goal", i.Goal)
		add("why", "Why now", i.WhyNow)
		add("constraints", "Constraints", state.Own(i.Constraints, i.Heard)...)
		add("plan", "Plan", i.PlanBrief...)
		add("questions", "Open questions", i.OpenQuestions...)
		add("refs", "References", i.ContextRefs...)
		add("decisions", "Decided", last(state.Own(i.DecisionLog, i.Acted), 5)...)
	}
	add("focus", "To be kept in view, as the person wants", s.Compact.Focus)
	if s.Compact.Dropped > 0 && s.Compact.Learned == "" {
		add("summary", "Earlier in this conversation", s.Compact.Summary...)
	}
	if s.Told() || s.Compact.Dropped > 0 {
		if s.Compact.Dropped > 0 || s.Compact.Elided > 0 { // else it stands in the conversation
			add("list", "Your checklist", boxes(s.List)...)
		}
		add("edits", "Changed and not checked since", last(s.Evidence.Unchecked, 10)...)
	}
	if t := s.Evidence.Tests; t != nil && !t.OK && (s.Told() || s.Compact.Dropped > 0) {
		add("tests", "Failing tests", fmt.Sprintf("%s: %s", t.Command, counts(*t)))
	}
	add("dialog", "Please", reminders(s)...)
	if in.Progress != "" {
		add("progress", "Plan", strings.Split(strings.TrimSpace(in.Progress), "\n")...)
	}
	if in.Jobs != "" {
		add("jobs", "In the background", strings.Split(strings.TrimSpace(in.Jobs), "\n")...)
	}
	if in.Evidence != "" {
		add("evidence", "May be relevant", strings.Split(strings.TrimSpace(in.Evidence), "\n")...)
	}
	return p
}

// boxes are the lines of a list, as the model writes them.
func boxes(list []nebula.Item) (lines []string) {
	signs := map[nebula.Stage]string{nebula.Completed: "[x] ", nebula.InProgress: "[>] "}
	for _, i := range list {
		lines = append(lines, cmp.Or(signs[i.Status], "[ ] ")+i.Text)
	}
	return lines
}

// counts are those of a run of tests that were counted.
func counts(t nebula.TestReport) string {
	if t.Failed < 0 || t.Passed < 0 {
		return "failed"
	}
	return fmt.Sprintf("%d failed, %d passed", t.Failed, t.Passed)
}

func last(list []string, n int) []string {
	if len(list) > n {
		return list[len(list)-n:]
	}
	return list
}

// reminders name the rules of dialogue that the last reply broke, and what a person who is stuck needs.
func reminders(s *state.State) []string {
	words := map[state.Lapse]string{
		state.ManyQuestions: "ask one question at a time, the one that decides most",
		state.FewOptions:    "offer options only where there are two real ones or more",
		state.NoSummary:     "close a long answer with a short summary and the next step",
		state.NoNudge:       "end with one line: the first small step",
	}
	lapses := s.Lapses
	if s.Stuck && !lists.Has(lapses, state.NoNudge) && s.Turn.Step == 0 {
		lapses = append(lists.Clone(lapses), state.NoNudge)
	}
	var lines []string
	if s.Turn.Turns && s.Turn.Step == 0 && s.Told() { // where the conversation says it all, nothing is to be noted, and no tool for it is offered
		lines = append(lines, phrase.In(s.Lang, "this is other work than noted: note why, plan and questions anew beside your first actions"))
	}
	for _, l := range lapses {
		lines = append(lines, phrase.In(s.Lang, words[l]))
	}
	return lines
}
