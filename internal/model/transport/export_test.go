package transport

import "io"

// Opts are the client's options, to be changed before its first request.
func (c *Client) Opts() *Options { return &c.opts }

// Answer lets the client take it that the server answered before.
func (c *Client) Answer() { c.answered.Store(true) }

// EventsOf are the names and data of a body's events.
func EventsOf(r io.Reader) (list []string, err error) {
	e := newEvents(r)
	for {
		name, data, err := e.next()
		if err != nil {
			return list, err
		}
		list = append(list, string(name)+"\x00"+string(data))
	}
}

// ErrHuge is the error for an event over the bound.
var ErrHuge = errHuge

// MaxLearn is how often a refusal is learnt from at most.
const MaxLearn = maxLearn
