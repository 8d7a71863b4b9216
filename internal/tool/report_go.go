package tool

import (
	"slices"
	"strings"

	"nebula/internal/lazy"
	"nebula/internal/lists"
)

// An event is a line of go test -json, see go doc test2json.
type event struct {
	Action, Package, Test, Output, ImportPath, FailedBuild string
}

// gotests are the packages of a go test -json run, by import path.
type gotests map[string]*gopackage

type gopackage struct {
	order  []string
	status map[string]string
	output map[string]*strings.Builder // "" is the package's own
	failed bool
	broken string // the build that failed
}

//go:noinline
func (g gotests) at(path string) *gopackage {
	p := g[path]
	if p == nil {
		p = &gopackage{status: map[string]string{}, output: map[string]*strings.Builder{}}
		g[path] = p
	}
	return p
}

func (g gotests) add(e event) {
	if e.ImportPath != "" { // build-output and build-fail
		g.at(e.ImportPath).say("", e.Output)
		return
	}
	p := g.at(e.Package)
	switch e.Action {
	case "run":
		p.order = append(p.order, e.Test)
		p.status[e.Test] = "run"
	case "output":
		p.say(e.Test, e.Output)
	case "pass", "fail", "skip":
		if e.Test != "" {
			p.status[e.Test] = e.Action
			if e.Action != "fail" {
				delete(p.output, e.Test)
			}
			return
		}
		p.failed = e.Action == "fail"
		p.broken = e.FailedBuild
	}
}

//go:noinline
func (p *gopackage) say(test, text string) {
	b := p.output[test]
	if b == nil {
		b = &strings.Builder{}
		p.output[test] = b
	}
	if b.Len() < 16<<10 {
		b.WriteString(text)
	}
}

// leaves are the tests without subtests: those are what is counted.
func (p *gopackage) leaves() []string {
	parents := map[string]bool{}
	for _, t := range p.order {
		for i := strings.LastIndexByte(t, '/'); i > 0; i = strings.LastIndexByte(t[:i], '/') {
			parents[t[:i]] = true
		}
	}
	return lists.Drop(lists.Clone(p.order), func(t string) bool {
		return parents[t] && !(p.status[t] == "fail" && !p.failsBelow(t))
	})
}

// failsBelow reports whether a subtest says why its parent fails.
func (p *gopackage) failsBelow(parent string) bool {
	for t, status := range p.status {
		if status != "pass" && status != "skip" && strings.HasPrefix(t, parent+"/") {
			return true
		}
	}
	return false
}

func (g gotests) counts() counts {
	var c counts
	for _, p := range g {
		c.told = true
		failed := 0
		for _, t := range p.leaves() {
			switch p.status[t] {
			case "pass":
				c.passed++
			case "skip":
				c.skipped++
			default:
				failed++ // "run": it never ended, the process did
			}
		}
		if p.failed && failed == 0 {
			failed = 1 // it does not build, or ended outside of its tests
		}
		c.failed += failed
	}
	return c
}

// failures are the names of what failed and what was said about each.
func (g gotests) failures() (names, texts []string) {
	var paths []string
	for path := range g {
		paths = append(paths, path)
	}
	slices.Sort(paths)
	for _, path := range paths {
		p := g[path]
		own, leaves := true, p.leaves()
		for _, t := range p.order {
			if s := p.status[t]; s == "pass" || s == "skip" {
				continue
			}
			text, said := headed(t, readable(p.output[t]))
			if lists.Has(leaves, t) {
				own = false
				names = append(names, path+" "+t)
			} else if !said {
				continue // its subtests tell why it fails
			}
			texts = append(texts, text)
		}
		if !p.failed {
			continue
		}
		text := readable(p.output[""])
		if p.broken != "" && g.at(p.broken) != p { // vet tells of the package itself
			text = strings.TrimPrefix(readable(g.at(p.broken).output[""])+"\n"+text, "\n")
		}
		if own {
			names = append(names, path)
		}
		if own || strings.Contains(text, "panic: ") || strings.Contains(text, "DATA RACE") {
			texts = append(texts, text)
		}
	}
	return names, texts
}

// headed is what was said of a failing test below the line that names it, and whether that is anything: a panic in a subtest
// is told of the test that it is in, and that test may have failed by itself.
func headed(test, text string) (headed string, said bool) {
	head := "--- FAIL: " + test
	var body []string
	for l := range strings.Lines(text) {
		if strings.HasPrefix(strings.TrimLeft(l, " "), "--- FAIL: "+test+" ") {
			head = strings.TrimSpace(l)
			continue
		}
		body = append(body, strings.TrimRight(l, "\n"))
	}
	return strings.Join(append([]string{head}, body...), "\n"), len(body) > 0
}

func readable(b *strings.Builder) string {
	if b == nil {
		return ""
	}
	var lines []string
	for l := range strings.SplitSeq(legible([]byte(b.String())), "\n") {
		if !strings.HasPrefix(l, "=== ") && l != "" {
			lines = append(lines, l)
		}
	}
	return strings.Join(lines, "\n")
}

// goPlain reads go test without -json. Without -v it tells of failures only.
type goPlain struct {
	c       counts
	verbose bool
	ran     bool // a package had tests that ran
	names   []string
	states  map[string]string
}

var (
	goResult  = &lazy.Pattern{X: `^\s*--- (PASS|FAIL|SKIP): (\S+) \(\d+\.\d+s\)$`}
	goPackage = &lazy.Pattern{X: `^(ok  |FAIL|\?   )\t(\S+)(?:\t|\s+\[|$)(.*)`}
)

func (g *goPlain) line(l string) string {
	if strings.HasPrefix(l, "=== RUN ") {
		g.verbose = true
	}
	if m := goResult.For(l).FindStringSubmatch(l); m != nil {
		g.c.told = true
		if g.states == nil {
			g.states = map[string]string{}
		}
		g.names = append(g.names, m[2])
		g.states[m[2]] = m[1]
		if m[1] == "FAIL" {
			return m[2]
		}
		return ""
	}
	m := goPackage.For(l).FindStringSubmatch(l)
	if m == nil {
		return ""
	}
	g.c.told = true
	g.ran = g.ran || !strings.Contains(l, "[no tests to run]") && m[1] != "?   "
	g.flush()
	if m[1] == "FAIL" && (strings.Contains(l, "build failed]") || strings.Contains(l, "setup failed]")) {
		g.c.failed++
		return m[2]
	}
	return ""
}

// flush counts the tests of a package that is through: those without subtests.
func (g *goPlain) flush() {
	parents := map[string]bool{}
	for _, n := range g.names {
		for i := strings.LastIndexByte(n, '/'); i > 0; i = strings.LastIndexByte(n[:i], '/') {
			parents[n[:i]] = true
		}
	}
	for _, n := range g.names {
		if parents[n] {
			continue
		}
		switch g.states[n] {
		case "PASS":
			g.c.passed++
		case "FAIL":
			g.c.failed++
		case "SKIP":
			g.c.skipped++
		}
	}
	g.names, g.states = nil, nil
}

func (g *goPlain) counts() counts {
	g.flush()
	c := g.c
	if c.told && !g.verbose && g.ran {
		c.passed, c.skipped = -1, -1
	}
	return c
}
