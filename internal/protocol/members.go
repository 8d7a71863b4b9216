package protocol

import (
	"encoding/json"

	"nebula"
)

// Members are the fields of a loose JSON object or the items of an array, read one at a time, so that what stands
// before a broken place is not lost with it.
type Members struct {
	Key   string // of the member reached; empty in arrays
	Start int    // where its value begins, in bytes of the text
	Err   error  // why reading stopped, nil at the closing bracket
	Cut   bool   // the text ended before the closing bracket

	p      *reader
	closer byte
	begun  bool
	depth  int
}

// Walk enters the object or array that text[at:] begins with, on the given line. ok is false when there is none.
func Walk(text string, at, line int) (m *Members, ok bool) {
	p := newReader(text)
	p.pos, p.lineAt, p.line, p.tight = at, at, line, true
	p.begin()
	p.space()
	return enter(p, 0)
}

func enter(p *reader, depth int) (*Members, bool) {
	m := &Members{p: p, depth: depth, closer: ']'}
	switch p.peek() {
	case '{':
		m.closer = '}'
	case '[':
	default:
		return nil, false
	}
	p.skip()
	return m, true
}

// Next goes to the next member. The one reached before must have been read or entered and read to its end.
func (m *Members) Next() bool {
	p := m.p
	if m.begun && m.Err == nil {
		m.Err = p.separator(m.closer)
	}
	m.begun = true
	p.space()
	switch {
	case m.Err != nil:
		return false
	case p.pos == len(p.text):
		m.Cut = true
		return false
	case p.peek() == m.closer:
		p.skip()
		return false
	case m.closer == '}':
		p.begin()
		if m.Key, m.Err = p.key(); m.Err != nil {
			return false
		}
	}
	m.Start = p.pos
	if p.pos == len(p.text) {
		m.Cut = true
		return false
	}
	return true
}

// Peek is the first byte of the member's value.
//
//go:noinline
func (m *Members) Peek() byte { return m.p.peek() }

// Pos is how far the text was read.
func (m *Members) Pos() int { return m.p.pos }

// Enter goes into the member's value, an object or an array.
func (m *Members) Enter() (inner *Members, ok bool) { return enter(m.p, m.depth+1) }

// Read reads the member's value. Its End counts from the beginning of the text.
func (m *Members) Read() (Reading, bool) {
	p := m.p
	repairs := len(p.repairs)
	if !m.pass() {
		return Reading{}, false
	}
	return Reading{JSON: json.RawMessage(p.since(0)), Repairs: p.repairs[repairs:], Doubts: p.doubts[p.certain:], Twice: p.twice, End: p.pos}, true
}

// pass goes behind the member's value.
func (m *Members) pass() bool {
	p := m.p
	p.certain, p.twice = len(p.doubts), ""
	p.begin()
	p.keys = append(p.keys[:0], m.Key)
	m.Err = p.value(m.depth + 1)
	p.keys = p.keys[:0]
	return m.Err == nil
}

// Repairs are all repairs so far, in order, those of the members' values among them.
func (m *Members) Repairs() []nebula.Repair { return m.p.repairs }

// Closed reports whether a reading's value had all its brackets.
func (r Reading) Closed() bool {
	for _, repair := range r.Repairs {
		if repair.Name == missingCloser {
			return false
		}
	}
	return true
}
