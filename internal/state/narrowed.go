package state

import (
	"path"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"nebula/internal/lazy"
	"nebula/internal/lists"
)

// A narrowing is a row: test runners, the word that makes them one, the options that pick some of the tests, and what else picks some.
type narrowing struct {
	programs, verb, options string
	named                   string // words that are no options: "file" for files and single tests, "any" for what is no folder of tests, "package" as go takes them
}

// narrowings are the rows, by programs. An option stands with its value joined or behind it.
var narrowings = []narrowing{
	{"make gmake just task rake", "test tests check", "", ""},
	{"tox nox", "", "", ""},
	{"go", "test", "-run -skip -short", "package"},
	{"gotestsum", "", "-run -skip -short", ""},
	{"pytest py.test", "", "-k -m --lf --last-failed --deselect --ignore --ignore-glob", "file"},
	{"unittest", "", "-k", "any"},
	{"jest vitest", "", "-t --testNamePattern --testPathPattern --testPathPatterns -o --onlyChanged --changed --findRelatedTests --related --project --shard", "any"},
	{"mocha ava tap", "", "-g --grep -f --fgrep -m --match", "file"},
	{"npm pnpm yarn bun", "test t run", "-t -g --grep --testNamePattern --test-name-pattern --testPathPattern -k", "file"},
	{"node", "--test", "--test-name-pattern --test-skip-pattern --test-only", "file"},
	{"deno", "test", "--filter", "file"},
	{"cargo", "test nextest t", "--test --lib --bin --bins --doc --example -p --package -E", "any"},
	{"rspec", "", "-e --example -t --tag", "file"},
	{"phpunit", "", "--filter --group --testsuite", "file"},
	{"dotnet", "test", "--filter", ""},
	{"mvn mvnw", "test verify", "-Dtest -Dit.test -pl --projects", ""},
	{"gradle gradlew", "test check", "--tests", ""},
	{"ctest", "", "-R -L -E -I -LE --tests-regex --label-regex", ""},
	{"swift", "test", "--filter --skip", ""},
	{"mix", "test", "--only", "file"},
}

// Narrowed are the words by which a line runs some of the tests and not all of them; empty where it runs them all, or none.
//
//go:noinline
func Narrowed(line string) (words string) {
	words, whole := picked(line)
	if whole {
		return ""
	}
	return words
}

// RunsTests reports whether a line runs tests with a program that is known to.
//
//go:noinline
func RunsTests(line string) bool {
	words, whole := picked(line)
	return whole || words != ""
}

// OfTests reports whether a program is called as what runs tests is.
//
//go:noinline
func OfTests(program string) bool { return testProgram.In(program) }

var testProgram = &lazy.Pattern{X: `(?i)^(?:run[-_]?)?(?:all[-_]?)?tests?(?:[-_]\w+)?(?:\.\w+)?$|^\S+[._-]test\.\w+$`}

// picked are the words by which a line runs some of the tests, and whether something in it runs them all.
func picked(line string) (words string, whole bool) {
	script, err := syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(line), "")
	if err != nil {
		return "", false
	}
	syntax.Walk(script, func(n syntax.Node) bool {
		if c, ok := n.(*syntax.CallExpr); ok {
			var list []string
			for _, w := range c.Args {
				list = append(list, literal(w))
			}
			if by, tests := narrowedBy(list); tests && by == "" {
				whole = true
			} else if words == "" {
				words = by
			}
		}
		return true
	})
	return words, whole
}

// narrowedBy is what narrows one program's tests, and whether it runs tests at all.
func narrowedBy(words []string) (by string, tests bool) {
	for len(words) > 0 && (assigns(words[0]) || len(words) > 1 && lists.Has([]string{"exec", "dlx", "--"}, words[0])) {
		words = words[1:]
	}
	if len(words) == 0 {
		return "", false
	}
	name, args := strings.TrimSuffix(path.Base(words[0]), ".exe"), words[1:]
	if own, ok := wrappers[name]; ok {
		return narrowedBy(unwrapped(args, own))
	}
	switch {
	case strings.HasPrefix(name, "python") && len(args) > 1 && args[0] == "-m":
		name, args = args[1], args[2:]
	case strings.HasPrefix(name, "python") && len(args) > 0 && (strings.HasPrefix(path.Base(args[0]), "test_") || strings.HasSuffix(args[0], "_test.py")) && testFile(args[0]):
		return args[0], true
	case lists.Has([]string{"uv", "poetry", "pipenv", "hatch", "pdm", "bundle"}, name) && len(args) > 1 && (args[0] == "run" || args[0] == "exec"):
		return narrowedBy(args[1:])
	case name == "sh" || name == "bash":
		if i := slices.Index(args, "-c"); i >= 0 && i+1 < len(args) {
			by = Narrowed(args[i+1])
			return by, by != "" || ofTesting.In(args[i+1])
		}
	}
	for _, row := range narrowings {
		if lists.Has(strings.Fields(row.programs), name) {
			return row.of(args)
		}
	}
	return "", false
}

// of is what narrows the tests that a row's program runs with some arguments, and whether it runs tests at all.
func (n narrowing) of(args []string) (by string, tests bool) {
	if n.verb != "" {
		i := slices.IndexFunc(args, func(a string) bool { return lists.Has(strings.Fields(n.verb), a) })
		if i < 0 {
			return "", false
		}
		if args[i] == "run" && n.verb == "test t run" && (i+1 >= len(args) || !strings.Contains(args[i+1], "test")) {
			return "", false
		} else if args[i] == "run" && i+1 < len(args) {
			i++
		}
		args = args[i+1:]
	}
	valued := append(strings.Fields("-n -c -p -o --maxfail --timeout --tb --reporter --config -W --cov --cov-report -j --jobs --test-threads --features --target --manifest-path"), goValues...)
	for i := 0; i < len(args); i++ {
		a := args[i]
		option, value, _ := strings.Cut(a, "=")
		if option = strings.Replace(option, "--run", "-run", 1); lists.Has(strings.Fields(n.options), option) {
			if value == "" && !lists.Has(alone, option) && i+1 < len(args) && !strings.HasPrefix(args[i+1], "-") {
				value = args[i+1]
			}
			if value = strings.Trim(value, "^$"); value == "." || value == ".*" || value == "Test" || option == "-skip" && value == "" {
				i++
				continue
			}
			return strings.TrimSpace(option + " " + value), true
		}
		switch {
		case lists.Has(valued, a):
			i++
		case strings.HasPrefix(a, "-"):
		case n.picks(a):
			return a, true
		}
	}
	return "", true
}

// alone are options of these that take no value.
var alone = strings.Fields("-short --lf --last-failed -o --onlyChanged --changed --test-only --lib --bins --doc")

// picks reports whether a word that is no option picks some tests.
func (n narrowing) picks(word string) bool {
	switch n.named {
	case "file":
		return strings.Contains(word, "::") || oneFile.In(word) && !strings.Contains(word, "*")
	case "any":
		return !lists.Has(strings.Fields("run watch discover test tests src spec __tests__ . ./ ./tests ./test ./src"), strings.TrimSuffix(word, "/")) && !strings.Contains(word, "*")
	case "package":
		return !strings.Contains(word, "...") && word != "." && word != "all"
	}
	return false
}

var (
	oneFile = &lazy.Pattern{X: `\.\w{1,4}(?::\d+)?$`}
	// the words of an answer for all tests, near theirs, and for those of some kind
	allOf  = &lazy.Pattern{X: `(?i)\b(?:all|every|each|entire|whole|full|everything)\b[^,;:]{0,25}\b(?:tests?|suite|specs?|pass\w*|green)\b|\btests?\b[^,;:]{0,12}\b(?:all|every)\b|\b(?:the|this|your|our) (?:test )?suite\b|\beverything\b|(?:すべて|全て|全部|全件|全テスト|全体|スイート)`}
	someOf = &lazy.Pattern{X: `(?i)\b(?:all|every|each) (?:of )?(?:the |my |these |those )?(?:new|affected|relevant|related|selected|filtered|targeted|matching|these|those|other|existing)\b|\btests? (?:of|for|in|matching|named|that)\b|関連する|対象の|新しい`}
)

// Overstates reports whether an answer says that all tests pass where some were picked.
//
//go:noinline
func (e Evidence) Overstates(say string) bool { return e.overstated(say) != "" }

// overstated is what alone ran of the tests where an answer says that all of them pass; empty where it does not, or they ran.
func (e Evidence) overstated(say string) string {
	if e.Part == "" {
		return ""
	}
	for line := range strings.FieldsFuncSeq(say, func(r rune) bool { return strings.ContainsRune("\n!。", r) }) {
		for one := range strings.SplitSeq(line, ". ") {
			if allOf.In(one) && !someOf.In(one) && !strings.Contains(one, e.Part) && TellsOfTests(one) {
				return e.Part
			}
		}
	}
	return ""
}
