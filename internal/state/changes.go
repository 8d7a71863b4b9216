package state

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"nebula"
	"nebula/internal/lists"
	"nebula/internal/phrase"
)

func (s *State) changed(changes []nebula.Change, lost []string) {
	if len(changes)+len(lost) == 0 {
		return
	}
	last := s.ofTurn()
	last.Changes = append(last.Changes, changes...)
	last.Lost = append(last.Lost, lost...)
	known := make(map[string]bool, len(s.Turn.Changed)+len(changes))
	for _, p := range s.Turn.Changed {
		known[p] = true
	}
	touch := func(p string) {
		if !known[p] {
			known[p] = true
			s.Turn.Changed = append(s.Turn.Changed, p)
		}
	}
	for _, c := range changes {
		s.follow(c)
		if !c.OfFile() || c.Cache() { // a cache is kept for undo, and told to nobody
			continue
		}
		if c.After != "" {
			s.Aliases.Add(c.Path)
		}
		touch(c.Path)
	}
	for _, p := range lost {
		delete(s.Seen, p)
		touch(p)
		s.Turn.Lost = append(s.Turn.Lost, p)
	}
}

// ofTurn are the changes of the turn under way.
//
//go:noinline
func (s *State) ofTurn() *TurnChanges {
	if n := len(s.Journal); n == 0 || s.Journal[n-1].Turn != s.Turn.Number || s.Journal[n-1].Undone {
		s.Journal = append(s.Journal, TurnChanges{Turn: s.Turn.Number})
	}
	return &s.Journal[len(s.Journal)-1]
}

// Touched reports whether the session changed a file, or made it.
func (s *State) Touched(file string) bool {
	return slices.ContainsFunc(s.Journal, func(t TurnChanges) bool {
		return slices.ContainsFunc(t.Changes, func(c nebula.Change) bool { return c.Path == file })
	})
}

// Made is the hash of a file that the turn under way made and that was not there before, as it left it; empty for any other.
func (s *State) Made(file string) (hash string) {
	if n := len(s.Journal); n > 0 && s.Journal[n-1].Turn == s.Turn.Number && !s.Journal[n-1].Undone {
		made := false
		for i, c := range s.Journal[n-1].Changes {
			if c.Path != file {
				continue
			}
			first := !slices.ContainsFunc(s.Journal[n-1].Changes[:i], func(o nebula.Change) bool { return o.Path == file })
			if made = made || first && c.Kind == "create" && c.Before == ""; !made {
				return ""
			}
			hash = c.After
		}
	}
	return hash
}

// MadeFolder reports whether a folder was made in the turn under way.
func (s *State) MadeFolder(folder string) bool {
	n := len(s.Journal) - 1
	return n >= 0 && s.Journal[n].Turn == s.Turn.Number && !s.Journal[n].Undone && slices.ContainsFunc(s.Journal[n].Changes, func(c nebula.Change) bool { return c.Path == folder && c.Kind == "mkdir" })
}

// blind notes a command whose changes could not be seen.
func (s *State) blind(r nebula.Result, p *nebula.Proposed) {
	b := nebula.Blind{Session: s.Session, Action: r.Action, What: r.Tool}
	if p != nil && p.Proposal.Action.ID == r.Action && p.Proposal.Command != "" {
		b.What = p.Proposal.Command
	}
	last := s.ofTurn()
	b.At = len(last.Changes)
	last.Blind = append(last.Blind, b)
}

// found takes in what could be seen of such commands after all, each at its place among the changes of its turn.
func (s *State) found(b nebula.Began) {
	for _, f := range b.Found {
		for n := range s.Journal {
			if t := &s.Journal[n]; t.Turn == b.Turn {
				t.found(f)
			}
		}
	}
}

func (t *TurnChanges) found(f nebula.Found) {
	n := slices.IndexFunc(t.Blind, func(b nebula.Blind) bool {
		return b.Action == f.Action && (f.Session == "" || b.Session == f.Session)
	})
	if n < 0 {
		return
	}
	at := min(t.Blind[n].At, len(t.Changes))
	t.Changes = lists.Insert(t.Changes, at, f.Changes...)
	t.Lost = append(slices.Clip(t.Lost), f.Lost...)
	t.Blind = lists.Delete(lists.Clone(t.Blind), n, n+1)
	for n := range t.Blind {
		if t.Blind[n].At > at {
			t.Blind[n].At += len(f.Changes)
		}
	}
}

// stepDid takes in what a step did. Commands of its whose changes could not be seen stand among the conversation's own.
func (s *State) stepDid(session string, changes []nebula.Change, lost []string, blind []nebula.Blind) {
	fresh := s.untold(session, changes)
	base := 0
	if len(fresh)+len(lost)+len(blind) > 0 {
		base = len(s.ofTurn().Changes) - (len(changes) - len(fresh)) // those told before come first
	}
	s.changed(fresh, lost)
	for _, b := range blind {
		if !slices.ContainsFunc(s.hid, func(o nebula.Blind) bool { return o.Session == b.Session && o.Action == b.Action }) {
			s.hid = append(slices.Clip(s.hid), b)
			last := s.ofTurn()
			b.At = min(max(base+b.At, 0), len(last.Changes))
			last.Blind = append(slices.Clip(last.Blind), b)
		}
	}
}

// untold are those of a step's changes that were not told before: a step that stopped and went on tells of all again.
func (s *State) untold(session string, changes []nebula.Change) (fresh []nebula.Change) {
	if session == "" {
		return changes
	}
	same := func(a nebula.Change) func(nebula.Change) bool {
		return func(b nebula.Change) bool {
			return a.Name() == b.Name() && a.Kind == b.Kind && a.Before == b.Before && a.After == b.After && a.ModeAfter == b.ModeAfter
		}
	}
	before := lists.Clone(s.told[session])
	for _, c := range changes {
		if i := slices.IndexFunc(before, same(c)); i >= 0 {
			before = lists.Delete(before, i, i+1)
			continue
		}
		fresh = append(fresh, c)
	}
	told := map[string][]nebula.Change{}
	maps.Copy(told, s.told)
	told[session] = append(lists.Clone(told[session]), fresh...)
	s.told = told
	return fresh
}

// follow forgets what the model saw of a file that is another by now.
//
//go:noinline
func (s *State) follow(c nebula.Change) {
	if f, ok := s.Seen[c.Path]; ok && f.Hash != c.After {
		delete(s.Seen, c.Path)
	}
}

func (s *State) undone(b nebula.Undone) {
	s.Undoing = nil
	if b.Failed != "" {
		return
	}
	for _, i := range s.takeable(b.Redo) {
		if s.Journal[i].Turn == b.Turn {
			s.Journal[i].undone(b)
			break
		}
	}
	if len(b.Changes) == 0 {
		return
	}
	for _, c := range b.Changes {
		s.follow(c)
	}
	s.Evidence = Evidence{}
	s.Messages = append(s.Messages, nebula.Message{Role: nebula.User, Parts: nebula.Text(s.tookBack(b))})
}

// undone moves what was taken back, or brought back, to the other side. What was left stays where it is, and so does a
// directory that holds something of it.
func (t *TurnChanges) undone(b nebula.Undone) {
	from, to := &t.Changes, &t.Taken
	if b.Redo {
		from, to = to, from
	}
	made, left := map[string]bool{}, map[string]bool{}
	for _, c := range b.Changes {
		made[c.Name()] = true
	}
	part := map[string]bool{}
	for _, l := range b.Left {
		part[l.Path] = l.Why == nebula.InPart
		for p := l.Path; p != "." && p != "/" && !left[p]; p = path.Dir(p) {
			left[p] = true
		}
	}
	var rest []nebula.Change
	for _, c := range *from {
		if left[c.Path] && (!made[c.Name()] || part[c.Path]) {
			rest = append(rest, c)
		}
	}
	*to = slices.Clip(*to)
	for _, c := range b.Changes {
		at := to
		if part[c.Path] { // it goes on from there
			at = &rest
		}
		*at = append(*at, c)
	}
	*from = rest
	t.Blind = lists.Clone(t.Blind)
	for n := range t.Blind {
		t.Blind[n].At = len(rest) // which of them were made after it is not known any more
	}
	t.Stuck = t.Held && len(b.Changes) == 0
	t.Held = len(rest)+len(t.Blind) > 0
	t.Undone = !b.Redo || len(t.Taken) > 0
}

// tookBack is what the model reads of an undo: its own words of the changes stand in the conversation still.
func (s *State) tookBack(b nebula.Undone) string {
	var paths []string
	for _, c := range b.Told() {
		if c.OfFile() {
			paths = append(paths, c.Path)
		}
	}
	slices.Sort(paths)
	paths = lists.Compact(paths)
	form := phrase.In(s.Lang, "[The person took back the file changes of turn %d: %s]")
	if b.Redo {
		form = phrase.In(s.Lang, "[The person brought the file changes of turn %d back: %s]")
	}
	return fmt.Sprintf(form, b.Turn, strings.Join(newest(nil, paths, tookBackShown), ", "))
}

// tookBackShown bounds the files that are named.
const tookBackShown = 20

// takeable are the places in the journal of the turns that an undo can take back, the last first, or that a redo can bring
// back: those that were undone after the last one that stands, the first of them first.
func (s *State) takeable(redo bool) (at []int) {
	if s.Tree != "" { // what came of it into the folder is another session's
		return nil
	}
	for i, t := range slices.Backward(s.Journal) {
		switch {
		case redo && !t.Undone:
			slices.Reverse(at)
			return at
		case redo && len(t.Taken) > 0, !redo && (len(t.Changes)+len(t.Blind) > 0 || !t.Undone):
			at = append(at, i)
		}
	}
	if redo {
		slices.Reverse(at)
	}
	return at
}

// Takeable are the turns that an undo can take back, or a redo bring back, in the order in which that is done. Their
// Changes are what it takes back or brings back.
func (s *State) Takeable(redo bool) (turns []TurnChanges) {
	for _, i := range s.takeable(redo) {
		t := s.Journal[i]
		if redo {
			t.Changes = t.Taken
		}
		turns = append(turns, t)
	}
	return turns
}

// LastChanges is the turn that an undo takes back, or the one that a redo brings back: the next that was not tried, or of
// whose rest something is ready by now; where there is none, the next of which something is left. What was tried twice in
// vain waits for the others.
func (s *State) LastChanges(redo bool, ready func([]nebula.Change) bool) (TurnChanges, bool) {
	turns := s.Takeable(redo)
	for _, t := range turns {
		if t.Due(ready) {
			return t, true
		}
	}
	for _, t := range turns {
		if ready == nil || ready(t.Changes) {
			return t, true
		}
	}
	if len(turns) == 0 {
		return TurnChanges{}, false
	}
	return turns[0], true
}

// Due reports whether an undo, or a redo, of it can be expected to do something. Without ready everything is.
//
//go:noinline
func (t TurnChanges) Due(ready func([]nebula.Change) bool) bool {
	return !t.Held || !t.Stuck && (ready == nil || ready(t.Changes))
}

// Whole reports whether nothing of it was left, and all of it can be taken back as far as is known.
func (t TurnChanges) Whole() bool { return !t.Held && len(t.Lost)+len(t.Blind) == 0 }

// made is an action that changed files, by its tool and arguments.
type made struct {
	action string
	paths  []string
}

// makes takes in what an action changed: what was made of the same files before it stands no more as it was made.
func (s *State) makes(a nebula.Action, r nebula.Result) {
	if len(r.Changes)+len(r.Lost) == 0 && !r.Blind {
		return
	}
	paths := lists.Clone(r.Lost)
	for _, c := range r.Changes {
		paths = append(paths, c.Path)
	}
	s.Turn.made = lists.Drop(lists.Clone(s.Turn.made), func(m made) bool {
		return r.Blind || slices.ContainsFunc(m.paths, func(p string) bool { return lists.Has(paths, p) })
	})
	if r.Status == nebula.Done && !r.Blind {
		s.Turn.made = append(s.Turn.made, made{a.Tool + " " + string(a.Args), paths})
	}
}

// Stands reports whether the turn made the same change before, of files that it has not changed since.
func (s *State) Stands(a nebula.Action) bool {
	return slices.ContainsFunc(s.Turn.made, func(m made) bool { return m.action == a.Tool+" "+string(a.Args) })
}
