package prompt

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"nebula"
	"nebula/internal/lists"
	"nebula/internal/phrase"
	"nebula/internal/state"
)

// What a change in the middle of a conversation is reckoned with. Everything from the first change on is read at the full
// price once, instead of from the provider's cache; what was taken out is read in none of the requests to come.
const (
	cachedPrice = 0.25 // of a token that is read from the cache, where the model's own is not known
	toCome      = 10   // requests that a conversation is expected to go on for
	worthwhile  = 1000 // bytes below which nothing is changed
)

// What counts as an old result: one that some replies came after, more of them while all results since are a small share of
// the window; it is worth a line from so many bytes on, beside its own beginning.
const (
	leastFresh = 4
	mostFresh  = 10
	freshShare = 12
	long       = 600
	beginning  = 200
	// sparing is how much of what is read again, because it comes after what was taken out, that has to be at least: taken out a
	// little at a time, it would cost more than it saves.
	sparing = 3
)

// copied is how many copies lines stand for.
func copied(s *state.State) (n int) {
	for _, copies := range s.Replaced {
		n += len(copies)
	}
	return n
}

// Supersede is what the model need not read any more: older copies of files, and what results said some replies ago, from some
// message on, chosen so that what it saves outweighs what of the cached beginning is lost; ok is false where none does. Where
// room is needed all are.
func (b *Builder) Supersede(in Input, room bool) (done nebula.Superseded, ok bool) {
	s := in.State
	results, copies := b.oldResults(s, in.Window), lists.Concat(olderCopies(s), leftBehind(s))
	copies = lists.Drop(copies, func(c nebula.Copy) bool { return among(results, c.Message) })
	old := lists.Concat(results, copies)
	if room {
		old = append(old, b.unsent(in)...)
	}
	if len(old) == 0 {
		return done, false
	}
	lists.Sort(old, func(a, b nebula.Copy) int {
		return cmp.Or(cmp.Compare(a.Message, b.Message), cmp.Compare(a.Start, b.Start))
	})
	price := in.Cached
	if price <= 0 || price > 1 {
		price = cachedPrice
	}
	first, best := -1, 0.0
	saved, reread, at := 0, 0, len(s.Messages)
	for i := len(old) - 1; i >= 0; i-- {
		for ; at > old[i].Message; at-- {
			reread += size(s.Message(at - 1))
		}
		saved += old[i].End - old[i].Start - len(old[i].Line)
		gain := float64(saved)*(1+toCome*price) - float64(reread)*(1-price)
		spared := sparing*saved >= reread || len(results) == 0 || old[i].Message > results[len(results)-1].Message
		pays := saved >= worthwhile && gain > best && spared
		if room || pays {
			first, best = i, gain
			done.Saved = saved
		}
	}
	if first < 0 {
		return done, false
	}
	done.Copies = old[first:]
	return done, true
}

// olderCopies are those of files that were read again, each with the line that stands for it.
func olderCopies(s *state.State) (list []nebula.Copy) {
	form := phrase.In(s.Lang, "[an older copy of %s stood here; it was read again, below]")
	for _, q := range s.Superseded() {
		if q.Message >= max(s.Compact.Dropped, s.Compact.Elided) {
			list = append(list, nebula.Copy{Message: q.Message, Start: q.Start, End: q.End, Line: fmt.Sprintf(form, q.Ref.Path)})
		}
	}
	return list
}

func among(list []nebula.Copy, message int) bool {
	return slices.ContainsFunc(list, func(c nebula.Copy) bool { return c.Message == message })
}

// leftBehind are copies of small files that were changed since, and that nothing was done with in the last replies. Of a
// larger one most is still as it was read.
func leftBehind(s *state.State) (list []nebula.Copy) {
	form := phrase.In(s.Lang, "[%s as it was before it was changed stood here]")
	until, lately := len(s.Messages), ""
	for replies := 0; until > 0 && replies < leastFresh; {
		until--
		if m := s.Messages[until]; m.Role == nebula.Assistant {
			replies++
			lately += m.Text() + "\n"
			for _, c := range m.Calls() {
				lately += c.Arguments + "\n"
			}
		}
	}
	for _, q := range s.Outdated() {
		if q.Message >= max(s.Compact.Dropped, s.Compact.Elided) && q.Message < until && q.End-q.Start < long && !strings.Contains(lately, q.Ref.Path) {
			list = append(list, nebula.Copy{Message: q.Message, Start: q.Start, End: q.End, Line: fmt.Sprintf(form, q.Ref.Path)})
		}
	}
	return list
}

// oldResults are those that were read and worked on some replies ago, each with its beginning.
func (b *Builder) oldResults(s *state.State, window int) (list []nebula.Copy) {
	until := b.answered(s, window)
	for i := max(s.Compact.Dropped, s.Compact.Elided); i < until; i++ {
		m := s.Messages[i]
		if len(s.Replaced[i]) > 0 || s.Wrote(i) || m.Role == nebula.Assistant || whole(s.Compact, i) || s.Failing.Text != "" && i == s.Failing.Message { // later runs tell of it
			continue
		}
		if text := m.Text(); len(text) >= long {
			list = append(list, nebula.Copy{Message: i, End: len(text), Line: begun(s.Lang, text)})
		}
	}
	return list
}

// unsent are the person's messages that alone take more of the window than all of theirs may, and that no model answered to before the
// next came: one that did not fit would keep every later one from being sent, too.
func (b *Builder) unsent(in Input) (list []nebula.Copy) {
	s := in.State
	for n := 1; n < len(s.Said); n++ {
		i := s.Said[n-1]
		replied := slices.ContainsFunc(s.Messages[i:s.Said[n]], func(m nebula.Message) bool { return m.Role == nebula.Assistant })
		if text := s.Messages[i].Text(); i >= max(s.Compact.Dropped, s.Compact.Elided) && !replied && len(s.Replaced[i]) == 0 && b.count(text) > in.Window/wordsShare {
			list = append(list, nebula.Copy{Message: i, End: len(text), Line: middle(s.Lang, text, long)})
		}
	}
	return list
}

// answered is where what counts as fresh begins.
func (b *Builder) answered(s *state.State, window int) int {
	replies, cost := 0, 0
	for i := len(s.Messages) - 1; i >= 0; i-- {
		m := s.Message(i)
		if m.Role != nebula.Assistant {
			cost += b.message(m)
			continue
		}
		if replies++; replies >= mostFresh || replies >= leastFresh && window > 0 && cost > window/freshShare {
			return i
		}
	}
	return 0
}

// begun is the beginning of an old result, and what is missing.
func begun(lang, text string) string {
	shown := strings.ToValidUTF8(text[:beginning], "")
	if at := strings.LastIndexByte(shown, '\n'); at > 0 {
		shown = shown[:at]
	}
	return shown + "\n" + fmt.Sprintf(phrase.In(lang, "[the rest of this older result is left out, %d lines; look again at what is needed of it]"), strings.Count(text[len(shown):], "\n"))
}

func size(m nebula.Message) int {
	n := len(m.Text())
	for _, c := range m.Calls() {
		n += len(c.Arguments)
	}
	return n
}
