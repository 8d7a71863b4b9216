package agent

import (
	"encoding/json"

	"nebula"
)

// shaped is a request for a reply that is words in a given shape: no tools are offered, and what was called before stands in it
// as text, since servers refuse calls of what they are not offered.
func shaped(p nebula.Prompt, schema json.RawMessage) nebula.Prompt {
	p.Messages, p.Tools, p.Schema = nebula.Flatten(p.Messages), nil, schema
	return p
}

// words reads every reply as words, whatever language the model was taught.
type words struct{ nebula.Protocol }

// Decode implements nebula.Protocol.
func (words) Decode(r nebula.Reply, _ []nebula.ToolSpec) nebula.Intent {
	return nebula.Intent{Say: r.Text(), Strategy: nebula.Strict, Confidence: 1}
}
