package tool

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"

	"nebula"
	"nebula/internal/lazy"
	"nebula/internal/lists"
)

// A report reads the output of a test run as it comes, whichever runners write it, so that nothing is lost to the cap
// on the output that is kept.
type report struct {
	out     func([]byte) // where the output goes on to, in plain words
	rest    []byte       // of a line that is not complete
	json    bool         // go test -json: its output is inside
	inside  bytes.Buffer
	tests   gotests
	formats []format
	verbose goVerbose
	failing []string

	blocks  []block
	current int // lines that the open block may still have
	size    int
}

// A block is a run of lines that tells of a failure.
type block struct{ lines []string }

// counts of a format; told says that its output was seen.
type counts struct {
	passed, failed, skipped int
	told                    bool
}

// A format reads the lines of one test runner.
type format interface {
	line(l string) (failed string) // the name of a test that the line says has failed
	counts() counts
}

// Counted is what a command's output says of tests that it ran: counts of -1 where it tells of none. OK leaves its exit
// status aside.
func Counted(command, output string) nebula.TestReport {
	r := newReport(nil)
	r.write([]byte(output))
	r.close()
	sum := r.sum(command, true)
	sum.Failing = r.failing[:min(len(r.failing), mostFailing)]
	return *sum
}

func newReport(out func([]byte)) *report {
	if out == nil {
		out = func([]byte) {}
	}
	return &report{out: out, tests: gotests{}, formats: formats()}
}

func (r *report) write(chunk []byte) {
	plain := chunk
	r.rest = append(r.rest, chunk...)
	var heard []byte
	for {
		i := bytes.IndexByte(r.rest, '\n')
		if i < 0 {
			break
		}
		heard = append(heard, r.take(r.rest[:i])...)
		r.rest = r.rest[i+1:]
	}
	if len(r.rest) > 1<<20 {
		r.rest = r.rest[:0] // no test runner writes such a line
	}
	if r.json {
		plain = heard
	}
	if len(plain) > 0 {
		r.out(plain)
	}
}

func (r *report) close() {
	if len(r.rest) > 0 {
		r.take(r.rest)
	}
	r.failing = innermost(r.failing)
	names, blocks := r.tests.failures()
	r.failing = append(r.failing, names...)
	for _, b := range blocks {
		r.add(b)
	}
}

// take reads a line and gives back what a person should see of it.
func (r *report) take(raw []byte) []byte {
	if bytes.HasPrefix(raw, []byte("{")) && bytes.Contains(raw, []byte(`"Action":"`)) {
		var e event
		if json.Unmarshal(raw, &e) == nil && e.Action != "" {
			r.json = true
			r.tests.add(e)
			r.inside.WriteString(e.Output)
			if r.inside.Len() > 1<<20 {
				r.inside.Next(r.inside.Len() / 2)
			}
			return []byte(e.Output)
		}
	}
	l := strings.TrimRight(legible(raw), " \t\r")
	name := ""
	for _, f := range r.formats {
		if failed := f.line(l); failed != "" {
			name = failed
		}
	}
	if name != "" && !lists.Has(r.failing, name) {
		r.failing = append(r.failing, name)
	}
	for _, l := range r.verbose.ordered(l) {
		r.collect(l)
	}
	return append(raw, '\n')
}

// output is the output inside of go test -json.
//
//go:noinline
func (r *report) output() string { return legible(r.inside.Bytes()) }

// begins are the lines that open what a runner has to say of a failure; ends are those that close it.
var (
	begins = &lazy.Pattern{X: `^(?:\s*--- FAIL: |_{3,} .+ _{3,}$|(?:FAIL|ERROR): \w|---- .+ stdout ----$|\s+● .+|\s{2,}\d+\) \S|✖ |\s*not ok |panic: |fatal error: |` +
		`\[ERROR\] .*(?:<<< (?:FAILURE|ERROR)!|COMPILATION ERROR)|.* > .* FAILED$|error(?:\[E\d+\])?: |.+\.go:\d+:\d+: |Traceback |E   |\s+\S+_test\.go:\d+: |\s*(?:FAIL|×) .+ > .+|=== FAIL|  (?:Failed|X) \S.* \[[^\]]*\]$|thread '.+' panicked)`}
	ends = &lazy.Pattern{X: `^(?:=+ .* =+$|Ran \d+ tests?|test result: |(?:ok|PASS|FAIL)\s*$|failures:$|# tests |ℹ tests |Tests: |Test Suites: |Finished in [\d.]+ seconds|Test Run Failed|\[INFO\] |\s+\d+ passing|\s*--- (?:PASS|SKIP)|=== (?:RUN|NAME|CONT|PAUSE)\s|ok  \t|\s*ok \d|\s*# Subtest: |\s+\d+\.\.\d+$)`}
)

const (
	blockLines = 30
	blockBytes = 12 << 10 // of all blocks
)

func (r *report) collect(l string) {
	switch {
	case begins.In(l):
		if r.current == 0 || !strings.HasPrefix(l, " ") {
			r.blocks = append(r.blocks, block{})
		}
		r.current = blockLines
	case ends.In(l):
		r.current = 0
	}
	if r.current == 0 || r.size > blockBytes {
		return
	}
	last := &r.blocks[len(r.blocks)-1]
	had := len(last.lines)
	last.lines = withLine(last.lines, clip(l, 500))
	r.current -= len(last.lines) - had
	for _, l := range last.lines[min(had, len(last.lines)):] {
		r.size += len(l) + 1
	}
}

func (r *report) add(text string) {
	if r.size > blockBytes {
		return
	}
	var lines []string
	for l := range strings.SplitSeq(strings.TrimRight(text, "\n"), "\n") {
		lines = withLine(lines, l)
	}
	if len(lines) > blockLines {
		lines = append(append(lists.Clone(lines[:blockLines/2]), "[…]"), lines[len(lines)-blockLines/2:]...)
	}
	for i, l := range lines {
		lines[i] = clip(l, 500)
		r.size += len(lines[i]) + 1
	}
	r.blocks = append(r.blocks, block{lines})
}

// details are the lines that tell of failures.
func (r *report) details(lang string) string {
	var b strings.Builder
	for _, block := range r.blocks {
		if len(block.lines) == 0 {
			continue
		}
		b.WriteString(strings.TrimRight(strings.Join(block.lines, "\n"), "\n"))
		b.WriteString("\n")
	}
	if r.size > blockBytes {
		b.WriteString(worded(lang, "[more failures left out: run fewer tests to see them]\n"))
	}
	return b.String()
}

// sum adds up what the runners said. A run that says nothing of its tests has counts of -1.
func (r *report) sum(command string, exited bool) *nebula.TestReport {
	total := r.tests.counts()
	for _, f := range r.formats {
		c := f.counts()
		if !c.told {
			continue
		}
		total.told = true
		total.failed, total.skipped = plus(total.failed, c.failed), plus(total.skipped, c.skipped)
		total.passed = plus(total.passed, c.passed)
	}
	if !total.told {
		total.passed, total.failed, total.skipped = -1, -1, -1
	}
	return &nebula.TestReport{
		Command: command, Passed: total.passed, Failed: total.failed, Skipped: total.skipped, OK: exited && total.failed <= 0,
	}
}

// plus adds counts, of which -1 is unknown.
func plus(a, b int) int {
	if a < 0 || b < 0 {
		return -1
	}
	return a + b
}

func count(s string) int {
	n, err := strconv.Atoi(strings.ReplaceAll(s, ",", ""))
	if err != nil {
		return 0
	}
	return n
}
