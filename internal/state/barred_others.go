package state

import "strings"

// ofOthers reports whether what is refused is told of somebody else, or of what comes if it is not done: I cannot change a.go; users must
// not change a.go; if you don't change a.go, it breaks.
func ofOthers(list []token, i int) bool {
	if !list[i].is(" never don't dont not cannot can't mustn't shouldn't mustnt ") {
		return false
	}
	n := i - 1
	for n >= 0 && list[n].is(auxiliaries) && !list[n].stop() {
		n--
	}
	if n < 0 || list[n].stop() {
		return false
	}
	who, before := list[n], token{}
	if n > 0 && !list[n-1].stop() {
		before = list[n-1]
	}
	if before.is(" if when whenever whether once unless ") && who.is(" you we i they it he she nebula ") {
		return true
	}
	first := before.low == "" || before.is(" and but so because since as that while where when note ")
	switch {
	case who.path() != "" || !first || who.is(" you we nebula "+addressed):
		return false
	case who.low == "i":
		return i+1 < len(list) && !list[i+1].is(" want wish like allow permit ")
	case list[i].is(" cannot can't ") || who.is(" they he she people everyone everybody somebody someone "):
		return true
	}
	return strings.HasSuffix(who.low, "s")
}

// conditional reports whether words begin with a condition.
//
//go:noinline
func conditional(list []token) bool { return len(list) > 0 && list[0].is(depending) }

// meant are the paths that a word stands for: it the last one before, them all.
func meant(list []token, i int) (names []string, ok bool) {
	if i >= len(list) || !list[i].is(" it that them these those ") {
		return nil, false
	}
	names = namesOf(list[:i])
	if len(names) > 1 && list[i].is(" it that ") {
		names = names[len(names)-1:]
	}
	return names, len(names) > 0
}

// tellers reports whether words are those that something is called by of which is told what it does: the tests do.
func tellers(list []token) bool {
	if n := len(list); n > 0 && list[n-1].low == "do" {
		list = list[:n-1]
	}
	n := len(list)
	return n > 1 && !list[n-1].stop() && strings.HasSuffix(list[n-1].low, "s") && !list[n-1].is(" always please thanks guys folks pls this is was does yes ") && list[begin(list, n-1)].is(subjects) && begin(list, n-1) >= n-3
}
