package page

import (
	"net/url"
	"time"
)

// An Audit is a session's actions, what the approvals add up to, and whether the record of it is what was written.
type Audit struct {
	Entries []Entry
	Sum     string
	Problem string // empty where the record is whole
	Noted   bool   // there is a note outside of the record of where the session ends
}

// An Entry is one action: when it ended and how, in a line, and why it could be done.
type Entry struct {
	At     time.Time
	Status string
	What   string
	Why    string // lines
}

// Audit is the page of what was done in a session, on whose word. Its script hides what lacks the words that are looked for.
func (f Frame) Audit(id, dir string, a Audit) string {
	whole := el("p", text("✓ "+f.said("The record is what was written: its chain is unbroken."))).class("good").set("id", "verified")
	switch {
	case a.Problem != "":
		whole = el("p", text("✗ "), line(a.Problem)).class("bad").set("id", "verified")
	case !a.Noted:
		whole = whole.add(el("small", text(f.said("There is no note beside it of where it ends: whether it was cut cannot be told."))))
	}
	list := el("ol").class("entries").set("id", "entries")
	for _, e := range a.Entries {
		list = list.add(el("li", el("time", text(e.At.Local().Format("2006-01-02 15:04:05"))).set("datetime", e.At.UTC().Format(time.RFC3339)), text(" "),
			el("strong", line(e.Status)), text(" "), el("code", line(e.What)), el("pre", plain(e.Why)).set("tabindex", "0")).set("data-status", e.Status))
	}
	main := el("main", f.home(),
		el("h1", text(f.said("What was done, and on whose word"))), el("p", el("a", line(id)).set("href", f.Base+"/session/"+url.PathEscape(id)+"?dir="+url.QueryEscape(dir))), whole,
		el("p", el("label", text(f.said("Find in it"))).set("for", "filter"), text(" "), el("input").set("id", "filter").set("type", "search").set("autocomplete", "off"), el("small").set("id", "left").set("role", "status")),
		el("pre", plain(a.Sum)).set("tabindex", "0"), list).class("list").set("data-base", f.Base)
	return f.whole(f.said("What was done, and on whose word"), el("body", main.add(el("p").set("id", "said").set("role", "status"))))
}
