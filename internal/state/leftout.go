package state

import (
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"nebula"
	"nebula/internal/lazy"
	"nebula/internal/lists"
)

// Tests that are left out, and tests that were never counted: what an answer that tells of tests that pass may not be silent about.

var (
	// skipping is a line that has a test not run, or only some of them, as test frameworks write it.
	skipping = &lazy.Pattern{X: `\bt\.Skip(?:f|Now)?\(|@(?:pytest\.mark|unittest)\.(?:skip|xfail|expectedFailure)|\bpytest\.(?:skip|xfail)\(|\bself\.skipTest\(|\b(?:it|test|describe|context|suite)\.(?:skip|todo|fixme|only)\b|\b[xf](?:it|test|describe|context|specify)\(|#\[ignore\b|@(?:Disabled|Ignore)\b|\[(?:Ignore|(?:Fact|Theory)\(Skip)`}
	// unbuilt is a line that has a file of tests built for nobody who does not ask for it: a tag that is no system, machine, compiler or version.
	unbuilt   = &lazy.Pattern{X: `^//go:build (\w+)$`}
	buildTags = &lazy.Pattern{X: `^(?:aix|android|darwin|dragonfly|freebsd|illumos|ios|js|linux|netbsd|openbsd|plan9|solaris|wasip1|windows|unix|386|amd64|arm|arm64|loong64|mips\w*|ppc64\w*|riscv64|s390x|wasm|cgo|gc|gccgo|race|go1.*)$`}
	// uncollected is a line that leaves files out of all runs, where a runner is told what to run: files by their names.
	uncollected = &lazy.Pattern{X: `^\s*collect_ignore(?:_glob)?\b|\b(?:addopts|pytest)\b.*--(?:ignore|ignore-glob|deselect)\b|\btestPathIgnorePatterns\b`}
	collecting  = []string{"conftest.py", "pytest.ini", "tox.ini", "setup.cfg", "pyproject.toml", "package.json", "jest.config.*", "vitest.config.*"}
	// testNamed is a line that begins a test, with its name.
	testNamed = &lazy.Pattern{X: `\bfunc (?:\([^)]*\) )?(Test\w+)\(|\bdef (test_?\w*)\(|\b(?:it|test|specify)\(\s*["'\x60]([^"'\x60]+)|\bfn (test_\w+|\w+_test)\(`}
	// leavesOut are words of a request that asks for that, or of an answer that tells of it.
	leavesOut = &lazy.Pattern{X: `(?i)\bskip|\bdisabl|\bdelet|\bremov|\bexclud|\bignor|\bomit|\bleft out|\bleave out|\bdrop|\bxfail|\brenam|\bmov(?:e|ed|ing)\b|\bmerg|\bquarantin|\bcomment(?:ed)? out|\bbuild (?:tag|constraint)|スキップ|削除|除外|無効|消|外し|省|移`}
)

// weakened is the evidence after changes of which a diff tells, and what the person asked for: which files have fewer tests that run, or went with theirs.
func (e Evidence) weakened(diff, asks string, changes []nebula.Change, made func(string) bool) Evidence {
	taken := leavesOut.In(asks) // what is taken away takes its tests along
	for _, c := range changes {
		moved := slices.ContainsFunc(changes, func(o nebula.Change) bool { return o.Kind == "create" && o.After == c.Before })
		switch {
		case c.Kind == "delete" && !taken && !moved && testFile(c.Path) && !made(c.Path):
			e.Left = latest(e.Left, c.Path)
		case c.Kind == "create":
			e.Left = lists.Drop(lists.Clone(e.Left), func(p string) bool { return p == c.Path })
		}
	}
	for _, p := range edits(diff) {
		code := anyCalled(codeFiles, p.path)
		if !slices.ContainsFunc(changes, func(c nebula.Change) bool { return c.Path == p.path }) || !code && !anyCalled(collecting, p.path) {
			continue
		}
		fewer := 0
		if !tellsOfLeaving(asks, p.path) {
			fewer = leaving(p.path, p.come) - leaving(p.path, p.gone)
		}
		if code && !taken && !made(p.path) && testFile(p.path) {
			e.Tested = e.altered(p)
		}
		if !taken && !made(p.path) {
			fewer += max(0, matching(testNamed.Re(), p.gone)-matching(testNamed.Re(), p.come))
		}
		if fewer > 0 {
			e.Left = latest(e.Left, p.path)
		} else if leaving(p.path, p.gone)+matching(testNamed.Re(), p.come) > 0 {
			e.Left = lists.Drop(lists.Clone(e.Left), func(o string) bool { return o == p.path })
		}
	}
	return e
}

// tellsOfLeaving reports whether a sentence speaks of tests, or of a file of theirs, that are left out.
func tellsOfLeaving(text, file string) bool {
	return slices.ContainsFunc(strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune("\n!。", r) }), func(line string) bool {
		return leavesOut.In(line) && (ofTesting.In(line) || strings.Contains(line, "テスト") || strings.Contains(line, path.Base(file)))
	})
}

// TestFile reports whether a path is a file of tests, by its name.
//
//go:noinline
func TestFile(file string) bool { return testFile(file) }

// testFile reports whether a path is a file of tests, by its name.
func testFile(file string) bool {
	return anyCalled(testFiles, file) && anyCalled(codeFiles, file)
}

//go:noinline
func anyCalled(names []string, file string) bool {
	return slices.ContainsFunc(names, func(n string) bool { return called(n, file) })
}

// leaving is how many lines of a file leave tests out.
func leaving(file string, lines []string) (n int) {
	if anyCalled(collecting, file) {
		n = matching(uncollected.Re(), lines)
	}
	for _, l := range lines {
		if tag := unbuilt.For(l).FindStringSubmatch(l); tag != nil && testFile(file) && !buildTags.In(tag[1]) {
			n++
		}
	}
	if anyCalled(codeFiles, file) {
		n += matching(skipping.Re(), lines)
	}
	return n
}

func matching(of *regexp.Regexp, lines []string) (n int) {
	for _, l := range lines {
		if of.MatchString(l) {
			n++
		}
	}
	return n
}

// counted is how many tests a run tells of in any way: the most that an answer can have read in it.
func counted(r nebula.Result) int {
	most := max(0, r.Tests.Passed+max(0, r.Tests.Skipped)+max(0, r.Tests.Failed), strings.Count(r.Text, "--- PASS"), strings.Count(r.Text, "PASSED"), strings.Count(r.Text, "✓"))
	for _, m := range counts.For(r.Text).FindAllStringSubmatch(r.Text, -1) {
		n, _ := strconv.Atoi(m[1])
		most = max(most, n)
	}
	return most
}

var (
	// counts are numbers, but for those of a version, of a time, of a share and of a line, which are none of tests.
	counts = &lazy.Pattern{X: `\d+(?:[.:]\d+)+|\d+ ?%|(?:line |:|port )\d+|\b(\d{1,5})\b`}
	// manyPass is how many tests an answer says pass.
	manyPass = &lazy.Pattern{X: `(?i)\b(\d{1,5})(?: ?/ ?\d{1,5})?(?: of \d{1,5})? (?:(?:unit|new|existing|of the|integration|go|python) ){0,2}tests? (?:(?:now|all|still|are|have) ){0,2}(?:pass|green|succeed)|\ball (\d{1,5}) (?:unit )?tests\b|\b(\d{1,5}) (?:tests? )?(?:passed|passing)(?:$|[.,;:)]| in \d)|(\d{1,5}) ?件(?:の(?:すべての|全)?テスト|すべて|全て|とも|が(?:通|成功|パス)|(?:成功|パス|合格)(?:しま|です|、|$))`}
)

// invented is a number of tests that an answer says pass, above all that any run since the last change told of; zero where there is none.
func (e Evidence) invented(say string) int {
	if e.Tests == nil || e.Counted == 0 {
		return 0
	}
	for line := range strings.FieldsFuncSeq(say, func(r rune) bool { return strings.ContainsRune("\n!。", r) }) {
		for _, m := range manyPass.For(line).FindAllStringSubmatch(line, -1) {
			if n, _ := strconv.Atoi(strings.Join(m[1:], "")); n > e.Counted && !provided.In(line) {
				return n
			}
		}
	}
	return 0
}
