package transport

import (
	"cmp"
	"io"

	"nebula"
)

// Bounds end a reply that no model writes in earnest, whatever a server sends. Zero is what a person wants, less than
// zero no bound.
type Bounds struct {
	Reply     int // bytes of text, reasoning and calls together; 0 means 2 MiB
	Calls     int // native calls; 0 means 256
	Arguments int // bytes of one call's arguments; 0 means 1 MiB
}

// overhead is how many bytes a server may send for one of the reply: a token is framed in a few hundred.
const overhead = 128

// A tooMuch is a reply that goes over a bound.
type tooMuch struct {
	what    nebula.Words
	setting string
}

// Error says what there is too much of.
func (t *tooMuch) Error() string { return "the reply is " + t.what.String() }

// A measure is how much of a reply came.
type measure struct {
	bounds    Bounds
	bytes     int
	arguments []int // of each call
}

func newMeasure(b Bounds) *measure {
	return &measure{bounds: Bounds{cmp.Or(b.Reply, 2<<20), cmp.Or(b.Calls, 256), cmp.Or(b.Arguments, 1<<20)}}
}

// add counts a piece.
func (m *measure) add(c nebula.Chunk) error {
	m.bytes += len(c.Text) + len(c.Reasoning)
	if c.Part != nil {
		m.bytes += c.Part.Size()
	}
	if c.Opaque != nil {
		m.bytes += len(c.Opaque.Value)
	}
	if c.Call != nil {
		n := len(c.Call.Name) + len(c.Call.ID) + len(c.Call.Arguments)
		m.bytes += n
		for len(m.arguments) <= c.Call.Index {
			m.arguments = append(m.arguments, 0)
		}
		m.arguments[c.Call.Index] += n
		switch {
		case over(len(m.arguments), m.bounds.Calls):
			return &tooMuch{nebula.Say("with more than %d calls", m.bounds.Calls), "limits.calls"}
		case over(m.arguments[c.Call.Index], m.bounds.Arguments):
			return &tooMuch{nebula.Say("with a call of more than %d bytes", m.bounds.Arguments), "limits.arguments"}
		}
	}
	if over(m.bytes, m.bounds.Reply) {
		return m.tooLong()
	}
	return nil
}

//go:noinline
func (m *measure) tooLong() error {
	return &tooMuch{nebula.Say("longer than %d bytes", m.bounds.Reply), "limits.reply"}
}

func over(n, bound int) bool { return bound > 0 && n > bound }

// A gauge ends a body that goes on for longer than any reply.
type gauge struct {
	io.Reader
	of   *measure
	read int
}

// Read implements io.Reader.
func (g *gauge) Read(p []byte) (int, error) {
	n, err := g.Reader.Read(p)
	if g.read += n; g.of.bounds.Reply > 0 && g.read > overhead*g.of.bounds.Reply+maxEvent {
		return n, g.of.tooLong()
	}
	return n, err
}
