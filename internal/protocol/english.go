package protocol

import (
	"slices"
	"strings"

	"nebula/internal/lists"
)

// What an English sentence says of the action behind it: its words in order against the tables of cues.go and verbs.go.

// cueOf is what a sentence says of the action behind it.
func (s *sentence) cueOf() cue {
	if s.told != nothing {
		return s.told
	}
	h := s.heard
	h.shown = h.shown || !h.resolved && !h.announced && s.tells()
	return h.verdict()
}

// hear takes words in.
//
//go:noinline
func hear(words []word) (s said) {
	for i := 0; i < len(words); {
		i += s.take(words, i)
	}
	return s
}

// tells reports whether a sentence ends with a word that hands over to somebody's text.
//
//go:noinline
func (s *sentence) tells() bool {
	n := len(s.words)
	return n > 1 && s.words[n-1].is(reporting)
}

// said is what a sentence has said so far.
type said struct {
	resolved, shown, spoken, refused, pending, announced, past bool
	loosely                                                    bool // a refusal that may concern something else, in the last clause
	turned                                                     bool // behind "so" or "but"
	aside                                                      bool // in a part that says why
	aim                                                        bool // and what for
	directed                                                   bool // a refusal of just what follows
	opened                                                     int  // where the clause began
}

//go:noinline
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
	case s.spoken:
		return source
	case s.past:
		return past
	case s.announced:
		return announce
	}
	return nothing
}

// take reads the cue at a word, and says how many words it took.
func (s *said) take(words []word, i int) int {
	starts := i == 0 || words[i-1].stop || words[i-1].is(starters)
	if words[i].is(selves) && (s.aim || i > 0 && words[i-1].text == "which" || words[s.opened].is(leads)) { // to see it I, which I, in answer to it I
		s.aside, starts = false, true
	}
	if i > 0 && words[i-1].stop {
		s.aside, s.loosely, s.opened = false, false, i
	}
	c, n := englishPhrases().find(words[i:], starts)
	if c == nothing && starts {
		c, n = opening(words[i:])
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
		s.aside, s.aim = true, words[i].text == "to"
	case c == announce:
		s.announced, s.shown = true, s.shown && !s.turned
	case c == source:
		s.spoken = s.spoken || !s.resolved && carried(words[s.opened:i])
	case c == example:
		s.shown = s.shown || !s.resolved
	case c == refusal:
		s.refused, s.directed = s.refused || !s.resolved, s.directed || n > 1 && !spares(words[i:], n) && !passes(words[i:])
	case c == pending:
		s.pending = s.pending || !(words[i].is(consentNouns) && i+1 < len(words) && lists.Has(granting, words[i+1].text))
	}
	return max(n, 1)
}

// granting are what is named after leave and is none: an approval test.
var granting = []string{"step", "test", "tests", "workflow", "dialog", "flow", "screen", "page", "form", "button", "process", "table", "queue", "service", "logic", "code", "bit", "bits", "check", "checks", "denied", "error", "errors"}

// resolve takes "I'll" and its like, unless the verb behind it is another's than a deed's: one of telling, holding back
// or waiting, or one of the past. It outweighs what stands before it, but not what it depends on.
func (s *said) resolve(words []word, i, n int) {
	j := i + n
	for j < len(words) && words[j].is(adverbs) && !(words[j].text == "do" && j+1 < len(words) && words[j+1].is(pointers)) {
		j++
	}
	if j < len(words) && !words[j-1].stop {
		c, _ := behindPhrases().find(words[j:], true)
		tense := words[j].tense
		if c == nothing && !passes(words[j:]) {
			c = words[j].kind.cue()
		}
		switch c {
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
		bare := n == 1 && lists.Has([]string{"i", "we"}, words[i].text)
		switch {
		case words[j].is(negatives):
			return // read next
		case bare && tense == before:
			s.past = true
			return
		case bare && words[j].kind != works, lists.Has([]string{"i'm", "we're"}, words[i].text) && tense == before:
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

// opening is what a clause says that begins with a verb: what its writer is doing, or what somebody is told to do.
func opening(words []word) (cue, int) {
	kind, tense := words[0].kind, words[0].tense
	switch {
	case tense == going && !subject(words[1:]):
		return max(kind.cue(), resolve), 1
	case tense == going && kind == works && slices.ContainsFunc(words, func(w word) bool {
		return lists.Has([]string{"safe", "fine", "next", "needed", "necessary", "enough"}, w.text)
	}):
		return announce, 1
	case tense == present && kind != works && !words[0].stop:
		return kind.cue(), 1
	}
	return nothing, 0
}

// subject reports whether the words behind a clause's first make that its subject.
func subject(words []word) bool {
	for i, w := range words {
		switch {
		case lists.Has([]string{"is", "are", "was", "were", "would", "could", "might", "may", "means", "takes", "requires"}, w.text):
			return true
		case w.stop:
			return i+1 < len(words) && words[i+1].is(selves) // Reading it, I …
		case lists.Has([]string{"that", "what", "which", "who", "how", "whether", "if", "because", "since", "so", "as", "until", "while", "when", "where", "and"}, w.text):
			return false
		}
	}
	return false
}

// carried reports whether words only lead to the one who says something.
func carried(words []word) bool {
	return !slices.ContainsFunc(words, func(w word) bool { return !w.is(carriers) && !strings.HasSuffix(w.text, "'s") })
}

// spares reports whether the phrase of n words with which some begin withholds something else than the action: we skip
// comments.
func spares(words []word, n int) bool {
	return words[n-1].kind == withholds && n < len(words) && !words[n-1].stop && !words[n].is(pointers|near|determiners)
}

// passes reports whether a verb of keeping from something has an object of its own, and others are done: I'll skip the docs.
func passes(words []word) bool {
	if words[0].kind != withholds {
		return false
	}
	rest := words[1:min(len(words), 7)]
	if i := slices.IndexFunc(rest, func(w word) bool { return w.stop }); i >= 0 {
		rest = rest[:i+1]
	}
	says := func(list ...string) bool {
		return slices.ContainsFunc(rest, func(w word) bool { return lists.Has(list, w.text) })
	}
	if says("other", "others", "rest") || swaps(words[1:]) {
		return true
	}
	for _, w := range rest {
		switch {
		case w.is(pointers | near | topics), says("alone", "untouched", "as", "undone", "be") || w.text != words[1].text && w.text == "off":
			return false
		case !w.is(determiners|adverbs|readers) && !lists.Has([]string{"off", "on", "back", "from", "with"}, w.text):
			return !says("off") || words[1].text == "off"
		}
	}
	return false
}

// swaps reports whether words go on with a deed that alone is done: and only change the rest.
func swaps(words []word) bool {
	for i := 1; i+2 < len(words); i++ {
		if (words[i].text == "and" || words[i].text == "but") && (lists.Has(solely, words[i+1].text) && words[i+2].kind <= works || words[i+1].deed() && lists.Has(solely, words[i+2].text)) {
			return true
		}
	}
	return false
}

// solely say of a deed that it is the only one.
var solely = []string{"only", "just"}

// negates reports whether a word negates what is done; directed says that this is the action that follows, or all.
func negates(words []word, i int) (negated, directed bool) {
	w := words[i].text
	j := i + 1
	switch {
	case words[i].is(negatives):
		if i > 0 && lists.Has([]string{"why", "or", "if", "but"}, words[i-1].text) {
			return false, false
		}
		if words[i].stop && w == "never" {
			return true, true
		}
	case w == "without" && slices.ContainsFunc(words[:i], func(w word) bool { return w.is(negatives) || lists.Has(failing, w.text) }): // it does not work without this
		return false, false
	case (w == "against" || w == "without" || w == "avoid") && j < len(words):
	case (w == "instead" || w == "rather") && j < len(words) && (words[j].text == "of" || words[j].text == "than"):
		if i == 0 && (slices.ContainsFunc(words[:len(words)-1], func(w word) bool { return w.stop }) || anyOf(words, selves)) { // rather than guess, I looked
			return false, false
		}
		if j++; j >= len(words) || !words[j].concerns() { // lte instead of lt
			return false, false
		}
	default:
		return false, false
	}
	for j < len(words) && (words[j].is(adverbs) || words[j].text == "been" || words[j].text == "have" || words[j].text == "get" && j+1 < len(words) && words[j+1].tense == before || words[j].text == "ever" || words[j].text == "actually") {
		j++
	}
	if j >= len(words) {
		if lists.Has(beings, w) && i > 0 && !words[i-1].is(pronouns|demonstratives|selves|topics|near) { // the writer isn't
			return false, false
		}
		return i > 0, w != "not" || i > 0
	}
	verb := words[j].text
	switch {
	case words[j].kind == withholds || words[j].kind == waits: // it need not wait
		return false, false
	case i == 0 && j == 1 && lists.Has(unneeded, verb): // not used by any target
		return false, false
	case tellsFact(words, i, j):
		return true, false
	case i > 0 && (i < 2 || words[i-2].text != "i" && words[i-2].text != "we") && lists.Has([]string{"is", "are", "was", "were"}, words[i-1].text), lists.Has([]string{"isn't", "aren't", "wasn't", "weren't"}, w):
		d := words[j].is(ill)
		return d, d
	case verb == "yet" || verb == "like" && len(words) <= j+2:
		return true, true
	case words[j].is(pointers) && j+1 == len(words), words[j].is(knowing):
		return words[j].is(pointers), words[j].is(pointers)
	case words[j].stop || j+1 == len(words):
		other := (i > 0 && words[i-1].stop || words[j-1].text == "be" && words[j].tense == timeless) && !words[j].concerns() // lte, not lt; must not be empty
		return !other, !other
	}
	object := words[j+1].text
	if (object == "the" || object == "a" || object == "any" || object == "out") && j+2 < len(words) {
		directed = words[j+2].is(near)
	} else {
		directed = words[j+1].is(pointers)
	}
	loose := i == 0 || lists.Has([]string{"i", "we", "do", "will", "must", "should", "would", "please"}, words[i-1].text) || strings.HasSuffix(w, "n't")
	return directed || loose && !lists.Has([]string{"doesn't", "didn't", "isn't", "aren't", "wasn't", "weren't", "haven't", "hasn't"}, w) && w != "without", directed
}

// beings say what is not so.
var beings = []string{"isn't", "aren't", "wasn't", "weren't", "doesn't"}

// unneeded are what a thing is not that can go.
var unneeded = []string{"referenced", "used", "imported", "needed", "required", "tracked", "covered"}

// failing are verbs of what does not work.
var failing = []string{"fail", "fails", "break", "breaks", "failed", "broken"}

// tellsFact reports whether the negation at i, of the verb at j, says how a thing is: it never ran, it does not compile, it
// must not be committed.
func tellsFact(words []word, i, j int) bool {
	was := words[j].tense == before
	switch {
	case (was || words[j].kind == reports) && lists.Has([]string{"be", "been"}, words[j-1].text) && !words[j].is(performed):
		return true
	case i == 0 || anyOf(words[:i], selves):
		return false
	}
	return was && (words[i].text == "never" || anyOf(words[:i], topics)) || words[i].text == "doesn't" || words[i-1].text == "does"
}

// concerns reports whether a word is one for something that is done, or points at it.
func (e entry) concerns() bool { return e.kind != noVerb || e.is(pointers) }
