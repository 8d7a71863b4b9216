package protocol

import (
	"slices"
	"strings"

	"nebula"
	"nebula/internal/lists"
	"nebula/internal/phrase"
)

// Settle is the last step of every decoder, and the one place that decides how sure a reading is. A decoder attaches to
// every action the rows that its reading needed ([nebula.Action.Repairs]) and the exact span where the reply says it;
// from these, and from where in the reply the action stands, Settle decides: plain, asked about (Inferred), or sent back
// (Problem). holders are the spans that hold several actions, such as a document: what stands around an action that one
// of them holds is what stands around the holder.
//
// An intent whose Dialect is set is in a language that was not taught.
func Settle(r nebula.Reply, in *nebula.Intent, holders ...nebula.Span) {
	s := settler{reply: r, in: in, ear: newEar(in.Actions...)}
	s.once()
	s.stopped()
	s.place(holders)
	s.account()
	for i := range in.Actions {
		s.action(&in.Actions[i])
	}
	s.problems()
	s.rate()
}

type settler struct {
	reply nebula.Reply
	in    *nebula.Intent
	ear   *ear
}

// CutProblem is the result of every action of a reply that was cut at the output limit.
const CutProblem = "the reply was cut at the output limit, so nothing of it was done. Write less in one reply: one action at a time, long contents in parts."

// FilteredProblem is the result of every action of a reply that the provider did not let end.
const FilteredProblem = "the provider cut the reply off, so nothing of it was done. Write it again, smaller or in other words."

// malformed is the finish reason of a reply whose model could not write the call that it began, and malformedProblem what is told of it.
const (
	malformed        = "malformed_call"
	malformedProblem = "the call was ill-formed and was not taken, so nothing of the reply was done. Call again, with the arguments that the tool takes."
)

// stopped lets nothing run of a reply that did not come to its end.
func (s *settler) stopped() {
	problem := nebula.Say(FilteredProblem)
	switch {
	case nebula.Ends(s.reply.Finish):
		return
	case s.reply.Finish != "content_filter" && s.reply.Finish != malformed && s.reply.Finish != "length":
		problem = nebula.Say("the server ended the reply as %q, which may not be its end, so nothing of it was done. Write it again.", s.reply.Finish)
	case s.reply.Finish == malformed:
		problem = nebula.Say(malformedProblem)
	case s.reply.Finish == "length":
		problem = nebula.Say(CutProblem)
		if text := written(s.reply); text != "" {
			problem = nebula.Say("%s It ends behind %s.", problem, phrase.Ending(text))
		}
	}
	for i := range s.in.Actions {
		s.in.Actions[i].Fail(problem)
	}
}

// written is what a reply came to write last: the arguments of its last call, or its text.
func written(r nebula.Reply) string {
	if calls := r.Calls(); len(calls) > 0 {
		return calls[len(calls)-1].Arguments
	}
	return strings.TrimSpace(r.Text())
}

// once drops what a reply says again directly behind itself, or in another form: nobody means an action twice without
// another in between. Native calls stay, as each wants its answer.
func (s *settler) once() {
	actions := s.in.Actions
	if len(actions) < 2 || len(s.reply.Calls()) > 0 {
		return
	}
	kept := actions[:1:1]
	for i := 1; i < len(actions); i++ {
		a := actions[i]
		again := slices.ContainsFunc(kept[max(0, len(kept)-repeats):], func(b nebula.Action) bool {
			return a.Tool == b.Tool && a.Problem == b.Problem && string(a.Args) == string(b.Args) &&
				(b.Src == kept[len(kept)-1].Src || formOf(a) != formOf(b))
		})
		if !again {
			kept = append(kept, a)
			continue
		}
		s.in.Repairs = append(s.in.Repairs, nebula.Repair{Name: "said_twice", Line: max(1, a.Src.Line)})
	}
	s.in.Actions = kept
}

// repeats is how many actions back one in another form can be the same.
const repeats = 16

// formOf is the form that an action is written in: the rows of forms that nobody taught.
//
//go:noinline
func formOf(a nebula.Action) string {
	for _, name := range a.Repairs {
		if row, _ := RowOf(name); row.Kind&(Foreign|Form) != 0 {
			return name
		}
	}
	return ""
}

// action decides about one action by its rows, and by those of the reply as a whole.
func (s *settler) action(a *nebula.Action) {
	a.Inferred = slices.ContainsFunc(a.Repairs, Guessed) || slices.ContainsFunc(s.in.Repairs, func(r nebula.Repair) bool {
		row, _ := RowOf(r.Name)
		return row.Kind&Whole != 0 && Guessed(r.Name)
	})
	if slices.ContainsFunc(a.Repairs, func(name string) bool { return Guessed(name) && !lists.Has(byWords, name) }) {
		a.Against, a.Waits = "", false // more than words
	}
	a.Confidence = sureness[s.strategy(*a)]
}

// strategy is the worst of an action's rows, and of those of the reply as a whole.
func (s *settler) strategy(a nebula.Action) nebula.Strategy {
	worst := 0
	for _, name := range a.Repairs {
		row, _ := RowOf(name)
		worst = max(worst, slices.Index(strategies, row.Strategy))
	}
	for _, r := range s.in.Repairs {
		if row, _ := RowOf(r.Name); row.Kind&Whole != 0 {
			worst = max(worst, slices.Index(strategies, row.Strategy))
		}
	}
	return strategies[worst]
}

// problems are told once: those of the actions, and that there is nothing at all.
func (s *settler) problems() {
	in := s.in
	told := map[nebula.Problem]bool{}
	for _, p := range in.Problems {
		told[nebula.Problem{Line: p.Line, Text: p.Text}] = true
	}
	for _, a := range in.Actions {
		p := nebula.Problem{Line: max(1, a.Src.Line), Text: a.Problem}
		if a.Problem != "" && !told[p] {
			told[p] = true
			in.Problems = append(in.Problems, p)
		}
	}
	if s.reply.Finish == malformed && len(in.Actions) == 0 {
		in.Problems = append(in.Problems, nebula.Problem{Line: 1, Text: malformedProblem})
	}
	if strings.TrimSpace(in.Say) == "" && len(in.Actions)+len(in.Questions)+len(in.Problems)+len(in.Errors) == 0 {
		in.Problems = append(in.Problems, nebula.Problem{Line: 1, Text: nothingSaid, Hint: "Act, or answer in words."})
	}
}

// strategies are in order from the best.
var strategies = []nebula.Strategy{nebula.Strict, nebula.Repaired, nebula.Inferred, nebula.Extracted}

// rate sets strategy and confidence: a reply is as sure as its least sure action.
func (s *settler) rate() {
	in := s.in
	worst := max(0, slices.Index(strategies, in.Strategy))
	if len(in.Repairs) > 0 {
		worst = max(worst, 1)
	}
	for _, a := range in.Actions {
		worst = max(worst, slices.Index(strategies, s.strategy(a)))
	}
	for _, r := range in.Repairs {
		if row, _ := RowOf(r.Name); len(in.Actions) == 0 {
			worst = max(worst, slices.Index(strategies, row.Strategy))
		}
	}
	in.Strategy = strategies[worst]
	in.Confidence = sureness[in.Strategy]
}

// Needed attaches the rows that the reading of an action's arguments needed.
func Needed(a *nebula.Action, r Reading) {
	for _, repair := range r.Repairs {
		Need(a, repair.Name)
	}
	if len(r.Doubts) > 0 {
		Need(a, "json_doubtful_text")
	}
}

// Need attaches rows to an action.
//
//go:noinline
func Need(a *nebula.Action, names ...string) {
	for _, name := range names {
		if !lists.Has(a.Repairs, name) {
			a.Repairs = append(a.Repairs, name)
		}
	}
}
