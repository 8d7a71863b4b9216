package tool_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"nebula"
	"nebula/internal/gate"
	"nebula/internal/tool"
	"nebula/internal/workspace"
)

// What a link leads to is judged as if it had been named, and so is the link: no name of a file gives less than another.
func TestLinksAreJudgedByWhatTheyLeadTo(t *testing.T) {
	needShell(t)
	f := newFolder(t, tool.Options{Secret: gate.Protection(0).Secret}, map[string]string{
		".env": "plain=x\n", "key.pem": "x\n", "notes.txt": "x\n", "docs/guide.md": "x\n", ".vscode/": "", ".github/workflows/": "", "plain/": "",
	})
	for link, to := range map[string]string{
		"l.md": ".env", "docs/setup.md": "../key.pem", "chain": "l.md", ".npmrc": "notes.txt", "AGENTS.md": "docs/guide.md",
		"v": ".vscode", "w": ".github", "p": "plain", "build.rs": "docs/guide.md",
	} {
		if err := os.Symlink(to, filepath.Join(f.d.Path(), link)); err != nil {
			t.Fatal(err)
		}
	}
	for name, to := range map[string]string{"hard.md": ".env", "twin.md": "notes.txt"} {
		if err := os.Link(filepath.Join(f.d.Path(), to), filepath.Join(f.d.Path(), name)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("hard.md", filepath.Join(f.d.Path(), "soft.md")); err != nil {
		t.Fatal(err)
	}
	f.must("readFile", args{"path": "docs/guide.md"})
	edits := []args{{"old": "x", "new": "y"}}
	for _, tt := range []struct {
		tool string
		args args
		path string
		asks bool
	}{
		{"readFile", args{"path": ".env"}, ".env", true},
		{"readFile", args{"path": "l.md"}, ".env", true},
		{"readFile", args{"path": "chain"}, ".env", true},
		{"readFile", args{"path": "docs/setup.md"}, "key.pem", true},
		{"readFile", args{"path": "notes.txt, l.md"}, ".env", true},
		{"readFile", args{"path": "l.md:1-2"}, ".env", true},
		{"readFile", args{"path": "hard.md"}, "hard.md", true},
		{"readFile", args{"path": "soft.md"}, "hard.md", true},
		{"readFile", args{"path": "notes.txt, hard.md"}, "hard.md", true},
		{"readFile", args{"path": "twin.md"}, "twin.md", false},
		{"readFile", args{"path": ".npmrc"}, "notes.txt", true},
		{"readFile", args{"path": "AGENTS.md"}, "docs/guide.md", false},
		{"writeFile", args{"path": ".vscode/tasks.json", "content": "x\n"}, ".vscode/tasks.json", true},
		{"writeFile", args{"path": "v/tasks.json", "content": "x\n"}, ".vscode/tasks.json", true},
		{"writeFile", args{"path": "`v/tasks.json`", "content": "x\n"}, ".vscode/tasks.json", true},
		{"writeFile", args{"path": "w/workflows/ci.yml", "content": "x\n"}, ".github/workflows/ci.yml", true},
		{"writeFile", args{"path": "p/tasks.json", "content": "x\n"}, "plain/tasks.json", false},
		{"createDirectory", args{"path": "v/deep/er"}, ".vscode/deep/er", true},
		{"patchFile", args{"path": "AGENTS.md", "edits": edits}, "docs/guide.md", true},
		{"patchFile", args{"path": "build.rs", "edits": edits}, "docs/guide.md", true},
		{"patchFile", args{"path": "docs/guide.md", "edits": edits}, "docs/guide.md", false},
	} {
		p, err := f.propose(tt.tool, tt.args)
		if err != nil {
			t.Errorf("%s %v: %v", tt.tool, tt.args, err)
			continue
		}
		p.Action.Tool = tt.tool
		v := gate.Judge(gate.Rules{Mode: nebula.AgentMode, Approve: gate.Edits}, p)
		if (v.Ruling == nebula.AskFirst) != tt.asks || p.Targets[len(p.Targets)-1].Path != tt.path || !strings.Contains(p.Summary, tt.path) {
			t.Errorf("%s %v: %+v, %+v, %q", tt.tool, tt.args, v, p.Targets, p.Summary)
		}
		if none := gate.Judge(gate.Rules{Mode: nebula.AgentMode, Approve: gate.None}, p); tt.tool == "readFile" && (none.Ruling == nebula.Deny) != tt.asks {
			t.Errorf("nobody there: %s %v: %+v", tt.tool, tt.args, none)
		}
	}
	if p, err := f.propose("searchInDirectory", args{"directory": "l.md", "keyword": "plain"}); err == nil {
		t.Errorf("a secret is searched by its link: %+v", p)
	}
	if r := f.must("searchInDirectory", args{"directory": ".", "keyword": "plain"}); strings.Contains(r.Text, "hard.md") {
		t.Errorf("a secret is searched by another of its names: %s", r.Text)
	}
}

// What is asked for outside the box is what the path leads to: that is named, allowed and given, and a link swapped since asks again.
func TestAPermissionIsForWhereALinkLeads(t *testing.T) {
	needShell(t)
	f := newFolder(t, tool.Options{Boxed: true}, map[string]string{"data/x": "x"})
	keys, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(f.d.Path(), "data")
	propose := func(needs string) (nebula.Proposal, error) {
		return f.propose("executeShell", args{"command": "make", "needs": needs})
	}
	for _, kind := range []string{"", "read "} {
		before, err := propose(kind + link)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(link, link+".old"); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(keys, link); err != nil {
			t.Fatal(err)
		}
		after, err := propose(kind + link)
		if err != nil || after.Key() == before.Key() || nebula.Digest(after) == nebula.Digest(before) || !strings.HasSuffix(after.Risks[0], "data → "+keys) {
			t.Errorf("%q: %q %q %v", kind, before.Key(), after.Key(), err)
		}
		if err := os.Remove(link); err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(link+".old", link); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(f.d.Path(), "a → b"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, bad := range []string{filepath.Join(f.d.Path(), "a → b"), f.d.Path(), filepath.Dir(f.d.Path()), "/", "/proc", "/proc/1", "/proc/self/root", "/sys/kernel"} {
		if p, err := propose(bad); err == nil {
			t.Errorf("%q was taken: %q", bad, p.Risks)
		}
	}
}

// A path may be written as in a shell: below the home, with a stroke at its end. What is asked about is where it is.
func TestAPathIsGivenAsAShellWritesIt(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HOME", home)
	if err := os.Mkdir(filepath.Join(home, ".ssh"), 0o700); err != nil {
		t.Fatal(err)
	}
	d, err := workspace.Open(t.TempDir(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	real, err := filepath.EvalSymlinks(filepath.Join(home, ".ssh"))
	if err != nil {
		t.Fatal(err)
	}
	for needs, want := range map[string][]string{"read ~/.ssh": {real}, "read ~/.ssh/": {real}, "read " + real + "/": {real}, "read ~": nil, "read ~x/.ssh": nil, "read ~/.ssh ~/.ssh": nil} {
		var c workspace.Command
		if _, err := tool.Needed(d, &c, needs); (err == nil) != (want != nil) || !slices.Equal(c.Needs.Read, want) {
			t.Errorf("%q: %q %v", needs, c.Needs.Read, err)
		}
	}
}

// Nebula's own is not given by any name, and neither is what holds it.
func TestNebulasOwnIsNotGivenThroughALink(t *testing.T) {
	above := t.TempDir()
	own := filepath.Join(above, "nebula")
	work := t.TempDir()
	if err := os.Mkdir(own, 0o755); err != nil {
		t.Fatal(err)
	}
	for link, to := range map[string]string{"l": above, "m": own} {
		if err := os.Symlink(to, filepath.Join(work, link)); err != nil {
			t.Fatal(err)
		}
	}
	d, err := workspace.Open(work, nil, own)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	run := tool.All(d, tool.Options{Boxed: true})
	i := slices.IndexFunc(run, func(t nebula.Tool) bool { return t.Spec().Answers("executeShell") })
	for _, p := range []string{above, own, filepath.Join(work, "l"), filepath.Join(work, "m"), filepath.Join(work, "l", "nebula")} {
		for _, kind := range []string{"", "read "} {
			a := nebula.Action{ID: "a1", Tool: "executeShell", Args: []byte(`{"command":"make","needs":"` + kind + p + `"}`)}
			if got, err := run[i].Propose(t.Context(), a, nebula.View{Mode: nebula.AgentMode}); err == nil {
				t.Errorf("%s%s was taken: %q", kind, p, got.Risks)
			}
		}
	}
}
