package mcp

import (
	"encoding/json"
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

// Each program has words of its own for the same.
func TestServersOfOtherProgramsMeanTheSame(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`{"mcp":{"a":{"type":"local","command":["npx","-y","x"],"environment":{"K":"{env:V}"},"enabled":false}}}`:                        `{"type":"local","command":"npx","args":["-y","x"],"env":{"K":"{env:V}"},"disabled":true}`,
		`{"mcpServers":{"a":{"httpUrl":"https://h/mcp","headers":{"A":"b"},"timeout":5000}}}`:                                            `{"url":"https://h/mcp","headers":{"A":"b"},"timeout":5}`,
		`{"mcpServers":{"a":{"serverUrl":"https://h/mcp"}}}`:                                                                             `{"url":"https://h/mcp"}`,
		`{"mcp_servers":{"a":{"url":"https://h/mcp","bearer_token_env_var":"T","http_headers":{"X":"1"},"env_http_headers":{"Y":"W"}}}}`: `{"url":"https://h/mcp","headers":{"Authorization":"Bearer ${T}","X":"1","Y":"${W}"}}`,
		`{"mcpServers":{"a":{"command":"x","enabled":true}}}`:                                                                            `{"command":"x"}`,
	} {
		list, left, err := Parse([]byte(text), "f")
		if err != nil || len(left) != 0 || len(list) != 1 {
			t.Fatalf("%s: %+v %v %v", text, list, left, err)
		}
		if got, _ := json.Marshal(list[0]); string(got) != want {
			t.Errorf("%s: %s", text, got)
		}
	}
	for name, want := range map[string]string{"io.github.x/y": "io-github-x-y", "Sequential Thinking": "Sequential-Thinking", "@scope/s": "scope-s"} {
		if list, _, _ := Parse([]byte(`{"`+name+`":{"command":"x"}}`), "f"); len(list) != 1 || list[0].Name != want {
			t.Errorf("%s: %+v", name, list)
		}
	}
	kept := []byte(`{"mcpServers":{"all":{"command":"x"}},"projects":{"/w":{"mcpServers":{"one":{"command":"y"}}},"/v":{"mcpServers":{"other":{"command":"z"}}}}}`)
	if list, _, err := Local(kept, "f", "/w"); err != nil || len(list) != 1 || list[0].Name != "one" {
		t.Errorf("%+v %v", list, err)
	}
	if !Rooted(kept) || Rooted([]byte(`{"permissions":{},"model":"m"}`)) {
		t.Error("what has no servers in it is taken for a list of them")
	}
}

func TestWhatCannotBeAServerIsLeftOutAndSaid(t *testing.T) {
	for text, want := range map[string]string{
		`{"a;b":{"command":"x"}}`: "letters, digits",
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
	s := Server{Command: "${BIN:-node}", Args: []string{"${A}", "x${env:B}"}, Env: map[string]string{"K": "${MISSING}", "L": "{env:A}"}, Headers: map[string]string{"H": "${input:b}", "I": "${input:gh-token}"}}
	out, missing := s.Expanded(func(n string) string { return map[string]string{"A": "1", "B": "2"}[n] })
	if out.What() != "node 1 x2" || !slices.Equal(missing, []string{"GH_TOKEN", "MISSING"}) || out.Env["L"] != "1" || out.Headers["H"] != "2" || s.Args[0] != "${A}" {
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

// What a server's entry says and nothing here does is named; the server is there all the same.
func TestWhatIsNotDoneOfAServerIsSaid(t *testing.T) {
	list, left, err := Parse([]byte(`{"servers":{"a":{"command":"x","envFile":"${workspaceFolder}/.env","excludeTools":["rm"],"timeout":5,"description":"mine"},"b":{"command":"y","env_vars":["TOKEN"]}}}`), "f")
	if err != nil || len(list) != 2 || len(left) != 1 || !strings.HasSuffix(left[0].String(), "about envFile, excludeTools") {
		t.Errorf("%v %v %v", list, left, err)
	}
	if list[1].Env["TOKEN"] != "${TOKEN}" {
		t.Errorf("%v", list[1].Env)
	}
}
