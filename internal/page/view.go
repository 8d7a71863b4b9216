package page

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"net/url"
	"strconv"
	"strings"

	"nebula"
	"nebula/internal/gate"
	"nebula/internal/terminal"
	"nebula/internal/transcript"
)

// A View is a session as one page shows it: its transcript, and what of it the page was told. One goroutine owns it.
type View struct {
	Frame
	Policy string // what runs without being asked, where the session does not say it

	words transcript.Words
	seen  *transcript.Transcript
	told  []look
	first int // the oldest row that the page has
	live  *transcript.Row
	heard int // bytes of it that the page has
	waits string
	parts map[string][]byte
}

// A look is what changes of a row when it is to be drawn anew.
type look struct {
	changes int
	void    bool
}

// View is a session of which nothing is known yet.
func (f Frame) View() *View {
	return &View{Frame: f, words: transcript.WordsIn(f.Lang), seen: transcript.New(f.Lang), parts: map[string][]byte{}}
}

// Changes are what a page is to do: rows to put in their places, what is being said, the parts around it, and all that waits.
type Changes struct {
	First int             `json:"first"` // the oldest row that the page has then; older ones can be asked for
	Rows  []Numbered      `json:"rows,omitempty"`
	Live  *Live           `json:"live,omitempty"`
	Parts map[string]Node `json:"parts,omitempty"` // by the ids of what holds them
	Asks  *[]Keyed        `json:"asks,omitempty"`  // all that wait, where that has changed
}

// A Numbered row.
type Numbered struct {
	I    int  `json:"i"`
	Node Node `json:"node"`
}

// A Keyed element stays as it is on the page when one with its key is there.
type Keyed struct {
	Key  string `json:"key"`
	Node Node   `json:"node"`
}

// Live is what is being said: its kind, empty for nothing, and the text from a byte on.
type Live struct {
	Kind string `json:"kind"`
	At   int    `json:"at"`
	Text string `json:"text,omitempty"`
}

// Apply takes in one event.
func (v *View) Apply(e nebula.Event) { v.seen.Apply(e) }

// window is how many rows a page begins with, and gets when it asks for older ones.
const window = 60

// Take is what has changed since the page was told last.
func (v *View) Take() Changes {
	if v.told == nil {
		v.first = max(0, len(v.seen.Rows)-window)
		v.told = []look{}
		for _, r := range v.seen.Rows[:v.first] {
			v.told = append(v.told, look{r.Changes, r.Void})
		}
	}
	c := Changes{First: v.first, Parts: map[string]Node{}}
	for i, r := range v.seen.Rows {
		now := look{r.Changes, r.Void}
		if i < len(v.told) && v.told[i] == now {
			continue
		}
		if i == len(v.told) {
			v.told = append(v.told, now)
		}
		if v.told[i] = now; i >= v.first {
			c.Rows = append(c.Rows, Numbered{i, v.row(i, r)})
		}
	}
	c.Live = v.speech()
	v.part(&c, "state", v.state())
	v.part(&c, "beside", v.beside())
	all := v.asks()
	waits := ""
	for _, a := range all {
		waits += a.key
	}
	if waits != v.waits || v.parts["asks"] == nil {
		v.waits, v.parts["asks"] = waits, []byte{}
		c.Asks = &[]Keyed{}
		for _, a := range all {
			*c.Asks = append(*c.Asks, Keyed{a.key, v.ask(a)})
		}
	}
	return c
}

// Older are the rows before those that the page has.
func (v *View) Older() Changes {
	to := v.first
	v.first = max(0, to-window)
	c := Changes{First: v.first}
	for i := v.first; i < to; i++ {
		c.Rows = append(c.Rows, Numbered{i, v.row(i, v.seen.Rows[i])})
	}
	return c
}

// speech is what was said since; nil where that is nothing.
func (v *View) speech() *Live {
	r := v.seen.Live
	if r == nil {
		was := v.live
		v.live, v.heard = nil, 0
		if was == nil {
			return nil
		}
		return &Live{}
	}
	if r != v.live {
		v.live, v.heard = r, 0
	}
	said := Live{Kind: "say", At: v.heard, Text: terminal.Visible(r.Text[v.heard:])}
	if r.Kind == transcript.Thought {
		said.Kind = "thought"
	}
	if len(r.Text) == v.heard {
		return nil
	}
	v.heard = len(r.Text)
	return &said
}

// part puts a part of the page into changes when it has changed.
func (v *View) part(c *Changes, id string, n Node) {
	data, err := json.Marshal(n)
	if err == nil && !bytes.Equal(data, v.parts[id]) {
		v.parts[id] = data
		c.Parts[id] = n
	}
}

// state is how the session stands, in a line.
func (v *View) state() Node {
	t := v.seen
	standing := v.said("ready")
	switch {
	case t.Closed:
		standing = v.said("ended")
	case t.Ask != nil:
		standing = v.said("waits for you")
	case t.Acting != nil && t.Busy:
		standing = v.said("at work")
	case t.Busy:
		standing = v.words.Waiting
	}
	parts := []string{string(t.Mode), t.Model, t.Protocol}
	if u := t.Usage; u.Input+u.Output > 0 {
		parts = append(parts, fmt.Sprintf(v.words.TokensUsed, strconv.Itoa(u.Input+u.Output)))
		if u.Cost > 0 {
			parts = append(parts, transcript.Dollars(u.Cost))
		}
	}
	policy := cmp.Or(t.Approve, v.Policy, string(gate.Ask))
	loud := map[gate.Approve]string{gate.Edits: "warn", gate.All: "bad"}[gate.Approve(policy)]
	return el("div", el("strong", text(standing)).set("data-busy", strconv.FormatBool(t.Busy)), text(" · "),
		el("span", text(v.words.Policy(policy))).class("policy "+loud), text(" · "), el("span", line(strings.Join(parts, " · "))))
}

// beside is the plan as it stands, and what can be done with it.
func (v *View) beside() Node {
	g := v.seen.Beside
	n := el("div")
	if p := g.Plan; p != nil {
		n = n.add(el("h2", line(p.Name)), el("p", text(fmt.Sprintf("%d/%d · %s", g.Done, g.Of, v.standing(*p)))))
		list := el("ol")
		for _, s := range p.Steps {
			list = list.add(v.step(s))
		}
		n = n.add(list, v.directions(*p))
	}
	for _, s := range g.Steps {
		if s.Alone {
			n = n.add(el("p", text("◐ "), line(s.Name)))
		}
	}
	if len(n.kids) == 0 {
		return n
	}
	return n.class("plan")
}

// standing says how a plan stands, where buttons stand beside it.
func (v *View) standing(p nebula.Plan) string {
	switch said := v.words.Standing(p); said {
	case v.words.PlanDraft:
		return v.said("waits for you")
	case v.words.PlanApproved:
		return v.said("approved")
	case v.words.PlanStopped:
		return v.said("stopped")
	default:
		return said
	}
}

func (v *View) step(s nebula.PlanStep) Node {
	mark, tone := transcript.StepMark(s)
	n := el("li", el("span", text(mark+" ")).class("mark "+tones[tone]), line(strings.TrimSpace(s.ID+" "+s.Name))).set("data-status", string(s.Status))
	if len(s.DependsOn) > 0 {
		n = n.add(el("small", line(" ← "+strings.Join(s.DependsOn, ", "))))
	}
	if p, ok := v.seen.Beside.UnderWay(s.ID); ok && p.Tasked != nil {
		n = n.add(el("small", text(fmt.Sprintf(" %d/%d", p.Tasked.Number, p.Tasked.Of))))
	}
	if s.Report != nil {
		n = n.add(el("div", plain(v.words.Reported(*s.Report))).class("why"))
	}
	return n
}

// directions are what can be done with a plan as it stands. A draft is asked about for itself.
func (v *View) directions(p nebula.Plan) Node {
	n := el("div").class("answers")
	button := func(label string, do nebula.Direction) Node {
		return el("button", text(label)).set("type", "button").set("data-do", string(do)).set("data-plan", p.ID)
	}
	switch p.Status {
	case nebula.Approved:
		n = n.add(button(v.said("Go on"), nebula.RunPlan), button(v.said("Cancel the plan"), nebula.CancelPlan))
	case nebula.InProgress:
		n = n.add(button(v.said("Pause"), nebula.PausePlan), button(v.said("Go on"), nebula.RunPlan), button(v.said("Cancel the plan"), nebula.CancelPlan))
	}
	return n
}

// Direct is the command of a button beside a plan; nil where the plan does not stand so that it is offered.
func (v *View) Direct(do nebula.Direction, plan string) nebula.Command {
	p := v.seen.Beside.Plan
	if p == nil || p.ID != plan {
		return nil
	}
	for _, b := range v.directions(*p).kids {
		if b.attribute("data-do") == string(do) {
			return nebula.Direct{Do: do, Plan: plan}
		}
	}
	return nil
}

// Session is the page of a session, which the script fills.
func (f Frame) Session(id, dir, title string) string {
	head := el("header",
		el("a", text("nebula")).set("href", f.Base+"/").class("home"),
		el("h1", line(title)),
		el("div").set("id", "state").set("role", "status"),
		el("a", text(f.said("Audit"))).set("href", f.Base+"/audit/"+url.PathEscape(id)+"?dir="+url.QueryEscape(dir)),
	)
	say := el("form", el("label", text(f.said("Message"))).set("for", "say").class("away"),
		el("textarea").set("id", "say").set("rows", "2").set("placeholder", f.said("Message · Enter sends, Shift+Enter a new line, Esc stops, /help")).set("autocomplete", "off"),
		el("button", text(f.said("Send"))).set("type", "submit"),
		el("button", text(f.said("Stop"))).set("type", "button").set("id", "stop").set("disabled", ""),
	).set("id", "talk")
	body := el("body", head,
		el("main",
			el("button", text(f.said("Earlier"))).set("type", "button").set("id", "older").set("hidden", ""),
			el("div").set("id", "rows").set("role", "log").set("aria-label", f.said("Conversation")),
			el("div").set("id", "live"),
			el("div").set("id", "asks").set("aria-live", "polite"),
		).set("tabindex", "0").set("aria-label", f.said("Conversation")),
		el("aside").set("id", "beside").set("aria-label", f.said("Plan")),
		el("footer",
			el("div", el("p"), el("button").set("type", "button").set("data-notice", "do"), el("button", text(f.said("Close"))).set("type", "button").set("data-notice", "close")).
				set("id", "notice").set("role", "alert").set("hidden", ""),
			el("p").set("id", "said").set("role", "status"), say),
	).class("session").set("data-base", f.Base).set("data-session", id).set("data-dir", dir).
		set("data-cut", f.said("The connection was cut; it is tried again. Where nebula has ended, nebula web opens the page anew.")).set("data-thought", f.said("Thought"))
	return f.whole(title, body)
}
