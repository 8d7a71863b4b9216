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
	calls := r.Calls()
	if len(calls) == 0 {
		return protocol.TextMessages(r, in, results)
	}
	results = protocol.Answers(in, results)
	ids := callIDs(calls)
	first := r.WithText(protocol.Kept(r)).EachCall(func(n int, c nebula.Call) nebula.Call {
		return nebula.Call{ID: ids[n], Name: wireName(c.Name), Arguments: wireArguments(c.Arguments)}
	})
	messages := []nebula.Message{{Role: nebula.Assistant, Parts: first}}
	for i, id := range ids {
		result := nebula.Result{Text: "not done: the turn ended before it"}
		if i < len(results) {
			result = results[i]
		}
		messages = append(messages, nebula.Message{Role: nebula.ToolRole, CallID: id, Parts: protocol.ResultParts(result)})
	}
	return messages
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
