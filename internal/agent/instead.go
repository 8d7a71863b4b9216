package agent

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"nebula"
	"nebula/internal/gate"
	"nebula/internal/lists"
)

// instead carries out what the person wrote in the place of what was shown: another command, or other lines of a change. Nobody is asked about
// one's own words again, but what the mode forbids stays forbidden.
func (s *Session) instead(ctx context.Context, t nebula.Tool, shown nebula.Proposal, answer *nebula.Answered) nebula.Result {
	a := shown.Action
	own, said, err := s.rewritten(ctx, t, shown, answer.Command)
	if err != nil {
		return s.mistaken(a, err)
	}
	v := gate.Judge(s.rules(), own)
	if s.record(nebula.Proposed{Proposal: own, Verdict: v}) != nil {
		return nebula.Result{}
	}
	if v.Ruling == nebula.Deny {
		return s.denied(a, gate.Why(v, s.state.Lang))
	}
	r := s.granted(ctx, own, answer.By)
	if !lists.Has(s.state.Turn.Started, a.ID) {
		return r
	}
	r.Text = said + "\n" + r.Text
	return r
}

// rewritten is a proposal as the person wrote it, and what the model is told of that.
func (s *Session) rewritten(ctx context.Context, t nebula.Tool, shown nebula.Proposal, text string) (own nebula.Proposal, said string, err error) {
	a := shown.Action
	if shown.Command == "" {
		if own, err = s.propose(ctx, t, a); err != nil {
			return own, "", err
		}
		if nebula.Digest(own) != nebula.Digest(shown) || own.Instead == nil {
			return own, "", errors.New(s.say(changedSince))
		}
		if own, err = own.Instead(text); err != nil {
			return own, "", err
		}
		own.Action = a
		return s.known(own), fmt.Sprintf(s.say(changedFirst), "\n"+own.Diff), nil
	}
	if a, err = withCommand(a, t.Spec(), text); err != nil {
		return own, "", err
	}
	if own, err = s.propose(ctx, t, a); err == nil && own.Command != text {
		err = errors.New(s.say(noCommandHere))
	}
	return own, fmt.Sprintf(s.say(ranInstead), text), err
}

// withCommand is an action with another command.
func withCommand(a nebula.Action, spec nebula.ToolSpec, command string) (nebula.Action, error) {
	args := map[string]any{}
	if err := json.Unmarshal(a.Args, &args); err != nil {
		return a, err
	}
	for _, p := range spec.Params {
		if p.Payload {
			args[p.Name] = command
		}
	}
	var err error
	a.Args, err = json.Marshal(args)
	return a, err
}
