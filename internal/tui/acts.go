package tui

import (
	"nebula"
	"nebula/internal/terminal"
)

// acting folds what happens to actions.
func (v *view) acting(body nebula.Body) {
	switch b := body.(type) {
	case nebula.Proposed:
		v.proposed(b)
	case nebula.Asked:
		v.asked(b)
	case nebula.Answered:
		v.answered(b)
	case nebula.Began:
		if x := v.open[b.Action]; x != nil {
			x.action.running = true
			x.stale()
			v.phase = x.action.title()
		}
	case nebula.Finished:
		v.finished(b.Result)
	}
}

func (v *view) proposed(b nebula.Proposed) {
	if x := v.open[b.Proposal.Action.ID]; x != nil { // the person changed it
		x.action.proposal, x.action.verdict = b.Proposal, b.Verdict
		x.stale()
		return
	}
	v.flush()
	x := &block{kind: act, gap: len(v.blocks) == 0 || v.blocks[len(v.blocks)-1].kind != act,
		action: &action{proposal: b.Proposal, verdict: b.Verdict, points: b.Points}}
	v.open[b.Proposal.Action.ID] = v.add(x)
	v.phase = x.action.title()
}

func (v *view) asked(b nebula.Asked) {
	v.flush()
	v.ask, v.busy = &b, true
	if x := v.open[b.Action]; x != nil && b.Question == nil {
		x.action.asked = true
		x.stale()
	}
	if b.Question != nil {
		v.add(&block{kind: say, tone: warning, text: b.Question.Text, gap: true})
	}
}

func (v *view) answered(b nebula.Answered) {
	if v.beside.settled(b.Ask) {
		v.tellAnswer(b)
		return
	}
	if v.ask == nil || v.ask.Ask != b.Ask {
		return
	}
	if x := v.open[v.ask.Action]; x != nil {
		x.action.asked, x.action.why, x.action.instead = false, false, ""
		x.stale()
	}
	if b.Answer != nebula.Yes || b.By != "person" || b.Command != "" {
		v.tellAnswer(b)
	}
	v.ask = nil
}

// tellAnswer notes what was answered, and by whom where that was not the person.
func (v *view) tellAnswer(b nebula.Answered) {
	t, text := warning, v.words.Refused
	switch b.Answer {
	case nebula.Yes:
		t, text = good, v.words.Allowed
	case nebula.Always:
		t, text = good, v.words.AllowedAlways
	case nebula.Told:
		t, text = info, terminal.Visible(b.Text)
	}
	if b.Answer == nebula.No && b.Text != "" {
		text += ": " + terminal.OneRow(b.Text)
	}
	if b.Command != "" {
		text += ": " + terminal.OneRow(b.Command)
	}
	if b.By != "" && b.By != "person" {
		text += " (" + terminal.Visible(b.By) + ")"
	}
	v.note(t, "→ "+text)
}

func (v *view) finished(r nebula.Result) {
	x := v.open[r.Action]
	if x == nil {
		x = v.add(&block{kind: act, action: &action{proposal: nebula.Proposal{Action: nebula.Action{ID: r.Action, Tool: r.Tool}}}})
	}
	delete(v.open, r.Action)
	x.action.result, x.action.running, x.action.asked, x.action.output = &r, false, false, ""
	x.stale()
	v.phase = ""
}

func (v *view) takenBack(b nebula.Undone) {
	v.flush()
	for _, l := range terminal.Undone(b, v.words.Undo) {
		v.note(info, l)
	}
}

// merged is the fixed items after a change.
func merged(was, by nebula.Delta) nebula.Delta {
	set(&was.Goal, by.Goal)
	set(&was.WhyNow, by.WhyNow)
	set(&was.Constraints, by.Constraints)
	set(&was.PlanBrief, by.PlanBrief)
	set(&was.OpenQuestions, by.OpenQuestions)
	set(&was.ContextRefs, by.ContextRefs)
	was.Decided = append(was.Decided, by.Decided...)
	return was
}

func set[T any](to **T, from *T) {
	if from != nil {
		*to = from
	}
}
