package tool

import (
	"context"
	"encoding/json"
	"path"
	"regexp"
	"runtime"
	"slices"
	"strings"

	"nebula"
	"nebula/internal/lazy"
	"nebula/internal/lists"
	"nebula/internal/phrase"
	"nebula/internal/workspace"
)

// A runner is how a project's tests are run.
type runner struct {
	command string
	env     []string
}

// detect finds the runner of the folder, or of the one project in it.
func detect(ctx context.Context, d *workspace.Dir) (runner, error) {
	p := project{d: d, dir: "."}
	if r, ok := p.runner(ctx); ok {
		return r, nil
	}
	var found []string
	var only runner
	for e, err := range d.List(ctx, workspace.Walk{Recursive: true}) {
		if ctx.Err() != nil {
			return runner{}, ctx.Err()
		}
		if err != nil || !e.Dir || strings.Count(e.Path, "/") > 2 || slices.ContainsFunc(found, func(f string) bool {
			return strings.HasPrefix(e.Path, f+"/")
		}) || skipped(e.Path) {
			continue
		}
		if r, ok := (&project{d: d, dir: e.Path}).runner(ctx); ok {
			found, only = append(found, e.Path), r
		}
	}
	switch len(found) {
	case 0:
		return runner{}, mistake("No way to run tests was found.", "Give the command, such as make check.")
	case 1:
		only.command = "cd " + quoted(found[0]) + " && " + only.command
		return only, nil
	}
	return runner{}, nebula.Wrong("", "There are several projects: %s.", some(found, 12)).Then("Give a command, such as cd %s && …", quoted(found[0]))
}

// skipped are directories whose projects are not this one's.
func skipped(p string) bool {
	for part := range strings.SplitSeq(p, "/") {
		if lists.Has([]string{"node_modules", "vendor", "testdata", "third_party", "venv", "target", "examples", "fixtures"}, part) {
			return true
		}
	}
	return false
}

func quoted(s string) string {
	if regexp.MustCompile(`^[A-Za-z0-9_./-]+$`).MatchString(s) {
		return s
	}
	return phrase.Quote(s)
}

// A project is a directory that may say how it is tested.
type project struct {
	d   *workspace.Dir
	dir string
}

// runner finds the command. Where one language is used, it is that language's; where several are and the Makefile has
// a test target, that knows them all; without a Makefile the first of the list wins.
func (p *project) runner(ctx context.Context) (runner, bool) {
	var all []runner
	for _, find := range []func(context.Context) (runner, bool){p.golang, p.rust, p.node, p.java, p.python, p.others} {
		if r, ok := find(ctx); ok {
			all = append(all, r)
		}
	}
	if len(all) != 1 {
		if r, ok := p.makefile(); ok {
			return r, true
		}
	}
	if len(all) == 0 {
		return runner{}, false
	}
	return all[0], true
}

func (p *project) has(names ...string) string {
	for _, n := range names {
		if e, err := p.d.Stat(path.Join(p.dir, n)); err == nil && !e.Dir {
			return n
		}
	}
	return ""
}

func (p *project) text(name string) string {
	data, _, err := p.d.Read(path.Join(p.dir, name), 1<<20)
	if err != nil {
		return ""
	}
	return string(data)
}

var makeTest = &lazy.Pattern{X: `(?m)^(test|check|tests)\s*:(?:[^=]|$)`}

func (p *project) makefile() (runner, bool) {
	name := p.has("GNUmakefile", "makefile", "Makefile")
	if name == "" {
		return runner{}, false
	}
	m := makeTest.Re().FindAllStringSubmatch(p.text(name), -1)
	for _, target := range []string{"test", "tests", "check"} {
		for _, t := range m {
			if t[1] == target {
				return runner{command: "make " + target}, true
			}
		}
	}
	return runner{}, false
}

var workUse = &lazy.Pattern{X: `(?m)^\s*(?:use\s+)?(\.[^\s()]*)\s*$`}

func (p *project) golang(context.Context) (runner, bool) {
	if p.has("go.mod") != "" {
		return runner{command: "go test -json ./..."}, true
	}
	if p.has("go.work") == "" {
		return runner{}, false
	}
	command := "go test -json"
	for _, m := range workUse.Re().FindAllStringSubmatch(p.text("go.work"), -1) {
		command += " " + quoted("./"+path.Join(m[1], "...")) // path.Join drops the leading ./
	}
	return runner{command: command}, strings.Contains(command, "...")
}

func (p *project) rust(context.Context) (runner, bool) {
	if p.has("Cargo.toml") == "" {
		return runner{}, false
	}
	if strings.Contains(p.text("Cargo.toml"), "[workspace]") {
		return runner{command: "cargo test --workspace --no-fail-fast"}, true
	}
	return runner{command: "cargo test --no-fail-fast"}, true
}

// noScript is what npm init writes for a package without tests.
const noScript = "no test specified"

func (p *project) node(ctx context.Context) (runner, bool) {
	if p.has("package.json") == "" {
		return p.deno()
	}
	var pkg struct {
		Scripts         map[string]string
		PackageManager  string
		Dependencies    map[string]any
		DevDependencies map[string]any
	}
	if json.Unmarshal([]byte(p.text("package.json")), &pkg) != nil {
		return runner{}, false
	}
	env := []string{"CI=true"} // some runners wait for changes without it
	if script := pkg.Scripts["test"]; script != "" && !strings.Contains(script, noScript) {
		return runner{command: p.manager(pkg.PackageManager) + " test", env: env}, true
	}
	for _, known := range []struct{ dep, run string }{{"vitest", "vitest run"}, {"jest", "jest"}, {"mocha", "mocha"}, {"ava", "ava"}} {
		if pkg.Dependencies[known.dep] != nil || pkg.DevDependencies[known.dep] != nil {
			return runner{command: "npx --no-install " + known.run, env: env}, true
		}
	}
	if p.any(ctx, "*.{test,spec}.{js,mjs,cjs}") || p.any(ctx, "test/**/*.{js,mjs,cjs}") {
		if p.has("bun.lock", "bun.lockb") != "" {
			return runner{command: "bun test", env: env}, true
		}
		return runner{command: "node --test", env: env}, true
	}
	return runner{}, false
}

func (p *project) deno() (runner, bool) {
	if p.has("deno.json", "deno.jsonc") == "" {
		return runner{}, false
	}
	return runner{command: "deno test"}, true
}

// manager is the package manager that the project uses: as it says, or by its lock file.
func (p *project) manager(said string) string {
	name, _, _ := strings.Cut(said, "@")
	if lists.Has([]string{"npm", "pnpm", "yarn"}, name) {
		return name
	}
	switch {
	case name == "bun", p.has("bun.lock", "bun.lockb") != "":
		return "bun run"
	case p.has("pnpm-lock.yaml") != "":
		return "pnpm"
	case p.has("yarn.lock") != "":
		return "yarn"
	}
	return "npm"
}

func (p *project) java(context.Context) (runner, bool) {
	wrapper := func(unix, windows, plain string) string {
		switch {
		case runtime.GOOS == "windows" && p.has(windows) != "":
			return `.\` + windows
		case p.has(unix) == "" || runtime.GOOS == "windows":
			return plain
		}
		if e, err := p.d.Stat(path.Join(p.dir, unix)); err == nil && e.Mode&0o111 == 0 {
			return "sh ./" + unix
		}
		return "./" + unix
	}
	if p.has("pom.xml") != "" {
		return runner{command: wrapper("mvnw", "mvnw.cmd", "mvn") + " -B test"}, true
	}
	if p.has("build.gradle", "build.gradle.kts", "settings.gradle", "settings.gradle.kts") != "" {
		return runner{command: wrapper("gradlew", "gradlew.bat", "gradle") + " test --console=plain"}, true
	}
	return runner{}, false
}

func (p *project) python(ctx context.Context) (runner, bool) {
	marker := p.has("pyproject.toml", "setup.py", "setup.cfg", "tox.ini", "pytest.ini", "requirements.txt", "Pipfile", "manage.py", "conftest.py")
	pattern := "**/{test_*,*_test}.py"
	tests := p.any(ctx, pattern) || p.any(ctx, "{test_*,*_test}.py")
	if marker == "" && !tests || marker == "requirements.txt" && !tests {
		return runner{}, false
	}
	python := p.interpreter()
	switch {
	case p.has("manage.py") != "" && p.has("pytest.ini", "conftest.py") == "":
		return runner{command: python + " manage.py test"}, true
	case p.pytest(ctx):
		return runner{command: python + " -m pytest"}, true
	case !tests:
		return runner{}, false
	case p.anyText(ctx, pattern, "unittest"):
		return runner{command: python + " -m unittest discover -v" + p.discovered(ctx)}, true
	}
	return runner{command: python + " -m pytest"}, true
}

// discovered says to unittest where the tests are and what their files are called, where it would not find them itself: it
// looks for test*.py.
func (p *project) discovered(ctx context.Context) string {
	where, in := "", ""
	if p.any(ctx, "tests/**/{test_*,*_test}.py") && p.has("tests/__init__.py") == "" {
		where, in = " -s tests", "tests/"
	}
	ends := p.any(ctx, in+"**/*_test.py") || p.any(ctx, in+"*_test.py")
	begins := p.any(ctx, in+"**/test_*.py") || p.any(ctx, in+"test_*.py")
	switch {
	case ends && begins:
		return where + " -p '*test*.py'"
	case ends:
		return where + " -p '*_test.py'"
	}
	return where
}

// interpreter is the Python of the project's own environment, if it has one.
func (p *project) interpreter() string {
	switch {
	case p.has("uv.lock") != "":
		return "uv run python"
	case p.has("poetry.lock") != "":
		return "poetry run python"
	}
	for _, venv := range []string{".venv", "venv", "env"} {
		if runtime.GOOS == "windows" && p.has(venv+"/Scripts/python.exe") != "" {
			return venv + `\Scripts\python.exe`
		}
		if p.has(venv+"/pyvenv.cfg") != "" {
			return venv + "/bin/python"
		}
	}
	if runtime.GOOS == "windows" {
		return "python"
	}
	return "python3"
}

// pytest reports whether the project's files speak of pytest.
func (p *project) pytest(ctx context.Context) bool {
	if p.has("pytest.ini", "conftest.py", "tests/conftest.py", "test/conftest.py") != "" {
		return true
	}
	for _, name := range []string{"pyproject.toml", "setup.cfg", "tox.ini", "setup.py", "requirements.txt", "requirements-dev.txt", "dev-requirements.txt", "Pipfile"} {
		if strings.Contains(p.text(name), "pytest") {
			return true
		}
	}
	return p.anyText(ctx, "**/{test_*,*_test}.py", "import pytest")
}

func (p *project) others(context.Context) (runner, bool) {
	switch {
	case p.has("mix.exs") != "":
		return runner{command: "mix test"}, true
	case p.has("phpunit.xml", "phpunit.xml.dist") != "":
		return runner{command: "vendor/bin/phpunit"}, true
	case p.has(".rspec") != "":
		return runner{command: "bundle exec rspec"}, true
	case p.has("Package.swift") != "":
		return runner{command: "swift test"}, true
	case p.has("build/CTestTestfile.cmake") != "":
		return runner{command: "ctest --test-dir build --output-on-failure"}, true
	}
	return runner{}, false
}

// any reports whether some file matches.
func (p *project) any(ctx context.Context, pattern string) bool {
	for e, err := range p.d.List(ctx, workspace.Walk{Under: p.dir, Recursive: true, Pattern: pattern}) {
		if err == nil && !e.Dir && !skipped(e.Path) {
			return true
		}
	}
	return false
}

// anyText reports whether some file that matches holds a text.
func (p *project) anyText(ctx context.Context, pattern, text string) bool {
	found, _, err := p.d.Search(ctx, workspace.Query{Under: p.dir, Keyword: text, Glob: pattern, Limit: 1})
	return err == nil && len(found) > 0
}
