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
	denying := slices.DeleteFunc(slices.Clone(list), func(s *sentence) bool { return !s.denies() })
	asked := fold(strings.TrimSpace(next)) == "defer" || slices.ContainsFunc(list, (*sentence).questions) || slices.ContainsFunc(list, (*sentence).forbears)
	if !asked && len(denying) == 0 {
		return
	}
	for i := range actions {
		a := &actions[i]
		about := reportAction(*a).Path
		denied := func(s *sentence) bool { return about != "" && strings.Contains(s.text, about) }
		if asked || slices.ContainsFunc(denying, denied) {
			Need(a, "place_words")
		}
	}
}

// denies reports whether a sentence says of what it names that it is not done.
func (s *sentence) denies() bool {
	return anyOf(s.words, denials) && (anyOf(s.words, selves) || strings.HasPrefix(strings.ToLower(s.text), "do not") || s.words[0].is(denials)) || deniesDeed(s.text)
}

// deniesDeed reports whether a Japanese sentence says of something that could be done to a file that it is not.
func deniesDeed(text string) bool {
	for _, end := range denialsJapanese {
		if before, _, ok := strings.Cut(text, end); ok && slices.ContainsFunc(deedNouns, func(deed string) bool {
			return strings.HasSuffix(strings.TrimRight(before, "はもを"), deed)
		}) {
			return true
		}
	}
	return false
}

// How a Japanese sentence ends that denies, and what stands before that where it is a deed.
var (
	denialsJapanese = []string{"しません", "しない", "しておりません", "できません"}
	deedNouns       = []string{"削除", "変更", "実行", "編集", "修正", "作成", "上書き", "更新", "移動", "消去", "追加", "何も", "操作", "書き換え"}
)
