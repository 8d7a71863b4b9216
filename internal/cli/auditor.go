package cli

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"nebula"
	"nebula/internal/gate"
	"nebula/internal/phrase"
)

// An entry is one action from its proposal to its end, or a turn taken back.
type entry struct {
	Session string    `json:"session"`
	At      time.Time `json:"at"`
	Action  string    `json:"action"`
	Tool    string    `json:"tool"`
	What    string    `json:"what"`
	Command string    `json:"command,omitempty"`
	Asker   string    `json:"asked_by"` // the model that wanted it, or the person
	Turn    int       `json:"turn,omitempty"`
	Reason  string    `json:"reason,omitempty"`
	Before  []ruling  `json:"before,omitempty"` // what was asked and answered of it before, the first first
	ruling
	Status  nebula.Status   `json:"status"`
	Result  string          `json:"result,omitempty"`
	Exit    *int            `json:"exit,omitempty"`
	Changes []nebula.Change `json:"changes,omitempty"`
	Bare    []string        `json:"uncovered,omitempty"`    // what undo would not cover, as was told before
	Lost    []string        `json:"not_undoable,omitempty"` // what it changed that undo cannot bring back
	Blind   bool            `json:"blind,omitempty"`        // what it changed could not be seen
	Dropped []string        `json:"dropped,omitempty"`      // what it changed on a view, and that is as it was
	Left    []nebula.Left   `json:"left,omitempty"`         // what an undo left as it was
	Beyond  []string        `json:"beyond,omitempty"`       // paths and hosts outside of the folder that it was let reach, where nothing is undone
}

// A ruling is what was decided on an action, and by whom.
type ruling struct {
	Verdict string         `json:"verdict"` // allow, ask, deny; empty where it came to none
	Rule    string         `json:"rule,omitempty"`
	Risk    string         `json:"risk,omitempty"`
	Risks   []string       `json:"risks,omitempty"`
	Answer  nebula.Decided `json:"answer,omitempty"`
	By      nebula.Decider `json:"by,omitempty"` // whose answer, or what granted it
	Said    string         `json:"said,omitempty"`
	Grant   string         `json:"grant,omitempty"`
	beyond  []string
}

// An auditor follows the events of a session.
type auditor struct {
	session string
	lang    string
	model   string
	turn    int
	reply   map[string]nebula.Action // of the open reply
	instead map[string]string        // the file of the hook that had an action of it be something else
	open    map[string]*entry
	gated   string // the action that waits at the gate
}

func newAuditor(session, lang string) *auditor {
	return &auditor{session: session, lang: lang, reply: map[string]nebula.Action{}, instead: map[string]string{}, open: map[string]*entry{}}
}

// of is the entry of an action, begun where there is none yet.
//
//go:noinline
func (a *auditor) of(id string) *entry {
	if e, ok := a.open[id]; ok {
		return e
	}
	e := &entry{Session: a.session, Action: id, Tool: a.reply[id].Tool, Reason: a.reply[id].Reason, Asker: a.model, Turn: a.turn}
	a.open[id] = e
	return e
}

// take follows one event; ok says that it ended an entry.
func (a *auditor) take(e nebula.Event) (done entry, ok bool) {
	switch b := e.Body.(type) {
	case nebula.Started:
		a.model = b.Model
	case nebula.Switched:
		a.model = cmp.Or(b.Model, a.model)
	case nebula.Submitted:
		a.turn = b.Turn
	case nebula.Replied:
		clear(a.reply)
		clear(a.instead)
		for _, action := range b.Intent.Actions {
			a.reply[action.ID] = action
		}
	case nebula.Proposed:
		a.proposed(b)
	case nebula.Asked:
		a.gated = b.Action
	case nebula.Answered:
		if a.gated != "" {
			w := a.of(a.gated)
			w.Answer, w.By, w.Said = b.Answer, b.By, b.Text
			a.gated = ""
		}
	case nebula.Began:
		if b.Turn > 0 {
			break // an undo, whose end tells
		}
		w := a.of(b.Action)
		w.Grant, w.By, w.Beyond = b.Grant, cmp.Or(b.By, w.By), append(w.Beyond, w.beyond...)
	case nebula.Finished:
		w := a.of(b.Result.Action)
		delete(a.open, w.Action)
		w.At, w.Status, w.Result, w.Exit, w.Changes = e.At, b.Result.Status, b.Result.Summary, b.Result.Exit, b.Result.Changes
		w.Tool, w.Lost, w.Blind, w.Dropped = cmp.Or(b.Result.Tool, w.Tool), b.Result.Lost, b.Result.Blind, b.Result.Dropped
		return *w, true
	case nebula.Hooked:
		if b.Changed {
			a.instead[b.Action] = b.From
		}
		return a.hooked(e.At, b), true
	case nebula.Noted:
		if b.Did != "" {
			return a.noted(e.At, b), true
		}
	case nebula.Undone:
		word := "undo"
		if b.Redo {
			word = "redo"
		}
		done := entry{Session: a.session, At: e.At, Action: word, Tool: word, What: fmt.Sprintf("%s of turn %d", word, b.Turn), Asker: "person",
			Turn: b.Turn, ruling: ruling{By: nebula.Person}, Status: nebula.Done, Changes: b.Changes, Left: b.Left}
		if b.Failed != "" {
			done.Status, done.Result = nebula.Failed, phrase.Told("en", b.Failed)
		}
		return done, true
	}
	return entry{}, false
}

// hookTool is what a hook's entry stands under.
const hookTool = "hook"

// noted is the entry of what the person did to a job, or of a program that nebula started to ask it.
func (a *auditor) noted(at time.Time, b nebula.Noted) entry {
	done := entry{Session: a.session, At: at, Action: "-", Tool: "backgroundJob", What: b.Did + ": " + phrase.OneLine(b.Text, 0), Asker: "person", Turn: a.turn, ruling: ruling{By: nebula.Person}, Status: nebula.Done}
	if b.Did == "start" {
		done.Tool, done.What, done.Asker, done.By = "languageServer", phrase.OneLine(b.Text, 0), "nebula", ""
	}
	return done
}

// hooked is the entry of a hook that ran.
func (a *auditor) hooked(at time.Time, b nebula.Hooked) entry {
	done := entry{Session: a.session, At: at, Action: cmp.Or(b.Action, "-"), Tool: hookTool, What: string(b.Moment), Command: b.Command, Asker: b.From,
		Turn: a.turn, Status: nebula.Done, Result: strings.TrimSpace(b.Decision + " " + b.Text), Exit: &b.Exit}
	if b.Failed != "" {
		done.Status, done.Result = nebula.Failed, b.Failed
	}
	return done
}

func (a *auditor) proposed(b nebula.Proposed) {
	w := a.of(b.Proposal.Action.ID)
	if w.Answer != "" { // what a command did on a view is asked about after it, and a command that was changed again
		w.Before, w.ruling = append(w.Before, w.ruling), ruling{}
	}
	w.beyond = b.Proposal.Beyond()
	w.What, w.Command, w.Tool, w.Reason = b.Proposal.Summary, b.Proposal.Line(), b.Proposal.Action.Tool, b.Proposal.Action.Reason
	w.Bare, w.Asker = b.Proposal.Uncovered, cmp.Or(a.instead[w.Action], w.Asker)
	w.Verdict, w.Rule, w.Risk, w.Risks = string(b.Verdict.Ruling), gate.Why(b.Verdict, a.lang), b.Verdict.Risk, gate.SayAll(b.Verdict.Risks, a.lang)
	if b.Verdict.Ruling == nebula.AskFirst {
		w.Verdict = "ask"
	}
}

// text is the entry as a person reads it: a line on what happened, and lines on why it could.
func (e entry) text(t tongue) string {
	var b strings.Builder
	what := e.Tool + " " + cmp.Or(e.What, e.Result)
	if e.Tool == e.Action { // undo and redo
		what = t.say("of turn %d", e.Turn)
	}
	fmt.Fprintf(&b, "%s  %s  %s  %s  %s\n", e.At.Local().Format("2006-01-02 15:04:05"), e.Session, e.Action, e.Status, phrase.OneLine(what, 0))
	row := func(name, text string) {
		if text = phrase.OneLine(text, 0); text != "" {
			fmt.Fprintf(&b, "    %s %s\n", padded(name, 9), text)
		}
	}
	row(t.say("asked by"), t.say("%s, turn %d", t.say(e.Asker), e.Turn))
	row(t.say("reason"), e.Reason)
	row(t.say("command"), e.Command)
	for _, w := range append(slices.Clip(e.Before), e.ruling) {
		row(t.say("verdict"), w.verdict(t))
		if w.Answer != "" {
			row(t.say("answer"), strings.TrimSpace(t.say("%s by %s %s", w.Answer, t.say(string(w.By)), w.Said)))
		}
		if w.Grant != "" {
			row(t.say("grant"), t.say("%s by %s", w.Grant, t.say(string(w.By))))
		}
	}
	result := string(e.Status) + ": " + e.Result
	if e.Exit != nil {
		result += t.say(" (exit %d)", *e.Exit)
	}
	row(t.say("result"), strings.TrimSuffix(result, ": "))
	for _, l := range e.Left {
		row(t.say("left"), t.words(asLeft(l)))
	}
	for _, p := range e.Lost {
		row(t.say("not undoable"), p)
	}
	for _, at := range e.Beyond {
		row(t.say("not undoable"), t.say("what it did at %s, which it was given", at))
	}
	if e.Blind {
		row(t.say("not undoable"), t.say("what it changed could not be seen, so undo does not cover it"))
	}
	for _, p := range e.Dropped {
		row(t.say("dropped"), p)
	}
	for _, c := range e.Changes {
		row(c.Kind, fmt.Sprintf("%s  %s → %s", c.Path, cmp.Or(c.Before, t.say("none")), cmp.Or(c.After, t.say("none"))))
	}
	return b.String()
}

func (w ruling) verdict(t tongue) string {
	if w.Verdict == "" {
		return ""
	}
	text := w.Verdict + ": " + w.Rule
	if w.Risk != "" {
		text += t.say(" · risk %s", w.Risk)
	}
	if len(w.Risks) > 0 {
		text += " (" + strings.Join(w.Risks, ", ") + ")"
	}
	return text
}

// approvals are what was asked and answered, by kind and by answer.
type approvals struct {
	Actions int                       `json:"actions"`
	Asked   int                       `json:"asked"`
	Answers map[string]int            `json:"answers,omitempty"`
	Policy  map[string]int            `json:"policy,omitempty"` // what was decided without asking: allow, deny
	Kinds   map[string]map[string]int `json:"kinds,omitempty"`  // by tool and answer
}

// unasked is what was decided where nobody was asked, by whether it was allowed.
var unasked = map[bool]string{true: "allow", false: "deny"}

func (a *approvals) add(e entry) {
	if e.Tool == hookTool {
		return
	}
	a.Actions++
	if a.Answers == nil {
		a.Answers, a.Policy, a.Kinds = map[string]int{}, map[string]int{}, map[string]map[string]int{}
	}
	for _, w := range append(slices.Clip(e.Before), e.ruling) {
		a.count(e.Tool, w)
	}
}

func (a *approvals) count(tool string, w ruling) {
	switch {
	case w.Answer == nebula.Told:
	case w.Answer != "" && w.By != "person": // nobody was asked: the plan's approval covered it, or nobody was there
		a.Policy[unasked[w.Answer != nebula.No]]++
	case w.Answer != "":
		a.Asked++
		a.Answers[string(w.Answer)]++
		if a.Kinds[tool] == nil {
			a.Kinds[tool] = map[string]int{}
		}
		a.Kinds[tool][string(w.Answer)]++
	case w.Verdict == "allow" || w.Verdict == "deny":
		a.Policy[w.Verdict]++
	}
}

func (a approvals) text(t tongue) string {
	if a.Actions == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString(t.say("%s · decided by policy: %s · asked %d: %s", many(a.Actions, "%d action", "%d actions"), t.counted(a.Policy), a.Asked, t.counted(a.Answers)) + "\n")
	for _, kind := range slices.Sorted(maps.Keys(a.Kinds)) {
		fmt.Fprintf(&b, "    %-9s %s\n", phrase.OneLine(kind, 0), t.counted(a.Kinds[kind]))
	}
	return b.String()
}

func (t tongue) counted(of map[string]int) string {
	var parts []string
	for _, k := range slices.Sorted(maps.Keys(of)) {
		parts = append(parts, fmt.Sprintf("%d %s", of[k], k))
	}
	return cmp.Or(strings.Join(parts, ", "), t.say("none"))
}
