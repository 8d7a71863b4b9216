package protocol

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"nebula"
	"nebula/internal/lists"
)

// given is what a call's arguments say.
type given struct {
	args            json.RawMessage // in the tool's words, in their order
	reason, problem string
	late            bool     // they say that it is not to be done now
	needs           []string // what it depends on
	ignored         []string // names of what says nothing that the tool understands
	points          *nebula.Points
}

// arguments puts raw into the tool's words: its parameters in their order, the reason apart, and what is wrong.
func arguments(raw json.RawMessage, spec nebula.ToolSpec, tools []nebula.ToolSpec) given {
	fields, problem := fieldsOf(raw, spec)
	if problem != "" {
		return given{args: json.RawMessage("{}"), problem: problem}
	}
	c := given{problem: again(fields)}
	var outer []field
	free := strangers(fields, spec)
	if inner, ok := unwrap(fields, free, spec); ok {
		c.reason = takeReason(free)
		outer = lists.Drop(free, func(f field) bool { return lists.Has(envelopes, f.folded) })
		fields, free = inner, strangers(inner, spec)
		c.problem = cmp.Or(c.problem, again(inner))
	}
	if r := takeReason(free); r != "" {
		c.reason = r
	}
	var missing, wrong []string
	var out bytes.Buffer
	used := map[string]bool{}
	for _, p := range spec.Params {
		value, ok := pick(fields, free, p, used)
		if !ok {
			if p.Required {
				missing = append(missing, p.Name)
			}
			continue
		}
		fitted, complaint := fit(value, p, spec.Effect)
		if complaint != "" {
			wrong = append(wrong, complaint)
			continue
		}
		appendField(&out, p.Name, fitted)
	}
	c.args, c.problem = closedObject(&out).JSON, cmp.Or(c.problem, complaints(spec, missing, wrong))
	c.extras(append(outer, surplus(fields, free, used)...), spec, tools)
	return c
}

// again is the problem of fields of which one is given twice, whatever form they were written in: nobody knows which one is meant. In
// another spelling one may say the same again.
func again(fields []field) string {
	for i, f := range fields {
		if slices.ContainsFunc(fields[:i], func(g field) bool {
			return g.folded == f.folded && (g.key == f.key || !bytes.Equal(g.value, f.value))
		}) {
			return Ambiguous(Reading{Twice: f.key})
		}
	}
	return ""
}

// surplus are the strangers that were taken for nothing, and that do not say the same as what was.
func surplus(fields, free []field, used map[string]bool) []field {
	var rest []field
	for _, f := range free {
		same := func(g field) bool {
			return g.value[0] == '"' && bytes.Equal(g.value, f.value) && used[g.key]
		}
		if !used[f.key] && !slices.ContainsFunc(fields, same) {
			rest = append(rest, f)
		}
	}
	return rest
}

func appendField(out *bytes.Buffer, name string, value json.RawMessage) {
	if out.Len() == 0 {
		out.WriteByte('{')
	} else {
		out.WriteByte(',')
	}
	out.Write(Quote(name))
	out.WriteByte(':')
	out.Write(value)
}

func complaints(spec nebula.ToolSpec, missing, wrong []string) string {
	if len(missing) == 0 && len(wrong) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString(spec.Name)
	if len(missing) > 0 {
		fmt.Fprintf(&b, " needs %s", strings.Join(missing, " and "))
	}
	for i, w := range wrong {
		if i > 0 || len(missing) > 0 {
			b.WriteByte(';')
		}
		b.WriteString(" " + w)
	}
	return b.String() + ". Arguments: " + Signature(spec) + "."
}

// Signature is a tool's arguments in one line: name and type, optional ones with a question mark.
func Signature(spec nebula.ToolSpec) string {
	if len(spec.Params) == 0 {
		return "none"
	}
	params := spec.Taught()
	parts := make([]string, len(params))
	for i, p := range params {
		optional := ""
		if !p.Required {
			optional = "?"
		}
		parts[i] = fmt.Sprintf("%s%s (%s)", p.Name, optional, kindOf(p))
	}
	return strings.Join(parts, ", ")
}

// kindOf is a parameter's type; of a list of objects it is their form.
func kindOf(p nebula.Param) string {
	if form := ItemForm(p); form != "" {
		return form
	}
	return typeOf(p)
}

// ItemForm shows what a list of objects holds; it is empty for any other parameter.
func ItemForm(p nebula.Param) string {
	fields := ItemFields(p)
	if len(fields) == 0 {
		return ""
	}
	return `[{"` + strings.Join(fields, `":"…","`) + `":"…"}]`
}

type field struct {
	key, folded string
	value       json.RawMessage
}

// fieldsOf reads an object's fields in order, values as they are written.
func fieldsOf(raw json.RawMessage, spec nebula.ToolSpec) ([]field, string) {
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 || string(raw) == "null" {
		return nil, ""
	}
	if raw[0] == '"' {
		return fieldsOfString(raw, spec)
	}
	if raw[0] != '{' {
		return nil, fmt.Sprintf("%s takes a JSON object. Arguments: %s.", spec.Name, Signature(spec))
	}
	fields, err := objectFields(raw)
	if err != nil {
		return nil, fmt.Sprintf("the arguments are not valid JSON: %v. Arguments of %s: %s.", err, spec.Name, Signature(spec))
	}
	return fields, ""
}

// fieldsOfString reads arguments that came as one JSON string: an object encoded twice, or the only argument needed.
func fieldsOfString(raw json.RawMessage, spec nebula.ToolSpec) ([]field, string) {
	var s string
	if err := json.Unmarshal(raw, &s); err != nil {
		return nil, "the arguments are not valid JSON: " + err.Error() + "."
	}
	if inner := strings.TrimSpace(s); strings.HasPrefix(inner, "{") {
		if fields, err := objectFields(json.RawMessage(inner)); err == nil {
			return fields, ""
		}
	}
	if only, ok := onlyRequired(spec); ok && typeOf(only) == "string" {
		return []field{{only.Name, fold(only.Name), raw}}, ""
	}
	return nil, fmt.Sprintf("%s takes a JSON object. Arguments: %s.", spec.Name, Signature(spec))
}

func onlyRequired(spec nebula.ToolSpec) (only nebula.Param, ok bool) {
	for _, p := range spec.Params {
		if p.Required {
			if ok {
				return only, false
			}
			only, ok = p, true
		}
	}
	return only, ok
}

func objectFields(raw json.RawMessage) ([]field, error) {
	m, ok := Walk(string(raw), 0, 1)
	if !ok || m.closer != '}' {
		return nil, errors.New("there is no object")
	}
	var fields []field
	for m.Next() {
		key := m.Key
		if !m.pass() {
			break
		}
		value := raw[m.Start:m.Pos()]
		if len(m.p.out) > 0 {
			value = json.RawMessage(m.p.since(0))
		}
		fields = append(fields, field{key, fold(key), value})
	}
	if m.Err == nil && (m.Cut || len(m.Repairs()) > 0) {
		m.Err = errors.New("the object is not JSON to the letter")
	}
	return fields, m.Err
}

// strangers are the fields that are none of the tool's.
//
//go:noinline
func strangers(fields []field, spec nebula.ToolSpec) []field {
	var free []field
	for _, f := range fields {
		if !hasParam(spec, f) {
			free = append(free, f)
		}
	}
	return free
}

// unwrap takes arguments out of a wrapper object that stands where they should stand themselves.
func unwrap(fields, free []field, spec nebula.ToolSpec) ([]field, bool) {
	if len(free) < len(fields) {
		return nil, false
	}
	for _, f := range free {
		if lists.Has(envelopes, f.folded) {
			out, problem := fieldsOf(f.value, spec)
			return out, problem == ""
		}
	}
	return nil, false
}

func hasParam(spec nebula.ToolSpec, f field) bool {
	for _, p := range spec.Params {
		if p.Name == f.key || len(p.Name) <= len(f.key) && fold(p.Name) == f.folded {
			return true
		}
	}
	return false
}

func takeReason(free []field) string {
	for _, name := range reasons {
		for _, f := range free {
			var s string
			if f.folded == name && json.Unmarshal(f.value, &s) == nil && s != "" {
				return s
			}
		}
	}
	return ""
}

// pick finds a parameter's value: under its name, its name in another spelling, or a usual other name, which is used then.
func pick(fields, free []field, p nebula.Param, used map[string]bool) (json.RawMessage, bool) {
	for _, f := range fields {
		if f.key == p.Name && (f.value[0] != '"' || typeOf(p) != "array") {
			used[f.key] = true
			return f.value, !isNull(f.value)
		}
	}
	name := fold(p.Name)
	if list, ok := changesOf(fields, p, used); ok {
		return list, true
	}
	for _, f := range fields {
		if f.folded == name {
			used[f.key] = true
			return f.value, !isNull(f.value)
		}
	}
	if len(free) == 0 {
		return nil, false
	}
	for _, other := range argumentWords[name] {
		for _, f := range free {
			if f.folded == other && !isNull(f.value) {
				used[f.key] = true
				return f.value, true
			}
		}
	}
	return wrapItem(free, p, used)
}

// wrapItem makes a list of one out of an item's own fields when they stand where the list should stand.
func wrapItem(free []field, p nebula.Param, used map[string]bool) (json.RawMessage, bool) {
	required, others := itemFields(p)
	if len(required) == 0 {
		return nil, false
	}
	var out bytes.Buffer
	taken := map[string]bool{}
	for i, name := range lists.Concat(required, others) {
		value, ok := pick(free, free, nebula.Param{Name: name, Type: "string"}, taken)
		switch {
		case ok:
			appendField(&out, name, value)
		case i < len(required):
			return nil, false
		}
	}
	maps.Copy(used, taken)
	return lists.Concat([]byte("["), out.Bytes(), []byte("}]")), true
}

// ItemFields are the required fields of the objects in an array parameter.
//
//go:noinline
func ItemFields(p nebula.Param) []string {
	required, _ := itemFields(p)
	return required
}

// itemFields are the fields of the objects in an array parameter, those that are required apart.
func itemFields(p nebula.Param) (required, others []string) {
	if typeOf(p) != "array" || p.Schema == nil {
		return nil, nil
	}
	var schema struct {
		Items struct {
			Properties map[string]json.RawMessage
			Required   []string
		}
	}
	if json.Unmarshal(p.Schema, &schema) != nil {
		return nil, nil
	}
	for _, name := range slices.Sorted(maps.Keys(schema.Items.Properties)) {
		if !lists.Has(schema.Items.Required, name) {
			others = append(others, name)
		}
	}
	return schema.Items.Required, others
}
