package tool

import (
	"testing"

	"nebula"
)

func TestARuleOfAHookIsForWhatItSays(t *testing.T) {
	bash, edit := []string{"Bash", "executeShell"}, []string{"Edit", "editFile"}
	for _, c := range []struct {
		rule     string
		names    []string
		args     string
		is, sure bool
	}{
		{"Bash", bash, `{"command":"ls"}`, true, true},
		{"Edit", bash, `{"command":"ls"}`, false, true},
		{"Bash(git *)", bash, `{"command":"git push"}`, true, true},
		{"Bash(git:*)", bash, `{"command":"git"}`, true, true},
		{"Bash(git *)", bash, `{"command":"gitk"}`, false, false},
		{"Bash(git *)", bash, `{"command":"cd x && git push"}`, true, false},
		{"Bash(git * main)", bash, `{"command":"git push main"}`, true, false},
		{"Bash(rm *)", bash, `{"command":"ls -l"}`, false, false},
		{"Edit(*.ts)", edit, `{"path":"src/a.ts"}`, true, true},
		{"Edit(*.ts)", edit, `{"path":"src/a.go"}`, false, true},
		{"Edit(src/*.ts)", edit, `{"path":"lib/a.ts"}`, false, true},
		{"Edit(src/**)", edit, `{"path":"src/x/a.ts"}`, true, true},
		{"Edit(**/*.ts)", edit, `{"path":"src/a.go"}`, true, false},
		{"mcp__memory__*", []string{"mcp__memory__read"}, `{}`, true, true},
	} {
		if is, sure := Meant(c.rule, c.names, nebula.Action{Args: []byte(c.args)}); is != c.is || sure != c.sure {
			t.Errorf("%s of %s: %v, sure %v", c.rule, c.args, is, sure)
		}
	}
}
