package protocol

import (
	"slices"
	"strings"

	"nebula"
	"nebula/internal/lists"
)

// What an action or the document around it says of whether it is to be done now.

// withheld reports whether a call's own fields put it off: a status that is not to come, a flag against it.
func withheld(fields []field) bool {
	return slices.ContainsFunc(fields, func(f field) bool { return putsOff(f.folded, f.value, comes[:len(comes)-2]) })
}

// pends reports whether a field says that somebody's leave is wanted: that it is needed (requires_approval: true), that it is not there
// (approved: false), or where things stand (status: waiting for user). name and value are folded.
func pends(name, value string) bool {
	value = fold(value)
	no := lists.Has([]string{"", "false", "no", "none", "null", "0", "{}", "[]", "notneeded", "notrequired"}, value)
	given := containsAny(name, leaveStems)
	off := putOff[name]
	switch {
	case off == "true":
		return lists.Has([]string{"true", "yes", "1", "on", "user"}, value)
	case off == "false":
		return lists.Has([]string{"false", "no", "0", "off"}, value)
	case lists.Has([]string{"blockedby", "waitfor", "waitsfor", "waitingfor"}, name), strings.HasPrefix(name, "await"):
		return !no
	case given && containsAny(name, wantStems):
		return !no
	case given && !lists.Has([]string{"confirm", "confirmation"}, name):
		return no && value != "" && value != "none" && value != "null" || containsAny(value, wantStems) && !strings.HasPrefix(value, "not")
	}
	if lists.Has([]string{"status", "state", "decision", "mode", "phase"}, name) && lists.Has(undecided, value) {
		return true
	}
	return lists.Has([]string{"status", "state", "decision", "nextstep", "next", "phase", "mode", "step"}, name) &&
		(containsAny(value, leaveStems) && containsAny(value, wantStems) || containsAny(value, []string{"askuser", "askfirst", "askthe", "waitforuser", "waituser", "waitingforuser", "awaituser", "awaitinguser", "pendinguser"}))
}

var (
	leaveStems = []string{"approv", "confirm", "permission", "consent", "signoff", "authoriz", "authoris", "userinput", "humaninput", "userreview", "humanreview"}
	// grantWords are values that say that leave was given, undecided those of a status that say that nothing is settled.
	grantWords = []string{"true", "yes", "1", "granted", "given", "approved", "confirmed", "ok", "done"}
	undecided  = []string{"proposed", "proposal", "draft", "suggest", "suggested", "suggestion", "ask", "preview", "dryrun", "onhold", "hold", "waiting", "awaiting", "blocked"}
	wantStems  = []string{"requir", "need", "await", "wait", "pending", "ask", "request", "must"}
)

// Withhold marks the actions of a document whose own words stand against them: it is to go on later, it asks whether to
// do them, or it says of what an action is about that it is not done.
func Withhold(actions []nebula.Action, say, next string) {
	e := newEar(actions...)
	denying, row := e.denying(say), lineupEach(actions)
	later, asked := fold(strings.TrimSpace(next)) == "defer", e.disowned(say, actions)
	if !later && !asked && len(denying) == 0 {
		return
	}
	for i := range actions {
		a := &actions[i]
		about := reportAction(*a).Path
		denied := func(s *sentence) bool { return about != "" && strings.Contains(s.text, about) }
		if later || asked && (len(actions) == 1 || e.disowned(e.without(say, row, i), actions)) || slices.ContainsFunc(denying, denied) {
			Need(a, "place_words")
		}
	}
}

// denying are the sentences of a text that say of something that it is not done.
func (e *ear) denying(say string) []*sentence {
	return lists.Drop(e.sentences(say), func(s *sentence) bool { return !s.denies() })
}

// denies reports whether a sentence says of what it names that it is not done.
func (s *sentence) denies() bool {
	if s.does() && !s.heard.directed || s.stands(affirms) || s.offered && leftFiles.In(s.text) {
		return false // not sure why it failed, so I delete it
	}
	return anyOf(s.words, denials) && (anyOf(s.words, selves) || strings.HasPrefix(strings.ToLower(s.text), "do not") || s.words[0].is(denials)) || deniesDeed(s.text)
}

// deniesDeed reports whether a Japanese sentence says of something that could be done that it is not.
func deniesDeed(text string) bool {
	text = strings.TrimRight(text, "。")
	return slices.ContainsFunc(deedStems, func(stem string) bool {
		_, rest, of := strings.Cut(text, stem)
		return of && ((rest == "ません" || rest == "ませんでした") || rest == "ない" || strings.HasPrefix(rest, "ないこと") || strings.HasPrefix(rest, "ないで") || strings.HasPrefix(rest, "ずに") || strings.HasPrefix(rest, "まい"))
	})
}

// deedStems are what stands before a Japanese negation where it is a deed that is denied.
var deedStems = []string{"書き込み", "書き込ん", "削除し", "変更し", "実行し", "編集し", "修正し", "作成し", "上書きし", "更新し", "移動し", "消去し", "追加し", "操作し", "適用し", "反映し", "採用し", "実施し", "削除は", "変更は", "実行は", "何も", "消し", "動かし", "流し", "触り", "触れ", "手を付け", "手をつけ", "始め", "進め", "打ち", "移し", "直し", "書き換え", "使い", "やり", "行い", "捨て", "走らせ", "入れ", "消さ", "動かさ", "流さ", "触ら", "打た", "移さ", "直さ", "使わ", "やら", "行わ"}
