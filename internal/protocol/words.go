package protocol

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// What a text directly before or behind an action says of it: its words in order against the tables of cues.go, in
// English and Japanese.

// doubted reports whether what stands before an action says that it is not meant, or not yet. A line that says nothing of
// the kind must lead up to something that its writer does, where it leads up to anything. In a thought of the language
// taught only a refusal, or another's words, say so: thoughts weigh examples.
func doubted(before string) bool {
	whole := strings.TrimSpace(lastOf(before))
	line := strings.Trim(whole, " \t\r\n*_`")
	list := sentences(line)
	if len(list) == 0 {
		return false
	}
	if choice(line) {
		return true
	}
	if verb, _, shown := strings.Cut(line, " @ "); shown && strings.HasPrefix(verb, "$ ") { // an action that was only shown
		return doubted(before[:strings.LastIndex(before, whole)])
	}
	last := list[len(list)-1]
	if muted(whole) && strings.IndexAny(whole, "=-") != 0 {
		if _, said, labelled := strings.Cut(last, ":"); labelled {
			last = said
		}
		return disclaimer(last) || Withheld(last) || leadsUp(whole) && tells(last) || doubted(before[:strings.LastIndex(before, whole)])
	}
	if strings.ContainsAny(last, "?？") && asks(last) || strings.HasSuffix(strings.TrimRight(last, "。:： "), "か") {
		return true
	}
	switch c := cueOf(last); {
	case c == resolve, c == announce:
		return false
	case c > source, c == source && leadsUp(whole), c == past && containsAny(last, pointingJapanese), containsAny(last, thusJapanese) && endsWith(strings.TrimRight(last, "。"), beingJapanese):
		return true
	}
	if len(list) > 1 {
		prior := list[len(list)-2]
		switch said := cueOf(prior); {
		case strings.ContainsAny(prior, "?？") && asks(prior), disclaimer(prior), said == pending:
			return true
		case said == resolve:
			return false
		}
	}
	return (leadsUp(whole) || underlined(before, whole)) && !undertakes(last)
}

// choice reports whether a line between two actions offers one in the other's place.
func choice(line string) bool {
	return has(choices, strings.ToLower(strings.Trim(line, " \t\r\n*_`-.:：,、()（）")))
}

// underlined reports whether a rule makes the last line of a text with words a heading.
func underlined(text, line string) bool {
	below := strings.TrimLeft(text[strings.LastIndex(text, line)+len(line):], "\r\n")
	return !strings.ContainsRune(".!。！…?？:：", lastRune(line)) && (strings.HasPrefix(below, "---") || strings.HasPrefix(below, "==="))
}

// leadsUp reports whether a line hands over to what follows it: with a colon, as a heading, or by ending in the middle of
// a sentence.
func leadsUp(line string) bool {
	line = strings.TrimRight(line, " \t\r\n*_`\"'”")
	switch last := lastRune(line); {
	case strings.HasPrefix(line, "#"), last == ':', last == '：':
		return true
	case strings.ContainsRune(".!。！…?？", lastRune(strings.TrimRight(line, ")）"))):
		return false
	}
	if first, _ := utf8.DecodeRuneInString(strings.TrimLeft(line, " \t-*_=\"'“【「『（([―")); !unicode.IsLetter(first) && !unicode.IsDigit(first) {
		return false // no sentence
	}
	return len(wordsOf(line)) > 1 || inJapanese(line) && utf8.RuneCountInString(line) > 2
}

// undertakes reports whether a sentence that no cue decides announces what its writer does: it begins with a deed, with
// where its writer stands in a row of them, or shows what was made; or it says what this, which follows, does.
func undertakes(sentence string) bool {
	if inJapanese(sentence) {
		return undertakesJapanese(sentence)
	}
	if label, _, of := strings.Cut(sentence, ": "); of && len(wordsOf(label)) < 3 && !announced(wordsOf(label)) {
		return false // a record's field
	}
	return announced(wordsOf(sentence))
}

func announced(words []word) bool {
	stands := false
	for len(words) > 0 && (has(fillers, words[0].text) || has(ordinals, words[0].text) || digits(words[0].text)) {
		stands = stands || has(ordinals, words[0].text) && !(len(words) > 1 && has(spans, words[1].text))
		words = words[1:]
	}
	if len(words) == 0 {
		return true
	}
	so := len(words) > 1 && words[len(words)-1].text == "so" && words[len(words)-2].stop
	if i := lastClause(words); i > 0 && !slices.ContainsFunc(words[:i], func(w word) bool { return has(writings, w.text) }) && len(words) > i+1 {
		return announced(words[i:])
	}
	first := words[0].text
	shown := has(demonstratives, first) || first == "the" && len(words) > 1 && (words[1].text == "following" || isDeed(words[1].text))
	made, other, finite, was, row := false, has(selves, first), false, false, stands
	for i, w := range words {
		kind, tense := verbOf(w.text)
		other = other || negation(w.text) || tense == before && kind != works || slices.ContainsFunc([][]string{writings, spans, readers, modals, nos}, func(l []string) bool { return has(l, w.text) }) && !(i == 0 && kind == works)
		finite = finite || has(states, w.text) || (tense == third || tense == before) && i > 0 && !has(determiners, words[i-1].text) ||
			i > 0 && strings.HasSuffix(w.text, "s") && i+1 < len(words) && has(objects, words[i+1].text)
		was = was || tense == before && i > 0 && !has(determiners, words[i-1].text)
		made = made || isDeed(w.text) || has(fresh, w.text)
		row = row || has(ordinals, w.text)
		if row && w.text == "is" && i+2 < len(words) && words[i+1].text == "to" && isDeed(words[i+2].text) {
			return true
		}
	}
	kind, tense := verbOf(first)
	switch {
	case so, first == "only":
		return true
	case other:
		return false
	case stands && !was, row && !finite && len(words) <= labelLength, shown && made, kind == works && (tense == present || tense == going):
		return true
	}
	return made && !finite && len(words) <= labelLength
}

// lastClause is where the last clause of a sentence begins that has more than a word or two.
func lastClause(words []word) int {
	for i := len(words) - 2; i > 0; i-- {
		if words[i-1].stop {
			return i
		}
	}
	return 0
}

func isDeed(word string) bool {
	kind, tense := verbOf(word)
	return kind == works && tense == present || has(makings, word)
}

// labelLength is how many words a label has at most.
const labelLength = 6

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

// asks reports whether a question is one whether to do what is written.
func asks(s string) bool {
	return !mentions(s, aside) && (mentions(s, asking) || japaneseQuestion(s))
}

// questioned reports whether what stands behind an action asks whether to do it.
func questioned(behind string) bool {
	return slices.ContainsFunc(firstSentences(behind), func(s string) bool {
		return (strings.ContainsAny(s, "?？") || japaneseQuestion(s)) && asks(s)
	})
}

// disclaimed reports whether what stands behind an action says that it was only shown, or waits for leave: it denies
// what it points at, says whose words they are, or turns to the reader.
func disclaimed(behind string) bool { return slices.ContainsFunc(firstSentences(behind), takesBack) }

func takesBack(s string) bool {
	if containsAny(strings.ToLower(s), recants) {
		return true
	}
	switch {
	case inJapanese(s):
		return takesBackJapanese(s)
	case strings.Contains(s, "?"):
		return false // see questioned
	}
	words := wordsOf(s)
	for len(words) > 0 && has(fillers, words[0].text) {
		words = words[1:]
	}
	of := func(lists ...[]string) bool {
		return slices.ContainsFunc(words, func(w word) bool {
			return slices.ContainsFunc(lists, func(l []string) bool { return has(l, w.text) })
		})
	}
	if len(words) == 0 {
		return false
	}
	c := cueOf(s)
	if c != resolve && of(writings) && !has(goings, words[0].text) && of(demonstratives, pronouns, determiners) || of(intruders) {
		return true // it speaks of a text
	}
	if mentions(s, aside) || (has(ordinals, words[0].text) || has(goings, words[0].text)) && !of(readers, []string{"me"}) {
		return false
	}
	first, second := words[0].text, words[min(1, len(words)-1)].text
	self, pointed := first == "i" || first == "we", of(demonstratives, pronouns)
	denied := of(nos) || slices.ContainsFunc(words, func(w word) bool { return negation(w.text) })
	kind, tense := verbOf(first)
	told, said := verbOf(second)
	speaks := slices.ContainsFunc(words[:min(4, len(words))], func(w word) bool { k, _ := verbOf(w.text); return k == reports })
	switch {
	case c == refusal && (pointed || len(words) <= briefly), denied && of(performed, executions, orders):
		return true
	case (c == example || c == source) && (pointed && !of(maybes) || len(words) <= briefly/2), tense == present && (kind > works || second == "me"), speaks && (has(selves, first) || has(pronouns, first) || has(demonstratives, first)) && !of(ordinals):
		return true
	case of(leaves) && of(readers, []string{"me"}), c == pending && of(readers), has(requests, first), first == "do" && negation(second), self && told != works && said == timeless && !has(attitudes, second):
		return true
	}
	return has(demonstratives, first) && (said == before && of([]string{"from", "in", "by"}) || has(states, second) && of([]string{"from", "part", "in", "of"}))
}

// briefly is how many words a sentence has that says no and does not say to what.
const briefly = 6

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
	return s.directed && !(len(words) > 1 && words[0].text == "if" && has(determiners, words[1].text)) // if the limit is null, skip it
}

func lastRune(s string) rune {
	r, _ := utf8.DecodeLastRuneInString(s)
	return r
}
