package serve

import (
	"encoding/json"
	"strings"

	"nebula/internal/wire"
)

// OpenAPI is the description of all routes for programs, made from the table and the types.
func OpenAPI(version string) ([]byte, error) {
	paths, list := map[string]any{}, routes()
	var types []any
	for _, r := range list {
		types = append(types, r.Takes, r.Gives)
	}
	shapes, named := wire.Shapes("#/components/schemas/", append(types, Problem{})...)
	problem := content("application/json", shapes[len(shapes)-1])
	for i, r := range list {
		if paths[r.Path] == nil {
			paths[r.Path] = map[string]any{}
		}
		paths[r.Path].(map[string]any)[strings.ToLower(r.Method)] = r.described(shapes[2*i], shapes[2*i+1], problem)
	}
	return json.MarshalIndent(map[string]any{
		"openapi": "3.1.0",
		"info":    map[string]any{"title": "nebula serve", "version": version, "description": "Sessions of nebula for other programs. Events and commands have the forms of docs/schema.json."},
		"paths":   paths, "components": map[string]any{"schemas": named},
	}, "", "  ")
}

func content(kind string, shape map[string]any) map[string]any {
	return map[string]any{kind: map[string]any{"schema": shape}}
}

func (r route) described(takes, gives, problem map[string]any) map[string]any {
	ok := map[string]any{"description": "done"}
	switch {
	case strings.HasSuffix(r.Path, "/events"):
		ok["content"] = content("text/event-stream", map[string]any{"type": "string"})
	case r.Gives != nil:
		ok["content"] = content("application/json", gives)
	}
	parameters := []any{}
	parameter := func(name, in string, required bool) {
		parameters = append(parameters, map[string]any{"name": name, "in": in, "required": required, "schema": map[string]any{"type": "string"}})
	}
	for part := range strings.SplitSeq(r.Path, "/") {
		if name, is := strings.CutPrefix(part, "{"); is {
			parameter(strings.TrimSuffix(name, "}"), "path", true)
		}
	}
	for _, name := range r.Query {
		parameter(name, "query", name == "dir")
	}
	about := map[string]any{
		"summary": r.About, "operationId": strings.Join(strings.FieldsFunc(strings.ToLower(r.Method)+r.Path, func(c rune) bool { return strings.ContainsRune("/{}.", c) }), "_"),
		"responses": map[string]any{"200": ok, "default": map[string]any{"description": "why it was not done", "content": problem}},
	}
	if len(parameters) > 0 {
		about["parameters"] = parameters
	}
	if r.Takes != nil {
		about["requestBody"] = map[string]any{"required": true, "content": content("application/json", takes)}
	}
	return about
}
