package terminal

import (
	"testing"
	"testing/synctest"
	"time"
)

// Keys are taken when the question was on the screen for a while, and when the person has rested from typing something else.
func TestKeysPressedTooEarlyAreNotTaken(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var l Lock
		opens := func(after time.Duration) {
			t.Helper()
			time.Sleep(after)
			if l.Open() {
				t.Errorf("open after %s", after)
			}
			if time.Sleep(time.Nanosecond); !l.Open() {
				t.Errorf("not open after more than %s", after)
			}
		}
		if l.Rest(); l.Begun() || l.Open() {
			t.Error("a question that was on no screen takes keys")
		}
		l.Shown(time.Time{})
		opens(Guard)
		l.Shown(time.Now()) // drawn once more
		if !l.Open() {
			t.Error("drawing locks it again")
		}
		l.Rest()
		opens(2 * Guard)
		l = Lock{}
		l.Shown(time.Now())
		opens(2 * Guard)
	})
}
