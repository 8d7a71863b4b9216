package agent

import (
	"fmt"
	"strings"

	"nebula"
	"nebula/internal/lists"
	"nebula/internal/state"
)

// doubts say why the person should be asked before anything changes: what the model itself says of how its actions fit
// the goal and the constraints.
//
//go:noinline
func (s *Session) doubts() []nebula.Code {
	if r := s.state.Turn.Reply; r != nil {
		return r.Intent.Decision.Doubts()
	}
	return nil
}

// advice is what the model is told when vitals are low: what was seen, and what would help. Empty when none is.
func (s *Session) advice() string {
	var told []string
	low, w := s.setup.Thresholds.Low(s.state.Vitals), s.state.Watch
	if lists.Has(low, state.Confidence) {
		told = append(told, fmt.Sprintf(s.say(lowConfidence), w.Errors))
	}
	if lists.Has(low, state.Mood) {
		told = append(told, fmt.Sprintf(s.say(lowMood), w.Tests))
	}
	if used := s.spent(); s.setup.Thresholds.Worn(used) {
		told = append(told, fmt.Sprintf(s.say(worn), int(100*used)))
	}
	return strings.Join(told, "\n")
}
