// Package insight looks at what is on record and finds what could be set or noted, so that the work goes better or costs less: each with the
// figures that speak for it. It changes nothing, and nothing that it reads leaves the machine.
package insight

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"nebula"
	"nebula/internal/gate"
	"nebula/internal/lists"
	"nebula/internal/phrase"
)

// An Insight is something that could be better: a setting (Key and Value), a rule of the folder, or a note to remember for it.
type Insight struct {
	Says     nebula.Words // what to do
	Evidence nebula.Words // and why
	Key      string
	Value    string
	Rule     *gate.Rule
	Note     nebula.Words
}

// How much has to be on record before something is said of it.
const (
	timesTested   = 3  // the same test command
	timesFailed   = 3  // the same command, or the same request
	timesAllowed  = 20 // edits, each of which was asked about
	timesLet      = 5  // what one rule would allow
	repliesSpoken = 20 // of a model in a protocol
	turnsWorked   = 10 // of a model
	shown         = 60 // characters of a command or a request
)

// A Reader takes the events of sessions, one session after the other and each from its beginning.
type Reader struct {
	session  string
	commands map[string]run // of the session's actions, by their ids
	request  string
	tested   map[string]int
	failed   map[string]*failures
	requests map[string]*failures
	models   map[string]*worked
	pending  *nebula.Proposed
	edits    struct{ allowed, refused int } // on which the person was asked
	lines    map[string]*let                // by the rule that would have answered
}

// A let is what the person said to what a rule would allow.
type let struct {
	rule             gate.Rule
	last             nebula.Proposal
	allowed, refused int
}

type run struct {
	command string // that would run
	given   string // as the model wrote it; empty when the tool found it
}

type failures struct {
	times    int
	sessions map[string]bool
	well     bool   // once at least
	last     string // how it failed
}

type worked struct {
	turns, done int
	cost        float64
}

// Take takes the next event of a session.
func (r *Reader) Take(session string, e nebula.Event) {
	if r.models == nil {
		*r = Reader{tested: map[string]int{}, failed: map[string]*failures{}, requests: map[string]*failures{}, models: map[string]*worked{}, lines: map[string]*let{}}
	}
	if session != r.session {
		r.session, r.request, r.commands = session, "", map[string]run{}
	}
	switch b := e.Body.(type) {
	case nebula.Submitted:
		if !b.Steer && b.By == "" {
			r.request = phrase.OneLine(b.Text, 0)
		}
	case nebula.Proposed:
		var args struct{ Command string }
		_ = json.Unmarshal(b.Proposal.Action.Args, &args) // what is no command's has none
		r.commands[b.Proposal.Action.ID] = run{b.Proposal.Line(), args.Command}
		r.pending = &b
	case nebula.Answered:
		r.answered(b)
	case nebula.Finished:
		r.pending = nil
		r.finished(b.Result)
	case nebula.Ended:
		r.ended(b.Outcome)
	}
}

// answered counts what the person said to an edit, and to what a rule could have answered.
func (r *Reader) answered(b nebula.Answered) {
	if r.pending == nil || b.By != nebula.Person {
		return
	}
	yes := b.Answer == nebula.Yes || b.Answer == nebula.Always
	if r.pending.Proposal.Effect == nebula.Write {
		count(yes, &r.edits.allowed, &r.edits.refused)
	}
	if rule, ok := gate.Lasting(r.pending.Proposal, r.pending.Verdict.Risks); ok {
		key := rule.Tool + " " + rule.String()
		if r.lines[key] == nil {
			r.lines[key] = &let{rule: rule}
		}
		r.lines[key].last = r.pending.Proposal
		count(yes, &r.lines[key].allowed, &r.lines[key].refused)
	}
}

func count(yes bool, allowed, refused *int) {
	if yes {
		*allowed++
	} else {
		*refused++
	}
}

func (r *Reader) finished(result nebula.Result) {
	ran := r.commands[result.Action]
	if ran.command == "" || result.Status != nebula.Done && result.Status != nebula.Failed {
		return
	}
	if t := result.Tests; t != nil && (t.Passed != 0 || t.Failed != 0) {
		if ran.given != "" {
			r.tested[ran.given]++
		}
		return // that tests fail is their work
	}
	if result.Exit != nil {
		noted(r.failed, ran.command).add(r.session, *result.Exit == 0, fmt.Sprint(*result.Exit))
	}
}

func (r *Reader) ended(o nebula.Outcome) {
	model := r.models[o.Model]
	if model == nil {
		model = &worked{}
		r.models[o.Model] = model
	}
	model.turns++
	model.cost += o.Usage.Cost
	if o.Status == nebula.TurnDone {
		model.done++
	}
	if r.request != "" && (o.Status.Did() || o.Status == nebula.TurnFailed || o.Status == nebula.LimitReached) {
		noted(r.requests, r.request).add(r.session, o.Status.Did(), "")
	}
	r.request = ""
}

//go:noinline
func noted(all map[string]*failures, what string) *failures {
	f := all[what]
	if f == nil {
		f = &failures{sessions: map[string]bool{}}
		all[what] = f
	}
	return f
}

// add counts one end more.
//
//go:noinline
func (f *failures) add(session string, well bool, how string) {
	if well {
		f.well = true
		return
	}
	f.times++
	f.sessions[session] = true
	f.last = how
}

// Found is what could be better. spoken is what was counted of the replies; set tells what a setting is now, rules what is allowed from now on.
func (r *Reader) Found(spoken []nebula.Spoken, set func(key string) string, rules []gate.Rule) []Insight {
	var found []Insight
	if tests, times := most(r.tested); times >= timesTested && set("tests.command") == "" {
		found = append(found, Insight{Key: "tests.command", Value: tests,
			Says:     nebula.Say("set the command that runs the tests"),
			Evidence: nebula.Say("the model wrote it %d times to run the tests: %s", times, phrase.OneLine(tests, shown))})
	}
	if asks := set("approve"); r.edits.allowed >= timesAllowed && r.edits.refused == 0 && (asks == "" || asks == "ask") {
		found = append(found, Insight{Key: "approve", Value: "edits",
			Says:     nebula.Say("let edits run unasked; undo takes them back"),
			Evidence: nebula.Say("you were asked about %d edits here and allowed every one", r.edits.allowed)})
	}
	found = append(found, r.lasting(set("approve"), rules)...)
	model := set("model")
	if set("protocol") == "auto" {
		found = append(found, better(spoken, model)...)
	}
	found = append(found, r.cheaper(model)...)
	return append(found, r.failing()...)
}

// lasting are rules for what the person was asked about again and again and always allowed. Under another policy than asking each time, what
// needs nothing outside of its box is not asked about.
func (r *Reader) lasting(approve string, rules []gate.Rule) (found []Insight) {
	for _, key := range slices.Sorted(maps.Keys(r.lines)) {
		l := r.lines[key]
		asks := approve == "" || approve == "ask" || approve == "edits" && len(l.rule.Needs) > 0
		if l.allowed < timesLet || l.refused > 0 || !asks || slices.ContainsFunc(rules, func(rule gate.Rule) bool { return rule.Covers(l.last) }) {
			continue
		}
		found = append(found, Insight{Rule: &l.rule,
			Says:     nebula.Say("allow a command in this folder from now on"),
			Evidence: nebula.Say("you were asked about it %d times and allowed it every time: %s", l.allowed, phrase.OneLine(l.rule.String(), shown))})
	}
	return found
}

// failing are notes of what never worked: commands, and requests.
func (r *Reader) failing() (found []Insight) {
	for _, command := range slices.Sorted(maps.Keys(r.failed)) {
		if f := r.failed[command]; !f.well && f.times >= timesFailed && len(f.sessions) > 1 {
			found = append(found, Insight{Note: nebula.Say("%s fails here (exit %s)", phrase.OneLine(command, shown), f.last),
				Says:     nebula.Say("note that a command does not work here"),
				Evidence: nebula.Say("it failed %d times in %d sessions, and never did anything else: %s", f.times, len(f.sessions), phrase.OneLine(command, shown))})
		}
	}
	for _, request := range slices.Sorted(maps.Keys(r.requests)) {
		if f := r.requests[request]; !f.well && f.times >= timesFailed {
			found = append(found, Insight{Note: nebula.Say("“%s” came to no end: ask what is meant", phrase.OneLine(request, shown/2)),
				Says:     nebula.Say("note that a request needs other words"),
				Evidence: nebula.Say("it was made %d times and never came to its end: %s", f.times, phrase.OneLine(request, shown))})
		}
	}
	return found
}

// most is the one that came most often, the first by name of several.
func most(times map[string]int) (what string, n int) {
	for _, each := range slices.Sorted(maps.Keys(times)) {
		if times[each] > n {
			what, n = each, times[each]
		}
	}
	return what, n
}

// better is a protocol that a model writes for fewer tokens, and reads no worse in, than the one that it used most.
func better(spoken []nebula.Spoken, model string) []Insight {
	var enough []nebula.Spoken
	for _, s := range spoken {
		if s.Replies >= repliesSpoken && s.Actions > 0 && s.Dialect == "" && (s.Model == model || strings.HasSuffix(model, "/"+s.Model)) {
			enough = append(enough, s)
		}
	}
	if len(enough) < 2 {
		return nil
	}
	price := func(s nebula.Spoken) float64 { return float64(s.Tokens) / float64(s.Actions) }
	well := func(s nebula.Spoken) float64 { return float64(s.Strict+s.Repaired) / float64(s.Replies) }
	used := slices.MaxFunc(enough, func(a, b nebula.Spoken) int { return cmp.Compare(a.Replies, b.Replies) })
	best := slices.MinFunc(enough, func(a, b nebula.Spoken) int { return cmp.Compare(price(a), price(b)) })
	if best.Protocol == used.Protocol || price(best) > 0.8*price(used) || well(best) < well(used) {
		return nil
	}
	return []Insight{{Key: "protocol", Value: best.Protocol,
		Says: nebula.Say("let %s act in %s", model, best.Protocol),
		Evidence: nebula.Say("an action costs %.0f tokens there, %.0f in %s; %.0f %% and %.0f %% of the replies were read without a guess",
			price(best), price(used), used.Protocol, 100*well(best), 100*well(used))}}
}

// cheaper is a model that brings as many turns to their end for less than half.
func (r *Reader) cheaper(model string) []Insight {
	now := r.models[model]
	if now == nil || now.turns < turnsWorked || now.done == 0 {
		return nil
	}
	each := func(w *worked) float64 { return w.cost / float64(w.done) }
	share := func(w *worked) float64 { return float64(w.done) / float64(w.turns) }
	names := slices.Sorted(maps.Keys(r.models))
	lists.Sort(names, func(a, b string) int { return cmp.Compare(r.models[a].cost, r.models[b].cost) })
	for _, name := range names {
		w := r.models[name]
		if name == model || w.turns < turnsWorked || w.done == 0 || share(w) < share(now) || each(w) > each(now)/2 {
			continue
		}
		return []Insight{{Key: "model", Value: name,
			Says: nebula.Say("work with %s", name),
			Evidence: nebula.Say("a finished request cost $%.4f there and $%.4f with %s; %d of %d and %d of %d came to their end",
				each(w), each(now), model, w.done, w.turns, now.done, now.turns)}}
	}
	return nil
}
