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
	words := wording{}
	short, cost := map[int]string{}, map[int]int{}
	left, obliged := room, room/2
	for n := len(s.Said) - 1; n >= 0; n-- {
		i := s.Said[n]
		text := s.Messages[i].Text()
		cost[i] = b.count(text) + 4
		if n == len(s.Said)-1 {
			words[i] = text
			left -= cost[i]
			continue
		}
		short[i] = b.obligations(s.Lang, text, obliged)
		spent := b.count(short[i]) + 4
		if short[i] == "" {
			spent = 0
		}
		obliged -= spent
		left -= spent
		cost[i] -= spent
		words[i] = short[i]
	}
	for n := len(s.Said) - 2; n >= 0; n-- { // what room is left makes the newest whole
		i := s.Said[n]
		if left -= max(0, cost[i]); left < 0 {
			break
		}
		words[i] = s.Messages[i].Text()
	}
	return words
}

// obligations are what of a message holds on, as many of its clauses as cost no more than limit.
func (b *Builder) obligations(lang, text string, limit int) string {
	var kept []string
	clauses := state.Obligations(state.Words(text))
	for _, clause := range clauses {
		if limit -= b.count(clause) + 2; limit < 0 {
			break
		}
		kept = append(kept, clause)
	}
	if len(kept) == 0 {
		return ""
	}
	return phrase.In(lang, "[of a longer message, word for word]\n") + strings.Join(kept, "\n")
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
		return elide(m, c.Cap)
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
