package agent

import (
	"errors"

	"nebula"
	"nebula/internal/phrase"
)

// Jobs are the commands of a session that go on in the background. Told is what the next request says of them, empty where there
// is nothing to say; Do does what the person asks, and answers at once.
type Jobs interface {
	Told(lang string) string
	Do(c nebula.Job) (nebula.Words, error)
}

// job does what the person asks about commands in the background.
func (s *Session) job(c nebula.Job) error {
	if s.setup.Jobs == nil {
		return errors.New(s.say(noJobs))
	}
	said, err := s.setup.Jobs.Do(c)
	if err != nil || said.Format == "" {
		return err
	}
	did := ""
	switch {
	case c.Detach:
		did = "detach"
	case c.Stop:
		did = "stop"
	}
	n := s.noted("info", phrase.Said(said))
	n.Did = did
	return s.record(n)
}

// jobs is what the next request says of commands in the background.
//
//go:noinline
func (s *Session) jobs() string {
	if s.setup.Jobs == nil {
		return ""
	}
	return s.setup.Jobs.Told(s.state.Lang)
}
