package state

import (
	"slices"
	"strings"

	"nebula/internal/lazy"
	"nebula/internal/lists"
)

// ForbiddenAct is the sentence of the person's that forbids an act that a command does by some words; empty for none.
func (s *State) ForbiddenAct(name, by string) string {
	words := strings.Fields(strings.ToLower(by))
	for _, b := range slices.Backward(s.bars()) {
		if b.Act != name || b.spares(words) || b.OnceIn == s.Turn.Number || name == Run && (len(words) == 0 || b.Of != anything && words[0] != b.Of && !(b.ruled() && words[0] == "?") && unnumbered(words[0]) != b.Of && !called(words[0], b.Of) && !begins(words, b.Of) && !(b.ruled() && optioned(words, b.Of)) && !(b.ruled() && strings.Contains(b.Of, "*") && comesTo(b.Of, words))) {
			continue
		}
		if name == Run || b.Of == "" || len(words) <= 3 || slices.ContainsFunc(strings.Fields(b.Of), func(branch string) bool {
			return slices.ContainsFunc(words[2:], func(w string) bool {
				return w == branch || strings.HasSuffix(w, ":"+branch) || strings.HasSuffix(w, "/"+branch)
			})
		}) {
			return b.Words
		}
	}
	return ""
}

// spares reports whether the person ordered the act for each file that it is done to: a path, or the words of a command.
func (b Bar) spares(words []string) bool {
	of := lists.Drop(lists.Clone(words[min(1, max(0, len(words)-1)):]), func(w string) bool { return strings.HasPrefix(w, "-") || w == "rm" || w == "mv" })
	return len(of) > 0 && !slices.ContainsFunc(of, func(w string) bool {
		return !slices.ContainsFunc(b.Except, func(n string) bool { return called(n, w) })
	})
}

// unnumbered is a program without its version.
//
//go:noinline
func unnumbered(program string) string { return strings.TrimRight(program, "0123456789.") }

// anything stands for every program.
const anything = "*"

// allow lets go of acts that a sentence orders or permits. An order holds for its turn, where what it goes against was not for now only; a
// permission holds on.
func (s *State) allow(sentence string, turn int, but []Bar) {
	names, lasting := allowed(sentence)
	if m := addsTo.For(sentence).FindStringSubmatch(sentence); m != nil && !asksOnly.In(sentence) && slices.ContainsFunc(manifests, func(row manifest) bool {
		return slices.ContainsFunc(strings.Fields(row.files), func(p string) bool { return called(p, m[1]) })
	}) {
		names = append(names, "dependency")
	}
	programs, holdsOn := allowedRuns(sentence)
	lasting = lasting || holdsOn
	if len(names)+len(programs) == 0 {
		return
	}
	var left []Bar
	for _, b := range s.barred {
		if (b.Act == Run && (b.Of == anything || lists.Has(programs, b.Of)) || b.Act != Run && b.Act != "" && lists.Has(names, b.Act)) && !slices.ContainsFunc(but, func(o Bar) bool { return o.Act == b.Act }) {
			if lasting || forNow.In(b.Words) {
				continue
			}
			b.OnceIn = turn
		}
		left = append(left, b)
	}
	s.barred = left
}

// addsTo is an order to add one thing by its name to a file: where that says what a project depends on, it is a dependency.
var addsTo = &lazy.Pattern{X: `(?i)^\W*(?:(?:ok(?:ay)?|yes|please|now|fine|then|sure|and|you may|you can|go ahead and)\W+)*(?:add|put) [\w@/.~^=<>\[\]-]+ (?:to|in|into) (?:the )?\x60?([\w./-]*\w)`}

// allowedRuns are the programs that a sentence orders or permits to run, and whether that holds on.
func allowedRuns(sentence string) (names []string, lasting bool) {
	list := tokens(sentence)
	if !speaksOfActs(sentence) || asksOnly.In(sentence) && !asksTo.In(sentence) || list[0].is(looking) || waits(list) || relayed(list) {
		return nil, false
	}
	for i := range list {
		if name := started(list, i); name != "" && !denied(list, i) && (i == 0 || list[i-1].stop() || list[i-1].is(actLeads+" to ")) {
			names = append(names, name)
			lasting = lasting || slices.ContainsFunc(list[begin(list, i):i], func(t token) bool { return t.is(actAllows) }) && !onceOnly.In(sentence) && !asksTo.In(sentence)
		}
	}
	return names, lasting
}

// allowed are the acts that a sentence orders or permits, and whether it is a permission that holds on.
func allowed(sentence string) (names []string, lasting bool) {
	if !speaksOfActs(sentence) || asksOnly.In(sentence) && !asksTo.In(sentence) {
		return nil, false
	}
	if !waitsJapanese.In(sentence) {
		names = japaneseActs(sentence, allowsActs, false)
		lasting = permitsJapanese.In(sentence)
	}
	list := tokens(joinedWords(sentence))
	if len(list) == 0 || list[0].is(looking) || waits(list) || relayed(list) {
		return withLifts(names), lasting
	}
	for i := range list {
		name, next := actAt(list, i)
		said := list[begin(list, i):i]
		retracted := slices.ContainsFunc(said, func(t token) bool { return t.is(retracts) })
		switch {
		case name == "" || denied(list, i) || next < len(list) && list[next].is(actOthers) && !list[next-1].stop():
			continue
		case retracted:
		case i > 1 && list[i-1].low == "to" && list[i-2].is(" you free allowed ok okay fine ahead welcome "):
		case i > 0 && !list[i-1].stop() && !list[i-1].is(actLeads):
			continue
		}
		names = append(names, name)
		lasting = lasting || retracted || slices.ContainsFunc(said, func(t token) bool { return t.is(actAllows) }) && !onceOnly.In(sentence) && !asksTo.In(sentence)
	}
	return withLifts(names), lasting
}

// withLifts are acts with those that have to be allowed for them.
func withLifts(names []string) []string {
	for _, a := range acts {
		if lists.Has(names, a.name) {
			names = append(names, strings.Fields(a.lifts)...)
		}
	}
	return names
}

var (
	asksTo          = &lazy.Pattern{X: `(?i)^\W*(?:please )?(?:can|could|would|will) you\b|(?:してくれますか|してもらえますか|いただけますか)`}
	forNow          = &lazy.Pattern{X: `(?i)\b(?:yet|for now|until|till|before|right now|now)\b|まだ|今は|しばらく|前に`}
	permitsJapanese = &lazy.Pattern{X: `(?:いい|よい|良い|構わ|かまわ)[^。]{0,4}(?:です|ない|ません|。|$)|許可します`}
)
