package mcp

import (
	"slices"
	"strings"
	"testing"
)

func TestServersAreReadAsPeopleHaveThem(t *testing.T) {
	for name, text := range map[string]string{
		"Claude and Cursor": `{"mcpServers":{"files":{"command":"npx","args":["-y","x"],"env":{"A":"${B}"}}}}`,
		"VS Code":           "{\n// mine\n\"servers\": {\"files\": {\"type\":\"stdio\",\"command\":\"npx\",\"args\":[\"-y\",\"x\",], /* two */ \"env\":{\"A\":\"${B}\"},},},\n}",
		"ours":              `{"files":{"command":"npx","args":["-y","x"],"env":{"A":"${B}"}}}`,
	} {
		list, left, err := Parse([]byte(text), "f")
		if err != nil || len(left) != 0 || len(list) != 1 || list[0].Name != "files" || list[0].What() != "npx -y x" || list[0].Env["A"] != "${B}" {
			t.Errorf("%s: %+v %v %v", name, list, left, err)
		}
	}
}

func TestWhatCannotBeAServerIsLeftOutAndSaid(t *testing.T) {
	for text, want := range map[string]string{
		`{"a b":{"command":"x"}}`: "letters, digits",
		`{"a":{}}`:                "neither a command nor a url",
		`{"a":{"command":"x","url":"https://x"}}`: "one of them",
		`{"a":{"url":"file:///etc/passwd"}}`:      "no http address",
		`{"a":{"command":7}}`:                     "cannot be read",
		`{"a":{"type":"sse","url":"https://x"}}`:  "old SSE",
	} {
		list, left, err := Parse([]byte(text), "f")
		if err != nil || len(list) != 0 || len(left) != 1 || !strings.Contains(left[0].String(), want) {
			t.Errorf("%s: %+v %v %v", text, list, left, err)
		}
	}
}

func TestTextsWithSlashesAreNoComments(t *testing.T) {
	list, _, err := Parse([]byte(`{"a":{"url":"https://h/*x*/y","headers":{"q":"a\"//b,}"}}}`), "f")
	if err != nil || len(list) != 1 || list[0].URL != "https://h/*x*/y" || list[0].Headers["q"] != `a"//b,}` {
		t.Errorf("%+v %v", list, err)
	}
}

func TestVariablesAreFilledInAndMissingOnesNamed(t *testing.T) {
	s := Server{Command: "${BIN:-node}", Args: []string{"${A}", "x${env:B}"}, Env: map[string]string{"K": "${MISSING}"}}
	out, missing := s.Expanded(func(n string) string { return map[string]string{"A": "1", "B": "2"}[n] })
	if out.What() != "node 1 x2" || !slices.Equal(missing, []string{"MISSING"}) || s.Args[0] != "${A}" {
		t.Errorf("%+v %v", out, missing)
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(`{"mcpServers":{"a":{"command":"x"}}}`))
	f.Add([]byte("{/*"))
	f.Add([]byte(`{"a":"\`))
	f.Fuzz(func(t *testing.T, data []byte) {
		list, _, _ := Parse(data, "f")
		for _, s := range list {
			if !Names(s.Name) || s.Command == "" && s.URL == "" {
				t.Errorf("%+v", s)
			}
		}
	})
}
