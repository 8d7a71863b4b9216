package fleet

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"nebula"
	"nebula/internal/plan"
)

// checkedOut is a job of a source, with the checkout that it is to be done in.
func checkedOut(t *testing.T, source string) (*Hands, Job, checkout) {
	t.Helper()
	h := &Hands{Hub: Hub(t.TempDir()), Dir: t.TempDir(), Host: "here"}
	j := Job{Order: Order{Run: "run", Plan: "p", Source: source}, Step: "s"}
	var err error
	if j.Base, err = h.bring(t.Context(), j.Order); err != nil {
		t.Fatal(err)
	}
	c := h.at(j)
	if _, err := c.make(t.Context(), h.Hub.Of(source), j); err != nil {
		t.Fatal(err)
	}
	return h, j, c
}

// keeping is what a job comes to whose step names files, once its folder was worked in.
func keeping(t *testing.T, files []string, work func(dir string)) (Done, []string) {
	t.Helper()
	source := committed(t, t.TempDir())
	put(t, filepath.Join(source, ".gitignore"), "*.secret\nbuild/\n")
	in(t, source, "add", ".")
	in(t, source, "commit", "-q", "-m", "ignored")
	h, j, c := checkedOut(t, source)
	work(c.work)
	p := nebula.Plan{ID: "p", Steps: []nebula.PlanStep{{ID: "s", Name: "s", Files: files}}}
	d, err := h.keep(t.Context(), c, j, p, Done{Status: string(nebula.Completed)})
	if err != nil {
		t.Fatal(err)
	}
	if d.Commit == "" {
		return d, nil
	}
	return d, strings.Split(in(t, h.Hub.Of(source), "ls-tree", "-r", "--name-only", d.Commit), "\n")
}

// A file that a step names is in its commit, or the step failed: nothing else of its folder is kept.
func TestWhatAStepNamesIsInItsCommit(t *testing.T) {
	write := func(dir, name string) {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o700); err != nil {
			t.Fatal(err)
		}
		put(t, filepath.Join(dir, name), "text\n")
	}
	own := func(commit bool, names ...string) func(dir string) {
		return func(dir string) {
			for _, name := range names {
				write(dir, name)
			}
			in(t, filepath.Join(dir, "lib"), "init", "-q")
			if commit {
				in(t, filepath.Join(dir, "lib"), "add", ".")
				in(t, filepath.Join(dir, "lib"), "commit", "-q", "-m", "own")
			}
		}
	}
	some := func(names ...string) func(dir string) {
		return func(dir string) {
			for _, name := range names {
				write(dir, name)
			}
		}
	}
	for name, c := range map[string]struct {
		files []string
		work  func(dir string)
		lost  string // of the files it names
		has   string // in the commit
	}{
		"in a repository of its own":                {[]string{"lib/x.go"}, own(true, "lib/x.go"), "lib/x.go", ""},
		"in one without a commit":                   {[]string{"lib/x.go"}, own(false, "lib/x.go"), "lib/x.go", ""},
		"in a folder that is one":                   {[]string{"lib/"}, own(true, "lib/x.go"), "lib/x.go", ""},
		"by a pattern":                              {[]string{"**/*.go"}, own(true, "lib/x.go"), "lib/x.go", ""},
		"that the repository ignores":               {[]string{"a.secret", "b"}, some("a.secret", "b"), "a.secret", ""},
		"as it should be":                           {[]string{"b"}, some("b"), "", "b"},
		"in a folder":                               {[]string{"lib/"}, some("lib/x.go"), "", "lib/x.go"},
		"with characters of a pattern":              {[]string{"app/[id]/x.go"}, some("app/[id]/x.go"), "", "app/[id]/x.go"},
		"beside a repository that it does not name": {[]string{"b"}, own(true, "lib/x.go", "b"), "", "b"},
		"beside one without a commit":               {[]string{"b"}, own(false, "lib/x.go", "b"), "", "b"},
		"in a folder with what is ignored":          {[]string{"lib/"}, some("lib/x.go", "lib/build/o", "lib/k.secret"), "", "lib/x.go"},
		"of which the step took one away":           {[]string{"a", "b"}, func(dir string) { _ = os.Remove(filepath.Join(dir, "a")); write(dir, "b") }, "", "b"},
		"nowhere":                                   {nil, own(true, "lib/x.go", "b"), "", "b"},
		"as it was":                                 {[]string{"a"}, func(string) {}, "", "a"},
	} {
		t.Run(name, func(t *testing.T) {
			d, tree := keeping(t, c.files, c.work)
			if c.lost != "" {
				if want := string(nebula.NewCode(plan.NotCommitted, c.lost)); d.Status != string(nebula.StageFailed) || d.Why != want {
					t.Errorf("it ended as %s with %q, of %s", d.Status, d.Why, tree)
				}
				return
			}
			if text := "\n" + strings.Join(tree, "\n") + "\n"; d.Status != string(nebula.Completed) || !strings.Contains(text, "\n"+c.has+"\n") || strings.Contains(text, "\nlib\n") {
				t.Errorf("it ended as %s (%s), with %s", d.Status, d.Why, tree)
			}
		})
	}
}

// A checkout holds what the commit holds: no filter and no hook runs that this machine's settings have, whatever files a repository names for it.
func TestNothingRunsInACheckout(t *testing.T) {
	home, ran := t.TempDir(), filepath.Join(t.TempDir(), "ran")
	source := committed(t, t.TempDir())
	put(t, filepath.Join(source, ".gitattributes"), "*.bin filter=lfs\n")
	put(t, filepath.Join(source, "large.bin"), "version https://git-lfs.github.com/spec/v1\n")
	in(t, source, "add", ".")
	in(t, source, "commit", "-q", "-m", "large")
	if err := os.MkdirAll(filepath.Join(home, "hooks"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(home, "hooks", "post-checkout"), []byte("#!/bin/sh\ntouch "+ran+"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	put(t, filepath.Join(home, ".gitconfig"), "[filter \"lfs\"]\nsmudge = touch "+ran+"; cat\nclean = touch "+ran+"; cat\nrequired = true\n[core]\nhooksPath = "+filepath.Join(home, "hooks")+"\n")
	t.Setenv("HOME", home)
	h, j, c := checkedOut(t, source)
	if text, err := os.ReadFile(filepath.Join(c.work, "large.bin")); err != nil || string(text) != "version https://git-lfs.github.com/spec/v1\n" {
		t.Errorf("the checkout holds %q, %v", text, err)
	}
	put(t, filepath.Join(c.work, "more.bin"), "more\n")
	p := nebula.Plan{ID: "p", Steps: []nebula.PlanStep{{ID: "s", Name: "s", Files: []string{"more.bin"}}}}
	if d, err := h.keep(t.Context(), c, j, p, Done{Status: string(nebula.Completed)}); err != nil || d.Status != string(nebula.Completed) {
		t.Errorf("%+v, %v", d, err)
	}
	if _, err := os.Stat(ran); err == nil {
		t.Error("something ran")
	}
}
