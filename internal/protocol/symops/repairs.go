package symops

import (
	"math"
	"slices"

	"nebula"
	"nebula/internal/protocol"
)

// guess is how sure a guessed action can be at most.
const guess = 0.3

// inferring reports whether a repair guesses what was meant, so that the action must be asked for.
func inferring(name string) bool { return protocol.Guessed(name) }

// rank orders strategies from the best.
func rank(s nebula.Strategy) int {
	return slices.Index([]nebula.Strategy{nebula.Strict, nebula.Repaired, nebula.Inferred, nebula.Extracted}, s)
}

// grade sets strategy and confidence: an action is as sure as the repairs in its lines leave it, a reply as its least
// sure action.
func (b *builder) grade() {
	d := b.doc
	d.Strategy, d.Confidence = nebula.Strict, 1
	whole := 1.0
	for _, r := range d.Repairs {
		rule, _ := protocol.RowOf(r.Name)
		if rank(rule.Strategy) > rank(d.Strategy) {
			d.Strategy = rule.Strategy
		}
		if general(r.Name) {
			whole *= 1 - rule.Doubt
		}
		d.Confidence *= 1 - rule.Doubt
	}
	if len(d.Actions) > 0 {
		d.Confidence = whole
	}
	if slices.ContainsFunc(d.Repairs, func(r nebula.Repair) bool { return general(r.Name) && inferring(r.Name) }) {
		for i := range d.Actions {
			d.Actions[i].Inferred = true
		}
	}
	next := 0
	for i := range d.Actions {
		next = b.gradeAction(&d.Actions[i], whole, next)
		d.Confidence = min(d.Confidence, d.Actions[i].Confidence)
	}
	d.Confidence = round(d.Confidence * math.Pow(0.9, float64(min(len(d.Problems), 5))))
	if len(d.Actions) > 0 && d.Strategy != nebula.Extracted && slices.ContainsFunc(d.Actions, func(a Action) bool { return a.Inferred }) {
		d.Strategy = nebula.Inferred
	}
}

// general reports whether a repair concerns the reply as a whole.
func general(name string) bool {
	row, _ := protocol.RowOf(name)
	return row.Kind&protocol.Whole != 0
}

// gradeAction weighs the repairs in an action's lines; from is the first repair that can be in them.
func (b *builder) gradeAction(a *Action, whole float64, from int) int {
	a.Confidence = whole
	last := a.Src.Line + b.height(a)
	for ; from < len(b.doc.Repairs) && b.doc.Repairs[from].Line < a.Src.Line; from++ {
	}
	for _, r := range b.doc.Repairs[from:] {
		if r.Line > last {
			break
		}
		row, _ := protocol.RowOf(r.Name)
		if !general(r.Name) {
			a.Confidence *= 1 - row.Doubt
		}
		if !slices.Contains(a.repairs, r.Name) {
			a.repairs = append(a.repairs, r.Name)
		}
		if r.Name == "delimiter_length" || r.Name == "prose_closes_block" {
			a.Inferred = true
		}
	}
	if a.Inferred || a.Truncated {
		a.Confidence = min(a.Confidence, 1-guess)
	}
	a.Confidence = round(max(a.Confidence, 0.1))
	return from
}

func round(f float64) float64 { return math.Round(f*100) / 100 }
