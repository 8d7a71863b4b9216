package workspace

import (
	"bytes"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// ignoredHere lists the files and directories that the walk leaves out, in a folder whose paths are known.
func ignoredHere(t testing.TB, d *Dir, paths []string) []string {
	t.Helper()
	shown := map[string]bool{}
	for e, err := range d.List(t.Context(), Walk{Recursive: true, Hidden: true}) {
		if err != nil {
			t.Fatal(err)
		}
		shown[e.Path] = true
	}
	var out []string
	for _, p := range paths {
		if !shown[p] {
			out = append(out, p)
		}
	}
	return out
}

// ignoredByGit asks git, without anybody's settings.
func ignoredByGit(t testing.TB, dir string, paths []string) []string {
	t.Helper()
	cmd := exec.Command("git", "check-ignore", "--no-index", "--stdin", "-z")
	cmd.Dir = dir
	cmd.Env = gitEnv(dir)
	cmd.Stdin = strings.NewReader(strings.Join(paths, "\x00") + "\x00")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil && (cmd.ProcessState == nil || cmd.ProcessState.ExitCode() != 1) {
		t.Fatalf("%v %s", err, stderr.String())
	}
	return slices.DeleteFunc(strings.Split(string(out), "\x00"), func(s string) bool { return s == "" })
}

func gitEnv(home string) []string {
	return []string{"PATH=" + os.Getenv("PATH"), "HOME=" + home, "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=" + os.DevNull, "SYSTEMROOT=" + os.Getenv("SYSTEMROOT")}
}

// repository is an empty repository with a tree of files.
func repository(t testing.TB, tree []string) *Dir {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	d := opened(t)
	cmd := exec.Command("git", "init", "-q")
	cmd.Dir, cmd.Env = d.Path(), gitEnv(d.Path())
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v %s", err, out)
	}
	for _, f := range tree {
		lay(t, d, f, "")
	}
	return d
}

// all lists files with the directories above them.
func all(tree []string) []string {
	seen := map[string]bool{}
	for _, f := range tree {
		for ; f != "."; f = path.Dir(f) {
			seen[f] = true
		}
	}
	return slices.Sorted(maps.Keys(seen))
}

var ignoreTree = []string{
	"a", "b.log", "c.txt", "foo", "foobar", "README.md", "#hash", "!bang", "sp ace", "trail ", "back\\slash", "x[1]", "a-b", "a.b",
	"build/out.o", "build/keep.txt", "build/sub/deep.o", "src/a.go", "src/a.o", "src/build/x", "src/sub/build", "src/sub/b.log",
	"src/sub/deep/c.txt", "src/sub/deep/er/foo", "doc/foo/bar", "doc/foo/x/bar", "doc/foo/x/y/bar", "doc/foobar", "doc/frotz/a.pdf",
	"vendor/m/v.go", "vendor/m/foo", "vendor/x.log", "temp/t1", "temp/t2/t3", "foox/y/bar", "A.TXT", "é", "日本語/設定.txt", "q?x", "st*r",
	"n1/n2/n3/n4/file", "n1/file", ".hidden", ".cfg/inner",
}

// Each case is the root's .gitignore; a second file follows after a line "@ path".
var ignoreCases = []string{
	"a", "/a", "a/", "*.log", "*.log\n!b.log", "foo", "/foo", "foo/", "foo*", "*foo*", "build", "build/", "/build", "/build/",
	"build/*", "build/*\n!build/keep.txt", "build/\n!build/keep.txt", "build/**", "**/build", "**/build/", "**/build/**",
	"doc/**/bar", "doc/*/bar", "doc/foo/**", "**", "*", "*\n!*/", "*\n!*/\n!*.go", "/*\n!/src", "/*\n!/src/\n/src/*\n!/src/sub",
	"src/sub", "/src/sub/", "sub/deep", "**/sub/deep", "sub", "[ab]", "[a-c]*", "[!a]", "[^a]", "[]]", "[]a]", "a[-]b", "a[.-]b",
	"[[:alpha:]]", "[[:upper:]]*", "[[:nope:]]", "[", "[a", "[a-", "x[[]1]", `x\[1\]`, "x[1]", "#hash", `\#hash`, "!bang", `\!bang`,
	"sp ace", "sp ace   ", "trail ", `trail\ `, `trail\  `, `back\slash`, `back\\slash`, `a\`, `\a`, "q?x", `q\?x`, "st*r", `st\*r`,
	"foo**/bar", "doc/foo**/bar", "doc/f**/bar", "**foo", "foo**", "***/foo", "a**", "/**/foo", "/**", "doc/**foo/bar", "doc//foo", "doc/foo//",
	"//a", "./a", "../a", "/", "//", "", "   ", "\t", "\r", "a\r\nfoo\r", "\ufeffa\nfoo", "é", "[é]", "?", "??", "日本語", "日本語/*.txt", "*語/",
	"*.TXT", "*.txt", "*.md\n*.txt\n!c.txt", "n1/*/n3", "n1/**/file", "n1/**/n3/**", "**/n2/**/file", "*/file", "/*/*/file", "n?/n[0-9]/",
	".*", ".*\n!.cfg", ".cfg/", "temp\n!temp/t1", "temp/*\n!temp/t2", "temp/t2/\n!temp/t2/t3", "a\n!a\na", "!a\na", "!\na", "!!bang",
	"*.o\n@ src/.gitignore\n!a.o", "*.go\n@ src/.gitignore\n!/a.go", "@ src/.gitignore\n/sub", "@ src/.gitignore\nsub/deep", "@ src/.gitignore\n*\n!sub",
	"@ src/sub/.gitignore\n**", "src/sub\n@ src/sub/.gitignore\n!*", "@ vendor/.gitignore\n*\n!.gitignore", "foo\n@ vendor/m/.gitignore\n!foo",
	"@ .git/info/exclude\n*.log\nfoo", "!*.log\n@ .git/info/exclude\n*.log", "@ .git/info/exclude\n/src/sub\n@ src/.gitignore\n!sub",
	"@ src/.gitignore\n/", "@ doc/.gitignore\nfoo/**/bar", "@ doc/.gitignore\n**/bar", "@ n1/.gitignore\n/n2/n3/", "@ n1/n2/.gitignore\n../file",
}

func ignoreFiles(c string) map[string]string {
	files := map[string]string{}
	name, text := ".gitignore", ""
	for l := range strings.SplitAfterSeq(c, "\n") {
		if f, ok := strings.CutPrefix(l, "@ "); ok {
			files[name] = text
			name, text = strings.TrimSpace(f), ""
			continue
		}
		text += l
	}
	files[name] = text
	return files
}

func (d *Dir) askBoth(t testing.TB, c string, paths []string) (ours, theirs []string) {
	t.Helper()
	for f, text := range ignoreFiles(c) {
		lay(t, d, f, text)
		defer os.Remove(filepath.Join(d.Path(), f))
	}
	ours, theirs = ignoredHere(t, d, paths), ignoredByGit(t, d.Path(), paths)
	slices.Sort(theirs)
	return ours, theirs
}

func TestIgnoreAgreesWithGit(t *testing.T) {
	d := repository(t, ignoreTree)
	paths := all(ignoreTree)
	for _, c := range ignoreCases {
		if ours, theirs := d.askBoth(t, c, paths); !slices.Equal(ours, theirs) {
			t.Errorf("%q:\n ours %q\n git  %q", c, ours, theirs)
		}
	}
}

func TestIgnoreAgreesWithGitAtRandom(t *testing.T) {
	rounds := often(150, 150, 5000)
	seed := rand.Uint64()
	r := rand.New(rand.NewPCG(seed, 1))
	pieces := []string{"a", "b", "ab", "foo", "*", "**", "?", "/", "/", "/", "!", "[ab]", "[!a]", "[^b-z]", `\`, " ", ".o", "a*", "*b", "[", "]", "***", "#", `\ `, "[]]", "[a-]", "[[:alpha:]]"}
	names := []string{"a", "b", "ab", "foo", "a.o", "b.o", "bb", "a b"}
	var tree []string
	for _, x := range names {
		tree = append(tree, "top/"+x+"/leaf", "top/"+x+"/a/foo", x+".d/"+x, x)
		for _, y := range names[:4] {
			tree = append(tree, "deep/"+x+"x/"+y+"/ab", "foo.d/"+x+y+"/b.o")
		}
	}
	pattern := func() string {
		var b strings.Builder
		for range 1 + r.IntN(5) {
			b.WriteString(pieces[r.IntN(len(pieces))])
		}
		return b.String()
	}
	d := repository(t, tree)
	paths := all(tree)
	for range rounds {
		var c strings.Builder
		for range 1 + r.IntN(5) {
			fmt.Fprintln(&c, pattern())
		}
		for _, f := range []string{"top/.gitignore", "deep/.gitignore", ".git/info/exclude"} {
			if r.IntN(3) == 0 {
				fmt.Fprintf(&c, "@ %s\n%s\n", f, pattern())
			}
		}
		if ours, theirs := d.askBoth(t, c.String(), paths); !slices.Equal(ours, theirs) {
			t.Errorf("seed %d %q:\n ours %q\n git  %q", seed, c.String(), ours, theirs)
		}
	}
}

func TestNebulaIgnoreIsStronger(t *testing.T) {
	d := opened(t)
	for _, f := range []string{"a.log", "b.log", "gen/x", "gen/y", "secret/key", "sub/a.log"} {
		lay(t, d, f, "")
	}
	lay(t, d, ".gitignore", "*.log\ngen/\n")
	lay(t, d, ".nebulaignore", "!a.log\n!gen/\nsecret\ngen/y\n")
	lay(t, d, "sub/.gitignore", "a.log\n")
	ours := ignoredHere(t, d, []string{"a.log", "b.log", "gen", "gen/x", "gen/y", "secret", "secret/key", "sub/a.log"})
	if want := []string{"b.log", "gen/y", "secret", "secret/key"}; !slices.Equal(ours, want) {
		t.Errorf("got %q, want %q", ours, want)
	}
}

func TestRulesOfTheRepositoryAboveHold(t *testing.T) {
	top := t.TempDir()
	inner := filepath.Join(top, "apps", "web")
	for f, text := range map[string]string{
		".git/info/exclude": "*.tmp\n", ".gitignore": "/apps/web/dist\n*.log\n", "apps/.gitignore": "web/gen/\n!keep.log\n",
		"apps/web/dist/x": "", "apps/web/gen/x": "", "apps/web/a.log": "", "apps/web/keep.log": "", "apps/web/b.tmp": "", "apps/web/c": "",
	} {
		os.MkdirAll(filepath.Dir(filepath.Join(top, f)), 0o755)
		os.WriteFile(filepath.Join(top, f), []byte(text), 0o644)
	}
	d, err := Open(inner, inMemory())
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	ours := ignoredHere(t, d, []string{"dist", "gen", "a.log", "keep.log", "b.tmp", "c"})
	if want := []string{"dist", "gen", "a.log", "b.tmp"}; !slices.Equal(ours, want) {
		t.Errorf("got %q, want %q", ours, want)
	}
}

func TestNestedRepositoryHasItsOwnRules(t *testing.T) {
	d := opened(t)
	for f, text := range map[string]string{
		".git/HEAD": "", ".gitignore": "*.log\n", "x.log": "", "inner/.git/info/exclude": "*.tmp\n", "inner/.gitignore": "!n.tmp\n",
		"inner/x.log": "", "inner/m.tmp": "", "inner/n.tmp": "",
	} {
		lay(t, d, f, text)
	}
	ours := ignoredHere(t, d, []string{"x.log", "inner/x.log", "inner/m.tmp", "inner/n.tmp", "inner/.git"})
	if want := []string{"x.log", "inner/m.tmp", "inner/.git"}; !slices.Equal(ours, want) {
		t.Errorf("got %q, want %q", ours, want)
	}
}

// slowGlob is git's algorithm in its plainest form, to compare the machine with.
func slowGlob(ops []op, s string) bool {
	if len(ops) == 0 {
		return s == ""
	}
	o, rest := ops[0], ops[1:]
	switch o.kind {
	case opChar:
		return s != "" && s[0] == o.char && slowGlob(rest, s[1:])
	case opAny:
		return s != "" && s[0] != '/' && slowGlob(rest, s[1:])
	case opSet:
		return s != "" && o.set[s[0]] && slowGlob(rest, s[1:])
	}
	if o.kind == opDirs && slowGlob(rest[1:], s) {
		return true
	}
	for i := 0; ; i++ {
		if slowGlob(rest, s[i:]) {
			return true
		}
		if i == len(s) || o.kind == opStar && s[i] == '/' {
			return false
		}
	}
}

func FuzzGlob(f *testing.F) {
	for _, c := range ignoreCases {
		f.Add(c, "doc/foo/x/bar")
	}
	f.Add("a*a*a*a*a*b", "aaaaaaaaaaaaaaaaaaaa")
	f.Fuzz(func(t *testing.T, pattern, name string) {
		if len(pattern) > 24 || len(name) > 24 {
			return
		}
		for _, inPath := range []bool{false, true} {
			g := compile(pattern, inPath, false)
			if g.kind == machine && g.match(name) != slowGlob(g.ops, name) {
				t.Errorf("%q on %q: %v", pattern, name, g.match(name))
			}
		}
		newFilter(pattern).passes(name, path.Base(name))
		rules([]byte(pattern))
	})
}

func TestHostilePatternsAreFast(t *testing.T) {
	g := compile(strings.Repeat("**/a*", 200)+"x", true, false)
	g.match(strings.Repeat("a/", 2000)) // would take longer than the universe lasts by trying
	if n := len(braces(strings.Repeat("{a,b}", 40))); n > maxAlternatives {
		t.Errorf("%d alternatives", n)
	}
}
