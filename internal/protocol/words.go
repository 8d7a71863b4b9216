package protocol

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// What a text directly before or behind an action says of it. Everything here is a table of words in English and
// Japanese; a sentence is read as its words in order, and the last that says something counts.

// A cue is what a word or two say of the action that follows.
type cue uint8

const (
	nothing  cue = iota
	refusal      // it is not to be done
	example      // it is only shown
	supposed     // it would, could or may be done
	resolve      // it is being done
)

// negations and doings make a refusal when the second follows the first closely, and then what is meant (pointers), or
// the sentence's end.
var (
	negations = phrasesOf("do not", "don't", "dont", "never", "must not", "mustn't", "should not", "shouldn't", "will not", "won't", "would not", "wouldn't", "cannot", "can't", "can not",
		"did not", "didn't", "have not", "haven't", "not going to", "i'd not", "i'll not", "not", "refuse to", "without", "rather than", "instead of", "avoid", "against", "under no circumstances", "do nothing", "no need to", "nobody should", "no one should")
	doings = []string{"run", "do", "execute", "apply", "use", "call", "write", "delete", "perform", "carry", "follow", "create", "edit", "send", "try", "make", "invoke", "issue", "copy", "type", "paste",
		"change", "touch", "remove", "running", "doing", "executing", "applying", "using", "calling", "writing", "deleting", "performing", "done", "executed", "applied", "used", "sent", "called", "written", "ran", "changed", "touched", "copied"}
	pointers = []string{"this", "that", "it", "these", "those", "them", "the", "such", "anything", "so", "yet", "any", "what", "out", "a", "as", "like", "one", "either", "here", "now", "by"}
	near     = []string{"following", "command", "call", "action", "line", "lines", "above", "below", "out", "out:", "next", "kind", "thing", "snippet", "block", "example", "yet", "so"}
)

// examples and suppositions are phrases in English; the latter count where a clause begins.
var (
	examples = phrasesOf("for example", "for instance", "e.g", "eg", "such as", "as an example", "an example", "example", "examples", "looks like", "look like", "looking like", "would look", "the format", "the syntax",
		"the form", "hypothetical", "hypothetically", "in theory", "schema", "sample", "template", "placeholder", "is written", "are written", "is called like", "quote", "quoted", "quoting", "illustration", "to illustrate", "advise against", "is dangerous", "are dangerous", "is harmful", "is wrong", "are wrong", "a mistake", "bad idea", "is forbidden", "recalled", "recall", "tutorial", "hypothetical")
	suppositions = phrasesOf("would", "i'd", "you'd", "we'd", "one'd", "could", "might", "you can", "you may", "you should", "you must", "you need", "you have to", "you write", "you run", "you use", "you call",
		"one can", "one may", "one writes", "people", "someone", "somebody", "suppose", "imagine", "pretend", "assuming", "if i", "if you", "if we", "if one", "an attacker", "once you", "when you", "after you", "until you", "unless you", "they", "users", "models", "agents")
	resolves = phrasesOf("i'll", "i will", "i am", "i'm", "let me", "let us", "let's", "lets", "now", "first", "next", "then", "going to", "here goes", "we will", "we'll", "i need to", "i must", "i have to", "i should", "i want to", "starting", "running",
		"proceed", "so i", "and i", "therefore i", "so we", "hence i", "so now", "here we go", "as you asked", "as you", "as requested", "as agreed", "as planned", "should be", "step", "the fix", "on it", "i only", "i just", "here i", "creating", "reading", "fixing", "adding", "writing", "updating")
	// uncertain are phrases that put off wherever they stand; leaving are those that leave it.
	uncertain = phrasesOf("not sure", "unsure", "maybe", "perhaps", "possibly", "doubt", "wondering", "thinking about", "think about", "considering", "planned", "later", "until you", "once you", "if you", "without having decided", "undecided")
	leaving   = phrasesOf("leave it", "leave this", "leave that", "leaving it", "hold back", "hold off", "refrain", "wait", "waiting", "skip this", "stay away", "rejected", "discarded")
	// unfinished are last words of a sentence that goes on in what is shown.
	unfinished = []string{"is", "are", "was", "were", "be", "says", "said", "what", "like", "of", "writes", "wrote", "contains", "that", "which", "whether", "by", "with", "as"}
	// endings are last words that hand over to somebody else's text.
	endings = []string{"says", "said", "wrote", "writes", "reads", "contains", "shows", "suggests", "suggested", "was", "were", "answered", "replied", "mentions", "states", "recommends", "wrong", "bad", "incorrect", "mistake", "unsafe", "discouraged", "like this", "as follows is", "instruction", "instructions"}
)

// japanese are the same cues as parts of sentences, refusals first.
var japanese = []struct {
	cue   cue
	parts []string
}{
	{refusal, []string{"実行しない", "実行しません", "実行するな", "実行しては", "実行はしない", "実行はしません", "まだ実行", "しないで", "しないこと", "やりません", "やらない", "行いません", "行わない", "てはいけ", "てはなら", "ではいけ", "べきではな", "やめて", "使わない", "使いません",
		"書きません", "消しません", "削除しません", "しませんでした", "していません", "するつもりはな", "せずに", "禁止", "危険"}},
	{example, []string{"とおり書", "のようにあり", "引用", "記述があ", "記載", "とあります", "間違い", "おすすめしません", "お勧めしません", "説明用", "はこう書", "こう書きました", "ではありません", "確認させて", "でよいですか", "予定です", "必要なら", "迷って", "検討", "私なら", "かもしれ", "自信", "分かりません", "わかりません", "例えば", "たとえば", "例:", "例：", "例です", "例として", "の例", "具体例", "一例", "サンプル", "書式", "形式", "構文", "のように書", "のように記", "のようになり", "のような", "と書けば", "と書くと", "と書いて", "と書かれて", "とあります", "と言って", "引用", "見本", "雛形", "テンプレート"}},
	{supposed, []string{"もし", "仮に", "場合は", "場合、", "だとすれば", "とすれば", "するなら", "でしょう", "かもしれ", "ことができ", "こともでき", "できます", "すればよい", "すればいい", "すると良い", "するとよい", "てください", "には次の"}},
	{resolve, []string{"します", "ます", "しよう", "ましょう", "する", "した", "次に", "まず", "では"}},
}

// asking are phrases of a question whether to do something; aside says that it is about something else.
var (
	asking = phrasesOf("should i", "shall i", "may i", "can i", "could i", "do you want", "would you like", "is this", "is that", "is it ok", "is it fine", "is it right", "ok", "okay", "go ahead", "proceed", "agree", "approve", "confirm", "which", "which one",
		"what do you think", "sound good", "sounds good", "look good", "looks good", "want me to", "all right", "alright", "permission", "よいですか", "良いですか", "いいですか", "よろしい", "しますか", "しましょうか", "実行して", "進めて", "構いませんか", "かまいませんか", "大丈夫ですか")
	aside = phrasesOf("also", "next", "then", "more", "another", "further", "afterwards", "else", "besides", "too", "anything", "additionally", "他に", "ほかに", "次に", "さらに", "また")
	// retractions say behind an action that it was only shown.
	retractions = phrasesOf("only an example", "just an example", "an example", "example only", "not executed", "not run", "not done", "would be", "would do", "would run", "for illustration")
)

// doubted reports whether what stands before an action says that it is not meant, or not yet. In a thought of the
// language taught only a refusal says so: thoughts weigh examples.
func doubted(before string, thought bool) bool {
	line := strings.Trim(lastOf(before), " \t\r\n*_`")
	if line == "" {
		return false
	}
	list := sentences(line)
	verdict := nothing
	if last := list[len(list)-1]; strings.ContainsAny(last, "?？") && mentions(last, asking) && !mentions(last, aside) {
		return true
	}
	for i, s := range list {
		if i < len(list)-2 {
			continue
		}
		c := cueOf(s)
		if c == example && i < len(list)-1 || c == supposed && i < len(list)-1 {
			continue
		}
		if c != nothing && !(verdict == example && i == len(list)-1 && c == resolve) {
			verdict = c
		}
	}
	if verdict == nothing && !thought && introduces(line) {
		return true
	}
	return verdict == refusal || !thought && (verdict == example || verdict == supposed)
}

// Example reports whether a text ends with words that hand over to an example.
func Example(text string) bool {
	list := sentences(strings.Trim(lastOf(text[max(0, len(text)-nearby):]), " \t\r\n*_`"))
	return len(list) > 0 && cueOf(list[len(list)-1]) == example
}

// introduces reports whether a line hands over to what follows it without saying that it is being done: somebody's text
// may stand there. A line that begins with what to do says so.
func introduces(line string) bool {
	if !strings.HasSuffix(line, ":") && !strings.HasSuffix(line, "：") {
		return false
	}
	words := wordsOf(line)
	if len(words) < 2 || len(words) > 12 {
		return false
	}
	first := clean(words[0])
	return slices.Contains([]string{"the", "in", "from", "a", "an", "your", "their", "his", "what", "yesterday", "my", "line", "its", "you", "this", "that", "it", "he", "she", "they", "somebody", "someone", "page", "on", "at", "per", "according"}, first)
}

// sentences parts a line behind full stops, question marks and their Japanese kin.
func sentences(line string) []string {
	var out []string
	start := 0
	for i, r := range line {
		n := utf8.RuneLen(r)
		switch {
		case n < 0:
		case strings.ContainsRune("。！？", r), strings.ContainsRune(".!?;", r) && (i+1 == len(line) || line[i+1] == ' '):
			if s := strings.TrimSpace(line[start : i+n]); s != "" {
				out = append(out, s)
			}
			start = i + n
		}
	}
	if s := strings.TrimSpace(line[start:]); s != "" {
		out = append(out, s)
	}
	return out
}

// cueOf is what a sentence says of the action behind it: an example is one whatever else is said, else the last cue
// counts.
func cueOf(sentence string) cue {
	if c := japaneseCue(sentence); c != nothing {
		return c
	}
	words := wordsOf(sentence)
	last := nothing
	for i := range words {
		rest := words[i:]
		switch {
		case starts(rest, examples) > 0 && !resolved(words[:i]):
			if !resolved(behindBut(rest)) {
				return example
			}
		case refuses(rest), starts(rest, leaving) > 0:
			last = refusal
		case starts(rest, uncertain) > 0:
			last = supposed
		case starts(rest, suppositions) > 0 && opensClause(words, i):
			last = supposed
		case doing(words, i):
			last = resolve
		case starts(rest, resolves) > 0 && last != refusal || starts(rest, resolves) > 0 && i > 0 && boundary(words[i-1]):
			if !refuses(rest[min(len(rest), starts(rest, resolves)):]) {
				last = resolve
			}
		}
	}
	if last == nothing && handsOver(words) {
		return example
	}
	return last
}

// doing reports whether a clause begins with what its writer does: "Fixing it now".
func doing(words []string, i int) bool {
	return strings.HasSuffix(clean(words[i]), "ing") && len(words[i]) > 5 && (i == 0 || boundary(words[i-1]))
}

// behindBut is what a sentence says in contrast to what it said before.
func behindBut(words []string) []string {
	for i, w := range words {
		if w == "but" || w == "instead" || w == "however" {
			return words[i:]
		}
	}
	return nil
}

// resolved reports whether a clause before says that it is being done: a template or a sample may be what is made.
func resolved(words []string) bool {
	for i := range words {
		if starts(words[i:], resolves) > 0 {
			return true
		}
	}
	return false
}

// boundary reports whether a word ends a clause.
func boundary(word string) bool {
	return strings.ContainsRune(",;:", rune(word[len(word)-1])) || slices.Contains([]string{"so", "but", "instead", "and", "therefore"}, word)
}

// opensClause reports whether a clause begins at a word, or with one before it that only carries it: who would do it.
func opensClause(words []string, i int) bool {
	if i == 0 || boundary(words[i-1]) || slices.Contains([]string{"how", "what", "which", "or", "where"}, words[i-1]) {
		return true
	}
	subject := slices.Contains([]string{"you", "i", "we", "one", "it", "that", "this", "they", "then", "call", "command", "which", "what"}, words[i-1])
	return subject && (i == 1 || words[i-2] != "so" && (boundary(words[i-2]) || slices.Contains([]string{"what", "how", "then", "the", "here's"}, words[i-2])))
}

// refuses reports whether words begin with a negation of doing what follows.
func refuses(words []string) bool {
	n := starts(words, negations)
	if n == 0 {
		return false
	}
	if n == len(words) {
		return false
	}
	if next := clean(words[n]); n+1 == len(words) && slices.Contains(pointers, next) || slices.Contains([]string{"like", "yet"}, next) && n+2 >= len(words) {
		return true
	}
	for j := n; j < min(len(words), n+4); j++ {
		if !slices.Contains(doings, clean(words[j])) {
			continue
		}
		if j+1 == len(words) || words[j] != clean(words[j]) {
			return true
		}
		next := clean(words[j+1])
		switch {
		case next == "the" || next == "a" || next == "any":
			return j+2 < len(words) && slices.Contains(near, clean(words[j+2]))
		case slices.Contains(pointers, next):
			return true
		}
	}
	return false
}

// handsOver reports whether a sentence ends with a word behind which somebody else's text stands.
func handsOver(words []string) bool {
	n := len(words)
	if n == 0 {
		return false
	}
	if !strings.HasSuffix(words[n-1], ":") {
		return slices.Contains(unfinished, words[n-1])
	}
	last := clean(words[n-1])
	if n > 1 && slices.Contains(endings, clean(words[n-2])+" "+last) {
		return slices.Contains(words, "is") || slices.Contains(words, "are")
	}
	return slices.Contains(endings, last)
}

// phrases are a table by the first word of each, with the words behind it; parts are those in Japanese, as they came.
type phrases struct {
	by    map[string][][]string
	parts []string
}

func phrasesOf(table ...string) phrases {
	p := phrases{by: map[string][][]string{}}
	for _, phrase := range table {
		words := strings.Fields(phrase)
		p.by[words[0]] = append(p.by[words[0]], words[1:])
		if phrase[0] >= 0x80 {
			p.parts = append(p.parts, phrase)
		}
	}
	return p
}

// starts is how many words a phrase of the table takes at the beginning of words, 0 for none.
func starts(words []string, table phrases) int {
	if len(words) == 0 {
		return 0
	}
	for _, more := range table.by[clean(words[0])] {
		if len(more) < len(words) && slices.EqualFunc(more, words[1:1+len(more)], func(w, word string) bool { return w == clean(word) }) {
			return 1 + len(more)
		}
	}
	return 0
}

// wordsOf are a sentence's words in small letters, with the punctuation behind them.
func wordsOf(sentence string) []string {
	return strings.Fields(plainWords.Replace(strings.ToLower(sentence)))
}

var plainWords = strings.NewReplacer("’", "'", "(", " ", ")", " ", "—", ", ", "–", ", ", "：", ": ", "*", "", "_", " ", "`", " ", "\"", " ")

// clean is a word without the punctuation around it.
func clean(word string) string {
	if last := len(word) - 1; last >= 0 && word[0] >= 'a' && word[0] <= 'z' && word[last] >= 'a' && word[last] <= 'z' {
		return word
	}
	return strings.Trim(word, ".,;:!?…~")
}

// japaneseCue is what a Japanese sentence says. Refusals and examples stand against everything else; of the others the
// last counts.
func japaneseCue(sentence string) cue {
	if strings.IndexFunc(sentence, func(r rune) bool { return unicode.In(r, unicode.Hiragana, unicode.Katakana, unicode.Han) }) < 0 {
		return nothing
	}
	last, at := nothing, -1
	for _, row := range japanese {
		for _, part := range row.parts {
			i := strings.LastIndex(sentence, part)
			switch {
			case i < 0:
			case row.cue == example:
				return example
			case i > at && (last != refusal || row.cue != resolve || i > at+30):
				last, at = row.cue, i
			}
		}
	}
	return last
}

// questioned reports whether what stands behind an action asks whether to do it.
func questioned(behind string) bool {
	for _, s := range firstSentences(behind) {
		if !strings.ContainsAny(s, "?？") && !strings.HasSuffix(s, "か。") && !strings.HasSuffix(s, "か") {
			continue
		}
		if mentions(s, asking) && !mentions(s, aside) {
			return true
		}
	}
	return false
}

// disclaimed reports whether what stands behind an action says that it was only shown.
func disclaimed(behind string) bool {
	for _, s := range firstSentences(behind) {
		if japaneseCue(s) == refusal {
			return true
		}
		if words := wordsOf(s); pointed(words) && (refused(words) || mentions(s, retractions)) {
			return true
		}
	}
	return false
}

func refused(words []string) bool {
	for i := range words {
		if refuses(words[i:]) {
			return true
		}
	}
	return false
}

// pointed reports whether a sentence speaks of this, that or it.
func pointed(words []string) bool {
	return slices.ContainsFunc(words, func(w string) bool {
		return slices.Contains([]string{"this", "that", "it", "these", "above"}, clean(w))
	})
}

// firstSentences are the first ones of the first line that says something.
func firstSentences(text string) []string {
	for line := range strings.Lines(text) {
		if hollow(line) {
			continue
		}
		line = strings.TrimRight(strings.TrimLeft(line, " \t*_`?\"'"), " \t\r\n*_`\"'")
		list := sentences(line)
		return list[:min(3, len(list))]
	}
	return nil
}

// mentions reports whether a sentence has one of the phrases, as words, or in Japanese as a part.
func mentions(sentence string, table phrases) bool {
	words := wordsOf(sentence)
	for i := range words {
		if starts(words[i:], table) > 0 {
			return true
		}
	}
	return slices.ContainsFunc(table.parts, func(part string) bool { return strings.Contains(sentence, part) })
}

// disclaimer reports whether a text says that what follows is not done: never the reason of doing it.
func disclaimer(text string) bool {
	list := sentences(strings.TrimSpace(text))
	return len(list) > 0 && cueOf(list[len(list)-1]) == refusal
}

func lastRune(s string) rune {
	r, _ := utf8.DecodeLastRuneInString(s)
	return r
}
