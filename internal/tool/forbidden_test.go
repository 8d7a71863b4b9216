package tool

import (
	"encoding/json"
	"testing"

	"nebula"
	"nebula/internal/gate"
)

func started(line string) (list []string) {
	for _, c := range gate.Started(line) {
		list = append(list, c.By)
	}
	return list
}

// A rule that forbids holds for each command of a line, and for nothing else.
func TestWhatARuleForbids(t *testing.T) {
	for _, c := range []struct {
		rule, tool, field, value string
		want                     bool
	}{
		{"Bash(rm:*)", "executeShell", "command", "rm -rf x", true},
		{"Bash(rm:*)", "executeShell", "command", "cd x && rm y", true},
		{"Bash(rm:*)", "executeShell", "command", "echo $(rm y)", true},
		{"Bash(rm:*)", "executeShell", "command", "rmdir y | wc", false},
		{"Bash(touch:*)", "executeShell", "command", "/usr/bin/touch x", true},
		{"Bash(touch:*)", "executeShell", "command", "env touch x", true},
		{"Bash(touch:*)", "executeShell", "command", "command touch x", true},
		{"Bash(touch:*)", "executeShell", "command", "X=1 touch x", true},
		{"Bash(touch:*)", "executeShell", "command", "nice touch x", true},
		{"Bash(touch:*)", "executeShell", "command", "timeout 5 touch x", true},
		{"Bash(touch:*)", "executeShell", "command", "sh -c 'touch x'", true},
		{"Bash(touch:*)", "executeShell", "command", "echo 'touch x'", false},
		{"Bash(git push *)", "executeShell", "command", "git push origin", true},
		{"Bash(git push *)", "executeShell", "command", "git status", false},
		{"Bash(npm test)", "executeShell", "command", "n?m test", true},
		{"Bash", "executeShell", "command", "ls", true},
		{"WebFetch", "fetch", "url", "http://a.example/x", true},
		{"WebFetch(domain:a.example)", "fetch", "url", "http://A.example:80/x", true},
		{"WebFetch(domain:a.example)", "fetch", "url", "http://b.a.example/x", true},
		{"WebFetch(domain:127.0.0.1)", "fetch", "url", "http://127.0.0.1:8000/", true},
		{"WebFetch(domain:a.example)", "fetch", "url", "http://xa.example/", false},
		{"Task", "delegate", "agent", "x", true},
		{"Task(x)", "delegate", "agent", "@agent-X", true},
		{"Task(x)", "delegate", "agent", "y", false},
		{"WebSearch", "executeShell", "command", "ls", false},
	} {
		args, _ := json.Marshal(map[string]string{c.field: c.value})
		a := nebula.Action{Tool: c.tool, Args: args}
		if got := Forbidden(c.rule, Elsewhere(c.tool), started, a); got != c.want {
			t.Errorf("%s, %s %s: %v (%q)", c.rule, c.tool, c.value, got, Elsewhere(c.tool))
		}
	}
}
