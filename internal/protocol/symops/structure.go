package symops

import (
	"math"
	"strings"
)

// A reply's structure is the cheapest reading of its lines. Every line is read in every state that a reader could be
// in, each reading has a price, and the cheapest whole is taken (a Viterbi search: ten states, linear in the lines).
// Prices say what is surprising: text between actions costs a little, a delimiter without an action much, a block
// that never ends most. So a block whose content holds delimiters is closed where everything behind it makes sense.
type state uint8

const (
	top      state = iota // outside everything
	pending               // behind an action line, before its block
	block                 // inside a block
	quoting               // inside a block whose content has shown protocol lines
	nested                // inside a block that the content shows
	ticked                // inside a block, inside a Markdown fence of the content
	fenced                // inside a Markdown fence at the top
	fencedIn              // inside a fence that a fenced content shows
	implied               // inside a block that nothing opened
	calling               // inside a call of another language
	states
)

// role is what a line is in a reading.
type role uint8

const (
	text      role = iota // prose, blank
	construct             // what its kind says
	opens                 // a block's first delimiter
	closes                // a block's last delimiter
	content               // a block's line
	skipped               // a delimiter or fence that delimits nothing
	wrapped               // a fence around protocol lines
	called                // part of a foreign call
)

// Prices, in tenths of a surprising line.
const (
	never      = math.MaxInt32 / 4
	noBlock    = 50 // create or edit without content
	strayDelim = 50
	strayRule  = 5 // a horizontal rule between actions
	noClose    = 60
	atEnd      = 80 // a block that the end of the reply closes
	quoteFirst = 15 // the first action line inside a content
	quoteMore  = 3
	gapLimit   = 120
)

// A path is the cheapest reading that ends in a state.
type path struct {
	cost  int32
	open  int32 // line of the delimiter or fence that is open
	gap   int16 // what the prose since the last construct has cost
	left  int16 // blocks that the last action still waits for
	needs bool  // the pending action makes no sense without a block
	quote bool  // the open block is a result that the model repeats
	firm  bool  // the pending action was written with its symbol
	wrap  bool  // a fence around protocol is open
	shown bool  // the open fence has shown action lines
	prosy bool  // the action's file holds language
	ticks int8  // length of the fence that is open inside a content
}

// step is one line of one path: where it came from and what it made of the line.
type step uint8

func (s step) from() state { return state(s >> 4) }
func (s step) role() role  { return role(s & 15) }

type follow uint8

const (
	followsEnd follow = iota
	followsProtocol
	followsDelim
	followsFence
	followsText
)

// search finds the cheapest reading.
type search struct {
	text   string
	lines  []line
	follow []follow
	prev   int // the last line that is not blank, -1 before any
	now    *[states]path
	next   *[states]path
	steps  [][states]step
	i      int
	from   state
}

// A reading gives every line its role, and the state behind it.
type reading struct {
	roles  []role
	states []state
}

func read(text string, lines []line) reading {
	s := &search{now: new([states]path), next: new([states]path), text: text, lines: lines, prev: -1, steps: make([][states]step, len(lines)), follow: follows(lines)}
	for i := range s.now {
		s.now[i].cost = never
	}
	s.now[top] = path{open: -1}
	for i := range lines {
		s.i = i
		for j := range s.next {
			s.next[j].cost = never
		}
		for st := range states {
			if s.now[st].cost < never {
				s.from = st
				s.line(st, s.now[st])
			}
		}
		s.now, s.next = s.next, s.now
		if lines[i].kind != blank {
			s.prev = i
		}
	}
	return s.trace()
}

// follows tells for every line what the next line with text is.
func follows(lines []line) []follow {
	f := make([]follow, len(lines))
	next := followsEnd
	for i := len(lines) - 1; i >= 0; i-- {
		f[i] = next
		if l := &lines[i]; l.kind != blank {
			next = l.follows()
		}
	}
	return f
}

func (l *line) follows() follow {
	switch l.kind {
	case delim:
		return followsDelim
	case fence:
		return followsFence
	case action:
		if l.strength == strong || l.strength == medium && !l.is(command) || l.is(marked) {
			return followsProtocol
		}
	case thought, vitals, question, failure:
		if l.strength > weak {
			return followsProtocol
		}
	case foreign:
		if l.label != noLabel {
			return followsFence
		}
		return followsProtocol
	case labelled:
		switch l.label {
		case verbLabel, headerLabel, thoughtLabel, vitalsLabel:
			return followsProtocol
		}
	}
	return followsText
}

func (s *search) trace() reading {
	final := [states]int32{top: 0, block: atEnd, quoting: atEnd, nested: atEnd + 40, ticked: atEnd, fenced: noBlock, fencedIn: noBlock + 20, implied: 20, calling: 100}
	best, cost := top, int32(never)
	for st := range states {
		c := s.now[st].cost + final[st]
		if st == pending && s.now[st].needs {
			c += noBlock
		}
		if c < cost {
			best, cost = st, c
		}
	}
	r := reading{roles: make([]role, len(s.lines)), states: make([]state, len(s.lines))}
	for i := len(s.lines) - 1; i >= 0; i-- {
		st := s.steps[i][best]
		r.roles[i], r.states[i] = st.role(), best
		best = st.from()
	}
	return r
}

// to offers a path to a state; the cheapest stays.
func (s *search) to(st state, p path, price int32, r role) {
	p.cost += price
	if p.cost < s.next[st].cost {
		s.next[st] = p
		s.steps[s.i][st] = step(s.from)<<4 | step(r)
	}
}

func (s *search) line(st state, p path) {
	l := &s.lines[s.i]
	switch st {
	case top, pending:
		s.outside(st, p, l)
	case block, quoting:
		s.inside(st, p, l)
	case nested:
		s.inNested(p, l)
	case ticked:
		s.inTicked(p, l)
	case fenced:
		s.inFence(p, l)
	case fencedIn:
		if l.kind == fence && !l.is(info) && l.n >= int32(p.ticks) {
			s.to(fenced, p, 0, content)
			return
		}
		s.to(fencedIn, p, 0, content)
	case implied:
		s.inImplied(p, l)
	case calling:
		next := calling
		if s.i >= int(s.lines[p.open].n) {
			next = top
		}
		s.to(next, p, 0, called)
	}
}

// outside reads a line at the top level.
func (s *search) outside(st state, p path, l *line) {
	switch l.kind {
	case blank:
		s.to(st, p, 0, text)
	case sentence, item, code:
		s.prose(st, p, l)
	case pathLine:
		s.bare(st, p, l)
	case labelled:
		s.labelled(st, p, l)
	case thought, vitals, question, failure:
		price := int32(0)
		if l.strength < strong {
			price = 2
		}
		if st == pending {
			s.to(pending, p, price+3, construct)
		}
		q := p.done()
		s.to(top, q, price+p.debt(), construct)
	case action:
		s.act(st, p, l)
	case delim:
		s.delimiter(st, p, l)
	case fence:
		s.fence(st, p, l)
	case foreign:
		q := p.done()
		if l.label != noLabel { // YAML's content and ReAct's input belong to the action above
			p.needs, p.left = false, 0
		}
		q.open = int32(s.i)
		next := calling
		if int(l.n) <= s.i {
			next = top
		}
		price := int32(3)
		if l.label != noLabel && st == top {
			price = 40
		}
		s.to(next, q, price+p.debt(), called)
		s.prose(st, p, l)
	}
}

// debt is what it costs to leave the pending action without its block.
func (p path) debt() int32 {
	if p.needs || p.left > 1 {
		return noBlock
	}
	return 0
}

// done is the path with nothing pending.
func (p path) done() path {
	p.needs, p.left, p.gap = false, 0, 0
	return p
}

// price is what a line costs as text between constructs, up to a limit for the whole gap.
func (p *path) price(l *line) int32 {
	cost := int16(20)
	switch {
	case l.kind == sentence:
		cost = 7
	case l.kind == item, l.kind == pathLine:
		cost = 5
	case l.kind == action && l.strength == weak, l.kind == labelled:
		cost = 7
	case l.kind == action && l.is(listed):
		cost = 10
	}
	cost = min(cost, gapLimit-p.gap)
	p.gap += cost
	return int32(cost)
}

func (s *search) prose(st state, p path, l *line) {
	q := p
	price := q.price(l)
	if st == top {
		if l.kind == code && p.left > 0 {
			s.to(implied, s.opened(p), 60, content)
		}
		s.to(top, q, price, text)
		return
	}
	if l.kind == sentence || l.kind == item {
		s.to(pending, q, price, text)
	}
	q.needs, q.left = false, 0
	s.to(top, q, price+p.debt(), text)
	if p.needs && p.firm && l.kind <= code {
		s.to(implied, s.opened(p), 40, content)
	}
}

// opened is the path with a block that begins at this line.
func (s *search) opened(p path) path {
	p.open, p.gap, p.needs, p.shown = int32(s.i), 0, false, false
	return p
}

// bare reads a file's name that stands alone: an action without a verb when a block follows.
func (s *search) bare(st state, p path, l *line) {
	s.prose(st, p, l)
	if f := s.follow[s.i]; f != followsFence && f != followsDelim || s.exampleBefore(1) {
		return
	}
	q := p.done()
	q.needs, q.left = true, 1
	if st == pending {
		s.to(pending, q, 5, construct)
		return
	}
	s.to(pending, q, 5, construct)
}

func (s *search) labelled(st state, p path, l *line) {
	switch l.label {
	case verbLabel:
		q := p.done()
		q.left, q.needs, q.firm = 1, l.is(needs), true
		s.to(pending, q, 3+p.debt(), construct)
		s.prose(st, p, l)
	case pathLabel, commandLabel:
		q := p
		q.gap = 0
		if st == top {
			q.left, q.needs = 1, l.label == pathLabel
		}
		s.to(pending, q, 3, construct)
		s.prose(st, p, l)
	case contentLabel, dependencyLabel:
		if st == pending {
			q := p
			q.needs = q.needs || l.label == contentLabel
			s.to(pending, q, 2, construct)
			return
		}
		s.prose(st, p, l)
	case headerLabel:
		s.to(st, p, 3, construct)
	default:
		if st == pending {
			s.to(pending, p, 5, construct)
		}
		s.to(top, p.done(), 3+p.debt(), construct)
	}
}

// exampleBefore reports whether the last line announces an example: 2 for surely, 1 for perhaps.
func (s *search) exampleBefore(level int) bool {
	if s.prev < 0 || s.lines[s.prev].kind != sentence {
		return false
	}
	l := &s.lines[s.prev]
	if l.n == unasked {
		l.n = int32(introduces(clip(l.trimmed(s.text))))
	}
	return int(l.n) >= level
}

func (s *search) act(st state, p path, l *line) {
	price := int32(0)
	switch l.strength {
	case medium:
		price = 3
	case weak:
		price = 10
		if l.is(marked) || !l.is(needs) {
			price = 6
		}
	}
	if l.strength < strong && s.exampleBefore(1) || s.exampleBefore(2) {
		price += 200
	}
	q := p.done()
	q.needs, q.left, q.firm = l.is(needs) && !l.is(info), int16(min(max(1, l.n), 1000)), l.strength > weak
	q.prosy = prosy(l.trimmed(s.text))
	next := pending
	if l.is(info) { // the delimiter ended the line
		next, q.open = block, int32(s.i)
	}
	s.to(next, q, price+p.debt(), construct)
	if l.strength < strong || s.exampleBefore(2) {
		s.prose(st, p, l)
	}
}

func (s *search) delimiter(st state, p path, l *line) {
	price := int32(0)
	if l.n > 2 {
		price += 3
	}
	if !l.is(exact) {
		price++
	}
	if l.is(info) {
		price += 10
	}
	q := s.opened(p)
	switch {
	case st == pending:
		if s.prev != s.i-1 {
			price++
		}
		if !p.needs {
			price += 5
		}
		s.to(block, q, price, opens)
	case p.left > 0:
		s.to(block, q, price, opens)
	case l.n > 3 && s.afterResult():
		q.quote = true
		s.to(block, q, price, opens)
		return
	default:
		s.to(block, q, price+60, opens)
	}
	stray := int32(strayDelim)
	switch {
	case l.n > 2:
		stray = strayRule
	case s.prev >= 0 && s.lines[s.prev].kind == delim:
		stray = 8
	}
	s.to(top, p.done(), stray+p.debt(), skipped)
}

// afterResult reports whether the line above is a result as the program tells it, whose output follows.
func (s *search) afterResult() bool {
	if s.prev < 0 || s.prev != s.i-1 {
		return false
	}
	l := &s.lines[s.prev]
	return l.kind == failure || strings.HasPrefix(s.text[l.start:l.end], "ok ")
}

func (s *search) fence(st state, p path, l *line) {
	q := s.opened(p)
	q.ticks = int8(min(l.n, 100))
	switch {
	case st == pending && p.wrap && !l.is(info) && s.follow[s.i] == followsFence:
		s.to(fenced, q, 10, opens)
	case st == pending && p.needs, st == top && p.left > 0:
		s.to(fenced, q, 2, opens)
	case st == pending:
		s.to(fenced, q, 8, opens)
	default:
		q.left = 0
		s.to(fenced, q, 10, opens)
	}
	w := p.done()
	switch {
	case p.wrap && !l.is(info):
		if st == pending && s.follow[s.i] == followsFence { // the fence held the action line only
			after := p
			after.wrap = false
			s.to(pending, after, 2, wrapped)
		}
		w.wrap = false
		s.to(top, w, 2+p.debt(), wrapped)
	case l.is(wraps) && s.follow[s.i] == followsProtocol && !s.exampleBefore(1):
		w.wrap = true
		s.to(top, w, 7+p.debt(), wrapped)
	default:
		s.to(top, w, 60+p.debt(), skipped)
	}
}

// prosy reports whether an action line names a file whose content is language, where a sentence is no surprise.
func prosy(s string) bool {
	for _, ext := range proseFiles {
		if i := strings.Index(s, ext); i >= 0 && (i+len(ext) == len(s) || !isLetter(s[i+len(ext)])) {
			return true
		}
	}
	return false
}

var proseFiles = []string{".md", ".mdx", ".markdown", ".txt", ".rst", ".adoc", ".tex", ".org", ".html", ".htm", ".eml", ".csv", ".log", "README", "LICENSE", "NOTICE", "CHANGELOG"}
