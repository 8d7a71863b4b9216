package state

import (
	"strings"
	"testing"

	"nebula"
)

// wrote is a command that ended well and changed files.
func wrote(command string, paths ...string) played {
	p := ran(command, 0, "")
	for _, path := range paths {
		p.result.Changes = append(p.result.Changes, nebula.Change{Path: strings.TrimSuffix(path, "?"), Kind: "edit", Ignored: strings.HasSuffix(path, "?")})
	}
	return p
}

// What a command said into a log, and data that it made, nothing reads that could be wrong by it; data that was there, and sources, do.
func TestALogIsNoUncheckedEdit(t *testing.T) {
	for path, unchecked := range map[string]bool{"run.log": false, "nohup.out": false, "logs/a.LOG": false, "new.csv": false, "new.png": false, "notes.md": false, "old.csv": true, "a.go": true, "new.json": true, "new.go": true} {
		p := wrote("./run.sh", path)
		if strings.HasPrefix(path, "new") {
			p.result.Changes[0].Kind = "create"
		}
		if e := (Evidence{}).Finished(p.action, p.result); (e.Missing("en") != "") != unchecked {
			t.Errorf("%s: %q", path, e.Missing("en"))
		}
	}
}

// What a command changed is unchecked as what an edit changed is, until something at its end, or behind it, could have shown that it is wrong.
func TestWhatACommandChangedIsUnchecked(t *testing.T) {
	for command, path := range map[string]string{
		"sed -i s/a/b/ a.go":                       "a.go",
		"printf 'package x\\n' > a.go":             "a.go",
		"cat > a.py <<'X'\nx = 1\nX":               "a.py",
		"python3 gen.py":                           "a.go",
		"python3 fix.py && python3 more.py":        "a.go",
		"./gen.sh":                                 "a.go",
		"go generate ./...":                        "a.go",
		"make gen":                                 "a.go",
		"npm run codegen":                          "a.ts",
		"go get example.com/x":                     "go.mod",
		"npm install left-pad":                     "package.json",
		"mv a.go b.go":                             "b.go",
		"rm a.go":                                  "a.go",
		"echo x | tee a.go":                        "a.go",
		"find . -name '*.go' -exec sed -i 1d {} +": "a.go",
		"ls *.go | xargs sed -i 1d":                "a.go",
		"git merge other":                          "a.go",
		"git stash pop":                            "a.go",
		"git apply fix.diff":                       "a.go",
		"go test ./... && sed -i 1d a.go":          "a.go",
		"sed -i 1d a.go && ls":                     "a.go",
		"sed -i 1d a.go; go vet ./... || true":     "a.go",
		"sed -i 1d pkg/a.go && go vet ./other":     "pkg/a.go",
		"eslint --fix .":                           "a.js",
		"patch -p1 < x.diff":                       "a.go",
	} {
		p := wrote(command, path)
		if e := (Evidence{}).Finished(p.action, p.result); e.Missing("en") != path+" was changed after the last check" {
			t.Errorf("%s: %q", command, e.Missing("en"))
		}
	}
	for command, paths := range map[string]string{
		"sed -i 1d a.go && go build ./...":                "a.go",
		"sed -i 1d a.go\ngo vet ./... 2>&1 | tail -3":     "a.go",
		"set -e\nsed -i 1d a.go\ngo vet ./...\necho fine": "a.go",
		"printf x > a.py && python3 test_a.py":            "a.py",
		"python3 gen.py && gofmt -w . && go build ./...":  "a.go",
		"gofmt -w .":                 "a.go b.go",
		"npx prettier --write src":   "src/a.js",
		"go fmt ./... && git add -A": "a.go .git/index",
		"ruff format":                "a.py",
		"git checkout other":         "a.go b.go .git/HEAD",
		"git commit -qam x":          ".git/index .git/refs/heads/main",
		"git pull --ff-only":         "a.go",
		"go build -o app .":          "app",
		"make":                       "app",
		"npm run build":              "bundle.js",
		"npm ci":                     "node_modules/x/index.js package-lock.json",
		"go mod download":            "go.sum",
		"./gen.sh":                   "gen.go? notes.md",
		"python3 app.py":             "__pycache__/a.pyc? out/x.json",
		"sed -i 1d README.md":        "README.md",
		"npx jest -u":                "__snapshots__/a.snap",
		"sed -i 1d a.go && cd . && go test ./... | tail -20": "a.go",
	} {
		p := wrote(command, strings.Fields(paths)...)
		if e := (Evidence{}).Finished(p.action, p.result); e.Missing("en") != "" {
			t.Errorf("%s: %q", command, e.Missing("en"))
		}
	}
	counted := wrote("python3 gen.py && go test ./...", "a.go")
	counted.result.Text, counted.result.Tests = "ok", &nebula.TestReport{Passed: 3, OK: true}
	e := Evidence{}.Finished(counted.action, counted.result)
	if e.Missing("en") != "" || len(e.Untested) > 0 {
		t.Errorf("tests that were counted behind the change: %q", e.Missing("en"))
	}
	after := wrote("sed -i 1d a.go", "a.go")
	if e = e.Finished(after.action, after.result); e.Missing("en") == "" {
		t.Error("a change behind tests that passed is taken for checked")
	}
	later := ran("go test ./...", 0, "ok")
	if e = e.Finished(later.action, later.result); e.Missing("en") != "" {
		t.Error(e.Missing("en"))
	}
	failed := wrote("sed -i 1d a.go && go vet ./...", "a.go")
	one := 1
	if failed.result.Exit = &one; (Evidence{}).Finished(failed.action, failed.result).Missing("en") == "" {
		t.Error("what a command that failed has changed is taken for checked")
	}
}

// Each file is checked by what could see it: the tests of one package leave the other's changes open.
func TestEachFileIsCheckedByWhatCouldSeeIt(t *testing.T) {
	e := Evidence{}.Finished(nebula.Action{}, nebula.Result{Changes: []nebula.Change{{Path: "a/a.go", Kind: "edit"}, {Path: "b/b.go", Kind: "edit"}, {Path: "x.py", Kind: "edit"}}})
	for _, step := range []struct{ command, missing string }{
		{"go test ./a", "x.py"}, {"python3 test_x.py", "b/b.go"}, {"go test ./a/... ./b", ""},
	} {
		p := ran(step.command, 0, "ok")
		p.result.Tests = &nebula.TestReport{Passed: 2, OK: true}
		if e = e.Finished(p.action, p.result); !strings.HasPrefix(e.Missing("en"), step.missing) || step.missing == "" && e.Missing("en") != "" {
			t.Errorf("behind %s: %q", step.command, e.Missing("en"))
		}
	}
}

// Who says that tests pass has had some counted since the last change; who says less need not.
func TestOnlyTestsThatWereCountedPass(t *testing.T) {
	edited := Evidence{}.Finished(nebula.Action{}, nebula.Result{Changes: []nebula.Change{{Path: "a.go", Kind: "edit"}}})
	after := func(command string) Evidence {
		p := ran(command, 0, "")
		return edited.Finished(p.action, p.result)
	}
	built, checked := after("go build ./..."), after("./run_tests.sh")
	counted := tested(0, "ok")
	counted.result.Tests.Passed, counted.result.Tests.Failed = 3, 0
	for _, say := range []string{"Fixed, and all tests pass.", "All 3 tests passed.", "I changed it. The test suite is green now!", "It passes all the tests with no failures.", "Everything is green.", "Tests: all passing.",
		"修正しました。テストもすべて通りました。", "テストは成功しています。"} {
		if built.Against(say, "en") == "" || built.Against(say, "ja") == built.Against(say, "en") {
			t.Errorf("%s: nothing stands against it", say)
		}
		if why := checked.Against(say, "en") + built.Finished(counted.action, counted.result).Against(say, "en"); why != "" {
			t.Errorf("%s: %s", say, why)
		}
	}
	for _, say := range []string{"Fixed; it builds.", "The tests were not run.", "All tests should pass now.", "Run the tests to see that they pass.", "I could not confirm that all tests pass.", "Do all tests pass for you?",
		"If the tests pass, merge it.", "The build passes.", "The function passes its argument on.", "テストが通るはずです。", "テストは実行していません。", "ビルドは通りました。", "I added a test so that it passes a nil."} {
		if why := built.Against(say, "en"); why != "" {
			t.Errorf("%s: %s", say, why)
		}
	}
}
