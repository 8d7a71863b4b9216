package actionlist

import (
	"strings"

	"nebula"
	"nebula/internal/protocol"
)

// Stream reads a reply as it comes. Actions are shown early when the reply begins with its document, which is how it
// is taught; of any other reply the text is shown, and its actions at the end.
func (Protocol) Stream(tools []nebula.ToolSpec) nebula.StreamDecoder {
	return &stream{tools: tools}
}

type stream struct {
	tools  []nebula.ToolSpec
	text   strings.Builder
	begun  bool
	inside bool // the reasoning that opens the reply
	pos    int  // looked at up to here
	pieces []nebula.Piece

	searched int // no line break in [pos, searched)

	prose bool // the reply began with prose
	quiet bool // what follows is only understood as a whole

	// Where pos is in the document, by JSON's own rules: what is looser waits for the end.
	depth     int
	root      byte
	quoted    bool
	escaped   bool
	stringAt  int
	key       string // the field at depth one that pos is in
	maybe     string // the last string at depth one
	list      bool   // inside the actions
	elementAt int
}

// Feed implements nebula.StreamDecoder.
func (s *stream) Feed(text string) []nebula.Piece {
	s.text.WriteString(text)
	all := s.text.String()
	if !s.begun {
		if s.inside && !strings.Contains(text, ">") {
			return nil
		}
		start, ok := protocol.Opening(all)
		if !ok {
			s.inside = len(all) > 16 && !strings.Contains(all, "</")
			return nil
		}
		s.pos = start + leading(all[start:])
		s.begun = true
		s.prose = all[s.pos] != '{' && all[s.pos] != '['
		s.quiet = s.prose && all[s.pos] == '`'
	}
	s.pieces = nil
	switch {
	case s.quiet:
	case s.prose:
		s.say(all)
	default:
		s.scan(all)
	}
	return s.pieces
}

// say shows whole lines of prose until one that may begin a document or a code block.
func (s *stream) say(all string) {
	for {
		from := max(s.pos, s.searched)
		end := strings.IndexByte(all[from:], '\n') + from + 1
		if end == from {
			s.searched = len(all)
			return
		}
		line := all[s.pos:end]
		if trimmed := strings.TrimSpace(line); strings.HasPrefix(trimmed, "{") || strings.HasPrefix(trimmed, "[") || fence(trimmed) != "" {
			s.quiet = true
			return
		}
		s.pos = end
		if strings.TrimSpace(line) != "" {
			s.pieces = append(s.pieces, nebula.Piece{Say: line})
		}
	}
}

// scan follows the document's brackets and strings.
func (s *stream) scan(all string) {
	for ; s.pos < len(all) && !s.quiet; s.pos++ {
		c := all[s.pos]
		switch {
		case s.escaped:
			s.escaped = false
		case s.quoted && c == '\\':
			s.escaped = true
		case s.quoted && c == '"':
			s.quoted = false
			s.endString(all)
		case s.quoted:
		case c == '"':
			s.quoted, s.stringAt = true, s.pos
		case c == '{' || c == '[':
			s.open(c)
		case c == '}' || c == ']':
			s.close(all)
		case c == ':' && s.depth == 1:
			s.key = s.maybe
		case c == ',' && s.depth == 1:
			s.key = ""
		}
	}
}

func (s *stream) endString(all string) {
	if s.depth != 1 || s.root != '{' {
		return
	}
	r, err := protocol.Read(all[s.stringAt : s.pos+1])
	if err != nil || len(r.Doubts) > 0 {
		return
	}
	s.maybe = protocol.Text(r.JSON)
	if s.key == "say" && strings.TrimSpace(s.maybe) != "" {
		s.pieces = append(s.pieces, nebula.Piece{Say: s.maybe})
	}
}

func (s *stream) open(c byte) {
	switch s.depth++; {
	case s.depth == 1:
		s.root, s.elementAt, s.list = c, s.pos, c == '['
	case s.depth == 2 && s.root == '{' && c == '[' && listNames[s.key]:
		s.list = true
	case s.list && (s.depth == 2 && s.root == '[' || s.depth == 3 && s.root == '{'):
		s.elementAt = s.pos
	}
}

func (s *stream) close(all string) {
	switch s.depth--; {
	case s.depth <= 0:
		s.quiet = true // what follows the first document is read with the whole
	case s.depth == 1 && s.root == '{':
		s.list = false
	case s.list && (s.depth == 1 && s.root == '[' || s.depth == 2 && s.root == '{'):
		s.show(all[s.elementAt : s.pos+1])
	}
}

func (s *stream) show(element string) {
	r, err := protocol.Read(element)
	if err != nil || len(r.Repairs) > 0 || r.End != len(element) {
		s.quiet = true
		return
	}
	if a, ok := protocol.CallOf(r, s.tools); ok {
		s.pieces = append(s.pieces, nebula.Piece{Action: &a})
	}
}

// Close implements nebula.StreamDecoder.
func (s *stream) Close() nebula.Intent {
	return Protocol{}.Decode(nebula.Reply{Parts: nebula.Text(s.text.String())}, s.tools)
}
