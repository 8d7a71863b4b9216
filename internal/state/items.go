package state

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/graphemes"

	"nebula"
	"nebula/internal/lists"
	"nebula/internal/phrase"
)

// Limits of the items, in characters and entries (Duckflow v3 §5). Its two constraints of 100 characters, three steps and two
// questions lost what people ask for: there are more.
const (
	LineLimit     = 200 // goal, why_now, last_delta
	EntryLimit    = 200 // an entry of a list
	Constraints   = 20
	PlanSteps     = 10
	OpenQuestions = 10
	ContextRefs   = 20
	DecisionLog   = 20
)

// Items are the five fixed items and the fields beside them: what keeps the thread of a conversation.
type Items struct {
	Goal          string   `json:"goal"`
	WhyNow        string   `json:"why_now"`
	Constraints   []string `json:"constraints"`
	PlanBrief     []string `json:"plan_brief"`
	OpenQuestions []string `json:"open_questions"`
	ContextRefs   []string `json:"context_refs"`
	DecisionLog   []string `json:"decision_log"`
	PendingGate   bool     `json:"pending_gate"`
	LastDelta     string   `json:"last_delta"`
	Earlier       []string `json:"earlier_goals,omitempty"` // goals that others took the place of, the newest last

	Heard []string `json:"constraints_heard,omitempty"` // of the constraints, those that stand in the person's words alone
	Acted []string `json:"decided_by_person,omitempty"` // of the decisions, those that the program wrote
}

// Fit is a delta within the limits, and the names of the fields that had to be cut. What comes back is what is kept.
func Fit(d nebula.Delta) (fitted nebula.Delta, cuts []string) {
	line := func(name string, in *string) *string {
		if in == nil {
			return nil
		}
		out, cut := Cut(*in, LineLimit)
		if cut {
			cuts = append(cuts, name)
		}
		return &out
	}
	list := func(name string, in *[]string, most int) *[]string {
		if in == nil {
			return nil
		}
		out, cut := entries(*in, most)
		if cut {
			cuts = append(cuts, name)
		}
		return &out
	}
	fitted = nebula.Delta{
		Goal:          line("goal", d.Goal),
		WhyNow:        line("why_now", d.WhyNow),
		Constraints:   list("constraints", d.Constraints, Constraints),
		PlanBrief:     list("plan_brief", d.PlanBrief, PlanSteps),
		OpenQuestions: list("open_questions", d.OpenQuestions, OpenQuestions),
		ContextRefs:   list("context_refs", d.ContextRefs, ContextRefs),
	}
	if len(d.Decided) > 0 {
		fitted.Decided = *list("decided", &d.Decided, DecisionLog)
	}
	if d.Note != "" {
		fitted.Note = *line("note", &d.Note)
	}
	return fitted, cuts
}

func entries(in []string, most int) (out []string, cut bool) {
	out = []string{}
	for _, entry := range in {
		text, short := Cut(entry, EntryLimit)
		switch {
		case text == "":
		case len(out) == most:
			return out, true
		default:
			out = append(out, text)
			cut = cut || short
		}
	}
	return out, cut
}

// With is the items after a fitted delta.
func (i Items) With(d nebula.Delta) Items {
	set := func(to *string, from *string) {
		if from != nil {
			*to = *from
		}
	}
	union := func(to *[]string, from *[]string) {
		if from != nil {
			*to = *from
		}
	}
	if d.Goal != nil && i.Goal != "" && *d.Goal != i.Goal {
		i.Earlier = newest(i.Earlier, []string{i.Goal}, DecisionLog)
	}
	set(&i.Goal, d.Goal)
	set(&i.WhyNow, d.WhyNow)
	if d.Constraints != nil {
		i.Constraints = append(lists.Clone(*d.Constraints), Own(i.Heard, *d.Constraints)...)
	}
	union(&i.PlanBrief, d.PlanBrief)
	union(&i.OpenQuestions, d.OpenQuestions)
	union(&i.ContextRefs, d.ContextRefs)
	i.DecisionLog = append(lists.Clone(i.DecisionLog), d.Decided...)
	set(&i.LastDelta, nonEmpty(d.Note))
	return i.bounded()
}

//go:noinline
func newest(old, added []string, most int) []string {
	all := append(append([]string{}, old...), added...)
	if over := len(all) - most; over > 0 {
		all = all[over:]
	}
	return all
}

func nonEmpty(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// Check names what does not fit together in the items, in lang.
func (i Items) Check(step nebula.Step, lang string) []string {
	var wrong []string
	say := func(en string, of ...any) {
		wrong = append(wrong, fmt.Sprintf(phrase.In(lang, en), of...))
	}
	if i.Goal == "" && step == Execution {
		say("work is under way without a goal")
	}
	if i.Goal == "" && i.WhyNow != "" {
		say("a reason without a goal")
	}
	if step == Awaiting && !i.PendingGate {
		say("no gate is pending in %s", step)
	}
	if step == Done && len(i.OpenQuestions) > 0 {
		say("done with open questions")
	}
	if step == Done && len(i.PlanBrief) > 0 && i.Goal == "" {
		say("a plan without a goal")
	}
	return wrong
}

// mark stands where a text was cut.
const mark = "…"

// Cut is a text as one line of at most limit characters (grapheme clusters, as a reader counts them). What is too
// long ends at a word, with a mark; a cluster is never split.
func Cut(text string, limit int) (string, bool) {
	text = phrase.OneLine(text, 0)
	if utf8.RuneCountInString(text) <= limit {
		return text, false
	}
	count, end, word := 0, 0, 0
	g := graphemes.FromString(text)
	for g.Next() {
		if count == limit-1 {
			end = g.Start()
		}
		if count < limit && boundary(text, g.Start()) {
			word = g.Start()
		}
		if count++; count > limit {
			break
		}
	}
	if count <= limit {
		return text, false
	}
	if word > end {
		word = end
	}
	if word > end/2 {
		end = word
	}
	return strings.TrimRightFunc(text[:end], unicode.IsSpace) + mark, true
}

// boundary reports whether a word ends before at: at a space, or between two characters of a script without spaces.
func boundary(text string, at int) bool {
	before, _ := utf8.DecodeLastRuneInString(text[:at])
	after, _ := utf8.DecodeRuneInString(text[at:])
	return unicode.IsSpace(after) || unicode.IsSpace(before) || dense(before) && dense(after)
}

func dense(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai)
}
