package task_test

import (
	"slices"
	"strings"
	"testing"

	"nebula"
	"nebula/internal/gate"
	"nebula/internal/task"
)

// A step whose tasks only read is asked for once more, with what they have shown; its files must be there in the end,
// whatever the tests say.
func TestStepIsDoneOnlyWhenItsFilesAre(t *testing.T) {
	read := tasks(task1("readFile", map[string]string{"path": "add.go"}))
	write := tasks(task1("writeFile", map[string]string{"path": "sub.go", "content": "package x\n"}))
	for name, c := range map[string]struct {
		made  []string // the tasks that are written, one time after the other
		fix   string
		files []string
		want  string
		asked []string
	}{
		"read only":         {[]string{read, read}, read, []string{"sub.go"}, "a failed", []string{"tasks", "tasks", "fix", "report"}},
		"second look":       {[]string{read, write}, "", []string{"sub.go"}, "a completed", []string{"tasks", "tasks", "report"}},
		"told what lacks":   {[]string{read, read}, write, []string{"sub.go"}, "a completed", []string{"tasks", "tasks", "fix", "report"}},
		"as it should be":   {[]string{write}, read, []string{"sub.go", "add.go"}, "a completed", []string{"tasks", "fix", "report"}},
		"folders need none": {[]string{write}, read, []string{"sub.go", "pkg/", "*.md"}, "a completed", []string{"tasks", "report"}},
	} {
		t.Run(name, func(t *testing.T) {
			o := newOffice(t)
			o.put("add.go", "package x // it adds\n")
			var asked []string
			o.answers = func(kind, text string) string {
				asked = append(asked, kind)
				switch kind {
				case "tasks":
					if len(asked) > 1 && !strings.Contains(text, "it adds") {
						t.Errorf("the second look is without what was read: %s", text)
					}
					return c.made[len(asked)-1]
				case "fix":
					if !strings.Contains(text, "sub.go does not exist") && !strings.Contains(text, "add.go was not changed") {
						t.Errorf("it is not told what lacks: %s", text)
					}
					return c.fix
				}
				return ""
			}
			o.open()
			s := step("a", nil)
			s.Files = c.files
			o.planned(s)
			e := o.run(task.Request{})
			if stages(e.Plan) != c.want || !slices.Equal(asked, c.asked) {
				t.Errorf("%s %q after %v", stages(e.Plan), e.Why, asked)
			}
			if c.want == "a failed" && e.Plan.Steps[0].Report.Cause != "sub.go does not exist" {
				t.Errorf("its cause is %q", e.Plan.Steps[0].Report.Cause)
			}
			if e.Plan.Steps[0].Status == nebula.Completed && o.read("sub.go") != "package x\n" {
				t.Error("it is completed without its file")
			}
		})
	}
}

// What a step changes beside its own files is said where it is asked for, and in its report.
func TestWhatIsNotTheStepsIsSaid(t *testing.T) {
	o := newOffice(t)
	o.approve = gate.Ask
	o.open()
	o.planned(step("a", nil, do("writeFile", "path", "a/1", "content", "x"), do("writeFile", "path", "other.go", "content", "x")))
	o.answer(func(nebula.Queued) nebula.Answer { return nebula.Answer{Answer: nebula.Yes} })
	const said = "not among the files of step a: other.go"
	e := o.run(task.Request{})
	if stages(e.Plan) != "a completed" || !strings.Contains(e.Plan.Steps[0].Report.Summary, said) {
		t.Errorf("%s: %+v", stages(e.Plan), e.Plan.Steps[0].Report)
	}
	var risks []string
	for _, q := range events[nebula.Queued](o) {
		risks = append(risks, strings.Join(gate.Risks(q.Proposed.Verdict, "en"), "; "))
	}
	if len(risks) != 2 || strings.Contains(risks[0], "not among") || !strings.Contains(risks[1], said) {
		t.Errorf("at the gate: %q", risks)
	}
}
