package protocol

import (
	"slices"
	"strings"

	"nebula/internal/lists"
)

// How a sentence turns to its reader, told by its clauses: one that has the reader answer, or asks whether to act, makes what stands beside it
// wait; one that says that the reader has answered, need not, or has something to do afterwards does not.

// turnsTo reports whether one of a sentence's clauses has its reader answer before its writer acts.
func (s *sentence) turnsTo() bool {
	words := s.outside()
	if slices.ContainsFunc(words, func(w word) bool { return lists.Has(choosing, w.text) }) || notYet(words) {
		return true
	}
	if s.afterwards(words) {
		return false
	}
	question := strings.ContainsAny(s.text, "?？")
	for i := 0; i < len(words); {
		end := i + 1
		for end < len(words) && !words[end-1].stop && !(words[end].text == "and" && end+1 < len(words) && (lists.Has([]string{"tell", "let"}, words[end+1].text) || lists.Has(replying, words[end+1].text))) {
			end++
		}
		last := end == len(words)
		if agreeing(words[i:end]) && (anyOf(words[end:], selves) || slices.ContainsFunc(words[end:], func(w word) bool { return lists.Has(goesAhead, w.text) })) {
			return true
		}
		if demands(words[i:end], words[end:], i == 0 && !last) || question && last && seeks(words[i:end]) || consults(words[i:end]) {
			return true
		}
		i = end
	}
	return false
}

// outside are a sentence's words outside of quotations, each of which is one word.
func (s *sentence) outside() []word {
	if !strings.ContainsAny(s.text, "\"“'‘`[") {
		return s.words
	}
	text := brackets.Replace(s.text)
	for _, marks := range [][2]string{{"\"", "\""}, {"“", "”"}, {"`", "`"}, {" '", "'"}, {"‘", "’"}} {
		for n := 0; n < 4; n++ {
			before, rest, opened := strings.Cut(text, marks[0])
			_, after, closed := strings.Cut(rest, marks[1])
			if !opened || !closed || strings.Trim(before+after, " .!?*") == "" {
				break
			}
			text = before + " " + quotedWord + " " + after
		}
	}
	return wordsOf(text)
}

var brackets = strings.NewReplacer("[", " ", "]", " ")

// quotedWord stands for a quotation.
const quotedWord = "quoted"

// notYet reports whether words say of a deed that it is not done yet.
func notYet(words []word) bool {
	for i, w := range words {
		if w.text == "yet" && i > 2 && words[0].is(negatives) && words[1].kind == works && words[1].tense == going {
			return true
		}
		if w.text == "yet" && i > 0 && words[i-1].is(negatives) && i+1 < len(words) && words[i+1].is(performed) {
			return true
		}
	}
	return false
}

// afterwards reports whether a sentence is about the time after the work, or about another thing.
func (s *sentence) afterwards(words []word) bool {
	for i, w := range words {
		switch {
		case lists.Has(another, w.text), w.text == "well" && i > 0 && words[i-1].text == "as", w.text == "back" && i > 0 && (words[i-1].is(pronouns|demonstratives) || words[i-1].text == "be"):
			return true
		case i == 0 && lists.Has([]string{"after", "then"}, w.text) && !anyOf(words[:min(4, len(words))], readers):
			return true
		case w.text == "if" && i+2 < len(words) && (words[i+1].is(pronouns|demonstratives) || lists.Has([]string{"anything", "something", "the"}, words[i+1].text)) && slices.ContainsFunc(words[i+2:], func(w word) bool { return lists.Has(troubles, w.text) }):
			return true
		}
	}
	return false
}

// demands reports whether a clause tells its reader to answer; more are the words behind it, and opens says that it begins the sentence and
// another clause follows.
func demands(words, more []word, opens bool) bool {
	polite, aimed := false, words[0].text == "to"
	for len(words) > 1 && (words[0].is(fillers|starters) || lists.Has(softeners, words[0].text) || words[0].text == "always") {
		polite = polite || lists.Has(softeners, words[0].text)
		words = words[1:]
	}
	first, rest := words[0].text, words[1:]
	if aimed || words[0].colon && len(words) == 1 { // a label
		return false
	}
	next := ""
	if len(rest) > 0 {
		next = rest[0].text
	}
	switch {
	case len(rest) > 0 && rest[0].is(states): // answer is
		return false
	case lists.Has(deciding, first):
		return polite && (next != "that" || slices.ContainsFunc(rest, func(w word) bool { return w.text == "before" })) || lists.Has(consenting, first) && lists.Has(decided, next) || len(rest) == 0 && opens && anyOf(more, selves) || len(rest) > 0 && rest[0].is(makings) && rest[0].tense == timeless || first == "approve" && (len(rest) < 2)
	case polite && lists.Has(looking, first) && slices.ContainsFunc(rest, func(w word) bool { return w.text == "before" || w.text == "first" }):
		i := slices.IndexFunc(rest, func(w word) bool { return w.text == "before" })
		return i < 0 || i+1 < len(rest) && rest[i+1].is(selves|pronouns|demonstratives)
	case lists.Has(replying, first):
		for i, w := range rest[:min(5, len(rest))] {
			if lists.Has(tokens, w.text) || w.text == quotedWord || w.of("LEAVE") || w.text == "light" {
				return i+1 == len(rest) || w.stop || w.of("LEAVE") || w.text == "light" || lists.Has([]string{"to", "if", "and", "or", "when", "for", "in", "for", "so"}, rest[i+1].text)
			}
		}
		return (polite || anyOf(more, selves)) && lists.Has([]string{"reply", "respond", "answer"}, first)
	case first == "tell" && next == "me" && len(rest) > 1:
		return leftToReader(rest[1:], more)
	case first == "let" && next == "me" && len(rest) > 2 && rest[1].text == "know":
		return leftToReader(rest[2:], more)
	}
	return false
}

// leftToReader reports whether what a reader is to tell is whether or how its writer goes on.
func leftToReader(words, more []word) bool {
	switch first := words[0].text; first {
	case "if", "whether", "when":
		rest := words[1:]
		return first == "whether" || len(rest) == 0 || anyOf(rest, selves) && slices.ContainsFunc(rest, func(w word) bool { return w.is(maybes) || lists.Has(goesAhead, w.text) }) ||
			slices.ContainsFunc(rest, func(w word) bool { return w.of("AGREES") || lists.Has(content, w.text) })
	case "to", "your", "how", "which", "yes", "before", "no":
		return true
	case "and", "then":
		return anyOf(words, selves) || anyOf(more, selves)
	}
	return false
}

// agreeing reports whether a clause makes a condition of its reader being content: if you're happy with that.
func agreeing(words []word) bool {
	if len(words) < 3 || !lists.Has([]string{"if", "once", "provided", "when"}, words[0].text) || anyOf(words, negatives) {
		return false
	}
	turned := anyOf(words[1:3], readers|pronouns|demonstratives) || lists.Has([]string{"you're", "you've", "that's", "it's"}, words[1].text)
	return turned && slices.ContainsFunc(words[2:], func(w word) bool { return lists.Has(content, w.text) || w.of("AGREES") && !w.over() })
}

// seeks reports whether the words of a question ask for leave.
func seeks(words []word) bool {
	for len(words) > 1 && words[0].is(fillers) && !lists.Has(content, words[0].text) {
		words = words[1:]
	}
	first := words[0]
	at := func(i int, list ...string) bool { return i < len(words) && lists.Has(list, words[i].text) }
	pleased := slices.ContainsFunc(words, func(w word) bool { return lists.Has(content, w.text) })
	switch {
	case at(0, "may", "can", "shall", "should", "could") && len(words) > 1:
		return words[1].is(selves) || words[1].is(pronouns|demonstratives) && at(2, "be", "go", "run") || anyOf(words[1:2], readers) && slices.ContainsFunc(words, func(w word) bool { return w.of("AGREES") && !w.over() })
	case at(0, "do", "does", "would", "will", "are", "have") && at(1, "you"):
		return pleased || slices.ContainsFunc(words[2:], func(w word) bool { return w.of("AGREES") || lists.Has(wishes, w.text) })
	case at(0, "is", "does", "would", "will", "sound", "sounds", "look", "looks", "are"):
		return pleased && !anyOf(words, people|persons) || at(0, "is") && anyOf(words, readers) && anyOf(words, demonstratives|pronouns)
	case at(0, "what", "which") && slices.ContainsFunc(words, func(w word) bool { return w.is(readers) }):
		return (len(words) < briefly || anyOf(words, topics|demonstratives|pronouns)) && slices.ContainsFunc(words, func(w word) bool { return lists.Has(wishes, w.text) })
	case at(0, "want", "mind", "permission", "any"):
		return at(1, "me", "if", "to", "objection", "objections")
	case len(words) < briefly && first.kind == works && first.tense == present && !first.is(makings) && !at(0, "do", "does"):
		return true // delete it?
	case first.of("LEAVE") && anyOf(words, selves):
		return true
	case len(words) < briefly && (first.of("AGREES") || lists.Has(content, first.text)):
		return true
	}
	return false
}

// consults reports whether a clause says that its writer asks, or needs somebody to decide.
func consults(words []word) bool {
	for len(words) > 1 && words[0].is(fillers|starters) {
		words = words[1:]
	}
	if !words[0].is(selves) && !(words[0].text == "let" && len(words) > 1 && words[1].text == "me") && !lists.Has([]string{"need", "want", "asking", "requesting", "checking", "on", "at", "upon"}, words[0].text) || words[0].over() {
		return false
	}
	for i, w := range words[:len(words)-1] {
		rest := words[i+1:]
		switch {
		case anyOf(words[:i+1], negatives):
			return false
		case lists.Has([]string{"on", "at", "upon"}, w.text) && rest[0].text == "your" && len(rest) > 1:
			return lists.Has(signals, rest[1].text) || rest[1].of("LEAVE") || rest[1].of("WORD")
		case lists.Has(asks, w.text) && (lists.Has([]string{"with", "you", "first", "the"}, rest[0].text) && (anyOf(rest[:min(3, len(rest))], readers) || lists.Has([]string{"first", "user"}, rest[min(1, len(rest)-1)].text))) && slices.ContainsFunc(rest, func(w word) bool {
			return lists.Has([]string{"first", "before", "with", "if", "whether", "to", "for"}, w.text)
		}):
			return !slices.ContainsFunc(words[:i], func(w word) bool { return w.over() && w.kind != noVerb })
		case lists.Has([]string{"asking", "ask"}, w.text) && (rest[0].text == "first" || i == 0 && rest[0].text == "for" && in(rest, "LEAVE")):
			return true
		case lists.Has([]string{"get", "obtain", "have"}, w.text) && in(rest, "LEAVE") && (anyOf(rest, readers) || in(rest, "PARTY")):
			return slices.ContainsFunc(rest, func(w word) bool { return w.text == "before" || w.text == "first" })
		case w.of("NEEDS") || w.text == "like":
			to := slices.IndexFunc(rest, func(w word) bool { return w.text == "to" })
			if to > 0 && to < 4 && anyOf(rest[:to], readers|people) && slices.ContainsFunc(rest[to:], func(w word) bool { return w.of("AGREES") || lists.Has(deciding, w.text) }) {
				return true
			}
			if anyOf(rest, readers) && slices.ContainsFunc(rest, func(w word) bool { return lists.Has([]string{"yes", "ok", "no"}, w.text) }) {
				return true
			}
		}
	}
	return false
}

// settled reports whether a sentence says that its reader has agreed, or that nobody is asked.
func (s *sentence) settled() bool {
	words := s.words
	for len(words) > 1 && (words[0].is(fillers|starters) || lists.Has([]string{"since", "because", "as"}, words[0].text)) {
		words = words[1:]
	}
	if strings.ContainsAny(s.text, "?？") || s.cue == resolve || s.heard.directed || len(words) < 3 || slices.ContainsFunc(words, func(w word) bool { return lists.Has(holding, w.text) }) {
		return false
	}
	first, second := words[0], words[1]
	verb := second
	if lists.Has([]string{"have", "had", "already", "just", "clearly"}, second.text) {
		verb = words[2]
	}
	spare := words[min(2, len(words)-1)]
	for i, w := range words[:len(words)-1] { // the plan you approved, what you want
		if w.text == "you" && i > 0 && !in(words[:i], "ONCE") && !anyOf(words, negatives|nos) && (words[i+1].of("AGREES") && words[i+1].over() || words[i-1].text == "what" && lists.Has([]string{"want", "wanted", "need", "needed", "meant", "asked", "requested"}, words[i+1].text)) {
			return true
		}
	}
	switch {
	case first.of("LEAVE") && second.is(states) && len(words) > 2 && (words[2].of("GIVEN") || words[2].text == "obtained"):
		return !anyOf(words, negatives|nos)
	case first.is(selves) && lists.Has([]string{"checked", "verified", "confirmed", "searched", "looked", "tested"}, verb.text) && !slices.ContainsFunc(words[2:], func(w word) bool { return w.is(selves|readers|people) || w.is(modals) }):
		return true
	case anyOf(words[:min(2, len(words))], readers) && !first.is(negatives|nos) && verb.over() && verb.of("AGREES"), first.text == "you" && lists.Has([]string{"asked", "wanted", "requested", "told", "said"}, verb.text):
		return !anyOf(words, negatives|nos) && !s.heard.pending
	case first.text == "no" && (unasked(second) || unasked(spare)):
		return slices.ContainsFunc(words, func(w word) bool { return w.of("NEEDED") }) || len(words) < briefly
	case anyOf(words[1:3], negatives) && slices.ContainsFunc(words[2:], func(w word) bool { return unasked(w) || lists.Has([]string{"ask", "bother", "disturb"}, w.text) }):
		return !anyOf(words, consentNouns) || slices.ContainsFunc(words, func(w word) bool { return w.of("NEEDS") })
	}
	return false
}

// unasked reports whether a word is one for what a reader could be wanted for.
func unasked(w word) bool {
	return w.of("LEAVE") || lists.Has([]string{"question", "questions", "decision", "decisions", "answer", "confirmation", "waiting", "input"}, w.text)
}

// mannered reports whether a sentence is a courtesy, says what its reader may look at, or what comes of a failure.
func (s *sentence) mannered() bool {
	words := s.words
	for len(words) > 1 && (words[0].is(fillers) && !lists.Has([]string{"thanks", "please"}, words[0].text) || lists.Has([]string{"many", "much"}, words[0].text)) {
		words = words[1:]
	}
	says := func(list ...string) bool {
		return slices.ContainsFunc(words, func(w word) bool { return lists.Has(list, w.text) })
	}
	if len(words) < 3 || strings.ContainsAny(s.text, "?？") || strings.HasSuffix(s.text, ":") || anyOf(words, consentNouns) || slices.ContainsFunc(words, func(w word) bool { return lists.Has(holding, w.text) || w.of("LEAVE") }) {
		return false
	}
	own := slices.IndexFunc(words, func(w word) bool { return w.text == "if" || w.stop })
	head := words[:max(own, 0)]
	if own < 0 {
		head = words
	}
	first, second := words[0].text, words[1].text
	switch {
	case first == "if" && words[1].is(determiners) && lists.Has([]string{"tests", "test"}, words[2].text) && words[2].is(topics): // what comes of the very run
		return own > 0 || len(words) > 3 && anyOf(words[3:], selves)
	case lists.Has([]string{"if", "should"}, first):
		return says(troubles...) && anyOf(words, selves) && !anyOf(words[:3], readers) && !says("then")
	case anyOf(head, negatives|nos):
		return false
	case lists.Has([]string{"i'll", "we'll"}, first) || words[0].is(selves) && second == "will":
		return says("know", "report", "posted", "update") && (anyOf(words, readers) || says("report")) && !anyOf(words, topics)
	case lists.Has([]string{"thank", "thanks", "hope", "sorry"}, first):
		return own < 0 && !anyOf(words, topics|near)
	case lists.Has([]string{"happy", "glad"}, first):
		return says("back", "different", "differently", "undo", "revert", "adjust", "help", "helped")
	case first == "here" && second == "you" && lists.Has([]string{"go", "are"}, words[2].text):
		return !says("if", "when", "once")
	case first == "you" && lists.Has([]string{"can", "may", "will", "might", "could"}, second), first == "feel":
		return !says("before", "first", "then") && !anyOf(words, selves|topics) && slices.ContainsFunc(words, func(w word) bool {
			return lists.Has(looking, w.text) || lists.Has([]string{"undo", "revert", "find"}, w.text)
		})
	case first == "keep" && second == "in", first == "note" && second == "that", first == "be" && second == "aware":
		return !anyOf(words, selves|readers)
	case first == "please":
		return lists.Has([]string{"note", "find", "see", "bear", "be", "keep"}, second) && !anyOf(words[2:], readers|selves)
	}
	return false
}

var (
	// choosing are written where one of two answers is wanted.
	choosing   = []string{"y/n", "yes/no", "[y/n", "y/n]", "y|n"}
	deciding   = []string{"confirm", "approve", "authorize", "authorise", "decide", "advise", "consent", "acknowledge", "choose", "agree", "verify"}
	consenting = []string{"confirm", "approve", "authorize", "authorise", "consent", "acknowledge"}
	// decided are words behind one of deciding that make an order of it.
	decided = []string{"to", "this", "it", "that", "below", "first", "before", "and", "or", "by", "with", "if", "whether", "the", "deletion", "removal", "y/n"}
	// another are words for another thing or time than an action's.
	another  = []string{"afterwards", "later", "else", "additionally", "further", "more", "next", "other", "another", "undo", "revert", "restore", "someday", "also", "instead"}
	troubles = []string{"fails", "fail", "failed", "breaks", "break", "broke", "wrong", "unexpected", "happens", "comes", "missing", "unclear", "breaking", "odd"}
	// content say that somebody is pleased with something.
	content = []string{"ok", "okay", "fine", "alright", "right", "correct", "good", "happy", "sure", "acceptable", "agreeable", "work", "works", "comfortable", "all-right", "certain", "proceed", "deal", "satisfied", "suit", "suits", "objection", "objections"}
	wishes  = []string{"want", "wish", "prefer", "mind", "accept", "like", "think", "permit"}
	asks    = []string{"check", "double-check", "ask", "consult", "asking", "checking", "verify", "confirm", "clarify"}
	// holding are words beside which nothing is settled.
	holding = []string{"but", "however", "until", "unless", "yet", "hold", "wait", "except", "although", "though"}
)
