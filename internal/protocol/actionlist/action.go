package actionlist

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"nebula"
	"nebula/internal/protocol"
)

// sureNames say which tool an object calls and are hardly anything else; otherNames may be part of any JSON, and
// count only with arguments beside them or a tool that exists.
var (
	sureNames  = []string{"operation", "tool", "tool_name", "function_name"}
	otherNames = []string{"name", "function", "action", "op", "command"}
	argsNames  = []string{"args", "arguments", "parameters", "params", "input", "kwargs"}
	whyNames   = []string{"reasoning", "reason", "rationale", "why"}
)

// action reads one object of a list. ok is false when it is no call.
func action(r protocol.Reading, tools []nebula.ToolSpec) (a nebula.Action, ok bool) {
	var fields map[string]json.RawMessage
	if json.Unmarshal(r.JSON, &fields) != nil || fields == nil {
		return a, false
	}
	if inner, ok := fields["function"]; ok && bytes.HasPrefix(inner, []byte("{")) {
		return action(protocol.Reading{JSON: inner, Repairs: r.Repairs, Doubts: r.Doubts}, tools)
	}
	nameKey, name := first(fields, sureNames)
	sure := name != ""
	if !sure {
		nameKey, name = first(fields, otherNames)
	}
	spec, known := protocol.Find(name, tools)
	argsKey, args := object(fields)
	if name == "" || !known && args == nil || !sure && args == nil && known && len(fields) == 1 && len(spec.Params) > 0 {
		return a, false
	}
	a = nebula.Action{Tool: name, Confidence: 1, Args: args, DependsOn: dependencies(fields)}
	whyKey, why := first(fields, whyNames)
	a.Reason = why
	if args == nil {
		a.Args = flat(r.JSON, nameKey, argsKey, whyKey)
	}
	a.Problem = protocol.Spoilt(r.Doubts, spec)
	protocol.Needed(&a, r)
	return protocol.Resolve(a, tools), true
}

func first(fields map[string]json.RawMessage, names []string) (key, text string) {
	for _, name := range names {
		var s string
		if json.Unmarshal(fields[name], &s) == nil && strings.TrimSpace(s) != "" {
			return name, s
		}
	}
	return "", ""
}

// object finds the arguments.
func object(fields map[string]json.RawMessage) (key string, args json.RawMessage) {
	for _, name := range argsNames {
		if v, ok := fields[name]; ok && (v[0] == '{' || v[0] == '"') {
			return name, v
		}
	}
	return "", nil
}

// flat are arguments that stand beside the tool's name: every field but those that say something else.
func flat(raw json.RawMessage, except ...string) json.RawMessage {
	var out bytes.Buffer
	m, _ := protocol.Walk(string(raw), 0, 1)
	for m.Next() {
		key := m.Key
		value, ok := m.Read()
		if !ok {
			break
		}
		if !slices.Contains(except, key) && !slices.Contains(dependsNames, key) && key != "type" && key != "id" {
			out.WriteByte(',')
			out.Write(protocol.Quote(key))
			out.WriteByte(':')
			out.Write(value.JSON)
		}
	}
	return slices.Concat([]byte("{"), bytes.TrimPrefix(out.Bytes(), []byte(",")), []byte("}"))
}

var dependsNames = []string{"depends_on", "dependsOn", "dependencies"}

func dependencies(fields map[string]json.RawMessage) []string {
	for _, name := range dependsNames {
		if v, ok := fields[name]; ok {
			return texts(v)
		}
	}
	return nil
}
