package page

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"nebula"
	"nebula/internal/transcript"
)

// A Place is a folder in the list, with its sessions and, where the folder was asked for, its plans.
type Place struct {
	Dir      string
	Sessions []Listed
	Plans    []nebula.PlanInfo
	Here     bool // it was asked for
}

// A Listed session, and how it stands where it is open.
type Listed struct {
	nebula.SessionInfo
	Busy, Waits, Open bool
}

// Places are sessions by their folders, those first in which something happened last; here stands before all.
func Places(sessions []Listed, here string) []Place {
	var all []Place
	if here != "" {
		all = append(all, Place{Dir: here, Here: true})
	}
	for _, s := range sessions {
		i := slices.IndexFunc(all, func(p Place) bool { return p.Dir == s.Dir })
		if i < 0 {
			i = len(all)
			all = append(all, Place{Dir: s.Dir})
		}
		all[i].Sessions = append(all[i].Sessions, s)
	}
	return all
}

// few is how many sessions of a folder are listed that was not asked for.
const few = 5

// List is the page of folders, sessions and plans.
func (f Frame) List(places []Place, now time.Time) string {
	main := el("main", el("h1", text("nebula")), f.looking(""), el("p", el("a", text(f.said("Tokens and costs of the last 30 days"))).set("href", f.Base+"/costs"))).class("list").set("data-base", f.Base)
	for _, p := range places {
		main = main.add(f.place(p, now))
	}
	form := el("form", el("label", text(f.said("Begin in another folder"))).set("for", "dir"),
		el("input").set("id", "dir").set("name", "dir").set("type", "text").set("autocomplete", "off").set("placeholder", "/path/to/project").set("required", ""),
		el("button", text(f.said("New session"))).set("type", "submit")).class("begin")
	return f.whole(f.said("Sessions"), el("body", main.add(form, el("p").set("id", "said").set("role", "status"))))
}

func (f Frame) place(p Place, now time.Time) Node {
	words := transcript.WordsIn(f.Lang)
	at := "?dir=" + url.QueryEscape(p.Dir)
	s := el("section",
		el("h2", el("a", line(p.Dir)).set("href", f.Base+"/"+at)),
		el("form", el("input").set("type", "hidden").set("name", "dir").set("value", p.Dir), el("button", text(f.said("New session"))).set("type", "submit")).class("begin"))
	list := el("ul")
	for i, one := range p.Sessions {
		if i == few && !p.Here {
			list = list.add(el("li", el("a", text(fmt.Sprintf(f.said("%d more"), len(p.Sessions)-few))).set("href", f.Base+"/"+at)))
			break
		}
		list = list.add(el("li",
			el("a", line(one.Title)).set("href", f.Base+"/session/"+url.PathEscape(one.ID)+at),
			el("small", text(strings.Join(f.about(one, words, now), " · ")))))
	}
	s = s.add(list)
	if len(p.Plans) > 0 {
		plans := el("ul")
		for _, plan := range p.Plans {
			plans = plans.add(el("li", line(plan.Name), el("small", text(fmt.Sprintf("%s · %d/%d · %s", plan.ID, plan.Done, plan.Steps,
				words.Standing(nebula.Plan{Status: plan.Status}))))))
		}
		s = s.add(el("h3", text(f.said("Plans"))), plans)
	}
	return s
}

// about is what is said of a session beside its title.
func (f Frame) about(s Listed, words transcript.Words, now time.Time) (parts []string) {
	switch {
	case s.Waits:
		parts = append(parts, f.said("waits for you"))
	case s.Busy:
		parts = append(parts, f.said("at work"))
	case s.Open:
		parts = append(parts, f.said("open"))
	}
	return append(parts, words.Ago(now.Sub(s.Last)), s.ID)
}
