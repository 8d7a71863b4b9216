package protocol

import (
	"slices"
	"strings"

	"nebula"
)

// What is said beside an action, sentence by sentence: each takes it back, does it, or says nothing of it. What stands nearest to
// the action counts.

// unmeant reports whether a text before an action ends with sentences of which none does the action and one takes it back.
func (e *ear) unmeant(text string) bool {
	list := e.lastSentences(text)
	line := strings.TrimRight(lastOf(text), " \t\r\n*_")
	if n := len(list); n > 0 && !muted(line) && strings.ContainsRune(":：", lastRune(line)) && !list[n-1].does() {
		return true
	}
	for i, s := range slices.Backward(list) {
		answered := i+1 < len(list) && list[i+1].answers()
		switch {
		case i > 0 && s.answers() && strings.ContainsAny(list[i-1].text, "?？"):
		case answered && strings.ContainsAny(s.text, "?？"):
		case s.takes():
			return i == 0 || !s.spares(list[i-1])
		case s.does():
			return false
		}
	}
	return false
}

// disowned reports whether what is said beside calls, which it stands before and has no place among, takes them back. Who calls a tool tells
// of the work meanwhile: only what is about these very calls counts, and no more than what is done.
func (e *ear) disowned(say string, actions []nebula.Action) bool {
	list := e.lastSentences(say)
	line := strings.TrimRight(lastOf(say), " \t\r\n*_")
	if n := len(list); n > 0 && !muted(line) && strings.ContainsRune(":：", lastRune(line)) && !list[n-1].does() {
		return true
	}
	for i, s := range slices.Backward(list) {
		answered := strings.ContainsAny(s.text, "?？") && i+1 < len(list) && list[i+1].answers()
		switch {
		case !answered && s.takes() && s.about(actions, len(list) < 3 && len(say) < 80):
			return i == 0 || !s.spares(list[i-1])
		case s.does():
			return false
		}
	}
	return false
}

// about reports whether a sentence is about some actions: it names what they are about, or points at what follows, and names no other file.
// A few words alone can be about nothing else.
func (s *sentence) about(actions []nebula.Action, alone bool) bool {
	alone = alone && (len(s.words) < 7 || !anyOf(s.words, selves))
	if !s.japanese && !alone && !anyOf(s.words, topics) && !slices.ContainsFunc(s.words, func(w word) bool { return has(following, w.text) }) {
		return false
	}
	for _, w := range strings.Fields(s.text) {
		w = strings.Trim(w, "`'\"“”‘’.,;:!?()")
		if fileLike(w) {
			if !slices.ContainsFunc(actions, func(a nebula.Action) bool { return strings.Contains(string(a.Args), w) }) {
				return false
			}
		}
	}
	return true
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
	return slices.ContainsFunc(e.lastSentences(reason), func(s *sentence) bool {
		return !s.stands(clears) && (s.keeps() || s.stands(unfit) || s.stands(unreal) || s.stands(depends))
	})
}

// lastSentences are those of the last lines of a text.
func (e *ear) lastSentences(text string) (list []*sentence) {
	for line := range strings.Lines(text[max(0, len(text)-nearby):]) {
		if !hollow(line) {
			list = append(list, e.sentences(line)...)
		}
	}
	return list[max(0, len(list)-weighed):]
}

// weighed is how many sentences before an action are weighed.
const weighed = 4

// takes reports whether a sentence says that what it is about is not done, not yet, by somebody else, or only shown.
func (s *sentence) takes() bool {
	if s.stands(clears) || s.stands(affirms) {
		return false
	}
	if s.stands(against) || s.stands(wondered) || s.stands(back) || s.stands(unreal) || s.stands(depends) {
		return true
	}
	if s.japanese {
		if containsAny(s.text, othersJapanese) {
			return false
		}
		return s.told >= example && !s.stands(leading) && !containsAny(s.text, givenJapanese) || s.questions()
	}
	return s.disclaims() || s.questions()
}

// spares reports whether a Japanese sentence says, behind one that says what is done, what is left as it is.
func (s *sentence) spares(prior *sentence) bool {
	return s.japanese && prior.does() && s.told < refusal && !s.stands(against)
}

// does reports whether a sentence says that its writer acts now.
func (s *sentence) does() bool {
	return s.cue == resolve || s.cue == announce || s.stands(instant) || s.stands(leading) || s.undertakes()
}

// answers reports whether a sentence answers the question before it.
func (s *sentence) answers() bool {
	return len(s.words) > 0 && has(replies, s.words[0].text) || s.japanese && strings.HasSuffix(strings.TrimRight(s.text, "。"), "からです")
}

// replies begin answers.
var replies = []string{"yes", "no", "because", "none", "nobody", "nothing", "let", "i'll", "i", "not"}
