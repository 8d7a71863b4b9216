package answer

import (
	"strconv"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"nebula"
	"nebula/internal/lists"
)

// types are what a value can be; empty where a schema does not say.
var types = []string{"", "null", "boolean", "object", "array", "number", "string", "integer"}

// circular tells where a schema leads back to itself without looking further into the value: checking by it would never end.
func circular(named map[string]*jsonschema.Schema) error {
	under, done := map[*jsonschema.Schema]bool{}, map[*jsonschema.Schema]bool{}
	var walk func(s *jsonschema.Schema, at string) error
	walk = func(s *jsonschema.Schema, at string) error {
		if s == nil || done[s] {
			return nil
		}
		if under[s] {
			return nebula.Errorf("%s refers to itself and says nothing of the value", at)
		}
		under[s] = true
		for _, next := range inPlace(s, named) {
			if err := walk(next, at); err != nil {
				return err
			}
		}
		under[s], done[s] = false, true
		return nil
	}
	for at, s := range named {
		for _, t := range append(s.Types, s.Type) {
			if !lists.Has(types, t) {
				return nebula.Errorf("%s has the type %s, which JSON Schema does not know", at, t)
			}
		}
		if s.DynamicRef != "" {
			return nebula.Errorf("%s uses $dynamicRef, which is not taken", at)
		}
		if err := walk(s, at); err != nil {
			return err
		}
	}
	return nil
}

// inPlace are the schemas that hold for the very value that a schema holds for.
func inPlace(s *jsonschema.Schema, named map[string]*jsonschema.Schema) (all []*jsonschema.Schema) {
	if s.Ref != "" {
		all = append(all, named[strings.TrimSuffix(s.Ref, "/")])
	}
	for _, list := range [][]*jsonschema.Schema{s.AllOf, s.AnyOf, s.OneOf, {s.Not, s.If, s.Then, s.Else}} {
		all = append(all, list...)
	}
	for _, one := range s.DependentSchemas {
		all = append(all, one)
	}
	return all
}

// name gives every schema below one the names that it can be referred to by.
func name(at string, s *jsonschema.Schema, named map[string]*jsonschema.Schema) {
	put := func(step string, one *jsonschema.Schema) {
		if one == nil || named[at+step] != nil {
			return
		}
		named[at+step] = one
		name(at+step, one, named)
	}
	for _, anchor := range []string{s.Anchor, s.DynamicAnchor} {
		if anchor != "" {
			named["#"+anchor] = s
		}
	}
	if s.ID != "" {
		named[s.ID] = s
	}
	for word, list := range map[string][]*jsonschema.Schema{"allOf": s.AllOf, "anyOf": s.AnyOf, "oneOf": s.OneOf, "prefixItems": s.PrefixItems} {
		for i, one := range list {
			put("/"+word+"/"+strconv.Itoa(i), one)
		}
	}
	for word, one := range map[string]*jsonschema.Schema{"not": s.Not, "if": s.If, "then": s.Then, "else": s.Else, "items": s.Items, "contains": s.Contains,
		"additionalProperties": s.AdditionalProperties, "propertyNames": s.PropertyNames, "unevaluatedItems": s.UnevaluatedItems, "unevaluatedProperties": s.UnevaluatedProperties} {
		put("/"+word, one)
	}
	for word, all := range map[string]map[string]*jsonschema.Schema{"$defs": s.Defs, "definitions": s.Definitions, "properties": s.Properties,
		"patternProperties": s.PatternProperties, "dependentSchemas": s.DependentSchemas} {
		for key, one := range all {
			put("/"+word+"/"+strings.NewReplacer("~", "~0", "/", "~1").Replace(key), one)
		}
	}
}
