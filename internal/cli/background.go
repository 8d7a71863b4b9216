package cli

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"strings"

	"nebula"
	"nebula/internal/agent"
	"nebula/internal/config"
	"nebula/internal/fork"
	"nebula/internal/gate"
	"nebula/internal/headless"
	"nebula/internal/hook"
	"nebula/internal/lists"
	"nebula/internal/model"
	"nebula/internal/phrase"
	"nebula/internal/plan"
	"nebula/internal/prompt"
	"nebula/internal/task"
	"nebula/internal/tool"
	"nebula/internal/workspace"
)

// background is the loop that carries plans out beside the sessions of a folder.
func (s *session) background(at *project) *task.Loop {
	first := s.setup(s.models, at, "")
	bounds, limits := s.config.Plan, s.config.Limits
	return task.New(task.Setup{
		Plans: s.store, Project: s.dir, Lang: s.config.Lang, Load: s.store.Load, Lock: s.store.Lock,
		Ask: func(ctx context.Context, with nebula.Conduct, p nebula.Prompt, instead task.Instead) (nebula.Reply, error) {
			return s.models.ask(ctx, with.Model, p, instead)
		},
		Base: func() string { return at.steps.Prompt.Base(s.config.Lang) },
		Open: s.stepSession(at), Errand: s.aideSession(at),
		Forks: &forks{s, at},
		Tools: forTasks(append(first.Tools, at.foreign()...)), Read: "readFile", Tests: "runTests", Command: "executeShell", Checkable: s.tested(at, first.Checkable),
		Counted: tool.Counted, Look: s.present(at),
		Map: s.outlook(at.code), Text: s.texter(at), Facts: func() string { return entries(facts(at.work)) },
		CutOff: s.cutOff, GoesOn: len(s.actions) > 0 && s.actions[0].Tool == "runTasks", Complex: s.complex(s.config),
		Begin: nebula.Conduct{
			Model: s.config.Model, Protocol: s.config.Protocol, Mode: nebula.AgentMode, Approve: s.config.Approve, Parallel: bounds.Parallel,
			Turn: nebula.Bound{Requests: limits.Steps, Actions: limits.Actions, Tokens: limits.Tokens, Cost: limits.Cost, Time: limits.Time},
			Step: nebula.Bound{Tokens: bounds.StepTokens, Cost: bounds.StepCost, Time: bounds.StepTime},
			Plan: nebula.Bound{Tokens: bounds.Tokens, Cost: bounds.Cost},
		},
	})
}

// complex names the model for planning and hard steps: the one that somebody set, else the document's, beside the document's
// own default at the provider itself. Another model than that is the person's choice for all, and may be at a place that
// nothing is to leave.
func (p *program) complex(c config.Config) func(beside string) string {
	source := func(key string) string { v, _ := c.Value(key); return v.Source }
	_, from := model.First(known(c, p.env, p.words))
	set, usual := source("complex_model") != "default", c.Provider == "" && from != "" && source("model") == "default"
	return func(beside string) string {
		if set || usual && beside == c.Model {
			return c.ComplexModel
		}
		return ""
	}
}

// join makes a session the one that the loop works beside. waits has it wait for what it runs.
func (at *project) join(setup *agent.Setup, waits bool, others *aides) {
	setup.Became = task.Became(standing(at.work))
	if at.steps == nil {
		own := *setup // everything but the plans
		own.Brings, own.Expand = nil, nil
		if set, ok := own.Hooks.(hook.Set); ok {
			set.Step = true
			own.Hooks = set
		}
		at.steps = &own
	}
	setup.Beside = at.loop
	setup.Tools = append(lists.Clone(setup.Tools), tool.Plans(planner{task.Planner{Loop: at.loop, WaitFor: waits}})...)
	if others != nil {
		setup.Tools = append(setup.Tools, tool.Delegate(others))
	}
}

// A planner is a loop as the tools take it.
type planner struct{ task.Planner }

// Preview says what a run would work through.
func (p planner) Preview(ctx context.Context, r tool.PlanRun) (nebula.Plan, string, error) {
	return p.Loop.Preview(ctx, task.Request(r))
}

// Run works through a plan, and waits for it where nobody stays to see it.
func (p planner) Run(ctx context.Context, r tool.PlanRun) (string, nebula.EndStatus, error) {
	return p.Loop.Run(ctx, task.Request(r), p.WaitFor)
}

// forTasks are the tools that a task can be: those that look at the folder, change it, or run something in it.
func forTasks(tools []nebula.Tool) []nebula.ToolSpec {
	var specs []nebula.ToolSpec
	for _, t := range tools {
		switch spec := t.Spec(); spec.Effect {
		case nebula.Read, nebula.Write, nebula.Execute:
			if !spec.Quiet {
				specs = append(specs, spec)
			}
		}
	}
	return specs
}

// largestHashed bounds a file that is compared; tools change none that is larger.
const largestHashed = 64 << 20

// standing tells the hash and the mode of what is at a path.
func standing(work *workspace.Dir) func(string) (string, uint32, bool) {
	return func(path string) (string, uint32, bool) {
		e, err := work.Stat(path)
		if err != nil {
			return "", 0, false
		}
		switch {
		case e.Dir:
			return "", uint32(e.Mode), true
		case e.Link != "":
			return nebula.Hash([]byte(e.Link)), uint32(e.Mode), true
		}
		data, _, err := work.Read(path, largestHashed)
		return nebula.Hash(data), uint32(e.Mode), err == nil
	}
}

// largestShown bounds a file that is shown with a step.
const largestShown = 16 << 10

// present tells whether something is at a path, and whether it is a folder.
//
//go:noinline
func (s *session) present(at *project) func(tree, path string) (bool, bool) {
	return func(tree, path string) (folder, there bool) {
		s.within(at, tree, func(work *workspace.Dir) {
			e, err := work.Stat(path)
			folder, there = err == nil && e.Dir, err == nil
		})
		return folder, there
	}
}

// tested tells whether the folder, or a copy of it, has tests: a step may write the first of them in its copy.
//
//go:noinline
func (s *session) tested(at *project, here func() bool) func(tree string) bool {
	return func(tree string) bool {
		has := here()
		if !has && tree != "" {
			s.within(at, tree, func(work *workspace.Dir) { has = checkable(tool.All(work, tool.Options{})) })
		}
		return has
	}
}

// within does something in the folder, or in a copy of it.
func (s *session) within(at *project, tree string, do func(*workspace.Dir)) {
	if tree == "" {
		do(at.work)
		return
	}
	t, ok := fork.Open(tree)
	if !ok {
		return
	}
	if work, err := workspace.Open(t.Work(), s.store, s.own()...); err == nil {
		do(work)
		_ = work.Close() // it was only looked at
	}
}

//go:noinline
func (s *session) texter(at *project) func(tree, path string) (string, bool) {
	return func(tree, path string) (text string, ok bool) {
		if strings.ContainsAny(path, "*?[") {
			return "", false
		}
		s.within(at, tree, func(work *workspace.Dir) {
			if data, _, err := work.Read(path, largestShown); err == nil {
				_, ok = workspace.Text(data)
				text = string(data)
			}
		})
		return text, ok
	}
}

func entries(f prompt.Facts) string {
	if len(f.Entries) == 0 {
		return "empty"
	}
	return strings.Join(f.Entries[:min(len(f.Entries), 100)], " ")
}

// planning are the actions of run --plan: to propose, and to carry out what was proposed.
func planning(goal string) []nebula.Action {
	return []nebula.Action{
		{Call: "plan", Tool: "proposePlan", Args: arguments(map[string]string{"goal": goal}), Reason: goal},
		{Call: "run", Tool: "runTasks", Args: arguments(map[string]string{}), Reason: goal, DependsOn: []string{"plan"}},
	}
}

// running is the action that carries out a plan there is, or one step of it.
func running(plan, step, why string) []nebula.Action {
	args := map[string]string{"plan_id": plan}
	if step != "" {
		args["step_id"] = step
	}
	return []nebula.Action{{Call: "run", Tool: "runTasks", Args: arguments(args), Reason: why}}
}

// begins is the answer where nobody is there, but the person has approved the plan and given the command that runs it: to
// that alone it is their yes.
func begins(_ context.Context, q headless.Question) nebula.Answer {
	a := q.Proposed.Proposal.Action
	if q.Step == "" && a.Tool == "runTasks" && a.Call == "run" && q.Proposed.Verdict.Why == "runs_command" {
		return nebula.Answer{Answer: nebula.Yes, By: nebula.Person}
	}
	return headless.Nobody(q)
}

//go:noinline
func arguments(in map[string]string) json.RawMessage {
	b, _ := json.Marshal(in) // strings always marshal
	return b
}

// least is the policy that lets happen what a plan waits for: leave to edit, where that is an edit and was not given.
func least(why nebula.Code, approve string) string {
	_, args := why.Split()
	edits := len(args) > 0 && approve != string(gate.Edits) && slices.ContainsFunc(tool.Specs(), func(t nebula.ToolSpec) bool {
		return t.Effect == nebula.Write && strings.HasPrefix(args[len(args)-1]+" ", t.Name+" ")
	})
	if edits {
		return string(gate.Edits)
	}
	return string(gate.All)
}

// unapproved says what to do with a plan that waits.
func unapproved(o nebula.Outcome, approve, lang string) (nebula.Words, bool) {
	p := o.Plan
	switch {
	case p == nil:
		return nebula.Words{}, false
	case o.Status == nebula.NeedsApproval && p.Approved != "" && p.Why != "": // it covers what it names; this is beside it
		done := 0
		for _, s := range p.Steps {
			if s.Status == nebula.Completed {
				done++
			}
		}
		return nebula.Say("plan %s: %s, %d of %d steps are done; allow the rest with nebula plan run %s --approve %s, or go on in a terminal", p.ID, phrase.OneLine(plan.Say(p.Why, lang), 0), done, len(p.Steps), p.ID, least(p.Why, approve)), true
	case o.Status == nebula.NeedsApproval:
		return nebula.Say("plan %s waits for approval; read it with nebula plan show %s, then let it do what it names: nebula plan approve %s && nebula plan run %s; or go on in a terminal", p.ID, p.ID, p.ID, p.ID), true
	case o.Status == nebula.NeedsInput && p.Approved != "":
		why := cmp.Or(p.Why, "waits")
		said := phrase.OneLine(plan.Say(why, lang), 0)
		if id, _ := why.Split(); id == plan.StepWaits { // it asks of a command that was cut off
			return nebula.Say("plan %s: %s; answer in a terminal with nebula plan run %s, or see its --cut-off", p.ID, said, p.ID), true
		}
		return nebula.Say("plan %s: %s; answer in a terminal with nebula plan run %s", p.ID, said, p.ID), true
	case o.Status == nebula.LimitReached && p.Approved != "" && p.Why != "":
		return nebula.Say("plan %s: %s; go on with nebula plan run %s", p.ID, phrase.OneLine(plan.Say(p.Why, lang), 0), p.ID), true
	}
	return nebula.Words{}, false
}
