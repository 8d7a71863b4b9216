package tui

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"nebula"
	"nebula/internal/amend"
	"nebula/internal/command"
	"nebula/internal/gate"
	"nebula/internal/phrase"
	"nebula/internal/terminal"
	"nebula/internal/transcript"
)

// A question is what waits for the person: permission for an action, or a question of the model's. It takes no key that
// was pressed before it could be read, and no yes before what would run was on the screen.
type question struct {
	ask     nebula.Asked
	block   *block
	lock    terminal.Lock
	draft   terminal.Editor
	at      int            // the option that is chosen
	editing bool           // another command is being written
	sent    bool           // it is answered, and the session has not said so yet
	words   string         // what was typed with it
	unclear bool           // what was typed was no clear yes, and no clear no
	picked  string         // the text of the answer that was chosen among the rows
	held    nebula.Decided // the yes that a bare enter gives once more

	seen   *gate.Seen
	on     stretch // of the rows that are decided on, those that are on the screen
	told   stretch // those of which the dock says so
	paging bool    // it says so because some were on none
	full   bool    // as much of the screen as there is shows what is asked
	seenOf layoutOf
	placed bool // its beginning was brought on the screen
	small  bool // the terminal cannot show it
	tight  bool // it has room for little besides
	listed bool // the answers stand there as rows with their numbers
	top    int  // of an inline screen: the first of its block's rows that is shown
}

// A layoutOf is what the rows of a block were laid out for: others are not those that were seen.
type layoutOf struct {
	width, rows int
	look        look
	instead     string
}

// follow opens and closes the question as the session does. What was typed before is put aside: it is no answer.
func (a *app) follow() {
	ask, of, all := a.view.Ask, (*block)(nil), []*block(nil)
	if ask != nil {
		of = a.view.blockOf(a.view.Open(ask.Action))
		all = a.view.of(*ask, a.options.Inline)
	} else if ask = a.opened(); ask != nil {
		of, all = a.waitingBlock, a.waitingAll
	}
	switch {
	case ask == nil && a.gate != nil:
		half := a.editor.Text()
		a.editor = a.gate.draft
		a.over(half)
		a.gate, a.scroll.held = nil, false // what was held in view for it has fewer rows now, or none
	case ask != nil && (a.gate == nil || a.gate.ask.Ask != ask.Ask):
		draft := a.editor
		if a.gate != nil {
			draft = a.gate.draft
			a.over(a.editor.Text())
		}
		a.view.pin(ask.Ask, all...)
		a.gate = &question{ask: *ask, draft: draft, at: -1, block: of, seen: gate.NewSeen(1, 1)}
		a.editor = a.editor.Cleared()
		a.popup, a.finder, a.scroll.held, a.selected = nil, nil, false, -1
		a.call(a.title())
	}
}

// over leaves the action as the session tells of it, and keeps what was half typed. What was taken for a no without being one is said below its answer.
func (a *app) over(half string) {
	q := a.gate
	if q.block != nil {
		q.block.why, q.block.instead, q.block.amended = false, "", ""
		q.block.stale()
	}
	if !q.sent && half != "" && half != q.picked { // it is no answer any more, and no message yet
		a.remember(half)
		a.hint = a.words.DraftBack
	}
	if late := a.view.Late(q.ask.Ask, a.gave); late != "" && a.options.Attached {
		a.view.note(transcript.Warning, late)
	}
	if q.unclear && q.sent {
		a.view.note(transcript.Warning, a.words.Unclear)
	}
}

func (a *app) title() string {
	if q := a.gate.ask.Question; q != nil {
		return terminal.OneLine(terminal.Visible(q.Text), 200)
	}
	if b := a.gate.block; b != nil {
		return fmt.Sprintf(a.words.Gate, b.title())
	}
	return a.words.Gate
}

// takes reports whether the question takes keys: it was on the screen for a while.
//
//go:noinline
func (q *question) takes() bool {
	return !q.sent && q.lock.Open()
}

// early takes a key that was meant for something else, while a question has only just come. What it types goes to the
// draft, and what it would have decided is said not to count.
func (a *app) early(name, text string) bool {
	q := a.gate
	if q == nil || q.takes() {
		return false
	}
	switch {
	case text != "":
		q.draft.Insert(text)
	case name == "backspace":
		q.draft.Key(name)
	case name == "enter" && !q.sent:
		a.hint = a.words.TooEarly
	default:
		return true
	}
	q.lock.Rest()
	return true
}

// shown begins the time after which a question takes keys: it is on the screen now.
func (q *question) shown(lastKey time.Time) {
	if q.draft.Empty() {
		lastKey = time.Time{}
	}
	q.lock.Shown(lastKey)
}

// gateKey takes a key while a question waits, and reports whether it was for that. Keys select; only Enter decides.
func (a *app) gateKey(name string) bool {
	q := a.gate
	if q.ask.Question != nil {
		return a.optionKey(name)
	}
	switch {
	case name == "enter":
		a.decide()
	case q.editing && name == "esc":
		a.editor, q.editing = a.editor.Cleared(), false
	case q.editing:
		return false
	case name == "alt+enter": // escape and enter that came together
		a.answer(nebula.No, "")
	case name == "esc" && q.block != nil && q.block.why:
		a.points()
	case name == "esc" && (a.waiting == nil || a.view.Ask != nil):
		q.held = ""
		a.editor.Choose(strings.TrimRight(gate.Say("typed_no", a.words.Lang), ",、 "))
	case name == "backspace" && q.picked != "" && a.editor.Text() == q.picked: // a choice goes as it came
		a.editor, q.picked = a.editor.Cleared(), ""
	case name == "up", name == "down":
		a.selects(map[string]int{"up": -1, "down": 1}[name])
	default:
		return a.digit(name)
	}
	return true
}

// selects puts the next or the last of the answers where the person types.
func (a *app) selects(by int) {
	offers := a.gate.offers()
	at := a.gate.chosen(a.words, a.editor.Text())
	switch {
	case at >= 0:
		at = min(max(at+by, 0), len(offers)-1)
	case !a.editor.Empty():
		return
	case by < 0:
		at = len(offers) - 1
	}
	a.chooses(max(at, 0))
}

// chooses puts one of the answers where the person types. Behind a no the reason can be typed at once.
func (a *app) chooses(i int) {
	a.gate.held = ""
	offer := a.gate.offers()[i]
	if text := gate.Say(offer.Typed, a.words.Lang); offer.Answer == nebula.No {
		a.editor.Set(text)
	} else {
		a.editor.Choose(text)
	}
	a.gate.picked = a.editor.Text()
}

// digit chooses the answer that stands behind a number on the screen, where nothing else is being typed.
func (a *app) digit(name string) bool {
	q := a.gate
	i, err := strconv.Atoi(name)
	if err != nil || i < 1 || i > len(q.offers()) || !q.listed || !a.editor.Empty() && q.chosen(a.words, a.editor.Text()) < 0 {
		return false
	}
	a.chooses(i - 1)
	return true
}

// decide takes what was typed: an answer, or what is to be shown.
func (a *app) decide() {
	q, text := a.gate, phrase.Withheld(a.editor.Text())
	word := strings.ToLower(strings.TrimSpace(phrase.Narrow(text)))
	name, args, _ := command.Read(text)
	switch {
	case q.editing:
		a.instead(a.editor.Text())
		return
	case word == "" && q.held != "":
		a.allow(q.held, q.words)
		return
	case word == "":
		a.onward()
		return
	case word == "?":
		a.points()
	case word == "v":
		a.look.side = !a.look.side
	case word == "f":
		q.full = !q.full
	case word == "e" && q.block != nil && q.block.changeable() != "":
		q.editing = true
		a.editor.Set(q.block.changeable())
		return
	case command.Slashed(text):
		a.editor = a.editor.Cleared()
		a.aside(name, args)
		return
	default:
		a.answerTyped(text)
		return
	}
	a.editor = a.editor.Cleared()
}

// answerTyped reads an answer in words.
func (a *app) answerTyped(text string) {
	if gate.Counts(text) {
		a.editor, a.hint = a.editor.Cleared(), a.words.NoNumber
		return
	}
	decided, reason, clear := gate.ReadAnswer(text)
	if decided == nebula.No {
		a.gate.unclear = !clear
		a.answer(nebula.No, reason)
		return
	}
	a.allow(decided, reason)
}

// allow takes a yes. It counts when what it is for was on the screen; else it is to be given anew, from an empty line.
func (a *app) allow(decided nebula.Decided, reason string) {
	q := a.gate
	a.editor, q.held = a.editor.Cleared(), ""
	if q.small || q.block == nil {
		a.hint = a.words.TooSmall
		return
	}
	if a.gate.lacks(decided) {
		a.hint = a.words.NotOffered
		return
	}
	switch q.seen.Yes(decided) {
	case gate.Unread:
		a.onward()
		a.hint = a.words.Unread
	case gate.Skipped:
		a.hint, q.held, q.words = a.words.Unseen, decided, reason
		q.lock = terminal.Lock{} // another enter than that one must follow
	default:
		a.answer(decided, reason)
	}
}

// onward brings rows on the screen that were on none yet.
func (a *app) onward() {
	q := a.gate
	next := q.seen.Next()
	switch {
	case q.block == nil || q.small:
		a.hint = a.words.TooSmall
	case next < 0:
		a.hint = a.placeholder()
	case a.options.Inline:
		q.top = q.block.decides.from + next
	default:
		a.scroll.held, a.scroll.top, a.scroll.skip = true, slices.Index(a.view.blocks, q.block), q.block.decides.from+next
		a.scroll.atEnd(a.view.blocks, a.bodyHeight(), a.rowsOf)
	}
}

// instead puts the person's own command or change in the place of the model's. It is asked about like that.
func (a *app) instead(text string) {
	b := a.gate.block
	if strings.TrimSpace(text) == "" {
		return
	}
	if p := b.row.Action.Proposal; p.Command != "" {
		if b.instead = text; text == p.Command {
			b.instead = ""
		}
	} else {
		own, err := amend.Read(p.Diff, text)
		if err != nil {
			a.hint = phrase.Told(a.words.Lang, phrase.Of(err))
			return
		}
		if b.amended = own.Diff; own.Diff == p.Diff {
			b.amended = ""
		}
	}
	b.stale()
	a.editor, a.gate.editing, a.gate.placed, a.gate.lock = a.editor.Cleared(), false, false, terminal.Lock{}
}

// changeable is what the person may write otherwise: the command, or the change of one text; empty where there is none, or where one could not
// see what it is.
func (b *block) changeable() string {
	p := b.row.Action.Proposal
	if p.Command != "" {
		return b.command()
	}
	if b.own == nil {
		diff := amend.Offered(p)
		if terminal.Exact(diff) != diff {
			diff = ""
		}
		b.own = &diff
	}
	return cmp.Or(b.amended, *b.own)
}

// points shows the five points of what is asked, or hides them. They are seen also where what follows them is long.
//
//go:noinline
func (a *app) points() {
	b := a.gate.block
	if b == nil {
		return
	}
	b.why = !b.why
	b.stale()
	a.gate.top = 0
	a.gate.placed = false
}

// optionKey takes a key at a question of the model's.
func (a *app) optionKey(name string) bool {
	q := a.gate
	n := len(q.ask.Question.Options)
	switch {
	case name == "enter" && a.editor.Empty() && q.at >= 0:
		a.tell(q.ask.Question.Options[q.at])
	case name == "enter" && a.orders():
		called, args, _ := command.Read(a.editor.Text())
		a.editor = a.editor.Cleared()
		a.aside(called, args)
	case name == "enter":
		told, ok := terminal.Choose(phrase.Withheld(a.editor.Text()), q.ask.Question.Options)
		if !ok {
			if !a.editor.Empty() {
				a.hint = fmt.Sprintf(a.words.NoSuchOption, terminal.Visible(strings.TrimSpace(a.editor.Text())), n)
			}
			return true
		}
		a.tell(told)
	case name == "up" && a.editor.Empty() && n > 0:
		q.at = max(q.at-1, 0)
	case name == "down" && a.editor.Empty() && n > 0:
		q.at = min(q.at+1, n-1)
	default:
		return false
	}
	return true
}

// orders reports whether a command that there is was typed with its slash; /etc is an answer.
func (a *app) orders() bool {
	name, _, _ := command.Read(a.editor.Text())
	_, known := command.Find(name)
	return known && command.Slashed(a.editor.Text())
}

func (a *app) tell(text string) {
	a.send(nebula.Answer{Ask: a.gate.ask.Ask, Answer: nebula.Told, Text: text, By: nebula.Person})
	a.editor, a.gate.sent = a.editor.Cleared(), true
}

func (a *app) answer(d nebula.Decided, reason string) {
	q := a.gate
	answer := nebula.Answer{Ask: q.ask.Ask, Answer: d, Text: reason, By: nebula.Person}
	if own := q.block.instead + q.block.amended; d != nebula.No && own != "" {
		answer.Answer, answer.Command = nebula.Yes, own
	}
	a.send(answer)
	a.editor, q.editing, q.sent = a.editor.Cleared(), false, true
}
