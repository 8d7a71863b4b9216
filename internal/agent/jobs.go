package agent

import (
	"errors"

	"nebula"
)

// Jobs are the commands of a session that go on in the background. Told is what the next request says of them, empty where there
// is nothing to say; Do does what the person asks, and answers at once.
type Jobs interface {
	Told(lang string) string
	Do(c nebula.Job, lang string) (string, error)
}

// job does what the person asks about commands in the background.
func (s *Session) job(c nebula.Job) error {
	if s.setup.Jobs == nil {
		return errors.New(s.say(noJobs))
	}
	text, err := s.setup.Jobs.Do(c, s.state.Lang)
	if err != nil || text == "" {
		return err
	}
	did := ""
	switch {
	case c.Detach:
		did = "detach"
	case c.Stop:
		did = "stop"
	}
	return s.record(nebula.Noted{Level: "info", Text: text, Did: did})
}

// jobs is what the next request says of commands in the background.
func (s *Session) jobs() string {
	if s.setup.Jobs == nil {
		return ""
	}
	return s.setup.Jobs.Told(s.state.Lang)
}
