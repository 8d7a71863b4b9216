package agent

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"nebula"
)

// evidenceSteps is how many requests of a turn carry what was looked up for it: by then the model has looked itself.
const evidenceSteps = 3

// staleShown bounds the files that are named as changed.
const staleShown = 20

// gather looks up what a message is probably about, and which files are not what was read of them any more, so that
// nothing old misleads.
func (s *Session) gather(request string) {
	s.evidence, s.stale = "", nil
	if s.setup.Evidence != nil {
		s.evidence = s.setup.Evidence(request)
	}
	if s.setup.Stale == nil || len(s.state.Seen) == 0 {
		return
	}
	var refs []nebula.FileRef
	for _, ref := range s.state.Seen {
		refs = append(refs, ref)
	}
	slices.SortFunc(refs, func(a, b nebula.FileRef) int { return cmp.Compare(a.Path, b.Path) })
	s.stale = s.setup.Stale(refs)
}

// found is the evidence for a step's request.
func (s *Session) found(step int) string {
	var parts []string
	if stale := s.outdated(); len(stale) > 0 {
		more := ""
		if len(stale) > staleShown {
			more = fmt.Sprintf(" +%d", len(stale)-staleShown)
			stale = stale[:staleShown]
		}
		parts = append(parts, fmt.Sprintf(s.say(outOfDate), strings.Join(stale, ", ")+more))
	}
	if step <= evidenceSteps && s.evidence != "" {
		parts = append(parts, s.evidence)
	}
	return strings.Join(parts, "\n")
}

// outdated are the files that changed since they were read and were not read again in this turn.
func (s *Session) outdated() []string {
	var paths []string
	for _, old := range s.stale {
		if now, ok := s.state.Seen[old.Path]; ok && now.Hash == old.Hash {
			paths = append(paths, old.Path)
		}
	}
	return paths
}
