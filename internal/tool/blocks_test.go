package tool_test

import (
	"encoding/json"
	"errors"
	"os/exec"
	"strings"
	"testing"

	"nebula"
	"nebula/internal/tool"
)

const nestedPython = "import os\n\n\nclass A:\n    def f(self, x):\n        for i in x:\n            if i:\n                self.n += i\n            else:\n                self.n -= 1\n        return self.n\n\n    def g(self):\n        try:\n            return os.getcwd()\n        except OSError:\n            return None\n\n\ndef main():\n    a = A()\n    print(a.f([1, 2]))\n"

// TestALostIndentationIsNotWritten gives every piece of a file in Python with less indentation than it has: it comes back, or is sent back, or
// what is written can still be read, by Python itself.
func TestALostIndentationIsNotWritten(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("no Python")
	}
	lines := strings.SplitAfter(nestedPython, "\n")
	lines = lines[:len(lines)-1]
	var written []string
	n := 0
	for size := 1; size <= 4; size++ {
		for from := 0; from+size <= len(lines); from++ {
			old := strings.Join(lines[from:from+size], "")
			if strings.Count(nestedPython, old) != 1 || strings.TrimSpace(old) == "" {
				continue
			}
			for _, less := range []int{4, 8, 16} {
				fresh := ""
				for _, l := range lines[from : from+size] {
					fresh += l[min(less, len(l)-len(strings.TrimLeft(l, " "))):]
				}
				if fresh == old {
					continue
				}
				n++
				fresh = strings.TrimSuffix(fresh, "\n") + "  # changed\n"
				f := newFolder(t, tool.Options{}, map[string]string{"a.py": nestedPython})
				f.must("readFile", args{"path": "a.py"})
				if _, err := f.run("patchFile", args{"path": "a.py", "edits": []args{{"old": old, "new": fresh}}}); err == nil {
					written = append(written, f.text("a.py"))
				}
				f = newFolder(t, tool.Options{}, map[string]string{"a.py": nestedPython})
				f.must("readFile", args{"path": "a.py"})
				if _, err := f.run("editFile", args{"path": "a.py", "new_content": strings.Replace(nestedPython, old, fresh, 1)}); err == nil {
					written = append(written, f.text("a.py"))
				}
			}
		}
	}
	script := "import sys\nbad = 0\nfor text in sys.stdin.read().split('\\0'):\n    try: compile(text, 'a.py', 'exec')\n    except (SyntaxError, ValueError): bad += 1; print(text)\nsys.exit(bad > 0)\n"
	run := exec.CommandContext(t.Context(), python, "-c", script)
	run.Stdin = strings.NewReader(strings.Join(written, "\x00"))
	out, err := run.CombinedOutput()
	t.Logf("of %d texts each way %d are written", n, len(written))
	if err != nil {
		t.Errorf("%v\n%.3000s", err, out)
	}
}

// TestWhatWasOpenedIsClosed gives changes after which a string, a bracket or a recipe is none: they are sent back once, and shown to the person
// when they are given again. What only looks so is written.
func TestWhatWasOpenedIsClosed(t *testing.T) {
	const (
		js = "// it's here\nconst a = `x ${[1].map((n) => `${n}`)}`;\n\nfunction f(s) {\n  return s.replace(/[\"'(]/g, '') / 2;\n}\n"
		sh = "#!/bin/sh\n# don't\nset -e\ncase \"$1\" in\n  a) echo \"it's $1\" ;;\n  *) cat <<'END'\nisn't {\nEND\n;;\nesac\nrun() {\n  echo \"${1#x}\"\n}\n"
		mk = "all: build\n\ngo := go\n\nbuild:\n\t$(go) build ./...\n\ntest: build\n\t$(go) test ./...\n"
		py = "A = {'it': \"it's\"}\n\n\ndef f(x):\n    \"\"\"Isn't (it?\n\nodd\n    \"\"\"\n    y = [x,\n  1]\n    return y\n"
		ym = "name: ci\non: push\njobs:\n  test:\n    runs: linux\n    steps:\n      - run: make\n  lint:\n    steps:\n      - run: |\n          make lint\n"
		ts = "type A = { [key: string]: () => void };\n\nexport const a: A = {\n  b: () => {},\n};\n"
	)
	for _, c := range []struct {
		path, was, old, now string
		back                bool
	}{
		{"a.js", js, "  return s.replace(/[\"'(]/g, '') / 2;\n", "  return s.replace(/[\"'(]/g, ') / 2;\n", true},
		{"a.js", js, "  return s.replace(/[\"'(]/g, '') / 2;\n", "  return s.replace(/[\"'(]/g, '' / 2;\n", true},
		{"a.js", js, "}\n", "", true},
		{"a.js", js, "const a = `x ${[1].map((n) => `${n}`)}`;\n", "const a = `x ${[1].map((n) => `${n}`)};\n", true},
		{"a.js", js, "  return s.replace(/[\"'(]/g, '') / 2;\n", "  if (s) {\n    return s.split(/[`{]/)[0];\n  }\n  return 'don\\'t';\n", false},
		{"a.ts", ts, "  b: () => {},\n", "  b: () => {,\n", true},
		{"a.ts", ts, "  b: () => {},\n", "  b: () => {},\n  c: () => { throw new Error(\"it's\") },\n", false},
		{"a.sh", sh, "  echo \"${1#x}\"\n", "  echo \"${1#x}\n", true},
		{"a.sh", sh, "  echo \"${1#x}\"\n}\n", "  echo \"${1#x}\"\n", true},
		{"a.sh", sh, "  echo \"${1#x}\"\n", "  echo \"$(printf '%s' \"$1\")\" # isn't\n  awk '{ print $1 }'\n", false},
		{"Makefile", mk, "\t$(go) test ./...\n", "        $(go) test -v ./...\n", true},
		{"Makefile", mk, "\t$(go) test ./...\n", "\t$(go) test -v ./... \\\n          -run X\n", false},
		{"a.py", py, "    return y\n", "    return (y\n", true},
		{"a.py", py, "    return y\n", "    return 'y\n", true},
		{"a.py", py, "    return y\n", "    if y: return y\n    # no\n  # deeper\n    return \\\n  None\n", false},
		{"a.yaml", ym, "  test:\n    runs: linux\n    steps:\n      - run: make\n", "test:\nruns: linux\nsteps:\n- run: make\n", true},
		{"a.yml", ym, "      - run: make\n", "- run: make all\n", true},
		{"a.yml", ym, "      - run: make\n", "\t\t\t- run: make all\n", true},
		{"a.yml", ym, "      - run: make\n", "    - run: make all\n    - run: |\n        a\n\n        - b\n", false},
		{"a.yml", ym, "on: push\n", "on:\n- push\n- pull # it's\nenv:\n  A: 1\n", false},
		{"a.py", py, "    return y\n", "    raise ValueError(“negative”)\n", true},
		{"a.py", py, "def f(x):\n", "def f（x）：\n", true},
		{"a.py", py, "    return y\n", "    return \"“y”\" # （y）\n", false},
		{"a.js", js, "  return s.replace(/[\"'(]/g, '') / 2;\n", "  return s === “x”;\n", true},
		{"a.js", js, "  return s.replace(/[\"'(]/g, '') / 2;\n", "  // “x”\n  return s.replace(/[“”（]/g, `：${'’'}`);\n", false},
		{"a.ts", ts, "  b: () => {},\n", "  b: () => {}，\n", true},
		{"a.sh", sh, "  echo \"${1#x}\"\n", "  echo “$1”\n", true},
		{"a.sh", sh, "  echo \"${1#x}\"\n", "  echo 完了（$1） # “x”\n  echo \"“$1”\"\n", false},
		{"a.py", py, "    return y\n", "    for i in y:\n        pass\n    else:\n        pass\n", false},
	} {
		for _, whole := range []bool{false, true} {
			name, call := "patchFile", args{"path": c.path, "edits": []args{{"old": c.old, "new": c.now}}}
			if whole {
				name, call = "editFile", args{"path": c.path, "new_content": strings.Replace(c.was, c.old, c.now, 1)}
			}
			f := newFolder(t, tool.Options{}, map[string]string{c.path: c.was})
			f.must("readFile", args{"path": c.path})
			p, err := f.propose(name, call)
			m := (*nebula.Mistake)(nil)
			if back := errors.As(err, &m); back != c.back {
				t.Errorf("%s of %s with %q: sent back %v (%v)", name, c.path, c.now, back, err)
			} else if !back && p.Targets[0].After != nebula.Hash([]byte(strings.Replace(c.was, c.old, c.now, 1))) {
				t.Errorf("%s of %s with %q becomes\n%s", name, c.path, c.now, p.Diff)
			} else if back {
				raw, _ := json.Marshal(call) // strings always marshal
				again := f.view()
				again.SentBack = func(hash string) bool { return hash == m.Again }
				if p, err := f.tool(name).Propose(t.Context(), nebula.Action{Args: raw}, again); err != nil || len(p.Risks) == 0 {
					t.Errorf("%s of %s with %q given again: %v", name, c.path, c.now, err)
				}
			}
		}
	}
}
