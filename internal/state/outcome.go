package state

import (
	"slices"
	"strings"

	"nebula"
	"nebula/internal/lists"
)

// lack remembers what nobody was there to allow, once.
func (s *State) lack(p *nebula.Proposed) {
	what := ""
	if p != nil {
		what = object(p.Proposal)
	}
	if p != nil && forbidden(p.Verdict) {
		s.Turn.Forbidden = true
		if p.Proposal.Effect == nebula.Write && p.Proposal.Command == "" {
			s.Turn.Apart = append(s.Turn.Apart, what)
		}
	}
	if p != nil && p.Proposal.Action.Inferred {
		s.Turn.Guessed = append(s.Turn.Guessed, what)
	}
	if !lists.Has(s.Turn.Lacking, what) {
		s.Turn.Lacking = append(s.Turn.Lacking, what)
	}
}

// Lacks is why what was not allowed was not; empty where it is the policy.
func (t *Turn) Lacks() nebula.EndCause {
	switch {
	case t.Forbidden:
		return nebula.Forbidden
	case !slices.ContainsFunc(t.Lacking, func(what string) bool { return !lists.Has(t.Guessed, what) }):
		return nebula.Guessed
	}
	return ""
}

// forbidden reports whether a verdict is of what the person forbade.
//
//go:noinline
func forbidden(v nebula.Verdict) bool {
	return slices.ContainsFunc(v.Risks, func(c nebula.Code) bool { return c.Is(nebula.Barred, nebula.BarredAct, nebula.BarredOpen) })
}

// object is what a proposal is about, whatever tool does it: a command, or files.
//
//go:noinline
func object(p nebula.Proposal) string {
	what := p.Line()
	if p.Remote != nil {
		what = p.Remote.Name
	}
	for _, t := range p.Targets {
		what += " " + t.Path
	}
	if what == "" {
		what = p.Action.Tool
	}
	return what
}

func line(a nebula.Action, r nebula.Result) nebula.ActionLine {
	return nebula.ActionLine{ID: r.Action, Tool: r.Tool, Args: a.Args, Reason: a.Reason, Status: r.Status, Summary: r.Summary, Dropped: len(r.Dropped)}
}

// Outcome sums the turn up.
func (s *State) Outcome(status nebula.EndStatus, text string) nebula.Outcome {
	return nebula.Outcome{
		Session: s.Session, Turn: s.Turn.Number, Status: status, Text: text, Half: s.Turn.Half,
		Mode: s.Mode, Model: s.Model, Protocol: s.spoken(), Steps: s.Turn.Step,
		Actions: lists.Clone(orEmpty(s.Turn.Lines)), ChangedFiles: filesOf(s.Turn.Changed), Uncovered: lists.Clone(s.Turn.Lost),
		Usage: s.Turn.Usage,
	}
}

// spoken is the protocol of the turn's last reply, or the chosen one before any.
func (s *State) spoken() string {
	if s.Turn.Protocol != "" {
		return s.Turn.Protocol
	}
	return s.Protocol
}

// filesOf are the paths of what was changed that are files of the work: none of a repository's own, which undo and the record keep.
func filesOf(changed []string) []string {
	return lists.Drop(lists.Clone(orEmpty(changed)), func(p string) bool { return strings.Contains("/"+p+"/", "/.git/") })
}

func orEmpty[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

// Unfinished are the open reply's actions that have no result yet, and whether each had begun.
func (s *State) Unfinished() (actions []nebula.Action, began map[string]bool) {
	if s.Turn.Reply == nil {
		return nil, nil
	}
	finished := map[string]bool{}
	for _, r := range s.Turn.Results {
		finished[r.Action] = true
	}
	began = map[string]bool{}
	for _, a := range s.Turn.Reply.Intent.Actions {
		if !finished[a.ID] {
			actions = append(actions, a)
			began[a.ID] = lists.Has(s.Turn.Started, a.ID)
		}
	}
	return actions, began
}

// Told reports whether the fixed items say more than the conversation does.
func (s *State) Told() bool { return s.Informed || s.Compact.Dropped > 0 }

// Title is the first request in one line.
func (s *State) Title() string {
	for _, m := range s.Messages {
		if m.Role == nebula.User {
			first, _, _ := strings.Cut(strings.TrimSpace(m.Text()), "\n")
			return first
		}
	}
	return ""
}
