package protocol

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"nebula/internal/lists"
)

// What a text directly before or behind an action says of it: its words in order against the tables of cues.go, in
// English and Japanese.

// doubted reports whether what stands before an action says that it is not meant, or not yet. A line that says nothing of
// the kind must lead up to something that its writer does, where it leads up to anything. In a thought of the language
// taught only a refusal, or another's words, say so: thoughts weigh examples.
func (e *ear) doubted(before string) bool {
	whole := strings.TrimSpace(lastOf(before))
	if strings.HasPrefix(whole, "？") && spoken(whole) { // a question to the person, as it is taught
		return true
	}
	line := strings.Trim(whole, " \t\r\n*_`")
	list := e.sentences(line)
	if len(list) == 0 {
		return false
	}
	if choice(line) {
		return true
	}
	if above, below, shown := lastShown(before); shown && !spoken(below) {
		return e.doubted(above)
	}
	return e.introduces(before, whole, list) && (leadsUp(whole, list) || !e.describes(list, len(list)-1))
}

// introduces reports whether the last line of a text, which has some sentences, introduces something that is not meant.
func (e *ear) introduces(before, whole string, list []*sentence) bool {
	last := list[len(list)-1]
	if last.offered && last.spared {
		return slices.ContainsFunc(list[:len(list)-1], func(s *sentence) bool { return s.waits() || s.takes() })
	}
	if muted(whole) && strings.IndexAny(whole, "=-") != 0 {
		if _, said, labelled := strings.Cut(last.text, ":"); labelled && strings.TrimSpace(said) != "" {
			last = e.of(strings.TrimSpace(said))
		}
		return slices.ContainsFunc(list[max(0, len(list)-2):], (*sentence).keeps) || last.keeps() || leadsUp(whole, list) && last.tells() && !last.stands(leading) || last.hands() || e.doubted(before[:strings.LastIndex(before, whole)])
	}
	if last.waits() || len(list) > 1 && list[len(list)-2].leaves() && !last.stands(instant) && !(last.answers() && strings.ContainsAny(list[len(list)-2].text, "?？")) {
		return true
	}
	if len(list) > 1 && list[len(list)-2].wonders(last) {
		return false
	}
	if last.takes() {
		return len(list) < 2 || !last.spares(list[len(list)-2])
	}
	if last.stands(instant) || last.stands(leading) {
		return false
	}
	if slices.ContainsFunc(list[max(0, len(list)-2):], func(s *sentence) bool { return s.stands(against) }) {
		return true
	}
	if strings.ContainsAny(last.text, "?？") && last.asks() || strings.HasSuffix(strings.TrimRight(last.text, "。:： "), "か") {
		return true
	}
	switch c := last.cue; {
	case c == resolve, c == announce:
		return false
	case !leadsUp(whole, list) && last.apart():
	case c > source, c == source && leadsUp(whole, list), c == past && containsAny(last.text, pointingJapanese), containsAny(last.text, thusJapanese) && endsWith(strings.TrimRight(last.text, "。"), beingJapanese):
		return true
	}
	if len(list) > 1 {
		prior := list[len(list)-2]
		switch {
		case strings.ContainsAny(prior.text, "?？") && prior.asks() && !(last.answers() && !prior.leaves()), prior.disclaims(), prior.cue == pending:
			return true
		case prior.cue == resolve:
			return false
		}
	}
	return (leadsUp(whole, list) || underlined(before, whole)) && !last.undertakes() && !last.stands(leading) && !last.stands(grounds)
}

// hands reports whether a thought ends with a colon and says that what follows is another's, an example, or not to be.
func (s *sentence) hands() bool {
	return strings.ContainsRune(":：", lastRune(s.text)) && (s.cue >= source || s.takes()) && !s.does()
}

// apart reports whether a whole sentence that a cue makes doubtful speaks of something else than the action behind it: it does not
// point there, and leaves nothing to its reader.
func (s *sentence) apart() bool {
	switch {
	case s.elsewhere(), s.stands(affirms):
		return true
	case s.stands(clears):
		return !s.heard.directed && !containsAny(s.text, thusJapanese)
	case s.cue != example && s.cue != refusal:
		return false
	case s.japanese && containsAny(s.text, othersJapanese):
		return true
	case s.japanese:
		return s.cue == example && !containsAny(s.text, aheadJapanese)
	}
	return !s.heard.directed && !anyOf(s.words, topics|readers|near|modals|intruders) && !s.points() && !s.forbids()
}

// forbids reports whether a sentence says of a deed that it is not to be: must not be removed; not that it was not, or that
// something does not do it.
func (s *sentence) forbids() bool {
	words := s.words
	conditional := false
	for i, w := range words {
		if i == 0 || words[i-1].stop {
			conditional = lists.Has(conditions, w.text)
		}
		if conditional || !w.is(negatives) || i > 0 && lists.Has(factual, words[i-1].text) || lists.Has(factual, w.text) {
			continue
		}
		j := i + 1
		for j < len(words) && (words[j].is(adverbs) || words[j].text == "been" || words[j].text == "get") {
			j++
		}
		if j < len(words) && (words[j].kind == works || words[j].is(performed)) && !(w.text == "never" && i > 0 && words[j].tense == before && words[j-1].text == "never") {
			return true
		}
	}
	return false
}

// conditions begin a clause that says when something is so.
var conditions = []string{"if", "when", "whenever", "while", "where", "because", "since"}

// factual negate what a thing does or was.
var factual = []string{"doesn't", "didn't", "wasn't", "weren't", "does", "did", "was", "were"}

// points reports whether a sentence points at something outside of it: this, it, that; not the "that" of what is said or known.
//
//go:noinline
func (s *sentence) points() bool {
	words := s.words
	for i, w := range words {
		said := w.text == "that" && i > 0 && i+1 < len(words) && words[i+1].is(determiners|selves|carriers)
		if w.is(demonstratives|pronouns) && w.text != "with" && w.text != "so" && !said {
			return true
		}
	}
	return false
}

// choice reports whether a line between two actions offers one in the other's place.
func choice(line string) bool {
	return lists.Has(choices, strings.ToLower(strings.Trim(line, " \t\r\n*_`-.:：,、()（）")))
}

// underlined reports whether a rule makes the last line of a text with words a heading.
func underlined(text, line string) bool {
	below := strings.TrimLeft(text[strings.LastIndex(text, line)+len(line):], "\r\n")
	return !strings.ContainsRune(".!。！…?？:：", lastRune(line)) && (strings.HasPrefix(below, "---") || strings.HasPrefix(below, "==="))
}

// leadsUp reports whether a line hands over to what follows it: with a colon, as a heading, or by ending in the middle of
// a sentence.
func leadsUp(line string, list []*sentence) bool {
	line = strings.TrimRight(line, " \t\r\n*_`\"'”")
	switch last := lastRune(line); {
	case strings.HasPrefix(line, "#"), last == ':', last == '：', list[len(list)-1].opensOnto():
		return true
	case strings.ContainsRune(".!。！…?？", lastRune(strings.TrimRight(line, ")）"))):
		return false
	case item(line, true) && len(list[len(list)-1].words) > 2: // a point of a list
		return false
	}
	if first, _ := utf8.DecodeRuneInString(strings.TrimLeft(line, " \t-*_=\"'“【「『（([―")); !unicode.IsLetter(first) && !unicode.IsDigit(first) {
		return false // no sentence
	}
	return len(list) > 1 || len(list[0].words) > 1 || list[0].japanese && utf8.RuneCountInString(line) > 2
}

// undertakes reports whether a sentence that no cue decides announces what its writer does: it begins with a deed, with
// where its writer stands in a row of them, or shows what was made; or it says what this, which follows, does.
func (s *sentence) undertakes() bool {
	if s.japanese {
		return undertakesJapanese(s.text)
	}
	if label, _, of := strings.Cut(s.text, ": "); of {
		switch words := wordsOf(label); {
		case label == "Thought":
			return announced(s.words[1:])
		case len(words) < 3 && !announced(words):
			return false // a record's field
		}
	}
	return announced(s.words)
}

func announced(words []word) bool {
	stands := false
	for len(words) > 0 && (words[0].is(fillers) || words[0].is(ordinals) || digits(words[0].text)) {
		stands = stands || words[0].is(ordinals) && !(len(words) > 1 && words[1].is(spans))
		words = words[1:]
	}
	if len(words) == 0 {
		return true
	}
	so := len(words) > 1 && words[len(words)-1].text == "so" && words[len(words)-2].stop
	if i := lastClause(words); i > 0 && !anyOf(words[:i], writings) && len(words) > i+1 {
		return announced(words[i:])
	}
	first := words[0].text
	shown := words[0].is(demonstratives) || first == "the" && len(words) > 1 && (words[1].text == "following" || words[1].deed())
	made, other, finite, was, row := false, words[0].is(selves), false, false, stands
	for i, w := range words {
		kind, tense := w.kind, w.tense
		other = other || w.is(negatives) || tense == before && kind != works || w.is(writings|spans|readers|modals|nos|people) && !(i == 0 && kind == works)
		finite = finite || w.is(states) || (tense == third || tense == before) && i > 0 && !words[i-1].is(determiners) ||
			i > 0 && strings.HasSuffix(w.text, "s") && i+1 < len(words) && words[i+1].is(objects)
		was = was || tense == before && i > 0 && !words[i-1].is(determiners)
		made = made || w.deed() || w.is(fresh)
		row = row || w.is(ordinals)
		if row && w.text == "is" && i+2 < len(words) && words[i+1].text == "to" && words[i+2].deed() {
			return true
		}
	}
	kind, tense := words[0].kind, words[0].tense
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
//
//go:noinline
func lastClause(words []word) int {
	for i := len(words) - 2; i > 0; i-- {
		if words[i-1].stop {
			return i
		}
	}
	return 0
}

// deed reports whether a word names something that a tool can do.
func (e entry) deed() bool { return e.kind == works && e.tense == present || e.is(makings) }

// labelLength is how many words a label has at most.
const labelLength = 6

// Example reports whether a text ends with words that hand over to an example.
func Example(text string) bool {
	return lastCue(text) == example
}

// Doubts reports whether a name, in one word or several, says of what it names that it is only shown or not to be done.
func Doubts(name string) bool {
	s := newEar().of(strings.ToLower(nameWords.Replace(name)))
	return s.cue > source && s.text != "object" || s.keeps() || s.stands(back)
}

// nameWords parts a name into its words.
var nameWords = strings.NewReplacer("_", " ", "-", " ", ".", " ")

// Announces reports whether a text ends with words that say that what follows is being done.
//
//go:noinline
func Announces(text string) bool {
	return lastCue(text) == resolve
}

// lastCue is what the last sentence of a text says of what follows.
func lastCue(text string) cue {
	list := sentences(strings.Trim(lastOf(text[max(0, len(text)-nearby):]), " \t\r\n*_`"))
	if len(list) == 0 {
		return nothing
	}
	return newEar().of(list[len(list)-1]).cue
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

// aside reports whether a sentence is about something else than what stands beside it.
func (s *sentence) aside() bool { return anyOf(s.words, asides) || containsAny(s.text, asideJapanese) }

// asks reports whether a question is one whether to do what is written.
func (s *sentence) asks() bool {
	return s.stands(wondered) || !s.offered && !s.aside() && !s.looksForward() && (s.mentions(asking) || japaneseQuestion(s.text))
}

// looksForward reports whether a question is about a thing and not to the reader, as what an action will show: do the tests agree?
func (s *sentence) looksForward() bool {
	return len(s.words) > 2 && lists.Has([]string{"do", "does", "did", "will"}, s.words[0].text) && s.words[1].text == "the" && s.words[2].is(makings) && !anyOf(s.words, readers|selves)
}

// questions reports whether a sentence behind an action asks whether to do it.
func (s *sentence) questions() bool {
	return (strings.ContainsAny(s.text, "?？") || japaneseQuestion(s.text)) && (s.asks() || s.waits()) && !(s.cue == resolve && s.afterwards(s.words))
}

// takesBack reports whether a sentence behind an action says that it was only shown, or waits for leave: it denies
// what it points at, says whose words they are, or turns to the reader.
func (s *sentence) takesBack() bool {
	switch {
	case s.waits():
		return !s.questions()
	case s.stands(plainly):
		return true
	case s.offered, s.stands(affirms), s.stands(leading) && !s.stands(against) && !s.stands(back):
		return false
	case containsAny(strings.ToLower(s.text), recants), s.stands(against), s.stands(back), s.stands(unreal):
		return true
	case s.stands(clears):
		return false
	}
	switch {
	case s.japanese:
		return s.takesBackJapanese()
	case strings.Contains(s.text, "?"):
		return false // see questions
	}
	words := s.words
	for len(words) > 0 && words[0].is(fillers) {
		words = words[1:]
	}
	if len(words) == 0 {
		return false
	}
	of := func(c class) bool { return anyOf(words, c) }
	says := func(list ...string) bool {
		return slices.ContainsFunc(words, func(w word) bool { return lists.Has(list, w.text) })
	}
	c := s.cue
	if c != resolve && of(writings) && !words[0].is(goings) && of(demonstratives|pronouns|determiners) || of(intruders) {
		return true // it speaks of a text
	}
	if s.aside() || words[0].is(ordinals|goings) && !of(readers) && !says("me") {
		return false
	}
	first, second := words[0], words[min(1, len(words)-1)]
	self, pointed := first.text == "i" || first.text == "we", of(demonstratives|pronouns)
	denied := of(nos | negatives)
	named := second.is(states) || len(words) > 2 && words[2].is(states) && !second.is(pointers|determiners) // ignore files are untouched
	speaks := slices.ContainsFunc(words[:min(4, len(words))], func(w word) bool { return w.kind == reports })
	switch {
	case c == refusal && !named && (pointed || len(words) <= briefly), denied && of(performed|executions|orders):
		return true
	case (c == example || c == source) && (pointed && !of(maybes) || len(words) <= briefly/2), first.tense == present && !named && (first.kind > works || second.text == "me"), speaks && first.is(selves|pronouns|demonstratives) && !of(ordinals):
		return true
	case of(leaves) && (of(readers) || says("me")), c == pending && of(readers), first.is(requests), first.text == "do" && second.is(negatives), self && second.kind != works && second.tense == timeless && !second.is(attitudes):
		return true
	}
	return first.is(demonstratives) && (second.tense == before && says("from", "in", "by") || second.is(states) && says("from", "part", "in", "of"))
}

// briefly is how many words a sentence has that says no and does not say to what.
const briefly = 6

// firstSentences are the first ones of the first line that says something.
//
//go:noinline
func (e *ear) firstSentences(text string) []*sentence {
	return recall(&e.first, text, e.beginningOf)
}

func (e *ear) beginningOf(text string) []*sentence {
	for line := range strings.Lines(text) {
		if hollow(line) {
			continue
		}
		line = strings.TrimRight(strings.TrimLeft(line, " \t*_`?\"'"), " \t\r\n*_`\"'")
		list := e.sentences(line)
		return list[:min(3, len(list))]
	}
	return nil
}

// mentions reports whether a sentence has one of the phrases, as words, or in Japanese as a part.
//
//go:noinline
func (s *sentence) mentions(table []string) bool {
	words := s.words
	return slices.ContainsFunc(table, func(part string) bool {
		if part[0] >= 0x80 {
			return strings.Contains(s.text, part)
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

// disclaimer reports whether a line of a text says at its end that what it speaks of is not done: never the reason of doing it.
func (e *ear) disclaimer(text string) bool {
	for line := range strings.Lines(text[max(0, len(text)-nearby):]) {
		if list := e.sentences(line); len(list) > 0 && list[len(list)-1].disclaims() {
			return true
		}
	}
	return false
}

// keeps reports whether a sentence, wherever it stands, says that what it is about is not done.
func (s *sentence) keeps() bool { return s.disclaims() || s.forbears() }

func (s *sentence) disclaims() bool {
	if s.told != nothing {
		return s.told == refusal && !s.stands(affirms)
	}
	words := s.words
	return s.heard.directed && !s.stands(affirms) && !s.elsewhere() && !(len(words) > 1 && words[0].text == "if" && words[1].is(determiners)) // if the limit is null, skip it
}

// elsewhere reports whether a sentence is about other things than what stands beside it.
func (s *sentence) elsewhere() bool {
	return s.mentions(others) && !anyOf(s.words, topics|demonstratives)
}

// others are other things.
var others = []string{"else", "other", "others"}

//go:noinline
func lastRune(s string) rune {
	r, _ := utf8.DecodeLastRuneInString(s)
	return r
}
