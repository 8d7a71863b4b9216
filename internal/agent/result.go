package agent

import (
	"cmp"
	"errors"
	"strings"

	"nebula"
	"nebula/internal/phrase"
)

func result(a nebula.Action, status nebula.Status, text string) nebula.Result {
	summary, _, _ := strings.Cut(text, "\n")
	return nebula.Result{Action: a.ID, Call: a.Call, Tool: a.Tool, Status: status, Text: text, Summary: summary}
}

// mistaken is the result of an action that could not be done, the model's mistake or the world's fault alike. The person
// reads what was wrong in their language; the rest is for the model.
func (s *Session) mistaken(a nebula.Action, err error) nebula.Result {
	if m := (*nebula.Mistake)(nil); errors.As(err, &m) && s.effect(a.Tool) == nebula.Write && s.state.Stands(a) {
		again := nebula.Wrong("Nothing needs to be done.", "Already so: %q has new where %s stood.", aim(a), "old")
		again.Moot, err = true, again
	}
	r := result(a, nebula.Failed, err.Error())
	if api := (*nebula.APIError)(nil); errors.As(err, &api) {
		r.End = nebula.APIFailed
	}
	if m := (*nebula.Mistake)(nil); errors.As(err, &m) {
		if r.Text == m.Error() {
			r.Text = phrase.Mistaken(s.state.Lang, m)
		}
		if r.Again, r.Moot = m.Again, m.Moot; m.Moot {
			r.Status = nebula.Done // it is as it was to be
		}
		if m.Said.Format != "" {
			r.Summary, _, _ = strings.Cut(s.saying(m.Said), "\n")
		}
	} else if w := nebula.Speaker(nil); errors.As(err, &w) {
		r.Summary, _, _ = strings.Cut(s.saying(w.Words()), "\n")
	}
	return r
}

// unread is the result of an action that no tool takes. Why is for the model; in another language than English the person
// reads that it was so.
func (s *Session) unread(a nebula.Action) nebula.Result {
	r := result(a, nebula.Failed, s.saying(a.Amiss()))
	w := nebula.Say("%s could not be carried out as it was written; the model was told why", cmp.Or(a.Tool, "?"))
	if said := s.saying(w); said != w.String() {
		r.Summary = said
	}
	return r
}

// unallowed is the result of what the rules, or nobody there to ask, keep from running. A plan was not refused by that: it waits.
func (s *Session) unallowed(p nebula.Proposal, why string) nebula.Result {
	if p.Plan != "" {
		return result(p.Action, nebula.Denied, s.say(planWaits))
	}
	return s.denied(p.Action, why)
}

func (s *Session) denied(a nebula.Action, why string) nebula.Result {
	text := s.say(refused)
	if why != "" {
		text += ": " + why
	}
	return result(a, nebula.Denied, text)
}
