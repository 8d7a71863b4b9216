package agent

import (
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

// move is what a wish for another step comes to, to be recorded; nil when there is nothing to do.
//
//go:noinline
func (s *Session) move(to nebula.Step, cause nebula.Code) *nebula.Moved {
	return s.state.Machine.Request(s.setup.Table, to, cause)
}

// noteMoves notes the moves that are any.
//
//go:noinline
func (s *Session) noteMoves(moves ...*nebula.Moved) (noted bool) {
	for _, m := range moves {
		if m != nil {
			s.note(*m)
			noted = true
		}
	}
	return noted
}

// recordMoves records the moves that are any.
func (s *Session) recordMoves(moves ...*nebula.Moved) error {
	if !s.noteMoves(moves...) {
		return nil
	}
	return s.flush()
}

// moveOnMessage moves on a person's message: a new request leaves DONE, an answer to a step that waits leaves
// AWAITING_APPROVAL, towards EXECUTION only for a clear yes.
func (s *Session) moveOnMessage(text string) error {
	switch s.state.Machine.Step {
	case state.Done:
		return s.recordMoves(s.move(state.Planning, state.NewRequest))
	case state.Awaiting:
		to := state.Planning
		if answer, _, clear := gate.ReadAnswer(text); clear && answer == nebula.Yes {
			to = state.Execution
		}
		return s.recordMoves(s.move(to, state.PersonSaid))
	}
	return s.recordMoves(s.state.Machine.Set(state.InProgress, state.NewMessage))
}

// anew reports whether a message asks for something else than the work before it. Where that is done, or was an answer, more than
// a word on it does; where it is open, because it failed, was refused or is a plan that waits, only what is of another kind.
// What is said beside a plan that is under way is no other goal.
func (s *Session) anew(text string) bool {
	if _, _, word := gate.ReadAnswer(text); word || !state.Asks(text) || s.state.UnderWay() {
		return false
	}
	m, i := s.state.Machine, s.state.Items
	proposed := s.state.Draft.Plan != "" && s.state.Draft.Turn == s.state.Turn.Number
	open := proposed || s.state.Planned() || m.Step != state.Done && (m.Step != state.Planning || m.Status != state.Success || s.state.Informed)
	return !open || state.Answered(text, i.Goal) || state.Another(text, i.Goal, strings.Join(i.PlanBrief, "\n"), s.progress(), s.state.Turn.Text)
}

// decide lets a reply's decision have its effect: the five items and the step. What was refused is returned, for the
// model to read.
func (s *Session) decide(in nebula.Intent) (refused []string, err error) {
	d := in.Decision
	if d == nil {
		return nil, nil
	}
	if d.StateDelta != nil {
		cuts, err := s.update(*d.StateDelta, "model")
		if err != nil {
			return nil, err
		}
		if len(cuts) > 0 {
			refused = append(refused, fmt.Sprintf(s.say(notAllKept), strings.Join(cuts, ", "), state.LineLimit, state.EntryLimit, state.Constraints, state.PlanSteps, state.OpenQuestions))
		}
	}
	to := nebula.Step(strings.ToUpper(strings.TrimSpace(d.Step)))
	if to == state.Done {
		return refused, nil // the way there is the program's: the end of the turn takes it, or says what is missing
	}
	if m := s.move(to, state.ByModel); m != nil {
		if m.Refused != "" && !s.tooSoon(to) {
			refused = append(refused, phrase.Told(s.state.Lang, m.Refused))
		}
		return refused, s.record(*m)
	}
	return refused, nil
}

// tooSoon reports whether all that keeps a step from being taken is that the reply took one already. It is recorded, and
// nothing that the model need read: its next reply may take it.
//
//go:noinline
func (s *Session) tooSoon(to nebula.Step) bool {
	m := s.state.Machine
	return m.Spent && s.setup.Table.Allows(m.Step, to)
}

// update records a change of the five items as far as it fits, and names those that had to be cut.
func (s *Session) update(d nebula.Delta, by string) (cuts []string, err error) {
	fitted, cuts := state.Fit(d)
	return cuts, s.record(nebula.Updated{Delta: fitted, By: by, Cuts: cuts})
}

// enter are the moves to the step that an effect needs. Where the table leads there through an approval alone, there is no
// way without one.
func (s *Session) enter(e nebula.Effect, approved bool) (way []nebula.Body, open bool) {
	needs := state.Needs(e)
	if needs == "" || s.state.Machine.Step == needs {
		return nil, true
	}
	for _, m := range s.state.Machine.Way(s.setup.Table, needs, state.ActionNeeds, approved) {
		way = append(way, m)
	}
	return way, len(way) > 0
}

// wait is what asking the person does to the step: AWAITING_APPROVAL where that is legal and the action has a step of
// its own, and waiting in any case.
func (s *Session) wait(e nebula.Effect) *nebula.Moved {
	if state.Needs(e) == "" {
		return s.state.Machine.Set(state.NeedsInput, state.GateWaits)
	}
	m := s.move(state.Awaiting, state.GateWaits)
	if m == nil || m.Refused != "" {
		return s.state.Machine.Set(state.NeedsInput, state.GateWaits)
	}
	m.Status = state.NeedsInput
	return m
}

// release is what the person's answer does to the step.
func (s *Session) release(yes bool) *nebula.Moved {
	if s.state.Machine.Step != state.Awaiting {
		return s.state.Machine.Set(state.InProgress, state.ModelSaid)
	}
	if yes {
		return s.move(state.Execution, state.GateYes)
	}
	return s.move(state.Planning, state.GateNo)
}

// judged is what a carried-out action's result does to the status.
func (s *Session) judged(p nebula.Proposal, r nebula.Result) *nebula.Moved {
	if state.Needs(p.Effect) == "" {
		return nil
	}
	failed := r.Status == nebula.Failed || r.Tests != nil && !r.Tests.OK
	switch {
	case failed:
		m := s.state.Machine.Fail(s.setup.Table, s.setup.Retries, nebula.NewCode(state.Failed, r.Tool))
		return &m
	case p.Effect == nebula.Execute:
		return s.state.Machine.Set(state.Success, nebula.NewCode(state.Succeeded, r.Tool))
	}
	return s.state.Machine.Set(state.InProgress, nebula.NewCode(state.Worked, r.Tool))
}

// concluded goes on to DONE when a reply leaves nothing to do: from work that began, or where the model says so. Work
// without evidence stays in REVIEW. A reply that waits for the person, or puts the rest off, stays where it is. What it notes
// goes to disk with the turn's end, or with what it goes on with.
func (s *Session) concluded(in nebula.Intent) {
	decided := s.decided(in)
	if decided != nil {
		switch decided.NextStep {
		case "pending_user":
			s.noteMoves(s.state.Machine.Set(state.NeedsInput, state.WaitsForSome))
			return
		case "defer":
			s.noteMoves(s.state.Machine.Set(state.InProgress, state.PutOff))
			return
		}
	}
	at := s.state.Machine.Step
	if at != state.Execution && at != state.Review && !wantsDone(decided) {
		s.noteMoves(s.state.Machine.Set(state.Success, state.ModelSaid))
		return
	}
	to := state.Done
	if s.against(in.Say) != "" && !s.excused(in) {
		to = state.Review
	}
	for _, m := range s.state.Machine.Way(s.setup.Table, to, state.NothingLeft, false) {
		s.note(m)
	}
}

// decided is what a reply says of what comes next: in its own field, or in the last note of the state that was taken of it.
func (s *Session) decided(in nebula.Intent) *nebula.Decision {
	for _, r := range slices.Backward(s.state.Turn.Results) {
		if r.Decision != nil && r.Decision.NextStep+r.Decision.Step != "" && (in.Decision == nil || in.Decision.NextStep == "") {
			return r.Decision
		}
	}
	return in.Decision
}

// wantsDone reports whether a decision says that the work is done.
func wantsDone(d *nebula.Decision) bool {
	return d != nil && (d.NextStep == "done" || strings.EqualFold(strings.TrimSpace(d.Step), string(state.Done)))
}

// waits reports whether a decision says that the work waits: for the person, or for later.
func waits(d *nebula.Decision) bool {
	return d != nil && (d.NextStep == "pending_user" || d.NextStep == "defer")
}

// final reports whether a reply is the answer, with nothing beside it but what it says of its own state: then no other
// reply needs to be asked for.
func (s *Session) final(in nebula.Intent) bool {
	if strings.TrimSpace(in.Say) == "" || len(in.Questions)+len(in.Problems) > 0 || len(in.Actions) == 0 {
		return false
	}
	for i, a := range in.Actions {
		if s.effect(a.Tool) != nebula.Update || i >= len(s.state.Turn.Results) || s.state.Turn.Results[i].Status != nebula.Done {
			return false
		}
	}
	d := s.decided(in)
	return wantsDone(d) || waits(d)
}

// unproven asks for evidence when a reply ends the work without it; empty when it may end.
func (s *Session) unproven(ctx context.Context, in nebula.Intent) string {
	e := s.state.Evidence
	missing := s.against(in.Say)
	told := missing != e.Missing(s.state.Lang) || claimed.In(in.Say) || bare.In(in.Say)
	if missing == "" || e.Faced && !told || ctx.Err() != nil || s.excused(in) || s.explained(in.Say) || s.state.Mode != nebula.AgentMode {
		return ""
	}
	failed := e.Tests != nil && !e.Tests.OK
	if !failed && missing == e.Missing(s.state.Lang) && (s.state.ForbiddenAct("test", "") != "" || e.Hushed() && !slices.ContainsFunc(e.Unchecked, gate.Builds)) {
		return "" // nothing may show it, or could: of settings and remarks no test tells, but where builds read them
	}
	if !failed && missing == e.Missing(s.state.Lang) && !ofTests.In(s.state.Turn.Asks) && (!ofTests.In(in.Say) || notRun.In(in.Say) && !state.TellsOfTests(in.Say)) && !slices.ContainsFunc(e.Unchecked, func(file string) bool {
		there, known := s.stands(file)
		return there || !known || !strings.Contains(s.state.Turn.Asks, path.Base(file))
	}) {
		return "" // what was to go is gone
	}
	if e.Missing(s.state.Lang) != "" && !failed && !(e.None && state.TellsOfTests(in.Say)) && s.setup.Checkable != nil && !s.setup.Checkable() {
		return ""
	}
	return missing
}

// prove asks for the evidence that is missing; empty where the turn ends without it. Nothing is asked for that would be refused, and nobody is
// asked again for what he says fails, or with nothing done since: the same words bring the same answer.
func (s *Session) prove(missing, say string, t *tally) string {
	done := 0
	for _, l := range s.state.Turn.Lines {
		if effect := s.effect(l.Tool); effect != nebula.Read && effect != nebula.Update {
			done++
		}
	}
	again, e := t.missing == missing && t.worked == done, s.state.Evidence
	t.missing, t.worked = missing, done
	if t.unproven++; s.barred() || s.unstarted(say) || e.Beyond(say) || t.unproven > 1 && (again || e.Owned(say) || e.Overstates(say)) {
		t.unproven = corrections + 1
	}
	if t.unproven > corrections {
		return ""
	}
	t.pressed = true
	return fmt.Sprintf(s.say(proveIt), missing)
}

// without reports whether all that was refused are changes of files that the person's words stand against, the work was done without them, checks
// pass, and the answer says that the files are as they were.
func (s *Session) without(say string) bool {
	turn, e := s.state.Turn, s.state.Evidence
	return len(turn.Changed) > 0 && len(e.Unchecked) == 0 && e.Tests != nil && e.Tests.OK && s.against(say) == "" && len(s.unshown(ends(say))) == 0 &&
		!slices.ContainsFunc(turn.Lacking, func(what string) bool { return !lists.Has(turn.Apart, what) || !state.TellsKept(say, what) })
}

// against is what stands against an answer that ends the work; empty for nothing. Of a plan's step its own check tells more than what its
// agent says of tests, but for those that failed, or that were taken away.
func (s *Session) against(say string) string {
	e := s.state.Evidence
	if failed := e.Tests != nil && !e.Tests.OK; strings.HasPrefix(s.state.Session, nebula.StepPrefix) && !failed && len(e.Left) == 0 {
		return ""
	}
	if missing := e.Against(say, s.state.Lang); missing != "" {
		return missing
	}
	if file := e.Unrun(s.state.Turn.Asks, say); file != "" && (s.setup.Checkable == nil || s.setup.Checkable()) {
		return fmt.Sprintf(s.say(onlyBuilt), file)
	}
	return ""
}

// barred reports whether the policy refuses any command that could show that the work is right, as nobody is there to allow one.
func (s *Session) barred() bool {
	viewed := s.setup.Views != nil && s.setup.Views()
	run := nebula.Proposal{Action: nebula.Action{Reason: "?"}, Effect: nebula.Execute, Command: "make test", Viewed: viewed}
	return s.setup.Alone && gate.Judge(s.rules(), run).Ruling != nebula.Allow
}

// unstarted reports whether no test could begin here, and the answer says that nothing was verified, or that what fails did so before the first
// change, of which there is no run: to ask again brings nothing else.
func (s *Session) unstarted(say string) bool {
	_, told := state.Excused(say)
	return s.state.Evidence.Predates(s.state.Turn.Asks, say) || told && s.state.Evidence.Unstarted && !s.state.Evidence.Contradicted(say)
}

// lacked is what stands against done, and why it could not be got.
func (s *Session) lacked(say string) string {
	missing := s.against(say)
	if s.state.Evidence.Predates(s.state.Turn.Asks, say) {
		missing = s.say(noneBefore)
	}
	if s.barred() {
		missing += fmt.Sprintf(s.say(noCommands), s.approve())
	}
	return missing
}

func (s *Session) excused(in nebula.Intent) bool {
	if s.state.Evidence.Broke(s.state.Turn.Asks) {
		return false
	}
	if s.state.Evidence.Admitted(in.Say) {
		return true
	}
	if s.state.Evidence.Contradicted(in.Say) || s.state.Evidence.Unstarted && len(s.state.Evidence.Unchecked) > 0 {
		return false
	}
	if _, ok := state.Excused(in.Say); ok {
		return true
	}
	return in.Decision != nil && in.Decision.NextStep == "done" && in.Decision.Rationale != "" && mentions(in.Decision.Rationale)
}

func mentions(rationale string) bool {
	for _, word := range []string{"unverified", "not verified", "cannot be tested", "未確認", "未検証"} {
		if strings.Contains(strings.ToLower(rationale), word) {
			return true
		}
	}
	return false
}

// reasons gives actions without a reason the one that the words around them say: those of their reply, or else the last
// ones of the turn. Where there are none, what would change something says so beside what was asked for; what only looks
// needs no reason.
func (s *Session) reasons(in *nebula.Intent) {
	around := ""
	switch {
	case in.Decision != nil && in.Decision.Rationale != "":
		around = in.Decision.Rationale
	case in.Say != "":
		around = in.Say
	case len(in.Thoughts) > 0:
		around = in.Thoughts[len(in.Thoughts)-1]
	}
	around, _ = state.Cut(around, state.LineLimit)
	for i := range in.Actions {
		a := &in.Actions[i]
		if strings.TrimSpace(a.Reason) != "" {
			continue
		}
		a.Reason = around
		if around == "" && s.effect(a.Tool).Changes() {
			a.Reason = s.unreasoned()
		}
	}
}

// unreasoned stands where the model gave no reason: what it said last in the turn, or that it said nothing.
func (s *Session) unreasoned() string {
	said := strings.TrimSpace(s.state.Turn.Text)
	if said == "" {
		asked, _ := state.Cut(s.state.Turn.Asks, state.LineLimit/2)
		return fmt.Sprintf(s.say(noReason), asked)
	}
	said, _ = state.Cut(said, state.LineLimit)
	return said
}

// spent is the largest share of a limit that the turn has used.
func (s *Session) spent() float64 {
	l, u := s.setup.Limits, s.state.Turn.Usage
	share := 0.0
	if l.Steps > 0 {
		share = max(share, float64(s.state.Turn.Step)/float64(l.Steps))
	}
	if l.Tokens > 0 {
		share = max(share, float64(u.Input+u.Output)/float64(l.Tokens))
	}
	if l.New > 0 {
		share = max(share, float64(s.turn.fresh)/float64(l.New))
	}
	if l.Cost > 0 {
		share = max(share, u.Cost/l.Cost)
	}
	return max(share, s.turn.clock.share())
}

// vitals joins a reply's own report with what was seen.
func (s *Session) vitals(in nebula.Intent, m nebula.ModelInfo, u nebula.Usage) nebula.Vitals {
	w := s.state.Watch
	w.Spent, w.Read = s.spent(), 1
	if in.Confidence > 0 {
		w.Read = in.Confidence
	}
	if m.Window > 0 {
		w.Context = min(1, float64(u.Input)/float64(m.Window))
	}
	return w.Join(in.Vitals)
}

// exhausted says why the turn should stop here with a report, empty when it can go on.
func (s *Session) exhausted() (string, nebula.EndCause) {
	if why := s.setup.Thresholds.Circles(s.state.Watch, s.state.Lang); why != "" {
		return why, nebula.WentInCircles
	}
	if m := s.state.Machine; m.Status == state.NeedsInput && m.Recovered >= s.setup.Retries {
		return fmt.Sprintf(s.say(stillFails), m.Recovered), nebula.StillFails
	}
	return "", ""
}
