package protocol_test

import (
	"encoding/json"
	"strings"
	"testing"

	"nebula/internal/protocol"
)

func TestAliasIsTheFilesNameWithoutExtension(t *testing.T) {
	var a protocol.Aliases
	for _, c := range []struct{ file, want string }{
		{"src/main.py", "main"}, {"src/api/user.py", "user"}, {"src/db/user.py", "user_2"}, {"user.go", "user_3"},
		{"src/main.py", "main"}, {"user_2.go", "user_2_2"}, {".gitignore", "gitignore"}, {"a.tar.gz", "a_tar"},
		{"設定.json", "設定"}, {"Makefile", "Makefile"}, {"x/...", "file"}, {"{F}.go", "_F_"},
	} {
		if got := a.Add(c.file); got != c.want {
			t.Errorf("%s is %q, want %q", c.file, got, c.want)
		}
	}
	if file, _ := a.Path("user_2"); file != "src/db/user.py" || a.Name("src/db/user.py") != "user_2" {
		t.Errorf("user_2 is %q", file)
	}
}

func TestReferencesExpandEverywhereButInContents(t *testing.T) {
	var a protocol.Aliases
	a.Add("src/main.py")
	a.Add("my dir/b.txt")
	a.Add("c$(touch PWN).txt")
	a.Add("-rf")
	const quote = "cannot stand in this command"
	for _, c := range []struct{ tool, args, want, problem string }{
		{"readFile", `{"path":"{{F:main}}"}`, `{"path":"src/main.py"}`, ""},
		{"readFile", `{"path":"{{ f:main }}"}`, `{"path":"src/main.py"}`, ""},
		{"writeFile", `{"path":"{{F:main}}","content":"{{F:main}} \u003c"}`, `{"path":"src/main.py","content":"{{F:main}} \u003c"}`, ""},
		{"executeShell", `{"command":"python {{F:main}} \"x\"","timeout":5}`, `{"command":"python src/main.py \"x\"","timeout":5}`, ""},
		{"executeShell", `{"command":"cat {{F:b}}"}`, `{"command":"cat 'my dir/b.txt'"}`, ""},
		{"executeShell", `{"command":"cat {{F:-rf}}"}`, `{"command":"cat ./-rf"}`, ""},
		{"executeShell", `{"command":"cat \"{{F:main}}\""}`, `{"command":"cat \"src/main.py\""}`, ""},
		{"executeShell", `{"command":"cat \"{{F:b}}\""}`, "", quote},
		{"executeShell", `{"command":"bash -c 'cat {{F:b}}'"}`, "", quote},
		{"executeShell", `{"command":"cat {{F:c__touch_PWN_}}"}`, "", quote},
		{"executeShell", `{"command":"grep x \"{{F:c__touch_PWN_}}\""}`, "", quote},
		{"executeShell", `{"command":"eval cat {{F:c__touch_PWN_}}"}`, "", quote},
		{"executeShell", `{"command":"cat <<X\n{{F:c__touch_PWN_}}\nX"}`, "", quote},
		{"askUser", `{"question":"?","options":["{{F:main}}",1]}`, `{"question":"?","options":["src/main.py",1]}`, ""},
		{"readFile", `{"path":"{{F:mian}}"}`, `{"path":"{{F:mian}}"}`, "{{F:mian}} stands for no file. Did you mean {{F:main}} (src/main.py)?"},
		{"readFile", `{"path":"{{F:nothing}}"}`, `{"path":"{{F:nothing}}"}`, "{{F:nothing}} stands for no file. Write the path itself."},
		{"readFile", `{"path":"{{ jinja }}"}`, `{"path":"{{ jinja }}"}`, ""},
	} {
		spec, _ := protocol.Find(c.tool, tools())
		got, problem := a.Expand(json.RawMessage(c.args), spec, nil)
		if c.problem == quote && strings.Contains(problem, quote) && string(got) == c.args {
			continue
		}
		if string(got) != c.want || problem != c.problem {
			t.Errorf("%s %s → %s (%q), want %s (%q)", c.tool, c.args, got, problem, c.want, c.problem)
		}
	}
}

func FuzzExpand(f *testing.F) {
	f.Add(`{"path":"{{F:main}}","content":"x"}`, "src/main.py")
	f.Fuzz(func(t *testing.T, args, file string) {
		var a protocol.Aliases
		name := a.Add(file)
		if name == "" || strings.ContainsAny(name, "{}| \n") {
			t.Fatalf("%q is named %q", file, name)
		}
		spec, _ := protocol.Find("writeFile", tools())
		got, problem := a.Expand(json.RawMessage(args), spec, nil)
		if json.Valid([]byte(args)) && !json.Valid(got) {
			t.Fatalf("%s → %s (%s)", args, got, problem)
		}
	})
}
