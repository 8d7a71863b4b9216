package page

import (
	"fmt"
	"strconv"
	"strings"

	"nebula"
	"nebula/internal/terminal"
	"nebula/internal/transcript"
)

// tones are the classes of how something is meant.
var tones = map[transcript.Tone]string{transcript.Info: "info", transcript.Good: "good", transcript.Warning: "warn", transcript.Bad: "bad", transcript.Faint: "faint"}

// row is a row of the conversation, by its place in it.
func (v *View) row(i int, r *transcript.Row) Node {
	n := el("div").set("id", "r"+strconv.Itoa(i))
	switch {
	case r.Void, r.Known:
		return n.set("hidden", "")
	case r.Kind == transcript.Person:
		return n.class("row person").add(plain(r.Text))
	case r.Kind == transcript.Say:
		return n.class("row say").add(markdown(r.Text)...)
	case r.Kind == transcript.Thought:
		return n.class("row thought").add(folded(text(v.said("Thought")), el("div", plain(r.Text)).class("text")))
	case r.Kind == transcript.Act:
		return n.class("row act").add(v.act(r.Action)...)
	case r.Kind == transcript.Question:
		return n.class("row note warn").add(text("? "), plain(r.Text))
	}
	return n.class("row note " + tones[r.Tone]).add(text(strings.TrimSpace(r.Mark + " " + r.Said(terminal.Visible, terminal.OneRow))))
}

func folded(summary Node, inside ...Node) Node {
	return el("details", el("summary", summary)).add(inside...)
}

// The most of a past change and of what a command said that is on the page, in rows and bytes.
const (
	pastRows    = 1500
	outputBytes = 64 << 10
)

func (v *View) act(a *transcript.Action) (all []Node) {
	mark, tone, word := a.Mark(v.words)
	command, title := a.Title()
	head := el("div", el("span", text(mark)).class("mark "+tones[tone]), text(" ")).class("head")
	if command != "" {
		head = head.add(el("code", line(command)), text(" "))
	}
	all = append(all, head.add(line(strings.TrimSpace(title+" "+word))))
	if why := a.Proposal.Action.Reason; why != "" && a.Proposal.Effect != nebula.Read { // what it looks at speaks for itself
		all = append(all, el("div", line(why)).class("why"))
	}
	for _, item := range a.Proposal.List {
		mark, tone := transcript.ItemMark(item)
		all = append(all, el("div", el("span", text(mark+" ")).class(tones[tone]), line(item.Text)).class("item"))
	}
	if a.Proposal.Diff != "" && !a.Asked {
		rows := terminal.Changes(a.Proposal.Diff, columns)
		left := len(rows) - pastRows
		if left > 0 {
			rows = rows[:pastRows]
		}
		change := el("div", changes(rows, 0)...).class("decision")
		if left > 0 {
			change = change.add(el("p", text(fmt.Sprintf(v.said("%d more rows are not shown"), left))))
		}
		all = append(all, folded(text(v.said("Changes")), change))
	}
	switch r := a.Result; {
	case r == nil && a.Output != "":
		all = append(all, output(a.Output))
	case r != nil && r.Text != "" && (a.Proposal.Effect == nebula.Execute || r.Status == nebula.Failed):
		said := r.Text
		if len(said) > outputBytes {
			said = strings.ToValidUTF8(said[:outputBytes], "") + "\n…"
		}
		all = append(all, folded(text(v.said("Result")), output(said)))
	}
	return all
}

// output is a text that a keyboard can scroll.
func output(said string) Node {
	return el("pre", plain(said)).set("tabindex", "0")
}

// columns is how wide the rows of a decision are at most: each fits a screen as a whole, also where a telephone breaks it.
const columns = 160

// classes are how the rows of a decision are drawn.
var classes = map[byte]string{'$': "command", '!': "given", '~': "effect", '+': "new", '-': "old", ' ': "same", '@': "at", 'f': "file", '.': "faint"}

// decided is a row of what a person decides on.
func decided(i int, r terminal.Row) Node {
	return el("div", el("span", text(r.Lead)).class("lead"), text(r.Text)).class("d "+classes[r.Kind]).set("data-i", strconv.Itoa(i))
}

// changes are the rows of a diff from a number on: what went and what came in its place stand side by side where there is room,
// and below each other where there is none.
func changes(rows []terminal.Row, from int) (all []Node) {
	for i := 0; i < len(rows); {
		switch k := rows[i].Kind; {
		case k == ' ': // what stays stands on both sides, and is read out once
			twin := el("div", el("span", text(rows[i].Lead)).class("lead"), text(rows[i].Text)).class("d twin").set("aria-hidden", "true")
			all = append(all, el("div", decided(from+i, rows[i]), twin).class("pair"))
			i++
			continue
		case k != '-' && k != '+':
			all = append(all, decided(from+i, rows[i]))
			i++
			continue
		}
		var was, now []Node
		for ; i < len(rows) && rows[i].Kind == '-'; i++ {
			was = append(was, decided(from+i, rows[i]))
		}
		for ; i < len(rows) && rows[i].Kind == '+'; i++ {
			now = append(now, decided(from+i, rows[i]))
		}
		all = append(all, el("div", el("div", was...).class("was"), el("div", now...).class("now")).class("pair"))
	}
	return all
}
