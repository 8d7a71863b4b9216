// Package gate decides what an action needs before it may act, and reads what a person answers. It is pure: rules and
// a proposal in, a verdict out.
package gate

import (
	"slices"
	"strings"

	"nebula"
	"nebula/internal/lists"
)

// Approve is the person's standing word on what runs unasked.
type Approve string

// The policies. The zero value asks.
const (
	Ask   Approve = "ask"   // everything that changes something asks
	Edits Approve = "edits" // file changes inside the folder run, commands ask
	All   Approve = "all"   // everything runs
	None  Approve = "none"  // nobody is there to ask: what needs approval is refused
)

// Rules are what a verdict follows from beside the proposal.
type Rules struct {
	Mode     nebula.Mode
	Approve  Approve
	Approved map[string]int64 // keys of proposals allowed for this session, and when the person last said so
	Standing []Rule           // what is allowed in this folder from now on
	Doubts   []nebula.Code    // the model's own word that what it does is not what was wanted
	Alone    bool             // nobody is there to be asked
	Low      []string         // vitals that are low: they raise the risk that is shown, and rule nothing
	// Protection is the level of file protection; zero is the highest.
	Protection Protection
	Plan       string           // the plan that the person said yes to and that has not changed since
	Commits    bool             // the person ordered in this turn that what was done is committed
	Asked      string           // the person's request in this turn
	Apart      bool             // the work is done in a copy of the folder, of which the files are all that is kept
	Own        []string         // nebula's own folders, which nothing changes
	Unseen     map[string]int64 // files whose last change the person did not see, and when that was, counted as in Approved
}

// Judge gives policy's word on a proposal. The first rule that fits decides: what the mode forbids is denied; what
// changes nothing, or nothing but a view, is allowed; what was guessed, be it the action or its content, asks, and so does what the person
// forbade in so many words; under --approve all the rest runs;
// what only changes files that nobody looks at is kept;
// what the model itself doubts asks; what is to be remembered asks each time, and secrets never are; a plan that the
// person said yes to runs, and what its steps do goes this way again; what the person
// allowed for this session is allowed unless the file's contents are at stake, or what it runs is not what it was then; then the policy speaks. Vitals are no
// rule: a work that goes badly must be able to go on, or it can never go well again.
func Judge(r Rules, p nebula.Proposal) nebula.Verdict {
	dangers := Dangers(p, r.Protection, r.Own...)
	if lists.Has(dangers, Bulk) && ordersNames(r.Asked, p.Action) {
		dangers = lists.Drop(lists.Clone(dangers), func(d Danger) bool { return d == Bulk })
	}
	if lists.Has(dangers, Deletes) && !slices.ContainsFunc(p.Targets, func(t nebula.Target) bool {
		return t.Kind == "delete" && t.From == "" && !t.Made && !t.Ignored && !ordersGone(r.Asked, t.Path)
	}) {
		dangers = lists.Drop(lists.Clone(dangers), func(d Danger) bool { return d == Deletes })
	}
	if r.Approve == Edits && lists.Has(dangers, Runs) && ordersScripts(r.Asked, p) {
		dangers = lists.Drop(lists.Clone(dangers), func(d Danger) bool { return d == Runs })
	}
	if p.Effect.Changes() && !viewed(p, dangers) && r.Mode != nebula.AgentMode {
		return nebula.Verdict{Ruling: nebula.Deny, Why: "plan_mode"}
	}
	if p.Effect == nebula.Memory && Confidential(argued(p.Action.Args)) {
		return nebula.Verdict{Ruling: nebula.Deny, Why: "no_secrets_remembered", Risk: High, Risks: []nebula.Code{WritesSecret}}
	}
	if lists.Has(dangers, Own) {
		return nebula.Verdict{Ruling: nebula.Deny, Why: "own_kept", Risk: High, Risks: []nebula.Code{Own}}
	}
	if i := slices.IndexFunc(dangers, func(d Danger) bool { return Denied(d) != "" }); i >= 0 {
		return nebula.Verdict{Ruling: nebula.Deny, Why: Denied(dangers[i]), Risk: High, Risks: dangers}
	}
	if r.Apart && records(p.Command) {
		return nebula.Verdict{Ruling: nebula.Deny, Why: "lost_apart", Risk: High, Risks: dangers}
	}
	if p.Action.Points != nil {
		r.Doubts = lists.Concat(r.Doubts, p.Action.Points.Doubts)
		slices.Sort(r.Doubts)
		r.Doubts = lists.Compact(r.Doubts) // a reply can say one in its own field and beside the action
	}
	v := rule(r, p, dangers)
	v.Risk = Risk(dangers)
	if len(r.Doubts)+len(r.Low) > 0 && v.Risk == Low && p.Effect.Changes() {
		v.Risk = Medium
	}
	v.Risks = dangers
	if len(r.Doubts) > 0 && p.Effect.Changes() {
		v.Risks = lists.Concat(dangers, r.Doubts)
	}
	return v
}

func rule(r Rules, p nebula.Proposal, dangers []Danger) nebula.Verdict {
	changes := p.Effect.Changes() && !viewed(p, dangers)
	said, before := r.Approved[p.Key()]
	other := changed(p.Line(), r.Unseen, said)
	lasting := !before && stands(r.Standing, p)
	before = before || lasting
	switch stake := atStake(dangers); {
	case p.Effect == nebula.Ask:
		return nebula.Verdict{Ruling: nebula.Allow, Why: "question"}
	case p.Action.Inferred && p.Effect != nebula.Read && !looks(p, changes, dangers):
		return unlessNobody(r, "guessed")
	case guessed(dangers) != "" && !meant(r, dangers):
		return unlessNobody(r, guessed(dangers))
	case barred(dangers) != "":
		return unlessNobody(r, barred(dangers))
	case r.Approve != All && !before && slices.ContainsFunc(dangers, Opening):
		return unlessNobody(r, dangers[slices.IndexFunc(dangers, Opening)])
	case !changes && r.Approve != All && !before && lists.Has(dangers, Secret):
		return unlessNobody(r, Secret)
	case !changes && r.Approve != All && !before && slices.ContainsFunc(dangers, fetches):
		return unlessNobody(r, dangers[slices.IndexFunc(dangers, fetches)])
	case !changes && p.Viewed:
		return nebula.Verdict{Ruling: nebula.Allow, Why: "on_view"}
	case !changes:
		return nebula.Verdict{Ruling: nebula.Allow, Why: "changes_nothing"}
	case len(r.Doubts) > 0 && (p.Ran == "" || stake != "" || !ignored(p) || r.Approve == None): // whatever the policy
		return unlessNobody(r, doubted(r.Doubts))
	case r.Approve == All:
		return nebula.Verdict{Ruling: nebula.Allow, Why: "approve_all"}
	case p.Ran != "" && r.Approve != None && stake == "" && ignored(p):
		return nebula.Verdict{Ruling: nebula.Allow, Why: "only_ignored"}
	case lists.Has(dangers, Unconfined):
		return unlessNobody(r, Unconfined)
	case !before && slices.ContainsFunc(dangers, nebula.Beside):
		return unlessNobody(r, dangers[slices.IndexFunc(dangers, nebula.Beside)])
	case p.Effect == nebula.Memory:
		return unlessNobody(r, "remembered")
	case p.Effect == nebula.Write && stake != "" && (stake != Shrinks || !lists.Has(dangers, Reduced)):
		return unlessNobody(r, stake)
	case r.Approve == Edits && p.Effect == nebula.Write:
		return nebula.Verdict{Ruling: nebula.Allow, Why: "approve_edits"}
	case p.Effect == nebula.Write && lists.Has(dangers, AtBuild):
		return unlessNobody(r, AtBuild)
	case other != "":
		return unlessNobody(r, nebula.NewCode("script_changed", other))
	case p.Plan != "" && p.Plan == r.Plan:
		return nebula.Verdict{Ruling: nebula.Allow, Why: "plan_approved"}
	case lasting:
		return nebula.Verdict{Ruling: nebula.Allow, Why: allowedHere}
	case before:
		return nebula.Verdict{Ruling: nebula.Allow, Why: allowedBefore}
	case r.Approve == Edits && Commits(p.Command) && (r.Commits || ordersCommit(r.Asked, p.Command)) && !slices.ContainsFunc(dangers, func(d Danger) bool { return d != Alters }):
		return nebula.Verdict{Ruling: nebula.Allow, Why: "ordered"}
	case r.Approve == Edits && !slices.ContainsFunc(dangers, func(d Danger) bool { return d != Alters && d != Destroys }) && ordersFiles(r.Asked, p.Command):
		return nebula.Verdict{Ruling: nebula.Allow, Why: "ordered_files"}
	case p.Effect == nebula.Write:
		return unlessNobody(r, "changes_files")
	case p.Remote != nil:
		return unlessNobody(r, "asks_program")
	case p.Effect == nebula.Execute:
		return unlessNobody(r, "runs_command")
	}
	return unlessNobody(r, "effect_unknown")
}

// looks reports whether an action of which only the words beside it make uncertain that it is meant changes nothing, and nothing about it is
// a danger: a command, what it leaves on its view is asked about as what was guessed; or a note of where the work stands beside words that
// wait for the person, which is what it notes.
func looks(p nebula.Proposal, changes bool, dangers []Danger) bool {
	return !changes && p.Action.Against != "" && len(dangers) == 0 && (p.Effect == nebula.Execute || p.Effect == nebula.Update && p.Action.Waits)
}

// barred names the sentence of the person's that a change goes against.
//
//go:noinline
func barred(dangers []Danger) Danger {
	i := slices.IndexFunc(dangers, Bars)
	if i < 0 {
		return ""
	}
	return dangers[i]
}

// Denied is why settings let nobody be asked about something that a danger is; empty where they do.
func Denied(d Danger) nebula.Code {
	if _, args := d.Split(); len(args) > 0 && d.Is(Barred, BarredAct) && strings.HasPrefix(args[0], nebula.Denies) {
		return nebula.NewCode("hook_denies", args[0])
	}
	return ""
}

// Bars reports whether a danger is that something goes against the person's words.
//
//go:noinline
func Bars(d Danger) bool {
	return d.Is(Barred, BarredAct, BarredOpen)
}

// fetches reports whether a danger is that a host of the internet is told something.
//
//go:noinline
func fetches(d Danger) bool {
	return d.Is(Fetches)
}

// Opening reports whether a danger is that what holds secrets was opened.
//
//go:noinline
func Opening(d Danger) bool {
	return d.Is(Opens)
}

// Leaves reports whether a command leaves its box: altogether, or for what it needs beside.
func Leaves(p nebula.Proposal) bool {
	return slices.ContainsFunc(p.Risks, func(r string) bool {
		return nebula.Code(r).Is(nebula.Unconfined, nebula.Reaches, nebula.Changes, nebula.Reads)
	})
}

// Standing reports whether a change of files ran on the person's word for an earlier one: what it changed is shown, since
// nobody was asked. ShownRows are as many rows of it as are shown at once.
func Standing(b nebula.Proposed) bool {
	return (b.Verdict.Why == allowedBefore || b.Verdict.Why == allowedHere) && b.Proposal.Effect == nebula.Write
}

// ShownRows bounds what is shown of a change that nobody was asked about.
const ShownRows = 12

const (
	allowedBefore nebula.Code = "allowed_before"
	allowedHere   nebula.Code = "allowed_here"
)

// atStake names the danger to a file for which neither a remembered approval nor --approve edits is enough.
//
//go:noinline
func atStake(dangers []Danger) Danger { return first(dangers, stake) }

// guessed names what makes it uncertain that a content is the one that is meant.
//
//go:noinline
func guessed(dangers []Danger) Danger { return first(dangers, guess) }

// meant reports whether a content that has hardly all of its file, or looks like none, is taken as it was given: it was sent back once with that
// said, came again as it was or, where it looks like none, with words that it is meant so, and nobody is there who could say more.
func meant(r Rules, dangers []Danger) bool {
	return r.Alone && (r.Approve == All || r.Approve == Edits) && !slices.ContainsFunc(dangers, func(d Danger) bool { return d != Reduced && d != Literal && rowOf(d).about&guess != 0 || d == Empties })
}

// viewed reports whether a command changes nothing but a view of the folder: what leads out of its box is not on the view.
func viewed(p nebula.Proposal, dangers []Danger) bool {
	return p.Viewed && p.Effect == nebula.Execute && !lists.Has(dangers, Unconfined) && !slices.ContainsFunc(dangers, nebula.Beside)
}

// ignored reports whether nobody looks at what is changed, see [nebula.Target].
//
//go:noinline
func ignored(p nebula.Proposal) bool {
	return !slices.ContainsFunc(p.Targets, func(t nebula.Target) bool { return !t.Ignored })
}

//go:noinline
func unlessNobody(r Rules, why nebula.Code) nebula.Verdict {
	if r.Approve == None {
		return nebula.Verdict{Ruling: nebula.Deny, Why: why, Missing: true}
	}
	return nebula.Verdict{Ruling: nebula.AskFirst, Why: why}
}

// doubted is what the model itself doubts, one or two things.
func doubted(doubts []nebula.Code) nebula.Code {
	if len(doubts) == 1 {
		return doubts[0]
	}
	return "doubts_both"
}
