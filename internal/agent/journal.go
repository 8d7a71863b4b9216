package agent

import (
	"context"
	"iter"
	"slices"
	"sync"

	"nebula"
	"nebula/internal/lists"
)

// A journal is the one stream of a session's events: appended to by the session's goroutine, read by any number of
// cursors. Transient events stay until the next turn begins; a cursor that is a whole turn behind misses them, and
// finds what they said in the Replied and Finished that follow.
type journal struct {
	mu      sync.Mutex
	entries []entry
	last    int64         // number of the newest entry ever appended
	more    chan struct{} // closed and replaced when something is appended
	closed  bool
	loose   int // bytes of output that passes by, since it was last thinned out
}

// most bounds the output that passes by and stays for cursors: twice that of the newest is there at most.
const most = 4 << 20

type entry struct {
	number int64
	event  nebula.Event
}

func newJournal(past []nebula.Event) *journal {
	j := &journal{more: make(chan struct{}), entries: make([]entry, 0, len(past)+64)}
	for _, e := range past {
		j.add(e)
	}
	return j
}

func (j *journal) add(e nebula.Event) {
	j.last++
	j.entries = append(j.entries, entry{j.last, e})
}

func (j *journal) append(events ...nebula.Event) {
	j.mu.Lock()
	defer j.mu.Unlock()
	for _, e := range events {
		if s, ok := e.Body.(nebula.Submitted); ok && !s.Steer {
			j.forget()
		}
		j.add(e)
		if s, ok := e.Body.(nebula.Streamed); ok && s.Kind == "output" {
			if j.loose += len(s.Text); j.loose > 2*most {
				j.thin()
			}
		}
	}
	j.wake()
}

// thin drops the oldest output: what a command writes without end must not stay.
func (j *journal) thin() {
	j.loose = 0
	from := len(j.entries)
	for ; from > 0 && j.loose < most; from-- {
		switch b := j.entries[from-1].event.Body.(type) {
		case nebula.Streamed:
			if b.Kind == "output" {
				j.loose += len(b.Text)
			}
		}
	}
	j.entries = append(lists.Drop(j.entries[:from:from], func(e entry) bool {
		s, ok := e.event.Body.(nebula.Streamed)
		return ok && s.Kind == "output"
	}), j.entries[from:]...)
}

// forget drops the transient events of the last turn.
func (j *journal) forget() {
	start := len(j.entries)
	for start > 0 {
		start--
		if s, ok := j.entries[start].event.Body.(nebula.Submitted); ok && !s.Steer {
			break
		}
	}
	kept := lists.Drop(j.entries[start:], func(e entry) bool { return e.event.Body.Transient() })
	j.entries = j.entries[:start+len(kept)]
}

func (j *journal) close() {
	j.mu.Lock()
	defer j.mu.Unlock()
	if !j.closed {
		j.closed = true
		j.wake()
	}
}

func (j *journal) wake() {
	close(j.more)
	j.more = make(chan struct{})
}

// read yields what comes after the stored event seq, until ctx ends or the journal closes.
func (j *journal) read(ctx context.Context, seq int64) iter.Seq[nebula.Event] {
	return func(yield func(nebula.Event) bool) {
		after := j.numberOf(seq)
		for ctx.Err() == nil {
			batch, more, closed := j.since(after)
			for _, e := range batch {
				if !yield(e.event) {
					return
				}
				after = e.number
			}
			if len(batch) > 0 {
				continue
			}
			if closed {
				return
			}
			select {
			case <-more:
			case <-ctx.Done():
			}
		}
	}
}

// numberOf is the number of the last entry up to the stored event seq.
func (j *journal) numberOf(seq int64) int64 {
	j.mu.Lock()
	defer j.mu.Unlock()
	if seq == nebula.FromOpening {
		seq = j.opened() - 1
	}
	i, _ := slices.BinarySearchFunc(j.entries, seq, func(e entry, seq int64) int {
		if e.event.Seq <= seq {
			return -1
		}
		return 1
	})
	if i == 0 {
		return 0
	}
	return j.entries[i-1].number
}

// opened is the Seq of the event that stands at the head of this opening.
func (j *journal) opened() int64 {
	for i := len(j.entries) - 1; i >= 0; i-- {
		if _, ok := j.entries[i].event.Body.(nebula.Started); ok {
			return j.entries[i].event.Seq
		}
	}
	return 1
}

// batchSize bounds what one reader takes under the lock.
const batchSize = 512

func (j *journal) since(number int64) (batch []entry, more <-chan struct{}, closed bool) {
	j.mu.Lock()
	defer j.mu.Unlock()
	i, _ := slices.BinarySearchFunc(j.entries, number, func(e entry, number int64) int {
		if e.number <= number {
			return -1
		}
		return 1
	})
	end := min(len(j.entries), i+batchSize)
	return lists.Clone(j.entries[i:end]), j.more, j.closed
}
