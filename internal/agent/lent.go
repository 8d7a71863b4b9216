package agent

import "nebula"

// lent is the tool that does what an action calls by a name that is no tool's here, with the action as that tool takes it; nil for
// none. One whose arguments could not be read does nothing.
func (s *Session) lent(a nebula.Action) (nebula.Tool, nebula.Action) {
	if a.Problem != "" && string(a.Args) == "{}" {
		return nil, a
	}
	for _, t := range s.setup.Tools {
		if c, ok := t.(nebula.Caller); ok {
			if own, does := c.Calls(a); does {
				own.Problem = "" // that there is no such tool
				return t, own
			}
		}
	}
	return nil, a
}
