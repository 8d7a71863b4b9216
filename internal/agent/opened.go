package agent

import "nebula"

// Opened is the Seq of the event that stands at the head of this opening: what comes after it is new.
func (s *Session) Opened() int64 {
	s.journal.mu.Lock()
	defer s.journal.mu.Unlock()
	for i := len(s.journal.entries) - 1; i >= 0; i-- {
		if e := s.journal.entries[i].event; e.Body.Name() == (nebula.Started{}).Name() {
			return e.Seq
		}
	}
	return 0
}
