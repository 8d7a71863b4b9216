package fleet

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"nebula/internal/plan"
)

// in runs git as a person does.
func in(t *testing.T, dir string, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", append([]string{"-c", "user.name=t", "-c", "user.email=t@localhost", "-c", "protocol.file.allow=always"}, args...)...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

func put(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func committed(t *testing.T, dir string) string {
	t.Helper()
	in(t, dir, "init", "-q", "-b", "main")
	put(t, filepath.Join(dir, "a"), "a\n")
	in(t, dir, "add", ".")
	in(t, dir, "commit", "-q", "-m", "begin")
	return dir
}

// What a repository brings along runs nowhere: not when a plan of it is handed over, and not when a result is taken.
func TestNothingOfARepositoryRuns(t *testing.T) {
	ran := filepath.Join(t.TempDir(), "ran")
	sub, dir := committed(t, t.TempDir()), committed(t, t.TempDir())
	in(t, dir, "submodule", "add", "-q", sub, "sub")
	put(t, filepath.Join(dir, ".gitattributes"), "* filter=a=b diff=a\n*.bin filter=lfs diff=lfs merge=lfs -text\n")
	put(t, filepath.Join(dir, "a.bin"), "large\n")
	in(t, dir, "add", ".")
	in(t, dir, "commit", "-q", "-m", "attributes")
	runs := "touch " + ran + "; cat"
	for _, at := range []string{dir, filepath.Join(dir, "sub")} {
		for _, key := range []string{"filter.a=b.clean", "filter.a=b.smudge", "filter.a=b.process", "filter.x.clean", "filter.x.process", "diff.a.textconv", "diff.external", "filter.lfs.clean", "filter.lfs.smudge", "filter.lfs.process", "core.fsmonitor", "core.sshCommand", "uploadpack.packObjectsHook", "credential.helper"} {
			in(t, at, "config", key, runs)
		}
		in(t, at, "config", "filter.a=b.required", "true")
	}
	hooks := strings.Fields("post-checkout pre-push reference-transaction post-index-change pre-auto-gc post-commit pre-commit update pre-receive post-receive post-update")
	for _, at := range []string{dir, filepath.Join(dir, "sub")} { // where they lie by themselves, and where a setting says they do
		own := filepath.Join(in(t, at, "rev-parse", "--absolute-git-dir"), "hooks")
		set := filepath.Join(t.TempDir(), "hooks")
		for _, folder := range []string{own, set} {
			if err := os.MkdirAll(folder, 0o700); err != nil {
				t.Fatal(err)
			}
			for _, hook := range hooks {
				if err := os.WriteFile(filepath.Join(folder, hook), []byte("#!/bin/sh\ntouch "+ran+"\n"), 0o700); err != nil {
					t.Fatal(err)
				}
			}
		}
		if at != dir {
			in(t, at, "config", "core.hooksPath", set)
		}
	}
	later := time.Now().Add(time.Hour)
	for _, path := range []string{"a", "a.bin", "sub/a"} {
		if err := os.Chtimes(filepath.Join(dir, path), later, later); err != nil {
			t.Fatal(err)
		}
	}
	attributes := in(t, filepath.Join(dir, "sub"), "rev-parse", "--absolute-git-dir")
	if err := os.MkdirAll(filepath.Join(attributes, "info"), 0o700); err != nil {
		t.Fatal(err)
	}
	put(t, filepath.Join(attributes, "info", "attributes"), "* filter=x\n")
	if _, _, dirty, err := Source(t.Context(), dir); err != nil || dirty {
		t.Errorf("it stands as it was committed, and is dirty: %v (%v)", dirty, err)
	}
	if _, err := os.Stat(ran); err == nil {
		t.Error("it ran when the plan was handed over")
	}
	put(t, filepath.Join(dir, "a"), "b\n")
	if _, _, dirty, err := Source(t.Context(), dir); err != nil || !dirty {
		t.Errorf("it was changed, and is dirty: %v (%v)", dirty, err)
	}
	hub := Hub(t.TempDir())
	if err := hub.ready(context.Background(), dir); err != nil {
		t.Fatal(err)
	}
	in(t, sub, "push", "-q", hub.Of(dir), "HEAD:refs/heads/nebula/p")
	if err := hub.Take(t.Context(), dir, "nebula/p", dir); err != nil {
		t.Fatal(err)
	}
	if got := in(t, dir, "rev-parse", "nebula/p"); got != in(t, sub, "rev-parse", "HEAD") {
		t.Errorf("the branch stands at %s", got)
	}
	if _, err := os.Stat(ran); err == nil {
		t.Error("something of the repository ran")
	}
}

// A result that git does not take here is refused with what to do; one that goes on what is here, or is new, comes.
func TestTakingSaysWhatIsInTheWay(t *testing.T) {
	for name, c := range map[string]struct {
		before []string
		want   string
	}{
		"new": {nil, ""}, "what it goes on": {[]string{"branch", "nebula/p"}, ""}, "beside another branch": {[]string{"checkout", "-q", "-b", "nebula/q"}, ""},
		"checked out":    {[]string{"checkout", "-q", "-b", "nebula/p"}, plan.FleetStandsOn},
		"something else": {[]string{"branch", "nebula/p", "other"}, plan.FleetOther},
	} {
		dir, hub := committed(t, t.TempDir()), Hub(t.TempDir())
		in(t, dir, "checkout", "-q", "--orphan", "other")
		in(t, dir, "commit", "-q", "-m", "other")
		in(t, dir, "checkout", "-q", "main")
		if err := hub.ready(t.Context(), dir); err != nil {
			t.Fatal(err)
		}
		in(t, dir, "push", "-q", hub.Of(dir), in(t, dir, "commit-tree", "-p", "main", "-m", "result", "main^{tree}")+":refs/heads/nebula/p")
		if c.before != nil {
			in(t, dir, c.before...)
		}
		err := hub.Take(t.Context(), dir, "nebula/p", dir)
		if c.want == "" && err != nil || c.want != "" && err != refused(c.want, "nebula/p") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// What is stored and shown of a repository's address lets nobody in.
func TestAddressesHoldNoPassword(t *testing.T) {
	for source, want := range map[string]string{
		"https://ann:s3cret@host.example/a.git": "https://host.example/a.git", "https://ghp_token@host.example/a": "https://host.example/a",
		"https://ghp_token:x-oauth-basic@host.example/a": "https://host.example/a", "ssh://git:s3cret@host.example:22/a": "ssh://git@host.example:22/a",
		"ssh://git@host.example/a": "", "git@host.example:a/b.git": "", "https://host.example/a%20b.git": "", "/srv/a@b:c": "", "file:///srv/a": "", "../a": "", "C:\\a": "",
	} {
		if bare, held := Address(source); held != (want != "") || !held && bare != source || held && bare != want {
			t.Errorf("%s becomes %s, %v", source, bare, held)
		}
	}
}
