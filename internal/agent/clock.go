package agent

import "time"

// A clock bounds the time of a turn. It stands still while the person is asked: thinking about an answer is no work.
// The nil clock has no limit.
type clock struct {
	used  time.Duration // before since
	limit time.Duration
	since time.Time // zero while it stands still
	timer *time.Timer
	stop  func()
}

// newClock calls stop when limit is used up.
func newClock(limit time.Duration, stop func()) *clock {
	if limit <= 0 {
		return nil
	}
	return &clock{limit: limit, since: time.Now(), timer: time.AfterFunc(limit, stop), stop: stop}
}

func (c *clock) pause() {
	if c != nil && !c.since.IsZero() {
		c.timer.Stop()
		c.used, c.since = c.spent(), time.Time{}
	}
}

func (c *clock) resume() {
	if c != nil && c.since.IsZero() {
		c.since = time.Now()
		c.timer = time.AfterFunc(c.limit-c.used, c.stop)
	}
}

func (c *clock) end() {
	if c != nil {
		c.timer.Stop()
	}
}

// spent is the time used so far.
func (c *clock) spent() time.Duration {
	switch {
	case c == nil:
		return 0
	case c.since.IsZero():
		return c.used
	}
	return c.used + time.Since(c.since)
}

// share is how much of the limit is used, 0..1.
func (c *clock) share() float64 {
	if c == nil {
		return 0
	}
	return float64(c.spent()) / float64(c.limit)
}
