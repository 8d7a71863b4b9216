package prompt

import (
	"encoding/json"
	"fmt"
	"strings"

	"nebula"
	"nebula/internal/state"
)

// A rendering is the conversation as the model reads it, kept from request to request.
type rendering struct {
	compact  nebula.Compacted
	copies   int // that lines stand for
	messages []nebula.Message
	tokens   int
	upTo     int // messages of the state that are in it
}

// render is the conversation after what compaction left out, and what it costs. Each message is counted once, and one
// that stays as it is is not copied.
func (b *Builder) render(s *state.State) ([]nebula.Message, int) {
	c := s.Compact
	copies := copied(s)
	if b.shown.copies != copies || b.shown.compact.Dropped != c.Dropped || b.shown.compact.Elided != c.Elided || b.shown.compact.Cap != c.Cap || b.shown.upTo > len(s.Messages) {
		b.shown = rendering{compact: c, copies: copies, upTo: c.Dropped}
		if m, ok := asked(s, c); ok {
			b.shown.messages, b.shown.tokens = []nebula.Message{m}, b.message(m)
		}
	}
	whole := c.Dropped == 0 && c.Elided == 0 && copies == 0
	for ; b.shown.upTo < len(s.Messages); b.shown.upTo++ {
		m := s.Message(b.shown.upTo)
		if !whole {
			if b.shown.upTo < c.Elided {
				m = elide(m, c.Cap)
			}
			b.shown.messages = append(b.shown.messages, m)
		}
		b.shown.tokens += b.message(m)
	}
	if whole {
		return s.Messages, b.shown.tokens
	}
	return b.shown.messages, b.shown.tokens
}

// asked is the request that stands before a conversation whose beginning fell out, where it would begin with the
// assistant's answer to it: templates want the user to speak first.
func asked(s *state.State, c nebula.Compacted) (nebula.Message, bool) {
	if c.Dropped == 0 || c.Dropped >= len(s.Messages) || s.Messages[c.Dropped].Role == nebula.User {
		return nebula.Message{}, false
	}
	for i := c.Dropped - 1; i >= 0; i-- {
		if s.Messages[i].Role == nebula.User {
			return elide(s.Messages[i], c.Cap), true
		}
	}
	return nebula.Message{}, false
}

// elide shortens what a message quotes to limit bytes a text: outputs, files and the contents of old edits. What the
// person said stays whole unless it is huge.
func elide(m nebula.Message, limit int) nebula.Message {
	if m.Role == nebula.User {
		limit = max(limit, 2000)
	}
	m.Parts = m.WithText(middle(m.Text(), limit)).Without(nebula.ReasoningPart, nebula.OpaquePart).EachCall(func(_ int, c nebula.Call) nebula.Call {
		c.Arguments = shortArguments(c.Arguments, limit)
		return c
	})
	return m
}

func shortArguments(arguments string, limit int) string {
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
			in[k] = middle(v, limit/2)
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
func middle(text string, limit int) string {
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
	return fmt.Sprintf("%s\n[… %d bytes left out …]\n%s", text[:head], tail-head, text[tail:])
}

func (b *Builder) message(m nebula.Message) int {
	n := 4 + b.count(m.Text())
	for _, c := range m.Calls() {
		n += 8 + b.count(c.Name) + b.count(c.Arguments)
	}
	return n + 800*len(m.Images())
}

// Steps of compaction, from the mildest: how many messages at the end stay as they are, and how long quotes before
// them may be.
var mildness = []struct{ keep, cap int }{{20, 2000}, {12, 600}, {8, 400}, {4, 200}, {2, 160}}

// Compact is how the conversation is made to fit again: first old quotes are shortened, then the oldest messages fall
// out and a summary stands for them. It aims at half of what there is room for, so that the request's beginning stays
// the same for many turns after. ok is false when nothing could be gained.
func (b *Builder) Compact(in Input, report Report) (c nebula.Compacted, ok bool) {
	s := in.State
	_, before := b.render(s)
	aim := max(0, in.Window-b.output(in.Window)-(report.Total-before)) / 2
	c = s.Compact
	for _, m := range mildness {
		c.Elided = max(s.Compact.Elided, len(s.Messages)-m.keep)
		c.Cap = m.cap
		tail := b.tails(s, c)
		if c.Dropped = s.Compact.Dropped; tail[c.Dropped] > aim {
			c.Dropped = drop(s, tail, aim, m.keep)
		}
		if c.After = tail[c.Dropped]; c.After <= aim {
			break
		}
	}
	c.Summary = summary(s, c.Dropped)
	c.Before = before
	return c, c.After < before
}

// tails are what the conversation from each message on costs.
func (b *Builder) tails(s *state.State, c nebula.Compacted) []int {
	tail := make([]int, len(s.Messages)+1)
	for i := len(s.Messages) - 1; i >= s.Compact.Dropped; i-- {
		m := s.Message(i)
		if i < c.Elided {
			m = elide(m, c.Cap)
		}
		tail[i] = tail[i+1] + b.message(m)
	}
	return tail
}

// drop is the index of the first message that stays when the oldest fall out until the rest costs no more than aim. A
// reply is never parted from its results.
func drop(s *state.State, tail []int, aim, keep int) int {
	first := s.Compact.Dropped
	for at := first + 1; at <= len(s.Messages)-keep; at++ {
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
	for _, m := range s.Messages[:dropped] {
		switch m.Role {
		case nebula.User:
			flush()
			request, _ = state.Cut(m.Text(), requestShown)
		case nebula.Assistant:
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
