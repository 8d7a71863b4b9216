package tool_test

import (
	"slices"
	"strings"
	"testing"

	"nebula/internal/gate"
	"nebula/internal/tool"
)

func TestReadFileNumbersLinesOnRequest(t *testing.T) {
	f := newFolder(t, tool.Options{}, map[string]string{"f": "a\n\tb\nc\n"})
	if r := f.must("readFile", args{"path": "f", "offset": 2, "numbers": true}); !strings.HasPrefix(r.Text, "2\t\tb\n3\tc\n") {
		t.Errorf("%q", r.Text)
	}
	if r := f.must("readFile", args{"path": "f"}); r.Text != "a\n\tb\nc\n" || len(f.refs["f"].Lines) != 0 {
		t.Errorf("%q, remembered are %v", r.Text, f.refs["f"].Lines)
	}
}

// Several files and ranges come in one answer, each below its name, and all that was shown counts as read.
func TestReadFileReadsSeveralPlaces(t *testing.T) {
	f := newFolder(t, tool.Options{}, map[string]string{"a.go": "1\n2\n3\n4\n", "b.go": "b\n", "c,d": "named so\n"})
	for path, want := range map[string]string{
		"a.go:1-2, b.go":    "== a.go\n1\n2\n[lines 1-2 of 4; the rest: offset 3]\n== b.go\nb\n",
		"b.go\n./a.go:4":    "== b.go\nb\n== a.go\n4\n[lines 4-4 of 4]\n",
		"a.go:1-1,3-3":      "== a.go\n1\n[lines 1-1 of 4; the rest: offset 2]\n== a.go\n3\n[lines 3-3 of 4; the rest: offset 4]\n",
		"b.go, a.go:90-100": "== b.go\nb\n== a.go\n\"a.go\" ends at line 4. Give a smaller offset.\n",
		"c,d":               "named so\n",
	} {
		if r := f.must("readFile", args{"path": path}); r.Text != want {
			t.Errorf("%s:\n%s\nwant\n%s", path, r.Text, want)
		}
	}
	f = newFolder(t, tool.Options{}, map[string]string{"a.go": "1\n2\n3\n4\n"})
	f.must("readFile", args{"path": "a.go:1-2, a.go:4"})
	if r := f.refs["a.go"]; !slices.Equal(r.Lines, [][2]int{{1, 2}, {4, 4}}) {
		t.Errorf("remembered are %v", r.Lines)
	}
	if m := f.mistaken("readFile", args{"path": "a.go, gone.go"}); !strings.Contains(m, "gone.go") {
		t.Error(m)
	}
	if m := f.mistaken("readFile", args{"path": "a.go, ../out"}); !strings.Contains(m, "../out") {
		t.Error(m)
	}
	if m := f.mistaken("readFile", args{"path": strings.Repeat("a.go,", 21)}); !strings.Contains(m, "21 places") {
		t.Error(m)
	}
}

func TestSearchShowsLinesAroundAMatch(t *testing.T) {
	f := newFolder(t, tool.Options{}, map[string]string{"a": "1\n2\nfoo\n4\nfoo\n6\n7\n8\nfoo\n", "b": "Foo\nend\n"})
	want := "a-2-2\na:3:foo\na-4-4\na:5:foo\na-6-6\n--\na-8-8\na:9:foo"
	if r := f.must("searchInDirectory", args{"directory": ".", "keyword": "foo", "context": 1}); r.Text != want {
		t.Errorf("%s\nwant\n%s", r.Text, want)
	}
	if r := f.must("searchInDirectory", args{"directory": ".", "keyword": "foo", "context": 1, "ignoreCase": true}); r.Text != want+"\n--\nb:1:Foo\nb-2-end" {
		t.Errorf("%s", r.Text)
	}
	f = newFolder(t, tool.Options{Matches: 3}, map[string]string{"a": "foo\nx\nfoo\n"})
	if r := f.must("searchInDirectory", args{"directory": ".", "keyword": "foo", "context": 1}); !strings.Contains(r.Text, "a:1:foo\na-2-x\n[the first 1 match; more in: a (1)") {
		t.Errorf("%s", r.Text)
	}
}

// A secret among several places is judged as one that is read alone.
func TestEachOfSeveralPlacesIsATarget(t *testing.T) {
	f := newFolder(t, tool.Options{}, map[string]string{"a.go": "a\n", ".env": "KEY=1\n"})
	p, err := f.propose("readFile", args{"path": "a.go, .env"})
	if err != nil {
		t.Fatal(err)
	}
	if d := gate.Dangers(p, gate.Full); len(p.Targets) != 2 || !slices.Contains(d, gate.Secret) {
		t.Errorf("%v of %v", d, p.Targets)
	}
}
