package page

import (
	"net/url"
	"strings"
	"time"

	"nebula"
	"nebula/internal/transcript"
)

// A Hit is a session in which all words stand that were looked for, with some of the places.
type Hit struct {
	nebula.SessionInfo
	Spots []Spot
}

// A Spot of a session: who said it, and what stands around the words.
type Spot struct{ Who, Text string }

// looking is the form that looks through all sessions.
func (f Frame) looking(words string) Node {
	return el("form", el("label", text(f.said("Find in all sessions"))).set("for", "words"),
		el("input").set("id", "words").set("name", "words").set("type", "search").set("autocomplete", "off").set("value", words),
		el("button", text(f.said("Find"))).set("type", "submit")).class("look").set("role", "search")
}

// home leads back to the list.
func (f Frame) home() Node {
	return el("p", el("a", text("nebula")).set("href", f.Base+"/").class("home"))
}

// Search is the page of the sessions in which some words stand.
func (f Frame) Search(words string, hits []Hit, now time.Time) string {
	said := transcript.WordsIn(f.Lang)
	main := el("main", f.home(), el("h1", text(f.said("Find in all sessions"))), f.looking(words)).class("list").set("data-base", f.Base)
	for _, h := range hits {
		list := el("ul")
		for _, s := range h.Spots {
			list = list.add(el("li", el("span", text(map[string]string{"person": "› ", "action": "· "}[s.Who])).class("faint"), line(s.Text)))
		}
		main = main.add(el("section", el("h2", el("a", line(h.Title)).set("href", f.session(h.SessionInfo))),
			el("small", line(strings.Join([]string{said.Ago(now.Sub(h.Last)), h.Dir, h.ID}, " · "))), list))
	}
	if words != "" && len(hits) == 0 {
		main = main.add(el("p", text(f.said("Nothing was found."))))
	}
	return f.whole(f.said("Find in all sessions"), el("body", main.add(el("p").set("id", "said").set("role", "status"))))
}

// session is the address of one.
func (f Frame) session(s nebula.SessionInfo) string {
	return f.Base + "/session/" + url.PathEscape(s.ID) + "?dir=" + url.QueryEscape(s.Dir)
}
