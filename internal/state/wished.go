package state

import (
	"strconv"

	"nebula"
	"nebula/internal/lazy"
)

// wished reports whether something ran again because the person asked for that: to come to the same is what it is run for.
func (w *Watch) wished(a nebula.Action, r nebula.Result) bool {
	if w.asked == 0 || r.Tests == nil && (r.Exit == nil || !Runs(target(a, nebula.Result{}))) {
		return false
	}
	mark, _ := trace(a, r)
	if !w.known[mark] {
		return false
	}
	w.asked--
	return true
}

// Where a message asks that something runs again and again, as often as it says: a number, or words for many.
const someTimes, mostTimes = 20, 200

var manyTimes = &lazy.Pattern{X: `(?i)(\d+)(?: more)?(?: ?(?:times\b|x\b|runs\b|回|度|次|遍)|-times\b)|\b(?:two|three|four|five|six|seven|eight|nine|ten|twenty|fifty|hundred|several|many|multiple|few|some) (?:more )?(?:times|runs)\b|` +
	`\brepeat\w*|\b(?:over and over|again and again|in a loop|until (?:it|one|something) fails)\b|\bflak\w+|\bintermittent\w*|何(?:度|回)|数回|複数回|繰り返|不安定|フレーキー|多次|反复|几次`}

// timesAsked is how often a message asks that something runs; 0 for once.
func timesAsked(text string) int {
	m := manyTimes.For(text).FindStringSubmatch(text)
	if m == nil {
		return 0
	}
	if n, err := strconv.Atoi(m[1]); err == nil {
		return min(n, mostTimes)
	}
	return someTimes
}
