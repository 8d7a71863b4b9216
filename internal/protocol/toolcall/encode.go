package toolcall

import (
	"encoding/json"
	"fmt"
	"strings"

	"nebula"
	"nebula/internal/protocol"
)

// Encode writes the reply as an assistant message with its calls, then one tool message for each. Calls that came
// printed in the text are answered by a message of text.
func (Protocol) Encode(r nebula.Reply, in nebula.Intent, results []nebula.Result) []nebula.Message {
	if len(r.Calls) == 0 {
		return protocol.TextMessages(r, in, results)
	}
	first := nebula.Message{Role: nebula.Assistant, Text: protocol.Kept(r), Reasoning: r.Reasoning}
	answers := make([]nebula.Message, 0, len(r.Calls))
	results = protocol.Answers(in, results)
	ids := callIDs(r.Calls)
	for i, c := range r.Calls {
		result := nebula.Result{Text: "not done: the turn ended before it"}
		if i < len(results) {
			result = results[i]
		}
		id := ids[i]
		first.Calls = append(first.Calls, nebula.Call{ID: id, Name: wireName(c.Name), Arguments: wireArguments(c.Arguments)})
		answers = append(answers, nebula.Message{Role: nebula.ToolRole, CallID: id, Text: protocol.ResultText(result)})
	}
	return append([]nebula.Message{first}, answers...)
}

// callIDs are the calls' ids, unique within the reply.
func callIDs(calls []nebula.Call) []string {
	ids := make([]string, len(calls))
	taken := map[string]bool{}
	for _, c := range calls {
		taken[c.ID] = true
	}
	used := map[string]bool{"": true}
	for i, c := range calls {
		id := c.ID
		for n := i; used[id]; n++ {
			if id = fmt.Sprintf("call_%d", n); taken[id] {
				id = ""
			}
		}
		used[id] = true
		ids[i] = id
	}
	return ids
}

// wireName is a call's name in the characters that providers accept in a history.
func wireName(name string) string {
	name = strings.Map(func(c rune) rune {
		if c == '_' || c == '-' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' {
			return c
		}
		return '_'
	}, name)
	if name == "" {
		return "unknown"
	}
	return name[:min(len(name), 64)]
}

// wireArguments are a call's arguments as written when they are a JSON object, else an empty one: what was wrong with
// them stands in the call's result.
func wireArguments(arguments string) string {
	if trimmed := strings.TrimSpace(arguments); strings.HasPrefix(trimmed, "{") && json.Valid([]byte(trimmed)) {
		return arguments
	}
	return "{}"
}
