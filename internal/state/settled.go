package state

import (
	"fmt"
	"slices"
	"strings"

	"nebula"
	"nebula/internal/lazy"
	"nebula/internal/lists"
	"nebula/internal/phrase"
)

// What the program itself writes into the items (Duckflow v3 §5.4): what the person decided, what the person's words demand, and
// what changed last. The model is not told of it beside the conversation, which says it anyway.

// settle writes down a decision of the person.
func (s *State) settle(format string, args ...any) {
	text, _ := Cut(fmt.Sprintf(phrase.In(s.Lang, format), args...), EntryLimit)
	s.Items.Acted = newest(s.Items.Acted, []string{text}, DecisionLog)
	s.Items.DecisionLog = append(lists.Clone(s.Items.DecisionLog), text)
	s.Items = s.Items.bounded()
}

// bounded keeps the newest decisions, as many of the model's as of the program's.
func (i Items) bounded() Items {
	kept, acted, told := []string{}, 0, 0
	for _, line := range slices.Backward(i.DecisionLog) {
		count := &told
		if lists.Has(i.Acted, line) {
			count = &acted
		}
		if *count++; *count <= DecisionLog {
			kept = append(kept, line)
		}
	}
	slices.Reverse(kept)
	i.DecisionLog = kept
	return i
}

// Own are those of some lines that the model wrote.
func Own(lines, program []string) []string {
	return lists.Drop(lists.Clone(lines), func(l string) bool { return lists.Has(program, l) })
}

// decided takes in what the person answered: to a question, or at the gate.
func (s *State) decided(b nebula.Answered, q *nebula.Question, p *nebula.Proposed) {
	switch {
	case b.By != nebula.Person:
	case q != nil && b.Answer == nebula.Told:
		s.settle("%s → %s", q.Text, b.Text)
	case q != nil || p == nil:
	case b.Answer == nebula.Always, b.Answer == nebula.Here:
		s.settle("allowed always: %s", p.Proposal.Summary)
	case b.Answer == nebula.Yes, b.Answer == nebula.Edits, b.Answer == nebula.Try:
		s.settle("allowed: %s", p.Proposal.Summary)
	case b.Answer == nebula.Some:
		s.settle("allowed: %s", p.Proposal.Summary+" ("+b.Text+")")
	case b.Text != "":
		s.settle("refused: %s (%s)", p.Proposal.Summary, b.Text)
	default:
		s.settle("refused: %s", p.Proposal.Summary)
	}
}

// chose takes in what the person decided of a plan.
func (s *State) chose(b nebula.Planned) {
	switch {
	case b.By == nebula.Person && b.Change == "approved":
		s.Agreed = b.Plan.ID
	case b.Plan.ID == s.Agreed && (b.Plan.Status == nebula.Draft || b.Plan.Approved != nebula.Person):
		s.Agreed = ""
	}
	change, step := b.Change.Split()
	if said, known := plans[change]; b.By == nebula.Person && known {
		s.settle(said, strings.Join(append([]string{b.Plan.Name}, step...), ": "))
	}
}

// plans are the decisions on plans, by the change that they are.
var plans = map[string]string{
	"approved": "approved: the plan %s", "paused": "paused: the plan %s", "resumed": "resumed: the plan %s", "cancelled": "cancelled: the plan %s",
	"steered": "steered: the plan %s", "skipped_step": "skipped in the plan %s", "retried_step": "retried in the plan %s",
}

// turned takes in that the step changed.
func (s *State) turned(b nebula.Moved) {
	if b.Refused == "" && b.From != b.To {
		s.Items.LastDelta = fmt.Sprintf("%s → %s (%s)", b.From, b.To, Cause(b.Cause, s.Lang))
	}
}

// gather takes the constraints out of what the person wrote: the clauses that forbid, restrict or oblige, without words that
// mark them as rules.
func (s *State) gather(text string) {
	var found []string
	for _, clause := range Obligations(text) {
		if !bounds(clause) {
			continue
		}
		line, _ := Cut(clause, EntryLimit)
		if !lists.Has(s.Items.Constraints, line) && !lists.Has(found, line) {
			found = append(found, line)
		}
	}
	if len(found) == 0 {
		return
	}
	s.Items.Heard = newest(s.Items.Heard, found, Constraints)
	s.Items.Constraints = append(Own(s.Items.Constraints, s.Items.Heard), s.Items.Heard...)
}

// limits are words that bound how something is to be done, in the middle of a request.
var limits = []string{" without ", " only ", " no ", " not ", " never ", " must ", "n't ", " at most ", " at least ", " keep ", " avoid ", " always ", " instead of ",
	"ずに", "ないで", "なしで", "だけ", "のみ", "禁止", "必ず", "ないこと", "ないように", "以内", "以下", "は使わ", "変更しない", "変えない", "触らない"}

// each is how something is asked for wherever it belongs: every function gets a docstring. Numbers are what happens: every request gets a 404.
var each = &lazy.Pattern{X: `(?i)^(?:and |also |- |\* )*(?:every|each|all)(?: [\w.-]+){1,4}? (?:gets? [^\d]*|(?:ha(?:s|ve)|is|are) to .*)[^?]$|(?:全て|すべて|どの|各)\S*には?も?\S*を?(?:付け|つけ|書い|用意し)`}

func bounds(clause string) bool {
	return holds(" "+strings.ToLower(clause)+" ", limits) || each.In(clause)
}
