package tool_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"nebula"
	"nebula/internal/tool"
)

func TestIdentifierIsRenamedInAllFilesAtOnce(t *testing.T) {
	files := map[string]string{
		"a.go":         "package a\n\nfunc Total(n int) int { return n }\n\nvar _ = Total(1) + Totals\n",
		"sub/b.go":     "package b\r\n\r\nvar x = a.Total(2)\r\n",
		"sub/c.go":     "package b\n\nvar SubTotal, Total_1 int\n",
		"README.md":    "`Total` adds.\n",
		"run.sh":       "Total=1\necho $Total ${Total}\n",
		"web.js":       "var $Total = Total\n",
		"latin.txt":    "Total\xe9 Total\n",
		"key.pem":      "Total\n",
		".gitignore":   "out/\n",
		"out/built.js": "Total()\n",
		".git/config":  "Total\n",
	}
	want := map[string]string{
		"a.go":      "package a\n\nfunc Sum(n int) int { return n }\n\nvar _ = Sum(1) + Totals\n",
		"sub/b.go":  "package b\r\n\r\nvar x = a.Sum(2)\r\n",
		"README.md": "`Sum` adds.\n",
		"run.sh":    "Sum=1\necho $Sum ${Sum}\n",
		"web.js":    "var $Total = Sum\n",
		"latin.txt": "Total\xe9 Sum\n",
	}
	secret := func(p string) bool { return strings.HasSuffix(p, ".pem") }
	for name, a := range map[string]args{
		"renameSymbol": {"from": "Total", "to": "Sum"},
		"patchFile":    {"path": ".", "edits": []any{args{"old": "Total", "new": "Sum"}}},
	} {
		f := newFolder(t, tool.Options{Secret: secret}, files)
		f.must("readFile", args{"path": "a.go"})
		p, err := f.propose(name, a)
		if err != nil {
			t.Fatal(err)
		}
		if p.Effect != nebula.Write || len(p.Targets) != len(want) || strings.Count(p.Diff, "\n+++ b/") != len(want) || f.text("a.go") != files["a.go"] {
			t.Errorf("%s: proposed %v\n%s", name, p.Targets, p.Diff)
		}
		r := f.must(name, a)
		for file, text := range files {
			if w, ok := want[file]; ok {
				text = w
			}
			if f.text(file) != text {
				t.Errorf("%s: %s is %q", name, file, f.text(file))
			}
		}
		if len(r.Changes) != len(want) || r.Summary != "renamed Total to Sum in 6 files" {
			t.Errorf("%s: %q, %d changes", name, r.Summary, len(r.Changes))
		}
		// What was read is known as before, and may be overwritten whole; what was not read may not.
		f.must("editFile", args{"path": "a.go", "new_content": "package a\n\nfunc Sum(n int) int { return n + 1 }\n\nvar _ = Sum(1) + Totals\n"})
		f.mistaken("editFile", args{"path": "sub/b.go", "new_content": "package b\n"})
	}
}

// Edits of a folder rename an identifier, also where the list is written as a text; any others are answered with what to do instead.
func TestEditsOfAFolderSayWhatTheyWouldHaveToBe(t *testing.T) {
	for _, folder := range []string{".", "./", "sub", "sub/"} {
		f := newFolder(t, tool.Options{}, map[string]string{"a.go": "package a\n\nvar Total = 1\n", "sub/b.go": "package b\n\nvar Total = 1\n"})
		for _, edits := range []any{
			"Total -> Sum", "--- a/a.go\n+++ b/a.go\n@@ -3 +3 @@\n-var Total = 1\n+var Total = 2\n", "<<<<<<< SEARCH\nvar Total = 1\n=======\nvar Total = 2\n>>>>>>> REPLACE\n",
			`[{"old":"var Total = 1","new":"var Total = 2"}]`, `[{"old":"Total"}]`, []any{args{"old": "Total", "new": "Sum"}, args{"old": "package b", "new": "package c"}},
		} {
			_, err := f.propose("patchFile", args{"path": folder, "edits": edits})
			if err == nil || !strings.Contains(err.Error(), "is a folder, and these edits are of a file") || !strings.Contains(err.Error(), "Name the file as path") {
				t.Errorf("%s, %q: %v", folder, edits, err)
			}
		}
		if f.must("patchFile", args{"path": folder, "edits": `[{"old":"Total","new":"Sum"}]`}); !strings.Contains(f.text("sub/b.go"), "var Sum = 1") {
			t.Errorf("%s: %q", folder, f.text("sub/b.go"))
		}
	}
}

func TestRenamingIsOfOneIdentifierThatIsThere(t *testing.T) {
	f := newFolder(t, tool.Options{}, map[string]string{"a.py": "total = 1\nsum = total\n", "sub/b.py": "total = 2\n"})
	for want, a := range map[string]args{
		`"a.total" is no identifier`:                          {"from": "a.total", "to": "sum"},
		`"2x" is no identifier`:                               {"from": "total", "to": "2x"},
		`"total" has this name already`:                       {"from": "total", "to": "total"},
		`No identifier "tota" stands in ./. Look for it with`: {"from": "tota", "to": "sum"},
		`No identifier "sum" stands in sub.`:                  {"from": "sum", "to": "x", "path": "sub"},
		"none":                                                {"from": "sum", "to": "x", "path": "none"},
	} {
		if got := f.mistaken("renameSymbol", a); !strings.Contains(got, want) {
			t.Errorf("%v: %s", a, got)
		}
	}
	p, err := f.propose("renameSymbol", args{"from": "total", "to": "sum", "path": "a.py"})
	if err != nil || len(p.Targets) != 1 || p.Summary != "rename total to sum in 1 file (sum stands in a.py already)" {
		t.Errorf("%q, %v", p.Summary, err)
	}
}

func TestWhoKnowsTheLanguageRenames(t *testing.T) {
	const a, b, renamed = "var x, y = 1, \"x\"\nfunc f(x int) {}\n", "x()\n", "var z, y = 1, \"x\"\nfunc f(x int) {}\n"
	know := &knowing{says: []tool.Rewrite{{Path: "a.go", Before: []byte(a), Next: []byte(renamed)}, {Path: "b.go", Before: []byte(b), Next: []byte("z()\n")}}}
	f := newFolder(t, tool.Options{Rename: know}, map[string]string{"a.go": a, "b.go": b, "c.go": "x\n", "d.go": "1\n"})
	f.must("renameSymbol", args{"from": "x", "to": "z", "path": "a.go"})
	if f.text("a.go") != renamed || f.text("b.go") != "z()\n" || f.text("c.go") != "x\n" || know.asked != (tool.Renaming{Path: "a.go", From: "x", To: "z", At: 4}) {
		t.Errorf("%q, %q, %+v", f.text("a.go"), f.text("b.go"), know.asked)
	}

	// On another line it is another thing, and where it does not stand there is none.
	know.says = nil
	f.must("renameSymbol", args{"from": "x", "to": "q", "path": "a.go", "line": 2})
	if know.asked.At != strings.Index(renamed, "x int") {
		t.Errorf("%+v", know.asked)
	}
	for _, wrong := range []args{{"from": "y", "to": "q", "path": "a.go", "line": 2}, {"from": "x", "to": "q", "path": "d.go"}} {
		if got := f.mistaken("renameSymbol", wrong); !strings.Contains(got, "stands there in") {
			t.Error(got)
		}
	}

	// In a directory the name's text decides, and nobody is asked.
	know.asked = tool.Renaming{}
	f.must("renameSymbol", args{"from": "y", "to": "w"})
	if know.asked != (tool.Renaming{}) || !strings.Contains(f.text("a.go"), ", w =") {
		t.Errorf("%q, %+v", f.text("a.go"), know.asked)
	}
}

// Without a line what is meant is where the name is defined, in the file or below the directory, whatever stands before; where it is defined
// more than once, the places are told and nothing is changed.
func TestANameWithoutALineIsMeantWhereItIsDefined(t *testing.T) {
	const a = "package a\n\n// Total adds.\nvar _ = Total\n\nfunc Total() {}\n\ntype A struct{}\n\nfunc (A) Name() {}\n\ntype B struct{}\n\nfunc (B) Name() {}\n"
	know := &knowing{says: []tool.Rewrite{}}
	f := newFolder(t, tool.Options{Rename: know}, map[string]string{"a.go": a, "sub/b.go": "package sub\n\nvar _ = a.Total\n"})
	for _, at := range []string{"a.go", ".", ""} {
		know.asked = tool.Renaming{}
		_, _ = f.propose("renameSymbol", args{"from": "Total", "to": "Sum", "path": at}) // it says of no file what becomes of it
		if know.asked.Path != "a.go" || know.asked.At != strings.Index(a, "Total() {}") {
			t.Errorf("%q: asked for %+v", at, know.asked)
		}
		know.asked = tool.Renaming{}
		if said := f.mistaken("renameSymbol", args{"from": "Name", "to": "Title", "path": at}); !strings.Contains(said, "defined in 2 places") || !strings.Contains(said, "a.go:10: func (A) Name()") || !strings.Contains(said, "a.go:14:") || know.asked.Path != "" {
			t.Errorf("%q: %s", at, said)
		}
	}
}

// A patch of a directory says a text, and not what it stands for.
func TestAPatchOfADirectoryIsOfItsText(t *testing.T) {
	know := &knowing{says: []tool.Rewrite{}}
	f := newFolder(t, tool.Options{Rename: know}, map[string]string{"a.go": "package a\n\nfunc Total() {}\n", "b.md": "Total\n"})
	f.must("patchFile", args{"path": ".", "edits": []any{args{"old": "Total", "new": "Sum"}}})
	if know.asked.Path != "" || f.text("b.md") != "Sum\n" {
		t.Errorf("%+v, %q", know.asked, f.text("b.md"))
	}
}

// knowing says what it was told to, and keeps what it was asked.
type knowing struct {
	says  []tool.Rewrite
	asked tool.Renaming
}

func (k *knowing) Ready() bool { return k.says != nil }

func (k *knowing) Rename(_ context.Context, r tool.Renaming) ([]tool.Rewrite, error) {
	k.asked = r
	return k.says, nil
}

// A model is told of it where the language is known, and else is not.
func TestRenamingIsOfferedWhereTheLanguageIsKnown(t *testing.T) {
	for _, o := range []tool.Options{{}, {Rename: &knowing{}}, {Rename: &knowing{says: []tool.Rewrite{{}}}}} {
		offered := false
		for _, tl := range tool.All(nil, o) {
			offered = offered || tl.Spec().Name == "renameSymbol" && !tl.Spec().Quiet
		}
		if want := o.Rename != nil && o.Rename.Ready(); offered != want {
			t.Errorf("%+v: %v", o.Rename, offered)
		}
	}
}

// A renaming in whose middle a file changed leaves that file, and tells what it did.
func TestRenamingNeverWritesOverWhatCameBetween(t *testing.T) {
	f := newFolder(t, tool.Options{}, map[string]string{"a.go": "x\n", "b.go": "x\n", "c.go": "x\n"})
	p, err := f.propose("renameSymbol", args{"from": "x", "to": "y"})
	if err != nil {
		t.Fatal(err)
	}
	f.put(map[string]string{"b.go": "x + mine\n"})
	g := nebula.NewGrant("g", "test", p)
	if err := g.Open(p); err != nil {
		t.Fatal(err)
	}
	r, err := p.Do(t.Context(), nebula.Run{Grant: g})
	paths := []string{}
	for _, c := range r.Changes {
		paths = append(paths, c.Path)
	}
	if err == nil || !slices.Equal(paths, []string{"a.go"}) || f.text("b.go") != "x + mine\n" || f.text("c.go") != "x\n" {
		t.Errorf("%v, %v", paths, err)
	}
}
