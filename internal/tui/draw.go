package tui

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"nebula"
	"nebula/internal/phrase"
	"nebula/internal/terminal"
	"nebula/internal/transcript"
)

// promptWidth is what stands before the cursor.
const promptWidth = 2

// draw brings the terminal up to date.
func (a *app) draw() error {
	a.drawn = time.Now()
	f := a.settled()
	a.shown = append(append(a.shown[:0], f.body...), f.dock...)
	if a.drag.on && a.drag.moved {
		f.body, f.dock = append([]string{}, f.body...), append([]string{}, f.dock...)
		all := append(append([]string{}, f.body...), f.dock...)
		a.invert(all)
		f.body, f.dock = all[:len(f.body)], all[len(f.body):]
	}
	f.also = a.titled() + a.gallery.sent()
	if err := a.screen.show(f); err != nil {
		return fmt.Errorf("terminal: %w", err)
	}
	a.saw()
	if q := a.gate; q != nil {
		q.seen.Saw(q.on.from, q.on.to)
		q.shown(a.lastKey)
	}
	return nil
}

// settled is the frame that is shown: where not all of what is asked was seen, the dock says what is on the screen, which it
// has to be laid out for.
func (a *app) settled() frameRows {
	q := a.gate
	top := 0
	if q != nil {
		q.paging, top = false, q.top
	}
	a.docked = 0
	f := a.frame()
	a.located(f)
	for i := range 8 {
		if q == nil || q.block == nil {
			break
		}
		if i > 1 { // what it says takes a row more, of which it says then that it is not shown, which takes one less
			a.docked, q.top = max(a.docked, len(f.dock)), top
		}
		paging := q.seen.With(q.on.from, q.on.to).Next() >= 0 || q.paging
		if paging == q.paging && q.told == q.on {
			break
		}
		q.paging, q.told = paging, q.on
		done := f.done
		f = a.frame()
		f.done = append(done, f.done...)
		a.located(f)
	}
	return f
}

// frame lays out what is to be seen now.
func (a *app) frame() frameRows {
	d := a.drawer()
	dock, x, y := a.fitted(d)
	for len(dock) < a.docked {
		dock, y = append([]string{""}, dock...), y+1
	}
	if over := len(dock) - (a.height - 1); over > 0 { // the end of the dock is where the person types
		dock, y = dock[over:], y-over
	}
	height := a.height - len(dock)
	a.scrollToQuestion(height)
	f := frameRows{dock: dock, x: x, y: y}
	switch {
	case a.page != nil:
		f.body, f.y = a.page.window(d, height), -1
	case a.options.Inline && len(a.home) > 0 && len(a.view.blocks) == 0:
		f.body = a.welcome(d, min(height-1, len(a.home)+6))
	case a.options.Inline:
		f.done, f.body = a.flow(d, height-1)
	case len(a.view.blocks) == 0:
		f.body = a.welcome(d, height)
	default:
		f.body = a.scroll.window(a.view.blocks, height, a.rowsOf, a.lead)
		a.mark(f.body)
	}
	if a.panelled() {
		f.body = a.withPanel(d, f.body)
	}
	f.body, f.dock = clipped(f.body, a.width), clipped(f.dock, a.width)
	return f
}

// clipped cuts rows that are too long, as on a screen of very few columns: they would stand on the next ones, too.
func clipped(rows []string, width int) []string {
	for i, r := range rows {
		if terminal.Bare(r) > width {
			rows[i] = terminal.Break(terminal.Unlinked(r), width)[0]
		}
	}
	return rows
}

func (a *app) drawer() drawer { return drawer{a.words, a.style, a.width, a.look, a.opens} }

// rowsOf lays out block i.
func (a *app) rowsOf(i int) []string {
	d := a.drawer()
	if a.panelled() {
		d.width -= panelWidth + 1
	}
	d.look.selected = i == a.selected
	a.hang(a.view.blocks[i])
	return d.layout(a.view.blocks[i])
}

// bodyHeight is how many rows of the conversation there is room for; the head of what is asked may take one.
//
//go:noinline
func (a *app) bodyHeight() int {
	if a.gate != nil || a.scroll.held {
		return max(len(a.scroll.seen)-1, 1)
	}
	return max(len(a.scroll.seen), 1)
}

func (a *app) scrollBy(n int) {
	if a.page != nil {
		a.page.top = max(a.page.top+n, 0)
		return
	}
	if a.options.Inline && a.gate != nil {
		a.gate.top = max(a.gate.top+n, 0)
		return
	}
	a.scroll.by(n, a.view.blocks, a.bodyHeight(), a.rowsOf)
}

// flow is the conversation of an inline screen: what is done, once, and what still moves. Of what is asked and has more
// rows than fit, a window.
func (a *app) flow(d drawer, height int) (done, body []string) {
	for rest := a.view.rest(); a.printed < rest; {
		b := a.view.blocks[a.printed]
		if b.streak != nil && a.view.Busy && b.streak == a.view.blocks[rest-1].streak { // it may go on
			break
		}
		if b.moving || b.row.Kind == transcript.Act && b.row.Action.Result == nil && a.view.Busy || a.gate != nil && b == a.gate.block {
			break
		}
		done = append(done, d.layout(b)...)
		b.rows = nil
		a.printed++
		a.hang(b)
	}
	done = append(done, a.gallery.printed()...)
	asked := []string(nil)
	for i := a.printed; i < len(a.view.blocks); i++ {
		rows := a.rowsOf(i)
		if body = append(body, rows...); a.gate != nil && a.view.blocks[i] == a.gate.block {
			asked = rows
		}
	}
	if asked == nil || len(body) <= height {
		return done, body
	}
	q := a.gate
	q.top = max(min(q.top, len(asked)-height+1), 0)
	if lead := a.lead(slices.Index(a.view.blocks, q.block), q.top); lead != "" && height >= leadHeight {
		return done, append([]string{lead}, asked[q.top:min(q.top+height-1, len(asked))]...)
	}
	q.top = max(min(q.top, len(asked)-height), 0)
	return done, asked[q.top:min(q.top+height, len(asked))]
}

// chosen is the block that keys open: the selected one, or the last action.
func (a *app) chosen() int {
	if a.selected >= 0 {
		return a.selected
	}
	for i := len(a.view.blocks) - 1; i >= 0; i-- {
		if b := a.view.blocks[i]; b.row.Kind == transcript.Act && !b.hidden() {
			return i
		}
	}
	return -1
}

// toggle opens or closes a block. What is read stays where it is.
func (a *app) toggle(i int) {
	if i < 0 || i >= len(a.view.blocks) {
		return
	}
	b := a.view.blocks[i]
	b.turn()
	if b.open || b.streak != nil && b.streak.open {
		a.scroll.show(i, a.view.blocks, a.bodyHeight(), a.rowsOf)
	}
}

// thoughts opens all thoughts, or closes them where one is open.
func (a *app) thoughts() {
	open := true
	for _, b := range a.view.blocks {
		if b.row.Kind == transcript.Thought && b.open {
			open = false
		}
	}
	for _, b := range a.view.blocks {
		if b.row.Kind == transcript.Thought {
			b.open = open
			b.stale()
		}
	}
}

// dock is all that stands below the conversation, with the cursor's place in it.
func (a *app) dock(d drawer, now time.Time) (rows []string, x, y int) {
	if a.picker == nil {
		rows = a.above(d, now)
	}
	rows = append(rows, a.rule(d))
	switch {
	case a.picker != nil:
		var list []string
		if a.hint != "" {
			rows = append(rows, terminal.Wrap(terminal.Paint(d.style.warn, a.hint), d.width)...)
		}
		list, x = a.picker.draw(d, min(max(a.height/2-2, 2), len(a.picker.found)), a.pickHint())
		rows = append(rows, list...)
		y = len(rows) - 1
	case a.finder != nil:
		var row string
		row, x = a.finder.draw(d)
		rows = append(rows, row)
		y = len(rows) - 1
	default:
		typed, cx, cy := a.typed(d)
		x, y = cx, len(rows)+cy
		rows = append(rows, typed...)
		if a.popup != nil {
			rows = append(rows, a.popup.draw(d, a.words)...)
		}
	}
	if a.height >= 22 {
		rows = append(rows, terminal.Paint(d.style.dim, stroke("─", d.width)))
	}
	return append(rows, a.statusLine(d)), x, y
}

func (a *app) pickHint() string {
	if a.picker.free && len(a.picker.rows) == 0 {
		return a.words.TypeIt
	}
	return a.words.Filter
}

// above are the rows over the line: what goes on, what waits.
func (a *app) above(d drawer, now time.Time) []string {
	var rows []string
	if a.gate != nil {
		if a.height >= 20 {
			rows = append(rows, "")
		}
		if a.gate.small {
			return terminal.Break(terminal.Paint(d.style.warn, a.words.TooSmall), d.width)[:1]
		}
		if a.gate.ask.Question != nil {
			rows = append(rows, a.gate.options(d, a.height-6)...)
		} else {
			rows = append(rows, a.gate.draw(d, a.editor.Text())...)
		}
		if !a.gate.draft.Empty() {
			rows = append(rows, terminal.Paint(d.style.dim, terminal.Clip(a.words.DraftKept, d.width)))
		}
	} else if a.moves() {
		rows = append(rows, a.activity(d, now))
	}
	if a.view.Beside.Runs() && !a.panelled() {
		rows = append(rows, d.strip(a.view.Beside, now))
	}
	for _, q := range a.queue {
		rows = append(rows, terminal.Paint(d.style.dim, terminal.Clip(a.words.Queued+": "+terminal.OneLine(terminal.Visible(q), d.width), d.width)))
	}
	for _, r := range a.view.held {
		rows = append(rows, terminal.Paint(d.style.dim, terminal.Clip(a.words.Joins+": "+terminal.OneLine(terminal.Visible(r.Text), d.width), d.width)))
	}
	for _, q := range a.pending {
		rows = append(rows, terminal.Paint(d.style.dim, terminal.Clip("› "+terminal.OneLine(terminal.Visible(q), d.width), d.width)))
	}
	if a.scroll.held && a.page == nil && a.gate == nil {
		rows = append(rows, d.keys(a.words.Below)[0])
	}
	if a.hint != "" && a.gate != nil {
		rows = append(rows, terminal.Wrap(terminal.Paint(d.style.warn, a.hint), d.width)...)
	} else if a.hint != "" {
		rows = append(rows, terminal.Paint(d.style.warn, terminal.Clip(a.hint, d.width)))
	}
	return rows
}

// spinner shows that the program lives, no more.
var spinner = [...]string{"⠋", "⠙", "⠸", "⠴", "⠦", "⠇"}

func (a *app) activity(d drawer, now time.Time) string {
	v := a.view
	phase := ""
	if v.Acting != nil {
		phase = (&block{row: v.Acting}).title()
	}
	wait := v.Retry.At.Sub(now)
	switch {
	case a.opening:
		phase = a.words.Opening
	case wait > 0:
		phase = fmt.Sprintf(a.words.Retry, phrase.Seconds((wait + time.Second - 1).Truncate(time.Second).Milliseconds()), terminal.OneRow(v.Retry.Cause))
	case phase == "" && v.Written > 0:
		phase = fmt.Sprintf(a.words.Writing, phrase.Count(v.Written))
	case phase == "" && v.Speaking():
		phase = a.words.Working
	case phase == "":
		phase = a.words.Waiting
	}
	tail := ticked(v.List())
	if took := now.Sub(v.Doing); v.Busy && wait <= 0 && took >= time.Second && took < 24*time.Hour {
		tail += " " + phrase.Seconds(took.Truncate(time.Second).Milliseconds())
	}
	if d.width >= 60 {
		tail += " · " + a.words.EscStops
	}
	mark := spinner[int(now.UnixMilli()/turn.Milliseconds())%len(spinner)]
	room := max(d.width-2-terminal.Width(tail), 4)
	return terminal.Clip(terminal.Paint(d.style.accent, mark)+" "+terminal.Paint(d.style.dim, terminal.OneLine(phase, room)+tail), 1<<16)
}

// rule parts the conversation from where the person types; its colour tells the mode.
func (a *app) rule(d drawer) string {
	style := d.style.dim
	if a.modeNow() == nebula.PlanMode {
		style = d.style.accent
	}
	if a.gate != nil {
		style = d.style.warn
	}
	return terminal.Paint(style, stroke("─", d.width))
}

// typed is the rows that are being typed, with the cursor's place. When there are too many, those around the cursor.
func (a *app) typed(d drawer) (rows []string, x, y int) {
	rows, x, y = a.editor.Window(d.width, promptWidth, max(a.height/3, 1))
	mark, style := "› ", d.style.accent
	if a.gate != nil {
		mark, style = "? ", d.style.warn
	} else if a.vi.Normal() {
		mark = "N "
	}
	for i, r := range rows {
		if i == 0 {
			rows[i] = terminal.Paint(style, mark) + r
		} else {
			rows[i] = "  " + r
		}
	}
	if a.editor.Empty() {
		rows[0] += terminal.Paint(d.style.dim, terminal.Clip(a.placeholder(), d.width-promptWidth))
	}
	return rows, x, y
}

func (a *app) placeholder() string {
	switch {
	case a.gate != nil && a.gate.ask.Question != nil:
		return a.words.AnswerHere
	case a.gate != nil && !a.gate.lacks(nebula.Always):
		return a.words.ReasonHere
	case a.gate != nil:
		return a.words.ReasonOnce
	case a.view.Busy:
		return a.words.SteerHere
	case a.view.Unchecked():
		return a.words.TestsHere
	}
	return a.words.AskHere
}

// welcome is the screen before there is a session.
func (a *app) welcome(d drawer, height int) []string {
	w, s := d.words, d.style
	lead := strings.Repeat(" ", d.gutter())
	in := d
	in.width = min(d.width-len(lead), proseMax)
	rows := []string{logo(s), terminal.Paint(s.dim, terminal.Clip(terminal.Visible(a.folder.Dir), in.width)), ""}
	switch {
	case len(a.home) > 0:
		rows = append(rows, in.keys(w.Earlier)...)
		room := max(height-len(rows)-2, 1)
		from := max(min(a.selected-room/2, len(a.home)-room), 0)
		list := picker{at: a.selected}
		for i, h := range a.home {
			list.rows = append(list.rows, choice{terminal.OneLine(h.Title, d.width), w.Ago(a.options.Now().Sub(h.Last)) + " · " + h.Model})
			list.found = append(list.found, i)
		}
		rows = append(rows, list.list(in, from, min(from+room, len(a.home)))...)
	case a.folder.Empty:
		rows = append(rows, terminal.Wrap(w.EmptyFolder, in.width)...)
	default:
		rows = append(rows, terminal.Wrap(w.Tip, in.width)...)
		rows = append(rows, "")
		rows = append(rows, in.keys(w.TipKeys)...)
	}
	for i, r := range rows {
		if r != "" {
			rows[i] = lead + r
		}
	}
	above := 1
	if len(a.home) == 0 {
		above = max((height-len(rows))/3, 1)
	}
	all := append(make([]string, above), rows...)
	for len(all) < height {
		all = append(all, "")
	}
	return all[:height]
}

// logo is the program's name in its colours.
func logo(s style) string {
	b := strings.Builder{}
	b.WriteString(terminal.Paint(s.logo[0], "✦ "))
	for i, letter := range "nebula" {
		b.WriteString(terminal.Paint(s.logo[min(i, len(s.logo)-1)], string(letter)))
	}
	return b.String()
}
