package tui

import (
	"slices"
	"strings"
	"unicode/utf8"

	"nebula"
	"nebula/internal/lists"
	"nebula/internal/transcript"
)

// A view is a session's transcript laid out in blocks. It sends nothing and asks nothing.
type view struct {
	*transcript.Transcript
	blocks []*block

	next int               // the first row that is in no block yet
	live *block            // the last of what is being streamed
	cut  int               // bytes of that, in the blocks before
	seam seam              // where it may be cut
	held []*transcript.Row // messages that came in the middle of an answer: they stand behind it

	pinned pinned
}

//go:noinline
func newView(w words) *view { return &view{Transcript: transcript.New(w.Lang)} }

// fold takes in one event.
func (v *view) fold(e nebula.Event) {
	var acted *transcript.Row
	if b, ok := e.Body.(nebula.Finished); ok {
		acted = v.Open(b.Result.Action)
	}
	v.lift()
	v.Apply(e)
	v.answered()
	if _, ok := e.Body.(nebula.Retried); ok {
		v.blocks = lists.Drop(v.blocks, func(b *block) bool { return b.row.Void || b == v.live })
		v.live = nil
	}
	for ; v.next < len(v.Rows); v.next++ {
		v.take(v.Rows[v.next])
	}
	if v.Live != nil {
		v.stream(v.Live)
	}
	v.release()
	switch b := e.Body.(type) {
	case nebula.Finished:
		if acted != nil {
			v.gather(acted)
		}
	case nebula.Started:
		if b.Resumed {
			v.restored()
		}
	}
	v.lower()
}

// restored shows of an earlier opening what was allowed, too: nobody has it before their eyes any more.
func (v *view) restored() {
	answers := map[*transcript.Row][]*transcript.Row{}
	for _, r := range v.Rows {
		if r.Known && r.About != nil {
			answers[r.About] = append(answers[r.About], r)
		}
	}
	var blocks []*block
	for i, b := range v.blocks {
		blocks = append(blocks, b)
		for _, r := range answers[b.row] {
			if !slices.ContainsFunc(v.blocks[i:], func(b *block) bool { return b.row == r }) {
				blocks = append(blocks, &block{row: r})
			}
		}
	}
	v.blocks = blocks
}

// take puts a row into blocks: at the end, or above what is being streamed when it is nobody's speech.
func (v *view) take(r *transcript.Row) {
	switch {
	case r.Known || r.Void:
	case r.Kind == transcript.Person && v.live != nil:
		v.held = append(v.held, r)
	case r.Kind == transcript.Say || r.Kind == transcript.Thought:
		if v.live == nil { // it came at once
			v.stream(r)
		}
		v.settle()
	default:
		v.add(&block{row: r, gap: v.gap(r)})
	}
}

// gap reports whether a free row stands above a row's block.
//
//go:noinline
func (v *view) gap(r *transcript.Row) bool {
	switch r.Kind {
	case transcript.Note:
		return false
	case transcript.Act:
		return len(v.blocks) == 0 || v.blocks[len(v.blocks)-1].row.Kind != transcript.Act
	}
	return true
}

//go:noinline
func (v *view) add(b *block) *block {
	if n := len(v.blocks) - 1; v.live != nil {
		v.blocks = append(v.blocks[:n], b, v.live)
	} else {
		v.blocks = append(v.blocks, b)
	}
	return b
}

// blockOf is the block of a row that is in one piece; nil for none.
//
//go:noinline
func (v *view) blockOf(r *transcript.Row) *block {
	for i := len(v.blocks) - 1; i >= 0 && r != nil; i-- {
		if v.blocks[i].row == r {
			return v.blocks[i]
		}
	}
	return nil
}

// note shows something to know that is the program's, not the session's.
func (v *view) note(t transcript.Tone, text string) {
	v.lift()
	v.add(&block{row: &transcript.Row{Kind: transcript.Note, Tone: t, Text: text}})
	v.lower()
}

// stream lays out what is being streamed, as far as it has come.
func (v *view) stream(r *transcript.Row) {
	if v.live == nil {
		v.seam, v.cut = seam{}, 0
		v.live = v.add(&block{row: r, moving: true, gap: true})
	}
	v.live.text = r.Text[min(v.cut, len(r.Text)):]
	v.live.stale()
	if r.Kind == transcript.Say {
		v.split(r)
	}
}

// settle ends what is being streamed.
func (v *view) settle() {
	b := v.live
	b.moving, b.text = false, strings.TrimRight(b.text, "\n ")
	b.stale()
	v.live = nil
	if b.text == "" {
		v.blocks = lists.Drop(v.blocks, func(x *block) bool { return x == b })
	}
	v.release()
}

// release puts the messages that waited for the end of what is being streamed where they belong.
func (v *view) release() {
	if v.live != nil {
		return
	}
	for _, r := range v.held {
		v.add(&block{row: r, gap: v.gap(r)})
	}
	v.held = nil
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
func (v *view) split(r *transcript.Row) {
	for {
		b := v.live
		cut := v.seam.next(b.text)
		if cut < 0 {
			return
		}
		rest := b.text[cut:]
		b.text, b.moving = strings.TrimRight(b.text[:cut], "\n"), false
		b.stale()
		next := &block{row: r, text: strings.TrimLeft(rest, "\n"), moving: true, fence: v.seam.fence, gap: strings.HasPrefix(rest, "\n")}
		if !next.gap { // code goes on
			next.text = rest
		}
		v.cut += cut + len(rest) - len(next.text)
		v.seam = seam{fence: next.fence}
		v.live = next
		v.blocks = append(v.blocks, next)
	}
}
