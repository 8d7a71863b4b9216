package agent_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"nebula"
	"nebula/internal/agent"
	"nebula/internal/gate"
	"nebula/internal/state"
	"nebula/internal/workspace"
)

// A viewer is a command on a view.
type viewer string

func (viewer) Spec() nebula.ToolSpec { return (&opener{}).Spec() }

func (v viewer) Propose(_ context.Context, a nebula.Action, _ nebula.View) (nebula.Proposal, error) {
	return nebula.Proposal{Action: a, Effect: nebula.Execute, Command: string(v), Viewed: true, Do: func(context.Context, nebula.Run) (nebula.Result, error) {
		return nebula.Result{Status: nebula.Done, Text: "ok"}, nil
	}}, nil
}

// What git is asked of files that it does not name is asked about where it has one with secrets among them, as if it named that.
func TestWhatGitHasOfSecretsIsAskedAboutByNoName(t *testing.T) {
	dir := t.TempDir()
	for _, args := range [][]string{{"init", "-q"}, {"add", "-A"}, {"-c", "user.name=x", "-c", "user.email=x@x", "commit", "-qm", "x"}} {
		_ = os.WriteFile(filepath.Join(dir, ".env"), []byte("TOKEN=zanzibar44\n"), 0o600)
		c := exec.Command("git", args...)
		c.Dir = dir
		if out, err := c.CombinedOutput(); err != nil {
			t.Fatal(err, string(out))
		}
	}
	for line, want := range map[string]bool{
		`for c in a b; do git grep -q -e "TOKEN=$c" HEAD; done`: true, "git show HEAD | rev": true, "git log -S TOKEN=z --format=x": true, "git log -p | base64": true,
		"git grep TOKEN": false, "git log --oneline | head": false, "git show HEAD -- a.go | rev": false, "git diff > x.patch": false, "npm test | rev": false,
	} {
		d, err := workspace.Open(dir, nil)
		if err != nil {
			t.Fatal(err)
		}
		st := newStage(t, reply("", call("1", "opener", "command", line)), reply("Unverified: so."))
		st.setup.Tools, st.setup.Approve = append(st.setup.Tools, viewer(line)), gate.Ask
		st.setup.Secrets = func() agent.Secrets { return workspace.NewSecrets(d) }
		asked := false
		st.say("go", func(a nebula.Asked) (nebula.Decided, string) {
			asked = true
			return nebula.No, ""
		})
		if asked != want {
			t.Errorf("%s: asked %v", line, asked)
		}
		d.Close()
	}
}

// A leaver is a command that leaves its box.
type leaver string

func (leaver) Spec() nebula.ToolSpec { return (&opener{}).Spec() }

func (l leaver) Propose(ctx context.Context, a nebula.Action, v nebula.View) (nebula.Proposal, error) {
	p, err := viewer(l).Propose(ctx, a, v)
	p.Viewed, p.Risks = false, []string{nebula.Unconfined}
	return p, err
}

// What settings forbid to change is on no word changed outside of the box by a command that names it.
func TestWhatIsNotToBeChangedIsNotOutsideOfTheBox(t *testing.T) {
	for line, held := range map[string]bool{
		"echo evil > b.txt": true, "cp a.txt b.txt": true, "sed -i s/a/b/ b.txt": true, "rm b.txt": true, "mv a.txt b.txt": true, "mv b.txt a.txt": true, "sh -c 'echo x >> ./b.txt'": true,
		"echo good > a.txt": false, "cat b.txt": false, "git fetch": false,
	} {
		st := newStage(t, reply("", call("1", "opener", "command", line)), reply("Unverified: so."))
		st.setup.Tools, st.setup.Approve = append(st.setup.Tools, leaver(line)), gate.Ask
		st.setup.Denies = func() []state.Bar {
			b, _ := state.RuledBar("Edit(b.txt)", "/p")
			return []state.Bar{b}
		}
		asked := false
		st.say("go", func(nebula.Asked) (nebula.Decided, string) {
			asked = true
			return nebula.Yes, ""
		})
		if asked == held {
			t.Errorf("%s: asked %v", line, asked)
		}
	}
}
