package agent

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"nebula"
	"nebula/internal/gate"
	"nebula/internal/lists"
	"nebula/internal/state"
)

// withhold remembers what the model knew of the files that a result of this reply shows: the rest of the reply was
// written without it. What the reply wrote itself it knows. It returns what the model knows when it reads the results: of a
// file that it was shown whole and then changed, all.
func (s *Session) withhold(r nebula.Result) []nebula.FileRef {
	seen := lists.Clone(r.Seen)
	if s.turn.before == nil { // the actions are not a reply's
		return seen
	}
	for _, c := range r.Changes {
		old, shown := s.state.Seen[c.Path]
		if _, held := s.turn.before[c.Path]; held && shown && old.Hash == c.Before && len(old.Lines) == 0 {
			if i := slices.IndexFunc(seen, func(f nebula.FileRef) bool { return f.Path == c.Path }); i >= 0 {
				seen[i].Lines = nil
			}
		}
		delete(s.turn.before, c.Path)
	}
	for _, f := range r.Seen {
		if _, had := s.turn.before[f.Path]; had || len(r.Changes) > 0 {
			continue
		}
		if old, known := s.state.Seen[f.Path]; known {
			s.turn.before[f.Path] = &old
		} else {
			s.turn.before[f.Path] = nil
		}
	}
	return seen
}

// forbids takes in what the folder's settings forbid.
//
//go:noinline
func (s *Session) forbids() {
	s.state.Text = s.setup.Script
	if s.setup.Denies != nil {
		s.state.Denies = s.setup.Denies()
	}
}

// untold is a result without what nobody is to be told: secrets, and what stands in files that are not to be read.
func (s *Session) untold(r nebula.Result) nebula.Result {
	if s.secrets == nil {
		return r
	}
	if r = s.secrets.Result(r); s.state.HoldsReading() {
		r = s.secrets.Unread(r, s.state.Withheld, s.state.Touched)
	}
	return r
}

func (s *Session) view() nebula.View {
	seen, before := s.state.Seen, s.turn.before
	ref := func(path string) (nebula.FileRef, bool) {
		if old, held := before[path]; held {
			if old == nil {
				return nebula.FileRef{}, false
			}
			return *old, true
		}
		f, ok := seen[path]
		return f, ok
	}
	hash := func(path string) (string, bool) {
		f, ok := ref(path)
		return f.Hash, ok
	}
	beside := func(path string) bool {
		old, held := before[path]
		return held && old == nil
	}
	back := s.state.SentBack
	var info nebula.ModelInfo
	if m, err := s.setup.Model(s.state.Model); err == nil {
		info = m.Info()
		info.Window = s.window(info)
	}
	rules := s.rules()
	rules.Unseen = maps.Clone(rules.Unseen)
	expected := func(line string) bool {
		return gate.Expected(rules, nebula.Proposal{Effect: nebula.Execute, Command: line})
	}
	v := nebula.View{Expected: expected, Exposed: s.setup.Exposed || s.state.Exposed, Model: info, Mode: s.state.Mode, Lang: s.state.Lang, Seen: hash, Ref: ref, Beside: beside, SentBack: func(hash string) bool { return back[hash] },
		Passed: s.passed(), Free: cmp.Or(gate.Approve(s.state.Approve), s.setup.Approve) == gate.All && !s.state.Holds(), Strict: s.state.HoldsActs(), Try: s.turn.trying, Bare: state.AsksBare(s.state.Turn.Asks)}
	bars, turn, now := s.state.Files(), s.state.Turn.Number, s.state.Barring()
	if now.HoldsReading() {
		v.Unread = now.Withheld
	}
	if now.Bound() {
		v.Barred = func(t nebula.Target) bool {
			return actOf(t) == "delete" && now.ForbiddenAct("delete", t.Path) != "" || slices.ContainsFunc(bars, func(b state.Bar) bool { return b.Holds(t, turn) })
		}
	}
	return v
}

// rules are what the gate judges by now.
func (s *Session) rules() gate.Rules {
	asked := state.Words(s.state.Turn.Asks)
	if s.setup.Prefix != "" { // there the words are a model's too
		asked = ""
	}
	return gate.Rules{
		Asked:      asked,
		Mode:       s.state.Mode,
		Approve:    s.approve(),
		Approved:   s.state.Approved,
		Standing:   s.standing(),
		Protection: s.setup.Protection,
		Commits:    s.state.Commits == s.state.Turn.Number && !strings.HasPrefix(s.state.Session, nebula.StepPrefix),
		Apart:      s.state.Tree != "",
		Own:        s.setup.Own,
		Unseen:     s.state.Unseen,
		Doubts:     s.doubts(),
		Plan:       s.state.Agreed,
		Alone:      s.setup.Alone,
		Low:        s.setup.Thresholds.Low(s.state.Vitals),
	}
}

// passed are the open reply's actions that ran something and ended well.
func (s *Session) passed() (list []nebula.Action) {
	if s.state.Turn.Reply == nil {
		return nil
	}
	for i, r := range s.state.Turn.Results {
		well := r.Exit != nil && *r.Exit == 0
		if r.Tests != nil {
			well = r.Tests.OK && r.Tests.Passed != 0
		}
		if all := s.state.Turn.Reply.Intent.Actions; well && r.Status == nebula.Done && i < len(all) {
			list = append(list, all[i])
		}
	}
	return list
}
