package protocol

import (
	"slices"
	"strings"

	"nebula"
	"nebula/internal/lists"
)

// What is said further away from an action than the sentences beside it, to the next action or to the reply's end. There only what says in so many
// words that the action is taken back, is not done, waits for a yes or is an example counts: how sure its writer is, or what could be done
// besides, is how reports end.

// farthest is how much of a text is read for that.
const farthest = 16 << 10

// everySentence are the sentences of a text, outside of its blocks of code.
//
//go:noinline
func (e *ear) everySentence(text string) []*sentence {
	return recall(&e.every, text, func(text string) (list []*sentence) {
		fenced := false
		for line := range strings.Lines(text[:min(len(text), farthest)]) {
			if mark := strings.TrimSpace(line); strings.HasPrefix(mark, "```") || strings.HasPrefix(mark, "~~~") {
				fenced = !fenced
			} else if !fenced && !hollow(line) && !marked(mark) {
				list = append(list, e.sentences(strings.TrimLeft(line, " \t>-+*•・0123456789.)"))...)
			}
		}
		return list
	})
}

// late are the sentences behind an action that hold it wherever they stand, without those that name others of a row than the nth.
func (e *ear) late(text string, l lineup, n int) (by []heldBy) {
	list := e.everySentence(text)
	for i, s := range list {
		if named := l.named(s); (named == nil || named[n]) && e.holds(list, i) {
			by = append(by, heldBy{s, s.questions()})
		}
	}
	return by
}

// early is the last sentence before an action, or beside calls, that holds it, where its writer does not go on behind that; nil for none.
func (e *ear) early(text string, l lineup, n int) *sentence {
	list := e.everySentence(text)
	for i, s := range slices.Backward(list) {
		if named := l.named(s); named != nil && !named[n] {
			continue
		}
		switch {
		case i+1 == len(list) && s.stands(leading) && !s.stands(asked) && !s.stands(plainly) && strings.ContainsRune(":：", lastRune(s.text)):
			return nil
		case e.holds(list, i):
			return s
		case s.resumes() && !s.namesOther(e.actions) && (s.japanese || s.cue == resolve || s.cue == announce || s.stands(instant) || s.undertakes() || anyOf(s.words, selves|readers)):
			return nil // not: nobody reads it
		}
	}
	return nil
}

// holds reports whether the ith of some sentences takes an action back, says that it is not done, waits, or calls it an example.
func (e *ear) holds(list []*sentence, i int) bool {
	s := list[i]
	answer := i > 0 && strings.ContainsAny(list[i-1].text, "?？") && !list[i-1].leaves() && !s.waits() && !s.recalls()
	answered := i+1 < len(list) && strings.ContainsAny(s.text, "?？") && (s.wonders(list[i+1]) || list[i+1].answers() && !s.waits())
	switch {
	case s.namesOther(e.actions) && mistook.In(s.text):
		return true
	case s.offered, s.stands(affirms), answer, answered, asksOn(list, i), s.ofTests(), s.namesOther(e.actions), s.japanese && containsAny(s.text, othersJapanese):
		return false
	case s.stands(plainly), s.waits(), s.proposes(), s.recalls():
		return true
	case s.stands(clears), s.elsewhere(), s.corrects() && i+1 < len(list) && e.describes(list, i+1):
		return false
	case s.japanese:
		return s.stands(against) || s.stands(back) || s.questions() && s.stands(wondered) || s.told == refusal && containsAny(s.text, aheadJapanese)
	}
	pointed, brief := anyOf(s.words, topics|demonstratives|pronouns) || slices.ContainsFunc(s.words, func(w word) bool { return w.text == "above" }), len(s.words) < briefly
	recanted := s.stands(back) && !slices.ContainsFunc(s.words, func(w word) bool { return lists.Has([]string{"would", "could", "might"}, w.text) })
	if recanted && !pointed && i+1 < len(list) && len(list[i+1].words) > 0 && list[i+1].words[0].is(determiners|pronouns|demonstratives) {
		return false // hmm, no. It is the sign
	}
	return (s.stands(against) || recanted) && (pointed || brief) || s.keepsBack() && pointed && !e.describes(list, i)
}

// retracted attaches to a call what is said against it anywhere beside it: where words are a label, only what says so plainly or last.
func (s *settler) retracted(i int, row lineup, label bool) {
	if by := s.ear.early(s.in.Say, row, i); by != nil && (!label || by.bars() || s.ear.endsOn(s.in.Say, by)) {
		retract(&s.in.Actions[i], by)
	}
}

// endsOn reports whether a text's last word is a sentence that takes back what stands before it.
func (e *ear) endsOn(text string, s *sentence) bool {
	list := e.everySentence(text)
	return s.stands(back) && list[len(list)-1] == s
}

// stretch is all of the text between a unit and the one before it: before the first from where the reply's body begins, behind the last to its end.
//
//go:noinline
func stretch(text string, body int, units []unit, n int) string {
	from, to := body, len(text)
	if n > 0 {
		from = units[n-1].End
	}
	if n < len(units) {
		to = max(from, units[n].Start)
	}
	return text[min(from, to):to]
}

// alone is a list of a sentence, where there is one.
func (s *sentence) alone() []*sentence {
	if s == nil {
		return nil
	}
	return []*sentence{s}
}

// retract attaches what holds an action from afar.
func retract(a *nebula.Action, s *sentence) {
	Need(a, "place_words")
	if a.Against == "" {
		a.Against, a.Waits = Clip(s.text, longestQuote), s.leaves()
	}
}
