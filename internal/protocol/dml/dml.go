// Package dml is the Duckflow Macro Language v1.1: calls are macros between 🦆▶️[ and ]◀️🦆 in natural text.
//
// docs/dml.md describes the language as it is read and written here. What stands in a code span, a code block, a
// quotation or a thought is never an action.
package dml

import (
	"strings"

	"nebula"
	"nebula/internal/protocol"
)

// Protocol is DML. The zero value is ready.
type Protocol struct {
	Bare bool // taught without its example
}

// Name is "dml".
func (Protocol) Name() string { return "dml" }

// Decode reads a reply.
func (p Protocol) Decode(r nebula.Reply, tools []nebula.ToolSpec) nebula.Intent {
	in := p.Read(r, tools)
	protocol.Settle(r, &in)
	return in
}

// Read is Decode without the last step, [protocol.Settle].
func (Protocol) Read(r nebula.Reply, tools []nebula.ToolSpec) nebula.Intent {
	start, thoughts := protocol.Body(r)
	d := newDecoder(tools, start)
	d.assembler.in.Thoughts = thoughts
	d.take(r.Text())
	return d.close(r)
}

// Encode writes the reply as it was, then the results in one message of text.
func (Protocol) Encode(r nebula.Reply, in nebula.Intent, results []nebula.Result) []nebula.Message {
	return protocol.TextMessages(r, in, results)
}

// Stream reads a reply as it comes.
func (Protocol) Stream(tools []nebula.ToolSpec) nebula.StreamDecoder {
	return &stream{tools: tools}
}

type decoder struct {
	scanner   scanner
	assembler assembler
}

//go:noinline
func newDecoder(tools []nebula.ToolSpec, start int) *decoder {
	d := &decoder{
		scanner:   scanner{tools: tools, pos: start, scanned: start},
		assembler: assembler{tools: tools, base: start},
	}
	d.scanner.emit = d.assembler.add
	return d
}

// take reads on in a text that begins with what was taken before.
//
//go:noinline
func (d *decoder) take(text string) {
	d.scanner.text, d.assembler.text = text, text
	d.scanner.run()
}

func (d *decoder) close(r nebula.Reply) nebula.Intent {
	d.scanner.final = true
	d.take(r.Text())
	d.assembler.finish()
	return d.assembler.in
}

// A stream decodes a reply that comes in pieces.
type stream struct {
	tools   []nebula.ToolSpec
	text    strings.Builder
	decoder *decoder
	start   int
	inside  bool // the reasoning that opens the reply
}

// Feed implements nebula.StreamDecoder.
func (s *stream) Feed(text string) []nebula.Piece {
	s.text.WriteString(text)
	if s.decoder == nil {
		if s.inside && !strings.Contains(text, ">") {
			return nil
		}
		start, ok := protocol.Opening(s.text.String())
		if !ok {
			s.inside = s.text.Len() > 16 && !strings.Contains(s.text.String(), "</")
			return nil
		}
		s.start = start
		s.decoder = newDecoder(s.tools, start)
	}
	s.decoder.take(s.text.String())
	pieces := s.decoder.assembler.pieces
	s.decoder.assembler.pieces = nil
	return pieces
}

// Close implements nebula.StreamDecoder.
func (s *stream) Close() nebula.Intent {
	r := nebula.Reply{Parts: nebula.Text(s.text.String())}
	start, thoughts := protocol.Body(r)
	if s.decoder == nil || start != s.start {
		return Protocol{}.Decode(r, s.tools)
	}
	in := s.decoder.close(r)
	in.Thoughts = append(thoughts, in.Thoughts...)
	protocol.Settle(r, &in)
	return in
}
