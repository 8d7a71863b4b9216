package protocol

import (
	"encoding/json"
	"slices"
	"strings"

	"nebula"
)

// What an action or the document around it says of whether it is to be done now.

// withheld reports whether a call's own fields put it off: a status that is not to come, a flag against it.
func withheld(fields map[string]json.RawMessage) bool {
	for key, value := range fields {
		if putsOff(fold(key), value, comes[:2]) {
			return true
		}
	}
	return false
}

// Withhold marks the actions of a document whose own words stand against them: it is to go on later, it asks whether to
// do them, or it says of what an action is about that it is not done.
func Withhold(actions []nebula.Action, say, next string) {
	list := ear{}.sentences(say)
	asked := fold(strings.TrimSpace(next)) == "defer" || slices.ContainsFunc(list, (*sentence).questions)
	for i := range actions {
		a := &actions[i]
		about := reportAction(*a).Path
		denied := func(s *sentence) bool {
			return about != "" && strings.Contains(s.text, about) && (anyOf(s.words, denials) || containsAny(s.text, denialsJapanese))
		}
		if asked || slices.ContainsFunc(list, denied) || slices.ContainsFunc(list, (*sentence).forbears) {
			Need(a, "place_words")
		}
	}
}

var denialsJapanese = []string{"しません", "しない", "しておりません", "できません"}
