package tui

import (
	"fmt"
	"slices"
	"strings"

	"nebula"
	"nebula/internal/command"
	"nebula/internal/gate"
	"nebula/internal/lists"
	"nebula/internal/phrase"
	"nebula/internal/terminal"
	"nebula/internal/transcript"
)

// The least that can be decided on: a terminal of fewer columns breaks what is shown beyond reading, and one of fewer
// rows shows nothing of it.
const (
	leastWidth = 20
	leastRows  = 2
	listedRows = 24 // with fewer, what can be answered stands in one row
	roomyRows  = 36 // with fewer, it does so where what is asked about would else not be on the screen whole
	tightRows  = 4  // with fewer, what can be answered is said shortly
)

// fitted is the dock, and whether the terminal is too small for what is asked. It says so then, and has room for that.
func (a *app) fitted(d drawer) (dock []string, x, y int) {
	q := a.gate
	if q != nil {
		q.small, q.tight = false, q.full
		q.listed = a.height >= listedRows && !q.full && !q.editing && q.block != nil && q.ask.Question == nil
	}
	dock, x, y = a.dock(d, a.options.Now())
	if i := a.asked(); i >= 0 && q.listed && a.height < roomyRows && len(a.rowsOf(i)) >= a.height-len(dock) {
		q.listed = false // what is decided on comes before how
		dock, x, y = a.dock(d, a.options.Now())
	}
	least := leastRows
	if a.options.Inline {
		least++
	}
	if q != nil && q.ask.Question == nil && a.height-len(dock) < tightRows {
		q.tight, q.listed = true, false
		dock, x, y = a.dock(d, a.options.Now())
	}
	if q != nil && q.ask.Question == nil && (a.tiny || a.width < leastWidth || a.height-len(dock) < least) {
		q.small = true
		dock, x, y = a.dock(d, a.options.Now())
	}
	return dock, x, y
}

// asked is the place of the block that waits for the person; -1 where none does.
func (a *app) asked() int {
	if a.gate == nil || a.gate.block == nil {
		return -1
	}
	return slices.Index(a.view.blocks, a.gate.block)
}

// scrollToQuestion brings the beginning of what is asked on the screen, once. What is longer than the screen would else begin
// above it.
func (a *app) scrollToQuestion(height int) {
	q := a.gate
	if q == nil || q.placed || q.block == nil || a.options.Inline {
		return
	}
	q.placed = true
	a.scroll.held, a.scroll.top, a.scroll.skip = true, slices.Index(a.view.blocks, q.block), 0
	a.scroll.atEnd(a.view.blocks, height-1, a.rowsOf)
}

// located finds which of the rows that are decided on a frame shows.
func (a *app) located(f frameRows) {
	q := a.gate
	if q == nil || q.block == nil || q.ask.Question != nil {
		return
	}
	q.on = stretch{}
	if a.page != nil || q.small {
		return
	}
	b := q.block
	at := layoutOf{b.wide, len(b.rows) - b.decides.from, b.drawn, b.instead + b.amended}
	if at.look.selected = false; at != q.seenOf {
		q.seenOf, q.seen = at, gate.NewSeen(b.decides.firm-b.decides.from, b.decides.to-b.decides.from)
	}
	for _, s := range a.seenRows(f) {
		if s.block >= 0 && a.view.blocks[s.block] == b && s.row >= b.decides.from {
			if q.on.to == 0 {
				q.on.from = s.row - b.decides.from
			}
			q.on.to = min(s.row+1, b.decides.to) - b.decides.from
		}
	}
}

// seenRows are what the rows of a frame are of.
func (a *app) seenRows(f frameRows) []spot {
	if !a.options.Inline {
		return a.scroll.seen
	}
	at, rows := slices.Index(a.view.blocks, a.gate.block), []spot(nil)
	if a.lead(at, a.gate.top) != "" && len(f.body) >= leadHeight {
		rows = append(rows, spot{-1, 0})
	}
	for row := a.gate.top; len(rows) < len(f.body); row++ {
		rows = append(rows, spot{at, row})
	}
	return rows
}

// options lays out what a question of the model's can be answered with: whole, where that takes no more than most rows.
func (q *question) options(d drawer, most int) []string {
	rows := []string{d.keys(d.words.Question)[0]}
	for i, o := range q.ask.Question.Options {
		name := fmt.Sprintf("%d  ", i+1)
		lines := terminal.Wrap(terminal.OneRow(o), max(d.width-2-len(name), 4))
		for j, line := range lines {
			lead := "  "
			if j > 0 {
				name = strings.Repeat(" ", len(name))
			} else if i == q.at {
				lead = "› "
			}
			if row := lead + name + line; i == q.at {
				rows = append(rows, d.chosen(row))
			} else {
				rows = append(rows, row)
			}
		}
	}
	if len(rows) <= most || most <= 0 {
		return rows
	}
	rows = rows[:1]
	for i, o := range q.ask.Question.Options {
		row := terminal.Clip(fmt.Sprintf("%d  %s", i+1, terminal.OneRow(o)), d.width-2)
		if i == q.at {
			rows = append(rows, d.chosen("› "+row))
		} else {
			rows = append(rows, "  "+row)
		}
	}
	return rows
}

// draw lays out what can be answered.
func (q *question) draw(d drawer, typed string) []string {
	w, s := d.words, d.style
	title, risk, why, reasons := w.GateTitle, "", "", ""
	if q.block != nil {
		a := q.block.row.Action
		if a.Verdict.Risk != "" {
			risk = " " + terminal.Paint(d.tone(transcript.RiskTone(a.Verdict.Risk)), w.Risk+": "+w.Weight(a.Verdict.Risk))
		}
		if a.Verdict.Risk != "low" && !q.tight {
			reasons = terminal.OneRow(strings.Join(a.Risks(w.Words), " · "))
		}
		if a.Proposal.Command == "" { // a command stands above, to the letter, with why it is to run
			title, why = fmt.Sprintf(w.Gate, q.block.title()), a.Proposal.Action.Reason
		}
	}
	room := 2*d.width - terminal.Bare(risk) - 8
	if q.tight || q.block != nil && len(terminal.Ran(q.block.row.Action.Proposal, d.width-2, w.Lang)) > 0 { // that stands above, too
		room = max(d.width-terminal.Bare(risk), 1)
	}
	rows := terminal.Wrap(terminal.Paint(s.bold+s.warn, terminal.OneLine(title, room)), d.width)
	if last := len(rows) - 1; terminal.Bare(rows[last])+terminal.Bare(risk) <= d.width {
		rows[last] += risk
	} else {
		rows = append(rows, strings.TrimPrefix(risk, " "))
	}
	if q.block != nil {
		if last := len(rows) - 1; reasons != "" && terminal.Bare(rows[last])+terminal.Width(reasons)+3 <= d.width {
			rows[last] += terminal.Paint(s.dim, " · "+reasons)
		} else if reasons != "" {
			rows = append(rows, terminal.Paint(s.dim, terminal.Clip(reasons, d.width)))
		}
		if why != "" && !q.tight {
			rows = append(rows, terminal.Paint(s.dim, terminal.Clip(terminal.OneRow(why), d.width)))
		}
		if more := q.more(d, typed); !q.editing && more != "" {
			rows = append(rows, q.brief(d.keys(more))...)
		}
	}
	if q.listed {
		rows = append(rows, q.rows(d, typed)...)
	}
	return append(rows, q.brief(d.keys(q.keys(d, typed)))...)
}

// more says which of the rows are on the screen, where that is not all of them, and which were on none yet.
func (q *question) more(d drawer, typed string) string {
	var parts []string
	w, room := d.words, d.width >= 50
	if all := q.block.decides.to - q.block.decides.from; q.on.to > q.on.from && q.on.to-q.on.from < all && (room || q.paging && q.seen.With(q.on.from, q.on.to).Next() < 0) {
		parts = append(parts, fmt.Sprintf(w.GateRows, q.on.from+1, q.on.to, all))
	}
	if seen := q.seen.With(q.on.from, q.on.to); seen.Next() >= 0 {
		parts = append(parts, fmt.Sprintf(w.GateMore, seen.Missing()))
		if typed == "" && q.held == "" {
			parts = append(parts, w.GateOn)
		}
	}
	if len(parts) > 0 && !q.full && room {
		parts = append(parts, w.GateFull)
	}
	return strings.Join(parts, " · ")
}

// offers are what it can be answered with.
//
//go:noinline
func (q *question) offers() []gate.Offer {
	if q.block == nil {
		return nil
	}
	a := q.block.row.Action
	return gate.Offers(a.Proposal, a.Verdict.Risks)
}

// chosen is which of them was typed or selected; -1 for none.
func (q *question) chosen(w words, typed string) int {
	typed = strings.TrimSpace(typed)
	return slices.IndexFunc(q.offers(), func(o gate.Offer) bool {
		text := strings.TrimSpace(gate.Say(o.Typed, w.Lang))
		return typed != "" && (typed == text || typed == strings.TrimRight(text, ",、"))
	})
}

// typed is what is typed for an answer.
func (q *question) typed(w words, d nebula.Decided) string {
	i := slices.IndexFunc(q.offers(), func(o gate.Offer) bool { return o.Answer == d })
	return gate.Say(q.offers()[max(i, 0)].Typed, w.Lang)
}

// rows are the answers, one below the other with their numbers.
func (q *question) rows(d drawer, typed string) (rows []string) {
	at := q.chosen(d.words, typed)
	for i, o := range q.offers() {
		text := terminal.Clip(fmt.Sprintf("%d  %s", i+1, terminal.OneRow(gate.Say(o.Does, d.words.Lang))), d.width-2)
		if i == at {
			rows = append(rows, d.chosen(terminal.Paint(d.style.accent, "› ")+terminal.Paint(d.style.bold, text)))
		} else {
			rows = append(rows, "  "+text)
		}
	}
	return rows
}

// lacks reports whether an answer is not offered.
func (q *question) lacks(d nebula.Decided) bool {
	return lists.Has(gate.Lacks(q.block.row.Action.Proposal, q.block.row.Action.Verdict.Risks), d)
}

// offered are keys with that of a try where there is one, and without that of an "always" where there is none.
func (q *question) offered(w words, keys string) string {
	if yes, rest, more := strings.Cut(keys, " · "); more && !q.lacks(nebula.Try) {
		keys = yes + " · " + w.GateTry + " · " + rest
	}
	if !q.lacks(nebula.Always) {
		return keys
	}
	always := "`" + gate.Say("typed_always", w.Lang) + "⏎`"
	return strings.Join(lists.Drop(strings.Split(keys, " · "), func(k string) bool { return strings.HasPrefix(k, always) }), " · ")
}

// brief is what there is room for.
func (q *question) brief(rows []string) []string {
	if q.tight {
		return rows[:1]
	}
	return rows
}

// keys say what can be done, or what enter would do with what was typed.
func (q *question) keys(d drawer, typed string) string {
	w := d.words
	runs := q.block != nil && q.block.row.Action.Proposal.Command != ""
	own := ""
	if q.block != nil && q.block.changeable() != "" {
		own = " · " + w.GateOwn
	}
	word := strings.ToLower(strings.TrimSpace(phrase.Narrow(typed)))
	if word == "" && q.held != "" {
		typed = q.typed(w, q.held)
	}
	switch decided, _, clear := gate.ReadAnswer(typed); {
	case q.editing:
		return w.GateEdit
	case decided != nebula.No && q.seen.With(q.on.from, q.on.to).Holds(decided) == gate.Unread:
		return w.GateUnread
	case decided != nebula.No && q.seen.With(q.on.from, q.on.to).Holds(decided) == gate.Skipped:
		return w.GateUnseen
	case q.block != nil && q.lacks(decided):
		return w.NotOffered
	case decided == nebula.Always:
		return w.GateAlways
	case decided != nebula.No:
		return w.GateYes
	case clear:
		return w.GateNo
	case command.Slashed(typed):
		return w.GateSlash
	case gate.Counts(word):
		return w.NoNumber
	case word != "" && word != "?" && word != "v" && word != "f" && word != "e":
		return w.GateUnclear
	case q.listed && runs:
		return w.GateListCommand
	case q.listed && d.width >= sideWidth+2:
		return w.GateListEdit + own
	case q.listed:
		return w.GateList + own
	case q.tight:
		return q.offered(w, w.GateTight)
	case runs:
		return q.offered(w, w.GateKeysCommand)
	case d.width < sideWidth+2:
		return q.offered(w, w.GateNarrow) + own
	}
	return q.offered(w, w.GateKeys) + own
}
