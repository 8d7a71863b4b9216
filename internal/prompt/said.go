package prompt

import (
	"fmt"
	"math"
	"strings"

	"nebula"
	"nebula/internal/phrase"
	"nebula/internal/state"
)

// wordsShare is what part of the window the person's own messages may take when the conversation is made shorter.
const wordsShare = 4

// A wording is how the person's messages stand in a conversation that was made shorter, by message: whole while all of
// them fit into what they may take; else the newest whole, and the older ones with what they oblige to. The newest is
// always whole.
type wording map[int]string

func (b *Builder) wording(s *state.State, room int) wording {
	if room <= 0 {
		room = math.MaxInt
	}
	words, older := b.quoted(s, room)
	left := room
	for n := len(s.Said) - 1; n >= 0; n-- {
		if i := s.Said[n]; n == len(s.Said)-1 {
			words[i] = s.Messages[i].Text()
			left -= b.count(words[i]) + 4
		} else {
			left -= older[i]
		}
	}
	for n := len(s.Said) - 2; n >= 0; n-- { // what room is left makes the newest whole
		i := s.Said[n]
		text := s.Messages[i].Text()
		if left -= max(0, b.count(text)+4-older[i]); left < 0 {
			break
		}
		words[i] = text
	}
	return words
}

// quoted are the older messages with the clauses of them that may hold on, and what each costs: first what counts most in all of them, the
// newest first, then what counts less. What counts least may take half of the room.
func (b *Builder) quoted(s *state.State, room int) (wording, map[int]int) {
	words, cost := wording{}, map[int]int{}
	clauses, kept := map[int][]state.Clause{}, map[int][]bool{}
	older := s.Said[:max(0, len(s.Said)-1)]
	for _, i := range older {
		clauses[i] = state.Weighed(state.Words(s.Messages[i].Text()))
		kept[i] = make([]bool, len(clauses[i]))
	}
	const head = 16 // what stands above the clauses of a message
	spent := 0
	for weight := range state.Weights {
		limit := room
		if weight > state.Bound {
			limit = room / 2
		}
		for n := len(older) - 1; n >= 0; n-- {
			i := older[n]
			for at, c := range clauses[i] {
				if c.Weight != weight {
					continue
				}
				more := b.count(c.Text) + 2
				if cost[i] == 0 {
					more += head
				}
				if spent+more <= limit {
					kept[i][at] = true
					spent += more
					cost[i] += more
				}
			}
		}
	}
	for _, i := range older {
		var lines []string
		for at, c := range clauses[i] {
			if kept[i][at] {
				lines = append(lines, c.Text)
			}
		}
		if len(lines) > 0 {
			words[i] = phrase.In(s.Lang, "[of a longer message, word for word]\n") + strings.Join(lines, "\n")
		}
	}
	return words, cost
}

// opening is what stands before a conversation whose beginning fell out: what the person said in it, oldest first, and
// last, where the conversation would go on in the middle of a turn, the request that is worked on.
func (b *Builder) opening(s *state.State, c nebula.Compacted, words wording) (messages []nebula.Message) {
	if c.Dropped == 0 || c.Dropped > len(s.Messages) {
		return nil
	}
	var gone []int
	for _, i := range s.Said {
		if i < c.Dropped {
			gone = append(gone, i)
		}
	}
	current := -1
	if n := len(gone); n > 0 && !s.Wrote(c.Dropped) {
		current, gone = gone[n-1], gone[:n-1]
	}
	var earlier []string
	for _, i := range gone {
		if words[i] != "" {
			earlier = append(earlier, words[i])
		}
	}
	if len(earlier) > 0 {
		head := phrase.In(s.Lang, "[What the person said earlier in this conversation, oldest first; all of it still holds, and what was said later counts more]\n")
		messages = append(messages, nebula.Message{Role: nebula.User, Parts: nebula.Text(head + strings.Join(earlier, "\n---\n"))})
	}
	if c.Learned != "" {
		messages = append(messages, nebula.Message{Role: nebula.User, Parts: nebula.Text(phrase.In(s.Lang, "[What you noted of the conversation before, from nebula; not from the person]\n") + c.Learned)})
	}
	if current >= 0 {
		m := s.Messages[current]
		m.Parts = m.WithText(words[current])
		messages = append(messages, m)
	}
	return messages
}

// seen is a message as the model reads it after what compaction made of it.
func (b *Builder) seen(s *state.State, c nebula.Compacted, words wording, i int) nebula.Message {
	m := s.Message(i)
	wrote := s.Wrote(i)
	switch {
	case wrote && i < c.Elided:
		if words[i] == "" {
			m.Parts = m.WithText(phrase.In(s.Lang, "[an earlier request]"))
			return m
		}
		m.Parts = m.WithText(words[i])
	case i < c.Elided && !whole(c, i):
		return elide(s.Lang, m, c.Cap)
	case c.Cut > 0 && i < c.Fresh && !wrote && m.Role != nebula.Assistant:
		m.Parts = m.WithText(head(s.Lang, m.Text(), c.Cut))
	}
	return m
}

// head is the beginning of a text that is longer than limit bytes, whole lines where it has some, and what is missing.
func head(lang, text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	shown := strings.ToValidUTF8(text[:limit], "")
	if at := strings.LastIndexByte(shown, '\n'); at > limit/2 {
		shown = shown[:at+1]
	}
	return strings.TrimRight(shown, "\n") + "\n" + fmt.Sprintf(phrase.In(lang, "[cut here, because the rest does not fit the model's window: %d of %d lines stand above, %d bytes are left out; what is needed of them can be read from there on, in smaller pieces]"),
		strings.Count(strings.TrimRight(shown, "\n"), "\n")+1, strings.Count(text, "\n")+1, len(text)-len(shown))
}
