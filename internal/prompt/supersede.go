package prompt

import (
	"fmt"

	"nebula"
	"nebula/internal/phrase"
	"nebula/internal/state"
)

// What a change in the middle of a conversation is reckoned with. Everything from the first change on is read at the full
// price once, instead of from the provider's cache; what was taken out is read in none of the requests to come.
const (
	cachedPrice = 0.25 // of a token that is read from the cache, where the model's own is not known
	toCome      = 10   // requests that a conversation is expected to go on for
	worthwhile  = 2000 // bytes below which nothing is changed
)

// copied is how many copies lines stand for.
func copied(s *state.State) (n int) {
	for _, copies := range s.Replaced {
		n += len(copies)
	}
	return n
}

// Supersede is which older copies of files the model need not read any more: those from some message on, chosen so that
// what it saves outweighs what of the cached beginning is lost; ok is false where none does. Where room is needed
// all are.
func (b *Builder) Supersede(in Input, room bool) (done nebula.Superseded, ok bool) {
	s := in.State
	var old []state.Quote
	for _, q := range s.Superseded() {
		if q.Message >= max(s.Compact.Dropped, s.Compact.Elided) {
			old = append(old, q)
		}
	}
	if len(old) == 0 {
		return done, false
	}
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
		saved += old[i].End - old[i].Start
		gain := float64(saved)*(1+toCome*price) - float64(reread)*(1-price)
		if room || saved >= worthwhile && gain > best {
			first, best = i, gain
			done.Saved = saved
		}
	}
	if first < 0 {
		return done, false
	}
	form := phrase.In(s.Lang, "[an older copy of %s stood here; it was read again, below]")
	for _, q := range old[first:] {
		done.Copies = append(done.Copies, nebula.Copy{Message: q.Message, Start: q.Start, End: q.End, Line: fmt.Sprintf(form, q.Ref.Path)})
	}
	return done, true
}

func size(m nebula.Message) int {
	n := len(m.Text())
	for _, c := range m.Calls() {
		n += len(c.Arguments)
	}
	return n
}
