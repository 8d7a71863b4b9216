package actionlist

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"nebula"
	"nebula/internal/lists"
	"nebula/internal/protocol"
)

// envelope is the JSON Schema of a document without its actions' arguments (Duckflow v3 §7.1, v4 §5). Every field is
// required and those that may be absent are null, as providers' strict structured output wants it.
const envelope = `{"type":"object","properties":{` +
	`"rationale":{"type":"string","description":"why, one line"},` +
	`"goal_consistency":{"type":"string","description":"yes or no, and why"},` +
	`"constraint_check":{"type":"string","description":"yes or no, and why"},` +
	`"step":{"type":"string","enum":["PLANNING","EXECUTION","REVIEW","AWAITING_APPROVAL","DONE"]},` +
	`"next_step":{"type":"string","enum":["done","pending_user","defer","continue"]},` +
	`"prompt_pattern":{"type":["string","null"],"enum":["base_main","base_main_specialized","base_specialized",null]},` +
	`"state_delta":{"type":["object","null"],"properties":{` +
	`"goal":{"type":["string","null"]},"why_now":{"type":["string","null"]},` +
	`"constraints":{"type":["array","null"],"items":{"type":"string"}},"plan_brief":{"type":["array","null"],"items":{"type":"string"}},` +
	`"open_questions":{"type":["array","null"],"items":{"type":"string"}}},` +
	`"required":["goal","why_now","constraints","plan_brief","open_questions"],"additionalProperties":false},` +
	`"say":{"type":["string","null"],"description":"what the person reads"},` +
	`"actions":{"type":"array","items":%s}},` +
	`"required":["rationale","goal_consistency","constraint_check","step","next_step","prompt_pattern","state_delta","say","actions"],"additionalProperties":false}`

// Schema is the JSON Schema of a reply that may use the given tools, for providers with structured output. It is the
// same bytes every time.
func Schema(tools []nebula.ToolSpec) json.RawMessage {
	if len(tools) == 0 {
		return fmt.Appendf(nil, envelope, `{"type":"object","properties":{},"required":[],"additionalProperties":false}`)
	}
	items := make([]string, len(tools))
	for i, t := range tools {
		items[i] = fmt.Sprintf(`{"type":"object","properties":{"operation":{"type":"string","enum":[%s]},"args":%s,"reasoning":{"type":"string"}},`+
			`"required":["operation","args","reasoning"],"additionalProperties":false}`, protocol.Quote(t.Name), arguments(t))
	}
	return fmt.Appendf(nil, envelope, `{"anyOf":[`+strings.Join(items, ",")+`]}`)
}

// Schema is the structured output of a reply; see the function of that name.
func (Protocol) Schema(tools []nebula.ToolSpec) json.RawMessage { return Schema(tools) }

// arguments is the schema of a tool's arguments: optional ones may be null.
func arguments(t nebula.ToolSpec) string {
	var names []string
	var b bytes.Buffer
	for i, p := range t.Taught() {
		if i > 0 {
			b.WriteByte(',')
		}
		names = append(names, string(protocol.Quote(p.Name)))
		fmt.Fprintf(&b, "%s:%s", protocol.Quote(p.Name), parameter(p))
	}
	return fmt.Sprintf(`{"type":"object","properties":{%s},"required":[%s],"additionalProperties":false}`, b.String(), strings.Join(names, ","))
}

func parameter(p nebula.Param) string {
	schema := map[string]any{"type": p.Type}
	if p.Schema != nil && json.Unmarshal(p.Schema, &schema) != nil {
		schema = map[string]any{"type": p.Type}
	}
	if schema["type"] == "array" && schema["items"] == nil {
		schema["items"] = map[string]any{"type": "string"}
	}
	strict(schema)
	if p.Description != "" && schema["description"] == nil {
		schema["description"] = p.Description
	}
	if kind, ok := schema["type"].(string); ok && !p.Required {
		schema["type"] = []string{kind, "null"}
	}
	b, _ := json.Marshal(schema) // came from JSON
	return string(b)
}

// strict closes every object of a schema and requires all its properties, in the order in which a model is to write them:
// those that were required first, as they stood.
func strict(schema map[string]any) {
	if items, ok := schema["items"].(map[string]any); ok {
		strict(items)
	}
	properties, ok := schema["properties"].(map[string]any)
	if !ok {
		return
	}
	names := []string{}
	before, _ := schema["required"].([]any)
	for _, name := range before {
		names = append(names, fmt.Sprint(name))
	}
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		if !lists.Has(names, name) {
			names = append(names, name)
		}
	}
	parts := make([]string, len(names))
	for i, name := range names {
		if inner, ok := properties[name].(map[string]any); ok {
			strict(inner)
		}
		inner, _ := json.Marshal(properties[name]) // came from JSON
		parts[i] = fmt.Sprintf("%s:%s", protocol.Quote(name), inner)
	}
	schema["properties"] = json.RawMessage("{" + strings.Join(parts, ",") + "}")
	schema["required"], schema["additionalProperties"] = names, false
}

// conforms reports whether the document's own fields are as the schema has them. Fields that may be null may also be
// absent.
func (doc *document) conforms() bool {
	fields := map[string]any{"actions": []any{}}
	for name, r := range doc.values {
		var v any
		if json.Unmarshal(r.JSON, &v) != nil {
			return false
		}
		fields[name] = v
	}
	return valid(fields, taught()) == ""
}

// taught is the schema of a document without its actions.
var taught = sync.OnceValue(func() (schema map[string]any) {
	if err := json.Unmarshal(fmt.Appendf(nil, envelope, `{}`), &schema); err != nil {
		panic(err) // it is a constant
	}
	return schema
})

// valid checks a value against the part of JSON Schema that the envelope uses, and says what is wrong.
func valid(v any, schema map[string]any) string {
	if !typed(v, schema["type"]) {
		return fmt.Sprintf("%v is not %v", v, schema["type"])
	}
	if enum, ok := schema["enum"].([]any); ok && !lists.Has(enum, v) {
		return fmt.Sprintf("%v is none of %v", v, enum)
	}
	switch v := v.(type) {
	case []any:
		items, _ := schema["items"].(map[string]any)
		for _, item := range v {
			if wrong := valid(item, items); wrong != "" {
				return wrong
			}
		}
	case map[string]any:
		return validObject(v, schema)
	}
	return ""
}

func validObject(v map[string]any, schema map[string]any) string {
	properties, _ := schema["properties"].(map[string]any)
	for name, value := range v {
		p, ok := properties[name].(map[string]any)
		if !ok && schema["additionalProperties"] == false {
			return name + " is no field"
		}
		if wrong := valid(value, p); wrong != "" {
			return name + ": " + wrong
		}
	}
	required, _ := schema["required"].([]any)
	for _, name := range required {
		p, _ := properties[name.(string)].(map[string]any)
		if _, ok := v[name.(string)]; !ok && !typed(nil, p["type"]) {
			return name.(string) + " is missing"
		}
	}
	return ""
}

// typed reports whether a value has the type, or one of the types, that a schema names.
func typed(v any, kind any) bool {
	if kinds, ok := kind.([]any); ok {
		return slices.ContainsFunc(kinds, func(k any) bool { return typed(v, k) })
	}
	ok := true
	switch kind {
	case "string":
		_, ok = v.(string)
	case "array":
		_, ok = v.([]any)
	case "object":
		_, ok = v.(map[string]any)
	case "null":
		ok = v == nil
	}
	return ok
}
