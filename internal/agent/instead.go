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

// instead runs the command that the person wrote in the place of the one that was shown. Nobody is asked about one's own
// words again, but what the mode forbids stays forbidden.
func (s *Session) instead(ctx context.Context, t nebula.Tool, a nebula.Action, answer *nebula.Answered) nebula.Result {
	own, err := withCommand(a, t.Spec(), answer.Command)
	if err != nil {
		return s.mistaken(a, err)
	}
	p, err := s.propose(ctx, t, own)
	if err == nil && p.Command != answer.Command {
		err = errors.New(s.say(noCommandHere))
	}
	if err != nil {
		return s.mistaken(a, err)
	}
	v := gate.Judge(s.rules(), p)
	if s.record(nebula.Proposed{Proposal: p, Verdict: v}) != nil {
		return nebula.Result{}
	}
	if v.Ruling == nebula.Deny {
		return s.denied(a, gate.Why(v, s.state.Lang))
	}
	r := s.granted(ctx, p, answer.By)
	if !lists.Has(s.state.Turn.Started, a.ID) {
		return r
	}
	r.Text = fmt.Sprintf(s.say(ranInstead), answer.Command) + "\n" + r.Text
	return r
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
