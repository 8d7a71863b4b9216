package protocol

import (
	"slices"
	"strings"

	"nebula"
	"nebula/internal/lists"
)

// What is said beside an edit that a provider carries apart from the words: it is meant, and sentences beside it tell of the work.

// refused reports whether the reason of an edit that is called says that it waits or is none.
func (e *ear) refused(reason string) bool {
	return slices.ContainsFunc(e.reasons(reason), func(s *sentence) bool {
		return s.bars() || s.stands(unfit) && len(s.words) > 0 && s.words[0].of("UNDONE")
	})
}

// barred reports whether what is said beside a call that has no consequences beyond what is shown of it says that it waits, or that it is not
// done: a provider carries a call apart from the words, so that it is meant, and sentences beside it tell of the work.
func (e *ear) barred(say string, call []nebula.Action) bool {
	list := e.lastSentences(say)
	if e.plainlyNot(list) {
		return true
	}
	for i, s := range slices.Backward(list) {
		switch {
		case asksOn(list, i):
		case i > 0 && s.hingesOn(list[i-1]):
			return true
		case s.ofTests() && !runs(call[0]), s.japanese && containsAny(s.text, othersJapanese):
		case s.leaves(), s.bars() && (s.showsCall() || !e.describes(list, i)) && s.about(call, len(list) < 3 && len(say) < 80):
			return i == 0 || !s.spares(list[i-1])
		case s.does():
			return slices.ContainsFunc(list[:i], (*sentence).leaves)
		}
	}
	return false
}

// bars reports whether a sentence says in so many words that something is not done, or calls the change it stands beside a thought.
func (s *sentence) bars() bool {
	switch {
	case s.leaves(), s.keepsBack():
		return true
	case s.stands(clears), s.stands(affirms):
		return false
	}
	return s.stands(against) || s.questions() || s.recalls() || s.callsIt() && s.takes() || s.handsOver() && (s.takes() && s.cue != resolve || !s.does() && s.cue >= source)
}

// handsOver reports whether a sentence leads up to the call beside it, or points at what it would be.
func (s *sentence) handsOver() bool {
	return s.opensOnto() || s.japanese && containsAny(s.text, []string{"こう", "次の", "以下", "このよう", "呼び出し"})
}

// opensOnto reports whether a sentence ends as one with a colon does, or could: the syntax is as follows, the issue contains this text.
func (s *sentence) opensOnto() bool {
	n := len(s.words)
	switch {
	case strings.ContainsRune(":：", lastRune(s.text)):
		return true
	case s.japanese:
		return endsWith(strings.TrimRight(s.text, "。"), []string{"次のとおりです", "次の通りです", "以下のとおりです", "以下の通りです"})
	case n < 3:
		return false
	}
	last, prior := s.words[n-1], s.words[n-2]
	third := s.words[max(0, n-3)]
	says := func(w word) bool { return w.is(reporting) || w.kind == reports || lists.Has(holdsText, w.text) }
	return last.text == "follows" && prior.text == "as" || last.text == "below" && (prior.over() || prior.text == "shown") ||
		!s.heard.resolved && (last.is(demonstratives) && says(prior) || last.is(writings|near|topics) && prior.is(demonstratives) && n > 3 && says(third))
}

// holdsText are what a text does with one that it has in it.
var holdsText = []string{"contains", "contained", "carries", "carried", "holds", "held", "includes", "included"}

// showsCall reports whether a sentence leads up to a call, or to a change as such, as an example.
func (s *sentence) showsCall() bool {
	return s.cue == example && s.opensOnto() && slices.ContainsFunc(s.words, func(w word) bool {
		return lists.Has([]string{"call", "command", "action"}, w.text) || lists.Has(changeNames, w.text)
	})
}

// recalls reports whether a sentence takes back what stands beside it as such: forget that, scratch all of it.
func (s *sentence) recalls() bool {
	if s.japanese {
		return s.stands(back) && containsAny(s.text, []string{"取り消", "撤回", "忘れて", "なかったこと", "やめ", "これは", "今の", "上の"})
	}
	words := s.words
	for len(words) > 1 && words[0].is(interjections|fillers) && !words[0].of("UNDO") {
		words = words[1:]
	}
	return s.stands(back) && (anyOf(words, topics) || len(words) > 1 && words[0].of("UNDO") && (words[1].is(pronouns|demonstratives|determiners) || lists.Has([]string{"that", "those", "all", "both", "everything"}, words[1].text)))
}

// ofTests reports whether a sentence is about a run of the tests.
func (s *sentence) ofTests() bool {
	return strings.Contains(s.text, "テスト") && strings.Contains(s.text, "実行") ||
		slices.ContainsFunc(s.words, func(w word) bool { return w.text == "tests" || w.text == "test" }) &&
			slices.ContainsFunc(s.words, func(w word) bool { return lists.Has([]string{"run", "ran", "running", "executed"}, w.text) })
}

// callsIt reports whether a sentence speaks of a change as such, or to its reader.
func (s *sentence) callsIt() bool {
	if s.japanese {
		return containsAny(s.text, changesJapanese)
	}
	for i, w := range s.words {
		if lists.Has(addressed, w.text) || i > 0 && lists.Has(changeNames, w.text) && lists.Has(articles, s.words[i-1].text) {
			return true
		}
	}
	return false
}

// What a change is called as such, behind an article, and who reads of it.
var (
	changeNames     = []string{"change", "edit", "patch", "fix", "diff", "rewrite", "proposal", "suggestion", "correction", "following"}
	articles        = []string{"this", "that", "these", "the", "such"}
	addressed       = []string{"you", "your", "yourself", "me", "us"}
	changesJapanese = []string{"変更", "修正", "編集", "適用", "反映", "採用", "案", "直し", "ご自身", "そちら", "ご意見", "ください", "お願い", "お待ち", "承認", "許可", "でしょうか", "ですか", "ますか"}
)

// keepsBack reports whether a sentence says in so many words that its writer, or its reader, is not to do something.
func (s *sentence) keepsBack() bool {
	return s.stands(plainly) || s.disclaims() && (s.japanese || anyOf(s.words, selves) || len(s.words) > 1 && lists.Has([]string{"do", "don't", "never"}, s.words[0].text) && (s.words[1].kind == works || s.words[1].is(negatives)))
}
