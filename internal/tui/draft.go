package tui

import (
	"fmt"
	"reflect"
	"slices"

	"nebula"
	"nebula/internal/gate"
	"nebula/internal/terminal"
	"nebula/internal/transcript"
)

// A draft is the plan that waits for the person's yes, and what of it was on the screen.
type draft struct {
	plan  *nebula.Plan
	rows  map[*transcript.Row]bool // of the conversation: those that were on it whole
	told  bool                     // all of them were
	began bool                     // its page was opened, which has more to say
	read  bool                     // that was on it to its end
}

// whole reports whether all that a yes to it covers was on the screen.
func (d draft) whole() bool { return d.read || d.told && !d.began }

// drafted is the plan that waits for the person's yes; nil for none.
//
//go:noinline
func (a *app) drafted() *nebula.Plan {
	if p := a.view.Beside.Plan; p != nil && p.Status == nebula.Draft {
		return p
	}
	return nil
}

// saw notes what of a draft a frame shows: on its page, or as it was told in the conversation.
func (a *app) saw() {
	plan := a.drafted()
	if plan == nil {
		a.draft = draft{}
		return
	}
	if a.draft.plan == nil || !reflect.DeepEqual(*a.draft.plan, *plan) {
		a.draft = draft{plan: plan, rows: map[*transcript.Row]bool{}}
	}
	d := &a.draft
	switch p := a.page; {
	case d.read:
		return
	case p != nil:
		d.began = d.began || p.plan != nil && reflect.DeepEqual(*p.plan, *plan)
		d.read = d.began && p.plan != nil && p.ended()
		return
	case a.options.Inline:
		a.sawPrinted()
	default:
		shown := map[int]int{}
		for _, s := range a.scroll.seen {
			shown[s.block]++
		}
		for i, n := range shown {
			if i >= 0 && n == len(a.view.blocks[i].rows) {
				d.rows[a.view.blocks[i].row] = true
			}
		}
	}
	covered := a.view.Beside.Covered
	d.told = d.told || len(covered) > 0 && !slices.ContainsFunc(covered, func(r *transcript.Row) bool { return !d.rows[r] })
}

// sawPrinted is saw for rows in the terminal's own scrollback: they were seen together where they fit on the screen together.
func (a *app) sawPrinted() {
	var rows []*transcript.Row
	n, d := 0, a.drawer()
	for _, r := range a.view.Beside.Covered {
		if b := a.view.blockOf(r); b != nil {
			rows, n = append(rows, r), n+len(d.layout(b))
		}
	}
	for _, r := range rows {
		a.draft.rows[r] = n <= a.height/2
	}
}

// consents takes a message that would approve a draft of which not all was on the screen: that is shown, and asked about there.
func (a *app) consents(text string) bool {
	plan := a.drafted()
	if plan == nil || a.draft.whole() && reflect.DeepEqual(*a.draft.plan, *plan) || !gate.ReadConsent(text, a.view.Beside.Drafted >= a.view.Turns) {
		return false
	}
	a.approves(*plan, nebula.Submit{Text: text})
	a.hint = a.words.PlanSeen
	return true
}

// direct says how the work in the background goes on. Where that approves a draft it asks first, beside what a yes covers.
func (a *app) direct(how nebula.Direct) {
	plan := a.drafted()
	if plan == nil || how.Plan != "" && how.Plan != plan.ID || how.Do != nebula.RunPlan && how.Do != nebula.ApprovePlan {
		a.send(how)
		return
	}
	how.Plan = plan.ID
	a.approves(*plan, how)
}

// approves shows a draft, and asks for the yes to it; then is what a yes sends.
func (a *app) approves(draft nebula.Plan, then nebula.Command) {
	page := &reading{title: fmt.Sprintf(a.words.PlanApproves, terminal.Visible(draft.Name)), rows: a.planRows, plan: &draft, keys: a.words.PlanYes}
	yes := func(a *app) { a.approvePlan(page, draft, then) }
	page.does = map[string]func(*app){"y": yes, "yes": yes, "はい": yes, "n": (*app).planPage, "no": (*app).planPage, "いいえ": (*app).planPage}
	a.page = page
}

// approvePlan takes the yes to a draft: to the one that was shown, when all of it was.
func (a *app) approvePlan(page *reading, draft nebula.Plan, then nebula.Command) {
	now := a.view.Beside.Plan
	switch {
	case now == nil || !reflect.DeepEqual(*now, draft):
		a.planPage()
	case !page.ended():
		a.hint = fmt.Sprintf(a.words.PlanUnread, page.seen.Missing())
	default:
		a.send(then)
		a.planPage()
	}
}
