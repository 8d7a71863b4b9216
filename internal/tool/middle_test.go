package tool_test

import (
	"errors"
	"strings"
	"testing"

	"nebula"
	"nebula/internal/tool"
)

// middles are programs whose functions have several lines.
var middles = map[string]string{
	"a.go":   "package a\n\nimport \"fmt\"\n\nfunc one(list []int) int {\n\tsum := 0\n\tfor _, n := range list {\n\t\tsum += n\n\t}\n\treturn sum\n}\n\nfunc two(list []int) {\n\tif len(list) > 1 {\n\t\tfmt.Println(one(list))\n\t\tfmt.Println(\"done\")\n\t}\n}\n",
	"a.js":   "const one = 1;\n\nfunction sum(list) {\n  let total = 0;\n  for (const n of list) {\n    total += n;\n  }\n  return total;\n}\n\nfunction show(list) {\n  if (list.length > one) {\n    console.log(sum(list));\n    console.log(\"done\");\n  }\n}\n\nmodule.exports = { sum, show };\n",
	"a.ts":   "export class Cart {\n  private items: number[] = [];\n\n  add(n: number): void {\n    if (n > 0) {\n      this.items.push(n);\n    }\n  }\n\n  total(): number {\n    let sum = 0;\n    for (const n of this.items) {\n      sum += n;\n    }\n    return sum;\n  }\n}\n",
	"A.java": "class A {\n    private int size = 1;\n\n    int grow(int by) {\n        if (by > 0) {\n            size += by;\n        }\n        return size;\n    }\n\n    void show() {\n        for (int i = 0; i < size; i++) {\n            System.out.println(i);\n        }\n        System.out.println(\"done\");\n    }\n}\n",
	"a.rs":   "use std::fmt;\n\nfn one(list: &[i32]) -> i32 {\n    let mut sum = 0;\n    for n in list {\n        sum += n;\n    }\n    sum\n}\n\nfn two(list: &[i32]) {\n    if list.len() > 1 {\n        println!(\"{}\", one(list));\n        println!(\"done\");\n    }\n}\n",
	"a.c":    "#include <stdio.h>\n\nint one(int n) {\n    int sum = 0;\n    while (n > 0) {\n        sum += n--;\n    }\n    return sum;\n}\n\nint main(void) {\n    if (one(3) > 1) {\n        printf(\"%d\\n\", one(3));\n        puts(\"done\");\n    }\n    return 0;\n}\n",
	"a.py":   "import os\n\n\ndef one(items):\n    total = 0\n    for n in items:\n        total += n\n    return total\n\n\nclass Two:\n    size = 2\n\n    def grow(self, by):\n        if by > 0:\n            self.size += by\n            print(\"grown\")\n        return self.size\n\n    def shrink(self):\n        self.size -= 1\n",
	"a.rb":   "require 'json'\n\ndef one(list)\n  total = 0\n  list.each do |n|\n    total += n\n  end\n  total\nend\n\ndef two(list)\n  if list.size > 1\n    puts one(list)\n    puts 'done'\n  end\nend\n",
	"a.sh":   "set -e\n\none() {\n  for n in \"$@\"; do\n    echo \"$n\"\n    echo done\n  done\n}\n\ntwo() {\n  if [ \"$#\" -gt 1 ]; then\n    one \"$@\"\n    echo two\n  fi\n}\n\ntwo 1 2\n",
	"a.lua":  "local M = {}\n\nfunction M.one(list)\n  local sum = 0\n  for _, n in ipairs(list) do\n    sum = sum + n\n  end\n  return sum\nend\n\nfunction M.two(list)\n  if #list > 1 then\n    print(M.one(list))\n  end\nend\n\nreturn M\n",
	"a.kt":   "package a\n\nfun one(list: List<Int>): Int {\n    var sum = 0\n    for (n in list) {\n        sum += n\n    }\n    return sum\n}\n\nfun two(list: List<Int>) {\n    if (list.size > 1) {\n        println(one(list))\n        println(\"done\")\n    }\n}\n",
	"a.cs":   "using System;\n\nclass A\n{\n    int size = 1;\n\n    int Grow(int by)\n    {\n        if (by > 0)\n        {\n            size += by;\n        }\n        return size;\n    }\n\n    void Show()\n    {\n        Console.WriteLine(size);\n    }\n}\n",
	"a.php":  "<?php\n\nfunction one(array $list): int {\n    $sum = 0;\n    foreach ($list as $n) {\n        $sum += $n;\n    }\n    return $sum;\n}\n\nfunction two(array $list): void {\n    if (count($list) > 1) {\n        echo one($list);\n    }\n}\n",
}

// A whole file that ends inside of a function, where the file goes on, is one whose end is missing, whatever of it was changed.
func TestAFileThatEndsInAFunctionIsSentBackOnce(t *testing.T) {
	changes := []func(string) string{
		func(s string) string { return s },
		func(s string) string { return strings.Replace(s, "1", "11", 1) },
		func(s string) string { return strings.ReplaceAll(s, "sum", "whole") },
		func(s string) string { return strings.ReplaceAll(s, "total", "whole") },
	}
	cuts := 0
	for name, file := range middles {
		f := newFolder(t, tool.Options{}, map[string]string{name: file})
		f.must("readFile", args{"path": name})
		lines := strings.SplitAfter(file, "\n")
		for keep := 4; keep < len(lines)-1; keep++ {
			next := lines[keep]
			if strings.TrimSpace(next) == "" || strings.TrimLeft(next, " \t") == next && !strings.ContainsAny(next[:1], "}e{") { // between two of them
				continue
			}
			for i, change := range changes {
				for _, end := range []string{"", "    more(1);\n", "    more(1"} {
					if name == "a.py" && strings.HasSuffix(end, "\n") { // nothing tells that it is not whole
						continue
					}
					content := change(strings.Join(lines[:keep], "")) + end
					cuts++
					_, err := f.propose("editFile", args{"path": name, "new_content": content, "reason": "Make it right."})
					if m := (*nebula.Mistake)(nil); !errors.As(err, &m) || m.Again == "" {
						t.Errorf("%s cut to %d of %d lines, change %d %q, is written: %v", name, keep, len(lines)-1, i, end, err)
					}
				}
			}
		}
	}
	if cuts < 500 {
		t.Errorf("only %d cuts were tried", cuts)
	}
}
