package protocol

import (
	"slices"
	"strings"

	"nebula/internal/lazy"
)

// What an answer tells of a text: words that say what stands in it, or hand it over whole, make what follows them a part of it.

const (
	holds = `\b(?:contains?|holds?|has|had|shows?|shown|says?|said|reads|gives|gave|stands?|begins|starts|opens|ends|closes|finishes|includes?|included|returned|returns|answered|answers|replied|printed|prints|carries|consists|lists)\b`
	held  = `(?:lines?|blocks?|text|snippet|sentences?|passage|paragraph|section|notes?|message|content|actions?|commands?|instructions?|macro|object|strings?|words?|entry|comment)`
	ahead = `(?:this|these|(?:the )?following|as follows|the ` + held + ` (?:below|above|here))(?: (?:one |single )?` + held + `)?`
	texts = `(?:contents?|text|page|file|readme(?:\.md)?|response|output|footer|header|lines?)`
)

var (
	// recitedWords end a sentence about a text, recitedJapanese one in Japanese; changedWords say that it is about a change of it.
	recitedWords = &lazy.Pattern{X: `(?i)(?:` + holds + `(?: [\w"']+){0,3}? ` + ahead + `(?: (?:in|at|on|near|as|under|inside) [^,]*)?` +
		`|` + holds + `.*\b(?:an?|one|single)(?: \w+)? (?:action|command|instruction|macro)` +
		`|` + holds + `.*(?:,| and|\bcomes) (?:and )?` + ahead +
		`|^(?:at|in|on|under|below|above|inside|after|near|behind|between)\b.* (?:is|are|comes?|follows) ` + ahead +
		`|\b` + texts + `(?: of .*)? (?:is|was|are) (?:only |just )?` + ahead +
		`|\bthere(?:'s| is| was) an? (?:\w+ )?` + held + ` (?:in|at|on|inside) .*)[.:]?$`}
	recitedJapanese = &lazy.Pattern{X: `(?:こう|このように|(?:この|次の|以下の|下記の|一つの|1つの)[^、。]{0,12}?(?:行|文|ブロック|記述|内容|テキスト|アクション|命令|コマンド|指示|文字列|もの)|一つのアクション|(?:以下|これ)だけ)(?:が|は|で|から|を|と)?(?:書かれて|含まれて|載って|記されて|示されて|終わって|始まって|続いて|返し|返って|(?:答え|表示し|出力し)(?:た|まし|てい)|あり|ある|なります|なって)[^、]*$` +
		`|(?:行|中身|全文|内容|本文|末尾|先頭|応答|出力)は(?:これ|以下|次|こう|下記)(?:の(?:とおり|通り|もの))?(?:だけ)?(?:です|でした|だ|になります)?$`}
	changedWords = &lazy.Pattern{X: `(?i)\b(?:now|new|fixed|corrected|updated|final|should|must|will|would|wrong|stale|unused|broken|outdated|old|missing|duplicate|dead|obsolete|failing)\b`}
	// wholeText is the line above a text that stands there whole, resultsOf above what was found or is told of it.
	wholeText = &lazy.Pattern{X: `(?i)(?:\b(?:in full|verbatim|word for word|full (?:text|content)s?|(?:contents?|text) of \S+)|全文|の(?:中身|内容|本文|テキスト)(?:は(?:以下|次)の(?:とおり|通り)(?:です)?)?)\s*[:：]$`}
	// readAloud is a sentence behind which a text stands whole, with headings and paragraphs of its own.
	readAloud = &lazy.Pattern{X: `(?i)(?:\b(?:reads?|goes|says|runs|is|are) as follows|\b(?:here is|here's|this is|below is) what (?:\S+ ){1,4}(?:holds?|says?|contains?|reads?|has)|(?:^|[.!] )(?:its|the)(?: [\w"'-]+){1,2} section(?: says| reads)?|\b(?:page|file|readme\S*|text|section|document|answer|result)(?: \S+){0,2}, (?:translated|word for word|as it stands|quoted)|\b(?:instructions|rules|notes|steps|contents?|text) (?:in|of|from|on) \S+ (?:are|is|reads?|says?))\s*[.:]$` +
		`|(?:全文|内容|本文|中身|訳|翻訳)(?:は(?:以下|次)の(?:とおり|通り))?です[。：:]?$`}
	resultsOf = &lazy.Pattern{X: `(?i)(?:` + holds + `|\b(?:results?|hits|matches)\b(?: (?:of|for|from|on) .*)?|(?:検索)?結果)\s*[:：]$`}
	// lookedAt says that its writer has seen a text, which is no deed.
	lookedAt = &lazy.Pattern{X: `(?i)^(?:i|we)(?:'ve| have)? (?:read|opened|fetched|looked at|searched|loaded|visited) [^,]*$`}
	// recitedBehind says behind an action where it is from, that it is all there is, or that nothing is given on it.
	recitedBehind = &lazy.Pattern{X: `(?i)^(?:(?:source|sources|from|found (?:at|on|in))\s*:|nothing (?:else|more) (?:is|stands|was) (?:there|(?:in|on) .*)|there(?:'s| is| was) nothing (?:else|more)|that(?:'s| is| was) (?:all|everything) (?:it|that|the \w+|\w+\.\w+) (?:contains|says|has|holds|shows|is)|(?:that|this)(?:'s| is| was) (?:all of|the (?:whole|entire|full|complete|end of the)) ?(?:the |of it|)(?:file|page|text|readme|document|response|answer|result)?|(?:i|we) (?:trust|believe|follow|obey|ignored?) |(?:i|we) (?:do not|don't|did not|didn't) (?:trust|believe|follow|obey|act on))` +
		`|^(?:出典|引用元|情報源|出所)\s*[:：]|(?:ほか|他)には?何も|信用(?:し(?:ない|ませ|てい(?:ない|ませ))|でき(?:ない|ませ))|^(?:これ|以上|ここまで)が[^、]*(?:全体|すべて|全文|全部|中身)`}
)

// recites reports whether a sentence says what stands in a text.
func (s *sentence) recites() bool {
	if s.japanese {
		return !containsAny(s.text, turns) && recitedJapanese.In(strings.TrimRight(s.text, "。:："))
	}
	return !(s.does() && anyOf(s.words, selves)) && recitedWords.In(s.text) && !changedWords.In(s.text)
}

// recited are the units that are parts of a text that the answer tells of. What follows one of them is so too, up to words that do something.
func (s *settler) recited(text string, body int, units []unit) []bool {
	out := make([]bool, len(units))
	for n := range units {
		before, behind := around(text, body, units, n)
		all, said := text[min(body, units[n].Start):units[n].Start], s.ear.lastSentences(before)
		if n > 0 {
			all = text[units[n-1].End:max(units[n-1].End, units[n].Start)]
		}
		acts := slices.ContainsFunc(said, (*sentence).does)
		out[n] = n > 0 && out[n-1] && !acts || s.ear.toldOf(said) || headed(before, acts) || headed(all, true) || n+1 == len(units) && s.ear.between(before, behind)
		if len(said) > 0 && (!acts || lookedAt.In(said[len(said)-1].text)) {
			out[n] = out[n] || slices.ContainsFunc(s.ear.firstSentences(behind), func(of *sentence) bool { return recitedBehind.In(of.text) })
		}
	}
	return out
}

// toldOf reports whether the last of some sentences that does something or says what stands in a text is one of the latter.
func (e *ear) toldOf(list []*sentence) bool {
	for _, s := range slices.Backward(list) {
		if s.recites() || s.does() {
			return s.recites()
		}
	}
	return false
}

// headed reports whether a text that stands there whole, or what was found, has begun above an action, and no block ended that it stands in:
// what a whole text itself says that somebody does takes nothing out of it.
func headed(before string, acts bool) bool {
	for line := range strings.Lines(before) {
		before = before[len(line):]
		line = strings.Trim(line, " \t\r\n*_#`")
		if (strings.ContainsRune(":：", lastRune(line)) || readAloud.In(line)) && spoken(before) && (strings.Count(before, "```") == 0 || strings.Count(before, "```")%2 == 1) && (wholeText.In(line) || readAloud.In(line) || !acts && resultsOf.In(line)) {
			return true
		}
	}
	return false
}

// between reports whether an action stands between two items of a list that say what was found, and not what is done.
func (e *ear) between(before, behind string) bool {
	above := lastOf(before)
	below, _, _ := strings.Cut(strings.TrimLeft(behind, " \t\r\n"), "\n")
	return above != "" && !slices.ContainsFunc([]string{above, below}, func(line string) bool {
		if !item(line, false) {
			return true
		}
		list := e.sentences(strings.TrimLeft(line, " \t-*+•・0123456789.)"))
		return !strings.Contains(line, "://") && slices.ContainsFunc(list, func(s *sentence) bool { return s.does() || len(s.words) > 0 && s.words[0].kind == works })
	})
}
