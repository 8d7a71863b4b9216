package plan

import (
	"errors"
	"fmt"
	"regexp"
	"strings"

	"nebula"
)

// Markdown is a plan as a person reads and edits it. [ReadMarkdown] reads it back.
func Markdown(p nebula.Plan) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n\nGoal: %s\n", line(p.Name), line(p.Goal))
	for _, s := range p.Steps {
		fmt.Fprintf(&b, "\n## %s %s: %s\n\n", box(s), s.ID, line(s.Name))
		if len(s.DependsOn) > 0 {
			fmt.Fprintf(&b, "After: %s\n", strings.Join(s.DependsOn, ", "))
		}
		if len(s.Files) > 0 {
			fmt.Fprintf(&b, "Files: %s\n", strings.Join(s.Files, ", "))
		}
		if text := s.Verify.String(); text != "" {
			fmt.Fprintf(&b, "Verify: %s\n", line(text))
		}
		if s.Description != "" {
			fmt.Fprintf(&b, "\n%s\n", quoteHeads(s.Description))
		}
	}
	return b.String()
}

// boxes are how stages are written in a heading.
var boxes = map[nebula.Stage]string{nebula.Pending: "[ ]", nebula.InProgress: "[>]", nebula.Completed: "[x]", nebula.StageFailed: "[!]", nebula.StageSkipped: "[-]"}

//go:noinline
func box(s nebula.PlanStep) string {
	if unchecked(s) {
		return "[?]"
	}
	if b, ok := boxes[s.Status]; ok {
		return b
	}
	return "[ ]"
}

func line(text string) string { return strings.Join(strings.Fields(text), " ") }

// quoteHeads keeps a description from looking like what stands around it.
func quoteHeads(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	for i, l := range lines {
		l = strings.TrimRight(l, " \t\r")
		if strings.HasPrefix(l, "#") || strings.HasPrefix(l, `\`) {
			l = `\` + l
		}
		lines[i] = l
	}
	return strings.Join(lines, "\n")
}

// A LineError says what of an edited plan could not be read, and where.
type LineError struct {
	Line int // from 1
	Err  error
}

// Error is the sentence in English.
func (e *LineError) Error() string { return e.Words().String() }

// Unwrap gives what is wrong with the line.
func (e *LineError) Unwrap() error { return e.Err }

// Words implements [nebula.Speaker].
func (e *LineError) Words() nebula.Words { return nebula.Say("line %d: %w", e.Line, e.Err) }

// ReadMarkdown reads a plan that a person has written or edited: a heading, the goal, and a heading for each step with
// what it comes after, its files, how it is verified and what is to be done. A step without an id gets one later.
func ReadMarkdown(text string) (nebula.Plan, error) {
	r := reader{heading: regexp.MustCompile(`^##\s+(?:\[(.)\]\s*)?(?:([A-Za-z0-9_.-]+)\s*[:：]\s*)?(.*)$`)}
	text = strings.TrimPrefix(strings.ReplaceAll(text, "\r\n", "\n"), "\ufeff")
	for i, l := range strings.Split(text, "\n") {
		if err := r.line(strings.TrimRight(l, " \t")); err != nil {
			return nebula.Plan{}, &LineError{i + 1, err}
		}
	}
	r.close()
	switch {
	case r.plan.Name == "":
		return nebula.Plan{}, &LineError{1, errors.New(`there is no "# name of the plan"`)}
	case r.plan.Goal == "":
		return nebula.Plan{}, &LineError{2, errors.New(`there is no "Goal: …" before the first step`)}
	}
	return r.plan, nil
}

type reader struct {
	heading *regexp.Regexp
	plan    nebula.Plan
	step    *nebula.PlanStep
	about   []string
	head    bool // fields may still come
}

func (r *reader) line(l string) error {
	switch {
	case strings.HasPrefix(l, "# "):
		if r.plan.Name != "" {
			return nebula.Errorf("a second heading %q; a plan has one, and its steps have ##", l)
		}
		r.plan.Name = strings.TrimSpace(l[2:])
		return nil
	case strings.HasPrefix(l, "## "):
		return r.open(l)
	case strings.HasPrefix(l, "#"):
		return nebula.Errorf("a heading that is neither the plan's (#) nor a step's (##): %q; write \\# where it is text", l)
	}
	if r.step == nil {
		return r.before(l)
	}
	if r.head {
		if r.field(l) {
			return nil
		}
		r.head = strings.TrimSpace(l) == ""
	}
	r.about = append(r.about, strings.TrimPrefix(l, `\`))
	return nil
}

func (r *reader) before(l string) error {
	name, value, ok := strings.Cut(l, ":")
	switch {
	case strings.TrimSpace(l) == "":
		return nil
	case ok && strings.EqualFold(strings.TrimSpace(name), "goal"):
		r.plan.Goal = strings.TrimSpace(value)
		return nil
	case r.plan.Name == "":
		return nebula.Errorf(`a plan begins with "# name", not %q`, l)
	}
	return nebula.Errorf(`before the first step (##) there is only "Goal: …", not %q`, l)
}

func (r *reader) open(l string) error {
	r.close()
	m := r.heading.FindStringSubmatch(l)
	if m == nil || strings.TrimSpace(m[3]) == "" {
		return nebula.Errorf(`a step without a name: %q; write "## [ ] step_1: name"`, l)
	}
	r.step, r.head = &nebula.PlanStep{ID: m[2], Name: strings.TrimSpace(m[3]), Status: nebula.Pending}, true
	return nil
}

// field reads a line that says something about the step.
func (r *reader) field(l string) bool {
	name, value, ok := strings.Cut(l, ":")
	if !ok {
		return false
	}
	value = strings.TrimSpace(value)
	switch strings.ToLower(strings.TrimSpace(name)) {
	case "after", "depends_on", "depends on":
		r.step.DependsOn = list(value)
	case "files":
		r.step.Files = list(value)
	case "verify":
		r.step.Verify = nebula.ReadVerify(value)
	default:
		return false
	}
	return true
}

func list(text string) []string {
	var out []string
	for _, w := range strings.Split(text, ",") {
		if w = strings.TrimSpace(w); w != "" {
			out = append(out, w)
		}
	}
	return out
}

func (r *reader) close() {
	if r.step == nil {
		return
	}
	r.step.Description = strings.TrimSpace(strings.Join(r.about, "\n"))
	r.plan.Steps = append(r.plan.Steps, *r.step)
	r.step, r.about = nil, nil
}
