package agent

import (
	"cmp"
	"fmt"
	"strings"

	"nebula"
	"nebula/internal/lists"
	"nebula/internal/phrase"
	"nebula/internal/state"
)

// askedAgain is how many characters of a request are said again.
const askedAgain = 1500

// parts asks once, where nobody is there to see what lacks, about the parts of the request that nothing that was done has to do with, by their
// own words. Empty where there is none, or what was done cannot be seen into. A step of a plan has its own acceptance instead.
func (s *Session) parts(in nebula.Intent) string {
	turn := s.state.Turn
	if !s.setup.Alone || strings.HasPrefix(s.state.Session, nebula.StepPrefix) || len(turn.Changed) == 0 || len(turn.Lacking) > 0 || turn.Unanswered || waits(s.decided(in)) {
		return ""
	}
	w := state.Work{Files: turn.Changed, Answer: in.Say}
	for _, l := range turn.Lines {
		switch s.effect(l.Tool) {
		case nebula.Read, nebula.Update, nebula.Ask:
		case nebula.Write, nebula.Execute:
			if l.Status == nebula.Done {
				w.Said += "\n" + strings.Join(phrase.Texts(l.Args), "\n")
			}
		default:
			return ""
		}
	}
	left := w.Untouched(turn.Asks)
	if len(left) == 0 {
		return ""
	}
	asked, _ := state.Cut(strings.Join(left, "\n- "), askedAgain)
	own := lists.Drop(lists.Clone(turn.Changed), func(p string) bool { return strings.HasPrefix(p, ".git/") }) // git's files are nobody's work
	return fmt.Sprintf(s.say(eachPart), asked, cmp.Or(named(own), ".git"))
}

// An account is what was said of the work after so many actions, before its parts were asked for.
type account struct {
	text    string
	actions int
}

// report is what a turn ends with: what was said last, below the report that was asked about where nothing was done since.
//
//go:noinline
func (s *Session) report(before *account) string {
	text := s.state.Turn.Text
	if before == nil || before.text == "" || before.text == text || before.actions != len(s.state.Turn.Lines) {
		return text
	}
	return before.text + "\n\n" + text
}

// account is what was said by now, which what is asked about it may leave as it stands.
func (s *Session) account(before *account) *account {
	return &account{strings.TrimSpace(s.report(before)), len(s.state.Turn.Lines)}
}

// callless asks for the call that a reply ended as if it had.
func (s *Session) callless(t *tally) string {
	t.uncalled, t.parts = true, s.account(t.parts)
	return s.say(callsNothing)
}

// named are files in a line, so many that it can be read.
func named(paths []string) string {
	more := ""
	if n := len(paths) - staleShown; n > 0 {
		more = fmt.Sprintf(" +%d", n)
	}
	return strings.Join(paths[:min(len(paths), staleShown)], ", ") + more
}

// inPart says of a change that failed what of it was made: that stands.
func (s *Session) inPart(r *nebula.Result) {
	if len(r.Changes) == 0 {
		return
	}
	var made []string
	for _, c := range r.Changes {
		made = append(made, c.Name())
	}
	r.Text += "\n" + fmt.Sprintf(s.say(madeInPart), named(made))
	r.Summary = s.saying(nebula.Say("%s (before that, %s was changed, and that stands)", r.Summary, named(made)))
}
