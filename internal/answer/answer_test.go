package answer

import (
	"strings"
	"testing"
)

func schema(t *testing.T, text string) *Schema {
	t.Helper()
	s, err := Read([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

const list = `{"type":"object","required":["items"],"properties":{"items":{"type":"array","items":{"$ref":"#/$defs/item"}},
"map":{"type":"object","additionalProperties":{"type":"string"}},"pair":{"type":"array","prefixItems":[{"type":"string"},{"type":"number"}]},
"a/b":{"enum":["x","y"]},"either":{"anyOf":[{"type":"string"},{"type":"object","required":["q"]}]}},
"$defs":{"item":{"type":"object","required":["name"],"properties":{"name":{"type":"string"},"sub":{"type":"array","items":{"type":"integer"}}},"additionalProperties":false}}}`

func TestAMisfitIsNamedWhereItStands(t *testing.T) {
	s := schema(t, list)
	for _, c := range []struct{ text, path, what string }{
		{`{"items":[{"name":"a"},{"name":3}]}`, "/items/1/name", "string"},
		{`{"items":[{"name":"a"},{"name":"b"},{}]}`, "/items/2", "name"},
		{`{"items":[{"name":"a"},{"name":"b","sub":[1,2.5]}]}`, "/items/1/sub/1", "integer"},
		{`{"items":[{"name":"a","more":1}]}`, "/items/0", "more"},
		{`{}`, "/", "items"},
		{`[]`, "/", "object"},
		{`{"items":[],"map":{"a":"x","b":2}}`, "/map/b", "string"},
		{`{"items":[],"pair":["x","y"]}`, "/pair/1", "number"},
		{`{"items":[],"a/b":"z"}`, "/a~1b", "enum"},
		{`{"items":[],"either":{}}`, "/either", "anyOf"},
		{`{"items":[{"name":"a"},{"name":"b","sub":[1,{}],"name":"c"}]}`, "/items/1/name", "twice"},
		{`{"items":[],"a/b":"x","\u0061/b":"y"}`, "/a~1b", "twice"},
		{`all is well`, "/", "no JSON"},
	} {
		_, m := s.Take(c.text)
		if m == nil || m.Path != c.path || !strings.Contains(m.Text, c.what) {
			t.Errorf("%s: %+v, want %s at %s", c.text, m, c.what, c.path)
		}
	}
}

func TestTheValueIsTakenOutOfWhatStandsAroundIt(t *testing.T) {
	s := schema(t, list)
	const value = `{"items":[{"name":"日本 {x}"}]}`
	for _, text := range []string{value, "\n" + value + "\n", "Here it is:\n\n```json\n" + value + "\n```\nDone.", "It is " + value + " as wished.", "```\n[1]\n```\n```json\n" + value + "\n```"} {
		if got, m := s.Take(text); m != nil || string(got) != value {
			t.Errorf("%q: %s, %+v", text, got, m)
		}
	}
	for _, text := range []string{value[:20], value + value, ""} {
		if got, m := s.Take(text); m == nil && string(got) != value {
			t.Errorf("%q was taken: %s", text, got)
		}
	}
}

func TestWhatIsNoSchemaIsRefused(t *testing.T) {
	for _, text := range []string{``, `{`, `[]`, `{"$ref":"https://example.org/x.json"}`, `{"type":7}`, `{"pattern":"("}`, `{"type":"strng"}`, `{"properties":{"a":{"type":["string","nul"]}}}`, `{"items":{"type":"float"}}`} {
		if _, err := Read([]byte(text)); err == nil {
			t.Errorf("%q is taken for a schema", text)
		}
	}
}

// A schema that leads back to itself for the same value would never be done with; one that goes on in the value is.
func TestSchemasThatNeverEndAreRefused(t *testing.T) {
	for _, text := range []string{
		`{"$ref":"#"}`, `{"allOf":[{"$ref":"#"}]}`, `{"$defs":{"a":{"$ref":"#/$defs/b"},"b":{"anyOf":[{"$ref":"#/$defs/a"}]}},"properties":{"x":{"$ref":"#/$defs/a"}}}`,
		`{"$dynamicRef":"#"}`, `{"not":{"if":{"$ref":"#/not"}}}`, `{"$defs":{"a":{"$anchor":"me","oneOf":[{"$ref":"#me"}]}},"items":{"$ref":"#me"}}`,
	} {
		if _, err := Read([]byte(text)); err == nil {
			t.Errorf("%s is taken", text)
		}
	}
	tree := schemaOf(t, `{"$defs":{"node":{"type":"object","properties":{"next":{"$ref":"#/$defs/node"}},"additionalProperties":false}},"$ref":"#/$defs/node"}`)
	if _, m := tree.Take(`{"next":{"next":{}}}`); m != nil {
		t.Errorf("a list of nodes does not fit: %+v", m)
	}
	if _, m := tree.Take(`{"next":{"next":7}}`); m == nil {
		t.Error("7 is taken for a node")
	}
}

func schemaOf(t *testing.T, text string) *Schema {
	t.Helper()
	s, err := Read([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func FuzzTake(f *testing.F) {
	f.Add(`{"items":[{"name":3}]}`)
	f.Add("```json\n{\n```")
	f.Fuzz(func(t *testing.T, text string) {
		value, m := schema(t, list).Take(text)
		if (value == nil) == (m == nil) {
			t.Errorf("%q: %s and %+v", text, value, m)
		}
	})
}
