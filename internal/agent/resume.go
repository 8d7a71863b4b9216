package agent

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"nebula"
	"nebula/internal/lists"
	"nebula/internal/phrase"
	"nebula/internal/state"
)

// settle closes what an earlier process left open when it ended in the middle: every action of an open reply gets its
// result, so that no history arises that a model would refuse. cut says what was changed by an action that was cut off.
func (s *Session) settle() (cut []nebula.Body, err error) {
	if asked := s.state.Turn.Asked; asked != nil && s.state.Turn.Open {
		if err := s.record(nebula.Answered{Ask: asked.Ask, Answer: nebula.No, By: nebula.Restart}); err != nil {
			return nil, err
		}
	}
	unfinished, began := s.state.Unfinished()
	for _, a := range unfinished {
		r := result(a, nebula.Skipped, s.say(endedBefore))
		if began[a.ID] {
			r = s.became(a)
			cut = append(cut, s.cutOff(r)...)
		}
		if err := s.record(nebula.Finished{Result: r}); err != nil {
			return nil, err
		}
	}
	if r := s.state.Turn.Reply; r != nil {
		if err := s.observe(*r, nil); err != nil {
			return nil, err
		}
	}
	if s.state.Turn.Open {
		return cut, s.record(nebula.Ended{Outcome: s.state.Outcome(nebula.Cancelled, "")})
	}
	return cut, nil
}

// cutOff tells the person what an action changed that was cut off, and of what that is not sure; nothing where it changed nothing.
func (s *Session) cutOff(r nebula.Result) (told []nebula.Body) {
	what := r.Tool
	if p := s.state.Turn.Pending; p != nil && p.Proposal.Action.ID == r.Action {
		what = cmp.Or(p.Proposal.Line(), p.Proposal.Summary, what)
	}
	var changed []string
	for _, c := range r.Changes {
		if c.OfFile() && !lists.Has(changed, c.Path) {
			changed = append(changed, c.Path)
		}
	}
	for n, paths := range [][]string{changed, r.Lost} {
		more := ""
		if n := len(paths) - cutShown; n > 0 {
			paths, more = paths[:cutShown], fmt.Sprintf(" (+%d)", n)
		}
		if len(paths) > 0 {
			told = append(told, s.warns([]sentence{cutChanged, cutUnsure}[n], what, strings.Join(paths, ", ")+more))
		}
	}
	return told
}

// cutShown bounds the paths that are named.
const cutShown = 10

// became is the result of an action that was under way: what can be told of it now, or that it is not known.
func (s *Session) became(a nebula.Action) nebula.Result {
	unknown := result(a, nebula.Interrupted, s.say(endedDuring))
	p := s.state.Turn.Pending
	if s.setup.Remains != nil {
		var known bool
		unknown.Changes, unknown.Lost, known = s.setup.Remains(s.ctx, s.named(a), nil)
		mine := p != nil && p.Proposal.Action.ID == a.ID
		if mine && (p.Proposal.Viewed || p.Proposal.Ran != "" || known && p.Proposal.Effect == nebula.Write) { // what it targets tells less
			return s.viewed(a, unknown.Changes)
		}
		unknown.Blind = !known && mine && p.Proposal.Effect == nebula.Execute && p.Proposal.Plan == "" // the steps tell of theirs
	}
	if p == nil || p.Proposal.Action.ID != a.ID || s.setup.Became == nil {
		return unknown
	}
	r, known := s.setup.Became(p.Proposal)
	switch {
	case !known:
		unknown.Changes = append(unknown.Changes, r.Changes...)
		return unknown
	case r.Status != nebula.Done:
		skipped := result(a, nebula.Skipped, s.say(endedBefore))
		skipped.Changes = r.Changes
		return skipped
	}
	if r.Text != "" { // somebody's word, where nothing tells: what of it was seen stays
		unknown.Status, unknown.Text = nebula.Done, r.Text
		return unknown
	}
	done := result(a, nebula.Done, s.say(endedAfter))
	done.Changes, done.Seen = r.Changes, r.Seen
	return done
}

// viewed is the result of a command that ran on a view: the folder has of it what was being kept, and else nothing.
func (s *Session) viewed(a nebula.Action, kept []nebula.Change) nebula.Result {
	at := strings.Join(s.state.Turn.Tried, ", ")
	switch {
	case len(kept) == 0 && at != "":
		return result(a, nebula.Interrupted, fmt.Sprintf(s.say(endedBeyond), at))
	case len(kept) == 0:
		return result(a, nebula.Interrupted, s.say(endedOnView))
	}
	said := s.say(endedAfter)
	if at != "" {
		said = fmt.Sprintf(s.say(keptBeyond), said, at)
	}
	done := result(a, nebula.Done, said)
	done.Changes = kept
	return done
}

// named is what an action is called across sessions and processes.
//
//go:noinline
func (s *Session) named(a nebula.Action) string { return s.state.Session + "/" + a.ID }

// undo takes back, or brings back, the file changes of a turn.
func (s *Session) undo(redo bool) error {
	turn, ok := s.state.LastChanges(redo, s.ready)
	for ok && !redo && s.setup.Idle != nil && turn.Whole() && s.setup.Idle(s.ctx, turn.Changes) { // it does nothing, and a redo of it is to do as much
		if err := s.record(nebula.Undone{Turn: turn.Turn}); err != nil {
			return err
		}
		turn, ok = s.state.LastChanges(redo, s.ready)
	}
	if !ok {
		switch {
		case redo:
			return errors.New(s.say(noRedo))
		case len(s.state.Journal) > 0:
			return errors.New(s.say(allUndone))
		case len(s.state.Reached) > 0:
			return fmt.Errorf(s.say(undoneBeyond), s.say(noUndo), strings.Join(s.state.Reached, ", "))
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
	id := fmt.Sprintf("%s%d", name, s.state.Seq)
	began := nebula.Began{Action: id, Grant: id, By: nebula.Person, Turn: turn.Turn, Redo: redo}
	if !redo {
		began.Found = s.again(turn)
	}
	if err := s.record(began); err != nil {
		return err
	}
	for _, t := range s.state.Takeable(redo) {
		if t.Turn == turn.Turn {
			turn = t // with what was found
			break
		}
	}
	return s.restore(id, turn, redo)
}

// again looks once more at what commands of a turn changed that could not be seen when they ended.
func (s *Session) again(turn state.TurnChanges) (found []nebula.Found) {
	if s.setup.Remains == nil {
		return nil
	}
	for _, b := range turn.Blind {
		changes, lost, known := s.setup.Remains(s.ctx, b.Session+"/"+b.Action, turn.Changes[b.At:])
		if !known {
			continue
		}
		changes = lists.Drop(changes, func(c nebula.Change) bool {
			return slices.ContainsFunc(turn.Changes, func(o nebula.Change) bool {
				return c.Name() == o.Name() && c.Kind == o.Kind && c.Before == o.Before && c.After == o.After && c.ModeAfter == o.ModeAfter
			})
		})
		found = append(found, nebula.Found{Session: b.Session, Action: b.Action, Changes: changes, Lost: lost})
	}
	return found
}

// ready reports whether something of changes that were left can be taken back as the folder is now.
//
//go:noinline
func (s *Session) ready(changes []nebula.Change) bool {
	return s.setup.Ready == nil || s.setup.Ready(s.ctx, changes)
}

// goOn finishes an undo, or a redo, in whose middle an earlier process ended. Where it cannot be done now, it is when the
// session is opened again.
func (s *Session) goOn() error {
	b := *s.state.Undoing
	turns := s.state.Takeable(b.Redo)
	n := slices.IndexFunc(turns, func(t state.TurnChanges) bool { return t.Turn == b.Turn })
	if n < 0 {
		return nil
	}
	if err := s.restore(b.Action, turns[n], b.Redo); err != nil && s.err != nil {
		return s.err
	}
	return nil
}

// restore carries an undo out: what it came to is recorded, also where it could do nothing.
func (s *Session) restore(id string, turn state.TurnChanges, redo bool) error {
	p := nebula.Proposal{
		Action:  nebula.Action{ID: id, Tool: id},
		Effect:  nebula.Write,
		Targets: restored(turn.Changes),
		Summary: fmt.Sprintf("%s turn %d", id, turn.Turn),
	}
	g := nebula.NewGrant(id, nebula.Person, p)
	if err := g.Open(p); err != nil {
		return err
	}
	defer g.Close()
	made, left, err := s.setup.Restore(context.WithoutCancel(s.ctx), g, turn.Changes)
	if err != nil {
		_ = s.record(nebula.Undone{Turn: turn.Turn, Redo: redo, Failed: phrase.Of(err)}) // record keeps the error
		return err
	}
	for _, path := range turn.Lost {
		left = append(left, nebula.Left{Path: path, Why: nebula.NeverKept})
	}
	if !redo {
		for _, b := range turn.Blind {
			left = append(left, nebula.Left{Why: nebula.Unseen, Text: b.What})
		}
	}
	return s.record(nebula.Undone{Turn: turn.Turn, Redo: redo, Changes: made, Left: left})
}

// restored are the files that taking changes back touches, each as the last change left it.
func restored(changes []nebula.Change) []nebula.Target {
	at := map[string]int{}
	var targets []nebula.Target
	for _, c := range changes {
		i, ok := at[c.Name()]
		if !ok {
			i = len(targets)
			at[c.Name()] = i
			targets = append(targets, nebula.Target{Path: c.Name(), Kind: "restore"})
		}
		targets[i].Hash = c.After
	}
	return targets
}
