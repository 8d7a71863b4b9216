package cli

import (
	"context"
	"errors"
	"os"
	"path/filepath"

	"nebula"
	"nebula/internal/agent"
	"nebula/internal/fork"
	"nebula/internal/gate"
	"nebula/internal/lists"
	"nebula/internal/model"
	"nebula/internal/prompt"
	"nebula/internal/task"
	"nebula/internal/tool"
)

// forks are the copies of the folder in which steps of a plan work side by side. It implements task.Forks. They lie beside
// nebula's own folders, as nobody may change these.
type forks struct {
	*session
	at *project
}

// forkedFiles is how many files a folder may have that is copied.
const forkedFiles = 50_000

// Fits implements task.Forks. Work that reaches further folders has them in common, and cannot be done apart.
func (f *forks) Fits(ctx context.Context) bool {
	most := fork.Bound{Bytes: int64(f.config.Plan.Copy) << 20, Files: forkedFiles}
	return most.Bytes > 0 && f.broad == "" && len(f.config.Folders) == 0 && fork.Fits(ctx, f.dir, most, f.own()...)
}

// Make implements task.Forks.
func (f *forks) Make(ctx context.Context, plan, step string) (string, error) {
	all := filepath.Join(f.config.Home.State+".forks", nebula.Hash([]byte(f.dir))[:16])
	f.sweep(ctx, all)
	tree := filepath.Join(all, plan, nebula.Hash([]byte(step))[:16])
	_, err := fork.Make(ctx, f.dir, tree, f.own()...)
	return tree, err
}

// sweep removes the copies of plans that need none any more.
func (f *forks) sweep(ctx context.Context, all string) {
	plans, _ := os.ReadDir(all)
	for _, d := range plans {
		p, err := f.store.Plan(ctx, f.dir, d.Name())
		if errors.Is(err, nebula.ErrNoPlan) || err == nil && p.Status == nebula.Completed {
			_ = os.RemoveAll(filepath.Join(all, d.Name())) // the next one tries again
		}
	}
}

// Whole implements task.Forks.
func (f *forks) Whole(tree string) bool {
	_, ok := fork.Open(tree)
	return ok
}

// errNoFork is of a copy that was there a moment ago.
var errNoFork = errors.New("the step's copy of the folder is gone")

// Bring implements task.Forks.
func (f *forks) Bring(ctx context.Context, tree string) (brought, conflicts []string, err error) {
	t, ok := fork.Open(tree)
	if !ok {
		return nil, nil, errNoFork
	}
	t.Ignores = f.at.work.Ignores
	b, err := t.Bring(ctx, f.dir, f.own()...)
	return b.Paths, b.Conflicts, err
}

// Marked implements task.Forks.
func (f *forks) Marked(tree string, paths []string) []string {
	t, ok := fork.Open(tree)
	return lists.Drop(lists.Clone(paths), func(path string) bool { return !ok || !t.Marked(path) })
}

// Join implements task.Forks.
func (f *forks) Join(ctx context.Context, with nebula.Conduct, id, tree string) (task.Conversation, *nebula.Action, error) {
	t, ok := fork.Open(tree)
	if !ok {
		return nil, nil, errNoFork
	}
	t.Ignores = f.at.work.Ignores
	changes := func(ctx context.Context) ([]nebula.Change, error) { return t.Changes(ctx, f.store.Keep) }
	join := tool.Join(f.at.work, changes)
	setup := f.stepSetup(f.at, with)
	setup.Tools = append(lists.Clone(setup.Tools), join)
	c, err := agent.Open(ctx, setup, id)
	if err != nil {
		return nil, nil, err
	}
	left, err := changes(ctx)
	if err != nil || len(left) == 0 {
		return c, nil, err
	}
	return c, &nebula.Action{Tool: join.Spec().Name, Args: []byte("{}")}, nil
}

// Remove implements task.Forks.
func (f *forks) Remove(tree string) {
	if t, ok := fork.Open(tree); ok {
		_ = t.Remove() // what stays is removed when the step has another
	}
}

// apart is the project in a step's copy of the folder: everything of it but the loop is its own.
func (s *session) apart(at *project, tree string) (*project, error) {
	t, ok := fork.Open(tree)
	if !ok {
		return nil, errNoFork
	}
	there := &session{program: s.program, given: s.given, config: s.config, store: s.store, models: s.models, dir: t.Work(), alone: s.alone}
	work, err := there.folder()
	if err != nil {
		return nil, err
	}
	of := &project{work: work, code: there.code(work), denied: at.denied}
	setup := there.setup(s.models, of, "")
	if err := there.tune(&setup); err != nil {
		return nil, errors.Join(err, of.code.Close(), work.Close())
	}
	setup.Prompt.Memory = at.steps.Prompt.Memory
	setup.Became = task.Became(standing(work))
	setup.Begin.Dir = s.dir
	of.steps = &setup
	return of, nil
}

// A forked conversation closes its copy of the folder when it has ended.
type forked struct {
	*agent.Session
	at *project
}

// Wait implements task.Conversation.
func (f forked) Wait() error {
	err := f.Session.Wait()
	_ = f.at.code.Close() // it can be made again
	return errors.Join(err, f.at.work.Close())
}

// stepSession opens a step's session: like the conversation's, with its own prompts, and with what its plan runs with.
//
//go:noinline
func (s *session) stepSession(at *project) func(context.Context, nebula.Conduct, string, string) (task.Conversation, error) {
	return func(ctx context.Context, with nebula.Conduct, id, tree string) (task.Conversation, error) {
		if tree == "" {
			c, err := agent.Open(ctx, s.stepSetup(at, with), id)
			if err != nil {
				return nil, err
			}
			return c, nil
		}
		of, err := s.apart(at, tree)
		if err != nil {
			return nil, err
		}
		setup := s.stepSetup(of, with)
		setup.Begin.Tree = of.work.Path()
		c, err := agent.Open(ctx, setup, id)
		if err != nil {
			return nil, errors.Join(err, of.code.Close(), of.work.Close())
		}
		return forked{c, of}, nil
	}
}

// stepSetup is what a step's session works with.
func (s *session) stepSetup(at *project, with nebula.Conduct) agent.Setup {
	setup := *at.steps
	setup.Prefix, setup.Unwatched, setup.Exposed = nebula.StepPrefix, true, true
	setup.Became = task.Declared(setup.Became, s.cutOff, "runTests", s.config.Lang)
	of := setup.Prompt
	setup.Prompt = &prompt.Builder{Texts: of.Texts, Facts: facts(at.work), Memory: of.Memory, Limits: of.Limits, Count: model.Estimate}
	setup.Advice = s.advice(at.work) // of its own: a session keeps what it was told
	setup.Approve = gate.Approve(with.Approve)
	setup.Limits = agent.Limits{Steps: with.Turn.Requests, Actions: with.Turn.Actions, Tokens: with.Turn.Tokens, New: s.config.Limits.New, Cost: with.Turn.Cost, Time: with.Turn.Time, All: with.Step}
	if t := with.Step.Time; t > 0 && (t < setup.Limits.Time || setup.Limits.Time == 0) {
		setup.Limits.Time = t
	}
	setup.Checkable = func() bool { return false } // the loop checks the step itself
	setup.Begin = nebula.Started{Dir: s.dir, Lang: s.config.Lang, Model: with.Model, Protocol: with.Protocol, Mode: with.Mode}
	return setup
}
