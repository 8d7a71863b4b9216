package prompt

import (
	"fmt"

	"nebula"
	"nebula/internal/phrase"
	"nebula/internal/state"
)

// Leaving asks for what is worth knowing of the messages that a compaction lets fall out, in so many words as Limits.Summary has
// tokens for; ok is false where nothing is asked for.
func (b *Builder) Leaving(s *state.State, c nebula.Compacted) (p nebula.Prompt, tokens int, ok bool) {
	if b.Limits.Summary <= 0 || c.Dropped <= s.Compact.Dropped {
		return p, 0, false
	}
	words := b.wording(s, c.Words)
	messages := b.opening(s, s.Compact, words)
	for i := s.Compact.Dropped; i < c.Dropped; i++ {
		messages = append(messages, b.seen(s, c, words, i))
	}
	ask := phrase.In(s.Lang, "[from nebula] What stands above will leave your sight; the person's own words stay, word for word. Note now, in at most %d words, what you need to go on, under these headings: Goal, Constraints, Decided and why, Done, Open, Where things are. Only what stands above; names of files, functions and tests to the letter. Answer with the note alone.")
	messages = append(nebula.Flatten(messages), nebula.Message{Role: nebula.User, Parts: nebula.Text(fmt.Sprintf(ask, b.Limits.Summary*2/3))})
	p = nebula.Prompt{System: b.Base(s.Lang), Messages: messages, CacheKey: s.Session}
	tokens = b.count(p.System)
	for _, m := range p.Messages {
		tokens += b.message(m)
	}
	return p, tokens, true
}

// Noted is a compaction with what the model noted of what falls out, cut to what it may take.
func (b *Builder) Noted(s *state.State, c nebula.Compacted, note string) nebula.Compacted {
	c.Learned = b.fit(note+"\n", b.Limits.Summary)
	c.After = b.cost(s, c, b.wording(s, c.Words))
	return c
}
