package agent

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"nebula"
	"nebula/internal/gate"
	"nebula/internal/lists"
	"nebula/internal/phrase"
	"nebula/internal/state"
)

// known is a proposal with what the session knows of the files that it changes: which of them it made itself, and which the person has
// forbidden to change.
func (s *Session) known(p nebula.Proposal) nebula.Proposal {
	if p.Effect == nebula.Read && s.state.HoldsReading() {
		return s.unlooked(p)
	}
	if p.Effect == nebula.Execute {
		if p = s.baring(p); s.state.Bound() {
			return s.foreknown(p)
		}
	}
	if p.Effect != nebula.Write || len(p.Targets) == 0 {
		return p
	}
	p.Targets = lists.Clone(p.Targets)
	for i, t := range p.Targets {
		p.Targets[i].Made = t.Hash != "" && s.state.Made(t.Path) == t.Hash
	}
	p.Risks = append(slices.Clip(p.Risks), s.barring(state.Adding(p.Targets, p.Diff))...)
	if said, name, _ := s.state.Renames(p.Diff); said != "" {
		p.Risks = append(slices.Clip(p.Risks), string(nebula.NewCode(string(gate.BarredAct), said, name)))
	}
	return s.depending(p)
}

// unlooked is a proposal that reads what the person forbade to read, with their sentence.
func (s *Session) unlooked(p nebula.Proposal) nebula.Proposal {
	for _, t := range p.Targets {
		if said := s.state.Unread(t); said != "" {
			p.Risks = append(slices.Clip(p.Risks), string(nebula.NewCode(string(gate.BarredAct), said, p.Action.Tool+" "+t.Path)))
			break
		}
	}
	return p
}

// isFile reports whether a file stands at a path; so it is where that cannot be told.
func (s *Session) isFile(at string) bool {
	if s.setup.Stale == nil {
		return true
	}
	now := s.setup.Stale([]nebula.FileRef{{Path: at}})
	return len(now) == 0 || now[0].Hash != ""
}

// depending is a proposal that names in a manifest what the project is not to depend on, where the person forbade more of that.
func (s *Session) depending(p nebula.Proposal) nebula.Proposal {
	if said := s.state.ForbiddenAct("dependency", ""); said != "" {
		if added := state.Depends(p.Diff); len(added) > 0 {
			p.Risks = append(slices.Clip(p.Risks), string(nebula.NewCode(string(gate.BarredAct), said, strings.Join(added[:min(len(added), addedShown)], ", "))))
		}
	}
	return p
}

// addedShown is how many dependencies are named.
const addedShown = 3

// barring are the risks of changes that go against the person's words: each sentence with the first file that it holds.
func (s *Session) barring(targets []nebula.Target) (risks []string) {
	var held []string
	for _, t := range targets {
		moved := func(o nebula.Target) bool { return o.Kind == "delete" && o.Hash != "" && o.Hash == t.After }
		if t.Kind == "edit" && (t.Size == 0 && t.Was > 0 || slices.ContainsFunc(targets, moved)) { // what is emptied, or what another was moved over, is gone
			t.Kind = "delete"
		}
		if said := s.state.Barred(t); said != "" && !lists.Has(held, said) {
			held = append(held, said)
			risks = append(risks, string(nebula.NewCode(string(gate.Barred), said, t.Path)))
		}
		if act := actOf(t); act != "" {
			if said := s.state.ForbiddenAct(act, t.Path); said != "" && !lists.Has(held, said) {
				held = append(held, said)
				risks = append(risks, string(nebula.NewCode(string(gate.BarredAct), said, t.Path)))
			}
		}
	}
	return risks
}

// actOf is the act that a change of a file is; empty for none that has a word.
//
//go:noinline
func actOf(t nebula.Target) string {
	switch {
	case t.From != "":
		return "rename"
	case t.Kind == "delete" && !t.Made && !t.Ignored:
		return "delete"
	case t.Kind == "create" && !t.Ignored:
		return "create"
	}
	return ""
}

// foreknown is a command with what its line says that it does against the person's words: an act wherever it runs, a change where it runs in
// the folder itself. What the scripts say that it calls is its own, on a view where it is no matter of the folder.
func (s *Session) foreknown(p nebula.Proposal) nebula.Proposal {
	lines := []string{p.Command}
	if s.setup.Script != nil {
		lines = append(lines, gate.Called(p.Command, s.setup.Script)...)
	}
	for i, line := range lines {
		acts := append(gate.Acts(line), gate.Started(line)...)
		if state.RunsTests(line) || p.Tests || slices.ContainsFunc(acts, func(a gate.Act) bool { return a.Name == state.Run && state.OfTests(a.By) }) {
			acts = append(acts, gate.Act{Name: "test", By: line})
		}
		for _, act := range acts {
			if i > 0 && (p.Viewed && !lists.Has(onViews, act.Name) || strings.HasPrefix(act.By, gate.Unnamed)) { // the variables of a make are programs
				continue
			}
			if said := s.state.ForbiddenAct(act.Name, act.By); said != "" && !s.passing(act, !lists.Has(p.Risks, nebula.Unconfined)) {
				p.Risks = append(slices.Clip(p.Risks), string(nebula.NewCode(string(gate.BarredAct), said, act.By)))
				return p
			}
		}
	}
	if risk := s.opens(p, lines); risk != "" {
		p.Risks = append(slices.Clip(p.Risks), string(risk))
		return p
	}
	if file, said := s.replacing(p.Command); said != "" {
		p.Risks = append(slices.Clip(p.Risks), string(nebula.NewCode(string(gate.BarredAct), said, "> "+file)))
		return p
	}
	if p.Viewed {
		return p
	}
	if act, said := s.making(lines); said != "" {
		p.Risks = append(slices.Clip(p.Risks), string(nebula.NewCode(string(gate.BarredAct), said, act)))
		return p
	}
	named, said := "", ""
	held := func(by func(string) string) func(string) bool {
		return func(word string) bool {
			named, said = word, by(word)
			return said != ""
		}
	}
	holding := func(folder string) bool {
		if said, named = s.state.Holding(folder); said == "" {
			said, named = s.within(folder)
		}
		if strings.Contains(named, "*") {
			named = folder
		}
		return said != ""
	}
	for _, line := range lines {
		if gate.Writes(line, held(s.state.Named), holding) || slices.ContainsFunc(gate.Written(line), held(s.state.Beyond)) {
			p.Risks = append(slices.Clip(p.Risks), string(nebula.NewCode(string(gate.Barred), said, named)))
			return p
		}
	}
	if said = s.state.Forbids(); said != "" && (p.Unboxed || lists.Has(p.Risks, nebula.Unconfined) || s.setup.Unboxed && gate.Hides(p.Command)) {
		p.Risks = append(slices.Clip(p.Risks), string(nebula.NewCode(string(gate.BarredOpen), said)))
	}
	return p
}

// within is the sentence of the person's that forbids changing a file by its name alone, where that stands in a folder, and the file.
func (s *Session) within(folder string) (said, name string) {
	if s.setup.Stale == nil {
		return "", ""
	}
	for _, b := range s.state.Files() {
		for _, n := range b.Paths {
			at, ok := s.state.Inside(path.Join(folder, n))
			if b.But || strings.Contains(n, "*") || !ok {
				continue
			}
			if now := s.setup.Stale([]nebula.FileRef{{Path: at}}); len(now) == 0 || now[0].Hash == "" {
				continue
			}
			if said = s.state.Barred(nebula.Target{Path: at, Kind: "delete"}); said != "" {
				return said, at
			}
		}
	}
	return "", ""
}

// onViews are the acts that a view keeps nobody from, by whatever script they are done.
var onViews = []string{"test", "serve", "migrate", state.Run}

// passing reports whether all that a command deletes is gone without a loss: what the turn made, what the line itself makes, and what
// is kept for commands alone, where they run in a box.
//
//go:noinline
func (s *Session) passing(a gate.Act, boxed bool) bool {
	return len(a.Gone) > 0 && !slices.ContainsFunc(a.Gone, func(file string) bool {
		at, inside := s.state.Inside(file)
		own := lists.Has(a.Own, file)
		switch {
		case strings.ContainsAny(file, "*?[{$"), strings.Contains(file, ".."):
			return true
		case !inside:
			return !strings.HasPrefix(file, "/tmp/") || !own && !boxed
		case s.state.Made(at) != "", s.state.MadeFolder(at):
			return false
		}
		if !own || s.setup.Stale == nil {
			return true
		}
		now := s.setup.Stale([]nebula.FileRef{{Path: at}})
		return len(now) == 0 || now[0].Hash != ""
	})
}

// replacing is a file that a line leaves nothing of by what it puts in its place, and the sentence of the person's that forbids deleting it;
// empty for none. What the turn made is no loss, nor is what the same comes in the place of.
func (s *Session) replacing(line string) (file, said string) {
	if s.setup.Stale == nil || !s.state.HoldsDeleting() {
		return "", ""
	}
	hash := func(at string) string {
		for _, now := range s.setup.Stale([]nebula.FileRef{{Path: at}}) {
			return now.Hash
		}
		return "" // a folder
	}
	for _, r := range gate.Replaces(line) {
		at, ok := s.state.Inside(r.File)
		if !ok || s.state.Made(at) != "" {
			continue
		}
		by, inside := s.state.Inside(r.From)
		if s.state.Orders(at) && (r.From == "" || inside && (s.state.Made(by) != "" || hash(by) == "")) {
			continue // what it is given is what was ordered
		}
		said = cmp.Or(s.state.ForbiddenAct("delete", "> "+at), s.state.Barred(nebula.Target{Path: at, Kind: "delete"}))
		if said == "" {
			continue
		}
		was, from := hash(at), ""
		if inside && r.From != "" {
			from = hash(by)
		}
		if was != "" && was != from {
			return at, said
		}
	}
	return "", ""
}

// making is a new file that lines name as what they write, and the sentence of the person's that forbids new files; empty for none.
func (s *Session) making(lines []string) (file, said string) {
	if said = s.state.ForbiddenAct("create", ""); said == "" || s.setup.Stale == nil {
		return "", ""
	}
	for _, line := range lines {
		for _, word := range gate.Written(line) {
			at, ok := s.state.Inside(word)
			if now := s.setup.Stale([]nebula.FileRef{{Path: at}}); ok && len(now) > 0 && now[0].Hash == "" && s.state.ForbiddenAct("create", at) != "" {
				return at, said
			}
		}
	}
	return "", ""
}

// broken sees to what a command changed in the folder itself that the person had forbidden, where nobody was asked about it: it is put back as
// it was, and said. What cannot be put back, and files that are new beside those that alone may change, are only said.
func (s *Session) broken(p nebula.Proposal, r nebula.Result) nebula.Result {
	if p.Effect != nebula.Execute || p.Viewed || !s.state.Bound() || slices.ContainsFunc(p.Risks, risks(gate.Bars)) {
		return r
	}
	var back []nebula.Change
	var paths []string
	words := ""
	for _, c := range r.Changes {
		said := s.breaches(c)
		if said == "" {
			continue
		}
		if words == "" {
			words, paths = said, []string{c.Path}
		}
		if c.Kind != "create" || s.state.Named(c.Path) != "" {
			back = append(back, c)
		}
	}
	if words == "" {
		return r
	}
	for _, c := range r.Changes { // where what was taken away came to
		if c.Kind == "create" && c.After != "" && !lists.Has(pathsOf(back), c.Path) && slices.ContainsFunc(back, func(b nebula.Change) bool { return b.Kind == "delete" && b.Before == c.After }) {
			back = append(back, c)
		}
	}
	told := fmt.Sprintf(s.say(changedAgainst), strings.Join(paths, ", "), words)
	if made, whole := s.putAllBack(p.Action, back, r.Changes); len(made) > 0 {
		r.Changes = append(slices.Clip(r.Changes), made...)
		if paths = pathsOf(made); whole {
			told = fmt.Sprintf(s.say(putBackAgainst), strings.Join(paths[:min(len(paths), addedShown)], ", "), len(paths), words)
		}
	}
	r.Text, r.Summary = strings.TrimSuffix(r.Text, "\n")+"\n"+told, r.Summary+"; "+told
	return r
}

// breaches is the sentence of the person's that a change goes against; empty for none.
func (s *Session) breaches(c nebula.Change) string {
	t := nebula.Target{Path: c.Path, Kind: c.Kind, Ignored: c.Ignored}
	said := s.state.Barred(t)
	if act := actOf(t); said == "" && act != "" && !strings.HasPrefix(c.Path, ".git/") {
		said = s.state.ForbiddenAct(act, c.Path)
	}
	return said
}

// putAllBack takes changes back, of all that a command made: what is gone comes first, with the folders that it was in, and only where it
// is there again does what came elsewhere go, which may be all that is left of it.
func (s *Session) putAllBack(a nebula.Action, back, all []nebula.Change) (made []nebula.Change, whole bool) {
	came := func(c nebula.Change) bool { return c.Kind == "create" }
	gone := lists.Drop(lists.Clone(back), came)
	for _, c := range all {
		if c.Kind == "rmdir" && slices.ContainsFunc(gone, func(g nebula.Change) bool { return strings.HasPrefix(g.Path, c.Path+"/") }) {
			gone = append(gone, c)
		}
	}
	back = lists.Drop(lists.Clone(back), func(c nebula.Change) bool { return !came(c) })
	if made, whole = s.putBack(a, "b", gone); whole || len(gone) == 0 {
		more, also := s.putBack(a, "c", back)
		made, whole = append(made, more...), also || len(back) == 0
	}
	return made, whole
}

// putBack takes changes back, and reports whether it could do so with all of them.
func (s *Session) putBack(a nebula.Action, grant string, changes []nebula.Change) (made []nebula.Change, whole bool) {
	if len(changes) == 0 || s.setup.Restore == nil {
		return nil, false
	}
	p := nebula.Proposal{Action: a, Effect: nebula.Write, Targets: restored(changes), Summary: a.Tool}
	g := nebula.NewGrant(grantID(a)+grant, nebula.ByPolicy("forbidden"), p)
	if g.Open(p) != nil {
		return nil, false
	}
	defer g.Close()
	made, left, err := s.setup.Restore(context.WithoutCancel(s.ctx), g, changes)
	return made, err == nil && len(left) == 0
}

// pathsOf are the paths of changes, each once.
//
//go:noinline
func pathsOf(changes []nebula.Change) (paths []string) {
	for _, c := range changes {
		if !lists.Has(paths, c.Path) {
			paths = append(paths, c.Path)
		}
	}
	return paths
}

// spared is what a command did on a view without what the person forbade, for where nobody is there to be asked about that, or is to be: the rest need not go with it.
func (s *Session) spared(keep nebula.Proposal) (rest nebula.Proposal, held string) {
	i := slices.IndexFunc(keep.Risks, risks(func(d gate.Danger) bool { return gate.Denied(d) != "" }))
	if i < 0 && s.setup.Alone {
		i = slices.IndexFunc(keep.Risks, risks(gate.Bars))
	}
	if i < 0 {
		return keep, ""
	}
	var free, named []string
	if s.state.ForbiddenAct("dependency", "") != "" {
		named = state.Depends(keep.Diff)
	}
	_, _, renamed := s.state.Renames(keep.Diff)
	for _, t := range keep.Targets {
		if lists.Has(renamed, t.Path) || slices.ContainsFunc(named, func(n string) bool { return strings.HasSuffix(n, " ("+t.Path+")") }) {
			continue
		}
		if from := func(o nebula.Target) bool {
			return o.Kind == "delete" && o.Hash != "" && o.Hash == t.After && s.state.Barred(o) != ""
		}; t.Kind == "create" && slices.ContainsFunc(keep.Targets, from) {
			continue // nothing of a move is kept where a part of it is held
		}
		if len(s.barring([]nebula.Target{t})) == 0 && t.Kind != "mkdir" && !t.Ignored && (t.From == "" || s.state.Barred(nebula.Target{Path: t.From, Kind: "delete"}) == "") {
			free = append(free, t.Path)
		}
	}
	rest, ok := gate.Chosen(keep, strings.Join(free, ","))
	if !ok || len(s.barring(rest.Targets)) > 0 {
		return keep, ""
	}
	v := gate.Judge(s.rules(), keep)
	v.Ruling, v.Missing = nebula.Deny, true
	_ = s.record(unprinted(nebula.Proposed{Proposal: keep, Verdict: v})) // record keeps the error
	rest.Risks = lists.Drop(lists.Clone(keep.Risks), risks(gate.Bars))
	why := nebula.Code(keep.Risks[i])
	return rest, gate.SayAll([]nebula.Code{cmp.Or(gate.Denied(why), why)}, s.state.Lang)[0]
}

// cause is why something was asked about that nobody was there to answer, for the model to read: the rule, and what makes it risky.
func (s *Session) cause(shown nebula.Proposed, said string) string {
	why := gate.Why(shown.Verdict, s.state.Lang)
	var risks []string
	for _, risk := range gate.SayAll(shown.Verdict.Risks, s.state.Lang) {
		if risk != why && !lists.Has(risks, risk) {
			risks = append(risks, risk)
		}
	}
	if len(risks) > 0 {
		why += " (" + strings.Join(risks, phrase.In(s.state.Lang, ", ")) + ")"
	}
	return fmt.Sprintf(s.say(askedBecause), said, why)
}
