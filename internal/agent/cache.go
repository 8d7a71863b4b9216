package agent

import (
	"time"

	"nebula"
	"nebula/internal/prompt"
)

// A provider keeps what it read for at least so long, and keeps nothing that is shorter, in tokens.
const (
	cacheKeeps = 5 * time.Minute
	cacheLeast = 4096
)

// A last is the request before: what its provider can have kept of it.
type last struct {
	model string
	at    time.Time
	input int
	short int // how often the conversation had been shortened
}

// missed is what the provider's cache should have had of a request and had not; nil where it had most of it, or where none
// could be expected. The usage is what the provider told: of one that tells none nothing is known. The requests are compared only
// where the cache had too little, as that takes the longer the more was said.
func (s *Session) missed(before, now nebula.Prompt, m nebula.ModelInfo, u nebula.Usage) *nebula.Missed {
	was := s.last
	s.last = last{m.Server + " " + m.Name, s.setup.Now(), u.Input, s.state.Shortened}
	if was.model != s.last.model || was.short != s.last.short || was.input < cacheLeast || m.CachedUSD <= 0 || s.last.at.Sub(was.at) > cacheKeeps {
		return nil
	}
	if u.Input == 0 || u.Cached*4 >= was.input {
		return nil
	}
	d := prompt.DriftOf(before, now)
	expected := was.input
	lost := d.Share() < 0.5
	if !lost {
		expected = int(float64(was.input) * d.Share())
	}
	if u.Cached*4 >= expected {
		return nil
	}
	if !lost {
		return &nebula.Missed{Tokens: expected - u.Cached}
	}
	return &nebula.Missed{Tokens: expected - u.Cached, Part: d.Part, At: d.At, Was: d.Was, Is: d.Is}
}
