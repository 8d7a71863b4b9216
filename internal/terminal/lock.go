package terminal

import "time"

// Guard is how long a question must have been there before it takes keys, and half of how long the person must have rested
// from typing something else.
const Guard = 300 * time.Millisecond

// A Lock keeps keys from a question that were pressed before it could be read. Its zero value is of one that was on no screen.
type Lock struct{ until time.Time }

// Shown begins the time after which keys are taken, the first time: the question is on the screen now. typed is when the
// person typed something else last; zero for never.
func (l *Lock) Shown(typed time.Time) {
	if !l.Begun() {
		l.until = time.Now().Add(Guard)
		if rested := typed.Add(2 * Guard); rested.After(l.until) {
			l.until = rested
		}
	}
}

// Rest puts the time off: the person is still typing.
func (l *Lock) Rest() {
	if l.Begun() {
		l.until = time.Now().Add(2 * Guard)
	}
}

// Begun reports whether the question was on the screen.
func (l Lock) Begun() bool { return !l.until.IsZero() }

// Open reports whether keys are taken.
func (l Lock) Open() bool { return l.Begun() && time.Now().After(l.until) }
