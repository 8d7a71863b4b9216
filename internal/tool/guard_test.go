package tool_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"nebula"
	"nebula/internal/lists"
	"nebula/internal/tool"
)

const program = `package a

import "fmt"

func main() {
	x := 1
	fmt.Println(x)
}

func other() int {
	return 42
}

func third() string {
	y := "three"
	return y + y
}
`

// Every way to write an edit that is not the taught one is that edit, or is sent back. None becomes the file.
func TestWhatLooksLikeAnEditIsOneOrIsSentBack(t *testing.T) {
	const back = "" // the content is sent back
	changed := strings.Replace(program, "x := 1", "x := 2", 1)
	for name, c := range map[string]struct{ content, want string }{
		"taught":                  {"<<<<<<< SEARCH\n\tx := 1\n=======\n\tx := 2\n>>>>>>> REPLACE\n", changed},
		"five chevrons":           {"<<<<< SEARCH\n\tx := 1\n=====\n\tx := 2\n>>>>> REPLACE\n", changed},
		"six chevrons":            {"<<<<<< SEARCH\n\tx := 1\n======\n\tx := 2\n>>>>>> REPLACE\n", changed},
		"eight, no blank":         {"<<<<<<<<SEARCH\n\tx := 1\n========\n\tx := 2\n>>>>>>>>REPLACE\n", changed},
		"ten chevrons":            {"<<<<<<<<<< SEARCH\n\tx := 1\n==========\n\tx := 2\n>>>>>>>>>> REPLACE\n", changed},
		"words behind a pair":     {"before:\n\tx := 1\nafter:\n\tx := 2\n\nThis sets the value.\n", back},
		"two":                     {"<< SEARCH\n\tx := 1\n==\n\tx := 2\n>> REPLACE\n", changed},
		"only a short closer":     {program + ">> REPLACE\n", back},
		"the end of a document":   {strings.Replace(program, "x := 1", "x := 2", 1) + "EOF\n", back},
		"three":                   {"<<<SEARCH\n\tx := 1\n===\n\tx := 2\n>>>REPLACE\n", changed},
		"bare chevrons":           {"<<<<<<<\n\tx := 1\n=======\n\tx := 2\n>>>>>>>\n", changed},
		"original and updated":    {"<<<<<<< ORIGINAL\n\tx := 1\n=======\n\tx := 2\n>>>>>>> UPDATED", changed},
		"merge conflict":          {"<<<<<<< HEAD\n\tx := 1\n=======\n\tx := 2\n>>>>>>> new\n", changed},
		"indented marks":          {"  <<<<<<< SEARCH\n\tx := 1\n  =======\n\tx := 2\n  >>>>>>> REPLACE\n", changed},
		"cline":                   {"------- SEARCH\n\tx := 1\n=======\n\tx := 2\n+++++++ REPLACE\n", changed},
		"cline with a head":       {"------- SEARCH>\n\tx := 1\n=======\n\tx := 2\n+++++++ REPLACE>\n", changed},
		"blank line first":        {"\n\n<<<<<<< SEARCH\n\tx := 1\n=======\n\tx := 2\n>>>>>>> REPLACE\n", changed},
		"file name first":         {"a.go\n<<<<<<< SEARCH\n\tx := 1\n=======\n\tx := 2\n>>>>>>> REPLACE\n", changed},
		"comment first":           {"// change x\n<<<<<<< SEARCH\n\tx := 1\n=======\n\tx := 2\n>>>>>>> REPLACE\n", changed},
		"fence around":            {"```go\n<<<<<<< SEARCH\n\tx := 1\n=======\n\tx := 2\n>>>>>>> REPLACE\n```\n", changed},
		"name and fence":          {"`a.go`\n```diff\n<<<<<<< SEARCH\n\tx := 1\n=======\n\tx := 2\n>>>>>>> REPLACE\n```", changed},
		"second opener":           {"<<<<<<< SEARCH\n\tx := 1\n=======\n\tx := 2\n<<<<<<< SEARCH\n\treturn 42\n=======\n\treturn 42\n>>>>>>> REPLACE\n", changed},
		"never closed":            {"<<<<<<< SEARCH\n\tx := 1\n=======\n\tx := 2\n", back},
		"no middle":               {"<<<<<<< SEARCH\n\tx := 1\n>>>>>>> REPLACE\n", back},
		"two middles":             {"<<<<<<< SEARCH\n\tx := 1\n=======\n\tx := 2\n=======\n\tx := 3\n>>>>>>> REPLACE\n", back},
		"another old text":        {"<<<<<<< SEARCH\n\tz := 1\n=======\n\tx := 2\n>>>>>>> REPLACE\n", back},
		"ambiguous":               {"<<<<< SEARCH\n}\n=====\n};\n>>>>> REPLACE\n", back},
		"prose around":            {"I change x as you wanted.\n<<<<<<< SEARCH\n\tx := 1\n=======\n\tx := 2\n>>>>>>> REPLACE\n", back},
		"in a file":               {strings.Replace(program, "\tx := 1\n", "<<<<<<< SEARCH\n\tx := 1\n=======\n\tx := 2\n>>>>>>> REPLACE\n", 1), back},
		"only a closer":           {program + ">>>>>>> REPLACE\n", back},
		"edits":                   {`{"edits":[{"old":"x := 1","new":"x := 2"}]}`, changed},
		"edits with a path":       {`{"path":"a.go","edits":[{"search":"\tx := 1\n","replace":"\tx := 2\n"}]}`, changed},
		"one edit":                {`{"old":"x := 1","new":"x := 2"}`, changed},
		"list of edits":           {"```json\n[{\"old_string\":\"x := 1\",\"new_string\":\"x := 2\"}]\n```", changed},
		"broken edits":            {"{\"edits\":[{\"old\":\"x := 1\",\n\"new\":\"x := 2\"", back},
		"other edits":             {`{"edits":[{"old":"z := 1","new":"x := 2"}]}`, back},
		"minus and plus":          {"-\tx := 1\n+\tx := 2\n", changed},
		"minus and plus, blank":   {"- \tx := 1\n+ \tx := 2\n", changed},
		"with context":            {" func main() {\n-\tx := 1\n+\tx := 2\n \tfmt.Println(x)\n", changed},
		"context as it is":        {"func main() {\n-\tx := 1\n+\tx := 2\n\tfmt.Println(x)\n", changed},
		"minus of another":        {"-\tz := 1\n+\tx := 2\n", back},
		"unified":                 {"--- a/a.go\n+++ b/a.go\n@@ -5,3 +5,3 @@\n func main() {\n-\tx := 1\n+\tx := 2\n \tfmt.Println(x)\n", changed},
		"git":                     {"diff --git a/a.go b/a.go\nindex 1..2 100644\n--- a/a.go\n+++ b/a.go\n@@ -5,3 +5,3 @@ package a\n func main() {\n-\tx := 1\n+\tx := 2\n \tfmt.Println(x)\n", changed},
		"unified in a fence":      {"```diff\n@@ ... @@\n func main() {\n-\tx := 1\n+\tx := 2\n```\n", changed},
		"unified of another":      {"--- a/b.go\n+++ b/b.go\n@@ -5,3 +5,3 @@\n func main() {\n-\tx := 1\n+\tx := 2\n", back},
		"patch":                   {"*** Begin Patch\n*** Update File: a.go\n@@ func main() {\n-\tx := 1\n+\tx := 2\n*** End Patch\n", changed},
		"patch of another":        {"*** Begin Patch\n*** Add File: a.go\n+package b\n*** End Patch\n", back},
		"tags":                    {"<old>\n\tx := 1\n</old>\n<new>\n\tx := 2\n</new>\n", changed},
		"tags in a line":          {"<old>x := 1</old><new>x := 2</new>", changed},
		"search and replace tags": {"<edit>\n<search>\n\tx := 1\n</search>\n<replace>\n\tx := 2\n</replace>\n</edit>\n", changed},
		"tags of another":         {"<old>z := 1</old><new>x := 2</new>", back},
		"labels":                  {"SEARCH:\n\tx := 1\nREPLACE:\n\tx := 2\n", changed},
		"labels in bold":          {"**Before:**\n```go\n\tx := 1\n```\n**After:**\n```go\n\tx := 2\n```\n", changed},
		"before and after":        {"Before:\n\n\tx := 1\n\nAfter:\n\n\tx := 2\n", changed},
		"labels in Japanese":      {"変更前：\n\tx := 1\n変更後：\n\tx := 2\n", changed},
		"labels of another":       {"Before:\n\tz := 1\nAfter:\n\tx := 2\n", back},
		"numbers and bars":        {"5 | func main() {\n6 | \tx := 2\n7 | \tfmt.Println(x)\n", back},
		"numbers and colons":      {"6: \tx := 2\n", back},
		"numbers and tabs":        {"     6\t\tx := 2\n     7\t\tfmt.Println(x)\n", back},
		"lines of a file":         {"a.go (lines 6-7)\n\tx := 2\n\tfmt.Println(x)\n", back},
		"lines by colon":          {"a.go:6-7\n\tx := 2\n", back},
		"lines alone":             {"Lines 6 to 7:\n\tx := 2\n", back},
		"numbers and two blanks":  {"6  \tx := 2\n7  \tfmt.Println(x)\n", back},
		"numbers and right":       {" 9  func main() {\n10  \tx := 2\n11  \n12  \tfmt.Println(x)\n", back},
		"numbers and one blank":   {"5 func main() {\n6 \tx := 2\n7 }\n", back},
		"lines before a bar":      {"6-7|\tx := 2\n\tfmt.Println(x)\n", back},
		"lines that a bar parts":  {"\tx := 1\n\tfmt.Println(x)|\tx := 2\n\tfmt.Println(x)", changed},
		"a fragment":              {"func main() {\n\tx := 2\n\tfmt.Println(x)\n}\n", back},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFolder(t, tool.Options{}, map[string]string{"a.go": program})
			f.must("readFile", args{"path": "a.go"})
			if c.want == back {
				if m := f.mistaken("editFile", args{"path": "a.go", "new_content": c.content}); !strings.Contains(m, "Nothing was written.") || !strings.Contains(m, "send the same again") {
					t.Error(m)
				}
			} else {
				f.must("editFile", args{"path": "a.go", "new_content": c.content})
			}
			if got := f.text("a.go"); c.want == back && got != program || c.want != back && got != c.want {
				t.Errorf("the file is %q", got)
			}
			if form := strings.HasPrefix(name, "numbers and") || name == "a fragment" || strings.HasPrefix(name, "lines "); !form && !strings.HasPrefix(name, "minus") && !strings.HasPrefix(name, "context") && !strings.HasPrefix(name, "with context") {
				f.mistaken("writeFile", args{"path": "b.go", "content": c.content})
			}
		})
	}
}

// What a content leaves out is what stands there, where that is clear; else it is sent back.
func TestWhatIsLeftOutIsKeptOrSentBack(t *testing.T) {
	const back = ""
	changed := strings.Replace(program, "return 42", "return 43", 1)
	head, tail := "package a\n\nimport \"fmt\"\n\nfunc main() {\n", "}\n\nfunc other() int {\n\treturn 43\n}\n"
	rest := "\nfunc third() string {\n\ty := \"three\"\n\treturn y + y\n}\n"
	for _, line := range []string{
		"\t// ... existing code ...", "// ...", "...", "\t...", "# rest unchanged", "// rest of the code remains unchanged", "/* … */", "<!-- rest -->",
		"-- 残りは変更なし", "// 以下省略", "（中略）", "# 既存のコード", "// ... (rest of the file) ...", "{/* ... existing code ... */}", "; unchanged", "% same as before",
		"/* existing code here */", "// Existing code unchanged", "# ... 変更なし ...", "// keep the existing code as is", "[...]", "(...)", "// … existing imports …", "# 以降は同じ", "// ここは既存のコード", "// no changes here", "<unchanged>", "<既存のコード>", "// 12 lines omitted",
	} {
		t.Run(line, func(t *testing.T) {
			f := newFolder(t, tool.Options{}, map[string]string{"a.go": program})
			f.must("readFile", args{"path": "a.go"})
			for content, want := range map[string]string{
				head + line + "\n" + tail + rest:                       changed,
				line + "\nfunc other() int {\n\treturn 43\n}\n" + rest: changed,
				head + line + "\n" + tail + line + "\n":                changed,
				head + line + "\n" + tail + "\n" + line:                changed,
				"func brandNew() {\n}\n" + line + "\n":                 back,
				"func brandNew() {\n" + line + "\n}\n":                 back,
				"func main() {\n" + line + "\n}\n":                     back, // the brace stands there three times
				head + line + "\n\treturn y - y\n}\n":                  back,
			} {
				p, err := f.propose("editFile", args{"path": "a.go", "new_content": content})
				if m := (*nebula.Mistake)(nil); want == back {
					if !errors.As(err, &m) || m.Again == "" {
						t.Errorf("%q: %v, %v", content, p.Diff, err)
					}
					continue
				}
				if err != nil || len(p.Risks) != 1 || p.Risks[0] != nebula.FilledIn || p.Targets[0].After != nebula.Hash([]byte(want)) {
					t.Errorf("%q: %v %v\n%s", content, err, p.Risks, p.Diff)
				}
			}
			p, err := f.propose("patchFile", args{"path": "a.go", "edits": []args{{"old": "func main() {\n\tx := 1\n\tfmt.Println(x)\n}\n", "new": "func start() {\n\tx := 1\n" + line + "\n}\n"}}})
			if m := (*nebula.Mistake)(nil); !errors.As(err, &m) || m.Again == "" {
				t.Errorf("%v\n%s", err, p.Diff)
			}
			p, err = f.propose("patchFile", args{"path": "a.go", "edits": []args{{"old": "func main() {\n\tx := 1\n\tfmt.Println(x)\n}\n\nfunc other() int {\n\treturn 42\n}\n", "new": "func main() {\n" + line + "\n}\n\nfunc other() int {\n\treturn 43\n}\n"}}})
			if err != nil || len(p.Risks) != 1 || p.Targets[0].After != nebula.Hash([]byte(changed)) {
				t.Errorf("%v %v\n%s", err, p.Risks, p.Diff)
			}
		})
	}
}

// A file may hold what looks like an edit: what it has is no sign, and what is given again is shown to the person.
func TestWhatIsMeantCanBeWritten(t *testing.T) {
	conflict := "a test of conflicts\n<<<<<<< HEAD\nours\n=======\ntheirs\n>>>>>>> branch\nend of it\n// ...\n"
	f := newFolder(t, tool.Options{}, map[string]string{"c.txt": conflict, "a.go": program})
	for _, p := range []string{"c.txt", "a.go"} {
		f.must("readFile", args{"path": p})
	}
	f.must("editFile", args{"path": "c.txt", "new_content": strings.Replace(conflict, "ours", "mine", 1)})
	f.must("patchFile", args{"path": "c.txt", "edits": []args{{"old": "<<<<<<< HEAD\nmine\n", "new": "<<<<<<< HEAD\nours\n"}}})
	if f.text("c.txt") != conflict {
		t.Errorf("%q", f.text("c.txt"))
	}
	for _, c := range []struct {
		name string
		a    args
		risk string
	}{
		{"editFile", args{"path": "a.go", "new_content": program + "// ...\n"}, nebula.Marked},
		{"editFile", args{"path": "a.go", "new_content": "<<<<<<< SEARCH\n\tq := 1\n=======\n\tx := 2\n>>>>>>> REPLACE\n"}, nebula.Marked},
		{"editFile", args{"path": "a.go", "new_content": "package a\n\nfunc other() int {\n\treturn 42\n}\n"}, nebula.Reduced},
		{"writeFile", args{"path": "n.go", "content": conflict}, nebula.Marked},
		{"writeFile", args{"path": "m.go", "content": "package m\n\n// ... existing code ...\n"}, nebula.Marked},
		{"patchFile", args{"path": "a.go", "edits": []args{{"old": "x := 1", "new": "<<<<<<< ours\nx := 1\n"}}}, nebula.Marked},
	} {
		if c.name == "editFile" && strings.HasSuffix(c.a["new_content"].(string), "// ...\n") {
			c.a["new_content"] = strings.Replace(program, "return 42", "// ...\nzero()", 1)
		}
		_, err := f.propose(c.name, c.a)
		m := (*nebula.Mistake)(nil)
		if !errors.As(err, &m) || m.Again == "" {
			t.Errorf("%v: %v", c.a, err)
			continue
		}
		again := f.view()
		again.SentBack = func(hash string) bool { return hash == m.Again }
		raw, _ := json.Marshal(c.a)
		p, err := f.tool(c.name).Propose(t.Context(), nebula.Action{Args: raw}, again)
		if err != nil || len(p.Risks) != 1 || p.Risks[0] != c.risk {
			t.Errorf("%v given again: %v %v", c.a, p.Risks, err)
		}
	}
}

// A new text that only stands for one is sent back; given again it is taken.
func TestPlaceholdersAreNoNewText(t *testing.T) {
	for _, text := range []string{"// ...", "...", "// ... existing code ...", "// your code here", "<new code>", "// rest unchanged"} {
		f := newFolder(t, tool.Options{}, map[string]string{"a.go": program})
		f.must("readFile", args{"path": "a.go"})
		edits := args{"path": "a.go", "edits": []args{{"old": "\treturn 42", "new": "\t" + text}}}
		if m := f.mistaken("patchFile", edits); !strings.Contains(m, "only a placeholder") {
			t.Errorf("%q: %s", text, m)
		}
		if f.text("a.go") != program {
			t.Errorf("%q is in the file", text)
		}
	}
	for _, text := range []string{"\treturn 43 // see above", "\tpanic(\"not here\")", "\treturn twice[int](21)", ""} {
		f := newFolder(t, tool.Options{}, map[string]string{"a.go": program})
		f.must("readFile", args{"path": "a.go"})
		f.must("patchFile", args{"path": "a.go", "edits": []args{{"old": "\treturn 42", "new": text}}})
	}
}

// Dots at the end of a text that has none stand for what is left out, however short the text is.
func TestDotsBelowATextAreNoLineOfIt(t *testing.T) {
	for _, c := range []struct {
		path, was, now string
		dots           bool // they are made a line of the file
	}{
		{"n.txt", "one line\ntwo lines\n", "one line\n2 lines\n...\n", false},
		{"m.md", "# Title\n\nsome text\n", "# Title\n\nother text\n\n…\n", false},
		{"m.md", "# Title\n\nsome text\n...\n", "# Title\n\nother text\n...\n", true},
		{"a.go", program, program + "// ...\n", false},
	} {
		f := newFolder(t, tool.Options{}, map[string]string{c.path: c.was})
		f.must("readFile", args{"path": c.path})
		p, err := f.propose("editFile", args{"path": c.path, "new_content": c.now})
		m := (*nebula.Mistake)(nil)
		held := errors.As(err, &m) && m.Again != "" || lists.Has(p.Risks, nebula.FilledIn)
		if held == c.dots || c.dots && err != nil {
			t.Errorf("%s %q: %v %v", c.path, c.now, p.Risks, err)
		}
	}
}

// Edits that came as a text are what they look like, or are sent back with their form; they are never the file.
func TestEditsGivenAsText(t *testing.T) {
	changed := strings.Replace(program, "x := 1", "x := 2", 1)
	for text, want := range map[string]string{
		"<<<<<<< SEARCH\n\tx := 1\n=======\n\tx := 2\n>>>>>>> REPLACE": changed,
		"@@ -6 +6 @@\n-\tx := 1\n+\tx := 2\n":                          changed,
		"x := 1 -> x := 2":                                             changed,
		"\tx := 2\n":                                                   "",
		"replace x := 1":                                               "",
		"package b\n\nfunc b()":                                        "",
	} {
		f := newFolder(t, tool.Options{}, map[string]string{"a.go": program})
		f.must("readFile", args{"path": "a.go"})
		if want == "" {
			if m := f.mistaken("patchFile", args{"path": "a.go", "edits": text}); !strings.Contains(m, `[{"old":"`) {
				t.Errorf("%q: %s", text, m)
			}
			want = program
		} else {
			f.must("patchFile", args{"path": "a.go", "edits": text})
		}
		if f.text("a.go") != want {
			t.Errorf("%q: %q", text, f.text("a.go"))
		}
	}
}

// A few lines of a small file, and its lines beside what they are to become, are not the file.
// An arrow that the file itself has behind the same words is code, not a sign of what they become.
func TestAnArrowOfTheFileIsNoEdit(t *testing.T) {
	const was = `exports.escape = (text) => text.replace(/</g, "&lt;");` + "\n"
	const now = `exports.escape = (text) => text.replace(/&/g, "&amp;").replace(/</g, "&lt;");` + "\n"
	f := newFolder(t, tool.Options{}, map[string]string{"html.js": was})
	f.must("readFile", args{"path": "html.js"})
	f.must("editFile", args{"path": "html.js", "new_content": now})
	if f.text("html.js") != now {
		t.Errorf("the file is %q", f.text("html.js"))
	}
}

func TestNearMissesOfSmallFiles(t *testing.T) {
	const config = "name: shop\nport: 8080\ndebug: false\n"
	const changed = "name: shop\nport: 9090\ndebug: false\n"
	for content, want := range map[string]string{
		"port: 9090":                      "",
		"port: 9090\n":                    "",
		"port: 8080|port: 9090":           changed,
		"port: 8080 | port: 9090":         changed,
		"port: 8080\n|\nport: 9090\n":     changed,
		"port: 8080\n=======\nport: 9090": changed,
		"name: shop\nport: 9090\n":        "name: shop\nport: 9090\n",
		"other: 1\n":                      "",
	} {
		f := newFolder(t, tool.Options{}, map[string]string{"c.yaml": config})
		f.must("readFile", args{"path": "c.yaml"})
		if want == "" {
			f.mistaken("editFile", args{"path": "c.yaml", "new_content": content})
			want = config
		} else {
			f.must("editFile", args{"path": "c.yaml", "new_content": content})
		}
		if f.text("c.yaml") != want {
			t.Errorf("%q: the file is %q", content, f.text("c.yaml"))
		}
	}
}
