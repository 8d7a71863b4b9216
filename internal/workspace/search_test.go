package workspace

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"nebula"
)

func found(t testing.TB, d *Dir, q Query) (out []string, more bool) {
	t.Helper()
	ms, more, err := d.Search(t.Context(), q)
	if err != nil {
		t.Fatalf("%+v: %v", q, err)
	}
	for _, m := range ms {
		out = append(out, fmt.Sprintf("%s:%d:%s", m.Path, m.Line, m.Text))
	}
	return out, more
}

func TestSearchFindsLines(t *testing.T) {
	d := opened(t)
	laid(t, d, map[string]string{
		"a.go": "one\nTwo three\r\nfour", "a/b.txt": "two\n\nTWO two\n", "a-b": "x two", "bin": "two\x00two", ".env": "two\n",
		"gen/x": "two\n", ".gitignore": "gen\n", ".git/config": "two\n", "bad": "\xff\xfe\xfdtwo\n", "ja.md": "検索する\nÉtat\n",
		"late": strings.Repeat("x\n", 5000) + "two\x00",
	})
	late := "late:5001:two\x00"
	for _, c := range []struct {
		q    Query
		want []string
	}{
		{Query{Keyword: "two"}, []string{".env:1:two", "a-b:1:x two", "a/b.txt:1:two", "a/b.txt:3:TWO two", "bad:1:\xff\xfe\xfdtwo", late}},
		{Query{Keyword: "TWO"}, []string{"a/b.txt:3:TWO two"}},
		{Query{Keyword: "tWo", IgnoreCase: true, Under: "a"}, []string{"a/b.txt:1:two", "a/b.txt:3:TWO two"}},
		{Query{Keyword: "two", Glob: "*.{go,txt}", IgnoreCase: true}, []string{"a.go:2:Two three", "a/b.txt:1:two", "a/b.txt:3:TWO two"}},
		{Query{Keyword: "two", Under: "gen"}, []string{"gen/x:1:two"}},
		{Query{Keyword: "two", Under: "a/b.txt"}, []string{"a/b.txt:1:two", "a/b.txt:3:TWO two"}},
		{Query{Keyword: "^[A-Z]\\w+ t.*e$", Regex: true}, []string{"a.go:2:Two three"}},
		{Query{Keyword: `four$`, Regex: true}, []string{"a.go:3:four"}},
		{Query{Keyword: `^$`, Regex: true, Under: "a"}, []string{"a/b.txt:2:"}},
		{Query{Keyword: `two\s+TWO`, Regex: true}, nil},
		{Query{Keyword: `one[^x]Two`, Regex: true}, nil},
		{Query{Keyword: "a\\.b(", Regex: false}, nil},
		{Query{Keyword: "検索"}, []string{"ja.md:1:検索する"}},
		{Query{Keyword: "état", IgnoreCase: true}, []string{"ja.md:2:État"}},
		{Query{Keyword: "two", Glob: "a/**"}, []string{"a/b.txt:1:two", "a/b.txt:3:TWO two"}},
	} {
		if out, more := found(t, d, c.q); !slices.Equal(out, c.want) || more {
			t.Errorf("%+v:\n got  %q\n want %q", c.q, out, c.want)
		}
	}
}

func TestSearchLimitGivesTheFirst(t *testing.T) {
	d := opened(t)
	files := map[string]string{}
	for i := range 300 {
		files[fmt.Sprintf("d%d/s%d/f%03d", i%7, i%3, i)] = "x\nhit\nhit\n"
	}
	laid(t, d, files)
	every, more := found(t, d, Query{Keyword: "hit"})
	if len(every) != 600 || more {
		t.Fatal(len(every), more)
	}
	for _, limit := range []int{1, 2, 3, 10, 99, 599, 600, 601} {
		out, more := found(t, d, Query{Keyword: "hit", Limit: limit})
		if want := every[:min(limit, 600)]; !slices.Equal(out, want) || more != (limit < 600) {
			t.Errorf("limit %d: %d, more %v", limit, len(out), more)
		}
	}
}

func TestSearchMistakes(t *testing.T) {
	d := opened(t)
	laid(t, d, map[string]string{"a": "x\n"})
	for _, q := range []Query{{}, {Keyword: "(", Regex: true}, {Keyword: "a", Under: "../x"}, {Keyword: "a", Under: "none"}, {Keyword: "a\nb"}, {Keyword: `a\n(b|c)`, Regex: true}} {
		var m *nebula.Mistake
		if _, _, err := d.Search(t.Context(), q); !errors.As(err, &m) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%+v: %v", q, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := d.Search(ctx, Query{Keyword: "x"}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// TestSearchEqualsReadingLineByLine compares the search, with its buffers, prefilters and folding, with the plain way.
func TestSearchEqualsReadingLineByLine(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	d := opened(t)
	letters := "abKks\u017fAB  \u212aéÉ\t.(\r"
	alphabet := []rune(letters)
	var b strings.Builder
	for n := 0; n < 3_000_000; {
		size := r.IntN(60)
		if r.IntN(2000) == 0 {
			size = 40_000 + r.IntN(300_000) // longer than the buffer
		}
		for range size {
			b.WriteRune(alphabet[r.IntN(len(alphabet))])
		}
		b.WriteByte('\n')
		n += size
	}
	text := b.String()
	laid(t, d, map[string]string{"big": text})
	for _, q := range []Query{
		{Keyword: "abab"}, {Keyword: "ABAB", IgnoreCase: true}, {Keyword: "éÉ", IgnoreCase: true}, {Keyword: `ab+[^k]AB$`, Regex: true},
		{Keyword: `(?i)kab\s`, Regex: true}, {Keyword: `^a.*b$`, Regex: true}, {Keyword: `\(\.(ab|BA)+`, Regex: true}, {Keyword: `\bab\b`, Regex: true},
	} {
		pattern := q.Keyword
		if !q.Regex {
			pattern = regexp.QuoteMeta(pattern)
		}
		if q.IgnoreCase {
			pattern = "(?i)" + pattern
		}
		re := regexp.MustCompile(pattern)
		var want []int
		for i, l := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
			if re.MatchString(strings.TrimSuffix(l, "\r")) {
				want = append(want, i+1)
			}
		}
		ms, _, err := d.Search(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		var lines []int
		for _, m := range ms {
			lines = append(lines, m.Line)
			if len(m.Text) > maxText+len("…") {
				t.Fatalf("%d bytes of line %d", len(m.Text), m.Line)
			}
		}
		if !slices.Equal(lines, want) {
			t.Errorf("%+v: %d lines, want %d", q, len(lines), len(want))
		}
	}
}

func TestListIsInOrderAndEndsInLoops(t *testing.T) {
	d := opened(t)
	laid(t, d, map[string]string{"b/x": "", "b.txt": "", "b-c": "", "a/.h": "", "a/n/o": "", ".git/x": "", ".nebula/x": "", tempName(newTag()): ""})
	os.Symlink("..", filepath.Join(d.Path(), "a", "loop"))
	os.Symlink("/etc", filepath.Join(d.Path(), "out"))
	list := func(w Walk) string {
		var out []string
		for e, err := range d.List(t.Context(), w) {
			if err != nil {
				return err.Error()
			}
			if e.Link != "" {
				e.Path += "->" + e.Link
			}
			out = append(out, e.Path)
		}
		return strings.Join(out, " ")
	}
	for _, c := range []struct {
		w    Walk
		want string
	}{
		{Walk{}, "a b-c b.txt b out->/etc"},
		{Walk{Recursive: true}, "a a/loop->.. a/n a/n/o b-c b.txt b b/x out->/etc"},
		{Walk{Recursive: true, Hidden: true, Under: "a"}, "a/.h a/loop->.. a/n a/n/o"},
		{Walk{Recursive: true, Pattern: "*.txt"}, "b.txt"},
		{Walk{Recursive: true, Pattern: "n/*", Under: "a"}, "a/n/o"},
		{Walk{Recursive: true, Pattern: "{x,o}"}, "a/n/o b/x"},
		{Walk{Under: "b/x"}, "b/x"},
		{Walk{Under: "nope"}, `"nope" does not exist.`},
		{Walk{Under: "out"}, `"out" is reached through a link to "/etc", which lies outside the folder. Only files inside can be used.`},
	} {
		if out := list(c.w); out != c.want {
			t.Errorf("%+v:\n got  %s\n want %s", c.w, out, c.want)
		}
	}
}
