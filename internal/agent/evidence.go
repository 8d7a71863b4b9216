package agent

import (
	"cmp"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"nebula"
	"nebula/internal/advice"
	"nebula/internal/lists"
)

// staleShown bounds the files that are named as changed.
const staleShown = 20

// gather looks up what a message is probably about.
func (s *Session) gather(request string) {
	s.turn.evidence = ""
	if s.setup.Evidence != nil {
		answered := slices.ContainsFunc(s.state.Messages, func(m nebula.Message) bool { return m.Role == nebula.Assistant })
		s.turn.evidence = s.setup.Evidence(request, !s.oriented && !answered) // who has answered once has looked
		s.oriented = s.oriented || s.turn.evidence != ""
	}
}

// found is the evidence for a step's request: which files are not what was read of them any more, so that nothing old
// misleads, and what was looked up of files that were neither read nor changed since.
func (s *Session) found(step int) string {
	var parts []string
	changed, gone := s.outdated()
	for _, p := range []struct {
		paths []string
		say   sentence
	}{{changed, outOfDate}, {gone, outOfSight}} {
		if len(p.paths) > 0 {
			parts = append(parts, fmt.Sprintf(s.say(p.say), named(p.paths)))
		}
	}
	if step == 1 { // from then on the model looks itself
		for line := range strings.Lines(s.turn.evidence) {
			path, _, _ := strings.Cut(line, ": ")
			if _, read := s.state.Seen[path]; !read && !s.state.Forbidden(path) && !lists.Has(s.state.Evidence.Unchecked, path) {
				parts = append(parts, strings.TrimSuffix(line, "\n"))
			}
		}
	}
	return strings.Join(parts, "\n")
}

// outdated are the files that changed since they were read, and those that are gone.
func (s *Session) outdated() (changed, gone []string) {
	if s.setup.Stale == nil || len(s.state.Seen) == 0 {
		return nil, nil
	}
	read := slices.Collect(maps.Values(s.state.Seen))
	lists.Sort(read, func(a, b nebula.FileRef) int { return cmp.Compare(a.Path, b.Path) })
	for _, now := range s.setup.Stale(read) {
		if now.Hash == "" {
			gone = append(gone, s.whereabouts(now.Path))
		} else {
			changed = append(changed, now.Path)
		}
	}
	return changed, gone
}

// whereabouts is a file that is gone with where it stands now, where that is known.
func (s *Session) whereabouts(gone string) string {
	if s.setup.Moved != nil {
		if to := s.setup.Moved(s.state.Seen[gone]); to != "" {
			return fmt.Sprintf(s.say(movedTo), gone, to)
		}
	}
	return gone
}

// instructed is what is written for the files that the session has read or changed.
func (s *Session) instructed() []advice.File {
	if s.setup.Advice == nil {
		return nil
	}
	s.forbids()
	files := lists.Drop(lists.Clone(s.setup.Advice(s.state.Aliases.Files())), func(f advice.File) bool { return s.state.Withheld(f.Path) })
	for _, f := range files {
		if len(f.Missing) > 0 && s.first(notBrought, f.Path) {
			s.note(s.warns(notBrought, f.Path, "@"+strings.Join(f.Missing[:min(len(f.Missing), missingShown)], ", @")))
		}
		if f.Left > 0 && s.first(leftOut, f.Path) {
			s.note(s.warns(leftOut, f.Path, f.Lines, f.Lines+f.Left))
		}
		if len(f.Unread) > 0 && s.first(givesWay, f.Path) && (s.setup.Unsaid == nil || s.setup.Unsaid(string(givesWay), f.Path, f.Text, strings.Join(f.Unread, "\n"))) {
			s.note(s.warns(givesWay, f.Path, strings.Join(f.Unread, ", "), "@"+strings.TrimPrefix(f.Unread[0], path.Dir(f.Path)+"/")))
		}
	}
	return files
}

// first reports whether something is to be said of a file for the first time.
//
//go:noinline
func (s *Session) first(what sentence, file string) bool {
	if s.lacking == nil {
		s.lacking = map[string]bool{}
	}
	key := string(what) + file
	said := s.lacking[key]
	s.lacking[key] = true
	return !said
}

// missingShown is how many files are named that are missing.
const missingShown = 5
