package state

import (
	"path"
	"slices"
	"strings"
	"sync"

	"nebula/internal/lazy"
	"nebula/internal/lists"
)

// A checker reports whether a program, with its arguments and what it reads, shows something where it ends well.
type checker func(p proof, args []string, stdin string) bool

// A checked is a row: programs, and what they show.
type checked struct {
	names string
	check checker
}

// checkedPrograms are the programs of which more is known than their name. Any other that is not known to only show shows something.
func checkedPrograms() []checked {
	return []checked{
		{"awk gawk mawk sed cksum od xxd hexdump strings nl sort uniq tr cut paste column yes seq basename dirname realpath readlink touch mkdir rmdir cp mv rm ln chmod chown tar zip unzip " +
			"ps kill pkill pgrep id uname hostname nproc df du free uptime history type hash ulimit umask wait read pip pipx brew apt apt-get curl wget nvm rustup md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum " +
			"printenv bat batcat cloc tokei scc gh glab hub tput logger tmux screen open xdg-open code vim vi nvim nano emacs sqlite3 psql mysql redis-cli ssh scp rsync crontab systemctl journalctl yq", never},
		{"diff cmp comm", compares},
		{"python pypy", interprets("python", "-c", pythonModules)},
		{"node nodejs deno bun", interprets("node", "-e", nil)},
		{"ruby", interprets("ruby", "-e", nil)},
		{"php", interprets("php", "-r", nil)},
		{"perl", interprets("perl", "-e", nil)},
		{"sh bash zsh dash ksh", shell},
		{"git", among("", "bisect")},
		{"go", unless("-list -c", packages(running("test run tool", among("go", "build vet test run install generate tool"))))},
		{"cargo", member("-p --package", running("test run nextest bench miri", among("rust", "build check test run clippy nextest bench miri")))},
		{"npm yarn pnpm", member("-w --workspace --filter", running("test t start exec tst ci-test", among("node", "test run t start build lint exec tst ci-test")))},
		{"uv poetry pipenv hatch pdm rye", among("", "run")},
		{"make gmake just", unless("-n", targets)},
		{"black isort autopep8 yapf", still(with("--check --diff -c", tests("python")))},
		{"prettier", still(with("--check -c -l --list-different", suited("")))},
		{"gofmt goimports gofumpt golangci-lint staticcheck", still(unless("-w", tests("go")))},
		{"docker podman", among("", "run exec build compose buildx")},
		{"jq", suited(".json")},
		{"yamllint", suited(".yml .yaml")},
		{"shellcheck shfmt", still(suited(".sh .bash"))},
		{"gcc cc g++ c++ clang clang++", still(suited(".c .h .cc .cpp .cxx .hpp"))},
		{"javac", still(suited(".java"))},
		{"pytest py.test nosetests tox", tests("python")},
		{"mypy flake8 pylint pyright pyflakes", still(tests("python"))},
		{"ruff", still(formats)},
		{"jest mocha vitest ava tap tsx ts-node", tests("node")},
		{"tsc eslint biome", still(tests("node"))},
	}
}

// checkerOf is the row of a program.
func checkerOf(name string) checker {
	for _, row := range checkedPrograms() {
		if lists.Has(strings.Fields(row.names), name) {
			return row.check
		}
	}
	return nil
}

// still is a program that runs nothing of what it looks at.
//
//go:noinline
func still(check checker) checker {
	return func(p proof, args []string, stdin string) bool { return !p.runs && check(p, args, stdin) }
}

// running is a program of which only some commands run what they look at. What a script of the project's own is called tells what it does.
func running(commands string, check checker) checker {
	return func(p proof, args []string, stdin string) bool {
		named := lists.Drop(lists.Clone(args), func(a string) bool { return strings.HasPrefix(a, "-") })
		if p.runs && (len(named) == 0 || !lists.Has(strings.Fields(commands), named[0])) {
			if len(named) < 2 || named[0] != "run" || stillScript.In(named[1]) {
				return false
			}
		}
		return check(p, args, stdin)
	}
}

// stillScript are names of scripts and targets that build, and look over, and run nothing.
var stillScript = &lazy.Pattern{X: `^(?:all|build|compile|lint|vet|fmt|format|style|typecheck|type-check|tsc|types|check[-:](?:types|format|lint|style))(?:[:-].*)?$`}

func never(proof, []string, string) bool { return false }

// compares is a comparison: of a thing with itself it shows nothing.
func compares(_ proof, args []string, _ string) bool {
	var of []string
	for _, a := range args {
		if !strings.HasPrefix(a, "-") || a == "-" {
			of = append(of, path.Clean(a))
		}
	}
	return len(of) > 1 && of[0] != of[1] && !lists.Has(of, "/dev/null")
}

// among is a program of which only some commands run something, of files of a language.
func among(language, commands string) checker {
	return func(p proof, args []string, stdin string) bool {
		for i, a := range args {
			if strings.HasPrefix(a, "-") {
				continue
			}
			switch {
			case !lists.Has(strings.Fields(commands), a):
				return false
			case commands == "run":
				return p.command(unwrapped(args[i+1:], 0), stdin)
			}
			return p.reads(language)
		}
		return false
	}
}

// unless is a program that one of some options keeps from showing anything.
func unless(options string, check checker) checker {
	return func(p proof, args []string, stdin string) bool {
		return !hasOption(args, options) && check(p, args, stdin)
	}
}

// with is a program that shows something with one of some options alone.
func with(options string, check checker) checker {
	return func(p proof, args []string, stdin string) bool {
		return hasOption(args, options) && check(p, args, stdin)
	}
}

// hasOption reports whether one of some options is among a program's words.
//
//go:noinline
func hasOption(args []string, options string) bool {
	return slices.ContainsFunc(args, func(a string) bool { return lists.Has(strings.Fields(options), a) })
}

// suited is a program for files with some endings alone.
//
//go:noinline
func suited(endings string) checker {
	return func(p proof, _ []string, _ string) bool {
		return endings == "" || len(p.changed) == 0 || slices.ContainsFunc(p.changed, func(f string) bool {
			return lists.Has(strings.Fields(endings), strings.ToLower(path.Ext(f)))
		})
	}
}

// formats is a program that checks, or writes files anew.
func formats(p proof, args []string, _ string) bool {
	return p.reads("python") && (!lists.Has(args, "format") || lists.Has(args, "--check") || lists.Has(args, "--diff"))
}

// targets is a program that makes what is named; some names are of what makes nothing.
func targets(p proof, args []string, _ string) bool {
	words := lists.Drop(lists.Clone(args), func(a string) bool { return strings.HasPrefix(a, "-") || strings.Contains(a, "=") })
	return len(words) == 0 || slices.ContainsFunc(words, func(w string) bool {
		return !lists.Has(strings.Fields("clean distclean help list deps install fmt format version"), w) && !(p.runs && stillScript.In(w))
	})
}

// packages looks at which packages are tested or vetted: a file is seen in its own, or where all below a folder of its are.
func packages(check checker) checker {
	return func(p proof, args []string, stdin string) bool {
		if len(args) > 1 && args[0] == "-C" {
			p.dir, args = path.Join(p.dir, args[1]), args[2:]
		}
		if len(args) > 1 && lists.Has([]string{"test", "build", "vet"}, args[0]) && hasOption(args[1:], "-n") { // it only prints what it would run
			return false
		}
		if len(args) > 0 && (args[0] == "vet" || args[0] == "test") && len(p.changed) > 0 && p.reads("go") && strings.HasSuffix(p.changed[0], ".go") {
			named := operands(args[1:], goValues)
			if len(named) == 0 {
				named = []string{"."}
			}
			if !slices.ContainsFunc(named, p.within) {
				return false
			}
		}
		return check(p, args, stdin)
	}
}

// goValues are the options of go test and go vet that the next word belongs to.
var goValues = strings.Fields("-run -bench -skip -fuzz -count -timeout -tags -cpu -parallel -p -o -coverprofile -covermode -coverpkg -exec -mod -modfile -overlay -ldflags -gcflags -asmflags -cpuprofile -memprofile -benchtime -fuzztime -shuffle -vet")

// operands are words without options and what belongs to them, up to what is handed on.
func operands(args, valued []string) (named []string) {
	for i := 0; i < len(args) && args[i] != "-args"; i++ {
		switch {
		case lists.Has(valued, strings.Replace(args[i], "--", "-", 1)):
			i++
		case !strings.HasPrefix(args[i], "-"):
			named = append(named, args[i])
		}
	}
	return named
}

// within reports whether a package, or a file, as Go's programs take it, is or holds one of the files that are to be shown right. Where the
// line runs elsewhere, and where a package is named by its path in the world, the end of the path tells.
func (p proof) within(pkg string) bool {
	dir, all := strings.CutSuffix(pkg, "...")
	local := dir == "" || dir == "." || strings.HasPrefix(dir, "./") || strings.HasPrefix(dir, "../") || strings.HasSuffix(dir, ".go")
	if dir = path.Clean(dir); local {
		dir = path.Join(p.dir, dir)
	}
	return slices.ContainsFunc(p.changed, func(f string) bool {
		at := path.Dir(path.Clean(f))
		switch {
		case !local, strings.HasPrefix(dir, ".."):
			return all || at == "." || strings.HasSuffix(dir, "/"+at)
		}
		return f == dir || at == dir || all && (dir == "." || strings.HasPrefix(at+"/", dir+"/"))
	})
}

// member looks at which parts of a project are named by some options: a file is seen where a folder above it is called so.
func member(options string, check checker) checker {
	return func(p proof, args []string, stdin string) bool {
		var parts, rest []string
		for i := 0; i < len(args); i++ {
			name, value, joined := strings.Cut(args[i], "=")
			switch {
			case !lists.Has(strings.Fields(options), name):
				rest = append(rest, args[i])
				continue
			case !joined && i+1 < len(args):
				i++
				value = args[i]
			}
			parts = append(parts, path.Base(value))
		}
		seen := len(parts) == 0 || len(p.changed) == 0 || slices.ContainsFunc(p.changed, func(f string) bool {
			folders := strings.Split(path.Dir(f), "/")
			return !strings.Contains(f, "/") || slices.ContainsFunc(parts, func(of string) bool { return lists.Has(folders, of) })
		})
		return seen && check(p, rest, stdin)
	}
}

// tests is a program that runs or reads files of a language.
func tests(language string) checker {
	return func(p proof, _ []string, _ string) bool { return p.reads(language) }
}

func shell(p proof, args []string, stdin string) bool {
	for i, a := range args {
		switch {
		case strings.HasPrefix(a, "-") && strings.HasSuffix(a, "c") && i+1 < len(args):
			return p.proves(args[i+1])
		case !strings.HasPrefix(a, "-"):
			return a != "/dev/null"
		}
	}
	return stdin != "" && p.proves(stdin)
}

// sources are the languages of files: a program of one language hardly reads those of another.
var sources = map[string]string{".py": "python", ".pyi": "python", ".js": "node", ".mjs": "node", ".cjs": "node", ".jsx": "node", ".ts": "node", ".tsx": "node",
	".go": "go", ".rs": "rust", ".rb": "ruby", ".php": "php", ".pl": "perl", ".java": "java", ".c": "c", ".cpp": "c", ".swift": "swift"}

// reads reports whether a program of a language could read one of the files that are to be shown right.
//
//go:noinline
func (p proof) reads(language string) bool {
	return len(p.changed) == 0 || language == "" || slices.ContainsFunc(p.changed, func(f string) bool {
		of := sources[strings.ToLower(path.Ext(f))]
		return of == "" || of == language
	})
}

// interprets is a program that runs code: from an option, from what it reads, from a file, or a module of its own.
//
//go:noinline
func interprets(language, option string, modules map[string]bool) checker {
	return func(p proof, args []string, stdin string) bool {
		if p.runs && hasOption(args, "--check -l --lint") {
			return false
		}
		for i := 0; i < len(args); i++ {
			a := args[i]
			switch {
			case (a == option || option != "-c" && (a == "-p" || a == "-pe" || a == "--eval")) && i+1 < len(args):
				return p.reads(language) && p.brings(args[i+1])
			case a == "-m" && modules != nil && i+1 < len(args):
				if shown, known := modules[args[i+1]]; p.runs && shown && known && !lists.Has([]string{"unittest", "pytest", "doctest"}, args[i+1]) {
					return false
				}
				shown, known := modules[args[i+1]]
				if args[i+1] == "json.tool" {
					return suited(".json")(p, nil, "")
				}
				if args[i+1] == "doctest" {
					return p.reads(language) && passedDocs.In(p.text)
				}
				return p.reads(language) && (shown || !known)
			case a == "-":
				return p.reads(language) && p.brings(stdin)
			case a == "-W" || a == "-X" || a == "-r" && language == "node":
				i++
			case !strings.HasPrefix(a, "-"):
				if lists.Has([]string{"run", "test", "x"}, a) && language == "node" {
					return p.reads(language)
				}
				_, code := sources[strings.ToLower(path.Ext(a))]
				return p.reads(language) && a != "/dev/null" && (code || path.Ext(a) == "")
			}
		}
		return stdin != "" && p.reads(language) && p.brings(stdin)
	}
}

// pythonModules are modules that are run for themselves, and whether they show something; any other is the project's own.
var pythonModules = map[string]bool{"unittest": true, "pytest": true, "py_compile": true, "compileall": true, "mypy": true, "flake8": true, "pylint": true, "ruff": true, "json.tool": true,
	"doctest": true, "pip": false, "venv": false, "http.server": false, "ensurepip": false, "this": false, "site": false, "platform": false, "timeit": false, "calendar": false, "zipfile": false, "tarfile": false}

var (
	ofTests    = &lazy.Pattern{X: `(?:^|[./])(?:test_\w+|\w+_test|tests?|\w+\.(?:test|spec))(?:\.\w+)?$`}
	passedDocs = &lazy.Pattern{X: `(?m)\b[1-9]\d* (?:passed|tests?\b)`}
	// what brings other code in, or reads a file as code or data
	bringing  = &lazy.Pattern{X: `(?m)(?:^|[;:\n]|\btry:)\s*(?:from\s+([\w.]+)\s+import|import\s+([\w., ]+))|\b(?:require|import|load)\w*\s*\(?\s*['"]([^'"]+)['"]|` + `\b(ast\.parse|compile\(|exec\(|execfile|runpy|importlib|__import__|json\.load|yaml\.|tomllib|subprocess|JSON\.parse\(|readFileSync)`}
	swallowed = &lazy.Pattern{X: `except[^\n:]*:\s*(?:pass|\.\.\.)|catch\s*(?:\([^)]*\))?\s*\{\s*\}|\brescue\s*(?:nil|;|$)`}
)

// ownModules are those that every interpreter brings along: nothing of a project is run by them.
var ownModules = sync.OnceValue(func() map[string]bool {
	set := map[string]bool{}
	for w := range strings.FieldsSeq("sys os time math re json random string itertools functools collections datetime pathlib typing platform io abc copy decimal statistics textwrap fs path util assert events url child_process node:fs node:path node:assert node:os node:util set date bigdecimal") {
		set[w] = true
	}
	return set
})

// brings reports whether code runs something beside itself, and would fail where that does.
func (p proof) brings(code string) bool {
	if swallowed.In(code) {
		return false
	}
	for _, m := range bringing.For(code).FindAllStringSubmatch(code, -1) {
		if m[4] != "" {
			return true
		}
		for name := range strings.SplitSeq(m[1]+m[2]+m[3], ",") {
			fields := strings.Fields(name)
			if len(fields) > 0 && ofTests.In(fields[0]) && !strings.Contains(code, "(") {
				continue // whose tests nothing runs
			}
			if len(fields) > 0 && !ownModules()[strings.Split(fields[0], ".")[0]] && !ownModules()[fields[0]] {
				return true
			}
		}
	}
	return false
}
