package tool_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"go/build"
	"go/parser"
	"go/token"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"nebula"
	"nebula/internal/tool"
)

const greeting = "def hi():\n    print(\"hi\")\n    return 1\n"

// A file of three lines is as safe as one of three hundred: what is certain is read as it is meant, and what came in some
// wrapping is asked about; all else is sent back.
func TestSmallFilesAreNotLost(t *testing.T) {
	const back = ""
	changed := strings.Replace(greeting, `"hi"`, `"bye"`, 1)
	whole, _ := json.Marshal(changed)
	fence := func(s string) string { return "```python\n" + s + "```\n" }
	for name, c := range map[string]struct {
		content, want string
		asked         bool
	}{
		"above":                    {"See above.", back, false},
		"as before":                {"# same as above\n", back, false},
		"hole":                     {"<full new content here>", back, false},
		"short hole":               {"<content>\n", back, false},
		"brackets":                 {"[the new file content]", back, false},
		"hole in Japanese":         {"（ここに全文）", back, false},
		"dots":                     {"...", back, false},
		"quoted dots":              {`"..."`, back, false},
		"comment of dots":          {"# ... existing code ...\n", back, false},
		"prose":                    {"I changed the greeting.\nAll tests pass.\n", back, false},
		"substitution":             {"s/hi/bye/", back, false},
		"arrow":                    {`print("hi") -> print("bye")`, changed, false},
		"arrow of another":         {`return 1 -> return 2`, strings.Replace(greeting, "1", "2", 1), false},
		"labels and fences":        {"Old:\n" + fence("    print(\"hi\")\n") + "New:\n" + fence("    print(\"bye\")\n"), changed, false},
		"two blocks":               {fence("    print(\"hi\")\n") + "\n" + fence("    print(\"bye\")\n"), changed, false},
		"two blocks and words":     {"Replace this:\n\n" + fence("    print(\"hi\")\n") + "With this:\n" + fence("    print(\"bye\")\n"), changed, false},
		"two blocks of another":    {fence("x = 1\n") + "\n" + fence("x = 2\n"), back, false},
		"a rule between":           {"    print(\"hi\")\n--\n    print(\"bye\")\n", changed, false},
		"JSON":                     {string(whole), changed, true},
		"words around":             {"Here is the new file:\n\n" + fence(changed) + "\nThis changes the text.", changed, false},
		"words in Japanese":        {"新しい内容です。\n" + fence(changed), changed, true},
		"a fence":                  {fence(changed), changed, false},
		"words around another":     {"Here is the new file:\n\n```html\n<p>bye</p>\n```\n", back, false},
		"entities":                 {"def hi():\n    print(&quot;bye&quot;)\n    return 1 &lt; 2\n", strings.Replace(changed, "1", "1 < 2", 1), true},
		"entities of nothing sure": {"def ho():\n    print('bye')\n    return 2 &lt; 3\n", back, false},
		"a note to keep":           {"def hi():\n    print(\"bye\")\n# TODO: keep the remaining code\n", back, false},
		"a note to keep new lines": {"def ho():\n    print(\"bye\")\n    # TODO: keep the remaining code\n", back, false},
		"an order":                 {"Replace line 2 with: print(\"bye\")", back, false},
		"an order without a colon": {"Change line 2 to print(\"bye\")\n", back, false},
		"an order in quotes":       {"Replace `print(\"hi\")` with `print(\"bye\")`", back, false},
		"an order in Japanese":     {"2行目を print(\"bye\") に変更", back, false},
		"kept by its name":         {"def ho():\n    pass\n\n# (hi stays the same)\n", back, false},
		"kept in Japanese":         {"def ho():\n    pass\n\n# hi関数はそのまま\n", back, false},
		"etc":                      {"def ho():\n    pass\n# etc.\n", back, false},
		"only the line":            {"    print(\"bye\")\n", back, false},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFolder(t, tool.Options{}, map[string]string{"hi.py": greeting})
			f.must("readFile", args{"path": "hi.py"})
			p, err := f.propose("editFile", args{"path": "hi.py", "new_content": c.content})
			if m := (*nebula.Mistake)(nil); c.want == back {
				if !errors.As(err, &m) || m.Again == "" || strings.Contains(m.Error(), "Nothing needs to be done") {
					t.Errorf("%v\n%s", err, p.Diff)
				}
				return
			}
			if err != nil || p.Targets[0].After != nebula.Hash([]byte(c.want)) || len(p.Risks) > 0 != c.asked {
				t.Errorf("%v %v\n%s", err, p.Risks, p.Diff)
			}
		})
	}
}

// Nothing empties a file by mistake; what is given again is meant.
func TestAnEmptyContentIsSentBackOnce(t *testing.T) {
	for _, content := range []string{"", "\n", " \t\n\n"} {
		for _, was := range []string{"x\n", greeting, strings.Repeat(greeting, 100)} {
			f := newFolder(t, tool.Options{}, map[string]string{"a.py": was, "none.py": ""})
			f.must("readFile", args{"path": "a.py"})
			f.must("readFile", args{"path": "none.py"})
			_, err := f.propose("editFile", args{"path": "a.py", "new_content": content})
			m := (*nebula.Mistake)(nil)
			if !errors.As(err, &m) || m.Again == "" || !strings.Contains(m.Hint.String(), "deleteFile") {
				t.Fatalf("%q over %d bytes: %v", content, len(was), err)
			}
			again := f.view()
			again.SentBack = func(hash string) bool { return hash == m.Again }
			raw, _ := json.Marshal(args{"path": "a.py", "new_content": content})
			p, err := f.tool("editFile").Propose(t.Context(), nebula.Action{Args: raw}, again)
			if err != nil || p.Targets[0].After != nebula.Hash([]byte(content)) || !slices.Equal(p.Risks, []string{nebula.OnlyPart}) {
				t.Errorf("%q given again: %v\n%s", content, err, p.Diff)
			}
			if _, err := f.propose("editFile", args{"path": "none.py", "new_content": "x = 1\n"}); err != nil {
				t.Error(err)
			}
		}
	}
}

// Small edits and rewrites of small files are never in doubt.
func TestSmallGenuineEditsAreNotHindered(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 9))
	f := newFolder(t, tool.Options{}, map[string]string{"a": ""})
	n, back := 0, []string{}
	try := func(name, was string, now []string) {
		text := strings.Join(now, "\n") + "\n"
		if text == was || strings.TrimSpace(text) == "" || goes(name, was) && !goes(name, text) {
			return // what is no program any more is sent back
		}
		n++
		f.put(map[string]string{name: was})
		f.must("readFile", args{"path": name})
		if p, err := f.propose("editFile", args{"path": name, "new_content": text}); err != nil || len(p.Risks) > 0 {
			back = append(back, fmt.Sprintf("%s: %v %v\n%s", name, err, p.Risks, text))
		}
	}
	edits := func(name, was string) {
		all := strings.Split(strings.TrimSuffix(was, "\n"), "\n")
		i := r.IntN(len(all))
		try(name, was, append(slices.Clone(all), "", "last = 1"))
		try(name, was, slices.Concat(all[:i], []string{"x = 1"}, all[i:]))
		if len(all) > 2 {
			j := 1 + r.IntN(len(all)-1) // the first line may be all that stands at the edge
			try(name, was, slices.Concat(all[:j], []string{strings.Replace(all[j], "a", "b", 1)}, all[j+1:]))
			try(name, was, slices.Concat(all[:j], all[j+1:]))
		}
		try(name, was, []string{"import other", "", "def other_thing(a):", "    return a"})
	}
	for range 150 {
		all := lines(r, 3+r.IntN(9))
		all[0] = strings.TrimSpace(all[0])
		edits("g"+[]string{".py", ".go", ".js", ".md"}[r.IntN(4)], strings.Join(all, "\n")+"\n")
	}
	for _, p := range smallFiles(t) {
		data, err := os.ReadFile(p)
		if n := strings.Count(string(data), "\n"); err == nil && n >= 3 && n <= 12 {
			edits("r"+filepath.Ext(p), string(data))
		}
	}
	t.Logf("%d of %d were sent back", len(back), n)
	if 500*len(back) > n {
		t.Errorf("%d of %d were sent back:\n%s", len(back), n, strings.Join(back[:min(len(back), 12)], "\n"))
	}
}

// goes reports whether a text is a Go file.
func goes(name, text string) bool {
	_, err := parser.ParseFile(token.NewFileSet(), name, text, 0)
	return filepath.Ext(name) == ".go" && err == nil
}

// smallFiles are files of at most twelve lines that people wrote.
func smallFiles(t *testing.T) (paths []string) {
	err := filepath.WalkDir(filepath.Join(build.Default.GOROOT, "src"), func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || len(paths) >= 400 || !slices.Contains([]string{".go", ".py", ".js", ".sh", ".css", ".md"}, filepath.Ext(p)) {
			return err
		}
		if info, err := d.Info(); err != nil || info.Size() > 600 {
			return err
		}
		paths = append(paths, p)
		return nil
	})
	if err != nil {
		t.Skip(err)
	}
	return paths
}
