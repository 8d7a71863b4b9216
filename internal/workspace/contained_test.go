package workspace

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
	"unicode/utf8"

	"nebula"
)

// mistake fails unless err is the model's mistake in one line.
func mistake(t *testing.T, what string, err error) {
	t.Helper()
	var m *nebula.Mistake
	if !errors.As(err, &m) {
		t.Errorf("%s: %v", what, err)
	} else if strings.ContainsAny(err.Error(), "\n\r\x00") {
		t.Errorf("%s: more than a line: %q", what, err)
	}
}

func TestCleanStaysInside(t *testing.T) {
	d := opened(t)
	real := filepath.ToSlash(d.real)
	for in, want := range map[string]string{
		"": ".", ".": ".", "./": ".", "a": "a", "./a//b/../c": "a/c", "a/": "a", "..a": "..a", "a/..b": "a/..b", "日本語/設定": "日本語/設定",
		real: ".", real + "/x/y": "x/y", d.Path() + "/x": "x", "a\nb": "a\nb",
	} {
		if got, err := d.Clean(in); got != want || err != nil {
			t.Errorf("%q: %q %v", in, got, err)
		}
	}
	for _, in := range []string{"..", "../x", "a/../../x", "/", "/etc/passwd", real + "/../x", real + "x", "a\x00b", "\xff", "~", "~/x", "file:///etc/new", "https://x/y", "%2e%2e/out/new", "a/%2E%2e%2f..%2fx"} {
		_, err := d.Clean(in)
		mistake(t, in, err)
	}
}

func FuzzClean(f *testing.F) {
	for _, s := range []string{"a/../..", "/etc", "./.git/x", "a//b", "..\\x", "C:\\x", "a\x00", "~/x", ".GIT", "g\u200cit"} {
		f.Add(s)
	}
	d := opened(f)
	f.Fuzz(func(t *testing.T, p string) {
		clean, err := d.Clean(p)
		if err != nil {
			mistake(t, p, err)
			return
		}
		if !filepath.IsLocal(filepath.FromSlash(clean)) || strings.Contains(clean, "//") || !utf8.ValidString(clean) {
			t.Errorf("%q: %q", p, clean)
		}
		if again, err := d.Clean(clean); again != clean || err != nil {
			t.Errorf("%q, then %q: %q %v", p, clean, again, err)
		}
		if d.Protected(clean) != d.Protected(p) {
			t.Errorf("%q is protected, not by the spelling %q", clean, p)
		}
	})
}

func TestProtectedByAnySpelling(t *testing.T) {
	d := opened(t)
	for _, p := range []string{
		".git", ".GIT/config", ".git/", "x/../.git/config", "sub/.git/hooks/pre-commit", ".git.", ".git ", ".git . .", ".git::$INDEX_ALLOCATION/config",
		".git:x", "git~1/config", "GIT~1", ".g\u200cit/config", ".nebula", ".Nebula/config.json", "nebula~1", `sub\.git\config`, tempName(newTag()),
		filepath.Join(d.Path(), ".git", "config"), "./.git",
	} {
		if !d.Protected(p) {
			t.Errorf("%q is not protected", p)
		}
		if rel, err := d.Clean(p); err == nil {
			if _, err := d.Write(t.Context(), granting(t, d, rel), p, []byte("x")); err == nil {
				t.Errorf("%q was written", p)
			}
			if _, err := d.Mkdir(t.Context(), granting(t, d, rel), p); err == nil {
				t.Errorf("%q was made", p)
			}
		}
	}
	for _, p := range []string{"git", ".gitignore", ".github/workflows/ci.yml", ".gitattributes", ".nebulaignore", "nebula", "x.git", "a~b"} {
		if d.Protected(p) {
			t.Errorf("%q is protected", p)
		}
	}
	if left, _ := os.ReadDir(d.Path()); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
}

func TestOwnFilesAreOutOfReach(t *testing.T) {
	dir := t.TempDir()
	home := filepath.Join(dir, "state", "home")
	os.MkdirAll(home, 0o755)
	os.WriteFile(filepath.Join(home, "config.json"), []byte(`{"key":"secret"}`), 0o644)
	os.WriteFile(filepath.Join(dir, "my.db"), []byte("secret"), 0o644)
	os.WriteFile(filepath.Join(dir, "my.db-wal"), []byte("secret"), 0o644)
	os.Symlink("state/home", filepath.Join(dir, "link"))
	d, err := Open(dir, inMemory(), home, filepath.Join(dir, "my.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	for _, p := range []string{"state/home/config.json", "link/config.json", "my.db", "my.db-wal"} {
		_, _, err := d.Read(p, 0)
		mistake(t, p, err)
		_, err = d.Write(t.Context(), granting(t, d, p), p, []byte("x"))
		if err == nil {
			t.Errorf("%s was written", p)
		}
	}
	if ms, _, err := d.Search(t.Context(), Query{Keyword: "secret"}); err != nil || len(ms) > 0 {
		t.Errorf("found %v %v", ms, err)
	}
}

func TestLinksInsideAreFollowedAndStay(t *testing.T) {
	d := opened(t)
	laid(t, d, map[string]string{"real/a.txt": "one\n"})
	os.Symlink("real", filepath.Join(d.Path(), "dir"))
	os.Symlink(filepath.Join(d.real, "real", "a.txt"), filepath.Join(d.Path(), "abs"))
	os.Symlink("../dir/a.txt", filepath.Join(d.Path(), "real", "back"))
	os.Symlink("real/new.txt", filepath.Join(d.Path(), "dangling"))
	for _, p := range []string{"dir/a.txt", "abs", "real/back", "dir/back"} {
		data, e, err := d.Read(p, 0)
		if err != nil || string(data) != "one\n" || e.Path != "real/a.txt" {
			t.Errorf("%s: %q %+v %v", p, data, e, err)
		}
	}
	c, err := d.Write(t.Context(), granting(t, d, "abs"), "abs", []byte("two\n"))
	if err != nil || c.Path != "real/a.txt" || content(t, d, "real/a.txt") != "two\n" {
		t.Errorf("%+v %v", c, err)
	}
	g := nebula.Proposal{Action: nebula.Action{ID: "1"}, Effect: nebula.Write, Targets: []nebula.Target{{Path: "dangling"}}}
	grant := nebula.NewGrant("g", "test", g)
	grant.Open(g)
	if c, err := d.Write(t.Context(), grant, "dangling", []byte("new\n")); err != nil || c.Path != "real/new.txt" {
		t.Errorf("%+v %v", c, err)
	}
	for _, l := range []string{"abs", "dir", "dangling"} {
		if e, err := d.Stat(l); err != nil || e.Link == "" {
			t.Errorf("%s: %+v %v", l, e, err)
		}
	}
}

func TestNothingLeadsOutside(t *testing.T) {
	d := opened(t)
	outside := t.TempDir()
	secret := filepath.Join(outside, "secret")
	os.WriteFile(secret, []byte("secret"), 0o644)
	laid(t, d, map[string]string{"sub/x": "x"})
	up, _ := filepath.Rel(d.real, outside)
	for name, target := range map[string]string{
		"file": secret, "dir": outside, "rel": up, "sub/rel": filepath.Join("..", up), "loop": "loop", "two": "file", "up": "..", "sub/up": "../..",
		"round": filepath.Join("..", filepath.Base(d.real), "sub"), "sub/none": filepath.Join(outside, "none"),
	} {
		if err := os.Symlink(target, filepath.Join(d.Path(), name)); err != nil {
			t.Skip(err)
		}
	}
	for _, p := range []string{"file", "dir/secret", "rel/secret", "sub/rel/secret", "loop", "two", "up/x", "sub/up/x", "round/x", "sub/none", "../x"} {
		_, _, err := d.Read(p, 0)
		mistake(t, "read "+p, err)
		_, err = d.Write(t.Context(), granting(t, d, p), p, []byte("x"))
		mistake(t, "write "+p, err)
		_, err = d.Mkdir(t.Context(), granting(t, d, p+"/m"), p+"/m")
		mistake(t, "mkdir "+p, err)
	}
	if data, _ := os.ReadFile(secret); string(data) != "secret" {
		t.Error("written outside")
	}
	if left, _ := os.ReadDir(outside); len(left) != 1 {
		t.Errorf("made outside: %v", left)
	}
	if ms, _, err := d.Search(t.Context(), Query{Keyword: "secret"}); err != nil || len(ms) > 0 {
		t.Errorf("found %v %v", ms, err)
	}
}

func TestHardLinkOutsideKeepsItsContent(t *testing.T) {
	d := opened(t)
	outside := filepath.Join(t.TempDir(), "other")
	os.WriteFile(outside, []byte("old"), 0o600)
	if err := os.Link(outside, filepath.Join(d.Path(), "in")); err != nil {
		t.Skip(err)
	}
	if data, _, err := d.Read("in", 0); err != nil || string(data) != "old" {
		t.Fatalf("%q %v", data, err)
	}
	c, err := d.Write(t.Context(), granting(t, d, "in"), "in", []byte("new"))
	if err != nil {
		t.Fatal(err)
	}
	if data, _ := os.ReadFile(outside); string(data) != "old" || content(t, d, "in") != "new" {
		t.Errorf("outside %q, inside %q", data, content(t, d, "in"))
	}
	if _, _, err := d.Restore(t.Context(), granting(t, d, "in"), []nebula.Change{c}); err != nil || content(t, d, "in") != "old" {
		t.Errorf("%q %v", content(t, d, "in"), err)
	}
}

// TestSwapsDoNotLeadOutside changes directories, links and pipes under the workspace's feet while it reads, writes,
// makes and deletes, and looks for anything that got out or into the repository.
func TestSwapsDoNotLeadOutside(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("needs links")
	}
	d := opened(t)
	outside := t.TempDir()
	os.WriteFile(filepath.Join(outside, "f"), []byte("secret"), 0o644)
	laid(t, d, map[string]string{"keep/f": "inside", ".git/f": "inside", "x/f": "inside"})
	var stop atomic.Bool
	var swapper sync.WaitGroup
	top := d.Path()
	swapper.Go(func() { swap(top, outside, &stop) })
	rounds, limit := 0, time.Now().Add(2*time.Second)
	if os.Getenv("NEBULA_LONG") != "" {
		limit = limit.Add(58 * time.Second)
	}
	changed := 0
	for ; time.Now().Before(limit); rounds++ {
		if data, _, err := d.Read("x/f", 0); err == nil && !strings.HasPrefix("inside", string(data)) && data[0] != 'w' {
			t.Errorf("read %q", data)
		}
		if _, err := d.Write(t.Context(), granting(t, d, "x/f"), "x/f", fmt.Appendf(nil, "w%d", rounds)); err == nil {
			changed++
		}
		d.Write(t.Context(), granting(t, d, "x/n"), "x/n", []byte("w"))
		d.Delete(t.Context(), granting(t, d, "x/n"), "x/n")
		d.Mkdir(t.Context(), granting(t, d, "x/m/n"), "x/m/n")
		if ms, _, _ := d.Search(t.Context(), Query{Keyword: "secret"}); len(ms) > 0 {
			t.Errorf("found %v", ms)
		}
	}
	stop.Store(true)
	swapper.Wait()
	if left, _ := os.ReadDir(outside); len(left) != 1 {
		t.Errorf("made outside: %v", left)
	}
	if data, _ := os.ReadFile(filepath.Join(outside, "f")); string(data) != "secret" {
		t.Errorf("written outside: %q", data)
	}
	if left, _ := os.ReadDir(filepath.Join(top, ".git")); len(left) != 1 || content(t, d, ".git/f") != "inside" {
		t.Errorf("in the repository: %v", left)
	}
	filepath.WalkDir(top, func(p string, e fs.DirEntry, err error) error {
		if strings.HasPrefix(filepath.Base(p), tempPrefix) {
			t.Errorf("left over: %s", p)
		}
		return nil
	})
	t.Logf("%d rounds, %d writes landed", rounds, changed)
}

// often is how many times something is tried: where somebody waits for it, in CI, and by hand with NEBULA_LONG set. The short runs of CI, under
// the race detector and as another user, try as often as those that are waited for.
func often(waited, ci, long int) int {
	switch {
	case os.Getenv("NEBULA_LONG") != "":
		return long
	case os.Getenv("CI") != "" && !testing.Short():
		return ci
	}
	return waited
}

// TestSwappedWhileItIsFoundLeadsNowhere has what every read and change begins with, finding the place, raced by swaps of the
// folder on the way and of the file itself.
func TestSwappedWhileItIsFoundLeadsNowhere(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("needs links")
	}
	tries := often(5_000, 100_000, 1_000_000)
	d := opened(t)
	outside := t.TempDir()
	os.WriteFile(filepath.Join(outside, "f"), []byte("secret"), 0o644)
	os.Mkdir(filepath.Join(outside, "y"), 0o755)
	os.WriteFile(filepath.Join(outside, "y", "f"), []byte("secret"), 0o644)
	laid(t, d, map[string]string{".git/f": "inside", "x/f": "inside", "x/y/f": "inside"})
	began, err := os.Stat(outside)
	if err != nil {
		t.Fatal(err)
	}
	var stop atomic.Bool
	var swapper sync.WaitGroup
	swapper.Go(func() { swap(d.Path(), outside, &stop) })
	met := map[bool]int{}
	for n := range tries {
		p := []string{"x/f", "x/y/f"}[n%2]
		if data, _, err := d.Read(p, 0); err == nil && strings.Contains(string(data), "secret") {
			t.Fatalf("%d: read %q", n, data)
		}
		s, err := d.exact(p)
		if err == nil && len(s.rest) == 0 {
			if f, err := s.dir.create("made", 0o600); err == nil {
				f.Close()
				s.dir.remove("made")
			}
		}
		if err == nil {
			met[s.stat.exists()]++
			s.close()
		}
	}
	stop.Store(true)
	swapper.Wait()
	if left, _ := os.ReadDir(outside); len(left) != 2 {
		t.Errorf("made outside: %v", left)
	}
	if st, err := os.Stat(outside); err != nil || !st.ModTime().Equal(began.ModTime()) {
		t.Errorf("something came and went outside: %v", err)
	}
	if met[true] == 0 || met[false] == 0 {
		t.Errorf("no swap was met: %v", met)
	}
}

// swap puts links that lead outside and into the repository, and pipes, in the places of x and x/f, and the real ones back.
func swap(top, outside string, stop *atomic.Bool) {
	x, f := filepath.Join(top, "x"), filepath.Join(top, "x", "f")
	for i := 0; !stop.Load(); i++ {
		away := filepath.Join(top, "away")
		os.Rename(x, away)
		switch i % 4 {
		case 0:
			os.Symlink(outside, x)
		case 1:
			os.Symlink(".git", x)
		case 2:
			pipe(x)
		}
		os.Remove(x)
		os.Rename(away, x)
		switch i % 3 {
		case 0:
			os.Remove(f)
			os.Symlink(filepath.Join(outside, "f"), f)
		case 1:
			os.Remove(f)
			pipe(f)
		case 2:
			os.Remove(f)
			os.WriteFile(f, []byte("inside"), 0o644)
		}
	}
}

func TestPipesAndDevicesDoNotBlock(t *testing.T) {
	d := opened(t)
	if !pipe(filepath.Join(d.Path(), "pipe")) {
		t.Skip("no pipes here")
	}
	laid(t, d, map[string]string{"a": "x"})
	done := make(chan struct{})
	go func() {
		defer close(done)
		_, _, err := d.Read("pipe", 0)
		mistake(t, "read", err)
		_, _, err = d.Read("pipe/x", 0)
		mistake(t, "read below", err)
		_, err = d.Write(t.Context(), granting(t, d, "pipe"), "pipe", []byte("x"))
		mistake(t, "write", err)
		_, err = d.Delete(t.Context(), granting(t, d, "pipe"), "pipe")
		mistake(t, "delete", err)
		if ms, _, err := d.Search(t.Context(), Query{Keyword: "x"}); err != nil || len(ms) != 1 {
			t.Errorf("%v %v", ms, err)
		}
	}()
	select {
	case <-done:
	case <-time.After(5 * time.Second):
		t.Fatal("blocked")
	}
}
