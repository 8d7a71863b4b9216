package wire

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strings"
	"time"

	"nebula"
)

// Schema is the JSON Schema of everything that is sent: commands and events with their versions, made from the types.
func Schema() ([]byte, error) {
	s := schemer{defs: map[string]any{}, at: "#/$defs/"}
	commands, events := map[string]any{}, map[string]any{}
	for name, c := range nebula.Commands() {
		commands[name] = s.tagged(name, nebula.CommandForm, reflect.TypeOf(c), nil)
	}
	for name, b := range nebula.Bodies() {
		events[name] = s.tagged(name, nebula.Form, reflect.TypeOf(b), map[string]any{
			"seq": map[string]any{"type": "integer"}, "at": map[string]any{"type": "string", "format": "date-time"}})
	}
	return json.MarshalIndent(map[string]any{
		"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "nebula: commands and events",
		"$defs":   s.defs,
		"command": map[string]any{"oneOf": inOrder(commands)}, "event": map[string]any{"oneOf": inOrder(events)},
		"properties": map[string]any{
			"request": s.of(reflect.TypeFor[request]()), "answer": s.of(reflect.TypeFor[answer]()),
			"sessions": s.of(reflect.TypeFor[[]nebula.SessionInfo]()), "plans": s.of(reflect.TypeFor[[]nebula.PlanInfo]()),
			"models": s.of(reflect.TypeFor[[]nebula.ModelInfo]()), "undoable": s.of(reflect.TypeFor[nebula.Undoable]()),
			"image": s.of(reflect.TypeFor[nebula.Image]()),
		},
	}, "", "  ")
}

func inOrder(all map[string]any) (list []any) {
	for _, name := range slices.Sorted(maps.Keys(all)) {
		list = append(list, all[name])
	}
	return list
}

// Shapes are the JSON Schemas of values' types, in their order, and those that they refer to by name below a place of a document.
func Shapes(at string, values ...any) (of []map[string]any, named map[string]any) {
	s := schemer{defs: map[string]any{}, at: at}
	for _, v := range values {
		var shape map[string]any // of nothing
		if v != nil {
			shape = s.of(reflect.TypeOf(v))
		}
		of = append(of, shape)
	}
	return of, s.defs
}

// A schemer names the types that it has met, below a place of the document.
type schemer struct {
	defs map[string]any
	at   string
}

// tagged is an object that says what it is and in which form, with a type's fields beside that.
func (s schemer) tagged(name string, form int, t reflect.Type, more map[string]any) map[string]any {
	properties, required := s.fields(t)
	maps.Copy(properties, more)
	properties["type"] = map[string]any{"const": name}
	properties["v"] = map[string]any{"const": form}
	required = append([]string{"type", "v"}, required...)
	return map[string]any{"title": name, "type": "object", "properties": properties, "required": required}
}

// fields are an object's properties, and those that are always there. What a struct embeds is beside its own.
func (s schemer) fields(t reflect.Type) (properties map[string]any, required []string) {
	properties = map[string]any{}
	if t == reflect.TypeFor[nebula.Inform]() {
		one := map[string]any{"type": "object", "properties": map[string]any{"type": map[string]any{"type": "string"}, "body": map[string]any{}}}
		properties["bodies"] = map[string]any{"type": "array", "items": one}
		return properties, nil
	}
	for f := range t.Fields() {
		tag, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case f.Anonymous && tag == "" && f.Type.Kind() == reflect.Struct:
			more, always := s.fields(f.Type)
			maps.Copy(properties, more)
			required = append(required, always...)
			continue
		case !f.IsExported() || tag == "-":
			continue
		}
		if tag == "" {
			tag = f.Name
		}
		properties[tag] = s.of(f.Type)
		if !strings.Contains(options, "omit") {
			required = append(required, tag)
		}
	}
	return properties, required
}

// plain are the types that are written as something else than their fields.
var plain = map[reflect.Type]map[string]any{
	reflect.TypeFor[json.RawMessage](): {},
	reflect.TypeFor[time.Time]():       {"type": "string", "format": "date-time"},
	reflect.TypeFor[[]byte]():          {"type": []string{"string", "null"}, "contentEncoding": "base64"},
	reflect.TypeFor[nebula.Event]():    {"$ref": "#/event"},
}

// kinds are the words for what is written as one value.
var kinds = map[reflect.Kind]string{
	reflect.String: "string", reflect.Bool: "boolean", reflect.Float64: "number", reflect.Int: "integer", reflect.Int64: "integer",
	reflect.Uint32: "integer", reflect.Int32: "integer",
}

func (s schemer) of(t reflect.Type) map[string]any {
	if p, ok := plain[t]; ok {
		return p
	}
	switch t.Kind() {
	case reflect.Pointer:
		return map[string]any{"anyOf": []any{s.of(t.Elem()), map[string]any{"type": "null"}}}
	case reflect.Slice:
		return map[string]any{"type": []string{"array", "null"}, "items": s.of(t.Elem())}
	case reflect.Map:
		return map[string]any{"type": "object", "additionalProperties": s.of(t.Elem())}
	case reflect.Struct:
		return s.named(t)
	}
	if kind := kinds[t.Kind()]; kind != "" {
		return map[string]any{"type": kind}
	}
	return map[string]any{}
}

// named puts a struct among the definitions, and refers to it.
func (s schemer) named(t reflect.Type) map[string]any {
	name := t.Name()
	if _, ok := s.defs[name]; !ok {
		s.defs[name] = nil // it may hold itself
		properties, required := s.fields(t)
		def := map[string]any{"type": "object", "properties": properties}
		if len(required) > 0 {
			def["required"] = required
		}
		s.defs[name] = def
	}
	return map[string]any{"$ref": s.at + name}
}
