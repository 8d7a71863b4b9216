package gate

import (
	"strings"
	"testing"

	"nebula"
)

// What was refused is the same thing in another spelling, and what is something else is not.
func TestRefusedIsKnownInEverySpelling(t *testing.T) {
	run := func(line string) nebula.Proposal { return nebula.Proposal{Effect: nebula.Execute, Command: line} }
	gone := nebula.Proposal{Effect: nebula.Write, Targets: []nebula.Target{{Path: "x", Kind: "delete"}}}
	for _, line := range []string{
		"rm -rf x", "rm -r -f ./x", "rm -fr x", "rm -f -r x", "rm x", "rm -- x", "rm --recursive --force x", "rm -rf x/", "rm -rf ./x/.", "rm -rf a/../x", "rm   -rf    x",
		"'rm' -rf x", `"rm" -rf "x"`, `r\m -rf x`, `\rm x`, "/bin/rm -rf x", "/usr/bin/rm x", "command rm x", "env rm x", "nice rm x", "timeout 5 rm x", "time rm x", "nohup rm -rf x",
		"sudo rm x", "sh -c 'rm -rf x'", `bash -c "rm x"`, "bash -lc 'rm x'", "sh -c \"sh -c 'rm x'\"", "A=1 rm x", "F=x; rm $F", "F=x; rm \"${F}\"", "R=rm; $R x", "D=.; rm $D/x",
		"rm $PWD/x", "rm \"$PWD\"/x", "rm /project/x", "rm -rf /project/./x", "unlink x", "rmdir x", "git rm x", "git rm -rf x", "git rm --cached x", "find x -delete", "find ./x -delete",
		"cd . && rm x", "cd a && rm ../x", "true && rm x", "rm x || true", "rm x; echo done", "echo go && rm x", "(rm x)", "{ rm x; }", "if true; then rm x; fi", "for f in x; do rm $f; done", "rm x &", "! rm x",
		"rm x y", "rm y x", "ls && rm x", "rm -v x", "xargs rm x", "shred x", "rm x 2>/dev/null", "busybox rm x",
	} {
		if !Again("/project", run("rm -rf x"), run(line)) || !Again("/project", gone, run(line)) {
			t.Errorf("%s is not known: %q", line, did("/project", line))
		}
	}
	for _, line := range []string{"rm -rf y", "ls x", "cat x", "rm a/x", "cd a && rm x", "echo rm x", "rm ../x", "touch x", "git status", "rm /x"} {
		if Again("/project", run("rm -rf x"), run(line)) {
			t.Errorf("%s is taken for it: %q", line, did("/project", line))
		}
	}
	edit := func(after string) nebula.Proposal {
		return nebula.Proposal{Effect: nebula.Write, Targets: []nebula.Target{{Path: "a", Kind: "edit", After: after}}}
	}
	if !Again("", edit("1"), edit("1")) || Again("", edit("1"), edit("2")) {
		t.Error("an edit is known by what it makes of the file")
	}
	if Again("", run("git rm a"), run("git rm b")) || !Again("", run("git rm a"), run("rm a")) || Again("", run("git"), run("git rm a")) || Again("", run("git add a"), run("git rm a")) {
		t.Error("what git removes is known by its files")
	}
	if !Again("", run("make  all -j -k"), run("make -k -j all && true")) || Again("", run("make all"), run("make test")) {
		t.Error("a command is known by its program, options and files")
	}
}

// A command that was allowed for the session asks again when what it runs was changed by what nobody saw, be it named on the
// line or read by the program by itself; what only tests what is edited does not.
func TestChangedScriptAsksAgain(t *testing.T) {
	unseen := func(files ...string) map[string]int64 {
		at := map[string]int64{}
		for _, f := range files {
			at[f] = 7
		}
		return at
	}
	ask := func(line string, said int64, at map[string]int64) nebula.Verdict {
		p := nebula.Proposal{Effect: nebula.Execute, Command: line}
		return Judge(Rules{Mode: nebula.AgentMode, Approve: Ask, Approved: map[string]int64{p.Key(): said}, Unseen: at}, p)
	}
	for line, asks := range map[string]bool{
		"./build.sh": true, "sh build.sh": true, "bash -x ./build.sh": true, ". ./build.sh": true, "cd . && ./build.sh -v": true, "timeout 5 ./build.sh": true,
		"go test ./...": false, "pytest test_a.py": false, "cat build.sh": false, "npm test": false, "make": false, "./other.sh": false,
	} {
		if v := ask(line, 1, unseen("build.sh", "test_a.py", "a.go")); (v.Ruling == nebula.AskFirst) != asks {
			t.Errorf("%s: %+v", line, v)
		}
	}
	for line, file := range map[string]string{
		"make": "Makefile", "make test": "sub/rules.mk", "timeout 9 npm test": "package.json", "cd web && npx vitest run": "web/vite.config.ts", "pytest -q": "tests/conftest.py", "python -m build": "setup.py", "cargo test": "build.rs",
		"cmake --build .": "CMakeLists.txt", "./gradlew test": "app/build.gradle.kts", "mvn -q test": "pom.xml", "bundle exec rspec": "Rakefile", "just": "justfile", "bazel test //...": "pkg/BUILD.bazel", "dotnet test": "a.csproj",
	} {
		if v := ask(line, 6, unseen(file)); v.Ruling != nebula.AskFirst || v.Why != nebula.NewCode("script_changed", file) || !strings.Contains(Why(v, "en"), ": "+file) {
			t.Errorf("%s with another %s: %+v", line, file, v)
		}
		if v := ask(line, 8, unseen(file)); v.Ruling != nebula.Allow {
			t.Errorf("%s, allowed once more: %+v", line, v)
		}
		first := Judge(Rules{Mode: nebula.AgentMode, Approve: Ask, Unseen: unseen(file)}, nebula.Proposal{Effect: nebula.Execute, Command: line})
		if id, _ := first.Why.Split(); first.Ruling != nebula.AskFirst || id != "script_changed" {
			t.Errorf("%s, asked about for the first time: %+v", line, first)
		}
		if v := ask("go vet ./...", 6, unseen(file)); v.Ruling != nebula.Allow {
			t.Errorf("go vet does not read %s: %+v", file, v)
		}
	}
}

// An always for edits holds for whatever the file is to hold, and says so; what runs at the next build asks each time, for its
// content is a command.
func TestAlwaysForAnEditIsSaidAndEndsWhereItWouldRun(t *testing.T) {
	allowed := func(file, diff string) (nebula.Verdict, string) {
		p := write(nebula.Target{Path: file, Kind: "edit"}, diff)
		v := Judge(Rules{Mode: nebula.AgentMode, Approve: Ask, Approved: map[string]int64{p.Key(): 1}}, p)
		return v, strings.Join(SayAll(Points(p, v.Risks).Impact, "en"), "\n")
	}
	for _, file := range []string{"a.txt", "main.go", "README.md", "src/make.go", "packages.json", "lib/app.py", "test_conf.py"} {
		if v, said := allowed(file, "+x\n"); v.Ruling != nebula.Allow || v.Risk != Low || !strings.Contains(said, "always = every further w of "+file+" until nebula ends, whatever it writes") {
			t.Errorf("%s: %+v\n%s", file, v, said)
		}
	}
	for _, file := range []string{
		"Makefile", "sub/GNUmakefile", "rules.mk", "package.json", "web/package.json", "vite.config.ts", "conftest.py", "tests/conftest.py", "setup.py", "pyproject.toml", "build.rs", "crate/Cargo.toml", "CMakeLists.txt", "x.cmake",
		"build.gradle", "app/build.gradle.kts", "gradlew", "pom.xml", "Rakefile", "a.gemspec", "justfile", "BUILD.bazel", "a.csproj", "mix.exs", "Package.swift", "build.zig", ".github/workflows/ci.yml", "Dockerfile",
	} {
		v, said := allowed(file, "+x\n")
		if v.Ruling != nebula.AskFirst || v.Risk == Low || strings.Contains(said, "always") {
			t.Errorf("%s: %+v\n%s", file, v, said)
		}
	}
	for _, line := range []string{"//go:generate sh -c x", "#cgo LDFLAGS: -lx"} {
		if v, _ := allowed("a.go", "+"+line+"\n"); v.Why != AtBuild {
			t.Errorf("%s: %+v", line, v)
		}
		if v, _ := allowed("a.go", "-"+line+"\n "+line+"\n"); v.Ruling != nebula.Allow {
			t.Errorf("%s was there before: %+v", line, v)
		}
	}
	run := nebula.Proposal{Effect: nebula.Execute, Command: "go test ./..."}
	if said := strings.Join(SayAll(Points(run, nil).Impact, "en"), "\n"); !strings.Contains(said, "always = exactly this command, until nebula ends") {
		t.Error(said)
	}
}

// Nebula's own settings are changed by no command, whatever the policy; other tools' files and secrets ask under edits.
func TestWhatSteersIsNotChangedInPassing(t *testing.T) {
	own := []string{"/home/p/nebula-home"}
	for line, denied := range map[string]bool{
		"nebula config set approve all": true, "nebula --dir . config set model x": true, "echo x > ~/.nebula/config.json": true, "rm -rf $HOME/.nebula": true, "cp x $NEBULA_HOME/config.json": true,
		"sqlite3 /home/p/nebula-home/nebula.db x": true, "sed -i s/a/b/ ~/.nebula/config.json": true, "echo x | tee /home/p/nebula-home/config.json": true, "sh -c 'echo x > ~/.nebula/config.json'": true,
		"nebula config get model": false, "nebula version": false, "cat ~/.nebula/config.json": false, "ls .": false,
	} {
		v := Judge(Rules{Mode: nebula.AgentMode, Approve: All, Own: own}, nebula.Proposal{Effect: nebula.Execute, Command: line})
		if (v.Ruling == nebula.Deny) != denied {
			t.Errorf("%s: %+v", line, v)
		}
	}
	for _, file := range []string{
		".mcp.json", "AGENTS.md", "sub/AGENTS.md", "CLAUDE.md", "GEMINI.md", ".cursorrules", ".idea/workspace.xml", ".vscode/tasks.json", ".claude/settings.json", ".codex/config.toml", ".circleci/config.yml",
		".github/workflows/ci.yml", ".gitlab-ci.yml", ".devcontainer/devcontainer.json", ".pre-commit-config.yaml", ".husky/pre-commit", ".zshenv", ".bashrc", ".zshrc", ".profile", "x.service", "deploy/a.timer",
		"sitecustomize.py", "lib/x.pth", ".cargo/config.toml", ".npmrc", ".envrc", ".nebulaignore", ".gitignore", ".gitattributes", ".gitmodules", ".gitconfig", ".env", "a/.env.local", "server.pem", "id_ed25519", ".netrc", "credentials",
		"Dockerfile", "deploy.sh",
	} {
		for _, kind := range []string{"create", "edit"} {
			if v := Judge(Rules{Mode: nebula.AgentMode, Approve: Edits}, write(nebula.Target{Path: file, Kind: kind}, "")); v.Ruling != nebula.AskFirst || v.Risk == Low {
				t.Errorf("%s %s: %+v", kind, file, v)
			}
		}
	}
	for _, file := range []string{"main.go", "Makefile", "README.md", "src/agents.go", "package.json", "conf.py", ".env.example", "docs/claude.txt", "go.mod", "id_rsa.pub"} {
		if v := Judge(Rules{Mode: nebula.AgentMode, Approve: Edits}, write(nebula.Target{Path: file, Kind: "edit"}, "")); v.Ruling != nebula.Allow {
			t.Errorf("%s: %+v", file, v)
		}
	}
	if v := Judge(Rules{Mode: nebula.AgentMode, Approve: Edits}, write(nebula.Target{Path: "a.bin", Kind: "create", Size: 17 << 20}, "")); v.Ruling != nebula.AskFirst {
		t.Errorf("17 MB: %+v", v)
	}
	for file, asks := range map[string]bool{".env": true, "a/server.key": true, "id_rsa": true, ".aws/credentials": true, "main.go": false, ".env.example": false} {
		p := nebula.Proposal{Effect: nebula.Read, Targets: []nebula.Target{{Path: file, Kind: "read"}}}
		for _, approve := range []Approve{Ask, Edits} {
			if v := Judge(Rules{Mode: nebula.PlanMode, Approve: approve}, p); (v.Ruling == nebula.AskFirst) != asks {
				t.Errorf("reading %s: %+v", file, v)
			}
		}
		if v := Judge(Rules{Approve: None}, p); (v.Ruling == nebula.Deny) != asks {
			t.Errorf("reading %s with nobody there: %+v", file, v)
		}
	}
}
