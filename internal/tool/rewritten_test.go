package tool_test

import (
	"errors"
	"strings"
	"testing"

	"nebula"
	"nebula/internal/tool"
)

// A language is how a function is written in it.
type written struct {
	head, open, end, remark string // of a file, of a function, of its body; NAME stands for what is called so
	body                    []string
}

var writtens = map[string]written{
	"a.py": {"", "def NAME(a, b):\n", "", "    \"\"\"Return NAME.\"\"\"\n", []string{"    return a - b\n", "    return a * b\n", "    return a ** b\n", "    c = a + b\n    return c\n", "    if a:\n        return b\n    return a\n"}},
	"a.js": {"", "function NAME(a, b) {\n", "}\n", "  // NAME of both\n", []string{"  return a - b;\n", "  return a * b;\n", "  return a ** b;\n", "  const c = a + b;\n  return c;\n", "  if (a) {\n    return b;\n  }\n  return a;\n"}},
	"a.go": {"package a\n\n", "func NAME(a, b int) int {\n", "}\n", "\t// NAME of both\n", []string{"\treturn a - b\n", "\treturn a * b\n", "\treturn a / b\n", "\tc := a + b\n\treturn c\n", "\tif a > 0 {\n\t\treturn b\n\t}\n\treturn a\n"}},
	"a.rs": {"", "pub fn NAME(a: i32, b: i32) -> i32 {\n", "}\n", "    // NAME of both\n", []string{"    a - b\n", "    a * b\n", "    a / b\n", "    let c = a + b;\n    c\n", "    if a > 0 {\n        return b;\n    }\n    a\n"}},
	"b.py": {"import os\n\n\n", "@cached\ndef NAME(a, b):\n", "", "    # NAME of both\n", []string{"    return a - b\n", "    return a * b\n", "    return os.path(b)\n", "    c = a + b\n    return c\n"}},
	"b.js": {"", "const NAME = (a, b) => ", "", "", []string{"a - b;\n", "a * b;\n", "a ** b;\n", "{\n  return a + b;\n};\n"}},
	"b.rs": {"use std::fmt;\n\n", "#[inline]\nfn NAME(a: i32) -> i32 {\n", "}\n", "    // NAME of both\n", []string{"    a\n", "    a * 2\n", "    a / 2\n"}},
}

// A whole new file is written as it is given or is sent back, whatever of it is changed: it is never read as an edit of a part.
func TestAWholeFileIsNeverReadAsAPassage(t *testing.T) {
	names := []string{"add", "mul", "sub"}
	wrote, all := 0, 0
	for at, w := range writtens {
		f := newFolder(t, tool.Options{}, nil)
		function := func(name, body, remark string) string {
			return strings.ReplaceAll(w.open+remark+body+w.end, "NAME", name)
		}
		for _, parted := range []string{"\n", "\n\n", ""} {
			if parted == "" && at != "b.js" {
				continue
			}
			for n := 2; n <= 3; n++ {
				for first := range min(len(w.body), 6-n) {
					var was []string
					for i := range n {
						was = append(was, function(names[i], w.body[(first+i)%len(w.body)], ""))
					}
					file := w.head + strings.Join(was, parted)
					f.put(map[string]string{at: file})
					f.must("readFile", args{"path": at})
					try := func(now []string, head string) {
						content := head + strings.Join(now, parted)
						p, err := f.propose("editFile", args{"path": at, "new_content": content})
						all++
						switch m := (*nebula.Mistake)(nil); {
						case errors.As(err, &m):
							if testing.Verbose() {
								t.Logf("sent back: %v\n%s\n->\n%s", err, file, content)
							}
						case err != nil:
							t.Error(err)
						case p.Targets[0].After != nebula.Hash([]byte(content)):
							t.Errorf("%s\nwith the whole new content\n%s\nis changed by\n%s", file, content, p.Diff)
						default:
							wrote++
						}
					}
					for i := range n { // one is changed, another is another
						for j := range n {
							for _, remark := range []string{"", w.remark} {
								with := func(here, body, its string) []string {
									now := append([]string(nil), was...)
									now[i] = function(names[i], w.body[(first+i+1)%len(w.body)], remark)
									if i != j {
										now[j] = function(here, body, its)
									}
									return now
								}
								same, next := w.body[(first+j)%len(w.body)], w.body[(first+j+2)%len(w.body)]
								try(with("times", same, ""), w.head)
								try(with("times", next, remark), w.head)
								try(with("power", next, ""), w.head)
								try(with(names[j]+"s", same, w.remark), w.head)
								try(append(with(names[j], same, ""), function("times", next, remark)), w.head)
								now := with(names[j], same, "")
								try(append(now[:j:j], now[j+1:]...), w.head)
								now = with(names[j], same, "")
								try(append(now[:i:i], append([]string{function("adds", next, "")}, now[i:]...)...), w.head)
							}
						}
					}
				}
			}
		}
	}
	t.Logf("%d of %d were written, the others sent back", wrote, all)
	if 10*wrote < 7*all {
		t.Errorf("only %d of %d were written", wrote, all)
	}
}
