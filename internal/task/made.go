package task

import (
	"context"

	"nebula"
	"nebula/internal/lists"
	"nebula/internal/state"
)

// Deeds are what a session did to files.
type deeds struct {
	changes []nebula.Change
	lost    []string
	blind   []nebula.Blind
	exposed bool // it may know what is secret
}

// A turn is what a session did in one.
type turn struct {
	deeds
	gone   map[string]bool // paths that were taken back
	undone bool            // so that nothing was left
}

// made is what a step's session has changed and what of it stands: what was taken back there is told no more.
func (l *Loop) made(session string) (all deeds) {
	if session == "" || l.setup.Load == nil {
		return deeds{}
	}
	var turns []turn
	at := map[int]int{}
	var last nebula.Proposal
	for e, err := range l.setup.Load(context.Background(), session) {
		if err != nil { // then nebula undo tells what is wrong with it
			return deeds{}
		}
		switch b := e.Body.(type) {
		case nebula.Submitted:
			at[b.Turn] = len(turns)
			turns = append(turns, turn{gone: map[string]bool{}})
		case nebula.Proposed:
			last, all.exposed = b.Proposal, all.exposed || state.Exposes(b)
		case nebula.Finished:
			if n := len(turns) - 1; n >= 0 {
				turns[n].finished(session, last, b.Result)
			}
		case nebula.Began:
			if n, ok := at[b.Turn]; ok {
				turns[n].found(b.Found)
			}
		case nebula.Undone:
			if n, ok := at[b.Turn]; ok && b.Failed == "" {
				turns[n].undone = !b.Redo && len(b.Left) == 0
				for _, c := range b.Changes {
					turns[n].gone[c.Name()] = !b.Redo
				}
			}
		}
	}
	for _, t := range turns {
		if !t.undone {
			all.add(t)
		}
	}
	return all
}

func (t *turn) finished(session string, p nebula.Proposal, r nebula.Result) {
	if r.Blind {
		b := nebula.Blind{Session: session, Action: r.Action, What: r.Tool, At: len(t.changes)}
		if p.Action.ID == r.Action && p.Command != "" {
			b.What = p.Command
		}
		t.blind = append(t.blind, b)
	}
	t.changes, t.lost = append(t.changes, r.Changes...), append(t.lost, r.Lost...)
}

// found takes in what could be seen of such commands after all.
func (t *turn) found(all []nebula.Found) {
	for _, f := range all {
		t.blind = lists.Drop(t.blind, func(b nebula.Blind) bool { return b.Action == f.Action })
		t.changes, t.lost = append(t.changes, f.Changes...), append(t.lost, f.Lost...)
	}
}

// add adds what stands of a turn.
func (d *deeds) add(t turn) {
	d.lost = append(d.lost, t.lost...)
	gone := func(c nebula.Change) bool { return t.gone[c.Name()] }
	for _, b := range t.blind {
		stand := lists.Drop(lists.Clone(t.changes[:min(b.At, len(t.changes))]), gone)
		b.At = len(d.changes) + len(stand)
		d.blind = append(d.blind, b)
	}
	d.changes = append(d.changes, lists.Drop(lists.Clone(t.changes), gone)...)
}
