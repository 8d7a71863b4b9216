package symops

// inside reads a line of a block.
func (s *search) inside(st state, p path, l *line) {
	if p.quote {
		if l.kind == delim && l.n == s.lines[p.open].n {
			s.to(top, s.closed(p), 0, closes)
			return
		}
		s.to(st, p, 0, content)
		return
	}
	switch l.kind {
	case delim:
		s.closing(st, p, l)
	case fence:
		s.to(st, p, 2, content)
		if st == block {
			q := p
			q.ticks = int8(min(l.n, 100))
			s.to(ticked, q, 0, content)
		}
	case action:
		s.shown(st, p, l)
	case thought, vitals:
		price := int32(10)
		if l.strength < strong {
			price = 2
		}
		if st == quoting {
			price = 1
		}
		s.to(st, p, price, content)
		if l.strength == strong {
			s.to(top, s.closed(p), noClose+7+s.crowded(), construct)
		}
	case question, failure:
		s.to(st, p, 1, content)
		if l.strength == strong {
			s.to(top, s.closed(p), noClose+12+s.crowded(), construct)
		}
	default:
		if st == block {
			s.afterwards(p, l)
		}
		s.to(st, p, 0, content)
	}
}

// afterwards reads a sentence that a blank line parts from code as the text behind a block that was never closed.
func (s *search) afterwards(p path, l *line) {
	if l.kind != sentence || p.prosy || l.indent > 0 || s.prev == s.i-1 || s.prev == int(p.open) {
		return
	}
	q := s.closed(p)
	s.to(top, q, 40+q.price(l), text)
}

// closed is the path behind a block.
func (s *search) closed(p path) path {
	p.left = max(0, p.left-1)
	p.open, p.gap, p.needs, p.quote = -1, 0, false, false
	return p
}

// crowded prices a construct that no blank line parts from what is above it.
func (s *search) crowded() int32 {
	if s.prev == s.i-1 {
		return 15
	}
	return 0
}

// shown reads an action line inside a block: content that shows protocol, or the next action after a block that was
// never closed.
func (s *search) shown(st state, p path, l *line) {
	stay, leave := int32(0), int32(never)
	deep := l.indent > s.lines[p.open].indent
	switch {
	case l.strength == strong && !deep:
		stay, leave = quoteFirst, noClose
	case l.strength == medium && !l.is(command) && !deep:
		stay, leave = 5, noClose+20
	case l.strength == weak:
		stay, leave = 0, noClose+40
	}
	to := st
	if l.strength == strong {
		to = quoting
	}
	if st == quoting || s.lines[p.open].kind == delim && s.lines[p.open].n > 2 {
		stay = min(stay, quoteMore) // a long delimiter says that the content shows protocol
	}
	s.to(to, p, stay, content)
	if leave < never {
		q := s.closed(p)
		q.needs, q.left, q.firm = l.is(needs), int16(min(max(1, l.n), 1000)), true
		s.to(pending, q, leave+s.crowded(), construct)
	}
}

// closing reads a delimiter inside a block.
func (s *search) closing(st state, p path, l *line) {
	open := &s.lines[p.open]
	shut, stay := s.fits(open, l)
	if open.kind == delim && open.n > 2 && l.n != open.n {
		s.to(top, s.closed(p), shut+60, closes)
		s.to(st, p, 0, content)
		return
	}
	if prev := s.prev; prev > int(p.open) && s.lines[prev].kind == action && s.lines[prev].strength > weak && !s.lines[prev].is(command) {
		if s.lines[prev].is(needs) { // it opens a block that the content shows
			s.to(nested, p, 10, content)
			shut += 120
			stay += 50
		} else {
			s.to(nested, p, 25, content)
			shut += 15
		}
	}
	s.to(top, s.closed(p), shut, closes)
	s.to(st, p, stay, content)
	if st == quoting && s.follow[s.i] == followsText {
		// a template in a content, with a delimiter of its own: placeholders are no action lines
		s.to(nested, p, 12, content)
	}
}

// fits prices a delimiter as the end of a block, and as its content.
func (s *search) fits(open, l *line) (shut, stay int32) {
	f := s.follow[s.i]
	stay = 10
	if f == followsEnd || f == followsProtocol {
		stay = 40
	}
	wide := open.kind == delim && open.n > 2
	switch {
	case open.kind == delim && l.n != open.n:
		shut, stay = 30, 0
		if wide {
			stay = 5
		}
		if f != followsEnd && f != followsProtocol {
			shut += 30
		}
	case l.indent > open.indent:
		shut = 5
		stay /= 2
	}
	if l.is(info) {
		price := int32(40)
		if open.is(info) { // both have a word behind them: -- go, -- end
			price = 5
		}
		shut, stay = shut+price, 0
	}
	if !l.is(exact) {
		shut++
	}
	return shut, stay
}

func (s *search) inNested(p path, l *line) {
	if l.kind == delim && l.n == s.lines[p.open].n {
		s.to(quoting, p, 0, content)
		s.to(nested, p, 30, content)
		return
	}
	price := int32(0)
	if l.kind == action && l.strength == strong {
		price = 20
	}
	s.to(nested, p, price, content)
}

func (s *search) inTicked(p path, l *line) {
	switch l.kind {
	case fence:
		if !l.is(info) && l.n >= int32(p.ticks) {
			s.to(block, p, 0, content)
			return
		}
		s.to(ticked, p, 2, content)
	case delim:
		shut, stay := s.fits(&s.lines[p.open], l)
		s.to(top, s.closed(p), shut+30, closes)
		s.to(ticked, p, min(stay, 3), content)
	case action:
		s.to(ticked, p, quoteMore, content)
		if l.strength == strong {
			q := s.closed(p)
			q.needs, q.left, q.firm = l.is(needs), int16(min(max(1, l.n), 1000)), true
			s.to(pending, q, noClose+30+s.crowded(), construct)
		}
	default:
		s.to(ticked, p, 0, content)
	}
}

// inFence reads a line inside a fence at the top level.
func (s *search) inFence(p path, l *line) {
	open := &s.lines[p.open]
	switch l.kind {
	case fence:
		if l.tick != open.tick {
			s.to(fenced, p, 0, content)
			return
		}
		if l.is(info) {
			q := p
			q.ticks = int8(min(l.n, 100))
			s.to(fencedIn, q, 5, content)
			s.to(fenced, p, 10, content)
			return
		}
		if l.n < open.n {
			s.to(fenced, p, 0, content)
			return
		}
		stay := int32(15)
		if f := s.follow[s.i]; f == followsEnd || f == followsProtocol {
			stay = 40
		}
		s.to(top, s.closed(p), 0, closes)
		s.to(fenced, p, stay, content)
	case delim:
		shut := int32(80)
		if f := s.follow[s.i]; l.n == 2 && (f == followsEnd || f == followsProtocol) {
			shut = 15
		}
		s.to(top, s.closed(p), shut, closes)
		s.to(fenced, p, 0, content)
	case action:
		stay, leave := s.unfencing(p, l)
		q := p
		q.shown = true
		s.to(fenced, q, stay, content)
		if leave < never && l.indent <= open.indent {
			q := s.closed(p)
			q.needs, q.left, q.firm = l.is(needs), int16(min(max(1, l.n), 1000)), true
			s.to(pending, q, leave+s.crowded(), construct)
		}
	case foreign, labelled:
		price := int32(0)
		if p.left == 0 && (l.kind == foreign || l.label == verbLabel) {
			price = 20
		}
		s.to(fenced, p, price, content)
	default:
		if p.left > 0 {
			s.afterwards(p, l)
		}
		s.to(fenced, p, 0, content)
	}
}

// unfencing prices an action line in an action's fence: content that shows protocol, or the next action after a fence
// that was never closed. The latter stands by itself and has a block of its own where it needs one; a fence that is
// closed after all makes it dear, for its last line is then a stray.
func (s *search) unfencing(p path, l *line) (stay, leave int32) {
	if p.left == 0 || l.strength < strong {
		return 5, never
	}
	f := s.follow[s.i]
	whole := l.is(exact) && s.prev != s.i-1 && (!l.is(needs) || f == followsFence || f == followsDelim)
	switch {
	case p.shown:
		return quoteMore, noClose
	case whole:
		return quoteFirst + 10, 20
	}
	return quoteFirst, noClose
}

// inImplied reads a line of a block that nothing opened.
func (s *search) inImplied(p path, l *line) {
	leave := s.closed(p)
	switch l.kind {
	case delim:
		s.to(top, leave, 0, closes)
		s.to(implied, p, 10, content)
	case fence:
		s.to(top, leave, 20, closes)
		s.to(implied, p, 0, content)
	case action:
		if l.strength > weak && !l.is(command) {
			leave.needs, leave.left, leave.firm = l.is(needs), int16(min(max(1, l.n), 1000)), true
			s.to(pending, leave, 10, construct)
			s.to(implied, p, noClose, content)
			return
		}
		s.to(implied, p, 0, content)
	case thought, vitals, question, failure:
		if l.strength == strong {
			s.to(top, leave, 25, construct)
		}
		s.to(implied, p, 5, content)
	default:
		s.to(implied, p, 0, content)
	}
}
