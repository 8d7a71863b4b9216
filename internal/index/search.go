package index

import (
	"context"
	"errors"
	"time"

	"nebula"
)

// errBroken says that something in the index does not fit together.
var errBroken = errors.New("the index does not fit together")

// An Answer is what a question found.
type Answer struct {
	Places []Place
	Age    Age
}

// How long a question waits for the index: for a first one to be made, and for one to be brought up to date.
const (
	patienceFirst = 8 * time.Second
	patience      = 400 * time.Millisecond
)

// Search answers a question in words or names with the places that fit best, the best first. It waits a short while for
// the index to be brought up to date, and a little longer for the first one; what is not in it by then is not found,
// and the answer's Age says so.
func (x *Index) Search(ctx context.Context, text string, limit int) (Answer, error) {
	fresh, err := x.Refresh(ctx, patience)
	if err == nil && !fresh && !x.age0().Ready {
		fresh, err = x.Refresh(ctx, patienceFirst)
	}
	if err != nil {
		return Answer{}, err
	}
	many := limit
	if x.embedding != nil {
		many = max(limit, meantPlaces)
	}
	places, err := x.lookup(text, many)
	if errors.Is(err, errBroken) { // found damaged while reading: once more, with a new one
		if fresh, err = x.Refresh(ctx, patienceFirst); err == nil {
			places, err = x.lookup(text, many)
		}
	}
	if err == nil && x.embedding != nil {
		var missing error
		if places, missing = x.meant(ctx, text, places); missing != nil {
			x.note(nebula.Say("ordered by words alone: %w", missing))
		}
	}
	return Answer{Places: places[:min(len(places), limit)], Age: x.age(fresh)}, err
}

func (x *Index) age0() Age {
	x.state.Lock()
	defer x.state.Unlock()
	return Age{Ready: x.ready, Files: x.files}
}

// lookup answers from the index as it is. An index that cannot be read is thrown away; the next question finds a new one.
func (x *Index) lookup(text string, limit int) ([]Place, error) {
	x.reading.Lock()
	defer x.reading.Unlock()
	q := ask(text)
	if len(q.words) == 0 {
		return nil, nil
	}
	var places []Place
	err := x.consult()
	if err == nil {
		err = x.load()
	}
	if err == nil {
		places, err = x.find(q, limit)
	}
	return places, x.doubted(err)
}

// doubted has an index that cannot be read made anew. The reading lock is held.
func (x *Index) doubted(err error) error {
	if err == nil || x.reader == nil || !errors.Is(err, errBroken) && !x.reader.Damaged(err) {
		return err
	}
	x.state.Lock()
	defer x.state.Unlock()
	x.damaged, x.ready = true, false
	return errBroken
}
