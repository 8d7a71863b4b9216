package tui

import (
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"nebula"
	"nebula/internal/terminal"
)

// A view is what a person sees of a session: the fold of its events. It sends nothing and asks nothing.
type view struct {
	words  words
	blocks []*block

	started  nebula.Started
	mode     nebula.Mode
	model    string
	protocol string
	approve  string
	step     nebula.Step
	status   nebula.StepStatus
	vitals   nebula.Vitals
	fixed    nebula.Delta // the fixed items as they stand
	turns    int
	beside   background
	usage    nebula.Usage
	context  int // tokens that the last request held

	busy    bool
	since   time.Time // of the turn
	phase   string    // what is going on, when more is known than that the model is being waited for
	doing   time.Time // since when
	answer  string    // of the last reply
	written int       // bytes of actions that are being written
	ask     *nebula.Asked
	closed  bool
	ended   int // turns that ended, for notifications

	open  map[string]*block         // the actions that have no result yet
	heard map[kind]*strings.Builder // what this reply has streamed
	reply int                       // blocks before the reply under way
	live  *block                    // what is being streamed
	seam  seam                      // where that may be cut
}

func newView(w words) *view {
	return &view{words: w, open: map[string]*block{}, heard: map[kind]*strings.Builder{}}
}

// fold takes in one event.
func (v *view) fold(e nebula.Event) {
	switch b := e.Body.(type) {
	case nebula.Started:
		v.start(b)
	case nebula.Submitted:
		v.submitted(b, e.At)
	case nebula.Requested:
		v.flush()
		v.model, v.phase, v.busy, v.written, v.doing = b.Model, "", true, 0, e.At
		clear(v.heard)
		v.reply = len(v.blocks)
		if n := layersSum(b.Layers); n > 0 {
			v.context = n
		}
	case nebula.Streamed:
		v.streamed(b)
	case nebula.Retried:
		v.retried(b)
	case nebula.Replied:
		v.replied(b)
	case nebula.Proposed, nebula.Asked, nebula.Answered, nebula.Began, nebula.Finished:
		v.doing = e.At
		v.acting(b)
	case nebula.Planned, nebula.Stepped, nebula.Tasked, nebula.Queued, nebula.Reported:
		v.aside(b, e.At)
	case nebula.Switched:
		v.switched(b)
	case nebula.Undone:
		v.takenBack(b)
	case nebula.Moved:
		if b.Refused == "" {
			v.step, v.status = b.To, b.Status
		}
	case nebula.Updated:
		v.fixed = merged(v.fixed, b.Delta)
	case nebula.Compacted:
		v.note(faint, fmt.Sprintf(v.words.Compacted, terminal.Count(b.Before), terminal.Count(b.After)))
	case nebula.Noted:
		v.note(toneOf(b.Level), terminal.Visible(b.Text))
	case nebula.Ended:
		v.end(b.Outcome, e.At)
	case nebula.Closed:
		v.flush()
		v.closed, v.busy, v.ask = true, false, nil
	}
}

func toneOf(level string) tone {
	switch level {
	case "error":
		return bad
	case "warning":
		return warning
	}
	return info
}

func layersSum(layers []nebula.LayerCost) int {
	n := 0
	for _, l := range layers {
		n += l.Tokens
	}
	return n
}

func (v *view) start(b nebula.Started) {
	v.flush()
	again := v.started.Session != ""
	v.started = b
	v.mode, v.model, v.protocol, v.closed = b.Mode, b.Model, b.Protocol, false
	if again && b.Resumed {
		v.busy, v.ask = false, nil
		v.note(faint, stroke("─", 2)+" "+v.words.Resumed)
	}
}

func (v *view) submitted(b nebula.Submitted, at time.Time) {
	v.flush()
	if !b.Steer {
		v.since, v.doing, v.turns = at, at, b.Turn
	}
	v.busy, v.phase = true, ""
	text := b.Text
	if n := len(b.Images); n > 0 {
		text += "\n" + fmt.Sprintf(many(v.words.Images, n), n)
	}
	v.add(&block{kind: person, text: text, gap: true})
}

// add puts a block at the end, or above what is being streamed when it is nobody's speech.
func (v *view) add(b *block) *block {
	if v.live != nil && b.kind == note {
		v.blocks = append(v.blocks[:len(v.blocks)-1], b, v.live)
		return b
	}
	v.blocks = append(v.blocks, b)
	return b
}

func (v *view) note(t tone, text string) { v.add(&block{kind: note, tone: t, text: text}) }

func (v *view) streamed(b nebula.Streamed) {
	v.busy = true
	switch b.Kind {
	case "output":
		if block := v.open[b.Action]; block != nil {
			a := block.action
			a.output = end(a.output+b.Text, 4000)
			block.stale()
		}
	case "text":
		v.speak(say, b.Text)
	case "thought":
		v.speak(thought, b.Text)
	default:
		v.written += len(b.Text)
	}
}

// end is the end of a text, from the beginning of a line.
func end(text string, most int) string {
	if len(text) <= most {
		return text
	}
	text = text[len(text)-most:]
	if _, rest, ok := strings.Cut(text, "\n"); ok {
		return rest
	}
	return text
}

// missing is what of a text was not streamed before: some replies are understood at their end only, or differently.
func (v *view) missing(k kind, text string) string {
	heard := v.heard[k]
	if heard == nil || heard.Len() == 0 {
		return text
	}
	before := strings.Join(strings.Fields(heard.String()), " ")
	if strings.Contains(before, strings.Join(strings.Fields(text), " ")) {
		return ""
	}
	var rest strings.Builder
	for line := range strings.Lines(text) {
		if words := strings.Join(strings.Fields(line), " "); words != "" && !strings.Contains(before, words) {
			rest.WriteString(line)
		}
	}
	return rest.String()
}

// speak adds to what is being streamed.
func (v *view) speak(k kind, text string) {
	if v.heard[k] == nil {
		v.heard[k] = &strings.Builder{}
	}
	v.heard[k].WriteString(text)
	if v.live == nil || v.live.kind != k {
		v.flush()
		v.seam = seam{}
		if strings.TrimSpace(text) == "" {
			return
		}
		v.live = v.add(&block{kind: k, moving: true, gap: true})
		text = strings.TrimLeft(text, "\n")
	}
	b := v.live
	b.text += text
	b.stale()
	if k == say {
		v.split()
	}
}

// pieceRows and pieceBytes are how long a piece of an answer gets before the next begins. What is being streamed is laid
// out again with every frame: it must not be long.
const (
	pieceRows  = 40
	pieceBytes = 6000
)

// A seam follows a text that grows, line by line, to where it may be cut.
type seam struct {
	at, lines int
	fence     fence
}

// next is the next place to cut: after a free line outside of code, or where code grows too long; -1 where there is no
// such place yet.
func (s *seam) next(text string) int {
	for {
		line, _, ok := strings.Cut(text[s.at:], "\n")
		if !ok {
			return s.long(text)
		}
		after := s.at + len(line) + 1
		trimmed := strings.TrimLeft(line, " ")
		if s.fence.mark == "" && trimmed == "" && s.at > 0 {
			if strings.TrimLeft(text[after:], "\n") == "" {
				return -1
			}
			return s.at
		}
		s.pass(line, trimmed)
		if s.at = after; s.lines >= pieceRows && s.fence.mark != "" && text[after:] != "" {
			return after
		}
	}
}

func (s *seam) pass(line, trimmed string) {
	s.lines++
	switch {
	case s.fence.mark != "" && closes(trimmed, s.fence.mark):
		s.fence = fence{}
	case s.fence.mark != "":
		_, s.fence.inside = highlight(style{keyword: "k"}, s.fence.lang, tabs(line), s.fence.inside)
	case opens(trimmed) != "":
		s.fence = fence{mark: opens(trimmed), lang: strings.ToLower(strings.TrimSpace(strings.TrimLeft(trimmed, "`~")))}
	}
}

// long cuts a line that has no end.
func (s *seam) long(text string) int {
	if len(text) < pieceBytes || s.at > len(text)-pieceBytes/2 {
		return -1
	}
	if i := strings.LastIndexByte(text, ' '); i > len(text)/2 {
		return i
	}
	cut := len(text) - 1
	for cut > 0 && !utf8.RuneStart(text[cut]) {
		cut--
	}
	return cut
}

// split makes one block of every finished paragraph, so that only the last is laid out again.
func (v *view) split() {
	for {
		b := v.live
		cut := v.seam.next(b.text)
		if cut < 0 {
			return
		}
		rest := b.text[cut:]
		b.text, b.moving = strings.TrimRight(b.text[:cut], "\n"), false
		b.stale()
		next := &block{kind: say, text: rest, moving: true, fence: v.seam.fence, gap: strings.HasPrefix(rest, "\n")}
		if next.gap {
			next.text = strings.TrimLeft(rest, "\n")
		}
		v.seam = seam{fence: next.fence}
		v.live = next
		v.blocks = append(v.blocks, next)
	}
}

// flush ends what is being streamed.
func (v *view) flush() {
	if v.live == nil {
		return
	}
	b := v.live
	b.moving, b.text = false, strings.TrimRight(b.text, "\n ")
	b.stale()
	v.live = nil
	if b.text == "" && len(v.blocks) > 0 && v.blocks[len(v.blocks)-1] == b {
		v.blocks = v.blocks[:len(v.blocks)-1]
	}
}

// retried takes back what was streamed of a reply that does not count.
func (v *view) retried(b nebula.Retried) {
	v.flush()
	kept := v.blocks[:min(v.reply, len(v.blocks))]
	for _, x := range v.blocks[len(kept):] {
		if x.kind != say && x.kind != thought {
			kept = append(kept, x)
		}
	}
	clear(v.heard)
	v.blocks, v.written = kept, 0
	v.note(warning, fmt.Sprintf(v.words.Retry, terminal.Seconds(b.After), terminal.Visible(b.Cause)))
}

func (v *view) replied(b nebula.Replied) {
	v.answer = b.Intent.Say
	v.flush()
	for _, t := range b.Intent.Thoughts {
		v.speak(thought, v.missing(thought, t))
		v.flush()
	}
	v.speak(say, v.missing(say, b.Intent.Say))
	v.flush()
	clear(v.heard)
	v.vitals, v.written = b.Vitals, 0
	if n := b.Reply.Usage.Input + b.Reply.Usage.Output; n > 0 {
		v.context = n
	}
	for _, e := range b.Intent.Errors {
		v.note(warning, terminal.Visible(e))
	}
	if n := len(b.Intent.Problems); n > 0 {
		v.note(faint, fmt.Sprintf(many(v.words.Problems, n), n))
	}
	v.reply = len(v.blocks)
}

func (v *view) switched(b nebula.Switched) {
	for _, c := range []struct {
		name string
		now  *string
		to   string
	}{{v.words.Model, &v.model, b.Model}, {v.words.Protocol, &v.protocol, b.Protocol}, {v.words.Approve, &v.approve, b.Approve}} {
		if c.to == "" {
			continue
		}
		usual := c.now == &v.approve && *c.now == "" && c.to == "ask" // how a session begins
		if *c.now != c.to && (*c.now != "" || v.turns > 0) && !usual {
			text := fmt.Sprintf(v.words.Set, c.name, terminal.Visible(c.to))
			if c.now == &v.approve {
				text = c.name + ": " + v.words.policy(c.to)
			}
			if b.Why == "" && c.now != &v.approve {
				text += " · " + v.words.KeepHint
			}
			v.note(info, text)
		}
		*c.now = c.to
	}
	if b.Mode != "" {
		v.mode = b.Mode
	}
	if b.Why != "" {
		v.note(faint, terminal.Visible(b.Why))
	}
}

func (v *view) end(o nebula.Outcome, at time.Time) {
	v.flush()
	v.usage, v.turns = v.usage.Plus(o.Usage), max(v.turns, o.Turn)
	v.busy, v.phase, v.ask = false, "", nil
	v.ended++
	for _, b := range v.open {
		b.action.running, b.action.asked = false, false
		b.stale()
	}
	clear(v.open)
	t, word := v.words.status(o)
	if text := terminal.Beside(o.Text, v.answer); text != "" && o.Status != nebula.TurnDone && o.Status != nebula.Cancelled {
		v.note(t, terminal.Visible(text))
	}
	v.answer = ""
	v.add(&block{kind: note, tone: t, text: word + v.words.figures(o, at.Sub(v.since)), gap: true})
}
