package record

import (
	"iter"
	"sync"

	"nebula"
)

// Load yields the events that batches of records hold, in order. While the caller looks at a batch, the next ones are read
// and decoded. An error of the batches, or of a record that cannot be read, is the last that is yielded.
func Load(session string, batches iter.Seq2[[]nebula.Record, error]) iter.Seq2[nebula.Event, error] {
	return func(yield func(nebula.Event, error) bool) {
		for batch := range readAlong(session, batches) {
			<-batch.ready
			for _, e := range batch.events {
				if !yield(e, nil) {
					return
				}
			}
			if batch.err != nil {
				yield(nebula.Event{}, batch.err)
				return
			}
		}
	}
}

// A decoded batch has the events before its error, once it is ready.
type decoded struct {
	records []nebula.Record
	events  []nebula.Event
	err     error
	ready   chan struct{}
}

// readAlong reads ahead by a few batches. Reading is one goroutine's and decoding another's; both have ended when the
// loop over it ends.
func readAlong(session string, batches iter.Seq2[[]nebula.Record, error]) iter.Seq[*decoded] {
	return func(yield func(*decoded) bool) {
		out, work, stop := make(chan *decoded, readAhead), make(chan *decoded, readAhead), make(chan struct{})
		var wg sync.WaitGroup
		wg.Go(func() { read(batches, stop, work, out) })
		wg.Go(func() { decodeAll(session, work) })
		defer wg.Wait()
		defer close(stop)
		for b := range out {
			if !yield(b) {
				break
			}
		}
	}
}

// readAhead is the number of batches between reader and caller.
const readAhead = 4

// read hands every batch to work and then to out.
func read(batches iter.Seq2[[]nebula.Record, error], stop <-chan struct{}, work, out chan<- *decoded) {
	defer close(out)
	defer close(work)
	for records, err := range batches {
		b := &decoded{records: records, err: err, ready: make(chan struct{})}
		for _, c := range []chan<- *decoded{work, out} {
			select {
			case c <- b:
			case <-stop:
				return
			}
		}
	}
}

func decodeAll(session string, work <-chan *decoded) {
	d := NewDecoder()
	for b := range work {
		b.decode(d, session)
		close(b.ready)
	}
}

func (b *decoded) decode(d *Decoder, session string) {
	b.events = make([]nebula.Event, 0, len(b.records))
	for _, r := range b.records {
		body, err := d.Body(r.Type, r.Data)
		if err != nil {
			b.err = nebula.Errorf("session %s: event %d: %w", session, r.Seq, err)
			break
		}
		b.events = append(b.events, nebula.Event{Seq: r.Seq, At: Moment(r.At), Body: body})
	}
	b.records = nil
}
