package protocol

import (
	"slices"
	"strings"
	"unicode/utf8"

	"nebula/internal/lazy"
	"nebula/internal/lists"
)

// Whether a sentence says that what stands beside it waits: for somebody's leave, or for another time. What says so is composed of few
// dimensions, each a list of words: leave, who gives it, what makes it a condition, what says that it was given.

// waits reports whether a sentence says that what it is about is done when somebody has agreed, or at another time.
//
//go:noinline
func (s *sentence) waits() bool {
	if s.awaits == nil {
		is := s.awaited()
		s.awaits = &is
	}
	return *s.awaits
}

func (s *sentence) awaited() bool {
	switch {
	case s.offered:
		return false
	case s.stands(asked):
		return true
	case s.japanese:
		return bidsJapanese(s.text) || waitsJapanese(s.plain)
	case s.bids(), len(s.words) > 0 && (s.turnsTo() || s.conditioned()):
		return true
	case s.stands(affirms), len(s.words) > 0 && s.words[0].deed() && !s.heard.pending: // add a prompt so that the user must confirm
		return false
	}
	waiting := false
	for i, w := range s.words {
		waiting = waiting || s.hangsOn(i)
		if !w.of("LEAVE") && !w.of("WORD") && !w.of("AGREES") || i+1 < len(s.words) && !w.stop && lists.Has(granting, s.words[i+1].text) {
			continue
		}
		switch s.leaveAt(i) {
		case granted:
			return false
		case wanting:
			waiting = true
		}
	}
	return waiting
}

// hangsOn reports whether the word at i makes of what somebody else has or does a condition: once Kim has looked at it, I need your stamp.
func (s *sentence) hangsOn(i int) bool {
	words, w := s.words, s.words[i]
	behind := words[i+1 : min(i+6, len(words))]
	who := slices.IndexFunc(behind, func(w word) bool { return w.of("PARTY") || w.is(persons) })
	switch {
	case who < 0, in(words, "SINCE") && !w.of("SOON") && !in(words, "SOON"), anyOf(words[:i], negatives), i > 0 && words[i-1].kind == reports:
		return false
	case w.of("STRICT"):
		return true
	case w.of("ONCE"): // when Kim has, when you are happy
		rest := behind[who:]
		if behind[0].is(readers) && slices.ContainsFunc(rest, func(w word) bool { return lists.Has(content, w.text) }) && anyOf(words[:i], selves) {
			return true
		}
		return slices.ContainsFunc(rest, func(w word) bool { return lists.Has(having, w.text) }) && slices.ContainsFunc(rest, word.over)
	}
	owned := behind[who].text == "your" || behind[who].is(possessives) || who > 0 && behind[who-1].text == "of"
	return owned && (w.of("NEEDS") || w.text == "without") && anyOf(words, selves|topics|demonstratives)
}

// conditioned reports whether a sentence ends with a clause that makes a condition of what others have to do: ..., when all branches are merged.
func (s *sentence) conditioned() bool {
	i := lastClause(s.words)
	if i == 0 || i+3 >= len(s.words) || !lists.Has([]string{"when", "once", "until", "unless"}, s.words[i].text) {
		return false
	}
	rest := s.words[i+1:]
	return !anyOf(rest, pronouns|demonstratives|topics|selves|readers) && anyOf(rest, states) && rest[len(rest)-1].over()
}

// having are what makes a past of the verb behind it.
var having = []string{"has", "have", "you've"}

// in reports whether one of some words is of the set of a name.
func in(words []word, set string) bool {
	bit := setBits()[set]
	return slices.ContainsFunc(words, func(w word) bool { return w.sets&bit != 0 })
}

// of reports whether a word is of the set of a name.
//
//go:noinline
func (e entry) of(set string) bool { return e.sets != 0 && e.sets&setBits()[set] != 0 }

// over reports whether a word looks like a verb's past.
//
//go:noinline
func (w word) over() bool { return w.tense == before || strings.HasSuffix(w.text, "ed") }

// A leave is what the words around it say of it.
type leave uint8

const (
	unsaid  leave = iota
	wanting       // it is not there yet
	granted       // it was given, or none is needed
)

// leaveAt tells of the word of leave at i whether it was given, by the words before it in its clause and the few behind it.
func (s *sentence) leaveAt(i int) leave {
	words, w := s.words, s.words[i]
	from, to := i, i+1
	for from > 0 && !words[from-1].stop && i-from < reach {
		from--
	}
	for to < len(words) && !words[to-1].stop && to-i < 4 {
		to++
	}
	left, right := words[from:i], words[i+1:to]
	barrier := slices.IndexFunc(left, func(w word) bool { return w.of("BARRIER") })
	barred := barrier >= 0 && !anyOf(left[barrier:], makings|near) && (!w.of("AGREES") || w.of("WORD"))
	asked := barred || in(left, "PARTY") || in(right, "PARTY") || anyOf(left, persons|possessives) || w.of("AGREES") && w.over() && !words[max(i-1, 0)].is(selves)
	asked = asked || w.of("LEAVE") && (anyOf(words, selves|topics) || len(words) < briefly)
	denied := anyOf(left, negatives|nos) || in(left, "WITHOUT")
	needs := in(left, "NEEDS") || in(right, "NEEDED")
	switch {
	case needs && (denied || anyOf(right, negatives|nos)), in(right, "GIVEN") && !denied && !in(left, "ONCE"), in(left, "SINCE") && !in(left, "SOON"):
		return granted
	case asked && (needs || in(left, "ONCE") || barred || in(right, "LACKING") || i > 0 && words[0].of("GIVE")),
		asked && denied && (!w.of("AGREES") || w.over() || lists.Has([]string{"to", "your"}, words[i-1].text)):
		return wanting
	}
	return unsaid
}

// reach is how many words before it govern a word of leave.
const reach = 7

// waitsJapanese is waits for a sentence in Japanese.
func waitsJapanese(text string) bool {
	text = strings.TrimRight(text, ".:：。…")
	if endsWith(text, beingJapanese) && !endsWith(text, []string{"です", "お願います", "待っています", "待っております"}) {
		return false
	}
	for _, leave := range leaveWords {
		for rest := text; ; {
			_, behind, found := strings.Cut(rest, leave)
			if !found {
				break
			}
			close := behind[:min(len(behind), 3*japaneseReach)]
			for !utf8.ValidString(close) {
				close = close[:len(close)-1]
			}
			if containsAny(close, untilJapanese) && !containsAny(close, hadJapanese) {
				return true
			}
			rest = behind
		}
	}
	if containsAny(text, receivedJapanese) || strings.Contains(text, "たら、") && containsAny(text, pointingJapanese) && endsWith(text, []string{"つもりです", "予定です"}) || strings.Contains(text, "るまで") && endsWith(text, []string{"せません", "きません", "れません", "けません"}) ||
		containsAny(text, []string{"てから", "た後", "た上で", "次第"}) && endsWith(text, arrangedJapanese) || setForLater.In(text) || endsWith(text, []string{"てから", "た後", "次第"}) {
		return true
	}
	whole := text
	if text = turned(text); strings.HasPrefix(text, "これで") || len(text) < len(whole) && strings.HasPrefix(text, "今度は") {
		return false // what comes of it, and this time
	}
	return containsAny(text, laterJapanese) && (endsWith(text, doingJapanese) && !endsWith(text, []string{"できます", "れます", "られます"}) || endsWith(text, []string{"です", "予定", "作業", "もの"})) ||
		containsAny(text, notYetJapanese)
}

// setForLater says of what stands beside it that it is planned.
var setForLater = &lazy.Pattern{X: `^(?:これ|この(?:変更|作業|操作|修正|編集|削除|手順))(?:は|を).*(?:予定|つもり)(?:です)?$`}

// japaneseReach is how many letters behind a word of leave what makes it a condition stands.
const japaneseReach = 14

var (
	leaveWords = []string{"賛成", "異論", "許可", "承認", "了承", "了解", "承諾", "同意", "合意", "認可", "決裁", "ゴーサイン", "OK", "ＯＫ", "オーケー", "お墨付き", "返事", "返答", "回答", "指示", "判断", "合図", "サイン", "署名", "賛同", "許し", "連絡", "意見", "決定", "可否", "結論"}
	// untilJapanese make a condition of it, hadJapanese say that it is met.
	untilJapanese = []string{"てから", "た後", "たあと", "たら", "次第", "を待", "待ち", "るまで", "まで待", "れば", "ない限り", "た上で", "たうえで", "後に", "が必要", "を要", "なしに", "なしで", "が先", "をお願い", "を仰"}
	hadJapanese   = []string{"たので", "ましたので", "ため", "済", "とおり", "通り", "ました", "ありがとう"}
	// receivedJapanese wait for what somebody else does.
	receivedJapanese = []string{"いただいてから", "いただいた後", "いただけたら", "いただけましたら", "いただけ次第", "いただければ", "いただくまで", "頂いてから", "頂いた後", "頂けたら", "頂ければ", "もらってから", "もらった後", "いただいたあと", "もらったあと", "もらえたら", "もらえれば", "もらうまで", "くださったら", "くだされば", "下さったら", "下されば", "てもらった上で", "ていただいた上で"}
	// arrangedJapanese end what was agreed on for another time.
	arrangedJapanese = []string{"ことになっています", "ことになります", "ことにします", "予定です", "予定のものです", "予定のもの", "予定の内容です", "つもりです", "手はずです", "決まりです"}
	laterJapanese    = []string{"後で", "あとで", "後ほど", "のちほど", "後日", "次回", "いずれ", "改めて", "追って", "今度", "そのうち", "午後の", "夕方の", "夕方に", "今夜", "今晩", "夜間", "深夜", "明日", "明後日", "来週", "来月", "翌日", "翌週", "週明け", "夜になってから", "次のリリース", "次の保守", "次のスプリント", "別の機会", "またの機会", "次の機会", "時間外に"}
	notYetJapanese   = []string{"今ではない", "いまではない", "今はまだ", "いまはまだ", "まだです", "まだ早", "今ではありません", "今日ではありません"}
)
