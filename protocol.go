package nebula

import "encoding/json"

// A Protocol is a language in which a model writes what it wants done.
//
// Teach returns the text that teaches the language, in lang, and the tools to offer natively, if the
// language is native calls. Decode reads one whole reply: it never fails and never panics, whatever the reply holds.
// Text that is quoted in thoughts, blocks, questions or prose is never an action. Encode writes what happened back as
// messages: the reply itself first, then every action's result, exactly one each, in order; the list it returns is
// one that every provider accepts after any other such list.
type Protocol interface {
	Name() string
	Teach(tools []ToolSpec, lang string) (text string, native []ToolSpec)
	Decode(r Reply, tools []ToolSpec) Intent
	Encode(r Reply, in Intent, results []Result) []Message
}

// A Streamer is a Protocol whose replies are text that can be read as it comes.
type Streamer interface {
	Stream(tools []ToolSpec) StreamDecoder
}

// A Corrector is a Protocol that can ask for a reply in better form. Correction is what the model is told; Same says
// why a corrected reply is refused: only the form may change, never what a block holds. r is the reply that before was
// read from.
type Corrector interface {
	Correction(r Reply, in Intent, lang string) string
	Same(r Reply, before, after Intent) error
}

// A Former is a Protocol that shows how an action is to be written in it.
type Former interface {
	Form(a Action, tools []ToolSpec) string
}

// A Schemer is a Protocol whose replies have a JSON schema, for providers with structured output; nil is none.
type Schemer interface {
	Schema(tools []ToolSpec) json.RawMessage
}

// A Describer is a Protocol with words of its own for what surrounds a conversation. Its text stands behind the
// conversation, and is empty when there is nothing to say.
type Describer interface {
	Describe(s Surroundings) string
}

// Surroundings are what a model should know beside the conversation. Empty fields are not told.
type Surroundings struct {
	Lang      string
	Step      Step
	Dir       string
	OS        string
	LastError string
	TaskPlan  []string
	Files     []NamedFile // with their short names, which stand for them in arguments
}

// A NamedFile is a file and its short name.
type NamedFile struct{ Name, Path string }

// A StreamDecoder reads a reply as it comes. Feed takes the next text and returns what became complete by it; Close
// returns the Intent of the whole, equal to Decode of it.
type StreamDecoder interface {
	Feed(text string) []Piece
	Close() Intent
}

// A Piece is a part of a reply that is complete: exactly one field is set.
type Piece struct {
	Say     string  `json:"say,omitempty"`
	Thought string  `json:"thought,omitempty"`
	Action  *Action `json:"action,omitempty"`
}
