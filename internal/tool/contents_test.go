package tool_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"nebula"
	"nebula/internal/gate"
	"nebula/internal/tool"
)

const twoFunctions = "import math\n\n\ndef add(a, b):\n    return a - b\n\n\ndef area(r):\n    return math.pi * r * r\n"

// wrongContents are whole new contents that are none of what they are given for. was is empty for a file that is not there.
func wrongContents() (all []struct{ path, was, now string }) {
	add := func(path, was string, contents ...string) {
		for _, now := range contents {
			all = append(all, struct{ path, was, now string }{path, was, now})
		}
	}
	for _, mark := range []string{"- (rest as before)", "- and so on", "- the other entries", "_(unchanged)_", "The remaining list is unchanged.", "- 以下同じ", "", "- ...", "* the rest", "- etc.", "(other items unchanged)",
		"- *remaining items*", "The rest stays the same.", "残りは変更ありません。", "- その他の項目", "- [the other three]"} {
		add("notes.md", "# Notes\n\n- one\n- two\n- three\n- four\n", "# Notes\n\n- one!\n"+mark+"\n")
		add("notes.txt", "Notes\n\n- one\n- two\n- three\n- four\n", "Notes\n\n- one!\n"+mark+"\n")
	}
	stands := []string{"See above.", "TODO", "$CONTENT", "${CONTENT}", "{{content}}", "undefined", "str", "string", "Sorry, I can't help with that.", "I'm sorry, but I cannot do that.", "I cannot assist with this request.", "申し訳ありませんが、できません。", "[object Object]", "TBD", "$FILE_CONTENT", "<content>", "（ここにコードを書く）", "[ここに内容を記入]", "# （ここに処理を書く）"}
	add("VERSION", "1.2.3\n", stands...)
	add("motto.txt", "Slow is smooth.\n", stands...)
	add("one.js", "export const inc = (n) => n + 2;\n", stands...)
	add("README.md", "# Tool\n", stands...)
	add("new.txt", "", stands...)
	add("new.py", "", append(stands, "None", "...", "null", "pass...")...)
	right := strings.Replace(twoFunctions, "a - b", "a + b", 1)
	body, _ := json.Marshal(right) // a string always marshals
	each := func(sign string) string {
		return sign + strings.ReplaceAll(strings.TrimSuffix(right, "\n"), "\n", "\n"+sign) + "\n"
	}
	wrapped := []string{`"""` + "\n" + right + `"""` + "\n", "'''\n" + right + "'''\n", `"""` + right + `"""`, "--\n" + right + "--\n", "---\n" + right + "---\n", "==== app.py ====\n" + right, "File: app.py\n" + right, "app.py\n" + right, "--- app.py ---\n" + right, "**app.py**\n" + right,
		"filename: app.py\n" + right, "=====\n" + right + "=====\n", right + right, right + "\n\n" + right, `{"content": ` + string(body) + "}\n", `{"path": "app.py", "new_content": ` + string(body) + "}\n", each("> "), each("+"), each("+ "), each("| "),
		right + "\nThis adds the two numbers, as you asked.\n", right + "\nI hope this helps!\n", right + "\nLet me know if you need more (or less).\n", right + "\nadd now returns the sum of both values\n", right + "\n以上で修正は完了です。\n",
		"$ edit @ app.py\n--\n" + right + "--\n", "$ edit @ app.py\n" + right, "Sure! Here is app.py with the fix:\n" + right, "<new>" + right + "</new>\n"}
	add("app.py", twoFunctions, wrapped...)
	add("app.py", "", wrapped...)
	return all
}

// Whatever is given for a file and is none is sent back, whether the file is there or not, and never takes its place at once.
func TestWhatIsNoFileIsSentBack(t *testing.T) {
	all, passed := wrongContents(), 0
	for _, c := range all {
		files, name, field := map[string]string{c.path: c.was}, "editFile", "new_content"
		if c.was == "" {
			files, name, field = nil, "writeFile", "content"
		}
		f := newFolder(t, tool.Options{}, files)
		if c.was != "" {
			f.must("readFile", args{"path": c.path})
		}
		p, err := f.propose(name, args{"path": c.path, field: c.now})
		if m := (*nebula.Mistake)(nil); errors.As(err, &m) && m.Again != "" {
			continue
		} else if err == nil && (p.Targets[0].After == nebula.Hash([]byte(strings.Replace(twoFunctions, "a - b", "a + b", 1))) || strings.Contains(p.Diff, " - two") && !strings.Contains(p.Diff, "--")) {
			continue // it was read as what is meant
		}
		passed++
		t.Errorf("%s %s: %q: %v\n", name, c.path, c.now, err)
	}
	t.Logf("%d of %d were written", passed, len(all))
}

// rightContents are files and what they may well become at once.
var rightContents = []struct{ path, was, now string }{
	{"a.py", "", "\"\"\"What the module is for.\n\n    def f():\n        pass\n\"\"\"\n"}, {"a.py", "", "x = None\n"}, {"a.py", "", "# TODO\nx = 1\n"}, {"TODO", "", "TODO\n\n- paint\n"}, {"a.py", "", "print('a')\n"},
	{"a.json", "", "null\n"}, {"a.json", "", "{\"content\": \"a\\nb\"}\n"}, {"a.json", "", "\"string\"\n"}, {"tsconfig.json", "", "// The settings.\n{\n  \"a\": 1\n}\n"}, {"a.sql", "", "--\n-- Tables\n--\nCREATE TABLE t (a int);\n"},
	{"a.lua", "", "--\nprint(1)\n--\n"}, {"a.yaml", "", "---\na: 1\n---\nb: 2\n"}, {"a.md", "", "---\ntitle: a\n---\n\nText.\n"}, {"a.md", "", "> a\n> b\n"}, {"a.txt", "", "> a\n> b\n"}, {"a.patch", "", "+a\n+b\n"}, {"a.md", "", "a.md\n====\n\nText.\n"},
	{"a.ts", "", "export function f(a: string): void;\nexport function f(a: number): void;\nexport function f(a: any): void {}\n"}, {"a.txt", "", "a\na\n"}, {"a.csv", "", "1,2\n1,2\n"}, {"a.py", "", "x += 1\n+x\n"},
	{"notes.md", "# Notes\n\n- one\n- two\n- three\n- four\n", "# Notes\n\n- one!\n- two\n- three\n- four\n- and so on\n"}, {"notes.md", "# Notes\n\n- one\n- two\n", "# Notes\n\n- one\n- two\n\nThe rest is unchanged.\n"},
	{"notes.md", "# Notes\n\n- one\n- two\n- three\n- four\n", "# Notes\n\n- one\n- two\n- three\n- five\n"}, {"VERSION", "1.2.3\n", "1.2.4\n"}, {"motto.txt", "Slow is smooth.\n", "Sorry is the hardest word.\n"}, {"motto.txt", "Slow is smooth.\n", "A string of pearls\n"},
	{"app.py", twoFunctions, "\"\"\"Numbers.\"\"\"\n" + twoFunctions}, {"app.py", twoFunctions, "\"\"\"\nNumbers.\n\"\"\"\n" + twoFunctions + "\n\nDOC = \"\"\"\nEnd.\n\"\"\"\n"}, {"app.py", twoFunctions, "# app.py\n" + twoFunctions},
	{"app.py", twoFunctions, twoFunctions + "\n\ndef sub(a, b):\n    return a - b\n"}, {"cfg.env", "A=$CONTENT\n", "A=$OTHER\n"}, {".tool-versions", "go 1.1\n", "go 1.2\n"}, {"page.tmpl", "<p>{{.A}}</p>\n", "{{template \"a\"}}\n"},
}

func TestWhatIsAFileIsWritten(t *testing.T) {
	for _, c := range rightContents {
		files, name, field := map[string]string{c.path: c.was}, "editFile", "new_content"
		if c.was == "" {
			files, name, field = nil, "writeFile", "content"
		}
		f := newFolder(t, tool.Options{}, files)
		if c.was != "" {
			f.must("readFile", args{"path": c.path})
		}
		if p, err := f.propose(name, args{"path": c.path, field: c.now}); err != nil || len(p.Risks) > 0 {
			t.Errorf("%s: %q: %v %v", c.path, c.now, err, p.Risks)
		}
	}
}

// A patch's new text is not in the tag of an edit.
func TestANewTextInATagIsSentBack(t *testing.T) {
	f := newFolder(t, tool.Options{}, map[string]string{"app.py": twoFunctions})
	f.must("readFile", args{"path": "app.py"})
	for _, now := range []string{"<new>    return b + a</new>", "    <new>return b + a</new>", "<replace>    return b + a</replace>", "<content>    return b + a</content>"} {
		if p, err := f.propose("patchFile", args{"path": "app.py", "edits": []args{{"old": "    return a - b", "new": now}}}); err == nil {
			t.Errorf("%q is written: %s", now, p.Diff)
		}
	}
}

// A shrink that is given again as it was is made where nobody is there, and shown where somebody is.
func TestAShrinkGivenAgainIsMade(t *testing.T) {
	f := newFolder(t, tool.Options{}, map[string]string{"notes.txt": "rope\npaint\nbolts\nnails\n"})
	f.must("readFile", args{"path": "notes.txt"})
	given := args{"path": "notes.txt", "new_content": "rope!\n"}
	_, err := f.propose("editFile", given)
	m := (*nebula.Mistake)(nil)
	if !errors.As(err, &m) || m.Again == "" {
		t.Fatal(err)
	}
	again := f.view()
	again.SentBack = func(hash string) bool { return hash == m.Again }
	raw, _ := json.Marshal(given) // strings always marshal
	p, err := f.tool("editFile").Propose(t.Context(), nebula.Action{Args: raw}, again)
	if err != nil || strings.Join(p.Risks, " ") != nebula.Reduced {
		t.Fatal(err, p.Risks)
	}
	if v := gate.Judge(gate.Rules{Mode: nebula.AgentMode, Approve: gate.Edits, Alone: true}, p); v.Ruling != nebula.Allow {
		t.Error(v.Ruling, v.Why)
	}
	if v := gate.Judge(gate.Rules{Mode: nebula.AgentMode, Approve: gate.Ask}, p); v.Ruling != nebula.AskFirst {
		t.Error(v.Ruling, v.Why)
	}
}
