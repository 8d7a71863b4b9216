package page

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"nebula"
	"nebula/internal/amend"
	"nebula/internal/gate"
	"nebula/internal/phrase"
	"nebula/internal/terminal"
	"nebula/internal/transcript"
)

// An asked is something that waits for the person: a decision, a question, or a plan that may begin.
type asked struct {
	key    string // of the page's element: another proposal is another element
	ask    string // by which it is answered; of a plan, its id
	who    string // asks, where that is not the conversation itself
	action *transcript.Action
	about  *nebula.Question
	plan   *nebula.Plan
}

// asks are all that wait, the conversation's own first.
func (v *View) asks() (all []asked) {
	if q := v.seen.Ask; q != nil {
		a := asked{ask: q.Ask, about: q.Question}
		if row := v.seen.Open(q.Action); row != nil && q.Question == nil {
			a.action = row.Action
		}
		if a.about != nil || a.action != nil {
			all = append(all, a)
		}
	}
	for _, w := range v.seen.Beside.Waits {
		a := asked{ask: w.Ask, who: strings.TrimSpace(w.Step + " " + w.Title), about: w.Question}
		if p := w.Proposed; p != nil {
			a.action = &transcript.Action{Proposal: p.Proposal, Verdict: p.Verdict, Points: p.Points, Asked: true}
		}
		all = append(all, a)
	}
	if p := v.seen.Beside.Plan; p != nil && p.Status == nebula.Draft {
		all = append(all, asked{ask: p.ID, plan: p})
	}
	for i, a := range all {
		of := a.ask
		if rows, _ := v.rows(a); a.action != nil || a.plan != nil {
			of = fmt.Sprint(a.ask, rows)
		}
		sum := sha256.Sum256([]byte(of))
		all[i].key = "ask-" + hex.EncodeToString(sum[:12])
	}
	return all
}

// rows are what a person decides on, the first firm of which nothing is allowed without. For proposals they are the same ones that a terminal shows.
func (v *View) rows(a asked) (rows []terminal.Row, firm int) {
	switch {
	case a.action != nil:
		p := a.action.Proposal
		return terminal.Decision(p, gate.SayAll(gate.Given(p, a.action.Verdict), v.Lang), columns, v.Lang)
	case a.plan != nil:
		if a.plan.Goal != "" {
			rows = append(rows, terminal.Row{Text: terminal.OneRow(a.plan.Goal), Kind: '.'})
		}
		for _, r := range transcript.Covered(*a.plan) {
			for _, part := range terminal.Chop(r.Said(terminal.Visible, terminal.OneRow), columns) {
				rows = append(rows, terminal.Row{Text: part, Kind: map[bool]byte{true: '$', false: ' '}[r.Exact != ""]})
			}
		}
		return rows, len(rows)
	}
	return nil, 0
}

// offers are the answers to a decision.
//
//go:noinline
func (v *View) offers(a asked) []gate.Offer {
	if a.action == nil {
		return nil
	}
	return gate.Offers(a.action.Proposal, a.action.Verdict.Risks)
}

// changeable is the command, or the diff of one text, that a person may write otherwise; empty where there is none, or where one could not see
// what it is.
func (a asked) changeable() string {
	if a.action == nil {
		return ""
	}
	what := amend.Offered(a.action.Proposal)
	if terminal.Exact(what) != what {
		return ""
	}
	return what
}

func (v *View) ask(a asked) Node {
	title := v.said("Question")
	switch {
	case a.plan != nil:
		title = v.said("Let this plan begin?")
	case a.action != nil && a.who != "":
		title = v.said("Allow this, which a step in the background asks for?")
	case a.action != nil:
		title = v.said("Allow this?")
	case a.who != "":
		title = v.said("A step in the background asks")
	}
	head := el("h2", text(title)).set("id", a.key+"-title")
	if a.who != "" {
		head = head.add(text(" "), el("small", line(a.who)))
	}
	n := el("section", head).class("ask").set("id", a.key).set("data-ask", a.ask).set("aria-labelledby", a.key+"-title").set("tabindex", "-1")
	if a.about != nil {
		return n.add(v.question(a)...)
	}
	rows, firm := v.rows(a)
	n = n.set("data-rows", strconv.Itoa(max(firm, len(rows)))).set("data-firm", strconv.Itoa(firm)).set("data-unread", v.words.RowsUnread)
	if a.plan != nil {
		n = n.set("data-plan", "").add(el("p", el("strong", line(a.plan.Name))))
	} else {
		n = n.add(v.points(a)...)
	}
	firm = min(firm, len(rows))
	var shown []Node
	for i, r := range rows[:firm] {
		shown = append(shown, decided(i, r))
	}
	return n.add(el("div", append(shown, changes(rows[firm:], firm)...)...).class("decision"), el("p").class("held").set("id", a.key+"-held"), v.answers(a))
}

// points are the summary and the points of a decision.
func (v *View) points(a asked) []Node {
	list := el("dl")
	for _, p := range a.action.Explained(v.words) {
		list = list.add(el("dt", text(p.Name)), el("dd", line(strings.Join(p.Texts, " · "))).class(tones[p.Tone]))
	}
	return []Node{el("p", el("strong", line(a.action.Proposal.Summary))), list}
}

func (v *View) answers(a asked) Node {
	all := el("div").class("answers")
	button := func(label string, answer nebula.Decided) Node {
		return el("button", text(label)).set("type", "button").set("data-answer", string(answer))
	}
	if a.plan != nil {
		return all.add(button(v.said("Begin"), nebula.Yes), button(v.said("Cancel the plan"), nebula.No))
	}
	for _, o := range v.offers(a) {
		if o.Answer != nebula.No {
			all = all.add(button(gate.Say(o.Does, v.Lang), o.Answer))
		}
	}
	all = all.add(v.field("why", v.said("Refuse, and say why"), button(v.said("Refuse"), nebula.No)))
	if c := a.changeable(); c != "" {
		rows, as, other, once := "2", "The command as you want it", "Run another command instead", "Run mine once"
		if a.action.Proposal.Command == "" {
			rows, as, other, once = "14", "The change as you want it", "Change it before it is made", "Make mine"
		}
		own := el("textarea", text(c)).set("rows", rows).set("data-field", "command").set("aria-label", v.said(as)).set("spellcheck", "false")
		all = all.add(folded(text(v.said(other)), own, button(v.said(once), nebula.Yes).set("data-own", "")))
	}
	return all
}

// field is a line to type in, and the button that sends it.
func (v *View) field(name, label string, send Node) Node {
	return el("span", el("input").set("type", "text").set("data-field", name).set("aria-label", label).set("placeholder", label).set("autocomplete", "off"), send).class("field")
}

func (v *View) question(a asked) []Node {
	options := el("div").class("answers")
	for _, o := range a.about.Options {
		options = options.add(el("button", line(o)).set("type", "button").set("data-answer", string(nebula.Told)).set("data-text", o))
	}
	return []Node{el("p", plain(a.about.Text)).class("text"),
		options.add(v.field("why", v.said("Your own words"), el("button", text(v.said("Answer"))).set("type", "button").set("data-answer", string(nebula.Told))))}
}

// Given is an answer as it comes from the page.
type Given struct {
	Key     string         `json:"key"` // of the element that was answered
	Answer  nebula.Decided `json:"answer"`
	Text    string         `json:"text,omitempty"`
	Own     bool           `json:"own,omitempty"` // what is answered is the person's own:
	Command string         `json:"command,omitempty"`
	Saw     [][2]int       `json:"saw,omitempty"`   // rows from one up to another that were on the screen
	Again   bool           `json:"again,omitempty"` // the person was told that some were not
}

// A Held answer does not count, or not yet. Hold is empty for what waits no more.
type Held struct {
	Hold gate.Hold `json:"hold,omitempty"`
	Says string    `json:"error"`
	Does string    `json:"does,omitempty"` // of a button that sends it all the same; empty where none does
	Next int       `json:"next"`           // the first row that was on no screen
}

// Decide is the command that an answer sends, or why it does not count. What must have been on the screen before a yes is what
// must have been on a terminal's.
func (v *View) Decide(g Given) (nebula.Command, *Held) {
	all := v.asks()
	i := slices.IndexFunc(all, func(a asked) bool { return a.key == g.Key })
	if i < 0 {
		return nil, &Held{Says: v.said("This waits no more: it was answered, or it has changed.")}
	}
	a := all[i]
	switch {
	case a.about != nil && g.Answer == nebula.Told && strings.TrimSpace(g.Text) != "":
		return nebula.Answer{Ask: a.ask, Answer: nebula.Told, Text: g.Text, By: nebula.Person}, nil
	case a.about != nil:
		return nil, &Held{Says: v.said("Your own words")}
	case g.Answer == nebula.No && a.plan != nil:
		return nebula.Direct{Do: nebula.CancelPlan, Plan: a.plan.ID}, nil
	case g.Answer == nebula.No:
		return nebula.Answer{Ask: a.ask, Answer: nebula.No, Text: g.Text, By: nebula.Person}, nil
	case a.action != nil && !slices.ContainsFunc(v.offers(a), func(o gate.Offer) bool { return o.Answer == g.Answer }), a.plan != nil && g.Answer != nebula.Yes:
		return nil, &Held{Hold: gate.Lacking, Says: v.words.NotOffered}
	}
	if held := v.unseen(a, g); held != nil {
		return nil, held
	}
	if a.plan != nil {
		return nebula.Direct{Do: nebula.RunPlan, Plan: a.plan.ID}, nil
	}
	answer := nebula.Answer{Ask: a.ask, Answer: g.Answer, By: nebula.Person}
	if g.Own {
		if a.changeable() == "" || g.Answer != nebula.Yes || strings.TrimSpace(g.Command) == "" {
			return nil, &Held{Hold: gate.Lacking, Says: v.words.NotOffered}
		}
		if err := amend.Check(a.action.Proposal, g.Command); err != nil {
			return nil, &Held{Hold: gate.Lacking, Says: phrase.Told(v.Lang, phrase.Of(err))}
		}
		answer.Command = g.Command
	}
	return answer, nil
}

// unseen says which rows hold a yes.
func (v *View) unseen(a asked, g Given) *Held {
	rows, firm := v.rows(a)
	seen := gate.NewSeen(firm, max(firm, len(rows)))
	for _, s := range g.Saw {
		seen.Saw(s[0], s[1])
	}
	hold := seen.Yes(g.Answer)
	if hold == gate.Skipped && g.Again {
		hold = seen.Yes(g.Answer)
	}
	switch hold {
	case gate.Unread:
		return &Held{hold, fmt.Sprintf(v.words.RowsUnread, seen.Missing()), "", seen.Next()}
	case gate.Skipped:
		return &Held{hold, fmt.Sprintf(v.said("Rows %s were on no screen."), seen.Missing()), v.said("Allow it all the same"), seen.Next()}
	}
	return nil
}

// Waits is the hold of a message that may be meant for what waits.
const Waits gate.Hold = "waits"

// Said takes what the person says while something waits: a message is no answer. What could be meant as one is held until the
// person says that it is a message; of another it is told.
func (v *View) Said(said string) (held *Held, tell string) {
	all := v.asks()
	if len(all) == 0 {
		return nil, ""
	}
	if _, _, clear := gate.ReadAnswer(said); v.seen.Ask != nil || clear || gate.Counts(said) {
		return &Held{Waits, v.said("Something waits for your answer, and this would be a message beside it, no answer: those are the buttons above."), v.said("Send it as a message"), -1}, ""
	}
	return nil, v.said("Sent as a message. What waits for your answer goes on waiting.")
}
