package protocol

import (
	"slices"
	"strings"

	"nebula/internal/lazy"
	"nebula/internal/lists"
)

// What turns to the reader of a reply. A bid has the reader do something first, and what stands beside it waits. An offer is about another
// thing, or about the time after the work, and a courtesy is about nothing: beside them an action stands as it is.

// bids reports whether a sentence has its reader do something before its writer goes on: please confirm first, type y and I start, look at
// it, then I do it.
func (s *sentence) bids() bool {
	words := s.words
	for len(words) > 0 && (words[0].is(fillers|starters) || lists.Has(softeners, words[0].text)) {
		words = words[1:]
	}
	if len(words) < 2 || words[0].is(selves) {
		return unbegun(words)
	}
	first, rest := words[0], words[1:]
	then := slices.IndexFunc(rest, func(w word) bool { return w.is(selves) || w.text == "me" || lists.Has(goesAhead, w.text) })
	token := slices.IndexFunc(rest, func(w word) bool { return lists.Has(tokens, w.text) })
	switch {
	case first.of("AGREES") && len(words) < briefly && words[len(words)-1].text == "first":
		return true
	case lists.Has(replying, first.text) && token >= 0 && token < 4 && then > token, lists.Has([]string{"nod", "wink"}, first.text) && then > 0:
		return true
	case first.text == "one" && rest[0].of("WORD") && in(rest, "PARTY"), first.text == "ready" && (in(rest, "PARTY") && in(rest, "ONCE") || in(rest, "PARTY") && slices.ContainsFunc(rest, func(w word) bool { return lists.Has(signals, w.text) })), unbegun(words):
		return true
	case (lists.Has(looking, first.text) || lists.Has([]string{"take", "have"}, first.text) && slices.ContainsFunc(rest, func(w word) bool { return w.text == "look" })) && !first.is(selves):
		last := words[len(words)-1].text
		turned := len(words) < len(s.words) || anyOf(rest, demonstratives|pronouns) // please look first, look at this first
		return turned && (last == "first" || last == "before") || last == "me" || afterClause(rest)
	case first.text == "let" && rest[0].text == "me" && len(rest) > 1 && rest[1].text == "know", first.text == "tell" && rest[0].text == "me":
		i := slices.IndexFunc(rest, func(w word) bool { return w.text == "before" })
		return i > 0 && i+1 < len(rest) && rest[i+1].is(selves)
	}
	return false
}

// unbegun reports whether words end with that nothing was done yet.
func unbegun(words []word) bool {
	n := len(words)
	if n < 4 || words[n-1].text != "yet" && (words[n-2].text != "so" || words[n-1].text != "far") {
		return false
	}
	return anyOf(words, negatives|nos) && anyOf(words, performed) && slices.ContainsFunc(words, func(w word) bool {
		return lists.Has([]string{"any", "anything", "nothing", "no", "none", "file", "files"}, w.text)
	})
}

// afterClause reports whether a later clause of a sentence says that its writer acts then: ..., then I put it in.
func afterClause(words []word) bool {
	for i := 1; i < len(words); i++ {
		if words[i].text == "then" && i+1 < len(words) && words[i+1].is(selves) || words[i-1].stop && words[i].is(selves) && lists.Has([]string{"after", "afterwards", "then", "next"}, words[len(words)-1].text) {
			return true
		}
	}
	return false
}

// offers reports whether a sentence leaves its reader another thing, a look at the result or a change of it, or is a courtesy.
func (s *sentence) offers() bool {
	if s.japanese {
		return offersJapanese(s.text)
	}
	if awaitsResult.In(s.text) {
		return true
	}
	if (s.settled() || s.mannered()) && !s.turnsTo() || lists.Has(rhetorical, strings.ToLower(strings.TrimRight(s.text, "?!:. "))) {
		return true
	}
	words := s.words
	for len(words) > 0 && words[0].is(fillers) {
		words = words[1:]
	}
	if len(words) < 3 {
		return false
	}
	first := words[0]
	if lists.Has([]string{"if", "when", "once"}, first.text) && words[1].is(readers) && words[2].of("AGREES") {
		return false
	}
	if lists.Has([]string{"if", "when", "once"}, first.text) && words[1].is(pronouns|demonstratives|states) && words[1].text != "here" && in(words[:min(5, len(words))], "GOOD") && anyOf(words[2:min(7, len(words))], readers) {
		return false // if that is fine by you
	}
	busy := slices.IndexFunc(words, func(w word) bool { return w.text == "while" || w.text == "as" })
	if patient := lists.Has(waitings, first.text) || first.text == "one" && lists.Has(moments, words[1].text) || first.text == "give" && slices.ContainsFunc(words, func(w word) bool { return lists.Has(moments, w.text) }); patient {
		return busy > 0 && busy+1 < len(words) && anyOf(words[busy+1:min(busy+2, len(words))], selves) || first.text == "give" && words[1].text == "me"
	}
	if anyOf(words, topics|consentNouns) || slices.ContainsFunc(words, func(w word) bool { return lists.Has(goesAhead, w.text) || w.of("LEAVE") || w.text == "insist" }) {
		return false
	}
	reader := anyOf(words, readers) || slices.ContainsFunc(words, func(w word) bool { return w.text == "me" })
	spare := slices.ContainsFunc(words, func(w word) bool { return lists.Has(besides, w.text) })
	switch {
	case first.text == "feel" && words[1].text == "free":
		return !slices.ContainsFunc(words[2:], func(w word) bool {
			return w.of("VERB") && w.kind == works && !lists.Has([]string{"change", "use", "start"}, w.text)
		})
	case (first.is(readers) || first.is(nos)) && idles(words):
		return true
	case first.is(readers) && words[1].is(maybes): // you may want to look at it later
		return spare
	case first.text == "once" || first.text == "after" || first.text == "afterwards" || first.text == "when":
		return closesClause(words) && (reader || spare)
	}
	if strings.Contains(s.text, "?") && anyOf(words, demonstratives|pronouns) {
		return false // would you like me to do this?
	}
	if strings.ContainsRune(":：", lastRune(s.text)) && anyOf(words, pronouns|demonstratives) {
		return false // if you want, I can change it like this:
	}
	return reader && spare && (first.text == "if" || first.text == "want" || first.text == "should" || first.text == "would" || first.text == "let" || first.text == "do" || first.text == "tell" || first.text == "correct" || first.text == "ask" || first.text == "just")
}

// awaitsResult is a sentence that waits for what an action comes to.
var awaitsResult = &lazy.Pattern{X: `(?i)^(?:i|we)(?:'ll| will) wait for (?:the|its) (?:[a-z]+ )?(?:results?|outputs?)(?:,? (?:before|and then) (?:i|we|the next|continue|proceed|going|moving|continuing)[a-z ]*)?[.!]*$`}

// rhetorical are questions that nobody answers.
var rhetorical = []string{"would you believe it", "would you believe that", "who would have thought", "who would have guessed", "who would have thought it", "guess what", "who knew", "how did this ever work", "how could this ever work", "why not", "what else"}

// goesFurther reports whether a sentence is about other work, which could come after what stands beside it: next I could add tests. Words that
// begin like some name what the actions are about.
func (s *sentence) goesFurther(named []string) bool {
	if s.japanese {
		text := strings.TrimRight(s.text, "。.!！?？")
		more := containsAny(text, []string{"も追加", "も更新", "も修正", "も直", "も書", "も作", "も変", "も見"}) || containsAny(text, []string{"次に", "次は", "続けて", "続いて", "さらに"}) && containsAny(text, []string{"追加", "書き", "書け", "更新", "ドキュメント", "テスト"})
		return more && !containsAny(text, []string{"これ", "この", "それ", "その", "以上", "以下", "上記", "削除", "消", "適用", "進め", "承認", "許可"}) && !containsAny(strings.ToLower(text), named) &&
			endsWith(text, []string{"か", "できます", "です", "ですね", "ましょう", "ます"})
	}
	words := s.words
	if len(words) > 0 && words[len(words)-1].text == "be" { // the next step would be:
		return false
	}
	for len(words) > 0 && words[0].is(fillers) && words[0].text != "also" {
		words = words[1:]
	}
	if len(words) < 4 || anyOf(words, topics|negatives|consentNouns) || slices.ContainsFunc(words, func(w word) bool {
		return w.is(near) && !w.is(ordinals) || w.of("HOARD") && !w.is(demonstratives|pronouns) || lists.Has([]string{"file", "files", "before", "once", "until", "order"}, w.text) || w.of("LEAVE") || w.of("UNDO")
	}) {
		return false
	}
	more := words[0].text == "next" && !words[1].is(spans)
	for i, w := range words {
		prior := words[max(0, i-1)]
		switch {
		case w.is(demonstratives|pronouns) && !lists.Has([]string{"with", "here", "so"}, w.text) && !lists.Has([]string{"for", "to", "of", "with", "after", "in"}, prior.text):
			return false
		case lists.Has([]string{"also", "too", "another", "additional", "additionally", "next"}, w.text), w.text == "well" && prior.text == "as":
			more = more || !(w.text == "next" && i+1 < len(words) && words[i+1].is(spans))
		}
	}
	return more && anyOf(words, selves|readers|modals|states) && s.cue != resolve
}

// asksOn reports whether the nth of some sentences asks in a few words for the work that the one before it is about: shall I?
func asksOn(list []*sentence, n int) bool {
	if n == 0 || !list[n-1].further {
		return false
	}
	s := list[n]
	return strings.ContainsAny(s.text, "?？") && len(s.words) < briefly && !slices.ContainsFunc(s.words, func(w word) bool { return lists.Has([]string{"this", "both", "these"}, w.text) }) || s.japanese && japaneseQuestion(s.text) && len(s.text) < 3*briefly*2
}

// idles reports whether words say that their reader has nothing to do.
func idles(words []word) bool {
	return anyOf(words[:min(3, len(words))], negatives|nos) && slices.ContainsFunc(words, func(w word) bool {
		return lists.Has([]string{"need", "needed", "have", "required", "necessary"}, w.text)
	}) &&
		slices.ContainsFunc(words, func(w word) bool {
			return lists.Has([]string{"anything", "action", "nothing", "step", "steps"}, w.text)
		})
}

// closesClause reports whether the first clause of words says that this is over: once this is in, when that has run, after that.
func closesClause(words []word) bool {
	i := slices.IndexFunc(words, func(w word) bool { return w.stop })
	if i < 0 {
		i = min(2, len(words)-1)
	}
	return words[0].text == "afterwards" || anyOf(words[1:i+1], demonstratives|pronouns) && !anyOf(words[:i+1], readers|persons|people)
}

var (
	softeners = []string{"please", "kindly", "simply", "just", "only"}
	waitings  = []string{"wait", "hold", "hang", "bear", "stand"}
	moments   = []string{"moment", "second", "sec", "minute", "while", "bit", "instant"}
	// replying with one of the tokens says yes.
	replying = []string{"type", "press", "hit", "enter", "reply", "respond", "answer", "write", "say", "send", "give", "click", "tap", "drop", "text"}
	tokens   = []string{"y", "yes", "ok", "okay", "go", "enter", "return", "key", "word", "1", "lgtm", "sign", "signal", "hint", "shout", "ping", "nod", "thumbs-up", "yep", "approve", "approved", "confirm"}
	signals  = []string{"mark", "word", "signal", "command", "go", "say-so", "call"}
	// goesAhead is what becomes of the action then.
	goesAhead = []string{"proceed", "continue", "ahead", "start", "starts", "happens", "goes", "runs", "proceeds", "begins", "done"}
	looking   = []string{"look", "review", "read", "check", "inspect", "see", "examine", "verify", "glance"}
	// besides are words for another thing, a look back, or a change of what was done.
	besides = []string{"too", "also", "well", "different", "differently", "another", "more", "other", "else", "anything", "something", "further", "additional", "additionally", "instead", "undo", "restore", "revert", "rename", "later", "afterwards", "next", "result", "results", "outcome", "fit", "like", "questions", "question", "back", "error", "errors", "bug", "bugs", "problem", "problems", "issue", "issues", "tweak", "adjust", "prefer", "mistake", "mistakes", "off"}
)

// bidsJapanese reports whether a Japanese sentence has its reader look or answer first, or says that its writer stops there.
func bidsJapanese(text string) bool {
	text = strings.TrimRight(text, "。.!！ ")
	switch {
	case containsAny(text, firstJapanese) && containsAny(text, lookJapanese) && !containsAny(text, afterJapanese):
		return true
	case containsAny(text, firstJapanese) && containsAny(text, consultJapanese) && !endsWith(text, pastJapanese),
		containsAny(text, whoJapanese) && containsAny(text, consentJapanese) && !endsWith(text, pastJapanese) && !containsAny(text, hadJapanese),
		containsAny(text, viewsJapanese) && containsAny(text, []string{"聞かせ", "教えて", "ください", "下さい", "お願い", "伺いたい", "伺えれば", "伺わせ"}),
		strings.HasSuffix(strings.TrimRight(text, "？?"), "か") && containsAny(text, pleasedJapanese), strings.Contains(text, "」と") && containsAny(text, answersJapanese),
		containsAny(text, []string{"よいか", "いいか", "良いか", "よければ", "お待ち"}) && containsAny(text, repliesJapanese),
		strings.HasSuffix(strings.TrimRight(text, "？?"), "か") && containsAny(text, []string{"どちら", "どれ", "どっち"}) && containsAny(text, []string{"よい", "いい", "良い", "よろしい", "好み", "希望", "しましょう", "にします"}),
		endsWith(strings.TrimRight(text, "？?"), mayJapanese) && text != strings.TrimRight(text, "？?"), lists.Has(draftsJapanese, strings.Trim(text, "?？()（）[]【】「」:： 　※")), strings.HasPrefix(text, "要確認:"), strings.HasPrefix(text, "要承認:"),
		strings.HasSuffix(strings.TrimRight(text, "？?"), "どうしましょう"), containsAny(text, haltJapanese) && containsAny(text, haltsJapanese), containsAny(text, tokensJapanese) && containsAny(text, answersJapanese):
		return true
	}
	if strings.Contains(text, "本当に") && strings.HasSuffix(strings.TrimRight(text, "？?"), "ますか") && containsAny(text, deedStems) {
		return true
	}
	_, not, yet := strings.Cut(text, "まだ")
	return yet && (containsAny(not, deedStems) || strings.Contains(not, "触っ")) && endsWith(not, []string{"ていません", "ておりません", "ていない", "てません"}) && !strings.Contains(text, "テスト")
}

// offersJapanese is offers for a sentence in Japanese.
func offersJapanese(s string) bool {
	text := strings.TrimRight(s, "。.!！?？")
	switch {
	case settledJapanese(text):
		return !bidsJapanese(s) && !strings.HasSuffix(strings.TrimRight(text, ":："), "ので")
	case containsAny(text, []string{"別の", "ほかの", "他の", "戻したい", "元に戻"}) && endsWith(text, []string{"お知らせください", "教えてください", "お申し付けください", "してください"}) && !containsAny(text, consentJapanese):
		return true
	case strings.Contains(text, "結果") && endsWith(text, []string{"お待ちください", "ご確認ください", "ご覧ください"}), strings.Contains(text, "元に戻") && containsAny(text, []string{"なら", "たら", "場合"}) && doneIn(text), strings.HasPrefix(text, "将来"):
		return true
	case containsAny(text, leaveWords) || containsAny(text, []string{"問題なければ", "問題がなければ", "よろしければ", "よければ", "差し支え"}):
		return false
	case containsAny(text, patienceJapanese) && doneIn(text), containsAny(text, afterJapanese) && containsAny(text, lookJapanese) && !containsAny(text, deedStems):
		return true
	case endsWith(text, courtesies) && strings.Contains(text, "ご確認のほど"):
		return false
	case endsWith(text, courtesies):
		return !containsAny(text, []string{"ので", "まで", "ければ"}) || strings.Contains(text, "少々お待ち")
	case containsAny(text, afterJapanese) && !strings.HasPrefix(text, "その後"):
		return containsAny(text, reportsJapanese)
	}
	return containsAny(text, otherJapanese) && containsAny(text, reportsJapanese)
}

// settledJapanese reports whether a Japanese sentence says that its reader has agreed, or that nobody is asked.
func settledJapanese(text string) bool {
	subject := containsAny(text, leaveWords) || containsAny(text, []string{"確認", "質問"})
	switch {
	case !subject || containsAny(text, notHadJapanese):
		return false
	case containsAny(text, []string{"不要", "必要はありません", "必要ありません", "要りません", "質問はありません", "疑問はありません", "無用"}):
		return true
	}
	return containsAny(text, []string{"いただいてい", "いただいており", "いただきまし", "いただいたので", "頂いてい", "頂きまし", "もらってい", "もらいまし", "得てい", "ありがとう", "済みで", "どおり", "とおり", "通り"})
}

var (
	// notHadJapanese say that leave is not there yet.
	notHadJapanese   = []string{"から実行", "てから", "たら", "れば", "まで", "次第", "ていません", "いません", "ておりません", "後に", "ますか", "ですか", "？", "?", "しません"}
	patienceJapanese = []string{"少しお待ち", "少々お待ち", "しばらくお待ち", "ちょっとお待ち"}
	// consultJapanese are what a writer does who asks first, whoJapanese whom, consentJapanese for what, viewsJapanese what is wanted of them.
	consultJapanese = []string{"伺いま", "伺わせ", "伺いたい", "お伺いし", "ご相談", "相談しま", "聞かせて", "お尋ね", "尋ねます", "確認させて", "確認を取", "確認をと", "確認が必要", "確認を求め", "をもらう必要", "を得る必要", "をいただく必要"}
	whoJapanese     = []string{"ユーザーに", "ユーザーの", "ユーザに", "ユーザの", "お客様に", "お客様の", "あなたに", "あなたの", "ご本人に", "ご本人の", "依頼者に", "依頼者の", "人間に"}
	consentJapanese = []string{"確認が必要", "許可が必要", "承認が必要", "確認する", "確認します", "確認すべき", "確認をと", "確認を取", "許可を", "承認を", "同意を", "尋ねる", "聞く", "聞いて", "相談"}
	viewsJapanese   = []string{"ご意見", "お考え", "ご判断", "可否", "ご意向"}
	mayJapanese     = []string{"てもいい", "てもよい", "ても良い", "ていい", "てよい", "て良い", "てもOK", "ても大丈夫", "でもいい", "でいい"}
	// pleasedJapanese are in questions whether to act, repliesJapanese in what asks for an answer.
	pleasedJapanese = []string{"どう思", "よろしい", "いかが", "どうしま", "問題な", "てもいい", "てもよい", "ていい", "てよい", "いただけます", "構いませ", "かまいませ", "差し支え"}
	repliesJapanese = []string{"ご確認", "教えて", "お知らせ", "ご連絡", "返信", "返事", "返答", "回答"}
	draftsJapanese  = []string{"案", "提案", "草案", "下書き", "ドラフト", "要承認", "要確認", "承認待ち", "確認待ち", "確認が必要", "確認が必要です", "ご確認が必要です", "先に確認してください", "まず確認してください", "事前に確認してください", "先にご確認ください"}
	firstJapanese   = []string{"前に", "まず", "先に", "事前に", "一度", "いったん", "一旦"}
	lookJapanese    = []string{"お知らせいただき", "教えていただき", "確認ください", "確認いただき", "確認下さい", "確認をお願い", "見てください", "見ていただ", "ご覧", "ご一読", "目を通し", "レビューをお願い", "レビューして", "見てほし", "読んでいただ"}
	haltJapanese    = []string{"ここで", "一旦", "いったん", "一度", "ひとまず"}
	haltsJapanese   = []string{"止めます", "止まります", "停止します", "区切ります", "待機します", "ストップします", "手を止め"}
	tokensJapanese  = []string{"「はい」", "はいと", "y と", "yと", "「y」", "yes", "OK と", "OKと", "はい/いいえ", "はい・いいえ", "「OK」", "Enter", "番号"}
	answersJapanese = []string{"入力", "返信", "返事", "お答え", "答えて", "押して", "選んで", "ご返答"}
	courtesies      = []string{"よろしくお願いします", "よろしくお願いいたします", "よろしくお願い致します", "宜しくお願いします", "少々お待ちください", "少しお待ちください", "しばらくお待ちください", "お待ちくださいませ", "少々お待ち下さい", "少しお待ち下さい", "お任せください", "お待たせしました", "お待たせいたしました"}
	afterJapanese   = []string{"後で", "後ほど", "あとで", "修正後", "適用後", "完了後", "変更後", "実行後", "更新後", "作業後", "終了後", "直したあと", "直した後", "したあとで", "した後で", "この後", "このあと", "終わったら", "終わりましたら", "終わり次第", "済んだら", "完了したら", "完了しましたら"}
	reportsJapanese = []string{"も更新", "も追加", "も修正", "も直", "も書", "も作", "も変", "結果", "報告", "お知らせ", "ご連絡", "教えて", "言ってください", "知らせて", "確認してください", "お申し付け", "お聞き", "お伝え", "動作をご確認", "動作確認", "どうぞ", "戻せます"}
	otherJapanese   = []string{"ほかに", "他に", "何か", "間違いがあ", "間違って", "誤りがあ", "不明", "問題があ", "問題がござ", "別の", "追加し", "戻したい", "戻す場合", "元に戻", "必要であれば", "必要なら", "ご要望", "沿っていなければ", "違っていれば", "違っていたら", "気に入ら"}
)
