package prompt

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"nebula"
	"nebula/internal/lists"
	"nebula/internal/phrase"
	"nebula/internal/state"
)

// A rendering is the conversation as the model reads it, kept from request to request.
type rendering struct {
	compact  nebula.Compacted
	copies   int // that lines stand for
	words    wording
	messages []nebula.Message
	tokens   int
	upTo     int // messages of the state that are in it
}

// render is the conversation after what compaction left out, and what it costs. Each message is counted once, and one
// that stays as it is is not copied.
func (b *Builder) render(s *state.State) ([]nebula.Message, int) {
	c := s.Compact
	copies := copied(s)
	if b.shown.copies != copies || !same(b.shown.compact, c) || b.shown.upTo > len(s.Messages) {
		words := b.wording(s, c.Words)
		b.shown = rendering{compact: c, copies: copies, upTo: c.Dropped, words: words}
		for _, m := range b.opening(s, c, words) {
			b.shown.messages = append(b.shown.messages, m)
			b.shown.tokens += b.message(m)
		}
	}
	whole := c.Dropped == 0 && c.Elided == 0 && c.Cut == 0 && copies == 0
	for ; b.shown.upTo < len(s.Messages); b.shown.upTo++ {
		m := s.Message(b.shown.upTo)
		if !whole {
			m = b.seen(s, c, b.shown.words, b.shown.upTo)
			b.shown.messages = append(b.shown.messages, m)
		}
		b.shown.tokens += b.message(m)
	}
	if whole {
		return s.Messages, b.shown.tokens
	}
	return b.shown.messages, b.shown.tokens
}

// same reports whether two compactions leave the same of a conversation.
//
//go:noinline
func same(a, b nebula.Compacted) bool {
	return a.Dropped == b.Dropped && a.Elided == b.Elided && a.Cap == b.Cap && a.Words == b.Words && a.Cut == b.Cut && a.Fresh == b.Fresh && a.Learned == b.Learned && lists.Equal(a.Whole, b.Whole)
}

// spoken is how many bytes of what the model said stay when a result would be one line.
const spoken = 600

// elide shortens what a message quotes to limit bytes a text: outputs, files and the contents of old edits.
func elide(lang string, m nebula.Message, limit int) nebula.Message {
	text := limit
	if m.Role == nebula.Assistant {
		text = max(limit, spoken)
	}
	m.Parts = m.WithText(middle(lang, m.Text(), text)).Without(nebula.ReasoningPart, nebula.OpaquePart).EachCall(func(_ int, c nebula.Call) nebula.Call {
		c.Arguments = shortArguments(lang, c.Arguments, limit)
		return c
	})
	return m
}

func shortArguments(lang, arguments string, limit int) string {
	if len(arguments) <= limit {
		return arguments
	}
	var in map[string]any
	if json.Unmarshal([]byte(arguments), &in) != nil {
		return "{}"
	}
	for k, v := range in {
		switch v := v.(type) {
		case string:
			in[k] = middle(lang, v, limit/2)
		case []any, map[string]any:
			in[k] = "…"
		}
	}
	out, err := json.Marshal(in)
	if err != nil {
		return "{}"
	}
	return string(out)
}

// middle leaves out the middle of a text that is longer than limit bytes, at characters.
func middle(lang, text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	head, tail := limit*2/3, len(text)-limit/3
	for head > 0 && text[head]&0xC0 == 0x80 {
		head--
	}
	for tail < len(text) && text[tail]&0xC0 == 0x80 {
		tail++
	}
	return text[:head] + "\n" + fmt.Sprintf(phrase.In(lang, "[… %d bytes left out …]"), tail-head) + "\n" + text[tail:]
}

func (b *Builder) message(m nebula.Message) int {
	n := 4 + b.count(m.Text())
	for _, c := range m.Calls() {
		n += 8 + b.count(c.Name) + b.count(c.Arguments)
	}
	for _, img := range m.Images() {
		n += img.Tokens()
	}
	return n
}

// Steps of compaction, from the mildest: how many messages at the end stay as they are, how long quotes before them may
// be, and whether the oldest may fall out.
var mildness = []struct {
	keep, cap int
	drop      bool
}{{20, 2000, false}, {12, 160, false}, {12, 600, true}, {8, 400, true}, {4, 200, true}, {2, 160, true}}

// cuts are the lengths that results which nobody has read yet are cut to where nothing else makes room, in bytes.
var cuts = []int{32_000, 16_000, 8_000, 4_000, 2_000, 1_000, 500}

// Compact is how the conversation is made to fit again: first old quotes are shortened, then the oldest messages fall
// out, a summary stands for them, and what the person said in them stays. It aims at half of what there is room for, so
// that the request's beginning stays the same for many turns after. What the model has not answered to yet stays whole
// unless it does not fit at all. ok is false when nothing could be gained.
func (b *Builder) Compact(in Input, report Report) (c nebula.Compacted, ok bool) {
	s := in.State
	_, before := b.render(s)
	room := max(0, in.Window-b.output(in.Window)-(report.Total-before))
	c, c.Usage = s.Compact, nebula.Usage{}
	c.Words = in.Window / wordsShare
	words := b.wording(s, c.Words)
	c = b.mildest(s, c, words, room)
	if len(c.Whole) > 0 && c.After > room*9/10 {
		c.Whole = nil
		c = b.mildest(s, c, words, room)
	}
	for n := 0; c.After > room*9/10 && n < len(cuts); n++ {
		c.Cut, c.Fresh = cuts[n], len(s.Messages)
		c.After = b.cost(s, c, words)
	}
	kept, _ := slices.BinarySearch(c.Whole, c.Dropped)
	c.Whole = c.Whole[kept:]
	c.Summary = summary(s, c.Dropped)
	c.Before = before
	return c, c.After < before
}

// mildest is a compaction by the first step that makes enough room, or the last.
func (b *Builder) mildest(s *state.State, c nebula.Compacted, words wording, room int) nebula.Compacted {
	fresh := unanswered(s)
	for _, m := range mildness {
		c.Elided = max(s.Compact.Elided, min(fresh, len(s.Messages)-m.keep))
		c.Cap, c.Dropped = m.cap, s.Compact.Dropped
		aim := room * 3 / 4
		if m.drop {
			tail, said := b.tails(s, c, words), b.before(s, c, words, fresh)
			aim = (room + said) / 2
			if tail[c.Dropped] > aim-said {
				c.Dropped = drop(s, tail, aim-said, min(fresh, len(s.Messages)-m.keep))
			}
		}
		if c.After = b.cost(s, c, words); c.After <= aim {
			break
		}
	}
	return c
}

// unanswered is where the last reply stands: what came after it the model has not answered to.
//
//go:noinline
func unanswered(s *state.State) int {
	for i := len(s.Messages) - 1; i >= 0; i-- {
		if s.Messages[i].Role == nebula.Assistant {
			return i
		}
	}
	return 0
}

// cost is what the conversation costs after a compaction.
func (b *Builder) cost(s *state.State, c nebula.Compacted, words wording) int {
	return b.before(s, c, words, c.Dropped) + b.tails(s, c, words)[c.Dropped]
}

// before is what stands before the conversation when it begins at from.
func (b *Builder) before(s *state.State, c nebula.Compacted, words wording, from int) (n int) {
	c.Dropped = from
	for _, m := range b.opening(s, c, words) {
		n += b.message(m)
	}
	return n
}

// tails are what the conversation from each message on costs.
func (b *Builder) tails(s *state.State, c nebula.Compacted, words wording) []int {
	tail := make([]int, len(s.Messages)+1)
	for i := len(s.Messages) - 1; i >= s.Compact.Dropped; i-- {
		tail[i] = tail[i+1] + b.message(b.seen(s, c, words, i))
	}
	return tail
}

// drop is the index of the first message that stays when the oldest fall out until the rest costs no more than aim. A
// reply is never parted from its results.
//
//go:noinline
func drop(s *state.State, tail []int, aim, last int) int {
	first := s.Compact.Dropped
	for at := first + 1; at <= last; at++ {
		if s.Messages[at].Role == nebula.ToolRole {
			continue
		}
		first = at
		if tail[at] <= aim {
			break
		}
	}
	return first
}

// Bounds of a summary.
const (
	summaryLines = 12
	requestShown = 100 // characters
)

// summary stands for the messages before dropped: a line for each request, with what came of it, oldest first.
func summary(s *state.State, dropped int) []string {
	var lines []string
	request, answer := "", ""
	done := map[string]int{}
	flush := func() {
		if request == "" {
			return
		}
		line := "“" + request + "”"
		if answer != "" {
			line += " → " + answer
		}
		if len(done) > 0 {
			line += fmt.Sprintf(" (%d actions)", total(done))
		}
		lines = append(lines, line)
		request, answer, done = "", "", map[string]int{}
	}
	for i, m := range s.Messages[:dropped] {
		switch {
		case s.Wrote(i):
			flush()
			request, _ = state.Cut(m.Text(), requestShown)
		case m.Role == nebula.Assistant:
			if m.Text() != "" {
				answer, _ = state.Cut(firstLine(m.Text()), requestShown)
			}
			for _, c := range m.Calls() {
				done[c.Name]++
			}
		}
	}
	flush()
	return last(lines, summaryLines)
}

func total(counts map[string]int) (n int) {
	for _, c := range counts {
		n += c
	}
	return n
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return line
}
