package index

import (
	"fmt"
	"strings"
	"testing"
)

// outlines are sources with what is defined in them: kind, name, first and last line.
var outlines = []struct{ file, source, want string }{
	{"a.go", "package a\n\n// Add adds.\nfunc Add(a, b int) int {\n\treturn a + b\n}\n\ntype Store struct{ n int }\n\nfunc (s *Store) Len() int { return s.n }\n\nconst Max = 3\n",
		"func Add 3-6; type Store 8-8; method Store.Len 10-10; const Max 12-12"},
	{"a.js", "/** Adds. */\nexport function add(a, b) {\n  return a + b; // }\n}\n\nclass Store extends Base {\n  constructor() { super(); }\n\n  async load(id) {\n    if (id) { return '}'; }\n  }\n}\n\nconst half = (x) => x / 2;\n\nexports.twice = function (x) {\n  return `${x}{`;\n};\n",
		"func add 1-4; class Store 6-12; method Store.constructor 7-7; method Store.load 9-11; func half 14-14; func twice 16-18"},
	{"a.ts", "export interface Todo {\n  id: number;\n}\n\nexport type Id = string;\n\nexport default class Repo<T> {\n  private items: T[] = [];\n\n  public find(id: Id): T | undefined {\n    return undefined;\n  }\n}\n\nexport enum Level { Low, High }\n",
		"interface Todo 1-3; type Id 5-5; class Repo 7-13; method Repo.find 10-12; enum Level 15-15"},
	{"a.py", "LIMIT = 3\n\n\n@cached\ndef load(path):\n    \"\"\"def no():\"\"\"\n    def inner():\n        pass\n    return inner\n\n\nclass Todo(Base):\n    x: int = 1\n\n    async def save(self):\n        pass\n\n# end\n",
		"const LIMIT 1-1; func load 4-9; func load.inner 7-8; class Todo 12-16; method Todo.save 15-16"},
	{"A.java", "package a;\n\npublic final class Store<T> implements X {\n    private int n = 0;\n\n    public Store(int n) {\n        this.n = n;\n    }\n\n    @Override\n    public List<T> all() throws E {\n        return call(1);\n    }\n}\n\ninterface X {\n    void go(int a);\n}\n",
		"class Store 3-14; method Store.Store 6-8; method Store.all 10-13; interface X 16-18; method X.go 17-17"},
	{"a.c", "#define MAX 10\n\nstruct node {\n    int v;\n};\n\nstatic int add(int a,\n               int b)\n{\n    if (a) { return b; }\n    return a + b;\n}\n\nint twice(int);\n\ntypedef unsigned long word;\n",
		"const MAX 1-1; struct node 3-5; func add 7-12; type word 16-16"},
	{"a.cpp", "namespace x {\n\nclass Store : public Base {\npublic:\n    Store();\n    int size() const { return n; }\nprivate:\n    int n;\n};\n\nint Store::grow(int by) {\n    return n += by;\n}\n\ntemplate <typename T>\nT largest(T a, T b) { return a; }\n\n}\n",
		"namespace x 1-18; class x.Store 3-9; method Store.Store 5-5; method Store.size 6-6; func x.grow 11-13; func x.largest 15-16"},
	{"a.cs", "using System;\n\nnamespace App\n{\n    [Serializable]\n    public class Todo\n    {\n        public string Name { get; set; }\n\n        public async Task<int> Save(int id)\n        {\n            return id;\n        }\n\n        int Twice(int x) => x * 2;\n    }\n}\n",
		"namespace App 3-17; class App.Todo 5-16; method Todo.Save 10-13; method Todo.Twice 15-15"},
	{"a.rs", "use x::y;\n\n#[derive(Debug)]\npub struct Todo<'a> {\n    name: &'a str,\n}\n\nimpl<'a> Todo<'a> {\n    pub(crate) fn name(&self) -> &'a str {\n        self.name\n    }\n}\n\npub trait Store {\n    fn get(&self, id: u32) -> Option<u32>;\n}\n\nmacro_rules! m {\n    () => {}\n}\n",
		"struct Todo 3-6; impl Todo 8-12; method Todo.name 9-11; trait Store 14-16; method Store.get 15-15; macro m 18-20"},
	{"a.rb", "module App\n  class Todo < Base\n    LEVELS = 3\n\n    def self.all\n      [].each do |x|\n        x\n      end\n    end\n\n    def done?\n      true\n    end\n  end\nend\n",
		"module App 1-15; class App.Todo 2-14; method Todo.all 5-9; method Todo.done 11-13"},
	{"a.php", "<?php\nnamespace App;\n\nclass Todo\n{\n    public function save(array $a): bool\n    {\n        return true;\n    }\n}\n\nfunction &helper($x) { return $x; }\n",
		"namespace App 2-2; class Todo 4-10; method Todo.save 6-9; func helper 12-12"},
	{"a.kt", "data class Todo(val id: Int)\n\ninterface Repo {\n    fun find(id: Int): Todo?\n}\n\nfun <T> List<T>.second(): T = this[1]\n\nobject Log {\n    suspend fun write(s: String) {\n        println(\"{\")\n    }\n}\n",
		"class Todo 1-1; interface Repo 3-5; method Repo.find 4-4; func second 7-7; object Log 9-13; method Log.write 10-12"},
	{"a.swift", "import Foundation\n\nstruct Todo {\n    let id: Int\n\n    init(id: Int) {\n        self.id = id\n    }\n\n    func done() -> Bool { true }\n}\n\nextension Todo: Codable {\n    static func make() -> Todo { Todo(id: 1) }\n}\n",
		"struct Todo 3-11; const Todo.id 4-4; method Todo.init 6-8; method Todo.done 10-10; extension Todo 13-15; method Todo.make 14-14"},
	{"a.lua", "local M = {}\n\nfunction M.add(a, b)\n  return a + b\nend\n\nlocal function helper()\nend\n\nM.twice = function(x)\n  return x * 2\nend\n",
		"func add 3-5; func helper 7-8; func twice 10-12"},
	{"a.sh", "#!/bin/sh\n# Says hello.\nhello() {\n  echo \"hi }\"\n}\n\nfunction bye {\n  exit 0\n}\n",
		"func hello 2-5; func bye 7-9"},
	{"a.ex", "defmodule App.Todo do\n  def all(x) do\n    x\n  end\n\n  defp one, do: 1\nend\n",
		"module App.Todo 1-7; func App.Todo.all 2-4; func App.Todo.one 6-6"},
	{"a.sql", "-- Todos.\nCREATE TABLE IF NOT EXISTS todos (\n  id INTEGER,\n  name TEXT\n);\n\ncreate index todos_name on todos(name);\n",
		"table todos 1-5; index todos_name 7-7"},
	{"a.proto", "message Todo {\n  int32 id = 1;\n}\n\nservice Todos {\n  rpc Get (Todo) returns (Todo);\n}\n",
		"type Todo 1-3; service Todos 5-7; method Todos.Get 6-6"},
	{"a.dart", "class Todo {\n  final int id;\n  Todo(this.id);\n\n  Future<void> save() async {\n    return;\n  }\n}\n\nint twice(int x) => x * 2;\n",
		"class Todo 1-8; method Todo.Todo 3-3; method Todo.save 5-7; func twice 10-10"},
	{"a.scala", "object App {\n  def main(args: Array[String]): Unit = {\n    run()\n  }\n}\n\ncase class Todo(id: Int)\n",
		"object App 1-5; method App.main 2-4; class Todo 7-7"},
	{"a.md", "# One\n\ntext\n\n```\n# no\n```\n\nTwo\n---\n\nmore\n",
		"heading One 1-8; heading Two 9-12"},
}

func TestDefinitionsAreFoundInEveryLanguage(t *testing.T) {
	for _, c := range outlines {
		t.Run(c.file, func(t *testing.T) {
			o := outlined(c.file, []byte(c.source))
			var got []string
			for _, s := range o.symbols {
				got = append(got, fmt.Sprintf("%s %s %d-%d", s.Kind, s.full(), s.From, s.To))
			}
			if have := strings.Join(got, "; "); have != c.want {
				t.Errorf("\n got %s\nwant %s", have, c.want)
			}
			back, ok := decodeOutline(o.encode())
			if !ok || fmt.Sprint(back) != fmt.Sprint(o) {
				t.Errorf("written and read: %v", back)
			}
		})
	}
}
