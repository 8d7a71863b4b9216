// Package toolcall is the protocol of native tool calls: the provider's API carries them apart from the text.
package toolcall

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strings"

	"nebula"
	"nebula/internal/protocol"
)

// Protocol is native tool calling. The zero value is ready.
type Protocol struct{}

// Name is "toolcall".
func (Protocol) Name() string { return "toolcall" }

// Teach offers the tools natively and needs no words.
func (Protocol) Teach(tools []nebula.ToolSpec, lang string) (string, []nebula.ToolSpec) {
	return "", tools
}

// Decode makes one action of every call, in order. A call that cannot be carried out is an action with a Problem, so
// that it gets its one result all the same. Text is for the person; reasoning and <think> sections are thoughts.
func (p Protocol) Decode(r nebula.Reply, tools []nebula.ToolSpec) nebula.Intent {
	in := p.Read(r, tools)
	protocol.Settle(r, &in)
	return in
}

// Read is Decode without the last step, [protocol.Settle].
func (Protocol) Read(r nebula.Reply, tools []nebula.ToolSpec) nebula.Intent {
	say, thoughts := protocol.Thoughts(r)
	in := nebula.Intent{Say: say, Thoughts: thoughts, Strategy: nebula.Strict, Confidence: 1}
	ids := callIDs(r.Calls())
	for i, c := range r.Calls() {
		a, repairs := action(c, tools)
		a.Call = ids[i]
		in.Repairs = append(in.Repairs, repairs...)
		in.Actions = append(in.Actions, a)
	}
	return in
}

// action reads one call. Arguments that are not JSON are read loosely, but never where a payload would be guessed at.
func action(c nebula.Call, tools []nebula.ToolSpec) (nebula.Action, []nebula.Repair) {
	a := nebula.Action{Tool: c.Name, Confidence: 1, Args: json.RawMessage(strings.TrimSpace(c.Arguments))}
	if len(a.Args) == 0 {
		a.Args = json.RawMessage("{}")
		return protocol.Resolve(a, tools), nil
	}
	spec, known := protocol.Find(c.Name, tools)
	text := unfenced(c.Arguments)
	reading, err := protocol.Read(text)
	switch {
	case err == nil && strings.TrimSpace(text[reading.End:]) != "":
		err = fmt.Errorf("unexpected text after the object, at character %d", reading.End+1)
		fallthrough
	case err != nil:
		a.Args = json.RawMessage("{}")
		a.Problem = fmt.Sprintf("the arguments are not valid JSON: %v. Write the call again.", err)
		if known {
			a.Problem += " Arguments of " + spec.Name + ": " + protocol.Signature(spec) + "."
		}
		if !known {
			a.Problem = "" // that the tool is unknown says more
		}
		return protocol.Resolve(a, tools), nil
	}
	a.Args = reading.JSON
	if spec, known = protocol.Meant(c.Name, a.Args, tools); known {
		a.Problem = cmp.Or(protocol.Spoilt(reading.Doubts, spec), protocol.Ambiguous(reading))
	}
	protocol.Needed(&a, reading)
	return protocol.Resolve(a, tools), reading.Repairs
}

// unfenced are arguments without the code block that a model put them into.
func unfenced(arguments string) string {
	text := strings.TrimSpace(arguments)
	if inside, ok := strings.CutPrefix(text, "```"); ok {
		if _, body, ok := strings.Cut(inside, "\n"); ok {
			return strings.TrimSuffix(strings.TrimSpace(body), "```")
		}
	}
	return arguments
}
