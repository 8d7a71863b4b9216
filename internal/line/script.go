package line

import (
	"fmt"

	"nebula"
	"nebula/internal/phrase"
	"nebula/internal/terminal"

	uv "github.com/charmbracelet/ultraviolet"
)

// A script is typed by nobody: each of its lines is for what waits when it is read. So it is read when something waits,
// and what was asked has been written out by then.

// keys are what is typed; of a script, only when a line is wanted.
func (t *talk) keys() <-chan uv.Event {
	if t.options.Script && !t.wants() {
		return nil
	}
	return t.terminal.Events
}

// wants reports whether a script's next line is wanted.
func (t *talk) wants() bool {
	if t.due != "" || t.away > 0 || !t.lock.Begun() || t.ended && t.runs && t.asking == "" {
		return false
	}
	return t.asking != "" || t.pick != nil || t.link != nil && t.view.Started.Session != "" && !t.view.Busy
}

// awaited is the type of the event that tells that a command was carried out; empty where none does.
func awaited(c nebula.Command) string {
	switch c.(type) {
	case nebula.Submit, nebula.Shell:
		return fmt.Sprintf("%T", nebula.Submitted{})
	case nebula.Answer:
		return fmt.Sprintf("%T", nebula.Answered{})
	case nebula.Switch:
		return fmt.Sprintf("%T", nebula.Switched{})
	case nebula.Undo:
		return fmt.Sprintf("%T", nebula.Undone{})
	case nebula.Compact:
		return fmt.Sprintf("%T", nebula.Compacted{})
	case nebula.Job:
		return fmt.Sprintf("%T", nebula.Noted{})
	}
	return ""
}

// began notes that a plan was told to run. A script that has ended waits for how that ends.
func (t *talk) began(c nebula.Command) {
	if d, ok := c.(nebula.Direct); ok && d.Do == nebula.RunPlan {
		t.runs = true
	}
}

// alone refuses what the work in the background asks once a script has ended: nobody is there to answer.
func (t *talk) alone() {
	for _, q := range t.view.Beside.Waits {
		t.send(nebula.Answer{Ask: q.Ask, Answer: nebula.No, By: nebula.Nobody, Text: unanswered})
	}
}

// refuse says no to what is asked, if anything is.
//
//go:noinline
func (t *talk) refuse() {
	if t.asking != "" {
		t.send(nebula.Answer{Ask: t.asking, Answer: nebula.No, By: nebula.Nobody, Text: unanswered})
	}
}

const unanswered = "nobody is there to answer"

// met notes what has happened. A script ends with the first turn that does not come to a proper end, as its later lines
// build on it; not with one in circles, nor with one whose model could not be reached: the next line may be answered.
func (t *talk) met(e nebula.Event) {
	switch b := e.Body.(type) {
	case nebula.Planned:
		over := b.By == "nebula" || b.Change == "paused" // so a run tells of its end
		if over && t.runs && t.options.Script {
			t.ran(nebula.EndStatus(b.Change), &b.Plan)
		}
		t.runs = (t.runs || b.Change == "running") && !over
	case nebula.Queued:
		if t.ended {
			t.send(nebula.Answer{Ask: b.Ask, Answer: nebula.No, By: nebula.Nobody, Text: unanswered})
		}
	}
	ended, end := e.Body.(nebula.Ended)
	if end || t.due == fmt.Sprintf("%T", e.Body) {
		t.due = ""
	}
	if !end || e.At.Before(t.view.opened) {
		return
	}
	t.last = ended.Outcome
	round := ended.Outcome.Cause == nebula.WentInCircles || ended.Outcome.Status == nebula.APIFailed // what comes next may be the way out, and is the person's
	if t.left = t.left || t.options.Script && !ended.Outcome.Status.Did() && !round; round {
		t.round = ended.Outcome
	}
}

// ran keeps how a plan ended that a script ran: that is what came of the script, however well its turns went beside it. What ended or
// was stopped because the script said so is well.
//
//go:noinline
func (t *talk) ran(end nebula.EndStatus, p *nebula.Plan) {
	t.plan = nebula.Outcome{}
	switch end {
	case nebula.NeedsApproval, nebula.NeedsInput, nebula.TurnFailed, nebula.LimitReached, nebula.APIFailed:
		t.plan = nebula.Outcome{Session: t.view.Started.Session, Status: end, Plan: p}
	}
}

// unrun keeps that a script's plan was not run at all: its draft waits, or what was to run is not there.
func (t *talk) unrun() {
	if p := t.view.Beside.Plan; !t.runs || !t.options.Script {
		return
	} else if p != nil && p.Status == nebula.Draft {
		t.ran(nebula.NeedsApproval, p)
	} else {
		t.ran(nebula.TurnFailed, p)
	}
}

// typedOrEnded takes what was typed, or the end of a script: who is still asked then hears that nobody is there.
func (t *talk) typedOrEnded(k uv.Event, more bool) {
	switch line, whole := k.(uv.PasteEvent); {
	case more && whole && t.options.Script && phrase.Binary([]byte(line.Content)):
		t.left, t.fault = true, ErrBinary
		t.refuse()
	case more && whole && t.options.Script:
		t.lines++
		if t.screen.asked != "" { // the transcript reads as if it had been typed
			t.screen.echo(terminal.Visible(line.Content))
		}
		fallthrough
	case more:
		t.input(k)
	case t.asking != "":
		t.refuse()
	case t.runs && !t.ended:
		t.ended = true
		t.alone()
	default:
		t.left = true
	}
}
