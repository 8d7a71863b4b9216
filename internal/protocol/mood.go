package protocol

import (
	"slices"
	"strings"
	"unicode"

	"nebula"
	"nebula/internal/lazy"
	"nebula/internal/lists"
)

// What is said beside an action, sentence by sentence: each takes it back, does it, or says nothing of it. What stands nearest to
// the action counts.

// unmeant reports whether a text before an action ends with sentences of which none does the action and one takes it back.
func (e *ear) unmeant(text string) bool {
	return e.rejected(text, func(*sentence, int) bool { return true })
}

// disowned reports whether what is said beside calls, which it stands before and has no place among, takes them back. Who calls a tool tells
// of the work meanwhile: only what is about these very calls counts, and no more than what is done.
//
//go:noinline
func (e *ear) disowned(say string, actions []nebula.Action) bool {
	return e.rejected(say, func(s *sentence, of int) bool { return s.about(actions, of < 3 && len(say) < 80) })
}

// rejected reports whether of the last sentences of a text one takes an action back, and none behind it does it; about tells whether a
// sentence, of so many, is about the action.
func (e *ear) rejected(text string, about func(s *sentence, of int) bool) bool {
	list := e.lastSentences(text)
	if opensOnto(text, list) || e.plainlyNot(list) {
		return true
	}
	for i, s := range slices.Backward(list) {
		if i+1 < len(list) && strings.ContainsAny(s.text, "?？") && list[i+1].guesses() {
			return true
		}
		question := i+1 < len(list) && (s.wonders(list[i+1]) || strings.ContainsAny(s.text, "?？") && list[i+1].answers() && !(s.proposes() && list[i+1].words[0].text == "i"))
		answer := i > 0 && (s.answers() && strings.ContainsAny(list[i-1].text, "?？") || list[i-1].wonders(s) && len(s.words) < briefly && !s.leaves())
		switch {
		case i > 0 && s.hingesOn(list[i-1]):
			return true
		case question, answer, asksOn(list, i):
		case s.takes() && (s.leaves() || about(s, len(list))) && !e.describes(list, i) && !(s.corrects() && i+1 < len(list) && e.describes(list, i+1)):
			return i == 0 || !s.spares(list[i-1])
		case s.does() && !(slices.ContainsFunc(list[:i], (*sentence).leaves) && e.describes(list, i)): // the tests are in that file
			return !s.stands(instant) && !s.stands(leading) && leftOpen(list, i)
		}
	}
	return false
}

// plainlyNot reports whether one of some sentences says plainly that what they stand beside is not done, and none behind it takes that up again:
// what only explains it cancels nothing.
func (e *ear) plainlyNot(list []*sentence) bool {
	for _, s := range slices.Backward(list) {
		switch {
		case s.stands(plainly):
			return true
		case s.resumes() && !s.namesOther(e.actions) && !(s.japanese && containsAny(s.text, otherThings)):
			return false
		}
	}
	return false
}

// resumes reports whether a sentence says that its writer acts, and not only what is so.
func (s *sentence) resumes() bool {
	if s.japanese {
		return s.stands(instant) || s.stands(leading) || s.does() && containsAny(s.text, deedStems)
	}
	if len(s.words) > 0 && s.words[0].is(determiners|pronouns) && !anyOf(s.words, selves) {
		return false // the backup is still running
	}
	return s.does()
}

// leftOpen reports whether one of the sentences before the nth leaves something to somebody, and is not answered by its own writer.
func leftOpen(list []*sentence, n int) bool {
	for i, s := range list[:n] {
		if s.leaves() && !(strings.Contains(s.text, "?") && len(s.words) > 0 && list[i+1].answers() && !anyOf(s.words, selves|readers)) {
			return true
		}
	}
	return false
}

// leaves reports whether a sentence leaves what it stands beside to somebody.
func (s *sentence) leaves() bool { return s.waits() || s.proposes() }

// proposes reports whether a sentence asks in a few words whether to go on: it is about nothing else than what stands beside it.
//
//go:noinline
func (s *sentence) proposes() bool { return s.stands(wondered) && len(s.words) < 6 }

// opensOnto reports whether a text ends with a colon and its last sentence does not say that what follows is done.
func opensOnto(text string, list []*sentence) bool {
	line := strings.TrimRight(lastOf(text), " \t\r\n*_")
	return len(list) > 0 && !labelled(text) && !muted(line) && (strings.ContainsRune(":：", lastRune(line)) || list[len(list)-1].opensOnto()) && !list[len(list)-1].does() && !(list[len(list)-1].offered && (list[len(list)-1].spared || list[len(list)-1].settled()))
}

// labelled reports whether all that a text says is that its writer's own answer follows, in what form it may be.
func labelled(text string) bool {
	text = strings.Trim(strings.TrimSpace(text), "*_#` \t\r\n")
	return len(text) < 4*labelWidth && answerLabel.In(text)
}

var answerLabel = &lazy.Pattern{X: `(?i)^(?:(?:sure|okay|ok|certainly|of course|understood|klar|gerne?|natürlich|claro|por supuesto|bien sûr|d'accord|네|예|물론입니다|好的|当然|承知しました|はい)[!.,、。！，]*\s*)?(?:` +
	`(?:(?:here(?:'s| is| are)|below is|this is)\s+)?(?:(?:my|the)\s+)?(?:final\s+)?(?:answer|reply|response|json|action list)(?: in (?:the requested|json|the required) ?(?:format)?| you (?:asked for|requested|wanted))?(?: (?:is )?(?:below|follows))?|` +
	`(?:(?:以下|下記|次|こちら)[がは、に]?\s*)?(?:(?:私|最終|最終的)[のな]?)*(?:回答|返答|応答|答え)(?:は(?:以下|下記|次)の(?:とおり|通り))?(?:です|になります|となります|します|いたします)?|` +
	`hier (?:ist|kommt|folgt) (?:die|meine|das) (?:antwort|json)|aquí (?:está|tienes?|va) (?:la|mi|el) (?:respuesta|json)|voici (?:la|ma|le) (?:réponse|json)|여기 있습니다|(?:답변|응답)은 다음과 같습니다|다음은 (?:답변|응답)입니다|(?:以下是|这是|下面是)(?:我的)?(?:回答|答案|回复|json)` +
	`)\s*[:：。.]?[\s*_]*(?:\x60{3,}\w*)?$`}

// describes reports whether a sentence of some tells how the work is: what a piece of code does, would do or must not do. A thing is its
// subject, or what the sentence before it described; it names and points at nothing of the action, and turns to nobody.
func (e *ear) describes(list []*sentence, i int) bool {
	s := list[i]
	if s.stands(against) || s.stands(wondered) || s.cue == pending && i+1 == len(list) && strings.ContainsRune(":：", lastRune(s.text)) || strings.ContainsAny(s.text, "?？") || s.waits() && !slices.ContainsFunc(list, (*sentence).hasCode) {
		return false
	}
	if s.japanese {
		return e.describesJapanese(s, i+1 == len(list))
	}
	told := i > 0 && e.describes(list, i-1)
	code := told || slices.ContainsFunc(list, (*sentence).hasCode)
	words := s.opinion()
	switch {
	case len(words) < 3, words[0].is(negatives) && !code && !lists.Has(quantities, words[1].text), words[0].kind == works && words[0].tense < third, words[0].kind == works && words[0].tense == going:
		return false
	case !code && (s.stands(unreal) || s.stands(depends) || s.forbids() || anyOf(words, people|selves|interjections)):
		return false
	}
	for n, w := range words {
		switch {
		case w.is(topics | readers | consentNouns), w.is(intruders) && !w.is(nos), w.text == "i", strings.HasPrefix(w.text, "i'"), !told && w.pointsOut(words, n) && !(n == 0 && s.hasCode()):
			return false
		}
	}
	return true
}

// describesJapanese is describes for a sentence in Japanese.
func (e *ear) describesJapanese(s *sentence, last bool) bool {
	switch low := codeJapanese.Replace(strings.ToLower(s.text)); {
	case s.told == refusal, s.told == example && strings.IndexFunc(s.text, func(r rune) bool { return r < 0x80 && unicode.IsLetter(r) }) < 0, s.stands(unreal), s.stands(depends), s.stands(back) && last, deniesDeed(s.text):
		return false
	case s.told == nothing && s.taken == 0 && (strings.HasPrefix(low, "これは") || strings.HasPrefix(low, "これで")) && endsWith(strings.TrimSuffix(strings.TrimRight(low, "。"), "です"), sizedJapanese):
		return true // it says how much of a change it is
	default:
		return !containsAny(low, e.named) && !containsAny(low, aheadJapanese) && !containsAny(low, leaveJapanese) && !containsAny(low, quotesJapanese)
	}
}

// sizedJapanese end what says how much of a deed something is, or what comes of it.
var sizedJapanese = []string{"変更", "作業", "修正", "対応", "削除", "処理", "手順", "はず"}

// codeJapanese are what may be pointed at that is no action.
var codeJapanese = strings.NewReplacer("このファイル", "", "この関数", "", "このメソッド", "", "このテスト", "", "このクラス", "", "この変数", "", "この値", "", "この場合", "", "この問題", "", "このエラー", "", "このコード", "", "このモジュール", "", "その場合", "", "その結果", "", "そのため", "")

// pointsOut reports whether the nth of a sentence's words points out of it: a pronoun that begins it, this with no noun of its own.
func (w word) pointsOut(words []word, n int) bool {
	switch {
	case w.text == "this" || w.text == "these" || w.text == "those":
		return n+1 == len(words) || w.stop || words[n+1].is(near|states|modals) || words[n+1].tense != timeless
	case w.text == "following" || w.text == "below" || w.text == "above":
		return true
	case w.is(pronouns | demonstratives):
		return n == 0 && w.text != "with"
	}
	return false
}

// corrects reports whether a sentence takes back what was said before it: with a description behind it, that is no action.
func (s *sentence) corrects() bool {
	return s.stands(back) && !s.waits() && !s.stands(against) && !s.stands(unreal) && !anyOf(s.words, topics|near)
}

// opinion are a sentence's words behind those that say that its writer thinks so.
func (s *sentence) opinion() []word {
	words := s.words
	if i := slices.IndexFunc(words, func(w word) bool { return w.colon }); i >= 0 && i+3 < len(words) && !anyOf(words[:i+1], negatives|topics|near|readers|selves|modals) {
		words = words[i+1:]
	}
	for len(words) > 0 && words[0].is(fillers|starters) {
		words = words[1:]
	}
	if len(words) > 0 && words[0].tense == going && !subject(words[1:]) { // Looking at the code, the total is
		if i := slices.IndexFunc(words, func(w word) bool { return w.stop }); i >= 0 {
			words = words[i+1:]
		}
	}
	if len(words) > 2 && words[0].is(selves) {
		for n, w := range words[:3] {
			if lists.Has(opinions, w.text) {
				words = words[n+1:]
				if len(words) > 0 && words[0].text == "that" {
					words = words[1:]
				}
				break
			}
		}
	}
	return words
}

// quantities say of how many something is not so.
var quantities = []string{"every", "all", "each", "many", "much"}

// opinions are verbs of what one holds for true.
var opinions = []string{"think", "believe", "see", "saw", "notice", "noticed", "guess", "suspect", "say", "found", "find", "assume", "expect"}

// hasCode reports whether a sentence names a piece of code.
func (s *sentence) hasCode() bool {
	return strings.Contains(s.text, "`") || slices.ContainsFunc(strings.Fields(s.text), func(w string) bool {
		w = strings.Trim(w, ".,;:!?…\"'()")
		return strings.ContainsAny(w, "_()=[]") || strings.Contains(w, "::")
	})
}

// about reports whether a sentence is about some actions: it names what they are about, or points at what follows, and names no other file.
// A few words alone can be about nothing else.
func (s *sentence) about(actions []nebula.Action, alone bool) bool {
	if strings.ContainsRune(":：", lastRune(s.text)) {
		return true // another file is whose words these are
	}
	alone = alone && (len(s.words) < 7 || !anyOf(s.words, selves) || s.stands(against))
	pointing := func(w word) bool { return lists.Has(following, w.text) }
	if !s.japanese && !alone && !anyOf(s.words, topics) && !slices.ContainsFunc(s.words, pointing) {
		return false
	}
	return !s.namesOther(actions)
}

// namesOther reports whether a sentence names a file that no action is about.
func (s *sentence) namesOther(actions []nebula.Action) bool {
	return slices.ContainsFunc(strings.Fields(s.text), func(w string) bool {
		w = strings.Trim(w, "`'\"“”‘’.,;:!?()")
		return fileLike(w) && !slices.ContainsFunc(actions, func(a nebula.Action) bool { return strings.Contains(string(a.Args), w) })
	})
}

// fileLike reports whether a word reads as a file's name: something, a dot, and a few letters, or capitals as in README.
func fileLike(word string) bool {
	if len(word) > 5 && strings.Trim(word, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") == "" {
		return true
	}
	i := strings.LastIndexByte(word, '.')
	return i > 0 && len(word)-i > 1 && len(word)-i < 7 && strings.Trim(word[i+1:], "abcdefghijklmnopqrstuvwxyz") == ""
}

// following are what points at what comes next.
var following = []string{"this", "these", "following", "below", "here"}

// unfounded reports whether an action's reason is none.
func (e *ear) unfounded(reason string) bool {
	return slices.ContainsFunc(e.reasons(reason), func(s *sentence) bool {
		return s.waits() || s.stands(plainly) || s.recalls() || !s.stands(clears) && (s.keeps() || s.stands(unfit) || s.stands(unreal) || s.stands(depends))
	})
}

// postponed reports whether the reason of a command that is called says that it waits, or forbids it in so many words: else a negation, a
// condition or a question is what is looked for, as in tests without network.
func (e *ear) postponed(reason string) bool {
	return slices.ContainsFunc(e.reasons(reason), func(s *sentence) bool {
		return s.leaves() || s.keepsBack() || s.recalls()
	})
}

// reasons are the sentences of a reason, without a question that it answers itself.
func (e *ear) reasons(reason string) []*sentence {
	list := e.lastSentences(reason)
	if n := len(list) - 1; n > 0 && affirmed.In(list[n].text) && strings.HasSuffix(list[n-1].text, "?") {
		return list[n:]
	}
	return list
}

// lastSentences are those of the last lines of a text.
//
//go:noinline
func (e *ear) lastSentences(text string) []*sentence {
	text = text[max(0, len(text)-nearby):]
	return recall(&e.last, text, e.endOf)
}

func (e *ear) endOf(text string) (list []*sentence) {
	for text != "" && len(list) < weighed {
		at := strings.LastIndexByte(strings.TrimSuffix(text, "\n"), '\n') + 1
		line := text[at:]
		text = text[:at]
		if hollow(line) {
			continue
		}
		for _, said := range slices.Backward(sentences(bared(line))) {
			if list = append(list, e.of(said)); len(list) == weighed {
				break
			}
		}
	}
	slices.Reverse(list)
	return list
}

// weighed is how many sentences before an action are weighed.
const weighed = 4

// takes reports whether a sentence says that what it is about is not done, not yet, by somebody else, or only shown.
func (s *sentence) takes() bool {
	if s.waits() || s.stands(plainly) {
		return true
	}
	if s.stands(clears) || s.stands(affirms) {
		return false
	}
	if s.japanese && containsAny(s.text, othersJapanese) {
		return s.stands(against) || s.stands(back)
	}
	if s.stands(against) || s.stands(wondered) || s.stands(back) || s.stands(unreal) || s.stands(depends) {
		return true
	}
	if s.japanese {
		return s.told >= example && !s.stands(leading) && !containsAny(s.text, givenJapanese) || s.questions()
	}
	return s.disclaims() || s.questions() || s.cue == pending && !s.stands(leading) && len(s.words) > briefly && lists.Has(following, s.words[len(s.words)-1].text)
}

// spares reports whether a Japanese sentence says, behind one that says what is done, what is left as it is.
func (s *sentence) spares(prior *sentence) bool {
	return s.japanese && prior.does() && !prior.waits() && s.told < refusal && !s.stands(against)
}

// does reports whether a sentence says that its writer acts now.
func (s *sentence) does() bool {
	return s.cue == resolve || s.cue == announce || s.stands(instant) || s.stands(leading) || s.stands(grounds) && strings.ContainsRune(":：", lastRune(s.text)) || s.undertakes() && !(s.cue > source && strings.ContainsRune(":：", lastRune(s.text)))
}

// answers reports whether a sentence answers the question before it.
func (s *sentence) answers() bool {
	return len(s.words) > 0 && lists.Has(replies, s.words[0].text) || s.japanese && (strings.HasSuffix(strings.TrimRight(s.text, "。"), "からです") || strings.HasPrefix(s.text, "いいえ") || strings.HasPrefix(s.text, "はい") && !strings.HasPrefix(s.text, "はい/"))
}

// wonders reports whether a sentence is a question that its writer answers in the next: it leaves nothing to its reader.
func (s *sentence) wonders(next *sentence) bool {
	words := s.words
	if i := slices.IndexFunc(words, func(w word) bool { return w.colon }); i >= 0 && i < 2 {
		words = words[i+1:]
	}
	if s.japanese || !strings.Contains(s.text, "?") || strings.Contains(next.text, "?") || len(words) < 3 || anyOf(words, readers) || s.leaves() || s.stands(wondered) || next.hinges() || anyOf(next.words, readers|requests|negatives) {
		return false
	}
	spare := slices.ContainsFunc(words, func(w word) bool { return lists.Has(unneeded, w.text) || w.text == "need" })
	return spare || (words[0].is(states) && !anyOf(words, selves) || lists.Has([]string{"why", "what", "how"}, words[0].text)) && !anyOf(next.words, nos)
}

// hingesOn reports whether a sentence is about what is done when its reader has answered the one before it.
func (s *sentence) hingesOn(prior *sentence) bool {
	if len(s.words) > 0 && s.words[0].text == "then" && prior.cue == pending && prior.stands(unreal) {
		return true // suppose it was wrong; then
	}
	return s.hinges() && (prior.leaves() || len(prior.words) > 1 && lists.Has(softeners, prior.words[0].text) && lists.Has(looking, prior.words[1].text) || endsWith(strings.TrimRight(prior.text, "。"), []string{"ください", "お願いします", "お願いいたします"}))
}

// hinges reports whether a sentence is about what is done when the one before it is answered.
func (s *sentence) hinges() bool {
	if s.japanese {
		return strings.HasPrefix(s.text, "それから") || strings.HasPrefix(s.text, "その後") || strings.HasPrefix(s.text, "そのうえで")
	}
	return len(s.words) > 2 && (s.words[0].text == "then" || s.words[len(s.words)-1].text == "then" || s.words[0].text == "if" && lists.Has([]string{"so", "yes"}, s.words[1].text) || s.words[len(s.words)-1].text == "afterwards" && s.words[0].is(selves) && anyOf(s.words, pronouns|demonstratives) || s.words[0].text == "in" && s.words[1].text == "that")
}

// guesses reports whether a sentence answers a question with what its writer only holds for likely: I think it is not.
func (s *sentence) guesses() bool {
	if len(s.words) == 0 || len(s.words) > briefly {
		return false
	}
	return lists.Has(likely, s.words[0].text) || s.words[0].text == "i" && slices.ContainsFunc(s.words[1:], func(w word) bool { return lists.Has(guessing, w.text) })
}

// guessing are verbs of one who does not know, likely what is said of it.
var (
	guessing = []string{"think", "guess", "believe", "suppose", "suspect", "doubt", "assume"}
	likely   = []string{"probably", "presumably", "likely", "maybe", "perhaps"}
)

// replies begin answers.
var replies = []string{"yes", "no", "because", "none", "nobody", "nothing", "let", "let's", "i'll", "i", "not"}
