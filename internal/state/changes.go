package state

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"nebula"
	"nebula/internal/phrase"
)

func (s *State) changed(changes []nebula.Change, lost []string) {
	if len(changes)+len(lost) == 0 {
		return
	}
	if n := len(s.Journal); n == 0 || s.Journal[n-1].Turn != s.Turn.Number || s.Journal[n-1].Undone {
		s.Journal = append(s.Journal, TurnChanges{Turn: s.Turn.Number})
	}
	last := &s.Journal[len(s.Journal)-1]
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
		if c.After != "" && c.OfFile() {
			s.Aliases.Add(c.Path)
		}
		if c.OfFile() {
			touch(c.Path)
		}
	}
	for _, p := range lost {
		delete(s.Seen, p)
		touch(p)
		s.Turn.Lost = append(s.Turn.Lost, p)
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
	before := slices.Clone(s.told[session])
	for _, c := range changes {
		if i := slices.IndexFunc(before, same(c)); i >= 0 {
			before = slices.Delete(before, i, i+1)
			continue
		}
		fresh = append(fresh, c)
	}
	told := map[string][]nebula.Change{}
	maps.Copy(told, s.told)
	told[session] = append(slices.Clone(told[session]), fresh...)
	s.told = told
	return fresh
}

// follow forgets what the model saw of a file that is another by now.
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
	for i := range s.Journal {
		if s.Journal[i].Turn == b.Turn && s.Journal[i].Undone != !b.Redo {
			s.Journal[i].Undone = !b.Redo
			s.Journal[i].Changes = b.Changes
		}
	}
	for _, c := range b.Changes {
		s.follow(c)
	}
	s.Evidence = Evidence{}
	s.Messages = append(s.Messages, nebula.Message{Role: nebula.User, Parts: nebula.Text(s.tookBack(b))})
}

// tookBack is what the model reads of an undo: its own words of the changes stand in the conversation still.
func (s *State) tookBack(b nebula.Undone) string {
	var paths []string
	for _, c := range b.Changes {
		if c.OfFile() {
			paths = append(paths, c.Path)
		}
	}
	slices.Sort(paths)
	paths = slices.Compact(paths)
	form := phrase.In(s.Lang, "[The person took back the file changes of turn %d: %s]")
	if b.Redo {
		form = phrase.In(s.Lang, "[The person brought the file changes of turn %d back: %s]")
	}
	return fmt.Sprintf(form, b.Turn, strings.Join(newest(nil, paths, tookBackShown), ", "))
}

// tookBackShown bounds the files that are named.
const tookBackShown = 20

// LastChanges is the turn that an undo takes back, or the one that a redo brings back: the earliest undone after the
// last standing one.
func (s *State) LastChanges(redo bool) (TurnChanges, bool) {
	standing := -1
	for i, t := range s.Journal {
		if !t.Undone {
			standing = i
		}
	}
	if !redo {
		if standing < 0 {
			return TurnChanges{}, false
		}
		return s.Journal[standing], true
	}
	if standing+1 < len(s.Journal) {
		return s.Journal[standing+1], true
	}
	return TurnChanges{}, false
}
