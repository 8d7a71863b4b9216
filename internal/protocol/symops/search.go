package symops

import (
	"math"
	"strings"
)

// A reply's structure is the cheapest reading of its lines: every line is read in every state that a reader could be
// in, by the rows that fit, and the cheapest whole is taken (a Viterbi search, linear in the lines). So a block whose
// content holds delimiters is closed where everything behind it makes sense.

// A path is the cheapest reading that ends in a state.
type path struct {
	cost  int32
	open  int32 // line of the delimiter or fence that is open
	gap   int16 // what the prose since the last construct has cost
	left  int16 // blocks that the last action still waits for
	facts fact  // owed, due, firm, wrap, quote, prosy, quoting
	ticks int8  // length of the fence that is open inside a content
}

// step is one line of one path: where it came from and what it made of the line.
type step uint8

func (s step) from() state { return state(s >> 4) }
func (s step) role() role  { return role(s & 15) }

const never = math.MaxInt32 / 4

// A table is the rows by state and kind, with their prices.
type table struct {
	rows   [states][kinds][]row
	prices [rates]int32
}

func index(rows []row) *table {
	t := table{prices: prices}
	for _, r := range rows {
		on := r.on
		for k := blank; r.on == nil && k < kinds; k++ {
			on = append(on, k)
		}
		for _, st := range r.in {
			for _, k := range on {
				each := r
				if each.to == same {
					each.to = st
				}
				t.rows[st][k] = append(t.rows[st][k], each)
			}
		}
	}
	return &t
}

var taught = index(rows)

// search finds the cheapest reading.
type search struct {
	text   string
	lines  []line
	follow []fact // of the next line with text
	table  *table
	prev   int // the last line that is not blank, -1 before any
	now    *[states]path
	next   *[states]path
	steps  [][states]step
	i      int
	known  fact // of the line at hand
}

// A reading gives every line its role, and the state behind it.
type reading struct {
	roles  []role
	states []state
}

func read(text string, lines []line, t *table) reading {
	s := &search{now: new([states]path), next: new([states]path), text: text, lines: lines, table: t, prev: -1, steps: make([][states]step, len(lines)), follow: follows(lines)}
	for i := range s.now {
		s.now[i].cost = never
	}
	s.now[top] = path{open: -1}
	for i := range lines {
		l := &lines[i]
		s.i = i
		s.known = s.facts(l)
		for j := range s.next {
			s.next[j].cost = never
		}
		for st := range states {
			if s.now[st].cost < never {
				s.line(st, &s.now[st], l)
			}
		}
		s.now, s.next = s.next, s.now
		if l.kind != blank {
			s.prev = i
		}
	}
	return s.trace()
}

// line tries the rows of a state.
func (s *search) line(st state, p *path, l *line) {
	known := s.known | p.facts
	if p.left > 0 {
		known |= due
	}
	if p.open >= 0 && st != top && st != pending {
		known |= s.against(st, p, l)
		if s.prev <= int(p.open) {
			known &^= opening // it opened this block
		}
	}
	for i := range s.table.rows[st][l.kind] {
		r := &s.table.rows[st][l.kind][i]
		if known&r.when != r.when || known&r.unless != 0 {
			continue
		}
		s.take(st, *p, l, r)
	}
}

// against is what a line is beside the line that opened.
func (s *search) against(st state, p *path, l *line) (f fact) {
	o := &s.lines[p.open]
	if l.kind == delim && o.kind == delim && l.n == o.n && l.is(worded) == o.is(worded) ||
		l.kind == fence && (st == fencedIn && l.n >= int32(p.ticks) || st == fenced && l.tick == o.tick && l.n >= o.n) {
		f |= even
	}
	if o.kind == delim && o.n > 2 {
		f |= long
	}
	if l.indent > o.indent {
		f |= deep
	}
	return f
}

// take offers the path that a row makes; the cheapest stays.
func (s *search) take(from state, p path, l *line, r *row) {
	to, price := r.to, s.table.prices[r.price]
	if r.price == spoken {
		price = min(price, s.table.prices[wrong]-int32(p.gap))
		p.gap += int16(price)
	}
	p.cost += price
	if r.do != nothing {
		s.do(&p, l, r.do)
	}
	if to == calling && s.callEnd(&p) <= s.i {
		to = top
	}
	if p.cost < s.next[to].cost {
		s.next[to] = p
		s.steps[s.i][to] = step(from)<<4 | step(r.role)
	}
}

func (s *search) callEnd(p *path) int { return int(s.lines[p.open].n) }

const (
	ofAction = owed | firm | prosy
	ofBlock  = quote | quoting
)

func (s *search) do(p *path, l *line, do effect) {
	if do == leave || do == start || do == wrapOn || do == wrapOff && l.kind != fence || do == enter && l.kind != foreignInput {
		p.abandon(s.table.prices[wrong])
	}
	switch do {
	case leave:
		p.gap = 0
	case start, next:
		p.facts &^= ofAction | ofBlock
		p.left, p.gap, p.open = 1, 0, -1
		s.begin(p, l)
	case open, repeat:
		p.open, p.gap = int32(s.i), 0
		p.facts &^= ofBlock | owed
		if do == repeat {
			p.facts |= quote
		}
	case inner:
		p.ticks = int8(min(l.n, 100))
	case show:
		p.facts |= quoting
	case shut:
		p.left, p.open, p.gap = max(0, p.left-1), -1, 0
		p.facts &^= ofBlock | owed
	case wrapOn:
		p.facts |= wrap
	case wrapOff:
		p.facts &^= wrap
	case enter:
		p.open, p.left, p.gap = int32(s.i), 0, 0
		p.facts &^= owed
	}
}

// begin sets what is known of the action that a line begins.
func (s *search) begin(p *path, l *line) {
	switch {
	case l.kind == pathLine, l.label == pathLabel, l.is(needing):
		p.facts |= owed
	}
	if l.strength > weak || l.labelled() {
		p.facts |= firm
	}
	if l.kind == action {
		p.left = int16(min(max(1, l.n), 1000))
		if proseFile(l.trimmed(s.text)) {
			p.facts |= prosy
		}
	}
}

// abandon leaves the pending action without its block, at a price where it needs one.
func (p *path) abandon(price int32) {
	if p.facts&owed != 0 || p.left > 1 {
		p.cost += price
	}
	p.facts &^= owed
	p.left = 0
}

func (s *search) trace() reading {
	best, cost := top, int32(never)
	for st := range states {
		if st == nested {
			continue
		}
		c := s.now[st].cost + s.table.prices[finals[st]]
		if st == pending && s.now[st].facts&owed != 0 {
			c += s.table.prices[wrong]
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

// facts are what is known of a line and of what surrounds it.
func (s *search) facts(l *line) fact {
	f := s.follow[s.i] | l.facts
	if s.prev < s.i-1 {
		f |= apart
	}
	if l.strength == strong {
		f |= sure
	}
	if l.kind == delim && l.n > 2 {
		f |= wide
	}
	if s.prev < 0 {
		return f
	}
	return f | s.above(l, &s.lines[s.prev])
}

// above is what the last line with text says of a line.
func (s *search) above(l, last *line) (f fact) {
	switch last.kind {
	case sentence:
		if last.n == unasked && (l.kind == action || l.kind == fence || l.kind == pathLine) {
			last.n = int32(introduces(clip(last.trimmed(s.text))))
		}
		if last.n > 0 {
			f |= shown
		}
		if last.n > 1 {
			f |= forbidden
		}
	case action:
		if last.strength > weak && last.is(needing) {
			f |= opening
		}
	}
	if l.kind == delim && l.n > 3 && s.prev == s.i-1 && (last.kind == failure || strings.HasPrefix(s.text[last.start:last.end], "ok ")) {
		f |= result
	}
	return f
}

// follows tells for every line what the next line with text is.
func follows(lines []line) []fact {
	f := make([]fact, len(lines))
	next := ends
	for i := len(lines) - 1; i >= 0; i-- {
		f[i] = next
		if l := &lines[i]; l.kind != blank {
			next = l.follows()
		}
	}
	return f
}

func (l *line) follows() fact {
	switch l.kind {
	case delim:
		return parting
	case fence:
		return parting | fencing
	case action:
		if l.strength > weak {
			return leads | ends
		}
	case thought, vitals, question, failure:
		if l.strength > weak {
			return leads | ends
		}
	case foreignInput:
		return parting | fencing
	case foreign, labelVerb, labelHeader:
		return leads | ends
	case labelSays:
		if l.label == thoughtLabel || l.label == vitalsLabel {
			return leads | ends
		}
	}
	return 0
}

// proseFile reports whether an action line names a file whose content is language, where a sentence is no surprise.
func proseFile(s string) bool {
	for _, ext := range proseFiles {
		if i := strings.Index(s, ext); i >= 0 && (i+len(ext) == len(s) || !isLetter(s[i+len(ext)])) {
			return true
		}
	}
	return false
}

var proseFiles = []string{".md", ".mdx", ".markdown", ".txt", ".rst", ".adoc", ".tex", ".org", ".html", ".htm", ".eml", ".csv", ".log", "README", "LICENSE", "NOTICE", "CHANGELOG"}
