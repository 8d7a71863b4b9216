package state

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"nebula/internal/lazy"
	"nebula/internal/lists"
	"nebula/internal/phrase"
)

// aWord is how many characters a message has that only says something to what was done: thanks, go on.
const aWord = 12

// Asks reports whether a message asks for something, rather than saying a word on what was done, or to go on with it.
func Asks(text string) bool {
	if goesOn(text) {
		return false
	}
	return utf8.RuneCountInString(text) > aWord || orders(text) && len(phrase.About(text)) >= ownWords
}

// goesOn reports whether a message says to go on, and nothing of its own.
func goesOn(text string) bool {
	for _, w := range words(strings.ToLower(onwardJapanese.For(text).ReplaceAllString(text, " "))) {
		if !lists.Has(polite, w) && !lists.Has(onward, w) && !lists.Has(back, " "+w+" ") {
			return false
		}
	}
	return true
}

var onward = strings.Fields("yes continue go on ahead carry proceed keep going with the as planned all right sure good")

var onwardJapanese = &lazy.Pattern{X: `はい|ええ|その調子|それ|この|その|計画|手順|ステップ|次の?|もう一度|続き|続けて|続け|進めて|進め|お願いします|お願い|ください|下さい|通り|とおり|まま|[をにでへもよねの]`}

// ownWords is how many words a message has at least that stands for itself.
const ownWords = 2

// Another reports whether a message asks for something of another kind than what is worked on: an order that has no word in
// common with it and points back at nothing.
func Another(text string, worked ...string) bool {
	own, known := phrase.About(text), phrase.About(strings.Join(worked, "\n"))
	if len(own) < ownWords || !orders(text) || holds(" "+strings.ToLower(strings.Join(words(text), " "))+" ", back) || holds(text, backJapanese) {
		return false
	}
	for w := range own {
		if known[w] {
			return false
		}
	}
	return true
}

// Turns reports whether a goal is work of another kind than the one before it, or shares no word with it: then it pays to note anew
// what was noted for that one. For a look at something it does not: its answer is all there is.
func Turns(goal, before string) bool {
	now, then := workOf(goal), workOf(before)
	return now > aLook && before != "" && (then != unclear && now != then || Another(goal, before))
}

// Answered reports whether a request comes behind a goal that was a question, and orders work.
func Answered(request, goal string) bool { return workOf(goal) == aLook && workOf(request) > aLook }

// Kinds of work.
const (
	unclear = iota
	aLook
	aText
	aChange
)

func workOf(request string) int {
	switch {
	case isQuestion.In(request):
		return aLook
	case !orders(request):
		return unclear
	case holds(strings.ToLower(request), aboutTexts):
		return aText
	}
	for _, w := range words(strings.ToLower(request)) {
		if !lists.Has(polite, w) {
			if lists.Has(verbsOfLooks, w) {
				return aLook
			}
			break
		}
	}
	return aChange
}

var isQuestion = &lazy.Pattern{X: `(?i)^(?:what|why|how|where|when|which|who|is|are|does|do|did)\b|[?？]\W*$|(?:ですか|ますか|のか|だろうか)[。\s]*$`}

var (
	aboutTexts   = strings.Fields("readme document docs changelog translat tutorial ドキュメント 文書 説明書 手順書 訳")
	verbsOfLooks = strings.Fields("explain describe check find search look show list read count measure profile compare analyse analyze investigate review give")
)

//go:noinline
func words(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '\'' })
}

// back are words that point at what was said before, or bound how it is to be done.
var back = []string{" it ", " its ", " that ", " this ", " these ", " those ", " them ", " they ", " also ", " too ", " instead ", " again ", " still ", " rather ", " same ", " continue ", " go on ",
	" first ", " before ", " step ", " plan ", " but ", " only ", " never ", " always ", " don't ", " not "}

var backJapanese = []string{"それ", "これ", "あれ", "その", "この", "あの", "やっぱり", "やはり", "さっき", "先ほど", "代わりに", "同じ", "続け", "もう一度", "ついでに", "ステップ", "計画", "ないで", "だけ", "必ず"}

// polite stand before an order.
var polite = []string{"please", "now", "ok", "okay", "next", "then", "can", "could", "would", "you", "let", "let's", "us", "i", "want", "to", "need", "like", "we", "and", "kindly", "help", "me"}

// orders reports whether a message is an order: its first word is a verb that asks for work, or it ends as orders do in Japanese.
func orders(text string) bool {
	for _, w := range words(strings.ToLower(text)) {
		if !lists.Has(polite, w) {
			return lists.Has(verbs, w) || endsAsOrder(text)
		}
	}
	return endsAsOrder(text)
}

var verbs = strings.Fields("write add fix mend make create build implement translate explain describe document review refactor rename remove delete move copy update upgrade " +
	"change replace convert port run test check find search look show list read count measure profile optimise optimize improve clean format sort generate draft design plan set install configure " +
	"deploy release publish merge split extract rewrite summarise summarize compare analyse analyze debug investigate speed simplify give start turn tidy undo")

func endsAsOrder(text string) bool {
	text = strings.TrimRight(strings.TrimSpace(text), "。！!．. \n")
	for _, polite := range []string{"ください", "下さい", "ほしい", "欲しい", "もらえますか", "くれますか", "くれる", "もらえる", "お願いします", "お願い", "頼む", "ね", "よ"} {
		if rest, ok := strings.CutSuffix(text, polite); ok {
			text = strings.TrimRight(rest, "、 ")
			break
		}
	}
	for _, end := range []string{"て", "で", "たい", "せよ", "しろ", "くれ", "して", "を"} {
		if strings.HasSuffix(text, end) {
			return true
		}
	}
	return false
}
