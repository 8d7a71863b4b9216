package nebula

import (
	"cmp"
	"context"
	"encoding/json"
	"iter"
	"slices"
	"strings"
	"time"
)

// A Role says who speaks in a message to the model.
type Role string

// The roles of a conversation. The system text is part of the [Prompt], not a message.
const (
	User      Role = "user"
	Assistant Role = "assistant"
	ToolRole  Role = "tool"
)

// A Message is one entry of the conversation as a model reads it.
type Message struct {
	Role   Role `json:"role"`
	Parts  `json:"parts,omitempty"`
	CallID string `json:"call_id,omitempty"` // the call that a tool message answers
}

// An Image is a picture for a model that takes them, or a document, which is read as pictures of its pages.
type Image struct {
	Type  string `json:"type"` // media type, image/png
	Data  []byte `json:"data"`
	Pages int    `json:"pages,omitempty"` // of a document
}

// Flatten writes native calls and their results as text, for servers and languages that take none: servers refuse calls
// of tools that are not offered. A list without calls is returned as it is.
func Flatten(messages []Message) []Message {
	native := func(m Message) bool { return m.Has(CallPart) || m.Role == ToolRole }
	i := slices.IndexFunc(messages, native)
	if i < 0 {
		return messages
	}
	out := append(make([]Message, 0, len(messages)), messages[:i]...)
	names := map[string]string{}
	for _, m := range messages[i:] {
		switch {
		case m.Role == ToolRole:
			text := strings.TrimSpace("(result of "+names[m.CallID]) + ") " + m.Text()
			m = Message{Role: User, Parts: append(Text(text), Pictures(m.Images()...)...)}
		case m.Has(CallPart):
			text := m.Text()
			for _, c := range m.Calls() {
				names[c.ID] = c.Name
				text += "\n(called " + c.Name + " " + c.Arguments + ")"
			}
			m = Message{Role: Assistant, Parts: Text(strings.TrimSpace(text))}
		}
		out = append(out, m)
	}
	return out
}

// A Call is a native tool call as the model wrote it; Arguments may be broken JSON.
type Call struct {
	ID        string `json:"id"`
	Name      string `json:"name"`
	Arguments string `json:"arguments"`
}

// A Reply is everything a model wrote in one answer. Finish is the provider's finish reason in Chat Completions'
// words; a Reply exists only for streams that ended properly.
type Reply struct {
	Parts  `json:"parts,omitempty"`
	Finish string `json:"finish,omitempty"` // stop, tool_calls, length, content_filter, pause, malformed_call; another word is the provider's own
	Usage  Usage  `json:"usage,omitzero"`
	Model  string `json:"model,omitempty"` // as the provider names it
}

// Ends reports whether a finish reason is that of a reply which says all that its model wanted to say. One that ended otherwise, or in
// a word that nobody knows, may be cut: nothing of it is done.
//
//go:noinline
func Ends(finish string) bool {
	switch finish {
	case "", "stop", "pause", "tool_calls", "function_call", "eos", "end_turn", "stop_sequence", "tool_use":
		return true
	}
	return false
}

// Usage counts tokens and what they cost. Cached and Written tokens are part of Input, Reasoning is part of Output.
type Usage struct {
	Input     int     `json:"input_tokens"`
	Cached    int     `json:"cached_tokens"`                // read from the provider's cache
	Written   int     `json:"cache_write_tokens,omitempty"` // written to it, where that has a price of its own
	Output    int     `json:"output_tokens"`
	Reasoning int     `json:"reasoning_tokens,omitempty"`
	Cost      float64 `json:"cost_usd"`
	Estimated bool    `json:"estimated,omitempty"` // the server did not count, or not all of it
}

// Plus adds two usages.
//
//go:noinline
func (u Usage) Plus(v Usage) Usage {
	return Usage{u.Input + v.Input, u.Cached + v.Cached, u.Written + v.Written, u.Output + v.Output, u.Reasoning + v.Reasoning, u.Cost + v.Cost, u.Estimated || v.Estimated}
}

// A Prompt is one request to a model: first what never changes, then the conversation.
type Prompt struct {
	System    string          `json:"system"`
	Messages  []Message       `json:"messages"`
	Tools     []ToolSpec      `json:"tools,omitempty"`  // offered as native tools
	Schema    json.RawMessage `json:"schema,omitempty"` // structured output, where the model has it
	MaxOutput int             `json:"max_output,omitempty"`
	CacheKey  string          `json:"cache_key,omitempty"` // stable for a session, for providers that route by it
	Hard      bool            `json:"hard,omitempty"`      // it is worth more thinking than most: a plan
	Effort    Effort          `json:"effort,omitempty"`    // of the session, in place of the model's own; the model makes of it what it asks for
}

// A Chunk is one piece of a streaming reply. Exactly one of its groups is set.
type Chunk struct {
	Text      string
	Reasoning string
	Call      *CallDelta
	Part      *Part   // one that came whole
	Opaque    *Opaque // belongs to the part that was said last, which ends with it
	Usage     *Usage
	Model     string
	Finish    string       // the last piece of a proper stream
	Retry     *RetryNotice // nothing of the reply so far counts; it starts again
	Wait      Code         // what the person should know of a reply that does not begin
}

// A CallDelta is a piece of a native call. Index tells which; ID and Name come once, Arguments in fragments.
type CallDelta struct {
	Index     int
	ID        string
	Name      string
	Arguments string
	Opaque    *Opaque // belongs to the call
}

// A RetryNotice says that a request is about to be sent again.
type RetryNotice struct {
	Attempt int
	After   time.Duration
	Cause   Code
}

// ModelInfo is what is known about a model. Zero numbers are unknown.
type ModelInfo struct {
	Name       string  `json:"name"`
	Provider   string  `json:"provider"`
	Server     string  `json:"server,omitempty"`  // base URL without credentials
	Window     int     `json:"window,omitempty"`  // tokens
	Assumed    bool    `json:"assumed,omitempty"` // the window is what such models usually have: the server's word counts more
	MaxOutput  int     `json:"max_output,omitempty"`
	Native     bool    `json:"native"`     // takes native tool calls
	Structured bool    `json:"structured"` // takes a JSON schema for its output
	Images     bool    `json:"images"`
	Documents  bool    `json:"documents,omitempty"` // takes PDFs as they are
	Mute       bool    `json:"mute,omitempty"`      // it answers nothing: it only embeds texts
	Thinks     bool    `json:"thinks,omitempty"`    // before it answers, as much as it is let
	Effort     Effort  `json:"effort,omitempty"`    // that the settings give it; empty leaves it to the provider
	InputUSD   float64 `json:"input_usd,omitempty"` // per million tokens
	CachedUSD  float64 `json:"cached_usd,omitempty"`
	WriteUSD   float64 `json:"cache_write_usd,omitempty"` // what is written to the cache, where that is another price
	OutputUSD  float64 `json:"output_usd,omitempty"`

	WindowFrom string `json:"window_from,omitempty"` // where the window is known from: catalogue, server, settings, environment or assumed
	PriceFrom  string `json:"price_from,omitempty"`  // likewise
}

// Cost prices a usage by the catalogue's figures; a provider's own figure, when given, wins.
func (m ModelInfo) Cost(u Usage) float64 {
	if u.Cost > 0 {
		return u.Cost
	}
	plain := u.Input - u.Cached - u.Written
	return (float64(plain)*m.InputUSD + float64(u.Cached)*cmp.Or(m.CachedUSD, m.InputUSD) +
		float64(u.Written)*cmp.Or(m.WriteUSD, m.InputUSD) + float64(u.Output)*m.OutputUSD) / 1e6
}

// A Model answers prompts.
//
// Stream yields the pieces of one reply as they come. A proper stream's last piece has Finish set; if the stream
// breaks, the last thing yielded is an error and nothing of the reply may be acted on. Faults of the world are
// retried inside (each attempt announced by a Retry piece); what comes out as an error is final, an [APIError] when
// the provider refused. Stream stops promptly when ctx is cancelled, yielding ctx's error.
type Model interface {
	Info() ModelInfo
	Stream(ctx context.Context, p Prompt) iter.Seq2[Chunk, error]
}

// An APIError is a provider's final refusal or a fault that outlived its retries. It never holds a key.
type APIError struct {
	Status int    // HTTP status, 0 when there was none
	Kind   string // auth, quota, context, model, region, unreachable, cut, bad_request, server
	Text   string // what happened
	Next   string // what a person can do
	Window int    // in tokens, where a request was too long and the server said for what; else 0
}

// Error is the sentence in English.
func (e *APIError) Error() string { return e.Words().String() }

// Words implements [Speaker]. Text and Next are in a language already.
func (e *APIError) Words() Words {
	if e.Next == "" {
		return Say(e.Text)
	}
	return Say("%s; %s", e.Text, e.Next)
}
