// Package gemini speaks Google's generateContent: thoughts with their signatures, calls with or without ids, and what is
// blocked in its own words.
package gemini

import (
	"net/http"
	"strings"

	"nebula"
	"nebula/internal/model/transport"
)

// Name is the provider whose opaque values are its own.
const Name = "gemini"

// An Adapter is a [transport.Adapter].
type Adapter struct {
	at     transport.Endpoint
	thinks bool
	learnt transport.Learnt
}

// New returns an adapter for an endpoint.
func New(at transport.Endpoint, info nebula.ModelInfo) *Adapter {
	return &Adapter{at: at, thinks: info.Thinks}
}

const thoughts = `"includeThoughts":true`

// budgets are what a model to which tokens are given is told of how to think, levels what one is that knows words for it.
var (
	budgets = transport.Efforts{
		nebula.EffortOff:    {`"thinkingBudget":0`, thoughts + `,"thinkingBudget":128`},
		nebula.EffortLow:    {thoughts + `,"thinkingBudget":2048`},
		nebula.EffortMedium: {thoughts + `,"thinkingBudget":8192`},
		nebula.EffortHigh:   {thoughts + `,"thinkingBudget":24576`},
		nebula.EffortMax:    {thoughts + `,"thinkingBudget":32768`, thoughts + `,"thinkingBudget":24576`},
	}
	levels = transport.Efforts{
		nebula.EffortOff:    {thoughts + `,"thinkingLevel":"MINIMAL"`, thoughts + `,"thinkingLevel":"LOW"`},
		nebula.EffortLow:    {thoughts + `,"thinkingLevel":"LOW"`},
		nebula.EffortMedium: {thoughts + `,"thinkingLevel":"MEDIUM"`, thoughts + `,"thinkingLevel":"HIGH"`},
		nebula.EffortHigh:   {thoughts + `,"thinkingLevel":"HIGH"`},
		nebula.EffortMax:    {thoughts + `,"thinkingLevel":"HIGH"`},
	}
)

// efforts are the model's forms of each effort.
//
//go:noinline
func (a *Adapter) efforts() transport.Efforts {
	if a.second() {
		return budgets
	}
	return levels
}

// second reports whether the model is of the second generation or before it.
//
//go:noinline
func (a *Adapter) second() bool {
	return strings.HasPrefix(a.at.Model, "gemini-2") || strings.HasPrefix(a.at.Model, "gemini-1")
}

// Ask writes a request in what is known of the server by now.
func (a *Adapter) Ask(p nebula.Prompt) transport.Exchange {
	thinking := a.learnt.Form(a.efforts(), p.Effort)
	if thinking == "" && a.thinks && a.learnt.Takes(thoughts) {
		thinking = thoughts
	}
	return transport.Exchange{
		URL:    strings.TrimRight(a.at.BaseURL, "/") + "/models/" + strings.TrimPrefix(a.at.Model, "models/") + ":streamGenerateContent?alt=sse",
		Header: Header(a.at),
		Body:   a.request(p, thinking),
		Reader: func(out *transport.Out) transport.Reader { return &reader{out: out} },
		Learn: func(r transport.Refusal) (nebula.Words, bool) {
			return a.learn(r, p, thinking)
		},
	}
}

// Header is what goes with every request to an endpoint.
func Header(at transport.Endpoint) http.Header {
	h := http.Header{"Content-Type": {"application/json"}, "Accept": {"text/event-stream"}}
	if at.Key != "" {
		h.Set("X-Goog-Api-Key", at.Key)
	}
	return h
}

// schema is what stands before what the reply has to be.
const schema = `"responseMimeType":"application/json","responseJsonSchema":`

// unsigned is a call that the model did not make.
const unsigned = "a call without a signature"

// learn leaves out, or adds, what a refusal names.
func (a *Adapter) learn(r transport.Refusal, p nebula.Prompt, thinking string) (nebula.Words, bool) {
	switch {
	case !r.Final || r.Status != http.StatusBadRequest:
	case r.Names("missing a thought", "missing thought"):
		return nebula.Words{}, a.learnt.Refuse(unsigned)
	case r.Names("thought_signature", "thought signature", "thoughtsignature"):
		return nebula.Words{}, a.learnt.Distrust(p.Messages, Name)
	case len(p.Schema) > 0 && r.Names("responsejsonschema", "response_json_schema", "response_schema", "response mime type", "schema"):
		return nebula.Words{}, a.learnt.Refuse(schema)
	case thinking != "" && r.Names("thinking", "includethoughts", "include_thoughts"):
		if p.Effort != "" && thinking != thoughts {
			return a.learnt.Dropped(a.efforts(), p.Effort, thinking, a.at.Model)
		}
		return nebula.Words{}, a.learnt.Refuse(thinking)
	}
	return nebula.Words{}, false
}
