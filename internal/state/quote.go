package state

import (
	"maps"
	"slices"
	"strings"

	"nebula"
	"nebula/internal/lists"
)

// A Quote is a file's content, or some lines of it, as a result shows it in the conversation.
type Quote struct {
	Message    int // counted from 0
	Start, End int // bytes of its text
	Ref        nebula.FileRef
}

// quoteWorth is from how many bytes on a quote is worth a line in its place.
const quoteWorth = 240

// quote remembers where messages that join the conversation show what the open reply read. Results stand in them in
// their order.
func (s *State) quote(messages []nebula.Message) {
	at, from := 0, 0
	for _, r := range s.Turn.Results {
		text := strings.TrimSuffix(r.Text, "\n")
		if r.Status != nebula.Done || len(r.Seen) != 1 || len(r.Changes) > 0 || len(text) < quoteWorth {
			continue
		}
		for m := at; m < len(messages); m++ {
			if m > at {
				from = 0
			}
			i := -1
			if messages[m].Role != nebula.Assistant {
				i = strings.Index(messages[m].Text()[from:], text)
			}
			if i < 0 {
				continue
			}
			at, from = m, from+i+len(text)
			s.Quotes = append(s.Quotes, Quote{Message: len(s.Messages) + m, Start: from - len(text), End: from, Ref: r.Seen[0]})
			break
		}
	}
}

// Superseded are the quotes of which a later one shows all that they show, as the file is by then.
func (s *State) Superseded() []Quote {
	var old []Quote
	later := map[string][]nebula.FileRef{}
	for _, q := range slices.Backward(s.Quotes) {
		if slices.ContainsFunc(later[q.Ref.Path], func(r nebula.FileRef) bool { return covers(r.Lines, q.Ref.Lines) }) {
			old = append(old, q)
		}
		later[q.Ref.Path] = append(later[q.Ref.Path], q.Ref)
	}
	slices.Reverse(old)
	return old
}

// Outdated are the quotes of files that are others by now, as far as the session knows, and that no later one shows.
func (s *State) Outdated() []Quote {
	shown := s.Superseded()
	return lists.Drop(lists.Clone(s.Quotes), func(q Quote) bool {
		now, known := s.Seen[q.Ref.Path]
		return known && now.Hash == q.Ref.Hash || slices.ContainsFunc(shown, func(o Quote) bool { return o.Message == q.Message && o.Start == q.Start })
	})
}

// covers reports whether runs of lines hold others. None are all.
func covers(runs, others [][2]int) bool {
	if len(runs) == 0 {
		return true
	}
	within := func(o [2]int) bool {
		return slices.ContainsFunc(runs, func(r [2]int) bool { return r[0] <= o[0] && o[1] <= r[1] })
	}
	return len(others) > 0 && !slices.ContainsFunc(others, func(o [2]int) bool { return !within(o) })
}

func (s *State) supersede(b nebula.Superseded) {
	s.Shortened++
	s.Watch.shown = nil // what fell out may be read again
	replaced := maps.Clone(s.Replaced)
	if replaced == nil {
		replaced = map[int][]nebula.Copy{}
	}
	for _, c := range b.Copies {
		replaced[c.Message] = append(lists.Clone(replaced[c.Message]), c)
		s.Quotes = lists.Drop(lists.Clone(s.Quotes), func(q Quote) bool { return q.Message == c.Message && q.Start >= c.Start && q.End <= c.End })
	}
	s.Replaced = replaced
}

// compacted keeps what is left of the conversation, and what the last request would hold of it now.
func (s *State) compacted(b nebula.Compacted) {
	s.Shortened++
	s.Watch.shown = nil // what fell out may be read again
	s.Compact = b
	s.Turn.Usage, s.Usage = s.Turn.Usage.Plus(b.Usage), s.Usage.Plus(b.Usage)
	s.Layers = lists.Clone(s.Layers)
	for i, l := range s.Layers {
		if l.Name == "conversation" {
			s.Layers[i].Tokens = min(l.Tokens, b.After)
		}
	}
}

// Message is a message of the conversation as the model reads it: with lines in the place of superseded copies.
func (s *State) Message(i int) nebula.Message {
	m := s.Messages[i]
	copies := lists.Clone(s.Replaced[i])
	lists.Sort(copies, func(a, b nebula.Copy) int { return b.Start - a.Start }) // from the end, so that places stay true
	for _, c := range copies {
		if text := m.Text(); c.Start >= 0 && c.Start <= c.End && c.End <= len(text) {
			m.Parts = m.WithText(text[:c.Start] + c.Line + text[c.End:])
		}
	}
	return m
}
