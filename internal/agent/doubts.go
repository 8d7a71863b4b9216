package agent

import (
	"fmt"
	"slices"
	"strings"

	"nebula"
	"nebula/internal/state"
)

// doubts say why the person should be asked before anything changes: what the model itself says of how its actions fit
// the goal and the constraints.
func (s *Session) doubts() (why []nebula.Code) {
	r := s.state.Turn.Reply
	if r == nil || r.Intent.Decision == nil {
		return nil
	}
	if negative(r.Intent.Decision.GoalConsistency) {
		why = append(why, "doubts_goal")
	}
	if negative(r.Intent.Decision.ConstraintCheck) {
		why = append(why, "doubts_constraint")
	}
	return why
}

// advice is what the model is told when vitals are low: what was seen, and what would help. Empty when none is.
func (s *Session) advice() string {
	var told []string
	low, w := s.setup.Thresholds.Low(s.state.Vitals), s.state.Watch
	if slices.Contains(low, state.Confidence) {
		told = append(told, fmt.Sprintf(s.say(lowConfidence), w.Errors))
	}
	if slices.Contains(low, state.Mood) {
		told = append(told, fmt.Sprintf(s.say(lowMood), w.Tests))
	}
	if used := s.spent(); s.setup.Thresholds.Worn(used) {
		told = append(told, fmt.Sprintf(s.say(worn), int(100*used)))
	}
	return strings.Join(told, "\n")
}

// negative reports whether a check that begins with yes or no begins with no: the word alone, or with its reason after
// a mark. "no violations" is none.
func negative(check string) bool {
	check = strings.ToLower(strings.TrimSpace(check))
	for _, no := range []string{"no", "いいえ", "false", "否"} {
		rest, ok := strings.CutPrefix(check, no)
		if ok && (strings.TrimSpace(rest) == "" || strings.ContainsRune(":,.;(（：、。—–-", []rune(strings.TrimLeft(rest, " "))[0])) {
			return true
		}
	}
	return false
}
