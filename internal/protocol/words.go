package protocol

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// What a text directly before or behind an action says of it: its words in order against the tables of cues.go, in
// English and Japanese.

// doubted reports whether what stands before an action says that it is not meant, or not yet. In a thought of the
// language taught only a refusal says so: thoughts weigh examples.
func doubted(before string, thought bool) bool {
	line := strings.Trim(lastOf(before), " \t\r\n*_`")
	if line == "" {
		return false
	}
	list := sentences(line)
	last := list[len(list)-1]
	if thought {
		return disclaimer(last)
	}
	if strings.ContainsAny(last, "?？") && asks(last) || strings.HasSuffix(strings.TrimRight(last, "。:： "), "か") {
		return true
	}
	switch c := cueOf(last); {
	case c == resolve:
		return false
	case c != nothing && c != announce:
		return true
	case len(list) == 1:
		return c == nothing && introduces(line)
	default:
		prior := list[len(list)-2]
		switch said := cueOf(prior); {
		case strings.ContainsAny(prior, "?？"):
			return asks(prior)
		case said == resolve:
			return false
		default:
			return disclaimer(prior) || c == nothing && (said == pending || introduces(last))
		}
	}
}

// Example reports whether a text ends with words that hand over to an example.
func Example(text string) bool {
	list := sentences(strings.Trim(lastOf(text[max(0, len(text)-nearby):]), " \t\r\n*_`"))
	return len(list) > 0 && cueOf(list[len(list)-1]) == example
}

// Announces reports whether a text ends with words that say that what follows is being done.
func Announces(text string) bool {
	list := sentences(strings.Trim(lastOf(text[max(0, len(text)-nearby):]), " \t\r\n*_`"))
	return len(list) > 0 && cueOf(list[len(list)-1]) == resolve
}

// introduces reports whether a line hands over to what follows it without saying that it is being done: somebody's text
// may stand there. A line that begins with what to do, or a word or two, says so.
func introduces(line string) bool {
	body := strings.TrimRight(line, ":： ")
	if body == strings.TrimRight(line, " ") {
		return false
	}
	if inJapanese(body) {
		return !slices.ContainsFunc(imperatives, func(end string) bool { return strings.HasSuffix(body, end) })
	}
	words := wordsOf(body)
	english := slices.ContainsFunc(words, func(w word) bool {
		return has(carriers, w.text) && w.text != "a" || has(reporting, w.text) || has(adverbs, w.text) || strings.HasSuffix(w.text, "'s")
	})
	return english && len(words) > 2 && !has(imperatives, words[0].text) && !strings.HasSuffix(words[0].text, "tion")
}

// sentences parts a line behind full stops, question marks and their Japanese kin.
func sentences(line string) []string {
	var out []string
	start := 0
	for i, r := range line {
		if r < 0x80 && r != '.' && r != '!' && r != '?' && r != ';' || r >= 0x80 && r != '。' && r != '！' && r != '？' {
			continue
		}
		n := utf8.RuneLen(r)
		if r < 0x80 && i+1 < len(line) && line[i+1] != ' ' || strings.HasSuffix(line[:i], "e.g") || strings.HasSuffix(line[:i], "i.e") {
			continue
		}
		if s := strings.TrimSpace(line[start : i+n]); s != "" {
			out = append(out, s)
		}
		start = i + n
	}
	if s := strings.TrimSpace(line[start:]); s != "" {
		out = append(out, s)
	}
	return out
}

// A word is one in small letters; stop says that a clause ends behind it.
type word struct {
	text string
	stop bool
}

var plainer = strings.NewReplacer("’", "'", "(", " ", ")", " ", "—", ", ", "–", ", ", "：", ": ", "*", "", "_", " ", "`", " ", "\"", " ", "e.g.", "eg", "i.e.", "ie")

// wordsOf are a sentence's words.
func wordsOf(sentence string) []word {
	low := strings.ToLower(sentence)
	if strings.ContainsAny(low, "’()—–：*_`\"") || strings.Contains(low, "e.g.") || strings.Contains(low, "i.e.") {
		low = plainer.Replace(low)
	}
	fields := strings.Fields(low)
	out := make([]word, 0, len(fields))
	for _, f := range fields {
		if text := strings.Trim(f, ".,;:!?…~“”#>•・"); text != "" {
			out = append(out, word{text, strings.ContainsRune(",;:", rune(f[len(f)-1]))})
		} else if len(out) > 0 {
			out[len(out)-1].stop = true
		}
	}
	return out
}

// cueOf is what a sentence says of the action behind it.
func cueOf(sentence string) cue {
	if c := japaneseCue(sentence); c != nothing {
		return c
	}
	words := wordsOf(sentence)
	var s said
	for i := 0; i < len(words); {
		i += s.take(words, i)
	}
	if n := len(words); n > 1 && has(reporting, words[n-1].text) {
		s.shown = s.shown || !s.resolved
	}
	return s.verdict()
}

// said is what a sentence has said so far.
type said struct {
	resolved, shown, refused, pending, announced bool
	loosely                                      bool // a refusal that may concern something else, in the last clause
	turned                                       bool // behind "so" or "but"
	aside                                        bool // in a part that says why
	directed                                     bool // a refusal of just what follows
	opened                                       int  // where the clause began
}

func (s *said) verdict() cue {
	switch {
	case s.pending:
		return pending
	case s.refused:
		return refusal
	case s.resolved:
		return resolve
	case s.loosely:
		return refusal
	case s.shown:
		return example
	case s.announced:
		return announce
	}
	return nothing
}

// take reads the cue at a word, and says how many words it took.
func (s *said) take(words []word, i int) int {
	starts := i == 0 || words[i-1].stop || slices.Contains([]string{"so", "but", "and", "then", "now", "instead", "therefore", "here", "please"}, words[i-1].text)
	if i > 0 && words[i-1].stop {
		s.aside, s.loosely, s.opened = false, false, i
	}
	c, n := englishPhrases().find(words[i:], starts)
	if c == nothing && starts && gerund(words[i].text) {
		c, n = resolve, 1
	}
	if negated, directed := negates(words, i); negated && c != pending && c != idle {
		s.directed = s.directed || directed && !s.aside
		s.refused = s.refused || s.directed
		s.loosely = s.loosely || !s.aside
		return max(n, 1)
	}
	switch {
	case c == resolve:
		s.resolve(words, i, n)
	case c == contrast:
		s.turned, s.aside = s.turned || i+n < len(words), false
	case s.aside:
	case c == reason:
		s.aside, s.announced = true, s.announced || words[i].text == "to"
	case c == announce, c == idle:
		s.announced = true
	case c == source:
		s.shown = s.shown || !s.resolved && carried(words[s.opened:i])
	case c == example:
		s.shown = s.shown || !s.resolved
	case c == refusal:
		s.refused, s.directed = s.refused || !s.resolved, s.directed || n > 1
	case c == pending:
		s.pending = true
	}
	return max(n, 1)
}

// resolve takes "I'll" and its like, unless the words behind it take it back. It outweighs what stands before it, but
// not what it depends on.
func (s *said) resolve(words []word, i, n int) {
	j := i + n
	for j < len(words) && has(adverbs, words[j].text) {
		j++
	}
	if j < len(words) && !words[j-1].stop {
		switch c, _ := behindPhrases().find(words[j:], true); c {
		case example:
			s.shown = true
			return
		case refusal:
			s.refused, s.directed = true, true
			return
		case pending:
			s.pending = true
			return
		}
		if negation(words[j].text) {
			return // read next
		}
		if n == 1 && j == i+1 && strings.HasSuffix(words[j].text, "ed") && !strings.HasSuffix(words[j].text, "eed") {
			s.shown = true
			return
		}
	}
	if s.turned {
		s.pending = false
	}
	if s.turned || i > 0 && words[i-1].stop {
		s.refused, s.directed = false, false
	}
	s.resolved, s.shown, s.aside = true, false, false
}

// gerund reports whether a clause that begins with a word says what its writer is doing.
func gerund(w string) bool { return strings.HasSuffix(w, "ing") && len(w) > 5 && !has(nouns, w) }

// carried reports whether words only lead to the one who says something.
func carried(words []word) bool {
	return !slices.ContainsFunc(words, func(w word) bool { return !has(carriers, w.text) && !strings.HasSuffix(w.text, "'s") })
}

// negates reports whether a word negates what is done; directed says that this is the action that follows, or all.
func negates(words []word, i int) (negated, directed bool) {
	w := words[i].text
	j := i + 1
	switch {
	case negation(w):
		if i > 0 && has([]string{"why", "or", "if", "but"}, words[i-1].text) {
			return false, false
		}
		if words[i].stop && w == "never" {
			return true, true
		}
	case (w == "against" || w == "without" || w == "avoid") && j < len(words):
	case (w == "instead" || w == "rather") && j < len(words) && (words[j].text == "of" || words[j].text == "than"):
		j++
	default:
		return false, false
	}
	for j < len(words) && (has(adverbs, words[j].text) || words[j].text == "been" || words[j].text == "have" || words[j].text == "ever" || words[j].text == "actually") {
		j++
	}
	if j >= len(words) {
		return i > 0, w != "not" || i > 0
	}
	verb := words[j].text
	switch {
	case i > 0 && (i < 2 || words[i-2].text != "i" && words[i-2].text != "we") && has([]string{"is", "are", "was", "were"}, words[i-1].text), has([]string{"isn't", "aren't", "wasn't", "weren't"}, w):
		d := has(ill, verb)
		return d, d
	case verb == "yet" || verb == "like" && len(words) <= j+2:
		return true, true
	case has(pointers, verb) && j+1 == len(words), has(knowing, verb):
		return has(pointers, verb), has(pointers, verb)
	case words[j].stop || j+1 == len(words):
		return true, true
	}
	object := words[j+1].text
	if (object == "the" || object == "a" || object == "any" || object == "out") && j+2 < len(words) {
		directed = has(near, words[j+2].text)
	} else {
		directed = has(pointers, object)
	}
	loose := i == 0 || has([]string{"i", "we", "do", "will", "must", "should", "would", "please"}, words[i-1].text) || strings.HasSuffix(w, "n't")
	return directed || loose && !slices.Contains([]string{"doesn't", "didn't", "isn't", "aren't", "wasn't", "weren't", "haven't", "hasn't"}, w) && w != "without", directed
}

func negation(w string) bool {
	return w == "not" || w == "never" || w == "cannot" || w == "dont" || strings.HasSuffix(w, "n't")
}

// japaneseCue is what a Japanese sentence says. A sentence that ends with what is done says so where nothing else in
// it says otherwise; of what gives the reason for it nothing counts.
func japaneseCue(sentence string) cue {
	if !inJapanese(sentence) {
		return nothing
	}
	s := innocent.Replace(strings.TrimRight(sentence, "。.!！ 　*"))
	done := doneIn(strings.TrimRight(s, ":："))
	if done {
		for _, turn := range turns {
			if i := strings.LastIndex(s, turn); i >= 0 {
				s = s[i+len(turn):]
			}
		}
	}
	for _, row := range slices.Backward(japanese) {
		if slices.ContainsFunc(row.parts, func(part string) bool { return strings.Contains(s, part) }) {
			return row.cue
		}
	}
	if done {
		return resolve
	}
	return nothing
}

// inJapanese reports whether a text has Japanese letters.
func inJapanese(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return r >= 0x80 && unicode.In(r, unicode.Hiragana, unicode.Katakana, unicode.Han) }) >= 0
}

func doneIn(s string) bool {
	return slices.ContainsFunc(doingJapanese, func(end string) bool { return strings.HasSuffix(s, end) })
}

// asks reports whether a question is one whether to do what is written.
func asks(s string) bool {
	return !mentions(s, aside) && (mentions(s, asking) || japaneseQuestion(s))
}

func japaneseQuestion(s string) bool {
	s = strings.TrimRight(s, "。？?!！ 　")
	return strings.HasSuffix(s, "か") || strings.HasSuffix(s, "でしょう") || strings.HasSuffix(s, "かな")
}

// questioned reports whether what stands behind an action asks whether to do it.
func questioned(behind string) bool {
	return slices.ContainsFunc(firstSentences(behind), func(s string) bool {
		return (strings.ContainsAny(s, "?？") || japaneseQuestion(s)) && asks(s)
	})
}

// disclaimed reports whether what stands behind an action says that it was only shown, or waits for leave.
func disclaimed(behind string) bool {
	return slices.ContainsFunc(firstSentences(behind), func(s string) bool {
		if c := japaneseCue(s); c != nothing {
			return c == refusal || c == pending && strings.ContainsAny(s, "許承待") && !strings.Contains(s, "結果")
		}
		words := wordsOf(s)
		pointed := slices.ContainsFunc(words, func(w word) bool { return has([]string{"this", "that", "it", "these", "above"}, w.text) })
		return mentions(s, waits) || pointed && (disclaimer(s) || mentions(s, retractions))
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
func mentions(sentence string, table []string) bool {
	words := wordsOf(sentence)
	return slices.ContainsFunc(table, func(part string) bool {
		if part[0] >= 0x80 {
			return strings.Contains(sentence, part)
		}
		first, more, several := strings.Cut(part, " ")
		for i := range words {
			if words[i].text == first && (!several || begins(words[i+1:], strings.Fields(more))) {
				return true
			}
		}
		return false
	})
}

// disclaimer reports whether a text says that what it speaks of is not done: never the reason of doing it.
func disclaimer(text string) bool {
	list := sentences(strings.TrimSpace(text[max(0, len(text)-nearby):]))
	if len(list) == 0 {
		return false
	}
	last := list[len(list)-1]
	if c := japaneseCue(last); c != nothing {
		return c == refusal
	}
	words := wordsOf(last)
	var s said
	for i := 0; i < len(words); {
		i += s.take(words, i)
	}
	return s.directed
}

func lastRune(s string) rune {
	r, _ := utf8.DecodeLastRuneInString(s)
	return r
}
