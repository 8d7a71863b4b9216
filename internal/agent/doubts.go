package agent

import "strings"

// doubts say why the person should be asked before anything changes: the vitals, and what the model itself says of how
// its actions fit the goal and the constraints.
func (s *Session) doubts() []string {
	why := s.setup.Thresholds.Doubts(s.state.Vitals)
	r := s.state.Turn.Reply
	if r == nil || r.Intent.Decision == nil {
		return why
	}
	if negative(r.Intent.Decision.GoalConsistency) {
		why = append(why, "the model says that it does not fit the goal")
	}
	if negative(r.Intent.Decision.ConstraintCheck) {
		why = append(why, "the model says that it breaks a constraint")
	}
	return why
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
