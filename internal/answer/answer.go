// Package answer holds an answer to a JSON Schema: it takes the JSON out of what a model said, and says where it does not fit.
package answer

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"nebula"
	"nebula/internal/lists"
	"nebula/internal/phrase"
)

// A Schema is what an answer has to be.
type Schema struct {
	text     string // on one line
	resolved *jsonschema.Resolved
}

// Read reads a schema, which may refer to nothing outside of itself.
func Read(data []byte) (*Schema, error) {
	var compact bytes.Buffer
	if err := json.Compact(&compact, data); err != nil {
		return nil, nebula.Errorf("it is no JSON: %w", err)
	}
	if begin := compact.Bytes()[0]; begin != '{' && begin != 't' && begin != 'f' {
		return nil, nebula.Errorf("it is no JSON Schema, which is an object, as in %s", `{"type": "object"}`)
	}
	var schema jsonschema.Schema
	if err := json.Unmarshal(data, &schema); err != nil {
		return nil, misread(err)
	}
	named := map[string]*jsonschema.Schema{"#": &schema}
	name("#", &schema, named)
	if err := circular(named); err != nil {
		return nil, err
	}
	resolved, err := schema.Resolve(nil)
	if err != nil {
		return nil, unresolved(err, named)
	}
	if v := (&void{named: named}); v.fits(&schema) == 0 {
		return nil, nebula.Errorf("nothing can fit it: %s contradicts itself, or refuses every value; correct it there", v.name())
	}
	return &Schema{compact.String(), resolved}, nil
}

// misread is why a schema cannot be read, in a person's words where the library has those of a program.
func misread(err error) error {
	wrong, ok := errors.AsType[*json.UnmarshalTypeError](err)
	if !ok {
		return nebula.Errorf("it is no JSON Schema: %w", err)
	}
	words := lists.Drop(strings.Split(wrong.Field, "."), func(w string) bool { return w == "" || w == "schemaWithoutMethods" })
	if len(words) == 0 {
		return nebula.Errorf("it is no JSON Schema: where a schema belongs stands another value (%s)", wrong.Value)
	}
	return nebula.Errorf("it is no JSON Schema: at %s stands a value of another type than belongs there (%s)", strings.Join(words, "."), wrong.Value)
}

// unresolved is why what a schema refers to, or its patterns, cannot be found or read.
func unresolved(err error, named map[string]*jsonschema.Schema) error {
	for _, at := range slices.Sorted(maps.Keys(named)) {
		s := named[at]
		switch _, bad := regexp.Compile(s.Pattern); {
		case bad != nil:
			return nebula.Errorf("%s has the pattern %s, which is no regular expression", at, s.Pattern)
		case s.Ref == "" || named[strings.TrimSuffix(s.Ref, "/")] != nil:
		case strings.HasPrefix(s.Ref, "#"):
			return nebula.Errorf("%s refers to %s, which is not in it", at, s.Ref)
		default:
			return nebula.Errorf("%s refers to %s, and nothing is read from elsewhere: put that into its $defs, and refer to it as #/$defs/NAME", at, s.Ref)
		}
	}
	return nebula.Errorf("it is no JSON Schema: %w", err)
}

// JSON is the schema on one line.
func (s *Schema) JSON() json.RawMessage { return json.RawMessage(s.text) }

// Wanted tells a model what its last answer has to be, behind what it is asked; Again asks it for another.
func (s *Schema) Wanted(lang string) string {
	return fmt.Sprintf(phrase.Pick(lang, map[string]string{
		"en": "Let your last answer, when the work is done, be only one JSON value that fits this JSON Schema, with nothing around it:\n%s",
		"ja": "作業が終わったら、最後の答えは、次の JSON Schema に合う JSON の値一つだけにしてください。前後には何も書かないでください。\n%s",
	}), s.text)
}

// Again is what a model is told whose answer does not fit.
func (s *Schema) Again(lang string, m *Misfit) string {
	return fmt.Sprintf(phrase.Pick(lang, map[string]string{
		"en": "Your last answer does not fit the JSON Schema. At %s: %s\nWrite the answer again: only the JSON value, with nothing around it, and no call. The schema:\n%s",
		"ja": "最後の答えが JSON Schema に合っていません。%s: %s\n答えをもう一度、JSON の値だけで書いてください。前後に何も書かず、道具も呼び出さないでください。スキーマ:\n%s",
	}), m.Path, m.Text, s.text)
}

// A Misfit is why an answer is not what it has to be, and where in it: a JSON Pointer, "/" for all of it.
type Misfit struct{ Path, Text string }

// Take takes the value out of an answer: all of it, what stands in its last fence, or the only one among its words. It must fit.
func (s *Schema) Take(text string) (json.RawMessage, *Misfit) {
	var first *Misfit
	for _, candidate := range candidates(text) {
		value, misfit := s.fits(candidate)
		if misfit == nil {
			return value, nil
		}
		if first == nil {
			first = misfit
		}
	}
	var found json.RawMessage
	for _, candidate := range among(text) {
		value, misfit := s.fits(candidate)
		switch {
		case misfit != nil && first == nil:
			first = misfit
		case misfit == nil && found != nil && !bytes.Equal(found, value):
			return nil, &Misfit{"/", "it holds more than one JSON value that fits"}
		case misfit == nil:
			found = value
		}
	}
	switch {
	case found != nil:
		return found, nil
	case first == nil:
		first = &Misfit{"/", "it holds no JSON value"}
	}
	return nil, first
}

// candidates are the parts of a text that are JSON as a whole: all of it, or its last fence.
func candidates(text string) (list []string) {
	fences := regexp.MustCompile("(?s)```[a-zA-Z]*\\n(.*?)```").FindAllStringSubmatch(text, -1)
	texts := []string{text}
	if len(fences) > 0 {
		texts = append(texts, fences[len(fences)-1][1])
	}
	for _, t := range texts {
		if json.Valid([]byte(t)) {
			list = append(list, strings.TrimSpace(t))
		}
	}
	return list
}

// mostAmong is how many values among words are looked at.
const mostAmong = 16

// among are the objects and lists that stand one behind the other in a text.
func among(text string) (list []string) {
	for tries := 0; tries < mostAmong; tries++ {
		i := strings.IndexAny(text, "{[")
		if i < 0 {
			break
		}
		var raw json.RawMessage
		d := json.NewDecoder(strings.NewReader(text[i:]))
		if d.Decode(&raw) != nil {
			text = text[i+1:]
			continue
		}
		list, text = append(list, string(raw)), text[i+int(d.InputOffset()):]
	}
	return list
}

func (s *Schema) fits(text string) (json.RawMessage, *Misfit) {
	var value any
	if err := json.Unmarshal([]byte(text), &value); err != nil {
		return nil, &Misfit{"/", "it holds a number that is too large"}
	}
	if at := twice(json.NewDecoder(strings.NewReader(text)), ""); at != "" {
		return nil, &Misfit{at, "this key stands twice in its object"}
	}
	fault := s.fault(value)
	if fault == "" {
		return json.RawMessage(text), nil
	}
	what := fault
	if all := steps().FindAllStringIndex(fault, -1); len(all) > 0 {
		what = fault[all[len(all)-1][1]:]
	}
	return nil, &Misfit{s.where(value, fault), phrase.OneLine(what, 200)}
}

// twice is the place of the first key that an object has twice, of which every reader takes another; empty for none. d reads
// what is JSON.
func twice(d *json.Decoder, place string) string {
	word, _ := d.Token()
	begin, ok := word.(json.Delim)
	if !ok {
		return ""
	}
	seen := map[any]bool{}
	for i := 0; d.More(); i++ {
		at := fmt.Sprintf("%s/%d", place, i)
		if begin == '{' {
			key, _ := d.Token()
			at = place + "/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(fmt.Sprint(key))
			if seen[key] {
				return at
			}
			seen[key] = true
		}
		if found := twice(d, at); found != "" {
			return found
		}
	}
	_, _ = d.Token() // its end
	return ""
}

func (s *Schema) fault(value any) string {
	if err := s.resolved.Validate(value); err != nil {
		line, _, _ := strings.Cut(err.Error(), "\n") // what each of several alternatives lacks would lead elsewhere
		return line
	}
	return ""
}

// steps are the places of the schema through which a fault was come to.
//
//go:noinline
func steps() *regexp.Regexp { return regexp.MustCompile(`validating (root|/[^ ]*): `) }

// where finds the place in a value that a fault is of. The fault names places of the schema; which element of a list and which
// key is meant is the first with which alone the fault is the same.
func (s *Schema) where(value any, fault string) string {
	place, before := "", ""
	put := func(v any) any { return v }
	for _, m := range steps().FindAllStringSubmatch(fault, -1) {
		words := strings.Split(strings.TrimPrefix(strings.TrimPrefix(m[1], before), "/"), "/")
		if before = m[1]; before == "root" {
			before = ""
			continue
		}
		key, next, around := s.step(words, value, put, fault)
		if key == "" {
			continue
		}
		outer := put
		place, value, put = place+"/"+strings.NewReplacer("~", "~0", "/", "~1").Replace(key), next, func(v any) any { return outer(around(v)) }
	}
	if place == "" {
		return "/"
	}
	return place
}

// step goes into a value as one step of a schema does: to the key of what is meant, what stands there, and what puts another
// value in its place. The key is empty for a step that stays.
func (s *Schema) step(words []string, value any, put func(any) any, fault string) (key string, next any, around func(any) any) {
	same := func(v any) bool { return s.fault(put(v)) == fault }
	object, _ := value.(map[string]any)
	list, _ := value.([]any)
	switch last := words[len(words)-1]; {
	case len(words) == 2 && words[0] == "properties":
		key = strings.NewReplacer("~1", "/", "~0", "~").Replace(last)
		return key, object[key], func(v any) any {
			other := maps.Clone(object)
			other[key] = v
			return other
		}
	case len(words) == 2 && words[0] == "prefixItems":
		if i, err := strconv.Atoi(last); err == nil && i < len(list) {
			return last, list[i], func(v any) any {
				other := lists.Clone(list)
				other[i] = v
				return other
			}
		}
	case last == "items":
		for i, v := range list {
			if same([]any{v}) {
				return strconv.Itoa(i), v, func(v any) any { return []any{v} }
			}
		}
	case last == "additionalProperties" || words[0] == "patternProperties":
		for _, k := range slices.Sorted(maps.Keys(object)) {
			if same(map[string]any{k: object[k]}) {
				return k, object[k], func(v any) any { return map[string]any{k: v} }
			}
		}
	}
	return "", nil, nil
}
