// Package owed keeps the end of what a program says from its readers until what it asked before that is answered.
package owed

import (
	"bytes"
	"encoding/json"
	"io"
	"time"
)

// Most is how long answers are waited for once nothing more is read: who has closed its end may be gone.
const Most = 10 * time.Second

// A Pipe is both ends of a program that sends requests of JSON-RPC, a line each.
type Pipe struct {
	In   io.Reader
	Out  io.Writer
	Most time.Duration

	books chan *books // who has them may write in them
	moved chan struct{}
}

// books are what is owed.
type books struct {
	line  []byte          // of what is read, the beginning of the last line
	open  map[string]bool // requests read and not answered, by their numbers
	asked int             // requests written and not answered: what waits for these is waited for by nobody
}

// New is a pipe that waits for the usual time.
//
//go:noinline
func New(in io.Reader, out io.Writer) *Pipe {
	p := &Pipe{In: in, Out: out, Most: Most, books: make(chan *books, 1), moved: make(chan struct{}, 1)}
	p.books <- &books{open: map[string]bool{}}
	return p
}

// Read implements io.Reader.
func (p *Pipe) Read(b []byte) (int, error) {
	n, err := p.In.Read(b)
	k := <-p.books
	for part := range bytes.SplitAfterSeq(b[:n], []byte("\n")) {
		if k.line = append(k.line, part...); bytes.HasSuffix(part, []byte("\n")) || n == 0 {
			k.count(k.line, true)
			k.line = k.line[:0]
		}
	}
	p.books <- k
	if err == nil || n > 0 {
		return n, nil // an error comes again
	}
	over := time.After(p.Most)
	for p.waits() {
		select {
		case <-p.moved:
		case <-over:
			return n, err
		}
	}
	return n, err
}

// Write implements io.Writer. What is written is whole messages.
func (p *Pipe) Write(b []byte) (int, error) {
	n, err := p.Out.Write(b)
	k := <-p.books
	k.count(b, false)
	p.books <- k
	select {
	case p.moved <- struct{}{}:
	default:
	}
	return n, err
}

func (p *Pipe) waits() bool {
	k := <-p.books
	defer func() { p.books <- k }()
	return len(k.open) > 0 && k.asked <= 0
}

// count takes in a message that came, or went.
func (k *books) count(line []byte, came bool) {
	var m struct {
		ID     any    `json:"id"`
		Method string `json:"method"`
	}
	if json.Unmarshal(line, &m) != nil || m.ID == nil {
		return
	}
	id, _ := json.Marshal(m.ID) // as it was written, however it was spelled
	switch {
	case came && m.Method != "":
		k.open[string(id)] = true
	case came:
		k.asked--
	case m.Method != "":
		k.asked++
	default:
		delete(k.open, string(id))
	}
}
