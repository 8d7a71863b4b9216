package agent

import (
	"context"
	"errors"
	"fmt"

	"nebula"
)

// settle closes what an earlier process left open when it ended in the middle: every action of an open reply gets its
// result, so that no history arises that a model would refuse.
func (s *Session) settle() error {
	if asked := s.state.Turn.Asked; asked != nil && s.state.Turn.Open {
		if err := s.record(nebula.Answered{Ask: asked.Ask, Answer: nebula.No, By: "restart"}); err != nil {
			return err
		}
	}
	unfinished, began := s.state.Unfinished()
	for _, a := range unfinished {
		r := result(a, nebula.Skipped, s.say(endedBefore))
		if began[a.ID] {
			r = s.became(a)
		}
		if err := s.record(nebula.Finished{Result: r}); err != nil {
			return err
		}
	}
	if r := s.state.Turn.Reply; r != nil {
		if err := s.observe(*r, nil); err != nil {
			return err
		}
	}
	if s.state.Turn.Open {
		return s.record(nebula.Ended{Outcome: s.state.Outcome(nebula.Cancelled, "")})
	}
	return nil
}

// became is the result of an action that was under way: what can be told of it now, or that it is not known.
func (s *Session) became(a nebula.Action) nebula.Result {
	unknown := result(a, nebula.Interrupted, s.say(endedDuring))
	p := s.state.Turn.Pending
	if p == nil || p.Proposal.Action.ID != a.ID || s.setup.Became == nil {
		return unknown
	}
	r, known := s.setup.Became(p.Proposal)
	switch {
	case !known:
		return unknown
	case r.Status != nebula.Done:
		return result(a, nebula.Skipped, s.say(endedBefore))
	}
	done := result(a, nebula.Done, s.say(endedAfter))
	done.Changes, done.Seen = r.Changes, r.Seen
	return done
}

// undo takes back, or brings back, the file changes of a turn.
func (s *Session) undo(redo bool) error {
	turn, ok := s.state.LastChanges(redo)
	if !ok {
		if redo {
			return errors.New(s.say(noRedo))
		}
		return errors.New(s.say(noUndo))
	}
	if s.setup.Restore == nil {
		return errors.New(s.say(cannotUndo))
	}
	name := "undo"
	if redo {
		name = "redo"
	}
	p := nebula.Proposal{
		Action:  nebula.Action{ID: fmt.Sprintf("%s%d", name, s.state.Seq), Tool: name},
		Effect:  nebula.Write,
		Targets: restored(turn.Changes),
		Summary: fmt.Sprintf("%s turn %d", name, turn.Turn),
	}
	g := nebula.NewGrant(p.Action.ID, "person", p)
	if err := s.record(nebula.Began{Action: p.Action.ID, Grant: g.ID, By: g.By}); err != nil {
		return err
	}
	if err := g.Open(p); err != nil {
		return err
	}
	defer g.Close()
	made, err := s.setup.Restore(context.WithoutCancel(s.ctx), g, turn.Changes)
	if err != nil && len(made) == 0 {
		return err
	}
	if err := s.record(nebula.Undone{Turn: turn.Turn, Redo: redo, Changes: made}); err != nil {
		return err
	}
	return err
}

// restored are the files that taking changes back touches, each as the last change left it.
func restored(changes []nebula.Change) []nebula.Target {
	at := map[string]int{}
	var targets []nebula.Target
	for _, c := range changes {
		i, ok := at[c.Path]
		if !ok {
			i = len(targets)
			at[c.Path] = i
			targets = append(targets, nebula.Target{Path: c.Path, Kind: "restore"})
		}
		targets[i].Hash = c.After
	}
	return targets
}
