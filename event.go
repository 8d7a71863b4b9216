package nebula

import (
	"encoding/json"
	"time"
)

// An Event is one thing that happened in a session. Seq counts from 1 without gaps among stored events. A transient
// event (see [Body].Transient) is never stored: its Seq is that of the last stored event before it.
type Event struct {
	Seq  int64
	At   time.Time
	Body Body
}

// A Body is what happened. Its Name is the event's type in stream-json and in the store.
type Body interface {
	Name() string
	Transient() bool
}

type stored struct{}

// Transient implements Body.
//
//go:noinline
func (stored) Transient() bool { return false }

type passing struct{}

// Transient implements Body.
//
//go:noinline
func (passing) Transient() bool { return true }

// The events of a session, in the order of a message's way through it.
type (
	// Started opens a session, and stands again at the head of every later opening of it.
	Started struct {
		stored
		Session  string `json:"session"`
		Dir      string `json:"dir"`
		Tree     string `json:"tree,omitempty"` // the copy of Dir that it works in; what it changes there is none of Dir's
		Model    string `json:"model"`
		Protocol string `json:"protocol"` // as chosen: auto or a protocol's name
		Mode     Mode   `json:"mode"`
		Lang     string `json:"lang"`
		Resumed  bool   `json:"resumed,omitempty"`
		// Top is what the model is told of the folder's top: what the first opening found there, so that requests begin alike in all of
		// them. Empty is an empty folder, nil a session that an earlier nebula kept.
		Top *string `json:"top,omitempty"`
	}
	// Submitted is a person's message. A turn begins with it.
	Submitted struct {
		stored
		Turn   int     `json:"turn"`
		Text   string  `json:"text"`
		Images []Image `json:"images,omitempty"`
		Steer  bool    `json:"steer,omitempty"` // came while a turn was under way, and joins it
		By     string  `json:"by,omitempty"`    // whose it is, when not the person's
	}
	// Requested says that a prompt is about to go to the model.
	Requested struct {
		passing
		Turn     int         `json:"turn"`
		Step     int         `json:"step"` // of the turn, from 1
		Model    string      `json:"model"`
		Protocol string      `json:"protocol"`
		Layers   []LayerCost `json:"layers,omitempty"`
		Cuts     []string    `json:"cuts,omitempty"` // what the token budget left out, in order
	}
	// Streamed is a piece of the reply under way, or of a running action's output (Action set).
	Streamed struct {
		passing
		Kind   string `json:"kind"` // text, thought, action, output
		Text   string `json:"text"`
		Action string `json:"action,omitempty"`
	}
	// Retried says that the request failed in a way that passes, and is sent again. What was streamed is void.
	Retried struct {
		stored
		Attempt int   `json:"attempt"`
		After   int64 `json:"after_ms"`
		Cause   Code  `json:"cause"`
	}
	// Replied is a whole reply and what it means.
	Replied struct {
		stored
		Turn     int    `json:"turn"`
		Step     int    `json:"step"`
		Protocol string `json:"protocol"`
		Reply    Reply  `json:"reply"`
		Intent   Intent `json:"intent"`
		Vitals   Vitals `json:"vitals,omitzero"`  // the model's report joined with what was seen
		By       string `json:"by,omitempty"`     // who decided on the actions, when not the model
		Model    string `json:"model,omitempty"`  // as the server knows it
		Server   string `json:"server,omitempty"` // where the model runs, without credentials

		Missed *Missed `json:"cache_missed,omitempty"` // what the provider's cache should have had of the request
	}
	// Proposed is an action with what it would do and what policy says of it.
	Proposed struct {
		stored
		Proposal Proposal `json:"proposal"`
		Verdict  Verdict  `json:"verdict"`
		Points   *Points  `json:"points,omitempty"` // where the person is asked
	}
	// Asked waits for the person: at the gate (Action set) or with a question.
	Asked struct {
		stored
		Ask      string    `json:"ask"` // answered by this id
		Action   string    `json:"action,omitempty"`
		Question *Question `json:"question,omitempty"`
		Digest   string    `json:"digest,omitempty"` // of the proposal that was shown
	}
	// Answered is the person's answer, or why none was taken.
	Answered struct {
		stored
		Ask    string  `json:"ask"`
		Answer Decided `json:"answer"`
		Text   string  `json:"text,omitempty"` // what was typed, the reason of a denial, or the answer to a question
		By     Decider `json:"by"`             // the person, or what answered in its place

		Command string `json:"command,omitempty"` // the person's own, in the place of the one that was shown; of a change, its diff with other lines
	}
	// Began says that an action is about to act under a grant.
	Began struct {
		stored
		Action string  `json:"action"`
		Grant  string  `json:"grant,omitempty"`
		By     Decider `json:"by,omitempty"`
		Turn   int     `json:"turn,omitempty"` // whose changes are taken back, or brought back: then an Undone follows
		Redo   bool    `json:"redo,omitempty"`
		// Found are changes of that turn which are known only now.
		Found []Found `json:"found,omitempty"`
	}
	// Finished is an action's one result.
	Finished struct {
		stored
		Result Result `json:"result"`
	}
	// Observed is what joins the conversation after a reply's actions: the messages that the model reads next.
	Observed struct {
		stored
		Messages []Message `json:"messages"`
		Said     string    `json:"said,omitempty"` // of a reply that was stopped: what the person had read of it
	}
	// Switched is a change of mode, model, protocol, approval policy or effort; empty fields stay as they are.
	Switched struct {
		stored
		Mode     Mode   `json:"mode,omitempty"`
		Model    string `json:"model,omitempty"`
		Protocol string `json:"protocol,omitempty"`
		Approve  string `json:"approve,omitempty"`
		Effort   Effort `json:"effort,omitempty"`
		Why      string `json:"why,omitempty"`
		WhyCode  Code   `json:"why_code,omitempty"` // what Why says, for every language
		NoTools  bool   `json:"no_tools,omitempty"` // the server refused them: the model is spoken to in text from now on
		Window   int    `json:"window,omitempty"`   // of the model in tokens, as its server told
	}
	// Moved is a transition of the Step/Status machine, or one that was refused.
	Moved struct {
		stored
		From     Step       `json:"from"`
		To       Step       `json:"to"`
		Status   StepStatus `json:"status"`
		Cause    Code       `json:"cause"`
		Refused  Code       `json:"refused,omitempty"` // why it did not happen, with the legal next steps
		Recovery bool       `json:"recovery,omitempty"`
	}
	// Updated is a change of the five fixed items and the fields beside them, as kept: cut to their limits.
	Updated struct {
		stored
		Delta Delta    `json:"delta"`
		By    string   `json:"by"` // model, program or person
		Cuts  []string `json:"cuts,omitempty"`
	}
	// Compacted says how the conversation was made to fit the model's window. Nothing is lost: only what the model
	// reads is shorter.
	Compacted struct {
		stored
		Dropped int      `json:"dropped"`         // messages that the summary stands for
		Elided  int      `json:"elided"`          // messages before this one have long quotes shortened
		Cap     int      `json:"cap"`             // to this many bytes
		Words   int      `json:"words,omitempty"` // tokens that the person's own messages may take; 0 is without a bound
		Cut     int      `json:"cut,omitempty"`   // results before Fresh that are longer than this many bytes are cut to them
		Fresh   int      `json:"fresh,omitempty"`
		Summary []string `json:"summary,omitempty"`
		Focus   string   `json:"focus,omitempty"`   // what the person wants kept in view
		Whole   []int    `json:"whole,omitempty"`   // messages that stay as they are for it, ascending
		Learned string   `json:"learned,omitempty"` // what the model itself said of the messages that fell out, at the cost of Usage
		Usage   Usage    `json:"usage,omitzero"`
		Before  int      `json:"before_tokens"`
		After   int      `json:"after_tokens"`
	}
	// Superseded says what the model no longer reads: older copies of files, because it read them again, and most of what
	// results said some replies ago. Nothing is lost.
	Superseded struct {
		stored
		Copies []Copy `json:"copies"`
		Saved  int    `json:"saved"` // bytes of each request from now on
	}
	// Undone is a turn's file changes taken back, or brought back (Redo).
	Undone struct {
		stored
		Turn    int      `json:"turn"`
		Redo    bool     `json:"redo,omitempty"`
		Changes []Change `json:"changes"`
		Left    []Left   `json:"left,omitempty"`   // what stayed as it was
		Failed  Code     `json:"failed,omitempty"` // why nothing was done at all
	}
	// Planned is a plan as it is after a change, without its tasks.
	Planned struct {
		stored
		Plan   Plan    `json:"plan"`
		Change Code    `json:"change"` // what changed: proposed, approved, edited, …
		By     Decider `json:"by"`     // the person, or model or program
	}
	// Stepped is a step of a plan that began, ended or waits. The step stands without its tasks. Work that was delegated is a
	// step of no plan, here and in what follows.
	Stepped struct {
		stored
		Plan  string   `json:"plan_id"` // empty for a step of none
		Step  PlanStep `json:"step"`
		Done  int      `json:"done"` // steps of the plan that are completed or skipped
		Of    int      `json:"of"`
		Cause Code     `json:"cause,omitempty"`
		// Changes are all that the step made so far, where it stopped before its end; Lost what undo cannot bring back of it.
		Changes []Change `json:"changes,omitempty"`
		Lost    []string `json:"lost,omitempty"`
		Blind   []Blind  `json:"blind,omitempty"`
	}
	// Tasked is how far a step has come.
	Tasked struct {
		passing
		Plan    string `json:"plan_id"`
		Step    string `json:"step_id"`
		Title   string `json:"name"` // of the step
		Task    Task   `json:"task"` // without its arguments
		Number  int    `json:"number"`
		Of      int    `json:"of"`
		Elapsed int64  `json:"elapsed_ms"` // since the step began
	}
	// Queued is a question or an approval of work in the background. It waits until it is answered by its id, and
	// holds up nothing in the conversation.
	Queued struct {
		stored
		Ask      string    `json:"ask"`
		Plan     string    `json:"plan_id"`
		Step     string    `json:"step_id"`
		Title    string    `json:"name"` // of the step
		Session  string    `json:"session"`
		Proposed *Proposed `json:"proposed,omitempty"` // what needs approval
		Question *Question `json:"question,omitempty"`
	}
	// Reported is what the task loop says of a step that ended. It joins the conversation.
	Reported struct {
		stored
		Plan    string   `json:"plan_id"`
		Step    string   `json:"step_id"`
		Title   string   `json:"name"` // of the step
		Report  Report   `json:"report"`
		Changes []Change `json:"changes,omitempty"`
		Lost    []string `json:"lost,omitempty"`    // as in a Result
		Blind   []Blind  `json:"blind,omitempty"`   // commands of the step whose changes could not be seen
		Session string   `json:"session,omitempty"` // in which the step was carried out
		Usage   Usage    `json:"usage,omitzero"`
		Text    string   `json:"text"`              // as the model reads it
		Exposed bool     `json:"exposed,omitempty"` // who says it may know what is secret
	}
	// Hooked is a hook that ran: what it decided, and why it gave no answer where it gave none.
	Hooked struct {
		stored
		Moment   Moment `json:"moment"`
		Action   string `json:"action,omitempty"`
		Command  string `json:"command"`
		From     string `json:"from"` // the file that it stands in
		Exit     int    `json:"exit"`
		Decision string `json:"decision,omitempty"`
		Text     string `json:"text,omitempty"` // what it said
		Failed   string `json:"failed,omitempty"`
		Took     int64  `json:"took_ms"`
		Changed  bool   `json:"changed,omitempty"` // it had the action be something else
	}
	// Noted is something the person should know that belongs to no action.
	Noted struct {
		stored
		Level string `json:"level"` // info, warning, error
		Text  string `json:"text"`
		Code  Code   `json:"code,omitempty"` // what Text says, for every language; empty where it is somebody else's words
		Did   string `json:"did,omitempty"`  // stop or detach, of a job by the person; start, of a program that is asked beside
	}
	// Ended closes a turn. It holds everything that `--output json` prints.
	Ended struct {
		stored
		Outcome
	}
	// Closed ends this opening of the session.
	Closed struct {
		stored
	}
)

// Missed says that a provider read tokens anew which its cache should have had, and where the request first was another than
// the one before it: in its system text, its tools or a message, from a byte of that on. Where it was none, the provider
// forgot it.
type Missed struct {
	Tokens int    `json:"tokens"`
	Part   string `json:"part,omitempty"`
	At     int    `json:"at,omitempty"`
	Was    string `json:"was,omitempty"`
	Is     string `json:"is,omitempty"`
}

// A Copy is where a file's content, or a result, stands in the conversation, and what stands for it.
type Copy struct {
	Message int    `json:"message"` // counted from 0
	Start   int    `json:"start"`   // bytes of its text
	End     int    `json:"end"`
	Line    string `json:"line"`
}

// Step is what the work is about now; StepStatus how that stands (Duckflow v3 §4).
type (
	Step       string
	StepStatus string
)

// LayerCost is what one layer of the prompt costs, in tokens.
type LayerCost struct {
	Name   string `json:"name"`
	Tokens int    `json:"tokens"`
}

// Decided is an answer at the gate. The zero value is no answer, which is no.
type Decided string

// The answers.
const (
	No     Decided = "no"
	Yes    Decided = "yes"
	Always Decided = "always" // yes, and the same kind and target for the rest of this session
	Here   Decided = "here"   // as always, and the same in this folder from now on
	Edits  Decided = "edits"  // yes, and edits run unasked for the rest of this session
	Try    Decided = "try"    // yes, on a view of the folder: what it did there is asked about before it counts
	Some   Decided = "some"   // yes to the paths in Text, of what a command did, and no to the rest
	Told   Decided = "told"   // the answer to a question, in Text
)

// Allows reports whether it is a yes to what was asked, or to a part of it.
//
//go:noinline
func (d Decided) Allows() bool {
	return d == Yes || d == Always || d == Here || d == Edits || d == Some || d == Try
}

// An Outcome sums a turn up.
type Outcome struct {
	Session      string       `json:"session"`
	Turn         int          `json:"turn"`
	Status       EndStatus    `json:"status"`
	Cause        EndCause     `json:"cause,omitempty"` // of a limit
	Text         string       `json:"text"`
	Half         string       `json:"half,omitempty"` // what came of a reply that broke off, or that the time ran out on
	Mode         Mode         `json:"mode"`
	Model        string       `json:"model"`
	Protocol     string       `json:"protocol"`
	Steps        int          `json:"steps"`
	Actions      []ActionLine `json:"actions"`
	ChangedFiles []string     `json:"changed_files"`
	Uncovered    []string     `json:"not_undoable,omitempty"` // those of them that undo cannot bring back
	// Unfounded is what the answer says without that the turn shows it: nothing_done where it changed and ran nothing, never_called where it ended as one that calls a tool and called none, "never_ran: "
	// with the name of a test program, "invented_result: " with a tool's result that the model wrote itself, "made_to_fit: " with a file of tests whose expectations changed.
	Unfounded []string    `json:"unfounded,omitempty"`
	Reduced   []string    `json:"reduced,omitempty"` // files that lost lines, unasked, to a content that was sent back and given again: "a.go: 297 > 9"
	Plan      *Plan       `json:"plan"`              // that it worked on
	Layers    []LayerCost `json:"layers,omitempty"`  // of the last request
	Cuts      []string    `json:"cuts,omitempty"`    // what the token budget left out of it
	Usage     Usage       `json:"usage"`
}

// EndStatus is how a turn ended.
type EndStatus string

// The ends of a turn.
const (
	TurnDone      EndStatus = "done"
	TurnUnchecked EndStatus = "unchecked" // it did something that nothing has shown to be right, or wrong
	TurnFailed    EndStatus = "failed"
	NeedsApproval EndStatus = "needs_approval"
	NeedsInput    EndStatus = "needs_input"
	LimitReached  EndStatus = "limit"
	APIFailed     EndStatus = "api_error"
	Cancelled     EndStatus = "cancelled"
)

// Did reports whether what was asked for was done, checked or not.
//
//go:noinline
func (s EndStatus) Did() bool { return s == TurnDone || s == TurnUnchecked }

// EndCause tells which limit ended a turn, or why it counts as failed.
type EndCause string

// The causes.
const (
	StepsUp       EndCause = "steps"
	TokensUp      EndCause = "tokens"
	CostUp        EndCause = "cost"
	TimeUp        EndCause = "time"
	ReplyCut      EndCause = "reply"     // it reached the longest that the model writes
	WentInCircles EndCause = "loop"      // the same was done again and again
	StillFails    EndCause = "retries"   // recoveries from errors were used up
	Forbidden     EndCause = "forbidden" // the person's own words stand against what was to be done
	Guessed       EndCause = "form"      // what was to be done had to be guessed, and nobody was there to ask
	NotChecked    EndCause = "unchecked" // what it did was not shown to be right, and nothing says that it is wrong
)

// An ActionLine is one action in an outcome.
type ActionLine struct {
	ID      string          `json:"id"`
	Tool    string          `json:"tool"`
	Args    json.RawMessage `json:"args"`
	Reason  string          `json:"reason"`
	Status  Status          `json:"status"`
	Summary string          `json:"summary"`
	Dropped int             `json:"dropped,omitempty"` // paths that it changed on a view, and that stand as they were
}

// Told are the changes that somebody is told of: neither times alone, nor caches, where there is something else.
func (b Undone) Told() (list []Change) {
	for _, caches := range []bool{false, true} {
		for _, c := range b.Changes {
			if c.Kind != "time" && c.Cache() == caches {
				list = append(list, c)
			}
		}
		if len(list) > 0 {
			break
		}
	}
	return list
}
