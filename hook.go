package nebula

import (
	"context"
	"encoding/json"
)

// A Moment is when hooks are asked, by the name that people know it by.
type Moment string

// The moments.
const (
	BeforeTool Moment = "PreToolUse"
	AfterTool  Moment = "PostToolUse"
	OnMessage  Moment = "UserPromptSubmit"
	AtStop     Moment = "Stop"
	AtStepStop Moment = "SubagentStop" // of a step of a plan
	OnStart    Moment = "SessionStart" // with the first message since the session was opened
	BeforeAsk  Moment = "PermissionRequest"
	AtEnd      Moment = "SessionEnd"   // of one in which something was said
	AtShort    Moment = "PreCompact"   // before a conversation is made shorter; what is said of it changes nothing
	OnAsk      Moment = "Notification" // while the person is waited for; what is said of it changes nothing
)

// An Occasion is what hooks are told.
type Occasion struct {
	Moment  Moment
	Session string
	Mode    Mode
	Text    string  // the message, or what the model says at the end
	Action  *Action // with moments of a tool
	Result  *Result
	Again   bool // a hook had the turn go on already
	// Kind is of a compaction manual or auto, of what the person is asked permission_prompt or question, of a beginning startup or resume, of an
	// end other.
	Kind string
}

// A Heeded is what hooks say together.
type Heeded struct {
	Decision string // allow, ask or deny; empty for nothing. The strictest counts
	Why      string
	Context  string  // what the model is to know
	Notes    []Words // what the person is told: what hooks say to them, and what of an answer is not done here
	// Input is what an action's arguments are to be, each in the place of its own; Own says that only the person's hooks want it.
	Input json.RawMessage
	Own   bool
	// Leaves says that what allows it is meant for what leaves the box, too.
	Leaves bool
	Runs   []Hooked
}

// Hooks are the programs that a person has asked at the moments of a session. At runs those of an occasion, and may take long.
type Hooks interface {
	At(ctx context.Context, o Occasion) Heeded
}
