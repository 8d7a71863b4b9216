package state

import (
	"slices"
	"strings"
	"sync"
)

// clauseParts are the places in clauses: name is one, G are some, tests among them; no refuses and yes permits what stands beside it, as だ and い
// do in Japanese, where いい permits what needs no name; still is how it is to stay, rest and 他 are all that is not named, order and 直 are orders.
var clauseParts = sync.OnceValue(func() *strings.Replacer {
	var pairs []string
	for _, r := range rewordings("clauseParts") {
		pairs = append(pairs, r.has, r.of)
	}
	return strings.NewReplacer(pairs...)
})

// frees lets go of what the message before forbade, or one whose files that named, where a sentence permits it without a name.
func (s *State) frees(sentence string, before []string, turn int) {
	m := rewordings("freesIt")[0].expression().FindStringSubmatch(sentence)
	if m == nil || len(namesOf(tokens(strings.Join(before, " ")))) > 0 {
		return
	}
	last := 0
	for _, b := range s.Files() {
		if b.Turn < turn && !b.ruled() {
			last = max(last, b.Turn)
		}
	}
	var names []string
	for _, b := range s.barred {
		if b.Turn == last && b.Act == "" && !b.But && (last+1 == turn || slices.ContainsFunc(b.Paths, func(p string) bool { return s.heard.turn+1 == turn && strings.Contains(s.heard.text, p) })) {
			names = append(names, b.Paths...)
		}
	}
	if one := strings.ToLower(m[2] + m[3]); len(names) > 1 && strings.HasPrefix(one, "it") {
		return
	}
	s.let(leave{names: names}, turn, sentence)
}
