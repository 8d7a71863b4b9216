package transport

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"nebula"
	"nebula/internal/phrase"
)

// What ends the reading of an answer.
var (
	ErrStopped = errors.New("the reply is not wanted any more")
	ErrCut     = errors.New("the reply was cut off")
)

// Damaged is an event that could not be read.
type Damaged struct{ event string }

// NewDamaged is the error for an event.
//
//go:noinline
func NewDamaged(event []byte) *Damaged { return &Damaged{phrase.OneLine(string(event), 120)} }

// Error shows the beginning of the event.
func (d *Damaged) Error() string { return "the reply is damaged: " + d.event }

// Said is an error that a server reports in the body of an answer that began well.
type Said struct{ Body []byte }

// Error shows what the server said.
func (s *Said) Error() string { return "the server reports an error: " + string(s.Body) }

// A strange answer is neither a stream nor JSON.
type strange struct{ body string }

// Error shows the beginning of what came.
func (s *strange) Error() string { return "not a model's reply: " + s.body }

// An Out takes the pieces of a reply. A call whose id an earlier one of the reply has waits for the finish: sent twice, under
// the same name and with the same arguments, it is one call; another call gets another id.
type Out struct {
	emit  func(nebula.Chunk) bool // false: nobody listens any more
	size  *measure
	calls twins
}

// Say passes a piece on. Its error is [ErrStopped], or that the reply is larger than any that is meant.
func (o *Out) Say(c nebula.Chunk) error {
	if err := o.size.add(c); err != nil {
		return err
	}
	asKept(c.Opaque)
	if c.Part != nil {
		asKept(c.Part.Opaque)
	}
	if c.Call != nil {
		asKept(c.Call.Opaque)
	}
	if c.Finish != "" {
		for _, d := range o.calls.others() {
			if !o.emit(nebula.Chunk{Call: &d}) {
				return ErrStopped
			}
		}
	}
	if c.Call != nil && !o.calls.take(c.Call) {
		return nil
	}
	if !o.emit(c) {
		return ErrStopped
	}
	return nil
}

// asKept writes a value as it is written where the session is kept, without blanks, so that it goes back in the same bytes at any time.
//
//go:noinline
func asKept(o *nebula.Opaque) {
	var b bytes.Buffer
	if o != nil && json.Compact(&b, o.Value) == nil {
		o.Value = b.Bytes()
	}
}

// A reading is the body of an answer that is being read.
type reading struct {
	Reader
	settle func() // called behind each event once all of the reply is there: what may still come is waited for no longer, unless more was said
	drain  func() // called when nothing more is to come
}

// Read reads a body as the answer of an exchange and gives the pieces to emit, which returns false when nobody listens any
// more. Its error is nil only for a reply that came whole.
func Read(body io.Reader, x Exchange, emit func(nebula.Chunk) bool) error {
	nothing := func() {}
	return reading{x.Reader(&Out{emit: emit, size: newMeasure(Bounds{})}), nothing, nothing}.run(body)
}

// run reads the whole body. Its error is nil only for a reply that came whole.
func (r reading) run(body io.Reader) error {
	e := newEvents(body)
	switch e.first() {
	case '{', '[':
		return r.objects(e)
	case '<':
		page, _ := e.rest()
		return &strange{phrase.OneLine(pageTitle(string(page)), 120)}
	}
	for {
		name, data, err := e.next()
		ended := false
		if data = bytes.TrimSpace(data); err == nil && len(data) > 0 {
			ended, err = r.Event(name, data)
			if err == nil && r.Whole() {
				r.settle()
			}
		}
		switch {
		case err == nil && !ended:
		case err == nil:
			r.rest(e)
			return r.End()
		case r.Whole() && !final(err): // only what follows the reply is missing
			return r.End()
		case err == io.EOF:
			return r.End()
		case e.err == io.EOF && damaged(err): // it ends inside of an event
			return ErrCut
		default:
			return err
		}
	}
}

func damaged(err error) bool {
	_, is := errors.AsType[*Damaged](err)
	return is
}

// final reports whether an error makes even a reply void of which all has come.
func final(err error) bool {
	_, said := errors.AsType[*Said](err)
	_, much := errors.AsType[*tooMuch](err)
	return said || much || errors.Is(err, ErrStopped)
}

// rest reads what follows the end mark, so that the connection can be used again.
func (r reading) rest(e *events) {
	r.drain()
	for range 100 {
		if _, err := e.line(); err != nil {
			return
		}
	}
}

// objects reads an answer that is JSON: a complete reply, several chunks without the frame of events, or an error.
func (r reading) objects(e *events) error {
	body, err := e.rest()
	_, much := errors.AsType[*tooMuch](err)
	if err != nil && err != io.EOF && (len(body) == 0 || much || errors.Is(err, errHuge)) {
		return err
	}
	for dec := json.NewDecoder(bytes.NewReader(body)); ; {
		var raw json.RawMessage
		if err := dec.Decode(&raw); err == io.EOF {
			return r.End()
		} else if err != nil {
			return fmt.Errorf("%w: %w", ErrCut, err)
		}
		if err := r.Object(bytes.TrimSpace(raw)); err != nil {
			return err
		}
	}
}
