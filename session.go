package nebula

import (
	"context"
	"encoding/json"
	"iter"
)

// A Conversation is one session as a front end sees it. Send hands a command to the session's one owner and returns
// once it was taken in (an error says why it was not); Events yields every event after the given Seq, first the past
// ones, then those to come, until ctx ends or the session closes. Transient events that passed before are not among
// them. Both may be called from any goroutine.
type Conversation interface {
	Send(ctx context.Context, c Command) error
	Events(ctx context.Context, after int64) iter.Seq[Event]
}

// TextMax is how many bytes a message may have; no model takes more.
const TextMax = 8 << 20

// A Command is what a front end can ask of a session.
type Command interface{ command() }

// The commands.
type (
	// Submit gives the session a message. While a turn is under way the message joins it before the next request; one that
	// only steers begins none.
	Submit struct {
		Text   string  `json:"text"`
		Images []Image `json:"images,omitempty"`
		Steer  bool    `json:"steer,omitempty"`

		// Schema is what the reply has to be, where it is only to be words: the model is offered no tools then.
		Schema json.RawMessage `json:"schema,omitempty"`
	}
	// Answer answers an [Asked]. It is void when Ask is not the one that waits.
	Answer struct {
		Ask    string  `json:"ask"`
		Answer Decided `json:"answer"`
		Text   string  `json:"text,omitempty"`
		By     Decider `json:"by,omitempty"` // only the person, or who answers for one, can allow something

		// Command stands in the place of the one that was shown, or of the diff of one text: the person's own words, with Yes.
		Command string `json:"command,omitempty"`
	}
	// Cancel stops the turn under way.
	Cancel struct {
		Signal string `json:"signal,omitempty"` // that nebula got from the system; empty where the person stopped it
	}
	// Switch changes mode, model, protocol or approval policy; empty fields stay.
	Switch struct {
		Mode     Mode   `json:"mode,omitempty"`
		Model    string `json:"model,omitempty"`
		Protocol string `json:"protocol,omitempty"`
		Approve  string `json:"approve,omitempty"`
		Effort   Effort `json:"effort,omitempty"` // [EffortSet] for what the settings say
	}
	// Undo takes back the file changes of the last turn that has any; Redo brings back what Undo took.
	Undo struct {
		Redo bool `json:"redo,omitempty"`
	}
	// Perform carries out given actions in a turn of their own, without asking the model, through the same gate. An
	// action's Call is kept, and names it in its result.
	Perform struct {
		Text    string   `json:"text"` // why, as it stands in the conversation
		Actions []Action `json:"actions"`
		By      Decider  `json:"by,omitempty"` // who decided on them
	}
	// Shell runs a command of the person's own in a turn of its own, as Perform does: through the same gate.
	Shell struct {
		Command string `json:"command"`
	}
	// Compact makes the conversation that the model reads shorter, as the end of its window would; during a turn, at its end.
	// What of it mentions a word of Focus stays whole while it fits.
	Compact struct {
		Focus string `json:"focus,omitempty"`
	}
	// Inform adds what happened beside the conversation to its events.
	Inform struct{ Bodies []Body }
	// Direct says how work in the background goes on.
	Direct struct {
		Do   Direction `json:"do"`
		Plan string    `json:"plan_id,omitempty"` // empty means the one under way, or the newest
		Step string    `json:"step_id,omitempty"`
		Text string    `json:"text,omitempty"`
	}
	// Job is about commands that go on in the background: Stop ends one, Detach lets it go on when the session ends; else they
	// are told of, or the end of what the one with the number ID wrote.
	Job struct {
		ID     int  `json:"id,omitempty"`
		Stop   bool `json:"stop,omitempty"`
		Detach bool `json:"detach,omitempty"`
	}
	// Close ends the session after the turn under way is cancelled.
	Close struct{}
)

func (Submit) command()  {}
func (Answer) command()  {}
func (Cancel) command()  {}
func (Switch) command()  {}
func (Undo) command()    {}
func (Perform) command() {}
func (Shell) command()   {}
func (Compact) command() {}
func (Inform) command()  {}
func (Direct) command()  {}
func (Job) command()     {}
func (Close) command()   {}

// Signalled is the cause of a context that ended since nebula got a signal from the system. It names the signal.
type Signalled string

// Error implements error.
func (s Signalled) Error() string { return "nebula was ended by " + string(s) }
