package answer

import (
	"strings"
	"testing"
)

// What no answer can fit is refused before it is asked for, and where it contradicts itself is named; what something fits is taken.
func TestWhatNothingCanFitIsRefused(t *testing.T) {
	for text, at := range map[string]string{
		`{"not":{}}`: "#", `false`: "#", `{"not":true}`: "#", `{"allOf":[false]}`: "#/allOf/0", `{"anyOf":[false,{"not":{}}]}`: "#/anyOf/1", `{"enum":[]}`: "#", `{"type":"integer","minimum":5,"maximum":3}`: "#",
		`{"type":"number","exclusiveMinimum":3,"maximum":3}`: "#", `{"type":"integer","minimum":1.2,"maximum":1.8}`: "#", `{"type":"string","minLength":5,"maxLength":3}`: "#", `{"type":"array","minItems":2,"maxItems":1}`: "#",
		`{"type":"object","minProperties":2,"maxProperties":1}`: "#", `{"type":"object","required":["a","b"],"maxProperties":1}`: "#", `{"type":"object","required":["a"],"properties":{"a":false}}`: "#/properties/a",
		`{"type":"object","required":["a"],"properties":{"a":{"type":"integer","minimum":5,"maximum":3}}}`: "#/properties/a", `{"type":"object","required":["a"],"additionalProperties":false}`: "#/additionalProperties",
		`{"type":"array","minItems":1,"items":false}`: "#/items", `{"allOf":[{"type":"string"},{"type":"number"}]}`: "#", `{"type":"string","enum":[1,2]}`: "#", `{"type":"string","const":3}`: "#", `{"type":"integer","const":3.5}`: "#",
		`{"$defs":{"x":{"type":"string","minLength":2,"maxLength":1}},"$ref":"#/$defs/x"}`: "#/$defs/x", `{"type":"null","anyOf":[{"type":"string"}]}`: "#", `{"type":"array","contains":{},"minContains":3,"maxContains":2}`: "#",
		`{"type":"object","required":["l"],"properties":{"l":{"type":"array","minItems":1,"items":{"type":"object","required":["n"],"properties":{"n":{"enum":[]}}}}}}`: "#/properties/l/items/properties/n",
		`{"type":["string","array"],"minLength":3,"maxLength":1,"minItems":3,"maxItems":1}`:                                                                             "#", `{"type":"object","required":["a"],"properties":{"o":false,"a":{"type":"integer","exclusiveMinimum":1,"exclusiveMaximum":1}}}`: "#/properties/a",
	} {
		if _, err := Read([]byte(text)); err == nil || !strings.Contains(err.Error(), "nothing can fit it: "+at+" contradicts itself") {
			t.Errorf("%s: %v, want %s", text, err, at)
		}
	}
	for text, value := range map[string]string{
		`true`: "1", `{}`: "1", `{"minimum":5,"maximum":3}`: `"x"`, `{"type":["string","integer"],"minimum":5,"maximum":3}`: `"x"`, `{"type":"object","properties":{"a":false}}`: `{}`, `{"type":"array","items":false}`: `[]`, `{"type":"integer","minimum":3,"maximum":3}`: `3`,
		`{"anyOf":[false,{"type":"string"}]}`: `"x"`, `{"not":{"type":"string"}}`: `1`, `{"type":"object","required":["a"],"additionalProperties":false,"properties":{"a":{}}}`: `{"a":1}`, `{"type":"number","enum":[1,2.5]}`: `2.5`, `{"type":"number","const":3}`: `3`,
		`{"type":"object","required":["a"],"additionalProperties":false,"patternProperties":{"a":{}}}`: `{"a":1}`, `{"allOf":[{"type":"integer"},{"type":"number"}]}`: `1`, `{"type":"integer","minimum":1.2,"maximum":2.8}`: `2`, `{"type":"integer","const":3.0}`: `3`,
		`{"$defs":{"n":{"type":"object","properties":{"next":{"$ref":"#/$defs/n"}}}},"$ref":"#/$defs/n"}`: `{"next":{}}`, `{"type":"array","minItems":1,"prefixItems":[{}],"items":false}`: `[1]`, `{"type":["string","null"],"minLength":3,"maxLength":1}`: `null`,
		`{"contains":{},"minContains":3,"maxContains":2}`: `1`, `{"minContains":3,"maxContains":2}`: `[]`, `{"required":["a"],"additionalProperties":false}`: `1`, `{"enum":[{"a":1},null,true,[1]]}`: `null`,
	} {
		s, err := Read([]byte(text))
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if _, misfit := s.Take(value); misfit != nil {
			t.Errorf("%s does not fit %s: %+v", value, text, misfit)
		}
	}
}

// Why a schema cannot be read is said in words, without those of the program that reads it.
func TestAFaultInASchemaIsSaidInWords(t *testing.T) {
	for text, want := range map[string]string{
		`[1]`: "which is an object", `null`: "which is an object", `"x"`: "which is an object", `{"properties":[]}`: "at properties stands", `{"properties":{"a":{"minimum":"x"}}}`: "at properties.minimum stands", `{"items":7}`: "where a schema belongs",
		`{"$ref":"https://example.org/x.json"}`: "put that into its $defs", `{"$defs":{"a":{"$ref":"b.json"}}}`: "#/$defs/a refers to b.json", `{"$ref":"#/$defs/a"}`: "which is not in it", `{"pattern":"("}`: "no regular expression",
	} {
		_, err := Read([]byte(text))
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "struct") || strings.Contains(err.Error(), "jsonschema.") {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}

// Of several values the one that fits is taken; of several that fit, none.
func TestOneValueAmongSeveralIsTaken(t *testing.T) {
	s := schema(t, `{"type":"object","required":["a"],"properties":{"a":{"type":"number"}}}`)
	for text, want := range map[string]string{
		`{"a":1}{"a":2}`: "more than one", "{\"a\":1}\n{\"a\":2}": "more than one", `First {"a":1}, then {"a":2}.`: "more than one", `{"b":1} {"a":2}`: `{"a":2}`, `{"a":1}{"a":1}`: `{"a":1}`, `As [1] says: {"a":1}`: `{"a":1}`,
		"```json\n{\"a\":1}\n```\nor {\"a\":2}": `{"a":1}`, `{"a":1e999}`: "too large", `{"a":"x"} {"b":1}`: "number", `See [x] and {y}.`: "no JSON value",
	} {
		got, misfit := s.Take(text)
		if misfit != nil {
			got = []byte(misfit.Text)
		}
		if !strings.Contains(string(got), want) || misfit == nil != strings.HasPrefix(want, "{") {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}
