package gate_test

import (
	"testing"

	"nebula"
	"nebula/internal/gate"
)

// What the person ordered to commit is committed where edits run unasked: by git add and git commit as they are, and nothing beside.
func TestAnOrderToCommitIsLeaveForThatAlone(t *testing.T) {
	rules := gate.Rules{Mode: nebula.AgentMode, Approve: gate.Edits, Commits: true}
	run := func(r gate.Rules, line string) nebula.Verdict {
		return gate.Judge(r, nebula.Proposal{Effect: nebula.Execute, Command: line})
	}
	for _, line := range []string{"git add -A", "git commit -m 'fix: x'", "git add -A && git commit -m x", "git add a.py b/c.py; git commit -qm x", "git commit -am \"fix & more\" -m 'body'", "git add . && git commit --message=x"} {
		if v := run(rules, line); v.Ruling != nebula.Allow || v.Why != "ordered" {
			t.Errorf("%s: %+v", line, v)
		}
		for _, r := range []gate.Rules{{Mode: nebula.AgentMode, Approve: gate.Edits}, {Mode: nebula.AgentMode, Approve: gate.Ask, Commits: true}, {Mode: nebula.AgentMode, Approve: gate.None, Commits: true}, {Mode: nebula.PlanMode, Approve: gate.Edits, Commits: true}} {
			if v := run(r, line); v.Ruling == nebula.Allow {
				t.Errorf("%s: %+v: %+v", line, r, v)
			}
		}
	}
	for _, line := range []string{"git add -A && git commit -m x && git push", "git commit --amend -m x", "git commit --no-verify -m x", "git commit -nm x", "git commit -n -m x", "git -c core.hooksPath=/dev/null commit -m x", "git -C sub commit -m x", "git add -f .env", "git reset", "git commit -m x > a.go", "git commit -m \"$(cat x)\"",
		"GIT_DIR=x git commit -m x", "git add -A | sh", "git commit -m x; rm -rf src", "./git commit -m x", "cd .. && git add -A", "git commit -F ../x", "sudo git commit -m x", "env git commit -m x", "sh -c 'git commit -m x'", "git commit --no-ver -m x", "git() { rm a; }; git commit -m x", "git commit -m x; git tag v1"} {
		if v := run(rules, line); v.Ruling == nebula.Allow {
			t.Errorf("%s: %+v", line, v)
		}
	}
}
