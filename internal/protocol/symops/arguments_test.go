package symops

import (
	"fmt"
	"testing"

	"nebula"
	"nebula/internal/nebulatest"
)

// What stands behind the @ of a tool that has no word of its own is read the way it is meant, in whichever of these ways.
func TestArgumentsBehindTheTarget(t *testing.T) {
	for text, want := range map[string]string{
		"$ searchInDirectory @ src Flags":                        `{"directory":"src","keyword":"Flags"}`,
		"$ searchInDirectory @ src | Flags":                      `{"directory":"src","keyword":"Flags"}`,
		"$ searchInDirectory @ src, Flags":                       `{"directory":"src","keyword":"Flags"}`,
		`$ searchInDirectory @ src "a | b"`:                      `{"directory":"src","keyword":"a | b"}`,
		"$ searchInDirectory @ keyword=Flags src":                `{"directory":"src","keyword":"Flags"}`,
		"$ searchInDirectory @ src keyword=all flags":            `{"directory":"src","keyword":"all flags"}`,
		"$ searchInDirectory @ directory=src keyword='a b'":      `{"directory":"src","keyword":"a b"}`,
		"$ readFile @ a.go 10 20":                                `{"path":"a.go","offset":10,"limit":20}`,
		"$ readFile @ a.go offset=10":                            `{"path":"a.go","offset":10}`,
		"$ readFile @ chapter 10":                                `{"path":"chapter 10"}`,
		"$ list @ ./src true":                                    `{"path":"./src","recursive":true}`,
		`$ patchFile @ a.py {"edits":[{"old":"a b","new":"c"}]}`: `{"path":"a.py","edits":[{"new":"c","old":"a b"}]}`,
		`$ patchFile @ a.py edits=[{"old":"a b","new":"c"}]`:     `{"path":"a.py","edits":[{"new":"c","old":"a b"}]}`,
		`$ patchFile @ a.py [{"old":"a, b","new":""}]`:           `{"path":"a.py","edits":[{"new":"","old":"a, b"}]}`,
		`$ searchInDirectory @ src {"x":1}`:                      `{"directory":"src","keyword":"{x:1}"}`,
		"$ updateState @ goal=write the parser":                  `{"goal":"write the parser"}`,
	} {
		in := Protocol{}.Decode(nebula.Reply{Parts: nebula.Text(text), Finish: "stop"}, nebulatest.Specs())
		if len(in.Actions) != 1 || in.Actions[0].Problem != "" || string(in.Actions[0].Args) != want {
			t.Errorf("%s\n got %+v\nwant %s", text, in.Actions, want)
		}
	}
}

func TestQuestionsAreAskedWithoutQuotationMarks(t *testing.T) {
	for text, want := range map[string]string{
		`? "Which one?"`: "Which one?", "? 「どちらですか」": "どちらですか", "? Which one?": "Which one?", `? Is "a" or "b" right?`: `Is "a" or "b" right?`,
	} {
		in := Protocol{}.Decode(nebula.Reply{Parts: nebula.Text(text), Finish: "stop"}, nebulatest.Specs())
		if len(in.Questions) != 1 || in.Questions[0].Text != want {
			t.Errorf("%s asks %+v", text, in.Questions)
		}
	}
}

func TestADependencyIsNoRedirection(t *testing.T) {
	const made = "$ create @ a.go\n--\nx\n--\n"
	for text, want := range map[string]string{
		"$ test @ > a.go":                           `runTests {} [a.go]`,
		"$ run @ > a.go":                            `executeShell {} [a.go] !`,
		"$ test @ go test ./... > b.go":             `runTests {"command":"go test ./..."} [b.go]`,
		"$ test @ go test ./... > out.txt":          `runTests {"command":"go test ./... > out.txt"} []`,
		"$ test @ go test 2>&1":                     `runTests {"command":"go test 2>&1"} []`,
		"$ run @ cat a b > c.go":                    `executeShell {"command":"cat a b > c.go"} []`,
		"$ run @ cat a b >> c.go":                   `executeShell {"command":"cat a b >> c.go"} []`,
		made + "$ run @ go run ./... > a.go":        `executeShell {"command":"go run ./..."} [a.go]`,
		made + "$ test @ go test ./... > ./a.go":    `runTests {"command":"go test ./..."} [./a.go]`,
		made + "$ run @\n--\ngo run . > a.go\n--\n": `executeShell {"command":"go run . > a.go"} []`,
	} {
		in := Protocol{}.Decode(nebula.Reply{Parts: nebula.Text(text), Finish: "stop"}, nebulatest.Specs())
		a := in.Actions[len(in.Actions)-1]
		got := fmt.Sprintf("%s %s %v", a.Tool, a.Args, a.DependsOn)
		if a.Problem != "" {
			got += " !"
		}
		if got != want {
			t.Errorf("%s\n got %s\nwant %s", text, got, want)
		}
	}
}

func TestARedirectionIsWrittenSoThatItStays(t *testing.T) {
	tools := nebulatest.Specs()
	in := nebula.Intent{Actions: []nebula.Action{
		{Tool: "writeFile", Args: []byte(`{"content":"x\n","path":"a.go"}`)},
		{Tool: "executeShell", Args: []byte(`{"command":"cat b > a.go"}`)},
		{Tool: "runTests", Args: []byte(`{"command":"go test ./... > a.go"}`)},
	}}
	got := Protocol{}.Decode(Write(in, tools), tools)
	for i, a := range in.Actions {
		if i >= len(got.Actions) || got.Actions[i].Tool != a.Tool || string(got.Actions[i].Args) != string(a.Args) {
			t.Fatalf("%+v\n%s", got.Actions, Write(in, tools).Text())
		}
	}
}

// A command's settings are read in the way that the prompt teaches for every tool, and what is the shell's stays the shell's.
func TestACommandsArgumentsMayHaveNames(t *testing.T) {
	tools := nebulatest.Specs()
	for i, spec := range tools {
		if spec.Name == "executeShell" {
			tools[i].Params = append(spec.Params, nebula.Param{Name: "needs", Type: "string"}, nebula.Param{Name: "outside", Type: "boolean"})
		}
	}
	for text, want := range map[string]string{
		`$ test @ command="python3 -m unittest -q"`:                               `{"command":"python3 -m unittest -q"}`,
		`$ runTests @ command='go test ./...'`:                                    `{"command":"go test ./..."}`,
		`$ executeShell @ command="touch x" needs="10.1.2.3:443"`:                 `{"command":"touch x","needs":"10.1.2.3:443"}`,
		`$ run @ cmd="touch x", timeout=20`:                                       `{"command":"touch x","timeout":20}`,
		`$ run @ command="echo \"hi\" | cat"`:                                     `{"command":"echo \"hi\" | cat"}`,
		`$ run @ curl 10.1.2.3 needs=10.1.2.3:80`:                                 `{"command":"curl 10.1.2.3","needs":"10.1.2.3:80"}`,
		"$ run @ touch x\n--\n{\"needs\":\"10.1.2.3:443\"}\n--":                   `{"command":"touch x","needs":"10.1.2.3:443"}`,
		"$ executeShell @\n--\n{\"command\":\"touch x\",\"needs\":\"a:443\"}\n--": `{"command":"touch x","needs":"a:443"}`,
		"$ run @ sh\n--\n{\"command\":\"touch x\"}\n--":                           `{"command":"touch x"}`,
		"$ run @ jq .command\n--\n{\"commands\":\"touch x\"}\n--":                 "{\"command\":\"jq .command <<'END'\\n{\\\"commands\\\":\\\"touch x\\\"}\\nEND\"}",
		`$ run @ timeout=60 make`:                                                 `{"command":"timeout=60 make"}`,
		`$ run @ make timeout=60`:                                                 `{"command":"make timeout=60"}`,
		`$ run @ CC=gcc make`:                                                     `{"command":"CC=gcc make"}`,
		`$ run @ command -v go`:                                                   `{"command":"command -v go"}`,
		`$ run @ command=1 echo`:                                                  `{"command":"command=1 echo"}`,
	} {
		in := Protocol{}.Decode(nebula.Reply{Parts: nebula.Text(text), Finish: "stop"}, tools)
		if len(in.Actions) != 1 || in.Actions[0].Problem != "" || string(in.Actions[0].Args) != want {
			t.Errorf("%s\n got %s %+v\nwant %s", text, in.Actions[0].Args, in.Actions, want)
		}
	}
}

func TestEditsAreWrittenAsTheyAreTaught(t *testing.T) {
	tools := nebulatest.Specs()
	for args, want := range map[string]string{
		`{"path":"a.go","edits":[{"old":"x\n","new":"y\n"},{"old":"z\n","new":""}]}`: "$ edit @ a.go\n--\n<<<<<<< SEARCH\nx\n=======\ny\n>>>>>>> REPLACE\n<<<<<<< SEARCH\nz\n=======\n>>>>>>> REPLACE\n--\n",
		`{"path":"a.go","edits":[{"old":"x","new":"y"}]}`:                            "{\"tool\":\"patchFile\",\"args\":{\"path\":\"a.go\",\"edits\":[{\"old\":\"x\",\"new\":\"y\"}]}}\n",
	} {
		a := nebula.Action{Tool: "patchFile", Args: []byte(args)}
		if got := (Protocol{}).Form(a, tools); got != want {
			t.Errorf("%s is written\n%s", args, got)
		}
	}
}

// A row of fields names the command; what begins with a bar is none, and is sent back.
func TestARowOfFieldsIsNoCommand(t *testing.T) {
	for text, want := range map[string]string{
		"Tool: executeShell | Command: ls":                 `{"command":"ls"}`,
		"Tool: executeShell | Command: ls | wc -l":         `{"command":"ls | wc -l"}`,
		"**Tool:** executeShell | **Command:** ls":         `{"command":"ls"}`,
		"Tool: runTests | Command: go test ./...":          `{"command":"go test ./..."}`,
		"$ run @ Command: ls":                              `{"command":"ls"}`,
		"$ run @ command -v go | cut -d: -f1":              `{"command":"command -v go | cut -d: -f1"}`,
		"Action: executeShell | Command: ls | Timeout: 5":  "",
		"Action: executeShell | Command: ls | **cwd:** /x": "",
		"Tool: executeShell | command=ls":                  "",
		"Tool: executeShell | ls":                          "",
		"$ run @ | grep x":                                 "",
	} {
		in := Protocol{}.Decode(nebula.Reply{Parts: nebula.Text(text), Finish: "stop"}, nebulatest.Specs())
		if len(in.Actions) != 1 || (in.Actions[0].Problem == "") != (want != "") || want != "" && string(in.Actions[0].Args) != want {
			t.Errorf("%s\n got %+v\nwant %s", text, in.Actions, want)
		}
	}
}
