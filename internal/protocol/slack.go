package protocol

import (
	"path"
	"slices"
	"strings"

	"nebula"
	"nebula/internal/lists"
)

// What is said beside deeds that can be had back, edits and commands that look, build or test: how sure their writer is of them, what was not
// tried yet, what comes of them and afterwards. They are done whatever it says of these; what destroys wants more.

// slack reports whether every action is one that can be had back.
func (e *ear) slack() bool {
	if e.mild == nil {
		is := len(e.actions) > 0 && !slices.ContainsFunc(e.actions, func(a nebula.Action) bool { return !mild(a) })
		e.mild = &is
	}
	return *e.mild
}

// tellsOfWork reports whether a sentence in English beside such deeds says nothing against them: leads says that it says even that they are done.
func (e *ear) tellsOfWork(s *sentence) (tells, leads bool) {
	if s.japanese || s.cue == resolve || strings.ContainsAny(s.text, "?？") {
		return false, false
	}
	if !e.slack() {
		comes := comesOf(s.opinion(), true) && !(anyOf(s.words, maybes) && strings.HasSuffix(s.text, ":") && !slices.ContainsFunc(s.words, func(w word) bool { return w.text == "should" }))
		return (comes || testsWait(s.words)) && !s.waits(), comes
	}
	if file := strings.Trim(s.text, ":*`# "); e.edits(file) {
		return true, true // the file's name, as a label
	}
	words := s.opinion()
	if len(words) < 2 || s.waits() {
		return false, false
	}
	colon := strings.HasSuffix(s.text, ":")
	switch {
	case comesOf(words, colon), preferred(words, colon), colon && becomes(words):
		return true, true
	case colon:
		return false, false
	case approved(words):
		return true, true
	}
	return untried(words) || unable(words) || afterIt(words) || besideIt(words), false
}

// edits reports whether an action changes the file of a name.
func (e *ear) edits(file string) bool {
	return file != "" && slices.ContainsFunc(e.actions, func(a nebula.Action) bool {
		of := textOf(a.Args, `"path":`)
		return of != "" && (file == of || file == path.Base(of))
	})
}

// comesOf reports whether words say what comes of this: this should do it, that might fix the test.
func comesOf(words []word, colon bool) bool {
	i := 0
	if len(words) > 0 {
		i = subjectEnd(words)
	}
	if i == 0 {
		return false
	}
	for i < len(words) && (lists.Has(couldBe, words[i].text) && !(colon && lists.Has(wouldBe, words[i].text)) || words[i].is(adverbs) && words[i].text != "do" && words[i].text != "be") {
		i++
	}
	be := i+1 < len(words) && words[i].text == "be" && lists.Has(enough, words[i+1].text)
	return i < len(words) && (be || lists.Has(outcomes, words[i].text)) && !anyOf(words, negatives|nos|readers) && lastClause(words) == 0
}

// subjectEnd is behind the subject of words that points at what stands beside them: this, it, the change; 0 without one.
func subjectEnd(words []word) int {
	switch {
	case lists.Has([]string{"this", "that", "it", "these"}, words[0].text):
		if len(words) > 2 && words[1].is(makings) {
			return 2
		}
		return 1
	case words[0].is(determiners) && len(words) > 2 && words[1].is(makings):
		return 2
	}
	return 0
}

// preferred reports whether words say which way their writer takes: I'd go with the simple one.
func preferred(words []word, colon bool) bool {
	i := 1
	if i < len(words) && words[i].text == "would" {
		i++
	}
	return !colon && i+1 < len(words) && (i == 2 && words[0].is(selves) || lists.Has([]string{"i'd", "we'd"}, words[0].text)) && lists.Has([]string{"go", "pick", "choose", "take", "opt", "say"}, words[i].text) && !anyOf(words, readers|negatives|nos)
}

// becomes reports whether words lead up to what a file becomes: the new content of the file, how it looks afterwards.
func becomes(words []word) bool {
	subject := words[:min(4, len(words))]
	return slices.ContainsFunc(words, func(w word) bool { return lists.Has(becoming, w.text) }) &&
		(slices.ContainsFunc(words, func(w word) bool { return lists.Has(fileNouns, w.text) }) || words[0].text == "it") &&
		!anyOf(words, readers|negatives|nos|people|modals) && !anyOf(subject, persons)
}

// approved reports whether the last clause of words says behind a but that this is the better way.
func approved(words []word) bool {
	i := lastClause(words)
	if i == 0 || !words[i].is(starters|demonstratives|pronouns|determiners|selves) {
		return false
	}
	rest := words[i:]
	if lists.Has([]string{"but", "yet", "still", "so"}, rest[0].text) {
		rest = rest[1:]
	}
	if len(rest) < 2 || anyOf(rest, negatives|nos|readers) {
		return false
	}
	if rest[0].text == "i" || rest[0].text == "we" {
		return lists.Has([]string{"prefer", "chose", "took", "picked"}, rest[1].text)
	}
	return (rest[0].is(demonstratives|pronouns) || rest[0].is(determiners)) && slices.ContainsFunc(rest[1:], func(w word) bool { return lists.Has(better, w.text) })
}

// untried reports whether words say that something was not tried or tested yet.
func untried(words []word) bool {
	for i, w := range words {
		if !w.is(negatives) && w.text != "un" {
			continue
		}
		j := i + 1
		for j < len(words) && (words[j].is(adverbs) || lists.Has([]string{"been", "have", "yet", "fully", "properly"}, words[j].text)) {
			j++
		}
		if j == len(words) || i > 0 && !words[i-1].is(states|selves) && words[i-1].text != "not" && !words[i-1].is(makings|determiners) {
			return false
		}
		rest := words[j+1:]
		switch {
		case lists.Has(trials, words[j].text):
			return true
		case lists.Has([]string{"run", "ran", "executed", "started", "looked"}, words[j].text):
			return slices.ContainsFunc(lists.Concat(words[:i], rest), func(w word) bool { return lists.Has(trialNouns, w.text) })
		}
	}
	return false
}

// testsWait reports whether words say that their writer has not run the tests yet: that is said of them, whatever stands beside it.
func testsWait(words []word) bool {
	return len(words) < 2*briefly && anyOf(words[:min(1, len(words))], selves|makings|determiners) && untried(words) && slices.ContainsFunc(words, func(w word) bool { return lists.Has(trialNouns[:3], w.text) })
}

// unable reports whether words say what their writer could not find out.
func unable(words []word) bool {
	if !words[0].is(selves) || len(words) < 3 || !words[1].is(negatives) && !(words[1].is(maybes) && words[2].is(negatives)) {
		return false
	}
	return slices.ContainsFunc(words[2:min(5, len(words))], func(w word) bool { return lists.Has(seeing, w.text) })
}

// besideIt reports whether words say what else could be done, or what their writer held for the cause before.
func besideIt(words []word) bool {
	if !words[0].is(selves) || len(words) < 5 || anyOf(words, topics) {
		return false
	}
	also := words[1].is(maybes|modals) && words[2].text == "also"
	return also && !strings.HasPrefix(words[len(words)-1].text, "this") || words[2].text == "wrong" && words[3].text == "about" && words[4].text == "the"
}

// nods reports whether a sentence is a word or two with which work begins or ends: sure; all done.
func (s *sentence) nods() bool {
	return len(s.words) < 4 && !slices.ContainsFunc(s.words, func(w word) bool {
		return !w.is(fillers) && !w.of("OVER") && !lists.Has([]string{"all", "of", "course", "certainly", "absolutely", "understood", "got", "it", "right", "away", "gladly", "that's", "will"}, w.text)
	}) ||
		lists.Has([]string{"はい", "了解です", "了解しました", "承知しました", "分かりました", "わかりました", "もちろんです", "完了しました", "完了です", "以上です"}, strings.TrimRight(s.text, "。！!"))
}

// afterIt reports whether words say what comes when this is done: once this is in, I run the tests; after this you can start the server.
func afterIt(words []word) bool {
	if !lists.Has([]string{"after", "once", "when", "if", "should"}, words[0].text) {
		return false
	}
	i := slices.IndexFunc(words, func(w word) bool { return w.is(selves | readers) })
	if i < 2 || i > 8 || !anyOf(words[:i], demonstratives|pronouns) || i+2 >= len(words) {
		return false
	}
	rest := words[i+1:]
	deed := slices.IndexFunc(rest, func(w word) bool { return w.kind == works })
	undone := slices.ContainsFunc(rest, func(w word) bool {
		return lists.Has([]string{"revert", "undo", "restore", "check", "verify", "look"}, w.text)
	})
	return undone || deed >= 0 && deed+1 < len(rest) && !rest[deed+1].is(demonstratives|pronouns|topics)
}

var (
	couldBe = []string{"might", "may", "should", "will", "must", "would", "could", "can", "to"}
	// wouldBe propose, before a colon.
	wouldBe    = []string{"would", "could", "can"}
	outcomes   = []string{"do", "fix", "fixes", "solve", "solves", "resolve", "resolves", "work", "works", "help", "helps", "suffice", "suffices", "restore", "restores", "address", "addresses", "cover", "covers", "handle", "handles", "prevent", "prevents", "unblock", "unblocks", "correct", "corrects"}
	enough     = []string{"enough", "all", "fine", "it", "sufficient", "right", "correct", "safe"}
	becoming   = []string{"new", "full", "whole", "complete", "updated", "afterwards", "after", "corrected", "final", "should"}
	fileNouns  = []string{"file", "content", "contents", "version", "config", "module", "function", "class", "code"}
	better     = []string{"simple", "simpler", "clean", "cleaner", "small", "smaller", "enough", "fine", "right", "better", "best", "safe", "safer", "good", "work", "works", "easier", "easy", "short", "shorter", "clear", "minimal", "needed", "necessary", "correct", "does", "passes", "must"}
	trials     = []string{"tested", "verified", "tried", "compiled", "built", "measured", "benchmarked", "checked", "reproduced", "profiled", "linted", "test", "verify", "reproduce"}
	trialNouns = []string{"test", "tests", "suite", "build", "linter", "benchmark", "benchmarks", "code", "program"}
	seeing     = []string{"find", "see", "reproduce", "tell", "think", "imagine", "spot", "recall", "locate", "remember", "explain"}
)
