package task_test

import (
	"cmp"
	"context"
	"errors"
	"path/filepath"
	"slices"

	"nebula"
	"nebula/internal/agent"
	"nebula/internal/fork"
	"nebula/internal/gate"
	"nebula/internal/nebulatest"
	"nebula/internal/protocol/toolcall"
	"nebula/internal/task"
	"nebula/internal/tool"
	"nebula/internal/workspace"
)

// step opens a step's session, in the folder or in a copy of it.
func (o *office) step(ctx context.Context, with nebula.Conduct, id, tree string) (task.Conversation, error) {
	setup := o.stepSetup(with)
	if tree == "" {
		return agent.Open(ctx, setup, id)
	}
	work, err := workspace.Open(tree, o.store)
	if err != nil {
		return nil, err
	}
	setup.Tools, setup.Restore, setup.Begin.Tree = tool.All(work, tool.Options{}), work.Restore, tree
	setup.Became = task.Declared(task.Became(func(path string) (string, uint32, bool) { return lookIn(tree, path) }), o.cutOff, "runTests", "en")
	c, err := agent.Open(ctx, setup, id)
	if err != nil {
		return nil, errors.Join(err, work.Close())
	}
	return apart{c, work}, nil
}

// An apart conversation closes its copy of the folder when it has ended.
type apart struct {
	*agent.Session
	work *workspace.Dir
}

func (a apart) Wait() error { return errors.Join(a.Session.Wait(), a.work.Close()) }

func (o *office) stepSetup(with nebula.Conduct) agent.Setup {
	setup := o.setup()
	setup.Model = func(string) (nebula.Model, error) { return &nebulatest.Script{Answers: o.reply}, nil }
	setup.Protocol = func(string, nebula.ModelInfo) (nebula.Protocol, error) {
		return cmp.Or(o.steps, nebula.Protocol(toolcall.Protocol{})), nil
	}
	setup.Limits.All = with.Step
	setup.Became = task.Declared(setup.Became, o.cutOff, "runTests", "en")
	setup.Prefix, setup.Unwatched = nebula.StepPrefix, true
	setup.Begin.Mode, setup.Approve = with.Mode, gate.Approve(cmp.Or(with.Approve, string(setup.Approve)))
	return setup
}

// forks are an office's copies of its folder.
type forks struct{ o *office }

func (f forks) Fits(ctx context.Context) bool {
	return fork.Fits(ctx, f.o.dir, fork.Bound{Bytes: 1 << 20, Files: 1000})
}

func (f forks) Make(ctx context.Context, plan, step string) (string, error) {
	t, err := fork.Make(ctx, f.o.dir, filepath.Join(f.o.home, "forks", plan, step))
	if err != nil {
		return "", err
	}
	return t.Work(), nil
}

func (f forks) of(tree string) *fork.Fork {
	t, ok := fork.Open(filepath.Dir(tree))
	if ok {
		t.Ignores = f.o.work.Ignores
	}
	return t
}

func (f forks) Whole(tree string) bool { return f.of(tree) != nil }

func (f forks) Bring(ctx context.Context, tree string) ([]string, []string, error) {
	b, err := f.of(tree).Bring(ctx, f.o.dir)
	return b.Paths, b.Conflicts, err
}

func (f forks) Marked(tree string, paths []string) []string {
	return slices.DeleteFunc(slices.Clone(paths), func(p string) bool { return !f.of(tree).Marked(p) })
}

func (f forks) Join(ctx context.Context, with nebula.Conduct, id, tree string) (task.Conversation, *nebula.Action, error) {
	changes := func(ctx context.Context) ([]nebula.Change, error) { return f.of(tree).Changes(ctx, f.o.store.Keep) }
	setup := f.o.stepSetup(with)
	setup.Tools = append(setup.Tools, tool.Join(f.o.work, changes))
	c, err := agent.Open(ctx, setup, id)
	if err != nil {
		return nil, nil, err
	}
	left, err := changes(ctx)
	if err != nil || len(left) == 0 {
		return c, nil, err
	}
	return c, &nebula.Action{Tool: "joinStep", Args: []byte("{}")}, nil
}

func (f forks) Remove(tree string) { _ = f.of(tree).Remove() }
