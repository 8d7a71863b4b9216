package plan

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"nebula"
	"nebula/internal/protocol"
)

// document finds the JSON object in a reply: the first that can be read, however it is wrapped.
func document(reply string, into any) error {
	err := nebula.Errorf("there is no JSON object in the reply")
	for at := 0; ; at++ {
		i := strings.IndexByte(reply[at:], '{')
		if i < 0 {
			return err
		}
		at += i
		read, failure := protocol.Read(reply[at:])
		if failure != nil {
			err = nebula.Errorf("the JSON cannot be read: %w", failure)
			continue
		}
		if len(read.Doubts) > 0 {
			d := read.Doubts[0]
			return nebula.Errorf("the text of %s (line %d) is not certain: %s; escape quotes and backslashes", strings.Join(d.Keys, "."), d.Line, d.What)
		}
		return json.Unmarshal(read.JSON, into)
	}
}

// Read reads the plan that a model proposes. Steps without ids get them; what they depend on may be named by id, name
// or number.
func Read(reply, goal string) (nebula.Plan, error) {
	var in struct {
		Name  string          `json:"name"`
		Goal  string          `json:"goal"`
		Steps []ProposedStep  `json:"steps"`
		Plan  json.RawMessage `json:"plan"`
	}
	if err := document(reply, &in); err != nil {
		return nebula.Plan{}, err
	}
	if len(in.Steps) == 0 && len(in.Plan) > 0 && in.Plan[0] == '{' {
		return Read(string(in.Plan), goal)
	}
	p := New(in.Name, cmp.Or(goal, in.Goal), in.Steps)
	return p, Validate(p)
}

// A ProposedStep is a step as a model writes it.
type ProposedStep struct {
	ID          label         `json:"step_id"`
	Other       label         `json:"id"`
	Name        string        `json:"name"`
	Description string        `json:"description"`
	DependsOn   labels        `json:"depends_on"`
	Files       labels        `json:"files"`
	Verify      nebula.Verify `json:"verify"`
}

// A label is a name that may be written as a number, and labels a list of them that may be one alone.
type (
	label  string
	labels []string
)

// UnmarshalJSON implements json.Unmarshaler.
func (l *label) UnmarshalJSON(data []byte) error {
	var text string
	if json.Unmarshal(data, &text) == nil {
		*l = label(strings.TrimSpace(text))
		return nil
	}
	*l = label(strings.TrimSpace(string(data)))
	return nil
}

// UnmarshalJSON implements json.Unmarshaler.
func (l *labels) UnmarshalJSON(data []byte) error {
	var many []label
	if json.Unmarshal(data, &many) != nil {
		var one label
		if err := json.Unmarshal(data, &one); err != nil {
			return err
		}
		many = []label{one}
	}
	*l = nil
	for _, one := range many {
		if one != "" && one != "null" {
			*l = append(*l, string(one))
		}
	}
	return nil
}

// New is a draft of a plan with these steps.
func New(name, goal string, steps []ProposedStep) nebula.Plan {
	p := nebula.Plan{Name: cmp.Or(line(name), shorter(goal, 60)), Goal: strings.TrimSpace(goal), Status: nebula.Draft}
	for n, in := range steps {
		id := string(in.ID)
		if id == "" {
			id = string(in.Other)
		}
		if id == "" || strings.ContainsAny(id, " \t\n,[]") {
			id = fmt.Sprintf("step_%03d", n+1)
		}
		p.Steps = append(p.Steps, nebula.PlanStep{ID: id, Name: line(in.Name), Description: strings.TrimSpace(in.Description), Status: nebula.Pending,
			Files: in.Files, Verify: in.Verify})
	}
	for n, in := range steps {
		on := []string{}
		for _, d := range in.DependsOn {
			on = append(on, named(p, steps, d))
		}
		p.Steps[n].DependsOn = on
	}
	return p
}

// named is the id of the step that a dependency means.
func named(p nebula.Plan, steps []ProposedStep, d string) string {
	for i, s := range p.Steps {
		if s.ID == d || string(steps[i].ID) == d || string(steps[i].Other) == d {
			return s.ID
		}
	}
	for _, s := range p.Steps {
		if strings.EqualFold(s.Name, d) {
			return s.ID
		}
	}
	if i, ok := Index(p, d); ok {
		return p.Steps[i].ID
	}
	return d
}

// ReadTasks reads the tasks that a model proposes for a step, and holds them to the tools. What they hold is the step's
// agent's to complete.
func ReadTasks(reply string, tools []nebula.ToolSpec) ([]nebula.Task, error) {
	var in struct {
		Tasks []ProposedTask `json:"task_list"`
		Other []ProposedTask `json:"tasks"`
	}
	if err := document(reply, &in); err != nil {
		return nil, err
	}
	if len(in.Tasks) == 0 {
		in.Tasks = in.Other
	}
	return makeTasks(in.Tasks, tools, nebula.ByAgent)
}

// A ProposedTask is a task as a model writes it.
type ProposedTask struct {
	ID        string          `json:"task_id"`
	Operation string          `json:"operation"`
	Tool      string          `json:"tool"`
	Args      json.RawMessage `json:"args"`
	Reason    string          `json:"reason"`
	Reasoning string          `json:"reasoning"`
}

// MakeTasks are the tasks that were given, held to the tools: what they cannot be carried out with is an error that says
// so, before anything runs.
func MakeTasks(in []ProposedTask, tools []nebula.ToolSpec) ([]nebula.Task, error) {
	return makeTasks(in, tools, "")
}

func makeTasks(in []ProposedTask, tools []nebula.ToolSpec, by string) ([]nebula.Task, error) {
	switch {
	case len(in) == 0:
		return nil, nebula.Errorf(`there are no tasks in "task_list"`)
	case len(in) > MostTasks:
		return nil, nebula.Errorf("there are %d tasks; a step has %d at most: make two steps of it", len(in), MostTasks)
	}
	var tasks []nebula.Task
	var wrong []error
	for n, t := range in {
		task, err := makeTask(t, tools, by)
		if err != nil {
			wrong = append(wrong, nebula.Errorf("task %d: %w", n+1, err))
		}
		tasks = append(tasks, task)
	}
	return tasks, errors.Join(wrong...)
}

func makeTask(in ProposedTask, tools []nebula.ToolSpec, by string) (nebula.Task, error) {
	name := cmp.Or(in.Operation, in.Tool)
	i := slices.IndexFunc(tools, func(t nebula.ToolSpec) bool { return t.Answers(name) })
	if i < 0 {
		var names []string
		for _, t := range tools {
			names = append(names, t.Name)
		}
		return nebula.Task{}, nebula.Errorf("there is no tool %q for tasks; there are %s", name, strings.Join(names, ", "))
	}
	args := map[string]json.RawMessage{}
	if len(in.Args) > 0 {
		if err := json.Unmarshal(in.Args, &args); err != nil {
			return nebula.Task{}, nebula.Errorf("args of %s are not a JSON object", tools[i].Name)
		}
	}
	reason := cmp.Or(line(in.Reason), line(in.Reasoning))
	if raw, ok := args["reason"]; ok {
		var said string
		if json.Unmarshal(raw, &said) == nil {
			reason = cmp.Or(reason, line(said))
		}
		delete(args, "reason")
	}
	for _, p := range tools[i].Params {
		if v, ok := args[p.Name]; p.Required && by == "" && (!ok || string(v) == "null") {
			return nebula.Task{}, nebula.Errorf("%s needs %q", tools[i].Name, p.Name)
		}
	}
	for given := range args {
		if !slices.ContainsFunc(tools[i].Params, func(p nebula.Param) bool { return p.Name == given }) {
			return nebula.Task{}, nebula.Errorf("%s takes no %q", tools[i].Name, given)
		}
	}
	clean, err := json.Marshal(args)
	if err != nil {
		return nebula.Task{}, err
	}
	return nebula.Task{ID: in.ID, Operation: tools[i].Name, Args: clean, Reason: reason, By: by, Status: nebula.Pending}, nil
}

// Number gives tasks ids that are unique in the plan.
func Number(step string, tasks []nebula.Task, used []nebula.Task) []nebula.Task {
	taken := map[string]bool{}
	for _, t := range used {
		taken[t.ID] = true
	}
	n := len(used)
	for i := range tasks {
		for tasks[i].ID = ""; tasks[i].ID == ""; {
			n++
			if id := fmt.Sprintf("%s.%d", step, n); !taken[id] {
				tasks[i].ID, taken[id] = id, true
			}
		}
	}
	return tasks
}
