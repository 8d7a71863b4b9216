package chat

import (
	"encoding/hex"
	"hash/fnv"
	"slices"
	"strings"

	"nebula"
	"nebula/internal/lists"
)

// A Shape is what a server's chat template takes of a conversation, where that is less than Chat Completions allow. The
// zero Shape is what every template takes for nothing: the first message is the user's, and no two neighbours have one
// role.
type Shape struct {
	Folded bool // no system role: its text opens the first message
	Inside bool // no user's message behind a tool's result: it goes into the result
	Flat   bool // no tool role: calls and results are text
	Single bool // one call in a message
	IDs    bool // ids of calls are nine letters and digits
	Blank  bool // a message's content is never null
	Masked bool // marks of channels in an assistant's text are taken for the template's own
}

// Thought is the field in which most servers tell what a model thought, and want it back.
const Thought = "reasoning_content"

// lessons are how servers say that their template does not take something, in lower case, and what then is done without
// it; false where it was done already. The first that fits counts.
var lessons = []struct {
	said  []string
	learn func(d *Dialect) bool
}{
	{[]string{"system role not supported", "system role is not supported", "developer instruction is not enabled", "system messages are not supported"},
		func(d *Dialect) bool { return set(&d.Shape.Folded) }},
	{[]string{"tool call ids should be", "length of 9", "with length 9", "length >= 9"},
		func(d *Dialect) bool { return set(&d.Shape.IDs) }},
	{[]string{"single tool-call", "single tool call"},
		func(d *Dialect) bool { return set(&d.Shape.Single) }},
	{[]string{"roles must alternate", "must alternate between user", "unexpected role", "only user and assistant roles", "expected last role"},
		func(d *Dialect) bool { return set(&d.Shape.Inside) || set(&d.Shape.Flat) }},
	{[]string{"no previous assistant message with a tool call", "tool role is not supported"},
		func(d *Dialect) bool { return set(&d.Shape.Flat) }},
	{[]string{"both content and thinking"},
		func(d *Dialect) bool { return unset(&d.Reasoning) }},
	{[]string{"containing <|channel|>"},
		func(d *Dialect) bool { return set(&d.Shape.Masked) }},
	{[]string{Thought + " is missing", "thinking mode must be passed back"},
		func(d *Dialect) bool { d.Reasoning = Thought; return set(&d.Wanted) }},
	{[]string{"nonetype", "undefinedvalue", "nullvalue", "of type 'null'"},
		func(d *Dialect) bool { return set(&d.Shape.Blank) }},
}

//go:noinline
func set(b *bool) bool {
	was := *b
	*b = true
	return !was
}

func unset(s *string) bool {
	was := *s
	*s = ""
	return was != ""
}

// relearn is the dialect after a refusal by a chat template. Such a refusal comes with any status.
func relearn(raw string, sent Dialect) (Dialect, bool) {
	for _, l := range lessons {
		if slices.ContainsFunc(l.said, func(s string) bool { return strings.Contains(raw, s) }) {
			learnt := l.learn(&sent)
			return sent, learnt
		}
	}
	return sent, false
}

// opening stands where a conversation would begin with what the assistant said.
const opening = "(The conversation goes on.)"

// shaped is a prompt as the server takes it. What already is so is not copied.
func (s Shape) shaped(p nebula.Prompt) nebula.Prompt {
	messages := p.Messages
	if s.Flat {
		messages = nebula.Flatten(messages)
	}
	if s.Single {
		messages = oneByOne(messages)
	}
	if len(messages) > 0 && messages[0].Role != nebula.User {
		messages = append([]nebula.Message{{Role: nebula.User, Parts: nebula.Text(opening)}}, messages...)
	}
	messages = joined(visible(messages), s.Inside)
	if s.IDs || s.Masked {
		messages = s.renamed(messages)
	}
	if s.Folded && p.System != "" {
		messages = lists.Clone(messages)
		if len(messages) == 0 {
			messages = []nebula.Message{{Role: nebula.User}}
		}
		messages[0].Parts = messages[0].WithText(paragraphs(p.System, messages[0].Text()))
		p.System = ""
	}
	p.Messages = messages
	return p
}

// visible puts the pictures that results hold behind the results: Chat Completions take them from the user only.
func visible(messages []nebula.Message) []nebula.Message {
	seen := func(m nebula.Message) bool { return m.Role == nebula.ToolRole && m.Has(nebula.ImagePart) }
	if !slices.ContainsFunc(messages, seen) {
		return messages
	}
	var out []nebula.Message
	var held nebula.Parts
	for i, m := range messages {
		if seen(m) {
			held = append(held, nebula.Pictures(m.Images()...)...)
			m.Parts = m.Without(nebula.ImagePart)
		}
		out = append(out, m)
		if last := i+1 == len(messages) || messages[i+1].Role != nebula.ToolRole; last && held != nil {
			out = append(out, nebula.Message{Role: nebula.User, Parts: append(nebula.Text("[shown by the results above]"), held...)})
			held = nil
		}
	}
	return out
}

// oneByOne gives each call of a message with several a message of its own, with its result behind it.
func oneByOne(messages []nebula.Message) []nebula.Message {
	var out []nebula.Message
	for i := 0; i < len(messages); i++ {
		m := messages[i]
		if len(m.Calls()) < 2 {
			out = append(out, m)
			continue
		}
		end := i + 1
		for end < len(messages) && messages[end].Role == nebula.ToolRole {
			end++
		}
		rest := m.Without(nebula.CallPart)
		for _, part := range m.Parts {
			c := part.Call
			if c == nil {
				continue
			}
			one := nebula.Message{Role: nebula.Assistant, Parts: append(rest, part)}
			rest = nil
			out = append(out, one)
			for _, result := range messages[i+1 : end] {
				if result.CallID == c.ID {
					out = append(out, result)
				}
			}
		}
		i = end - 1
	}
	return out
}

// joined makes one message of neighbours of one role: the user's, and the assistant's behind one without calls. With
// inside, what the user says behind a result joins the result.
func joined(messages []nebula.Message, inside bool) []nebula.Message {
	joins := func(a, b nebula.Message) bool {
		switch {
		case a.Role == nebula.ToolRole && b.Role == nebula.User:
			return inside && !b.Has(nebula.ImagePart)
		case a.Role != b.Role || a.Role == nebula.ToolRole:
			return false
		}
		return !a.Has(nebula.CallPart)
	}
	first := -1
	for i := 1; i < len(messages) && first < 0; i++ {
		if joins(messages[i-1], messages[i]) {
			first = i
		}
	}
	if first < 0 {
		return messages
	}
	out := append(make([]nebula.Message, 0, len(messages)), messages[:first]...)
	for _, m := range messages[first:] {
		last := &out[len(out)-1]
		if !joins(*last, m) {
			out = append(out, m)
			continue
		}
		text := m.Text()
		if last.Role == nebula.ToolRole {
			text = "[said after this result]\n" + text
		}
		said := nebula.PartsOf(paragraphs(last.Reasoning(), m.Reasoning()), paragraphs(last.Text(), text))
		last.Parts = lists.Concat(said, last.Without(nebula.ReasoningPart, nebula.TextPart), m.Without(nebula.ReasoningPart, nebula.TextPart))
	}
	return out
}

//go:noinline
func paragraphs(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return strings.TrimRight(a, "\n") + "\n\n" + b
}

// channels takes the marks of channels for text.
var channels = strings.NewReplacer("<|channel|>", "<channel>", "<|message|>", "<message>")

// renamed gives calls the ids that the template takes, and takes marks of its own out of texts.
func (s Shape) renamed(messages []nebula.Message) []nebula.Message {
	out := lists.Clone(messages)
	for i := range out {
		m := &out[i]
		if s.Masked && m.Role == nebula.Assistant {
			m.Parts = m.WithText(channels.Replace(m.Text()))
		}
		if !s.IDs {
			continue
		}
		if m.CallID != "" {
			m.CallID = nine(m.CallID)
		}
		m.Parts = m.EachCall(func(_ int, c nebula.Call) nebula.Call {
			c.ID = nine(c.ID)
			return c
		})
	}
	return out
}

// nine is an id in nine letters and digits, the same for the same id.
func nine(id string) string {
	plain := func(r rune) bool { return r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' }
	if len(id) == 9 && strings.IndexFunc(id, func(r rune) bool { return !plain(r) }) < 0 {
		return id
	}
	h := fnv.New64a()
	_, _ = h.Write([]byte(id)) // never fails
	return hex.EncodeToString(h.Sum(nil))[:9]
}
