package matter_test

import (
	"bytes"
	"encoding/json"
	"testing"

	"nebula/internal/matter"
)

// What is left out leaves blanks, so that an error's place is that in the file, and both forms say the same.
func TestWhatIsLeftOutLeavesItsPlace(t *testing.T) {
	for _, text := range []string{`{"a": 1}`, "// x\n{\"a\": [1, 2, ], /* y\n */ \"b\": \"// no\", }\n", `{"a": "\"/*", }`, "{ /* open", `{,}`, `]`, `{"a": {},` + "\n\n}"} {
		plain, spaced := matter.Plain([]byte(text)), matter.Spaced([]byte(text))
		if len(spaced) != len(text) || bytes.Count(spaced, []byte("\n")) != bytes.Count([]byte(text), []byte("\n")) {
			t.Errorf("%q: %q is not as long", text, spaced)
		}
		var one, other bytes.Buffer
		if a, b := json.Compact(&one, plain), json.Compact(&other, spaced); (a == nil) != (b == nil) || one.String() != other.String() {
			t.Errorf("%q: %q is not %q", text, spaced, plain)
		}
	}
}

// A value of another kind is said as a person calls it.
func TestWhatIsOfAnotherKindIsSaid(t *testing.T) {
	type Within struct {
		Args []string `json:"args"`
	}
	var doc struct {
		Within
		On   bool `json:"on"`
		Deep struct {
			Name string `json:"name"`
		} `json:"deep"`
	}
	for text, want := range map[string]string{
		`[]`: "it has to be an object", `{"args": "x"}`: "args has to be a list", `{"on": 1}`: "on has to be true or false",
		`{"deep": {"name": {}}}`: "deep.name has to be a text", `{`: "unexpected end of JSON input",
	} {
		if err := matter.Misfit(json.Unmarshal([]byte(text), &doc)); err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}
