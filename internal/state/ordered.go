package state

import (
	"slices"

	"nebula/internal/lazy"
	"nebula/internal/lists"
)

var (
	// whenDone is when what is asked for is over, which is no condition.
	whenDone = &lazy.Pattern{X: `(?i)\s*,?\s*\b(?:when|once|after|as soon as) (?:you(?:'re| are) |it(?:'s| is) |(?:all|everything|that)(?:'s| is) )?(?:done|finished|ready|complete)\b|\s*,?\s*\b(?:when|once|after|as soon as) (?:all )?(?:the )?tests (?:pass|succeed|are green)\b|(?:全部|すべて|作業が)?(?:終わっ|済ん|完了し|でき|出来)た[らあ][、,]?|(?:終わっ|済ん|完了し|でき|出来)だら[、,]?`}
	// commitOrder is an order to commit what was done, and nothing that some program is to commit.
	commitOrder = &lazy.Pattern{X: `(?i)(?:^\W*(?:\d+[.)]\s*)?|[,;:]|\band|\bthen|\bplease)\s*(?:(?:ok|okay|and|then|please|now|finally|also|go ahead and) +)*commit(?: (?:it|this|that|them|everything|all|(?:all )?(?:the|my|your|these|those) (?:changes?|fix(?:es)?|work|results?|files?|edits?)(?: of \w+)?))?(?: (?:to git|locally|now|please|too|as well|at the end|afterwards|with (?:the |a )?(?:\w+ )?message\b.*|as ["'“\x60].*))*[\s.!]*$|コミット(?:も|まで|を)?(?:して(?:ください|下さい|おいて(?:ください|下さい)?)?|お願いします)[\s。！!]*$`}
	// spared is what is to be left alone beside the order.
	spared = &lazy.Pattern{X: `(?i)(?:[,;]|(?:[,;]? +)\(?)(?: *(?:but|and|please) +)* *(?:(?:(?:don't|do not|dont|never) +|without )(?:touch|chang|edit|modify|alter|push)(?:e|ing)?|no push(?:es|ing)?)\b[^;!?]*$|[、,。（(]?(?:ただし|でも)?、?(?:プッシュ|push)(?:は|も)?(?:なし|不要|しな|せず|まだ)[^。]*$`}
	// ofPrograms are words of sentences in which something else than the model is to commit.
	ofPrograms = &lazy.Pattern{X: `(?i)\b(?:should|must|to|that|which|where|whether|makes?|lets?|have|has|can|cannot|can't|could|does|doesn't|transactions?|database|db|sessions?|cursor|sql|rows?)\b|データベース|トランザクション|セッション|DB`}
)

// ordersCommit reports whether a message orders in so many words that what is done is committed: unlike what only lets go of a bar, that
// stands for the person's yes, and nothing that could be meant otherwise is one.
func ordersCommit(text string) bool {
	if len(text) > document || !mentions(text, []string{"commit", "コミット"}) {
		return false
	}
	return slices.ContainsFunc(said(joined(withoutPastes(withoutQuotes(text)))), func(sentence string) bool {
		if slices.ContainsFunc(actsOf(sentence), func(b Bar) bool { return b.Act != "push" }) {
			return false
		}
		sentence = spared.For(sentence).ReplaceAllString(whenDone.For(sentence).ReplaceAllString(sentence, ""), "")
		order := commitOrder.For(sentence).FindStringIndex(sentence)
		if order == nil || ofPrograms.In(sentence[:order[0]]) {
			return false
		}
		names, _ := allowed(sentence)
		return lists.Has(names, "commit")
	})
}
