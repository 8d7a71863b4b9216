package gate_test

import (
	"encoding/json"
	"fmt"
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

// What the person ordered to commit by its name is committed alone.
func TestAnOrderToCommitAFileIsLeaveForThatFile(t *testing.T) {
	for _, c := range []struct {
		asked, line string
		free        bool
	}{
		{"commit calc.py", "git add calc.py && git commit -m x", true}, {"Fix sub and commit calc.py.", "git commit -m x calc.py", true}, {"commit calc.py and util.py", "git add calc.py util.py && git commit -m x", true}, {"Commit only calc.py, please", "git commit -qm x ./calc.py", true},
		{"calc.py をコミットして", "git add calc.py; git commit -m x", true}, {"subを直してcalc.pyだけコミットして", "git commit -m x calc.py", true}, {"commit the changes to calc.py", "git commit calc.py -m x", true},
		{"commit calc.py", "git add -A && git commit -m x", false}, {"commit calc.py", "git add calc.py util.py && git commit -m x", false}, {"commit calc.py", "git commit -am x", false}, {"commit calc.py", "git commit -m x", false}, {"commit calc.py", "git add . && git commit -m x", false}, {"commit calc.py", "git commit -m x calc.py && git push", false},
		{"don't commit calc.py", "git commit -m x calc.py", false}, {"Explain why we commit calc.py", "git commit -m x calc.py", false}, {"commit calc.pyi", "git commit -m x calc.py", false}, {"calc.pyはコミットしないで", "git commit -m x calc.py", false}, {"", "git commit -m x calc.py", false},
	} {
		if v := gate.Judge(gate.Rules{Mode: nebula.AgentMode, Approve: gate.Edits, Asked: c.asked}, nebula.Proposal{Effect: nebula.Execute, Command: c.line}); (v.Ruling == nebula.Allow) != c.free {
			t.Errorf("%s: %s: %+v", c.asked, c.line, v)
		}
	}
}

// A rename that the person ordered by its names is no more than that over however many files; one of other names, of more, or that was only
// spoken of, asks.
func TestARenameThatWasOrderedGoesOverManyFiles(t *testing.T) {
	p := nebula.Proposal{Effect: nebula.Write, Action: nebula.Action{Tool: "renameSymbol", Reason: "x", Args: json.RawMessage(`{"from":"getVal","to":"readValue"}`)}}
	for i := range 14 {
		p.Targets = append(p.Targets, nebula.Target{Path: fmt.Sprintf("f%d.go", i), Kind: "edit", Hash: "x", Was: 900, Size: 904, Add: 1, Del: 1})
	}
	patch := p
	patch.Action = nebula.Action{Tool: "patchFile", Reason: "x", Args: json.RawMessage(`{"path":".","edits":[{"old":"getVal","new":"readValue","replace_all":true}]}`)}
	sed := p
	sed.Action = nebula.Action{Tool: "executeShell", Reason: "x", Args: json.RawMessage(`{"command":"sed -i 's/\\bgetVal\\b/readValue/g' *.go"}`)}
	more := p
	more.Action = nebula.Action{Tool: "patchFile", Reason: "x", Args: json.RawMessage(`{"path":".","edits":[{"old":"getVal","new":"readValue"},{"old":"setVal","new":"writeValue"}]}`)}
	for _, c := range []struct {
		asked string
		p     nebula.Proposal
		free  bool
	}{
		{"Rename getVal to readValue everywhere.", p, true}, {"Rename `getVal` to `readValue` in all files and run the tests.", patch, true}, {"Please rename the function getVal to readValue", patch, true}, {"getVal を readValue にリネームしてください。", p, true},
		{"Rename getVal to readValue in all files.", sed, true}, {"Clean up.", sed, false}, {"Rename getVal to other.", sed, false},
		{"Fix the bug. Then rename getVal to readValue.", p, true}, {"Rename getVal to readValues.", p, false}, {"Rename getVal to readValue.", more, false}, {"Why is getVal not called readValue?", p, false}, {"Clean up the names.", p, false}, {"", p, false},
	} {
		v := gate.Judge(gate.Rules{Mode: nebula.AgentMode, Approve: gate.Edits, Asked: c.asked}, c.p)
		if (v.Ruling == nebula.Allow) != c.free {
			t.Errorf("%s: %s: %+v", c.asked, c.p.Action.Args, v)
		}
		if v := gate.Judge(gate.Rules{Mode: nebula.AgentMode, Approve: gate.Ask, Asked: c.asked}, c.p); v.Ruling == nebula.Allow {
			t.Errorf("under ask: %s: %+v", c.asked, v)
		}
	}
}

// A file that the person ordered by its name to delete or to move goes unasked where edits run so, by a tool or by git; another, and one of which
// something is to be taken, does not.
func TestWhatIsOrderedByItsNameGoes(t *testing.T) {
	for _, c := range []struct {
		asked, line string
		free        bool
	}{
		{"delete b.py, it is not used", "git rm b.py", true}, {"Fix a.py and delete b.py.", "git rm -q b.py", true}, {"Please delete a.py and b.py", "git rm a.py b.py", true}, {"b.py を削除してください", "git rm b.py", true},
		{"move docs/guide.md to docs/manual.md", "git mv docs/guide.md docs/manual.md", true}, {"Please rename a.py to c.py and fix the imports.", "git mv a.py c.py", true},
		{"Don't delete b.py.", "git rm b.py", false}, {"Remove b.py from the list.", "git rm b.py", false}, {"Delete a.py and b.py from the manifest", "git rm a.py", false}, {"Delete b.py if nothing uses it.", "git rm b.py", false}, {"Delete the helper in b.py.", "git rm b.py", false}, {"Delete b.py.", "git rm a.py", false}, {"Delete b.py.", "git rm b.py; rm a.py", false}, {"Delete b.py.", "git rm -r .", false}, {"Delete b.pyc.", "git rm b.py", false},
		{"The script should read a.py and delete b.py.", "git rm b.py", false}, {"Explain how to build it and delete b.py.", "git rm b.py", false}, {"She said: delete b.py.", "git rm b.py", false}, {"> delete b.py", "git rm b.py", false}, {"Make it read a.txt and move a.py to c.py.", "git mv a.py c.py", false}, {"Fix it. Then delete b.py.", "git rm b.py", true},
		{"Why move a.py to c.py?", "git mv a.py c.py", false}, {"Move a.py to c.py.", "git mv a.py d.py", false}, {"Delete b.py.", "git rm -f b.py", false},
	} {
		for _, policy := range []gate.Approve{gate.Edits, gate.Ask} {
			v := gate.Judge(gate.Rules{Mode: nebula.AgentMode, Approve: policy, Asked: c.asked}, nebula.Proposal{Effect: nebula.Execute, Command: c.line})
			if (v.Ruling == nebula.Allow) != (c.free && policy == gate.Edits) {
				t.Errorf("%s: %s: %s: %+v", policy, c.asked, c.line, v)
			}
		}
	}
	for asked, free := range map[string]bool{"Don't delete the tests; delete b.py": true, "Don't remove comments. Delete b.py.": true, "Fix add, but don't touch a.py; delete b.py.": true, "Never change a.py! Remove b.py.": true, "Fix it. Please don't rename anything. Delete b.py.": true,
		"a.py を消さずに b.py だけ消して": true, "a.py は消さないで、b.py を消して": true, "a.pyを消さずにb.pyを削除して": true, "b.py のみ削除してください": true,
		"Don't delete b.py; delete c.py": false, "Don't delete the tests and delete b.py": false, "She said: don't touch a.py; delete b.py": false, "If it fails, don't delete a.py; delete b.py from the list": false, "Don't make it read a.py; it should stop; delete b.py": false,
		"b.py を消さずに a.py だけ消して": false, "b.py だけ消さないで": false, "b.py だけ残して消して": false,
		"delete b.py, it is not used": true, "Delete c.py.": false, "Tidy up b.py.": false, "Remove the function f from b.py": false} {
		p := nebula.Proposal{Effect: nebula.Write, Action: nebula.Action{Tool: "deleteFile", Reason: "x"}, Targets: []nebula.Target{{Path: "b.py", Kind: "delete", Was: 90, Hash: "x"}}}
		if v := gate.Judge(gate.Rules{Mode: nebula.AgentMode, Approve: gate.Edits, Asked: asked}, p); (v.Ruling == nebula.Allow) != free {
			t.Errorf("%s: %+v", asked, v)
		}
	}
}

// Under edits a script is made without a question where the request names it or orders one; with the right to be run, hidden, as a program, or
// unasked for, it asks, and so it does under any other policy.
func TestAScriptThatWasOrderedIsAnEdit(t *testing.T) {
	script := nebula.Target{Path: "tools/run.sh", Kind: "create", Size: 20, Add: 2, Was: -1}
	edit, hidden, inside, program, linked, mode := script, script, script, script, script, script
	edit.Kind, edit.Was, hidden.Path, inside.Path, program.Path, linked.Link, mode.ModeAfter = "edit", 18, ".run.sh", ".venv/bin/run.sh", "run.exe", "/bin/sh", 0o755
	for name, c := range map[string]struct {
		asks string
		t    nebula.Target
		want bool
	}{
		"named":                 {"Write tools/run.sh, which starts the server", script, true},
		"named, edited":         {"fix the loop in run.sh", edit, true},
		"ordered":               {"Please write a small shell script that starts the server", script, true},
		"ordered in Japanese":   {"サーバーを起動するスクリプトを作ってください", script, true},
		"ordered, another one":  {"write a deploy script", edit, false},
		"named, behind a word":  {"write prerun.sh", script, false},
		"unasked":               {"fix the server", script, false},
		"spoken of":             {"the script is slow; fix a.go", script, false},
		"hidden":                {"write .run.sh", hidden, false},
		"in a hidden folder":    {"write run.sh", inside, false},
		"a program":             {"write run.exe", program, false},
		"a link":                {"write run.sh", linked, false},
		"with the right to run": {"write run.sh", mode, false},
	} {
		p := nebula.Proposal{Effect: nebula.Write, Targets: []nebula.Target{c.t}, Action: nebula.Action{Reason: "x"}}
		for _, approve := range []gate.Approve{gate.Edits, gate.Ask} {
			v := gate.Judge(gate.Rules{Mode: nebula.AgentMode, Approve: approve, Protection: gate.Full, Asked: c.asks}, p)
			if (v.Ruling == nebula.Allow) != (c.want && approve == gate.Edits) {
				t.Errorf("%s, %s: %+v", name, approve, v)
			}
		}
		p.Risks = []string{nebula.Executable}
		if v := gate.Judge(gate.Rules{Mode: nebula.AgentMode, Approve: gate.Edits, Protection: gate.Full, Asked: c.asks}, p); v.Ruling == nebula.Allow {
			t.Errorf("%s, with the right to be run: %+v", name, v)
		}
	}
}
