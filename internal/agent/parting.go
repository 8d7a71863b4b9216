package agent

import (
	"context"
	"fmt"
	"strings"

	"nebula"
)

// parting ends a turn at a bound. The model is asked once more, for its report alone, so that an answer reaches the person
// and not only the name of a limit.
func (s *Session) parting(ctx context.Context, step int, why string, cause nebula.EndCause) ending {
	end := ending{nebula.LimitReached, why, cause}
	if cause == nebula.WentInCircles || cause == nebula.StillFails {
		end.text = fmt.Sprintf(s.say(choices), why)
	}
	if step == 1 { // nothing was done that could be told
		return end
	}
	request := nebula.Message{Role: nebula.User, Parts: nebula.Text(fmt.Sprintf(s.say(lastWord), why))}
	if err := s.record(nebula.Observed{Messages: []nebula.Message{request}}); err != nil {
		return ending{status: nebula.TurnFailed, text: err.Error()}
	}
	replied, err := s.ask(ctx, step-1)
	switch {
	case ctx.Err() != nil:
		return s.failed(ctx, err)
	case err != nil: // the bound is what the person is told then
		return end
	}
	s.turn.refused = nil
	for _, a := range replied.Intent.Actions {
		s.note(nebula.Finished{Result: result(a, nebula.Skipped, s.say(turnOver))})
	}
	if err := s.observe(replied, nil); err != nil {
		return ending{status: nebula.TurnFailed, text: err.Error()}
	}
	if said := strings.TrimSpace(replied.Intent.Say); said != "" {
		end.text = said + "\n" + end.text
	}
	return end
}
