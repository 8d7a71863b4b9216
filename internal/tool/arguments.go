package tool

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"nebula"
)

// arguments reads an action's arguments into the fields of into. What the tool does not know, what is missing and what
// has the wrong type is a mistake that names it.
func arguments(a nebula.Action, spec nebula.ToolSpec, into any) error {
	given := map[string]json.RawMessage{}
	raw := bytes.TrimSpace(a.Args)
	if len(raw) == 0 {
		raw = []byte("{}")
	}
	if err := json.Unmarshal(raw, &given); err != nil || given == nil {
		return unfit(spec, "The arguments of %s are not a JSON object.", spec.Name)
	}
	for name, value := range given {
		if bytes.Equal(value, []byte("null")) {
			delete(given, name)
		}
	}
	for _, p := range spec.Params {
		if _, ok := given[p.Name]; p.Required && !ok {
			return unfit(spec, "%s needs %q.", spec.Name, p.Name)
		}
	}
	for name := range given {
		known := func(p nebula.Param) bool { return p.Name == name }
		if name != "reason" && !slices.ContainsFunc(spec.Params, known) {
			return unfit(spec, "%s takes no %q.", spec.Name, name)
		}
	}
	delete(given, "reason")
	clean, err := json.Marshal(given)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(clean, into); err != nil {
		return mistyped(spec, err)
	}
	return nil
}

func mistyped(spec nebula.ToolSpec, err error) error {
	if m := (*nebula.Mistake)(nil); errors.As(err, &m) {
		return m
	}
	wrong := (*json.UnmarshalTypeError)(nil)
	if !errors.As(err, &wrong) {
		return unfit(spec, "The arguments of %s could not be read: %v.", spec.Name, err)
	}
	for _, p := range spec.Params {
		if first, _, _ := strings.Cut(wrong.Field, "."); first == p.Name {
			kind := p.Type
			if wrong.Field != p.Name {
				kind = `list of {"old":"…","new":"…"}`
			}
			return mistakef("Give it as that.", "%q of %s must be of type %s, not %s.", p.Name, spec.Name, kind, wrong.Value)
		}
	}
	return unfit(spec, "The arguments of %s have a wrong type.", spec.Name)
}

// unfit is a mistake in a tool's arguments, which it names.
func unfit(spec nebula.ToolSpec, format string, args ...any) error {
	return nebula.Wrong("", format, args...).Then("Arguments: %s.", names(spec))
}

func names(spec nebula.ToolSpec) string {
	var all []string
	for _, p := range spec.Params {
		if p.Required {
			all = append(all, p.Name)
		} else {
			all = append(all, p.Name+"?")
		}
	}
	return strings.Join(append(all, "reason"), ", ")
}

// param is an argument of a tool.
//
//go:noinline
func param(name, kind string, required bool, about string) nebula.Param {
	return nebula.Param{Name: name, Type: kind, Required: required, Description: about}
}

// payload is a required argument that holds a file's content or a command.
func payload(name, about string) nebula.Param {
	return nebula.Param{Name: name, Type: "string", Required: true, Description: about, Payload: true}
}
