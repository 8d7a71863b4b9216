package judge

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"nebula"
	"nebula/internal/nebulatest"
	"nebula/internal/tool"
	"nebula/internal/workspace"
)

// A sample is a file, and one passage of it with what it shall become.
type sample struct{ path, text, old, new string }

var samples = []sample{
	{"src/app.py", "import os\n\n\ndef main():\n    x = 1\n    return x\n\n\ndef other():\n    return 2\n", "    x = 1\n", "    x = 2\n"},
	{"a.py", "def main():\n    x = 1\n    return x\n\n\ndef other():\n    return 2\n", "    x = 1\n    return x\n", "    x = 2\n    return x + 1\n"},
	{"steps.go", "package steps\n\nfunc one() int {\n\treturn 1\n}\n\nfunc two() int {\n\treturn 2\n}\n", "func two() int {\n\treturn 2\n}\n", "func two() int {\n\treturn 1 + 1\n}\n"},
	{"web/cart.js", "const tax = 0.1;\n\nfunction sum(a, b) {\n  return a - b;\n}\n\nmodule.exports = { sum, tax };\n", "  return a - b;\n", "  return a + b;\n"},
	{"config.yml", "name: shop\nport: 8080\ndebug: true\nworkers: 4\n", "debug: true\n", "debug: false\n"},
	{"lib.rs", "pub fn add(a: i32, b: i32) -> i32 {\n    a - b\n}\n\npub fn twice(a: i32) -> i32 {\n    a * 2\n}\n", "    a - b\n", "    a + b\n"},
}

// dresses are ways to write a pair of old and new that are taught nowhere; the second list was written without a look at the reading. $old and $new are the passages.
var dresses = map[bool][]string{
	false: {
		"SEARCH\n$oldREPLACE\n$new", "OLD\n$oldNEW\n$new", "### old\n$old### new\n$new", "<<<\n$old===\n$new>>>\n", "<<‹\n$old===\n$new›>>\n", "【検索】\n$old【置換】\n$new",
		"find\n$oldreplace with\n$new", "BEFORE\n$oldAFTER\n$new", "--- old ---\n$old--- new ---\n$new", "from\n$oldto\n$new", "変更前\n$old変更後\n$new", "[OLD]\n$old[NEW]\n$new[END]\n", "2c\n$new.\n", "2,3c\n$new.\n", ":%s/x = 1/x = 2/g\n", "3d\n",
		"*** old ***\n$old*** new ***\n$new", "<old>\n$old</old>\n<new>\n$new</new>\n", "Find:\n$oldReplace with:\n$new", "OLD CODE\n```\n$old```\nNEW CODE\n```\n$new```\n",
	},
	true: {
		"WAS\n$oldNOW\n$new", "-- current --\n$old-- desired --\n$new", "[[old]]\n$old[[new]]\n$new", "=== BEFORE ===\n$old=== AFTER ===\n$new", "// from\n$old// to\n$new", "<<old>>\n$old<<new>>\n$new", "旧：\n$old新：\n$new", "【修正前】\n$old【修正後】\n$new",
		"@@@\n$old@@@\n$new@@@\n", "# --- old ---\n$old# --- new ---\n$new", "#OLD\n$old#NEW\n$new", "{{old}}\n$old{{new}}\n$new", "BEGIN OLD\n$oldEND OLD\nBEGIN NEW\n$newEND NEW\n", "old_code\n$oldnew_code\n$new", "5,6c5,6\n< a\n---\n> b\n", ":2s/1/2/\n", "4a\n$new.\nw\nq\n",
		"Original code\n$oldFixed code\n$new", "HAVE\n$oldWANT\n$new", "this part\n$oldbecomes\n$new", "この部分を\n$old次のように\n$new", "change this\n$oldinto this\n$new", "%old\n$old%new\n$new", "OLD_STRING\n$oldNEW_STRING\n$new", "<|old|>\n$old<|new|>\n$new", "remove\n$oldinsert\n$new",
		">>> old\n$old>>> new\n$new", "avant\n$oldaprès\n$new", "((A))\n$old((B))\n$new", "元のコード\n$old新しいコード\n$new", "Old version\n$old↓\nNew version\n$new", "<<<<\n$old----\n$new>>>>\n", "NEW\n$newOLD\n$old", "Search for\n$oldand replace it by\n$new", "▼変更前▼\n$old▲変更後▲\n$new",
		"Search:\n\n$old\nReplace with:\n\n$new", "OLD LINES >>>\n$oldNEW LINES >>>\n$new", "## Current\n$old## Proposed\n$new", "|BEFORE|\n$old|AFTER|\n$new", "<find>\n$old</find>\n<replace_with>\n$new</replace_with>\n", "«old»\n$old«new»\n$new", "~~~old\n$old~~~\n~~~new\n$new~~~\n",
		"<<<OLD\n$oldOLD>>>\n<<<NEW\n$newNEW>>>\n", "[before]\n$old[/before]\n[after]\n$new[/after]\n", "置換前：\n$old置換後：\n$new", "修正前のコード\n$old修正後のコード\n$new", "現状\n$old改善後\n$new", "REMOVE:\n$oldADD:\n$new", "- old\n$old+ new\n$new", "!!! old\n$old!!! new\n$new",
		"Line 2 (old)\n$oldLine 2 (new)\n$new", "WRONG\n$oldRIGHT\n$new", "== A ==\n$old== B ==\n$new", "Was:\n$oldIs:\n$new", "/* old */\n$old/* new */\n$new", "10i\n$new.\n", "2,4s/a/b/\n", "🔴 old\n$old🟢 new\n$new", "❌\n$old✅\n$new", "find:\n$oldreplace:\n$new", "existing code:\n$oldnew code:\n$new", "vorher\n$oldnachher\n$new", "<<<<<<<\n$old|||||||\n$new>>>>>>>\n",
	},
}

// placeholders stand for lines that are left out. NAME is what the file has there.
var placeholders = map[bool][]string{
	false: {"... (imports and NAME as before)", "(NAME unchanged)", "前と同じ", "--- NAME omitted ---", "body as before", "...", "…", "(省略)", "existing imports and NAME here", "NAME() は変更なし", "[previous code]", "<unchanged>", "rest unchanged", "以下同様", "そのまま"},
	true: {"as above", "NAME: same as before", "(NAME stays)", "everything else as before", "function body omitted", "NAME is unchanged", "... NAME ...", "other code stays the same", "上と同じ", "NAME は省略", "変更箇所以外は元のまま", "imports and helpers omitted", "same code as before", "[unchanged lines]",
		"... same ...", "the above remains the same", "no change to NAME", "NAME not shown", "keep NAME", "従来通り", "existing NAME", "(unchanged)", "remaining lines as they were", "body unchanged", "— unchanged —",
		"code above unchanged", "... rest of NAME ...", "same implementation as before", "NAME body", "imports stay as they are", "all other code is unchanged", "(omitted)", "NAME kept as is", "NAME left as is", "see above for NAME", "previous content here", "the other functions remain", "as in the original", "original NAME here", "unmodified", "NAME unmodified", "not modified", "no modifications to NAME",
		"identical to before", "unaltered", "NAME as in the original file", "copy of NAME", "skipping NAME", "(hidden)", "以下略", "変更していません", "NAME は変えていません", "元のコードと同じ", "同上", "NAME 以下は既存のまま", "中身は変更なし", "... NAME remains ...", "etc", "keep everything else", "do not change"},
}

// TestEditsInUnknownDress holds the readers and the tools to it in every language: a pair in a dress that nobody taught is
// that edit or is sent back, and so is a file with a line that stands for others; what only looks so is written.
func TestEditsInUnknownDress(t *testing.T) {
	var n, read, lost int
	for _, unseen := range []bool{false, true} {
		for name, list := range map[string][]wearing{"dress": dressed(dresses[unseen]), "placeholder": elided(placeholders[unseen])} {
			n, read, lost = 0, 0, 0
			f := newBench(t)
			shown := ""
			for _, w := range list {
				for _, l := range languages() {
					n++
					switch got := f.carry(l, w); got {
					case "":
					case w.want:
						read++
					default:
						if lost++; lost <= 40 {
							shown += fmt.Sprintf("- %s %s\n%s\nbecame\n%s\n", l.Name(), w.Path, w.body(), got)
						}
					}
				}
			}
			t.Logf("%s, unseen %v: of %d %d read, %d sent back or asked about, %d lost", name, unseen, n, read, n-read-lost, lost)
			if most := map[bool]float64{false: 0, true: unseenLost}[unseen] * float64(n); float64(lost) > most {
				t.Errorf("%s, unseen %v: %d of %d lost\n%s", name, unseen, lost, n, shown)
			}
		}
	}
}

// unseenLost is the share of what the reading was not made with that may be lost.
const unseenLost = 0.01

// A wearing is a change of a file as a model writes it, and what the file may become by it.
type wearing struct {
	sample
	Path, content string
	edits         [][2]string
	want          string
}

func (w wearing) body() string {
	if len(w.edits) > 0 {
		return fmt.Sprint(w.edits)
	}
	return w.content
}

func dressed(forms []string) (out []wearing) {
	for _, s := range samples {
		for _, form := range forms {
			out = append(out, wearing{sample: s, Path: s.path, content: strings.NewReplacer("$old", s.old, "$new", s.new).Replace(form), want: strings.Replace(s.text, s.old, s.new, 1)})
		}
	}
	return out
}

// elided are files with lines left out, at every place, in the comment style of the file, bare and in brackets.
func elided(texts []string) (out []wearing) {
	r := rand.New(rand.NewPCG(3, 3))
	for _, s := range []struct {
		path, comment, first, second, changed string
	}{
		{"a.py", "# $", "def main():\n    x = 1\n    return x\n", "\n\ndef other():\n    return 2\n", "\n\ndef other():\n    return 3\n"},
		{"b.go", "// $", "package b\n\nfunc main() {\n\tprintln(1)\n}\n", "\nfunc other() int {\n\treturn 2\n}\n", "\nfunc other() int {\n\treturn 3\n}\n"},
		{"c.css", "/* $ */", "main {\n  color: red;\n  margin: 0;\n}\n", "\n.other {\n  color: blue;\n}\n", "\n.other {\n  color: green;\n}\n"},
		{"d.sql", "-- $", "create table main (\n  id int,\n  name text\n);\n", "\ncreate table other (\n  id int\n);\n", "\ncreate table other (\n  id bigint\n);\n"},
	} {
		for _, text := range texts {
			line := strings.ReplaceAll(s.comment, "$", strings.ReplaceAll(text, "NAME", "main"))
			whole := s.first + s.second
			base := sample{path: s.path, text: whole}
			head, _, _ := strings.Cut(s.first, "\n")
			inner := head + "\n    " + line + "\n"
			out = append(out,
				wearing{sample: base, Path: s.path, content: line + "\n" + s.changed, want: s.first + s.changed},
				wearing{sample: base, Path: s.path, content: inner + s.changed, want: s.first + s.changed},
				wearing{sample: base, Path: s.path, edits: [][2]string{{whole, line + "\n" + s.changed}}, want: s.first + s.changed},
				wearing{sample: base, Path: s.path, edits: [][2]string{{s.first, inner}}, want: whole},
			)
			if end := r.IntN(2); end == 0 {
				out = append(out, wearing{sample: sample{path: s.path, text: s.second + s.first}, Path: s.path, content: s.changed + "\n" + line + "\n", want: s.changed + s.first})
			}
		}
	}
	return out
}

// TestWhatOnlyLooksLikeAnEditIsWritten are the twins: files that rightly hold what the others only wear.
func TestWhatOnlyLooksLikeAnEditIsWritten(t *testing.T) {
	f := newBench(t)
	n, back := 0, ""
	for _, w := range twins {
		for _, l := range languages() {
			n++
			if got := f.carry(l, w); got != w.want {
				back += fmt.Sprintf("- %s %s\n%s\nbecame %q\n", l.Name(), w.Path, w.body(), got)
			}
		}
	}
	if t.Logf("%d twins", n); back != "" {
		t.Errorf("not written as they are:\n%s", back)
	}
}

func twin(path, was, now string) wearing {
	return wearing{sample: sample{path: path, text: was}, Path: path, content: now, want: now}
}

func twinEdit(path, was, old, new string) wearing {
	return wearing{sample: sample{path: path, text: was}, Path: path, edits: [][2]string{{old, new}}, want: strings.Replace(was, old, new, 1)}
}

var twins = []wearing{
	twin("conflict.txt", "how a conflict looks\nOLD\nours\nNEW\ntheirs\nend\n", "how a conflict looks\nOLD\nmine\nNEW\ntheirs\nend\n"),
	twin("events.yml", "log: true\nlevel: info\n", "before:\n  log: true\nafter:\n  level: info\n"),
	twin("page.md", "# Guide\n\nRun it.\n\nStop it.\n", "# Guide\n\n## Before\n\nRun it.\n\n## After\n\nStop it.\n"),
	twin("post.md", "title: Hello\n\nSome text.\n", "---\ntitle: Hello\n---\n\nSome text.\n"),
	twin("app.ini", "host = a\nport = 1\n", "[old]\nhost = a\n[new]\nhost = b\nport = 1\n"),
	twin("hooks.py", "def setup():\n    pass\n\n\ndef run():\n    return 1\n", "# before\ndef setup():\n    pass\n\n\n# after\ndef run():\n    return 1\n"),
	twin("try.py", "x = load()\nprint(x)\n", "try:\n    x = load()\nfinally:\n    print(x)\n"),
	twin("t.rb", "run\nstop\n", "begin\n  run\nrescue\n  stop\nend\n"),
	twin("w.sh", "if true\nthen\n  one\nfi\ntwo\n", "if true\nthen\n  one\nelse\n  two\nfi\n"),
	twin("o.js", "const a = 1;\nconst b = 2;\n", "const before = {\n  a: 1,\n};\nconst after = {\n  b: 2,\n};\n"),
	twin("m.go", "package m\n\nvar a = 1\n", "package m\n\n// old\nvar a = 1\n\n// new\nvar b = 2\n"),
	twin("d.sql", "select 1;\nselect 2;\n", "BEGIN;\nselect 1;\nCOMMIT;\nselect 2;\n"),
	twin("l.txt", "apples\npears\nplums\n", "new\napples\npears\nplums\nold\n"),
	twin("proto.py", "class A:\n    def f(self) -> int:\n        return 1\n", "from typing import Protocol\n\n\nclass A(Protocol):\n    def f(self) -> int:\n        ...\n\n    def g(self) -> int:\n        \"\"\"Gives g.\"\"\"\n        ...\n"),
	twin("s.pyi", "def f() -> int: ...\n", "def f() -> int: ...\n\n\ndef g() -> str:\n    ...\n"),
	twin("v.py", "def f(x):\n    return x\n", "from typing import overload\n\n\n@overload\ndef f(x: int) -> int:\n    ...\n\n\n@overload\ndef f(x: str) -> str:\n    ...\n\n\ndef f(x):\n    return x\n"),
	twin("CHANGES.md", "# Changes\n\n- one\n", "# Changes\n\n- The API is unchanged.\n- Everything else stays the same.\n- one\n"),
	twin("notes.md", "# Notes\n\nOne.\n", "# Notes\n\n## Existing tests\n\nThe rest of the file is as before.\n\nOne.\n"),
	twinEdit("api.py", "def f(x):\n    return x\n", "    return x\n", "    # omitted fields get defaults\n    # behaves as before\n    return x or 0\n"),
	twinEdit("api.go", "package api\n\nfunc f() int {\n\treturn 1\n}\n", "\treturn 1\n", "\t// The order is unchanged since 2019.\n\t// existing code calls this with nil\n\treturn 2\n"),
	twin("gone.py", "import os\n\n\ndef old():\n    x = 1\n    return x\n\n\ndef kept():\n    return 2\n", "import os\n\n\n# old was removed in version 2\n\n\ndef kept():\n    return 2\n"),
	twin("off.py", "a = 1\nb = 2\nprint(a)\n", "# a = 1; b = 2\nprint(3)\n"),
	twinEdit("simple.go", "package s\n\nfunc f(a int) int {\n\tif a > 1 {\n\t\treturn a\n\t}\n\treturn 1\n}\n", "\tif a > 1 {\n\t\treturn a\n\t}\n\treturn 1\n", "\t// One is the least.\n\treturn max(a, 1)\n"),
	twinEdit("empty.js", "function f() {\n  a();\n  b();\n}\n", "  a();\n  b();\n", "  // nothing to do\n"),
	twinEdit("abs.py", "class A:\n    pass\n", "    pass\n", "    def f(self):\n        ...\n"),
	twinEdit("call.js", "f(a);\n", "f(a);\n", "f(...a);\n// main is slow when the table is full\n"),
	twinEdit("doc.md", "One.\nTwo.\n", "Two.\n", "Two. The rest is unchanged.\n\n> existing behaviour stays the same\n"),
	twinEdit("ja.py", "def f():\n    return 1\n", "    return 1\n", "    # 以前と同じ値を返す\n    # 省略時は 1\n    return 1 + 0\n"),
	twinEdit("p.py", "def f(x):\n    return x\n", "def f(x):\n    return x\n", "def f(x):\n    # x is as before when it is small\n    # keep main thread free\n    return x\n"),
}

// A bench carries changes out in a folder, as far as the proposal.
type bench struct {
	t     *testing.T
	dir   string
	tools []nebula.Tool
	specs []nebula.ToolSpec
}

func newBench(t *testing.T) *bench {
	t.Helper()
	f := &bench{t: t, dir: t.TempDir(), specs: nebulatest.Specs()}
	work, err := workspace.Open(f.dir, store(t))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = work.Close() })
	f.tools = tool.All(work, tool.Options{})
	return f
}

// carry is what a file would become by a change, without a question; empty where it is sent back or asked about.
func (f *bench) carry(l language, w wearing) string {
	f.t.Helper()
	at := filepath.Join(f.dir, w.Path)
	if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
		f.t.Fatal(err)
	}
	if err := os.WriteFile(at, []byte(w.text), 0o644); err != nil {
		f.t.Fatal(err)
	}
	name, args := "editFile", map[string]any{"path": w.Path, "new_content": w.content}
	if len(w.edits) > 0 {
		var list []map[string]string
		for _, e := range w.edits {
			list = append(list, map[string]string{"old": e[0], "new": e[1]})
		}
		name, args = "patchFile", map[string]any{"path": w.Path, "edits": list}
	}
	b, _ := json.Marshal(args) // strings always marshal
	in := l.decode(l.write(nebula.Intent{Actions: []nebula.Action{{Tool: name, Args: b, Reason: "The step changes."}}}, f.specs), f.specs)
	if len(in.Problems) > 0 || len(in.Actions) != 1 || in.Actions[0].Problem != "" || in.Actions[0].Inferred {
		return ""
	}
	view := nebula.View{Seen: func(string) (string, bool) { return nebula.Hash([]byte(w.text)), true }}
	for _, each := range f.tools {
		if !each.Spec().Answers(in.Actions[0].Tool) {
			continue
		}
		p, err := each.Propose(f.t.Context(), in.Actions[0], view)
		if err != nil || len(p.Risks) > 0 {
			return ""
		}
		if p.Targets[0].After == nebula.Hash([]byte(w.want)) {
			return w.want
		}
		return p.Diff
	}
	f.t.Fatalf("no tool %s", in.Actions[0].Tool)
	return ""
}
