package symops

import (
	"slices"
	"strings"

	"nebula"
)

// Stream reads a reply as it comes. What is written as taught is told as soon as the next construct has begun; from
// the first line that is not, the rest is told by Close: but for prose that a reply begins with, told line by line.
func (Protocol) Stream(tools []nebula.ToolSpec) nebula.StreamDecoder {
	return &stream{tools: tools, r: newReader(taught, tools), made: map[string]bool{}, files: map[string]bool{}}
}

type stream struct {
	tools    []nebula.ToolSpec
	text     strings.Builder
	r        *reader
	failed   bool
	thoughts int // told
	actions  int
	held     bool            // an action depends on one that may come later: the order of the rest is not known
	made     map[string]bool // files of the actions that were told
	files    map[string]bool // those of them that make a file
	said     int             // bytes that were told as prose
	quiet    bool            // what comes now could be more than prose
}

// Feed implements [nebula.StreamDecoder].
func (s *stream) Feed(text string) []nebula.Piece {
	s.text.WriteString(text)
	if strings.IndexByte(text, '\n') < 0 {
		return nil
	}
	if s.failed {
		return s.prose()
	}
	s.r.s = s.text.String()
	if s.r.scan > 0 && !strings.Contains(s.r.s[s.r.scan:], "\n--") {
		return nil
	}
	s.failed = s.r.run()
	return append(s.told(), s.prose()...)
}

// prose are the whole lines that came and are nothing but language, as long as nothing else came before them.
func (s *stream) prose() []nebula.Piece {
	if !s.failed || s.quiet || s.r.count > 0 {
		return nil
	}
	text := s.text.String()
	end := s.said
	for !s.quiet {
		n := strings.IndexByte(text[end:], '\n')
		if n < 0 {
			break
		}
		l := split(text[end : end+n+1])[0]
		l.classify(text[end:end+n], heads{})
		if s.quiet = l.kind > item || l.kind == code; !s.quiet {
			end += n + 1
		}
	}
	if strings.TrimSpace(text[s.said:end]) == "" {
		return nil
	}
	from := s.said
	s.said = end
	return []nebula.Piece{{Say: text[from:end]}}
}

// told are the pieces that count and were not told yet.
func (s *stream) told() []nebula.Piece {
	var out []nebula.Piece
	for ; s.thoughts < len(s.r.b.doc.Thoughts); s.thoughts++ {
		out = append(out, nebula.Piece{Thought: s.r.b.doc.Thoughts[s.thoughts]})
	}
	for ; s.actions < len(s.r.b.doc.Actions) && !s.held; s.actions++ {
		a := s.r.b.doc.Actions[s.actions] // the document's own stays as it is written until it is whole
		a.Rows = slices.Clip(a.Rows)
		a.untangle(s.files)
		if a.DependsOn != nil {
			for _, p := range parts(*a.DependsOn) {
				s.held = s.held || !s.made[strings.TrimPrefix(p, "./")]
			}
		}
		if s.held {
			break
		}
		s.made[strings.TrimPrefix(a.Path, "./")] = true
		action := a.action(s.tools)
		out = append(out, nebula.Piece{Action: &action})
	}
	return out
}

// Close implements [nebula.StreamDecoder].
func (s *stream) Close() nebula.Intent {
	s.r.s, s.r.ended = s.text.String(), true
	if !s.failed {
		s.failed = s.r.run()
	}
	return intentOf(nebula.Reply{Parts: nebula.Text(s.r.s)}, s.r.finish(s.failed), s.tools)
}
