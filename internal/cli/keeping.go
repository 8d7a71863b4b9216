package cli

import (
	"context"
	"errors"

	"nebula"
	"nebula/internal/agent"
	"nebula/internal/gate"
	"nebula/internal/workspace"
)

// A keeping is the one tool of a session in which what a command did on a view is kept: so it is recorded like any other
// change, and undo takes it back.
type keeping struct {
	effects *workspace.Effects
	want    func(nebula.Change) bool
	line    string

	made  []nebula.Change
	left  []nebula.Left
	aside []string
	err   error
}

// Spec implements nebula.Tool.
func (k *keeping) Spec() nebula.ToolSpec { return nebula.ToolSpec{Name: "keep", Effect: nebula.Write} }

// Propose implements nebula.Tool.
func (k *keeping) Propose(_ context.Context, a nebula.Action, _ nebula.View) (nebula.Proposal, error) {
	return nebula.Proposal{Action: a, Effect: nebula.Write, Targets: k.effects.Grants(), Summary: "nebula try -- " + k.line, Do: k.do}, nil
}

func (k *keeping) do(ctx context.Context, r nebula.Run) (nebula.Result, error) {
	if k.err = k.effects.Named(r.ID); k.err != nil {
		k.effects.Drop()
		return nebula.Result{}, k.err
	}
	k.made, k.left, k.aside, k.err = k.effects.Keep(context.WithoutCancel(ctx), r.Grant, k.want)
	return nebula.Result{Changes: k.made}, k.err
}

// keep keeps what the person wants, in a session of its own that nobody talks in.
func (s *session) keep(ctx context.Context, work *workspace.Dir, k *keeping) error {
	s.models = newModels(s.program, s.config)
	setup := s.setup(s.models, &project{work: work}, "")
	setup.Prefix, setup.Unwatched, setup.Approve, setup.Begin.Mode = nebula.StepPrefix, true, gate.Ask, nebula.AgentMode
	setup.Tools = []nebula.Tool{k}
	conversation, err := agent.Open(ctx, setup, "")
	if err != nil {
		k.effects.Drop()
		return err
	}
	err = conversation.Send(ctx, nebula.Perform{Text: "nebula try -- " + k.line, By: nebula.Person, Actions: []nebula.Action{{Call: "keep", Tool: "keep", Args: []byte("{}")}}})
	if err == nil {
		for e := range conversation.Events(ctx, nebula.FromOpening) {
			if asked, ok := e.Body.(nebula.Asked); ok { // the person has said so already
				err = conversation.Send(ctx, nebula.Answer{Ask: asked.Ask, Answer: nebula.Yes, By: nebula.Person})
			}
			if _, ended := e.Body.(nebula.Ended); ended || err != nil {
				break
			}
		}
	}
	_ = conversation.Send(ctx, nebula.Close{}) // Wait tells how it ended
	return errors.Join(err, conversation.Wait(), k.err)
}
