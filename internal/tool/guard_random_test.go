package tool_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"go/build"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"nebula"
	"nebula/internal/tool"
)

// A near miss writes one replacement in a way that is not the taught one.
type nearMiss struct {
	name  string
	marks []string // what must never be in the file
	write func(r *rand.Rand, old, new []string) string
}

func marks(open, mid, end string) func(*rand.Rand, []string, []string) string {
	return func(r *rand.Rand, old, new []string) string {
		lines := append([]string{open}, old...)
		lines = append(append(append(lines, mid), new...), end)
		heads := []string{"", "\n", "f.go\n", "// the change\n", "```\n", "# f.go\n\n"}
		return heads[r.IntN(len(heads))] + strings.Join(lines, "\n") + "\n"
	}
}

func prefixed(head string, loose bool) func(*rand.Rand, []string, []string) string {
	return func(_ *rand.Rand, old, new []string) string {
		var b strings.Builder
		b.WriteString(head)
		for _, l := range old {
			b.WriteString("-" + l + "\n")
		}
		for _, l := range new {
			b.WriteString("+" + l + "\n")
		}
		return b.String()
	}
}

func asJSON(form string) func(*rand.Rand, []string, []string) string {
	return func(_ *rand.Rand, old, new []string) string {
		o, _ := json.Marshal(strings.Join(old, "\n") + "\n")
		n, _ := json.Marshal(strings.Join(new, "\n") + "\n")
		return fmt.Sprintf(form, o, n)
	}
}

func between(form string) func(*rand.Rand, []string, []string) string {
	return func(_ *rand.Rand, old, new []string) string {
		return fmt.Sprintf(form, strings.Join(old, "\n")+"\n", strings.Join(new, "\n")+"\n")
	}
}

func nearMisses() []nearMiss {
	var all []nearMiss
	for n := 5; n <= 8; n++ {
		for _, blank := range []string{" ", ""} {
			open, end := strings.Repeat("<", n)+blank+"SEARCH", strings.Repeat(">", n)+blank+"REPLACE"
			all = append(all, nearMiss{open, []string{open, end}, marks(open, strings.Repeat("=", n), end)})
		}
	}
	return append(all,
		nearMiss{"cline", []string{"- SEARCH", "+ REPLACE"}, marks("------- SEARCH", "=======", "+++++++ REPLACE")},
		nearMiss{"unclosed", []string{"SEARCH"}, marks("<<<<<<< SEARCH", "=======", "")},
		nearMiss{"minus and plus", []string{"\n-", "\n+"}, prefixed("", true)},
		nearMiss{"unified", []string{"@@", "---"}, prefixed("--- a/f.go\n+++ b/f.go\n@@ -1,2 +1,2 @@\n", false)},
		nearMiss{"patch", []string{"***"}, prefixed("*** Begin Patch\n*** Update File: f.go\n@@\n", false)},
		nearMiss{"edits", []string{`"edits"`}, asJSON(`{"edits":[{"old":%s,"new":%s}]}`)},
		nearMiss{"one edit", []string{`"new`}, asJSON(`{"old_string":%s,"new_string":%s}`)},
		nearMiss{"tags", []string{"<old>", "</new>"}, between("<old>\n%s</old>\n<new>\n%s</new>\n")},
		nearMiss{"search tags", []string{"<search>"}, between("<search>\n%s</search>\n\n<replace>\n%s</replace>\n")},
		nearMiss{"labels", []string{"SEARCH:", "REPLACE:"}, between("SEARCH:\n%sREPLACE:\n%s")},
		nearMiss{"before and after", []string{"Before:", "After:"}, between("Before:\n```go\n%s```\nAfter:\n```go\n%s```\n")},
		nearMiss{"bars", []string{" | "}, func(r *rand.Rand, _, new []string) string {
			var b strings.Builder
			for i, l := range new {
				fmt.Fprintf(&b, "%d | %s\n", i+3, l)
			}
			return b.String()
		}},
		nearMiss{"lines", []string{"lines 3-4"}, func(_ *rand.Rand, _, new []string) string {
			return "f.go (lines 3-4)\n" + strings.Join(new, "\n") + "\n"
		}},
	)
}

// lines are lines of code, each of them there once.
func lines(r *rand.Rand, n int) []string {
	words := []string{"return", "count", "total", "x := 1", "if ok {", "call(a, b)", "// why", "値を返す", "- 1", "+ 2", "}", "key: value", "", "* item"}
	out := make([]string, n)
	for i := range out {
		out[i] = strings.Repeat("\t", r.IntN(3)) + fmt.Sprintf("%s v%d%d", words[r.IntN(len(words))], i, r.IntN(90))
	}
	return out
}

// What comes of a near miss is the old file, or the edit that is meant, or something that the person is asked about; the
// marks of an edit are never in the file.
func TestNearMissesNeverBecomeTheFile(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 2))
	read := map[string]int{}
	const rounds = 12
	for range rounds {
		was := lines(r, 20+r.IntN(30))
		from := r.IntN(len(was) - 4)
		to := from + 1 + r.IntN(3)
		now := lines(r, 1+r.IntN(3))
		for i := range now {
			now[i] = "new " + now[i]
		}
		text := strings.Join(was, "\n") + "\n"
		meant := strings.Join(append(append(append([]string{}, was[:from]...), now...), was[to:]...), "\n") + "\n"
		f := newFolder(t, tool.Options{}, map[string]string{"f.go": text})
		f.must("readFile", args{"path": "f.go"})
		for _, miss := range nearMisses() {
			given := miss.write(r, was[from:to], now)
			p, err := f.propose("editFile", args{"path": "f.go", "new_content": given})
			if m := (*nebula.Mistake)(nil); errors.As(err, &m) {
				continue
			}
			if err != nil || p.Targets[0].After != nebula.Hash([]byte(meant)) {
				t.Fatalf("%s: %v\n%s\nbecame\n%s", miss.name, err, given, p.Diff)
			}
			read[miss.name]++
			_, err = f.propose("writeFile", args{"path": "g.go", "content": given})
			if m := (*nebula.Mistake)(nil); !errors.As(err, &m) && miss.name != "minus and plus" {
				t.Fatalf("%s is created as it stands:\n%s", miss.name, given)
			}
		}
	}
	for _, miss := range nearMisses() {
		if n := read[miss.name]; n < rounds*9/10 && miss.name != "unclosed" && miss.name != "bars" && miss.name != "lines" {
			t.Errorf("%s was read %d times of %d", miss.name, n, rounds)
		}
	}
}

// Lines that are left out come back as they were, or nothing is written; either way none is lost.
func TestElisionsNeverLoseLines(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 1))
	styles := []string{"// ... existing code ...", "# rest unchanged", "...", "/* … */", "<!-- rest -->", "-- 残りは変更なし", "// 以下省略", "（以下省略）", "; ...", "\t// unchanged"}
	merged := 0
	const rounds = 200
	f := newFolder(t, tool.Options{}, map[string]string{"f.go": ""})
	for range rounds {
		was := lines(r, 20+r.IntN(40))
		f.put(map[string]string{"f.go": strings.Join(was, "\n") + "\n"})
		f.must("readFile", args{"path": "f.go"})
		now := append([]string{}, was...)
		at := r.IntN(len(now))
		now[at] = "\tchanged := true"
		var given []string
		hole := [2]int{r.IntN(len(was) - 8), 0}
		hole[1] = hole[0] + 3 + r.IntN(5)
		if at >= hole[0] && at < hole[1] {
			continue
		}
		given = append(append(append(given, now[:hole[0]]...), styles[r.IntN(len(styles))]), now[hole[1]:]...)
		p, err := f.propose("editFile", args{"path": "f.go", "new_content": strings.Join(given, "\n") + "\n"})
		if m := (*nebula.Mistake)(nil); errors.As(err, &m) {
			continue
		}
		if err != nil || p.Targets[0].After != nebula.Hash([]byte(strings.Join(now, "\n")+"\n")) || len(p.Risks) == 0 {
			t.Fatalf("%v %v\n%s", err, p.Risks, p.Diff)
		}
		merged++
	}
	if merged < rounds/2 {
		t.Errorf("only %d of %d were understood", merged, rounds)
	}
}

// What programs really hold is written as it is, without a word.
func TestGenuineFilesAreWrittenAsTheyAre(t *testing.T) {
	f := newFolder(t, tool.Options{}, map[string]string{"old": ""})
	n, back := 0, []string{}
	root := filepath.Join(build.Default.GOROOT, "src")
	err := filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || n >= 2000 || strings.Contains(p, "testdata") {
			return err
		}
		if e := filepath.Ext(p); e != ".go" && e != ".md" && e != ".s" && e != ".html" && e != ".sh" && e != ".py" && e != ".yaml" {
			return nil
		}
		data, err := os.ReadFile(p)
		if err != nil || len(data) > 100_000 {
			return err
		}
		if n++; n%4 != 0 {
			return nil
		}
		name := fmt.Sprintf("n%d%s", n, filepath.Ext(p))
		if _, err := f.propose("writeFile", args{"path": name, "content": string(data)}); err != nil {
			back = append(back, p+": "+err.Error())
		}
		half := data[:len(data)/2]
		f.put(map[string]string{"e" + name: string(half)})
		f.must("readFile", args{"path": "e" + name})
		if _, err := f.propose("editFile", args{"path": "e" + name, "new_content": string(data)}); err != nil && !strings.Contains(err.Error(), "Only lines") {
			back = append(back, p+" edited: "+err.Error())
		}
		return nil
	})
	if err != nil {
		t.Skip(err)
	}
	t.Logf("%d of %d files were sent back", len(back), n/4)
	for _, b := range back {
		t.Log(b)
	}
	if 200*len(back) > n {
		t.Errorf("%d of %d files were sent back", len(back), n/4)
	}
}
