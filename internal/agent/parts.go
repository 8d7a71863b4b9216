package agent

import (
	"fmt"
	"strings"

	"nebula"
	"nebula/internal/state"
)

const (
	// manyActions is from how many actions on parts of a request are easily lost on the way.
	manyActions = 8
	// askedAgain is how many characters of a request are said again.
	askedAgain = 1500
)

// parts asks once, where nobody is there to see what lacks, whether each part of the request is done: of a turn that was
// long and changed something. Empty where that is not asked. A step of a plan has its own acceptance instead.
func (s *Session) parts(in nebula.Intent) string {
	turn := s.state.Turn
	if !s.setup.Alone || strings.HasPrefix(s.state.Session, nebula.StepPrefix) || len(turn.Lines) <= manyActions || len(turn.Changed) == 0 ||
		len(turn.Lacking) > 0 || turn.Unanswered || waits(s.decided(in)) {
		return ""
	}
	asked, _ := state.Cut(turn.Asks, askedAgain)
	return fmt.Sprintf(s.say(eachPart), asked, named(turn.Changed))
}

// An account is what was said of the work after so many actions, before its parts were asked for.
type account struct {
	text    string
	actions int
}

// report is what a turn ends with: what was said last, below the report that was asked about where nothing was done since.
func (s *Session) report(before *account) string {
	text := s.state.Turn.Text
	if before == nil || before.text == "" || before.text == text || before.actions != len(s.state.Turn.Lines) {
		return text
	}
	return before.text + "\n\n" + text
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
