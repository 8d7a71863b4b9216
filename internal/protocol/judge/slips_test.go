package judge

import (
	"encoding/json"
	"fmt"
	"strings"

	"nebula"
)

// A slip is a way to write an intent in bad form; it does not fit every intent.
type slip struct {
	name  string
	write func(m *mind, in nebula.Intent) (nebula.Reply, bool)
}

var slips = []slip{
	{"chatter", func(m *mind, in nebula.Intent) (nebula.Reply, bool) {
		r := m.inForm(in)
		r.Parts = r.WithText("Sure! Here is the next step.\n\n" + r.Text() + "\n\nI'll continue afterwards.\n")
		return r, m.l.Name() != "toolcall"
	}},
	{"fence around all", func(m *mind, in nebula.Intent) (nebula.Reply, bool) {
		r := m.inForm(in)
		r.Parts = r.WithText("```\n" + strings.TrimRight(r.Text(), "\n") + "\n```\n")
		return r, m.l.Name() == "symops" || m.l.Name() == "actionlist"
	}},
	{"Hermes calls", foreign("hermes")},
	{"Mistral calls", foreign("mistral")},
	{"harmony calls", foreign("harmony")},
	{"Llama's JSON", foreign("llama")},
	{"an edit with five chevrons as the whole file", asWhole(func(old, new string) string { return "<<<<< SEARCH\n" + old + "=====\n" + new + ">>>>> REPLACE\n" })},
	{"an edit with dashes as the whole file", asWhole(func(old, new string) string {
		return "------- SEARCH\n" + old + "=======\n" + new + "+++++++ REPLACE\n"
	})},
	{"a fragment with an elision as the whole file", asWhole(func(_, new string) string { return "# ... existing code ...\n" + new + "# ... existing code ...\n" })},
	{"minus and plus lines as the whole file", asWhole(func(old, new string) string {
		return prefix("-")(old) + prefix("+")(new)
	})},
	{"cut", func(m *mind, in nebula.Intent) (nebula.Reply, bool) {
		r := m.inForm(in)
		if last := len(r.Calls()) - 1; last >= 0 {
			r.Parts = r.EachCall(func(n int, c nebula.Call) nebula.Call {
				if n == last {
					c.Arguments = c.Arguments[:len(c.Arguments)*3/4]
				}
				return c
			})
		} else {
			r.Parts = r.WithText(strings.ToValidUTF8(r.Text()[:len(r.Text())*3/4], ""))
		}
		r.Finish = "length"
		return r, true
	}},
	{"an invented result behind it", func(m *mind, in nebula.Intent) (nebula.Reply, bool) {
		r := m.inForm(in)
		r.Parts = r.WithText(r.Text() + "\n\nObservation: done, exit 0\nAll tests pass.\n")
		return r, true
	}},
	{"an example before it", func(m *mind, in nebula.Intent) (nebula.Reply, bool) {
		r := m.inForm(in)
		example := m.taught(m.l, act("deleteFile", map[string]any{"path": "README.md"}, ""))
		r.Parts = r.WithText("For example, `" + strings.TrimSpace(example) + "` would delete a file; that is not needed here.\n\n" + r.Text())
		return r, m.l.Name() != "actionlist"
	}},
	{"JSON with trailing commas and raw line breaks", func(m *mind, in nebula.Intent) (nebula.Reply, bool) {
		r := m.inForm(in)
		loosen := strings.NewReplacer(`"}`, `",}`, `]}`, `],}`)
		r.Parts = written(r, loosen.Replace)
		if m.l.Name() == "actionlist" {
			r.Parts = r.WithText(loosen.Replace(r.Text()))
		}
		return r, m.l.Name() == "actionlist" || len(r.Calls()) > 0
	}},
	{"other names", func(m *mind, in nebula.Intent) (nebula.Reply, bool) {
		r := m.inForm(in)
		rename := strings.NewReplacer(`"readFile"`, `"read_file"`, `"writeFile"`, `"write_to_file"`, `"runTests"`, `"run_tests"`, `"path"`, `"file_path"`, `"old"`, `"old_string"`, `"new"`, `"new_string"`)
		r.Parts = written(r, rename.Replace)
		r.Parts = r.WithText(rename.Replace(r.Text()))
		return r, m.l.Name() == "actionlist" || len(r.Calls()) > 0
	}},
	{"double escaped line breaks", func(m *mind, in nebula.Intent) (nebula.Reply, bool) {
		a, args, ok := single(in, "writeFile")
		if !ok {
			return nebula.Reply{}, false
		}
		args["content"] = strings.ReplaceAll(args["content"].(string), "\n", `\n`)
		in.Actions = []nebula.Action{act(a.Tool, args, a.Reason)}
		return m.inForm(in), m.l.Name() == "actionlist" || m.l.Name() == "toolcall"
	}},
	{"another protocol", func(m *mind, in nebula.Intent) (nebula.Reply, bool) {
		other := pick(m.maker, languages())
		r := other.write(in, m.p.specs)
		r.Finish = "stop"
		return r, other.Name() != m.l.Name() && len(r.Calls()) == 0 && len(in.Actions) == 1
	}},
	{"done twice", func(m *mind, in nebula.Intent) (nebula.Reply, bool) {
		r := m.inForm(in)
		if len(in.Actions) != 1 || len(r.Calls()) > 0 {
			return r, false
		}
		r.Parts = r.WithText(r.Text() + "\n" + vendors["hermes"](in.Actions[0].Tool, in.Actions[0].Args))
		return r, true
	}},
}

// written are a reply's parts with the arguments of its calls changed.
func written(r nebula.Reply, change func(string) string) nebula.Parts {
	return r.EachCall(func(_ int, c nebula.Call) nebula.Call {
		c.Arguments = change(c.Arguments)
		return c
	})
}

// foreign prints the calls as another family does, and nothing else.
func foreign(vendor string) func(m *mind, in nebula.Intent) (nebula.Reply, bool) {
	return func(_ *mind, in nebula.Intent) (nebula.Reply, bool) {
		if len(in.Actions) != 1 {
			return nebula.Reply{}, false
		}
		return nebula.Reply{Parts: nebula.Text(vendors[vendor](in.Actions[0].Tool, in.Actions[0].Args)), Finish: "stop"}, true
	}
}

func single(in nebula.Intent, tool string) (nebula.Action, map[string]any, bool) {
	var args map[string]any
	if len(in.Actions) != 1 || in.Actions[0].Tool != tool || json.Unmarshal(in.Actions[0].Args, &args) != nil {
		return nebula.Action{}, nil, false
	}
	return in.Actions[0], args, true
}

// asWhole hands an edit to the tool that takes whole files.
func asWhole(body func(old, new string) string) func(m *mind, in nebula.Intent) (nebula.Reply, bool) {
	return func(m *mind, in nebula.Intent) (nebula.Reply, bool) {
		a, _, ok := single(in, "patchFile")
		var args struct {
			Path  string
			Edits []struct{ Old, New string }
		}
		if !ok || json.Unmarshal(a.Args, &args) != nil {
			return nebula.Reply{}, false
		}
		in.Actions = []nebula.Action{act("editFile", map[string]any{"path": args.Path, "new_content": body(args.Edits[0].Old, args.Edits[0].New)}, a.Reason)}
		return m.inForm(in), true
	}
}

const (
	goMod  = "module shop\n\ngo 1.24\n"
	addGo  = "package shop\n\n// Add adds.\nfunc Add(a, b int) int {\n\treturn a - b\n}\n"
	addGoT = "package shop\n\nimport \"testing\"\n\nfunc TestAdd(t *testing.T) {\n\tif got := Add(2, 3); got != 5 {\n\t\tt.Errorf(\"got %d\", got)\n\t}\n}\n"
	slugPy = "import re\n\n\ndef slug(text):\n    return re.sub(r\"\\W+\", \"_\", text.lower())\n"
	slugT  = "import unittest\n\nfrom slug import slug\n\n\nclass TestSlug(unittest.TestCase):\n    def test_words(self):\n        self.assertEqual(slug(\"A b\"), \"a-b\")\n\n\nif __name__ == \"__main__\":\n    unittest.main()\n"
)

// tasks are the work of the minds: three with Go, three with Python.
func tasks() []task {
	var table strings.Builder
	table.WriteString("RATES = {\n")
	for i := range 80 {
		fmt.Fprintf(&table, "    \"zone%02d\": %d,\n", i, i*10)
	}
	table.WriteString("}\n\n\ndef rate(zone):\n    return RATES[zone]\n\n\nif __name__ == \"__main__\":\n    assert rate(\"zone40\") == 415\n")
	rates := table.String()
	readme := map[string]string{"README.md": "# Shop\n\nSmall.\n"}
	with := func(more map[string]string) map[string]string {
		for k, v := range readme {
			more[k] = v
		}
		return more
	}
	return []task{
		{name: "fix a sum", request: "Add is wrong: fix it and run the tests.", check: "go test ./...",
			before: with(map[string]string{"go.mod": goMod, "add.go": addGo, "add_test.go": addGoT}),
			after:  map[string]string{"add.go": strings.Replace(addGo, "a - b", "a + b", 1)}},
		{name: "add a function with its test", request: "Add Twice with a test.", check: "go test ./...", whole: true,
			before: with(map[string]string{"go.mod": goMod, "twice.go": "package shop\n\n// Once returns n.\nfunc Once(n int) int { return n }\n"}),
			after: map[string]string{
				"twice.go":      "package shop\n\n// Once returns n.\nfunc Once(n int) int { return n }\n\n// Twice returns twice n.\nfunc Twice(n int) int { return 2 * n }\n",
				"twice_test.go": "package shop\n\nimport \"testing\"\n\nfunc TestTwice(t *testing.T) {\n\tif Twice(2) != 4 {\n\t\tt.Fail()\n\t}\n}\n"}},
		{name: "rename a constant in two files", request: "Rename Max to Limit everywhere.", check: "go vet ./...",
			before: with(map[string]string{"go.mod": goMod, "max.go": "package shop\n\n// Max is how many.\nconst Max = 5\n", "use.go": "package shop\n\n// Full reports whether n is all.\nfunc Full(n int) bool {\n\treturn n >= Max\n}\n"}),
			after:  map[string]string{"max.go": "package shop\n\n// Limit is how many.\nconst Limit = 5\n", "use.go": "package shop\n\n// Full reports whether n is all.\nfunc Full(n int) bool {\n\treturn n >= Limit\n}\n"}},
		{name: "fix a slug", request: "slug should use hyphens; test it.", check: "python3 -m unittest -q test_slug",
			before: with(map[string]string{"slug.py": slugPy, "test_slug.py": slugT}),
			after:  map[string]string{"slug.py": strings.Replace(slugPy, `"_"`, `"-"`, 1)}},
		{name: "one line of a long file", request: "zone40 costs 415 now.", check: "python3 rates.py",
			before: with(map[string]string{"rates.py": rates}),
			after:  map[string]string{"rates.py": strings.Replace(rates, "\"zone40\": 400", "\"zone40\": 415", 1)}},
		{name: "a module anew, the old one gone", request: "Replace old.py by greet.py.", check: "python3 greet.py",
			before: with(map[string]string{"old.py": "print('old')\n"}),
			after:  map[string]string{"greet.py": "def greet(name):\n    return f\"Hello, {name}!\\n\"\n\n\nif __name__ == \"__main__\":\n    print(greet(\"you\"), end=\"\")\n", "old.py": ""}},
	}
}
