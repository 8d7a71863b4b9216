package agent

import (
	"context"
	"strings"

	"nebula"
	"nebula/internal/prompt"
)

// learned is a compaction with what the model itself notes of the messages that fall out, where the settings want that. Without
// an answer it is as it was: nothing waits for one.
func (s *Session) learned(ctx context.Context, m nebula.Model, c nebula.Compacted) nebula.Compacted {
	b := s.setup.Prompt
	p, tokens, ok := b.Leaving(s.state, c)
	if !ok {
		return c
	}
	got := await(s, func() received {
		reply, err := nebula.Collect(m.Stream(ctx, p), nil)
		return received{reply, err}
	})
	note := strings.TrimSpace(got.reply.Text())
	if got.err != nil || note == "" || !nebula.Ends(got.reply.Finish) {
		return c
	}
	s.turn.fresh += tokens
	s.estimate(&got.reply, prompt.Report{Total: tokens})
	c = b.Noted(s.state, c, note)
	c.Usage = got.reply.Usage
	c.Usage.Cost = m.Info().Cost(c.Usage)
	return c
}
