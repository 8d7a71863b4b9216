package transcript

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"nebula"
	"nebula/internal/gate"
	"nebula/internal/lists"
	"nebula/internal/phrase"
)

// An Action is one action with what became of it.
type Action struct {
	Proposal nebula.Proposal
	Verdict  nebula.Verdict
	Points   *nebula.Points
	Result   *nebula.Result // nil until it has ended
	Asked    bool           // waits for the person
	Running  bool
	Asks     bool   // it is a question of the model's, which has a row of its own
	Output   string // of the running command, its end
}

// Title is what an action is about: its command, and what else there is to say in one line. Either may be empty.
func (a Action) Title() (command, text string) {
	p, r := a.Proposal, a.Result
	denied := r != nil && r.Status == nebula.Denied
	failed := r != nil && (r.Status == nebula.Skipped || r.Status == nebula.Failed && p.Line() == "") // what became of it is said behind it
	if text = p.Summary; r != nil && !denied && !failed && r.Summary != "" {
		text = r.Summary
	}
	if text == "" {
		text = strings.TrimSpace(p.Action.Tool + " " + object(p.Action.Args))
	}
	if p.Command != "" && (r == nil || r.Summary == "" || denied) {
		text = ""
	}
	return strings.TrimSpace(p.Line()), text
}

// objectMax bounds what a title says of what an action is about, in characters.
const objectMax = 60

// object is the first text among an action's arguments: what could not even be proposed is about that.
func object(args json.RawMessage) string {
	for d, in := json.NewDecoder(bytes.NewReader(args)), 0; ; in++ {
		token, err := d.Token()
		text, is := token.(string)
		switch {
		case err != nil:
			return ""
		case is && in > 0 && in%2 == 0: // behind its name
			return phrase.OneLine(text, objectMax)
		case !is && in > 0:
			return ""
		}
	}
}

// Mark says how an action stands, also without colour, and a word where the mark needs one.
func (a Action) Mark(w Words) (mark string, tone Tone, word string) {
	switch {
	case a.Asked:
		return "?", Warning, ""
	case a.Result == nil && a.Running:
		return "◐", Info, ""
	case a.Result == nil:
		return "○", Faint, ""
	}
	switch a.Result.Status {
	case nebula.Failed:
		if a.Proposal.Line() != "" && a.Result.Summary != "" {
			return "✗", Bad, "" // the title says how it failed
		}
		return "✗", Bad, w.Failed
	case nebula.Denied:
		if a.Verdict.Ruling == nebula.Deny && a.Verdict.Why != "" {
			return "⊘", Warning, w.Denied + ": " + gate.Why(a.Verdict, w.Lang)
		}
		return "⊘", Warning, w.Denied
	case nebula.Skipped:
		return "–", Faint, cmp.Or(a.Result.Summary, w.Skipped)
	case nebula.Interrupted:
		return "!", Warning, w.Interrupted
	}
	if len(a.Result.Dropped) > 0 {
		return "⊘", Warning, "" // the title says what of it is not there
	}
	return "✓", Good, ""
}

// Unasked reports whether an action was carried out that nobody was asked about since an earlier one was allowed always.
//
//go:noinline
func (a Action) Unasked() bool {
	return a.Result != nil && a.Result.Status == nebula.Done && gate.Standing(nebula.Proposed{Proposal: a.Proposal, Verdict: a.Verdict})
}

// Looked reports whether an action only looked, and has come to its end: what could not even be proposed counts as a look
// that failed.
func (a Action) Looked() bool {
	r := a.Result
	if r == nil || a.Asked || a.Proposal.Exact() != "" || r.Exit != nil {
		return false
	}
	return r.Status == nebula.Done && a.Proposal.Effect == nebula.Read || r.Status == nebula.Failed && (a.Proposal.Effect == nebula.Read || a.Proposal.Effect == "" && r.Unmade == "")
}

// Looks sum looks up: how many files were read, how often was looked elsewhere, what was not found.
func (w Words) Looks(all []*Action) (parts []string) {
	files, times, failed := map[string]bool{}, 0, 0
	for _, a := range all {
		for _, f := range a.Result.Seen {
			files[f.Path] = true
		}
		switch {
		case a.Result.Status == nebula.Failed:
			failed++
		case len(a.Result.Seen) == 0:
			times++
		}
	}
	for _, n := range []struct {
		n    int
		text string
	}{{len(files), w.FilesRead}, {times, w.TimesLooked}, {failed, w.NotFound}} {
		if n.n > 0 {
			parts = append(parts, fmt.Sprintf(phrase.Many(n.text, n.n), n.n))
		}
	}
	return parts
}

// A Point is one of the five points of a decision, the fifth of which, the change itself, stands below them; or how much
// it weighs, or the rule that asks.
type Point struct {
	Name  string
	Tone  Tone
	Texts []string
}

// Explained are the points of an action, those that say something.
func (a Action) Explained(w Words) (all []Point) {
	points := nebula.Points{Rationale: a.Proposal.Action.Reason}
	if a.Points != nil {
		points = *a.Points
	}
	put := func(name string, tone Tone, texts ...string) {
		var said []string
		for _, t := range texts {
			if t != "" {
				said = append(said, t)
			}
		}
		if len(said) > 0 {
			all = append(all, Point{name, tone, said})
		}
	}
	if points.Intent != a.Proposal.Summary {
		put(w.Intent, Plain, points.Intent)
	}
	put(w.Rationale, Plain, points.Rationale)
	put(w.Impact, Plain, gate.SayAll(points.Impact, w.Lang)...)
	put(w.Alternatives, Plain, gate.SayAll(points.Alternatives, w.Lang)...)
	if risk := a.Verdict.Risk; risk != "" {
		put(w.Risk, RiskTone(risk), append([]string{w.Weight(risk)}, a.Risks(w)...)...)
	}
	put(w.Rule, Faint, gate.Why(a.Verdict, w.Lang))
	return all
}

// Risks are the reasons of an action's risk, but for those that stand by its command.
func (a Action) Risks(w Words) []string {
	given := gate.Given(a.Proposal, a.Verdict)
	return gate.SayAll(lists.Drop(lists.Clone(a.Verdict.Risks), func(c nebula.Code) bool { return lists.Has(given, c) }), w.Lang)
}

// RiskTone is how a risk is meant.
func RiskTone(risk string) Tone {
	switch risk {
	case "high":
		return Bad
	case "medium":
		return Warning
	}
	return Faint
}

// acting folds what happens to actions.
func (t *Transcript) acting(body nebula.Body) {
	switch b := body.(type) {
	case nebula.Proposed:
		t.proposed(b)
	case nebula.Asked:
		t.asked(b)
	case nebula.Answered:
		t.answered(b)
	case nebula.Began:
		if r := t.open[b.Action]; r != nil {
			r.Action.Running, t.Acting = true, r
			r.Changes++
		}
	case nebula.Finished:
		t.finished(b.Result)
	}
}

func (t *Transcript) proposed(b nebula.Proposed) {
	if r := t.open[b.Proposal.Action.ID]; r != nil { // the person changed it, or it ran on a view
		r.Action.Proposal, r.Action.Verdict, r.Action.Points = b.Proposal, b.Verdict, cmp.Or(b.Points, r.Action.Points)
		r.Changes++
		return
	}
	t.flush()
	if len(b.Proposal.List) > 0 && t.list != nil { // it is the same list as it stands now
		t.list.Action.Proposal, t.list.Action.Result = b.Proposal, nil
		t.list.Changes++
		t.open[b.Proposal.Action.ID], t.Acting = t.list, t.list
		return
	}
	t.Acting = t.add(&Row{Kind: Act, Action: &Action{Proposal: b.Proposal, Verdict: b.Verdict, Points: b.Points}})
	t.open[b.Proposal.Action.ID] = t.Acting
	if len(b.Proposal.List) > 0 {
		t.list = t.Acting
	}
}

// List is what the model works through in this turn, as it stands; nil for nothing.
func (t *Transcript) List() []nebula.Item {
	if t.list == nil {
		return nil
	}
	return t.list.Action.Proposal.List
}

// Ticked counts the items of a list, and those of them that are done.
func Ticked(list []nebula.Item) (done, of int) {
	for _, i := range list {
		if i.Status == nebula.Completed {
			done++
		}
	}
	return done, len(list)
}

// ItemMark is how an item of a list stands.
func ItemMark(i nebula.Item) (mark string, tone Tone) {
	switch i.Status {
	case nebula.Completed:
		return "✓", Good
	case nebula.InProgress:
		return "◐", Info
	}
	return "○", Faint
}

func (t *Transcript) asked(b nebula.Asked) {
	t.flush()
	t.Ask, t.Busy = &b, true
	if b.Question != nil {
		t.add(&Row{Kind: Question, Tone: Warning, Text: b.Question.Text, Question: b.Question})
		if r := t.open[b.Action]; r != nil {
			r.Action.Asks = true
			r.Changes++
		}
	} else if r := t.open[b.Action]; r != nil {
		r.Action.Asked = true
		r.Changes++
	}
}

func (t *Transcript) answered(b nebula.Answered) {
	t.Settled = b
	beside := t.Beside.settled(b.Ask)
	if !beside && (t.Ask == nil || t.Ask.Ask != b.Ask) {
		return
	}
	known, about := false, (*Row)(nil)
	if !beside {
		if about = t.open[t.Ask.Action]; about != nil {
			about.Action.Asked = false
			about.Changes++
		}
		t.Ask, known = nil, b.Answer == nebula.Yes && b.By == nebula.Person && b.Command == ""
	}
	row := t.words.answer(b)
	row.Known, row.About = known, about
	t.add(row)
}

// Late says of a question that waits no more that the person answered it at another terminal, where they did: gave is what was
// sent from here.
//
//go:noinline
func (t *Transcript) Late(ask string, gave nebula.Answer) string {
	b := t.Settled
	switch {
	case b.Ask != ask || b.By != nebula.Person:
		return ""
	case gave.Ask != ask:
		return t.words.Elsewhere
	case gave.Text == b.Text && (gave.Answer == nebula.No) == (b.Answer == nebula.No):
		return ""
	}
	return t.words.TooLate
}

// answer says what was answered, and by whom where that was not the person.
func (w Words) answer(b nebula.Answered) *Row {
	r := &Row{Kind: Note, Tone: Warning, Mark: "→", Text: w.Refused}
	switch b.Answer {
	case nebula.Yes:
		r.Tone, r.Text = Good, w.Allowed
	case nebula.Always:
		r.Tone, r.Text = Good, w.AllowedAlways
	case nebula.Here:
		r.Tone, r.Text = Good, w.AllowedHere
	case nebula.Some, nebula.Edits, nebula.Try:
		r.Tone, r.Text = Good, w.Allowed
	case nebula.Told:
		r.Tone, r.Text = Info, b.Text
	}
	switch b.By {
	case "", nebula.Person:
	case nebula.Stop:
		r.Tail = " (" + w.ByStop + ")"
	case nebula.Restart:
		r.Tail = " (" + w.ByEnd + ")"
	case nebula.Nobody:
		r.Tail = " (" + w.ByNobody + ")"
	default:
		r.Tail = " (" + strings.ReplaceAll(w.By, "%s", string(b.By)) + ")"
	}
	if r.Exact = b.Command; (b.Answer == nebula.No || b.Answer == nebula.Some) && b.Text != "" {
		r.Exact = b.Text
	}
	if r.Exact != "" {
		r.Text += ": "
	}
	return r
}

func (t *Transcript) finished(r nebula.Result) {
	row := t.open[r.Action]
	if row == nil {
		meant := nebula.Action{ID: r.Action, Tool: r.Tool}
		if i := slices.IndexFunc(t.meant, func(a nebula.Action) bool { return a.ID == r.Action }); i >= 0 {
			meant = t.meant[i]
		}
		row = t.add(&Row{Kind: Act, Action: &Action{Proposal: nebula.Proposal{Action: meant}}})
	}
	delete(t.open, r.Action)
	a := row.Action
	a.Result, a.Running, a.Asked, a.Output = &r, false, false, ""
	row.Images = r.Images
	row.Changes++
	t.Acting = nil
}
