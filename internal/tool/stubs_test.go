package tool_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"nebula"
	"nebula/internal/tool"
)

// A body that is there and was not spoken of is not replaced by what stands for one.
func TestStubsDoNotReplaceBodies(t *testing.T) {
	const python = "def add(a, b):\n    return a - b\n\n\ndef sub(a, b):\n    \"\"\"Take b away.\"\"\"\n    if a is None:\n        raise ValueError(a)\n    return a - b\n\n\ndef mul(a, b):\n    return a * b\n"
	const script = "const fs = require('fs');\n\nfunction load(p) {\n  return JSON.parse(fs.readFileSync(p));\n}\n\nclass Box {\n  constructor(v) {\n    this.v = v;\n  }\n  get() {\n    return this.v;\n  }\n  set(v) {\n    this.v = v;\n    this.dirty = true;\n  }\n}\n"
	const program = "package a\n\nfunc Add(a, b int) int {\n\treturn a - b\n}\n\nfunc Sub(a, b int) int {\n\tif a < b {\n\t\treturn 0\n\t}\n\treturn a - b\n}\n"
	const rust = "pub fn add(a: i32, b: i32) -> i32 {\n    a - b\n}\n\npub fn sub(a: i32, b: i32) -> i32 {\n    let c = a;\n    c - b\n}\n"
	for name, c := range map[string]struct{ path, was, old, new string }{
		"pass":            {"a.py", python, "    return a * b\n", "    pass\n"},
		"dots":            {"a.py", python, "    return a * b\n", "    ...\n"},
		"dots behind":     {"a.py", python, "def mul(a, b):\n    return a * b\n", "def mul(a, b): ...\n"},
		"pass behind":     {"a.py", python, "def mul(a, b):\n    return a * b\n", "def mul(a, b): pass\n"},
		"described":       {"a.py", python, "    if a is None:\n        raise ValueError(a)\n    return a - b\n", "    pass\n"},
		"described, dots": {"a.py", python, "    if a is None:\n        raise ValueError(a)\n    return a - b\n", "    ...\n"},
		"not implemented": {"a.py", python, "    return a * b\n", "    raise NotImplementedError\n"},
		"with a text":     {"a.py", python, "    return a * b\n", "    raise NotImplementedError(\"mul\")\n"},
		"a remark":        {"a.py", python, "    return a * b\n", "    pass  # same\n"},
		"to do":           {"a.py", python, "    return a * b\n", "    # TODO: implementation\n    pass\n"},
		"throw":           {"a.js", script, "    this.v = v;\n    this.dirty = true;\n", "    throw new Error('not implemented');\n"},
		"todo":            {"a.js", script, "    this.v = v;\n    this.dirty = true;\n", "    // TODO\n"},
		"your code":       {"a.js", script, "    this.v = v;\n    this.dirty = true;\n", "    // your code here\n"},
		"empty":           {"a.js", script, "  set(v) {\n    this.v = v;\n    this.dirty = true;\n  }\n", "  set(v) {}\n"},
		"empty class":     {"a.js", script, "class Box {\n  constructor(v) {\n    this.v = v;\n  }\n  get() {\n    return this.v;\n  }\n  set(v) {\n    this.v = v;\n    this.dirty = true;\n  }\n}\n", "class Box {}\n"},
		"framed":          {"a.js", script, "function load(p) {\n  return JSON.parse(fs.readFileSync(p));\n}\n", "function load(p) { /* ... */ }\n"},
		"panic":           {"a.go", program, "\tif a < b {\n\t\treturn 0\n\t}\n\treturn a - b\n", "\tpanic(\"not implemented\")\n"},
		"panic todo":      {"a.go", program, "\tif a < b {\n\t\treturn 0\n\t}\n\treturn a - b\n", "\tpanic(\"TODO\")\n"},
		"todo!":           {"a.rs", rust, "    let c = a;\n    c - b\n", "    todo!()\n"},
		"unimplemented!":  {"a.rs", rust, "    let c = a;\n    c - b\n", "    unimplemented!()\n"},
	} {
		f := newFolder(t, tool.Options{}, map[string]string{c.path: c.was})
		f.must("readFile", args{"path": c.path})
		now := strings.Replace(strings.Replace(c.was, "a - b", "a + b", 1), c.old, c.new, 1)
		if now == c.was || !strings.Contains(now, c.new) {
			t.Fatal(name)
		}
		p, err := f.propose("editFile", args{"path": c.path, "new_content": now})
		if m := (*nebula.Mistake)(nil); (!errors.As(err, &m) || m.Again == "") && !slices.Contains(p.Risks, nebula.FilledIn) {
			t.Errorf("%s is written: %v\n%s", name, err, p.Diff)
		}
	}
	for name, c := range map[string]struct{ path, was, old, new string }{
		"a new one":           {"a.py", python, "def mul(a, b):\n", "def div(a, b):\n    raise NotImplementedError\n\n\ndef mul(a, b):\n"},
		"an error let be":     {"a.py", "try:\n    f()\nexcept E:\n    log()\n", "    log()\n", "    pass\n"},
		"a loop":              {"a.py", "while f():\n    log()\n", "    log()\n", "    pass\n"},
		"a stub filled":       {"a.py", "def f():\n    pass\n\n\ndef g():\n    return 1\n", "    pass\n", "    return 2\n"},
		"a stub for another":  {"a.py", "def f():\n    pass\n\n\ndef g():\n    return 1\n", "    pass\n", "    raise NotImplementedError\n"},
		"shorter":             {"a.go", program, "\tif a < b {\n\t\treturn 0\n\t}\n\treturn a - b\n", "\treturn max(a-b, 0)\n"},
		"an empty new method": {"a.js", script, "  get() {\n", "  clear() {}\n  get() {\n"},
		"a panic among code":  {"a.go", program, "\t\treturn 0\n", "\t\tpanic(\"not implemented for a < b\")\n"},
	} {
		f := newFolder(t, tool.Options{}, map[string]string{c.path: c.was})
		f.must("readFile", args{"path": c.path})
		if p, err := f.propose("editFile", args{"path": c.path, "new_content": strings.Replace(c.was, c.old, c.new, 1)}); err != nil || len(p.Risks) > 0 {
			t.Errorf("%s: %v %v", name, err, p.Risks)
		}
	}
}

// A body that the person asked to be bare is one at once.
func TestAStubThatWasAskedForIsWritten(t *testing.T) {
	const was = "def add(a, b):\n    return a + b\n\n\ndef sub(a, b):\n    if a is None:\n        raise ValueError(a)\n    return a - b\n"
	for _, body := range []string{"    pass\n", "    raise NotImplementedError\n"} {
		f := newFolder(t, tool.Options{}, map[string]string{"a.py": was})
		f.must("readFile", args{"path": "a.py"})
		now := strings.Replace(was, "    if a is None:\n        raise ValueError(a)\n    return a - b\n", body, 1)
		if _, err := f.propose("editFile", args{"path": "a.py", "new_content": now}); err == nil {
			t.Errorf("%q is written unasked", body)
		}
		f.stubs = true
		if p, err := f.propose("editFile", args{"path": "a.py", "new_content": now}); err != nil || slices.Contains(p.Risks, nebula.FilledIn) {
			t.Errorf("%q: %v %v", body, err, p.Risks)
		}
	}
}

// Where a language asks for bodies without anything, they are no stubs.
func TestBodiesThatAreToBeEmptyAreWritten(t *testing.T) {
	const was = "from typing import Protocol\n\n\nclass A(Protocol):\n    def f(self) -> int:\n        return 1\n"
	f := newFolder(t, tool.Options{}, map[string]string{"a.py": was})
	f.must("readFile", args{"path": "a.py"})
	f.must("editFile", args{"path": "a.py", "new_content": strings.Replace(was, "return 1", "...", 1)})
}
