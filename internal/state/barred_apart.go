package state

import (
	"slices"

	"nebula/internal/lazy"
)

// apart adds to what a sentence forbids what its clauses forbid each for itself: where one forbids something, another that begins as
// such a clause does is not to be lost behind it.
func apart(sentence string, bars []Bar) []Bar {
	if len(bars) == 0 && ofAnother(sentence).MatchString(sentence) {
		return nil
	}
	from := 0
	var list []string
	for _, at := range joint().FindAllStringSubmatchIndex(sentence, -1) {
		list = append(list, sentence[from:at[0]])
		from = at[2]
	}
	if from == 0 {
		return bars
	}
	for _, clause := range append(list, sentence[from:]) {
		for _, b := range slices.Concat(barsOf(clause), actsOf(clause)) {
			if !b.But && !slices.ContainsFunc(bars, func(o Bar) bool { return o.Act == b.Act && slices.Equal(o.Paths, b.Paths) }) {
				bars = append(bars, b)
			}
		}
	}
	return bars
}

var joint = lazy.Regexp(`(?i)(?:[,;]\s*(?:and |but |so )?|\s(?:and|but)\s+)((?:please )?(?:(?:don't|do not|dont|never|leave|keep|no(?: git)?|without|avoid)\s|\S+\.\w+ (?:stays?|remains?|must|should|is to)\s))`)

// ofAnother are words of a sentence that forbids only under a condition, or that tells what somebody else says.
var ofAnother = lazy.In(`(?i)\b(?:if|when|whenever|unless|until|while|where|why|how|because|since|says?|said|told|that|which|who)\b|\?\s*$`)
