package transport

import (
	"context"
	"errors"
	"math/rand/v2"
	"time"

	"nebula"
	"nebula/internal/phrase"
)

const (
	maxBackoff = 20 * time.Second
	maxLearn   = 6
	halves     = 3               // how often a request is sent at most whose reply breaks off in the middle
	maxWish    = 2 * time.Minute // a server that wants a longer pause gets none: the person decides
)

// retrying sends a prompt until the reply is whole, the fault is final, or enough was tried. Faults that come from
// the request's form are learnt from and cost no attempt.
func (c *Client) retrying(ctx context.Context, p nebula.Prompt, emit func(nebula.Chunk) bool) error {
	var load loading
	for attempt, learnt := 1, 0; ; {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := c.keep(ctx, emit); err != nil {
			return err
		}
		x := c.adapter.Ask(p)
		err := c.attempt(ctx, x, emit)
		if err == nil || errors.Is(err, ErrStopped) {
			return err
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		f, ok := errors.AsType[*faultOf](err)
		if !ok {
			f = &faultOf{kind: "cut", text: nebula.Say("%s", c.redact.clean(err.Error())), next: nebula.Say("try again"), passes: true, after: -1}
		}
		if said, again := c.learns(x, &p, f); again && learnt < maxLearn {
			if learnt++; said.Format != "" && !emit(nebula.Chunk{Wait: phrase.Said(said)}) {
				return ErrStopped
			}
			if !f.half {
				continue
			}
			f.passes = true // of what was said nothing counts, and the person is told
		}
		if c.loads(f) && !f.half {
			if again, err := load.next(ctx, c, emit); err != nil {
				return err
			} else if again {
				continue
			}
		}
		most := c.opts.Attempts
		if f.half { // each time the person reads it anew, and it is paid for
			most = min(most, halves)
			f.passes = f.passes || f.kind == "bad_request" // the request was taken, or nothing would have come of it
		}
		if !f.passes || attempt >= most || f.after > maxWish {
			return c.final(f, attempt)
		}
		attempt++
		pause := c.pause(attempt, f.after)
		if !emit(nebula.Chunk{Retry: &nebula.RetryNotice{Attempt: attempt, After: pause, Cause: phrase.Said(f.text)}}) {
			return ErrStopped
		}
		if err := Sleep(ctx, pause); err != nil {
			return err
		}
	}
}

// learns tells the adapter of a refusal, and whether there is something else to try; if nothing of it, what is shown may have to go.
func (c *Client) learns(x Exchange, p *nebula.Prompt, f *faultOf) (said nebula.Words, again bool) {
	if f.status < 400 || f.kind == "context" {
		return nebula.Words{}, false
	}
	r := Refusal{Status: f.status, Kind: f.kind, Raw: f.raw, Said: readFault([]byte(f.raw)).message, Final: !f.passes, Worked: f.half || c.worked.Load()}
	if x.Learn != nil {
		if said, again = x.Learn(r); again {
			return said, again
		}
	}
	return c.spurns(p, r)
}

// final is the error for a fault that is not tried again.
func (c *Client) final(f *faultOf, attempt int) error {
	final := *f
	if f.passes && f.after > maxWish {
		final.next = nebula.Say("the server asks to wait %s; wait, or choose another model with --model", f.after.Round(time.Second))
	}
	if f.passes && attempt > 1 {
		final.text = nebula.Say("%s (after %d attempts)", f.text, attempt)
	}
	return c.apiError(&final)
}

// pause is how long to wait before an attempt: what the server asks for, or twice as long every time, up to a bound,
// with a fifth of chance so that many clients do not come back at once.
func (c *Client) pause(attempt int, wish time.Duration) time.Duration {
	if wish >= 0 {
		return wish
	}
	d := c.opts.Backoff << min(attempt-2, 16)
	if d > maxBackoff || d <= 0 {
		d = maxBackoff
	}
	return d - d/10 + rand.N(d/5+1)
}

// Sleep waits, or until ctx ends.
func Sleep(ctx context.Context, d time.Duration) error {
	if d <= 0 {
		return ctx.Err()
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-t.C:
		return nil
	}
}
