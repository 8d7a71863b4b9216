package prompt

import (
	"math"
	"slices"
	"strings"
	"unicode"

	"nebula"
	"nebula/internal/state"
)

// What a conversation that is made shorter by hand comes to, however much of the window it fills: its last messages stay
// as they are, what older ones quote is a line, and from a share of the window on the oldest fall out. What is kept whole
// for its focus may take as much.
const (
	lastWhole = 4
	aLine     = 160 // bytes
	handShare = 4
)

// Shorten is how the conversation is made shorter because the person wants it: as [Builder.Compact] does it, in the same order.
// What mentions a word of the focus stays whole, as far as it is whole still, the newest first. ok is false when nothing is
// left to gain.
func (b *Builder) Shorten(s *state.State, window int, focus string) (c nebula.Compacted, ok bool) {
	_, before := b.render(s)
	share := math.MaxInt
	if window > 0 {
		share = window / handShare
	}
	last := min(unanswered(s), len(s.Messages)-lastWhole)
	c, c.Usage = s.Compact, nebula.Usage{}
	c.Words, c.Cap, c.Focus = window/wordsShare, aLine, focus
	c.Elided = max(s.Compact.Elided, last)
	c.Whole = b.focused(s, c, attention(focus), share)
	words := b.wording(s, c.Words)
	if len(c.Whole) > 0 {
		last = min(last, c.Whole[0])
	}
	aim := share - b.before(s, c, words, max(last, c.Dropped))
	if tail := b.tails(s, c, words); tail[c.Dropped] > aim {
		c.Dropped = drop(s, tail, aim, last)
	}
	c.Summary = summary(s, c.Dropped)
	c.Before, c.After = before, b.cost(s, c, words)
	return c, c.After < before
}

// whole reports whether a message stays as it is although older ones are shortened.
//
//go:noinline
func whole(c nebula.Compacted, i int) bool {
	_, found := slices.BinarySearch(c.Whole, i)
	return found
}

// focused are the messages that mention one of the words, or answer to a call that does, and would be shortened, for as
// many tokens as there is room for. One that was shortened before stays so.
func (b *Builder) focused(s *state.State, c nebula.Compacted, words []string, room int) (list []int) {
	mentioned, costs := map[int]string{}, map[int]int{}
	for i := range c.Elided {
		m := s.Message(i)
		if cost := b.message(m); !s.Wrote(i) && cost > b.message(elide(s.Lang, m, c.Cap)) {
			mentioned[i], costs[i] = strings.ToLower(mentions(s, i)), cost
		}
	}
	words = telling(words, mentioned)
	for i := c.Elided - 1; i >= c.Dropped; i-- {
		about := slices.ContainsFunc(words, func(w string) bool { return strings.Contains(mentioned[i], w) })
		still := i >= s.Compact.Elided || whole(s.Compact, i)
		if about && still && costs[i] <= room {
			room -= costs[i]
			list = append(list, i)
		}
	}
	slices.Reverse(list)
	return list
}

// mentions is all that a message says: of a result, with the call that it answers to.
func mentions(s *state.State, i int) string {
	m := s.Message(i)
	text := m.Text()
	for _, c := range m.Calls() {
		text += "\n" + c.Arguments
	}
	if m.Role == nebula.Assistant {
		return text
	}
	for at := i - 1; at >= 0 && !s.Wrote(at); at-- {
		if a := s.Messages[at]; a.Role == nebula.Assistant {
			if m.Role != nebula.ToolRole {
				text += "\n" + a.Text()
			}
			for _, c := range a.Calls() {
				if c.ID == m.CallID {
					text += "\n" + c.Arguments
				}
			}
			break
		}
	}
	return text
}

// telling are the words that tell messages apart: those that stand in at most half of them, and names of files and of
// code; all where none does.
func telling(words []string, mentioned map[int]string) []string {
	var kept []string
	for _, w := range words {
		n := 0
		for _, text := range mentioned {
			if strings.Contains(text, w) {
				n++
			}
		}
		if n > 0 && 2*n <= len(mentioned) || strings.ContainsAny(w, "._/-0123456789") {
			kept = append(kept, w)
		}
	}
	if len(kept) == 0 {
		return words
	}
	return kept
}

// attention are the words of a focus, in small letters: names of files whole, and what stands between hiragana, which is
// the grammar of a Japanese sentence. Short words name nothing.
func attention(focus string) (words []string) {
	apart := func(r rune) bool {
		return unicode.Is(unicode.Hiragana, r) || !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("._/-ー", r)
	}
	for _, w := range strings.FieldsFunc(strings.ToLower(focus), apart) {
		w = strings.Trim(w, ".-")
		if n := len([]rune(w)); n >= 3 || n == 2 && len(w) > 2 {
			words = append(words, w)
		}
	}
	return words
}
