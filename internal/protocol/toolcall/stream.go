package toolcall

import (
	"strings"

	"nebula"
	"nebula/internal/protocol"
)

// Stream shows a reply's text as it comes, and reasoning in tags that opens it as a thought. The calls come apart from
// the text.
func (Protocol) Stream(tools []nebula.ToolSpec) nebula.StreamDecoder { return &stream{tools: tools} }

type stream struct {
	tools  []nebula.ToolSpec
	text   strings.Builder
	opened bool // behind the reasoning that opens the reply
	inside bool // that reasoning, for all that was read
	said   bool
}

// Feed implements nebula.StreamDecoder.
func (s *stream) Feed(text string) []nebula.Piece {
	s.text.WriteString(text)
	if s.opened {
		return s.say(nil, text)
	}
	if s.inside && !strings.Contains(text, ">") {
		return nil
	}
	whole := s.text.String()
	start, ok := protocol.Opening(whole)
	if !ok {
		s.inside = len(whole) > 16 && !strings.Contains(whole, "</")
		return nil
	}
	s.opened = true
	_, thoughts := protocol.Body(nebula.Reply{Parts: nebula.Text(whole)})
	var pieces []nebula.Piece
	for _, t := range thoughts {
		pieces = append(pieces, nebula.Piece{Thought: t})
	}
	return s.say(pieces, whole[start:])
}

func (s *stream) say(pieces []nebula.Piece, text string) []nebula.Piece {
	if !s.said {
		text = strings.TrimLeft(text, " \t\r\n")
	}
	if text == "" {
		return pieces
	}
	s.said = true
	return append(pieces, nebula.Piece{Say: text})
}

// Close implements nebula.StreamDecoder.
func (s *stream) Close() nebula.Intent {
	return Protocol{}.Decode(nebula.Reply{Parts: nebula.Text(s.text.String())}, s.tools)
}
