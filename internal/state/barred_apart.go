package state

import (
	"slices"

	"nebula/internal/lazy"
	"nebula/internal/lists"
)

// apart adds to what a sentence forbids what its clauses forbid each for itself: where one forbids something, another that begins as
// such a clause does is not to be lost behind it.
func apart(sentence string, bars []Bar) []Bar {
	if len(bars) == 0 && ofAnother.In(sentence) {
		return nil
	}
	from := 0
	var list []string
	for _, at := range joint.For(sentence).FindAllStringSubmatchIndex(sentence, -1) {
		list = append(list, sentence[from:at[0]])
		from = at[2]
	}
	if from == 0 {
		return bars
	}
	for _, clause := range append(list, sentence[from:]) {
		for _, b := range lists.Concat(barsOf(clause), actsOf(clause)) {
			if !b.But && !slices.ContainsFunc(bars, func(o Bar) bool { return o.Act == b.Act && lists.Equal(o.Paths, b.Paths) }) {
				bars = append(bars, b)
			}
		}
	}
	return bars
}

var joint = &lazy.Pattern{X: `(?i)(?:[,;]\s*(?:and |but |so )?|\s(?:and|but)\s+)((?:please )?(?:(?:don't|do not|dont|never|leave|keep|no(?: git)?|without|avoid)\s|\S+\.\w+ (?:stays?|remains?|must|should|is to)\s))`}

// ofAnother are words of a sentence that forbids only under a condition, or that tells what somebody else says.
var ofAnother = &lazy.Pattern{X: `(?i)\b(?:if|when|whenever|unless|until|while|where|why|how|because|since|says?|said|told|that|which|who)\b|\?\s*$`}

// excepted reads what an order leaves out: bump everything except a.go; fix the tests, but not in a.go.
func excepted(list []token, i int) (b Bar, ok bool) {
	out := list[i].is(" except excepting excluding besides apart aside barring ") || list[i].is(" but save bar minus other ") && i+1 < len(list) && !list[i+1].is(refusals) && (i > 0 && list[i-1].is(wholly) || i > 1 && list[i-2].is(" every each "))
	out = out || list[i].low == "exception" && i > 1 && list[i-1].low == "the" && list[i-2].low == "with"
	out = out || list[i].low == "not" && i > 0 && (list[i-1].stop() || list[i-1].low == "but")
	if !out {
		return b, false
	}
	for n, t := range list[:i] {
		switch {
		case t.is(refusals+" only nothing no ") && !(t.low == "not" && n == i):
			return b, false
		case t.is(changing):
			ok = true
		}
	}
	all := i > 0 && list[i-1].is(wholly)
	if ok = ok || all && slices.ContainsFunc(list[i:], func(t token) bool { return t.is(" may can ") }) && slices.ContainsFunc(list[i:], func(t token) bool { return t.is(changing + barDone) }); !ok {
		return b, false
	}
	at := i + 1
	for at < len(list) && list[at].is(" from for of than ") {
		at++
	}
	return objectOf(list[at:])
}

// mine reads what the person does themselves: a.go I handle myself.
func mine(list []token, i int) (b Bar, ok bool) {
	if !list[i].is(" myself mine ") || slices.ContainsFunc(list[begin(list, i):i], func(t token) bool { return t.is(reasons + refusals) }) {
		return b, false
	}
	b.Paths = subject(list, i)
	return b, len(b.Paths) > 0 && (list[i].low == "mine" || slices.ContainsFunc(list[:i], func(t token) bool { return t.is(" i i'll i'm we we'll ") }))
}
