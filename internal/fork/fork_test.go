package fork_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"nebula"
	"nebula/internal/fork"
)

func put(t *testing.T, dir, path, text string) {
	t.Helper()
	full := filepath.Join(dir, path)
	if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(full, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func read(dir, path string) string {
	data, err := os.ReadFile(filepath.Join(dir, path))
	if err != nil {
		return "<none>"
	}
	return string(data)
}

// A fork holds what the folder holds, to the mode: what git ignores, what nobody committed, links and empty folders too.
func TestForkHoldsWhatTheFolderHolds(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, ".git/HEAD", "ref: refs/heads/main\n")
	put(t, dir, ".gitignore", "node_modules/\n")
	put(t, dir, "node_modules/x/index.js", "1\n")
	put(t, dir, "run.sh", "true\n")
	put(t, dir, "left/out", "x")
	put(t, dir, ".nebula-tmp-1-x", "half")
	for _, err := range []error{os.Chmod(filepath.Join(dir, "run.sh"), 0o754), os.Symlink("run.sh", filepath.Join(dir, "link")), os.Mkdir(filepath.Join(dir, "empty"), 0o711)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	f, err := fork.Make(t.Context(), dir, filepath.Join(t.TempDir(), "f"), filepath.Join(dir, "left"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{".git/HEAD", "node_modules/x/index.js", "run.sh", "link"} {
		if read(f.Work(), path) != read(dir, path) {
			t.Errorf("%s holds %q", path, read(f.Work(), path))
		}
	}
	for path, want := range map[string]os.FileMode{"run.sh": 0o754, "empty": os.ModeDir | 0o711} {
		if info, err := os.Lstat(filepath.Join(f.Work(), path)); err != nil || info.Mode() != want {
			t.Errorf("%s: %v, %v", path, info.Mode(), err)
		}
	}
	if read(f.Work(), "left/out") != "<none>" || read(f.Work(), ".nebula-tmp-1-x") != "<none>" {
		t.Error("what is to be left out is there")
	}
	if _, ok := fork.Open(filepath.Dir(f.Work())); !ok {
		t.Error("it is not whole")
	}
	if changes, err := f.Changes(t.Context(), hashed); err != nil || len(changes) > 0 {
		t.Errorf("nothing was done, and it is %+v, %v", changes, err)
	}
}

func hashed(_ context.Context, data []byte) (string, error) { return nebula.Hash(data), nil }

// What is too large, and a work tree of a repository elsewhere, is not copied.
func TestOnlyWhatFitsIsCopied(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, "a", strings.Repeat("x", 100))
	for _, c := range []struct {
		most fork.Bound
		want bool
	}{{fork.Bound{Bytes: 100, Files: 1}, true}, {fork.Bound{Bytes: 99, Files: 1}, false}, {fork.Bound{Bytes: 1000, Files: 0}, false}} {
		if got := fork.Fits(t.Context(), dir, c.most); got != c.want {
			t.Errorf("%+v: %v", c.most, got)
		}
	}
	put(t, dir, ".git", "gitdir: /elsewhere\n")
	if fork.Fits(t.Context(), dir, fork.Bound{Bytes: 1000, Files: 10}) {
		t.Error("a work tree of a repository elsewhere fits")
	}
}

// What was changed on one side alone is taken, what was changed on both is merged, and what does not fit together is named
// and holds both; bringing it once more changes nothing.
func TestFolderIsBroughtIntoTheFork(t *testing.T) {
	dir := t.TempDir()
	lines := "one\ntwo\nthree\nfour\nfive\nsix\nseven\n"
	for _, path := range []string{"mine", "theirs", "both", "clash", "gone", "gone-here", "binary", "deep/er/gone"} {
		put(t, dir, path, lines)
	}
	f, err := fork.Make(t.Context(), dir, filepath.Join(t.TempDir(), "f"))
	if err != nil {
		t.Fatal(err)
	}
	with := func(in, old, instead string) { put(t, in, old, instead) }
	with(f.Work(), "mine", "ONE\n")
	with(dir, "theirs", "ONE\n")
	with(f.Work(), "both", strings.Replace(lines, "two", "TWO", 1))
	with(dir, "both", strings.Replace(lines, "six", "SIX", 1))
	with(f.Work(), "clash", strings.Replace(lines, "two", "TWO", 1))
	with(dir, "clash", strings.Replace(lines, "two", "2", 1))
	with(f.Work(), "binary", "\x00mine")
	with(dir, "binary", "\x00theirs")
	with(dir, "new/file", "new\n")
	with(f.Work(), "new/mine", "mine\n")
	for _, path := range []string{filepath.Join(dir, "gone"), filepath.Join(dir, "deep"), filepath.Join(f.Work(), "gone-here")} {
		if err := os.RemoveAll(path); err != nil {
			t.Fatal(err)
		}
	}
	b, err := f.Bring(t.Context(), dir)
	if err != nil || !slices.Equal(b.Conflicts, []string{"binary", "clash"}) {
		t.Fatalf("%+v, %v", b, err)
	}
	merged := strings.NewReplacer("two", "TWO", "six", "SIX").Replace(lines)
	both := strings.Replace(lines, "two\n", "<<<<<<< this step\nTWO\n=======\n2\n>>>>>>> joined before\n", 1)
	for path, want := range map[string]string{"mine": "ONE\n", "theirs": "ONE\n", "both": merged, "clash": both, "binary": "\x00mine", "new/file": "new\n", "new/mine": "mine\n",
		"gone": "<none>", "deep/er/gone": "<none>", "gone-here": "<none>"} {
		if got := read(f.Work(), path); got != want {
			t.Errorf("%s holds %q, want %q", path, got, want)
		}
	}
	if !f.Marked("clash") || f.Marked("both") {
		t.Error("marks are not where they are")
	}
	if _, err := os.Lstat(filepath.Join(f.Work(), "deep")); err == nil {
		t.Error("a folder that is gone is there")
	}
	// What nobody settled is a conflict however often it is looked at.
	if b, err = f.Bring(t.Context(), dir); err != nil || len(b.Paths) > 0 || !slices.Equal(b.Conflicts, []string{"clash"}) {
		t.Errorf("once more: %+v, %v", b, err)
	}
	var changed []string
	changes, err := f.Changes(t.Context(), hashed)
	for _, c := range changes {
		changed = append(changed, c.Kind+" "+c.Path)
	}
	if want := []string{"edit binary", "edit both", "edit clash", "create gone-here", "edit mine", "delete new/mine"}; err != nil || !slices.Equal(changed, want) {
		t.Errorf("%q, %v", changed, err)
	}
}

// Of a file that is ignored the newer version is the whole of it; a cache stays what it is on either side, and is no change of the fork's.
func TestWhatIsIgnoredIsNotMerged(t *testing.T) {
	dir := t.TempDir()
	for _, path := range []string{"newer.env", "older.env", "gone.env", "gone-here.env", "__pycache__/x", "pkg/__pycache__/y", "mine.py"} {
		put(t, dir, path, "old\n")
	}
	f, err := fork.Make(t.Context(), dir, filepath.Join(t.TempDir(), "f"))
	if err != nil {
		t.Fatal(err)
	}
	f.Ignores = func(path string) bool { return filepath.Ext(path) != ".py" }
	both := func(path string, here time.Duration) {
		put(t, dir, path, "folder\n")
		put(t, f.Work(), path, "step\n")
		at := time.Now().Add(here)
		if err := os.Chtimes(filepath.Join(dir, path), at, at); err != nil {
			t.Fatal(err)
		}
	}
	both("newer.env", time.Hour)
	both("older.env", -time.Hour)
	both("__pycache__/x", time.Hour)
	both(".pytest_cache/nodeids", time.Hour)
	put(t, dir, "pkg/__pycache__/y", "folder\n")
	put(t, f.Work(), "mine.py", "step\n")
	put(t, f.Work(), "gone.env", "step\n")
	put(t, dir, "gone-here.env", "folder\n")
	for _, path := range []string{filepath.Join(dir, "gone.env"), filepath.Join(f.Work(), "gone-here.env"), filepath.Join(f.Work(), "pkg")} {
		if err := os.RemoveAll(path); err != nil {
			t.Fatal(err)
		}
	}
	b, err := f.Bring(t.Context(), dir)
	if err != nil || len(b.Conflicts) > 0 || !slices.Equal(b.Paths, []string{"gone-here.env", "gone.env", "newer.env", "older.env"}) {
		t.Errorf("%+v, %v", b, err)
	}
	for path, want := range map[string]string{"newer.env": "folder\n", "older.env": "step\n", "gone.env": "step\n", "gone-here.env": "folder\n", "__pycache__/x": "step\n"} {
		if got := read(f.Work(), path); got != want {
			t.Errorf("%s holds %q", path, got)
		}
	}
	var changed []string
	changes, err := f.Changes(t.Context(), hashed)
	for _, c := range changes {
		changed = append(changed, c.Kind+" "+c.Path)
	}
	if want := []string{"delete gone.env", "edit mine.py", "edit older.env", "mkdir pkg", "mkdir pkg/__pycache__", "create pkg/__pycache__/y"}; err != nil || !slices.Equal(changed, want) {
		t.Errorf("%q, %v", changed, err)
	}
}

// A file of the same length and time is compared by what it holds, where it was changed just before.
func TestTimeOfAFreshFileIsNotTrusted(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, "a", "one\n")
	f, err := fork.Make(t.Context(), dir, filepath.Join(t.TempDir(), "f"))
	if err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(filepath.Join(dir, "a"))
	if err != nil {
		t.Fatal(err)
	}
	put(t, dir, "a", "two\n")
	if err := os.Chtimes(filepath.Join(dir, "a"), time.Now(), info.ModTime()); err != nil {
		t.Fatal(err)
	}
	if b, err := f.Bring(t.Context(), dir); err != nil || len(b.Paths) != 1 || read(f.Work(), "a") != "two\n" {
		t.Errorf("%+v, %v", b, err)
	}
}

func TestMerge(t *testing.T) {
	for _, c := range []struct{ base, ours, theirs, want string }{
		{"a\nb\nc\nd\n", "A\nb\nc\nd\n", "a\nb\nc\nD\n", "A\nb\nc\nD\n"},
		{"a\nb\n", "a\nb\n", "a\nB\n", "a\nB\n"},
		{"a\nb\n", "a\nB\n", "a\nB\n", "a\nB\n"},
		{"a\nb\nc\n", "a\nc\n", "a\nb\nc\nd\n", "a\nc\nd\n"},
		{"", "x\n", "x\n", "x\n"},
		{"a\n", "a\nx\n", "a\ny\n", "!a\n<<<<<<< this step\nx\n=======\ny\n>>>>>>> joined before\n"},
		{"a\nb\nc\n", "A\nb\nc\n", "a\nB\nc\n", "!<<<<<<< this step\nA\nb\n=======\na\nB\n>>>>>>> joined before\nc\n"},
		{"a", "x", "y", "!<<<<<<< this step\nx\n=======\ny\n>>>>>>> joined before\n"},
	} {
		got, conflict := fork.Merge(c.base, c.ours, c.theirs)
		if want, clash := strings.CutPrefix(c.want, "!"); got != want || conflict != clash {
			t.Errorf("%q + %q of %q: %q, %v", c.ours, c.theirs, c.base, got, conflict)
		}
	}
}

func FuzzMerge(f *testing.F) {
	f.Add("a\nb\nc\n", "A\nb\nc\n", "a\nb\nC\n")
	f.Fuzz(func(t *testing.T, base, ours, theirs string) {
		if got, conflict := fork.Merge(base, ours, base); got != ours || conflict {
			t.Errorf("nothing beside it: %q", got)
		}
		if got, conflict := fork.Merge(base, base, theirs); got != theirs || conflict {
			t.Errorf("nothing of it: %q", got)
		}
		if got, conflict := fork.Merge(base, ours, ours); got != ours || conflict {
			t.Errorf("both the same: %q", got)
		}
		_, _ = fork.Merge(base, ours, theirs)
	})
}
