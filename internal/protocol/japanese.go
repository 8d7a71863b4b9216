package protocol

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"nebula/internal/lists"
)

// plainJapanese is a sentence without its end, and without the parts of words that look like cues.
func plainJapanese(sentence string) string {
	sentence = strings.TrimRight(sentence, "。.!！ 　*")
	if bare := strings.TrimRight(sentence, ":："); endsWith(bare, []string{"しますね", "しますよ"}) {
		sentence = bare[:len(bare)-len("ね")]
	}
	return innocent.Replace(sentence)
}

// japaneseCue is what such a sentence in Japanese says. A sentence that ends with what is done says so where nothing else in
// it says otherwise; of what gives the reason for it nothing counts.
func japaneseCue(s string) cue {
	done := doneIn(strings.TrimRight(s, ":："))
	if done {
		s = turned(s)
	}
	for _, row := range slices.Backward(japaneseCues()) {
		if slices.ContainsFunc(row.parts, func(part string) bool { return strings.Contains(s, part) }) {
			return row.cue
		}
	}
	switch {
	case done:
		return resolve
	case endsWith(s, pastJapanese):
		return past
	}
	return nothing
}

// turned is what a sentence says in the end.
func turned(s string) string {
	for _, turn := range turns {
		if i := strings.LastIndex(s, turn); i >= 0 {
			s = s[i+len(turn):]
		}
	}
	return s
}

// inJapanese reports whether a text is Japanese: it has kana, or begins with a Chinese character.
func inJapanese(s string) bool {
	if ascii(s) {
		return false
	}
	first := strings.IndexFunc(s, unicode.IsLetter)
	return inJapaneseWords(s) || first >= 0 && s[first] >= 0x80 && strings.IndexFunc(s[first:], func(r rune) bool { return unicode.Is(unicode.Han, r) }) == 0
}

func ascii(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

func doneIn(s string) bool { return endsWith(s, doingJapanese) && !endsWith(s, beingJapanese) }

//go:noinline
func endsWith(s string, ends []string) bool {
	return slices.ContainsFunc(ends, func(end string) bool { return strings.HasSuffix(s, end) })
}

// undertakesJapanese reports whether a Japanese label names a deed.
func undertakesJapanese(s string) bool {
	if s = strings.TrimRight(s, ":： #*0123456789"); lists.Has(opensJapanese, strings.TrimPrefix(s, "Thought: ")) {
		return true
	}
	for _, end := range []string{"次のとおりです", "次の通りです", "以下のとおりです", "以下の通りです"} {
		s = strings.TrimSuffix(strings.TrimSuffix(s, end), "は")
	}
	if strings.HasPrefix(s, "手順") && endsWith(s, []string{"のとおり", "の通り", "どおり"}) {
		return true
	}
	return endsWith(s, deedsJapanese) || containsAny(s, freshJapanese) || !endsWith(s, beingJapanese) && strings.ContainsRune("るすくうむぶぐつぬ", lastRune(s))
}

// opensJapanese lead on to what is done next.
var opensJapanese = []string{"次に", "次は", "続いて", "続けて", "では", "それでは", "まず", "さて", "最後に"}

// takesBackJapanese reports whether a Japanese sentence behind an action says that it was only shown, or waits for leave.
func (s *sentence) takesBackJapanese() bool {
	text, c := s.text, s.told
	if containsAny(text, othersJapanese) {
		return false
	}
	denied := containsAny(text, []string{"ません", "ない", "なかった", "ではなく"}) && !containsAny(text, []string{"変わ", "影響", "問題", "必要", "間違", "使われて", "参照されて", "呼ばれて", "残って"})
	return c == refusal || denied || c == example && containsAny(text, []string{"この", "その", "これ", "それ", "上", "あれ"}) || containsAny(text, quotesJapanese) || containsAny(text, leaveJapanese) && !containsAny(text, []string{"結果", "とおり", "どおり", "通り"})
}

func japaneseQuestion(s string) bool {
	s = strings.TrimRight(s, "。？?!！ 　")
	return strings.HasSuffix(s, "か") || strings.HasSuffix(s, "でしょう") || strings.HasSuffix(s, "かな")
}
