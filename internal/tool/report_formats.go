package tool

import (
	"regexp"
	"strings"

	"nebula/internal/lazy"
)

// formats are the runners whose output is understood, apart from go test -json.
func formats() []format {
	return []format{
		&goPlain{},
		&pytest{},
		&unittest{},
		&maven{},
		&tap{},
		// cargo test; one line for every crate
		&table{
			each:    regexp.MustCompile(`^test result: \w+\. (?P<p>\d+) passed; (?P<f>\d+) failed; (?P<s>\d+) ignored`),
			failing: regexp.MustCompile(`^test (.+) \.\.\. FAILED$`),
		},
		&table{
			each:    regexp.MustCompile(`^\s+Summary \[.*\] +\d+ tests? run: (?P<p>\d+) passed(?:.*?, (?P<f>\d+) failed)?(?:.*?, (?P<s>\d+) skipped)?`),
			failing: regexp.MustCompile(`^\s+FAIL \[.*\]\s+(?:\(.*\)\s+)?(\S+ \S+)$`),
		},
		// jest
		&table{
			each:    regexp.MustCompile(`^Tests: +(?:(?P<f>\d+) failed, )?(?:(?P<s>\d+) skipped, )?(?:\d+ todo, )?(?:(?P<p>\d+) passed, )?\d+ total`),
			failing: regexp.MustCompile(`^  ● (.+ › .+|[^›]+)$`),
		},
		// vitest
		&table{
			each:    regexp.MustCompile(`^\s+Tests  (?:(?P<f>\d+) failed)?(?: \| )?(?:(?P<p>\d+) passed)?(?: \| )?(?:(?P<s>\d+) skipped)?.*\(\d+\)$`),
			failing: regexp.MustCompile(`^ FAIL  (.+ > .+)$`),
		},
		// mocha: a line for each count
		&table{
			some:    []*regexp.Regexp{regexp.MustCompile(`^  (?P<p>\d+) passing(?: \(.*\))?$`), regexp.MustCompile(`^  (?P<f>\d+) failing$`), regexp.MustCompile(`^  (?P<s>\d+) pending$`)},
			failing: regexp.MustCompile(`^ {4,}\d+\) (.+)$`),
		},
		// node --test, for people
		&table{
			some: []*regexp.Regexp{
				regexp.MustCompile(`^ℹ pass (?P<p>\d+)$`), regexp.MustCompile(`^ℹ (?:fail|cancelled) (?P<f>\d+)$`),
				regexp.MustCompile(`^ℹ (?:skipped|todo) (?P<s>\d+)$`),
			},
			failing: regexp.MustCompile(`^ *✖ (.+?)(?: \([\d.]+ms\))?$`),
			not:     []string{"failing tests:"},
		},
		// bun test
		&table{some: []*regexp.Regexp{regexp.MustCompile(`^ (?P<p>\d+) pass$`), regexp.MustCompile(`^ (?P<f>\d+) fail$`), regexp.MustCompile(`^ (?P<s>\d+) skip$`)},
			failing: regexp.MustCompile(`^\(fail\) (.+?)(?: \[[\d.]+ms\])?$`)},
		// deno test
		&table{each: regexp.MustCompile(`^(?:ok|FAILED) \| (?P<p>\d+) passed(?: \(.*?\))? \| (?P<f>\d+) failed(?: \| (?P<s>\d+) ignored)?`),
			failing: regexp.MustCompile(`^(.+) \.\.\. FAILED \(`)},
		// gradle: counts only when something fails
		&table{each: regexp.MustCompile(`^(?P<t>\d+) tests? completed(?:, (?P<f>\d+) failed)?(?:, (?P<s>\d+) skipped)?`),
			failing: regexp.MustCompile(`^(\S.* > .+) FAILED$`)},
		// ctest
		&table{each: regexp.MustCompile(`^\d+% tests passed, (?P<f>\d+) tests? failed out of (?P<t>\d+)`),
			failing: regexp.MustCompile(`^\s+\d+ - (\S+) \((?:Failed|Timeout|SEGFAULT|Not Run|SIGABRT|ILLEGAL).*\)`)},
		// dotnet test
		&table{each: regexp.MustCompile(`^\s*(?:Passed|Failed|Skipped)! +- Failed: +(?P<f>\d+), Passed: +(?P<p>\d+), Skipped: +(?P<s>\d+)`),
			failing: regexp.MustCompile(`^\s+Failed (\S.*) \[[^\]]*\]$`)},
		// dotnet test before .NET 5: a line for each count
		&table{some: []*regexp.Regexp{regexp.MustCompile(`^ {4,5}Passed: (?P<p>\d+)$`), regexp.MustCompile(`^ {4,5}Failed: (?P<f>\d+)$`), regexp.MustCompile(`^ {4,5}Skipped: (?P<s>\d+)$`)},
			failing: regexp.MustCompile(`^  X (\S.*) \[[^\]]*\]$`)},
		// rspec, ExUnit
		&table{each: regexp.MustCompile(`^(?P<t>\d+) (?:examples?|tests?), (?P<f>\d+) failures?(?:, (?P<s>\d+) (?:pending|skipped|excluded))?`),
			failing: regexp.MustCompile(`^rspec (\S+ # .+)$`)},
		// phpunit
		&table{each: regexp.MustCompile(`^(?:OK \((?P<t>\d+) tests?, \d+ assertions?\))`)},
		&table{each: regexp.MustCompile(`^Tests: (?P<t>\d+), Assertions: \d+(?:, Errors: (?P<f>\d+))?(?:, Failures: (?P<f2>\d+))?.*?(?:, Skipped: (?P<s>\d+))?\.$`),
			failing: regexp.MustCompile(`^\d+\) (\S+::\S+)`)},
	}
}

// A table reads counts by expressions with the groups p (passed), f and f2 (failed), s (skipped) and t (all of them).
type table struct {
	each    *regexp.Regexp   // a line with all counts
	some    []*regexp.Regexp // lines with one count each
	failing *regexp.Regexp
	not     []string // what failing finds and is no test
	c       counts
}

func (t *table) line(l string) string {
	for _, re := range append(t.some, t.each) {
		if re == nil {
			continue
		}
		m := re.FindStringSubmatch(l)
		if m == nil {
			continue
		}
		t.c.told = true
		t.add(re, m)
	}
	if t.failing == nil {
		return ""
	}
	if m := t.failing.FindStringSubmatch(l); m != nil {
		for _, n := range t.not {
			if m[1] == n {
				return ""
			}
		}
		return m[1]
	}
	return ""
}

func (t *table) add(re *regexp.Regexp, m []string) {
	all, failed, skipped := 0, 0, 0
	for i, group := range re.SubexpNames() {
		switch n := count(m[i]); group {
		case "p":
			t.c.passed += n
		case "f", "f2":
			failed += n
		case "s":
			skipped += n
		case "t":
			all = n
		}
	}
	t.c.failed += failed
	t.c.skipped += skipped
	if all > 0 {
		t.c.passed += max(all-failed-skipped, 0)
	}
}

func (t *table) counts() counts { return t.c }

type pytest struct{ c counts }

var (
	pytestSum  = &lazy.Pattern{X: `^(?:=+ )?((?:\d+ [a-z]+(?:, )?)+) in [\d.]+s(?: \([\d:]+\))?(?: =+)?$`}
	pytestPart = &lazy.Pattern{X: `(\d+) ([a-z]+)`}
	pytestFail = &lazy.Pattern{X: `^(?:FAILED|ERROR) (\S+\.py(?:::\S+)?)`}
)

func (p *pytest) line(l string) string {
	if m := pytestFail.For(l).FindStringSubmatch(l); m != nil {
		return m[1]
	}
	if strings.HasPrefix(strings.TrimLeft(l, "= "), "no tests ran in ") {
		p.c.told = true
	}
	m := pytestSum.For(l).FindStringSubmatch(l)
	if m == nil {
		return ""
	}
	p.c.told = true
	for _, part := range pytestPart.For(m[1]).FindAllStringSubmatch(m[1], -1) {
		switch n := count(part[1]); part[2] {
		case "passed", "xpassed":
			p.c.passed += n
		case "failed", "error", "errors":
			p.c.failed += n
		case "skipped", "xfailed":
			p.c.skipped += n
		}
	}
	return ""
}

func (p *pytest) counts() counts { return p.c }

// unittest is Python's own, also under Django.
type unittest struct {
	c   counts
	ran int
}

var (
	unittestRan  = &lazy.Pattern{X: `^Ran (\d+) tests? in `}
	unittestEnd  = &lazy.Pattern{X: `^(?:OK|FAILED)(?: \((.+)\))?$`}
	unittestFail = &lazy.Pattern{X: `^(?:FAIL|ERROR): (\S+) \((.+?)\)`}
	unittestPart = &lazy.Pattern{X: `([a-z ]+)=(\d+)`}
)

func (u *unittest) line(l string) string {
	if m := unittestFail.For(l).FindStringSubmatch(l); m != nil {
		if strings.HasSuffix(m[2], "."+m[1]) {
			return m[2]
		}
		return m[2] + "." + m[1]
	}
	if m := unittestRan.For(l).FindStringSubmatch(l); m != nil {
		u.ran, u.c.told = count(m[1]), true
		return ""
	}
	m := unittestEnd.For(l).FindStringSubmatch(l)
	if m == nil || u.ran < 0 || !u.c.told {
		return ""
	}
	failed, skipped := 0, 0
	for _, part := range unittestPart.For(m[1]).FindAllStringSubmatch(m[1], -1) {
		switch n := count(part[2]); strings.TrimSpace(part[1]) {
		case "failures", "errors", "unexpected successes":
			failed += n
		case "skipped":
			skipped += n
		}
	}
	u.c.failed += failed
	u.c.skipped += skipped
	u.c.passed += max(u.ran-failed-skipped, 0)
	u.ran = -1
	return ""
}

func (u *unittest) counts() counts { return u.c }

// maven is surefire: its lines for classes come before the one for all of them, in every module.
type maven struct{ c counts }

var (
	mavenSum  = &lazy.Pattern{X: `^(?:\[\w+\] )?Tests run: (\d+), Failures: (\d+), Errors: (\d+), Skipped: (\d+)$`}
	mavenFail = &lazy.Pattern{X: `^\[ERROR\] (?:  )?(\S+?)(?: -- |  )Time elapsed: .* <<< (?:FAILURE|ERROR)!`}
)

func (v *maven) line(l string) string {
	if m := mavenFail.For(l).FindStringSubmatch(l); m != nil && m[1] != "Tests" {
		return m[1]
	}
	m := mavenSum.For(l).FindStringSubmatch(l)
	if m == nil {
		return ""
	}
	failed, skipped := count(m[2])+count(m[3]), count(m[4])
	v.c.told = true
	v.c.failed += failed
	v.c.skipped += skipped
	v.c.passed += max(count(m[1])-failed-skipped, 0)
	return ""
}

func (v *maven) counts() counts { return v.c }

// tap is the Test Anything Protocol: node --test without a terminal in older versions, bats, prove.
type tap struct {
	c, sum counts
	plan   bool
}

var (
	tapPlan = &lazy.Pattern{X: `^(?:TAP version \d+|1\.\.\d+)$`}
	tapTest = &lazy.Pattern{X: `^(?:    )*(not )?ok \d+(?: -)?(?: (.*?))?(?: # (?i:(skip|todo)).*)?$`}
	tapSum  = &lazy.Pattern{X: `^# (pass|fail|cancelled|skipped|todo) (\d+)$`}
)

func (t *tap) line(l string) string {
	if tapPlan.In(l) {
		t.plan = true
	}
	if m := tapSum.For(l).FindStringSubmatch(l); m != nil && t.plan {
		t.sum.told = true
		switch n := count(m[2]); m[1] {
		case "pass":
			t.sum.passed += n
		case "fail", "cancelled":
			t.sum.failed += n
		default:
			t.sum.skipped += n
		}
		return ""
	}
	m := tapTest.For(l).FindStringSubmatch(l)
	if m == nil || !t.plan {
		return ""
	}
	failed := m[1] != "" && m[3] == ""
	if !strings.HasPrefix(l, " ") { // subtests are part of the test around them
		t.c.told = true
		switch {
		case m[3] != "":
			t.c.skipped++
		case failed:
			t.c.failed++
		default:
			t.c.passed++
		}
	}
	if failed {
		return m[2]
	}
	return ""
}

func (t *tap) counts() counts {
	if t.sum.told {
		return t.sum
	}
	return t.c
}
