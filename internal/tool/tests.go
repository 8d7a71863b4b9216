package tool

import (
	"context"
	"fmt"
	"strings"

	"nebula"
	"nebula/internal/lazy"
	"nebula/internal/workspace"
)

type runTests struct {
	dir *workspace.Dir
	o   Options
}

// Spec implements nebula.Tool.
func (t *runTests) Spec() nebula.ToolSpec {
	return nebula.ToolSpec{
		Name: "runTests", Aliases: []string{"run_tests", "test"},
		Description: "Run the tests.",
		Params: []nebula.Param{{Name: "command", Type: "string", Payload: true, Description: ""},
			{Name: "whenPassed", Type: "string", Description: "your report then"}},
		Effect: nebula.Execute,
		Plans:  t.o.Boxed,
	}
}

// Propose implements nebula.Tool.
func (t *runTests) Propose(ctx context.Context, a nebula.Action, v nebula.View) (nebula.Proposal, error) {
	var in struct{ Command, WhenPassed string }
	if err := arguments(a, t.Spec(), &in); err != nil {
		return nebula.Proposal{}, err
	}
	r := runner{command: in.Command}
	named := strings.TrimSpace(r.command) != ""
	if !named {
		r.command = t.o.Tests
	}
	if strings.TrimSpace(r.command) == "" {
		var err error
		if r, err = detect(ctx, t.dir); err != nil {
			return nebula.Proposal{}, err
		}
	}
	var err error
	if r.command, err = runnable(r.command); err != nil {
		return nebula.Proposal{}, err
	}
	c := workspace.Command{Line: r.command, Timeout: t.o.Longest, Cap: t.o.Output, Pass: t.o.Pass, Secrets: t.o.Secrets, Env: r.env, Watch: named}
	t.o.masks(&c, v)
	_ = t.o.boxed(t.dir, &c, v, false, "") // it never leaves the box
	p := nebula.Proposal{
		Effect: nebula.Execute, Command: r.command, Risks: t.o.filled(t.dir, r.command), Viewed: c.View, Tests: true,
		Summary: said(v.Lang, "run the tests: %s", r.command),
		Do: func(ctx context.Context, r nebula.Run) (nebula.Result, error) {
			out, err := t.do(ctx, r, c, named, v.Lang)
			if out.Tests != nil && out.Tests.OK && (out.Tests.Passed > 0 || out.Tests.Passed < 0 && out.Tests.Failed == 0) {
				out.Report = strings.TrimSpace(in.WhenPassed)
			}
			return out, err
		},
	}
	bared(ctx, t.dir, &p)
	return p, nil
}

func (t *runTests) do(ctx context.Context, r nebula.Run, c workspace.Command, named bool, lang string) (nebula.Result, error) {
	found := newReport(r.Output)
	done, err := ran(ctx, t.dir, r, c, lang, found.write)
	if err != nil {
		return nebula.Result{Changes: done.changes, Lost: done.lost, Blind: done.blind}, err
	}
	found.close()
	out := done.result()
	out.Tests = found.sum(c.Line, done.ok())
	out.Tests.Failing = found.failing[:min(len(found.failing), mostFailing)]
	out.Tests.Chosen = t.o.Tests != "" && strings.TrimSpace(c.Line) == strings.TrimSpace(t.o.Tests)
	if !out.Tests.OK {
		out.Status = nebula.Failed
	}
	if what := lacks(done, out.Tests); what != "" {
		out.Tests = nil
		out.Summary = said(lang, "The tests did not run: %s is not there", what)
		out.Text = worded(lang, "The tests did not run: %s is not there", what) + ": " + c.Line + "\n" + done.headline() + "\n" + done.output() + "\n" + remedy(lang, what) + done.notes(t.o)
		return out, nil
	}
	if out.Text = t.text(done, found, out.Tests); done.ok() && found.passed(out.Tests) {
		out.Text = t.passed(done, found, out.Tests, named)
	}
	out.Summary = outcome(lang, done, out.Tests)
	if len(done.lost) > 0 || done.blind {
		out.Summary += done.effects(lang)
	}
	return out, nil
}

// mostFailing bounds how many failing tests a report names.
const mostFailing = 200

// text has the counts first, then what failed, then as much of the output as is needed to understand it.
func (t *runTests) text(done finished, found *report, sum *nebula.TestReport) string {
	var b strings.Builder
	b.WriteString(verdict(done.lang, sum))
	fmt.Fprintf(&b, ": %s\n%s\n", sum.Command, done.headline())
	details := found.details(done.lang)
	if names := untold(found.failing, details); len(names) > 0 {
		b.WriteString(worded(done.lang, "Failed:\n"))
		for _, name := range names[:min(len(names), 50)] {
			b.WriteString("  " + name + "\n")
		}
	}
	if len(found.failing) > 0 {
		done.exit.Refused = blamed(done.exit.Refused, done.output())
	}
	b.WriteString(details)
	switch {
	case details == "" && found.json:
		b.WriteString(tail(found.output(), t.o.Output/4))
	case details == "":
		b.WriteString(done.output())
	}
	return strings.TrimRight(b.String(), "\n") + done.notes(t.o)
}

// passed reports whether all that is to be said of a run is that its tests passed.
func (r *report) passed(sum *nebula.TestReport) bool {
	return sum.OK && sum.Failed == 0 && sum.Passed != 0 && len(r.failing) == 0 && len(r.blocks) == 0
}

// passed is the text of such a run: the counts, and what was printed beside the tests. named says that the model reads the
// command in its own call.
func (t *runTests) passed(done finished, found *report, sum *nebula.TestReport, named bool) string {
	said := verdict(done.lang, sum)
	if !named {
		said += ": " + sum.Command
	}
	out := done.output()
	if found.json {
		out = found.output()
	}
	if out = strings.TrimRight(tail(quiet(out), passedBytes), "\n"); strings.TrimSpace(out) != "" && (found.json || len(done.exit.Output) > 0) {
		said += "\n" + out
	}
	return said + done.notes(t.o)
}

// passedBytes is how much is said of a run whose tests all passed: the counts have said the most of it.
const passedBytes = 2 << 10

// passes are lines that only say of one test that it runs or has passed.
var passes = &lazy.Pattern{X: `^\s*(?:=== (?:RUN|PAUSE|CONT|NAME)\s|--- PASS: |PASS$|ok \d+\b|[✔✓] |test .+ \.\.\. ok$|\S+ \(\S+\) \.\.\. ok$|\S+::\S+ PASSED\b|ok  \t|\?   \t.+\[no test files\]$|` +
	`={3,} (?:test session starts|\d+ passed(?:, \d+ skipped)? in [\d.]+s.*) =+$|platform \w+ -- Python |(?:cachedir|rootdir|configfile): \S+$|plugins: \S+-\d|(?:collecting \.\.\. )?collected \d+ items?$|\S+\.py [.s]+ *(?:\[ *\d+%\])?$|` +
	`# Subtest: |TAP version \d+$|\d+\.\.\d+$|---$|\.\.\.$|duration_ms: |type: '(?:suite|test)'$)`}

// quiet leaves out what passed one by one.
func quiet(s string) string {
	var b strings.Builder
	for line := range strings.Lines(s) {
		if !passes.In(strings.TrimRight(line, "\r\n")) {
			b.WriteString(line)
		}
	}
	return b.String()
}

// tail is the end of a text, from a line's beginning.
func tail(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	s = s[len(s)-limit:]
	if i := strings.IndexByte(s, '\n'); i >= 0 {
		s = s[i+1:]
	}
	return "[…]\n" + s
}

func outcome(lang string, done finished, sum *nebula.TestReport) string {
	if done.exit.TimedOut || done.exit.Stopped {
		return done.summary(lang)
	}
	return verdict(lang, sum)
}

// verdict is the counts in a sentence.
func verdict(lang string, r *nebula.TestReport) string {
	var parts []string
	for _, c := range []struct {
		n  int
		en string
	}{{r.Passed, "%d passed"}, {r.Failed, "%d failed"}, {r.Skipped, "%d skipped"}} {
		if c.n > 0 || c.n == 0 && c.en[3] != 's' && r.Passed >= 0 {
			parts = append(parts, said(lang, c.en, c.n))
		}
	}
	head := said(lang, "Tests failed")
	switch {
	case r.OK && r.Failed < 0:
		head = said(lang, "The command ended well and told of no tests")
	case r.Passed == 0 && r.Failed == 0:
		head = said(lang, "No test ran")
	case r.OK:
		head = said(lang, "Tests passed")
	}
	if len(parts) == 0 {
		return head
	}
	return head + " (" + strings.Join(parts, ", ") + ")"
}
