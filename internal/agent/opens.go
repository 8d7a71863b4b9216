package agent

import (
	"slices"
	"strings"

	"nebula"
	"nebula/internal/gate"
	"nebula/internal/lists"
)

// opens is the risk of a command that comes to what the person forbade to read by a word of its lines, or, where no box keeps that from it, or none can
// beside a git that needs all, by what it does not name; empty for none.
func (s *Session) opens(p nebula.Proposal, lines []string) nebula.Code {
	if !s.state.HoldsReading() {
		return ""
	}
	if word, said := s.opened(lines); said != "" {
		return nebula.NewCode(string(gate.BarredAct), said, word)
	}
	if (p.Unboxed || s.setup.Unboxed || lists.Has(p.Risks, nebula.Unconfined)) && gate.Sweeps(p.Command) || gate.SweepsBeside(p.Command) {
		return nebula.NewCode(string(gate.BarredOpen), s.state.ForbidsReading())
	}
	return ""
}

// baring is a command with the danger that what git gives of files, none of them by name, may be of one with secrets that it has.
func (s *Session) baring(p nebula.Proposal) nebula.Proposal {
	if how := gate.Pours(p.Command); s.secrets != nil && how != gate.Tracked && how > gate.Nothing {
		level := s.rules().Protection
		if kept := s.secrets.Kept(level.Secret); kept > 0 && int(how)+kept > 2 && !lists.Has(gate.Dangers(p, level), gate.Secret) {
			p.Risks = append(slices.Clip(p.Risks), string(gate.Secret))
		}
	}
	return p
}

// opened is a word of lines by which they come to what the person forbade to read, and their sentence; empty for none.
func (s *Session) opened(lines []string) (word, said string) {
	for _, line := range lines {
		if how := gate.Pours(line); how == gate.Ever || how > gate.Nothing && (s.secrets == nil || int(how)+s.secrets.Kept(s.state.Withheld) > 2) {
			return "git", s.state.ForbidsReading()
		}
		for _, from := range gate.Sources(line) {
			at, ok := s.state.Inside(from.Path)
			if !ok {
				at = "."
			}
			if said = s.state.UnreadIn(at); said == "" || s.surelyFile(at) {
				continue
			}
			held := func(file string) bool {
				return s.state.Withheld(file) && (strings.ContainsAny(at, "*?[") || at == "." || strings.HasPrefix(file, at+"/"))
			}
			if from.How == gate.Ever || s.secrets == nil || int(from.How)+s.secrets.Kept(held) > 2 {
				return from.Path, said
			}
		}
		for _, w := range gate.Opened(line) {
			if at, ok := s.state.Inside(w); ok {
				said = s.state.Unread(nebula.Target{Path: at})
				if said != "" && (strings.ContainsAny(at, "*?[") || !s.state.Withheld(nowhere) || s.isFile(at)) { // what forbids to read anything is about no words
					return w, said
				}
			}
		}
	}
	return "", ""
}

// nowhere is a path that stands for any, of no file.
const nowhere = "\x00"

// surelyFile reports whether a file stands at a path, and no folder.
func (s *Session) surelyFile(at string) bool {
	if s.setup.Stale == nil {
		return false
	}
	now := s.setup.Stale([]nebula.FileRef{{Path: at}})
	return len(now) > 0 && now[0].Hash != ""
}
