package agent

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"nebula"
	"nebula/internal/lists"
)

// uncalled is the form in which a reply without actions would have called what its text shows: an edit, or a command that
// changes something. It is empty where none is shown, and where the text is rather a report: of what the turn did, of what
// the person refused, or of something that waits for a word of theirs.
func (s *Session) uncalled(r nebula.Replied) string {
	turn, texts := s.state.Turn, []string{ends(r.Intent.Say), ends(r.Reply.Text())}
	asks := !s.setup.Alone && strings.HasSuffix(strings.TrimRight(strings.TrimSpace(texts[0]), "*_`"), "?")
	if s.state.Mode != nebula.AgentMode || asks || waits(s.decided(r.Intent)) || len(turn.Denied)+len(turn.Lacking) > 0 {
		return ""
	}
	acted, known := s.tried(), slices.Sorted(maps.Keys(s.state.Seen))
	for _, t := range s.setup.Tools {
		spotter, ok := t.(nebula.Spotter)
		if !ok {
			continue
		}
		for _, text := range lists.Compact(texts) {
			spotted, ok := spotter.Spots(text, known)
			if !ok || spotted.Path == "" && acted || lists.Has(turn.Changed, spotted.Path) {
				continue
			}
			form := ""
			if f, ok := s.language(r).(nebula.Former); ok {
				form = strings.TrimSpace(f.Form(spotted.Form, s.specs()))
			}
			return cmp.Or(form, spotted.Form.Tool)
		}
	}
	return ""
}
