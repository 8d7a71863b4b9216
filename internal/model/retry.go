package model

import (
	"context"
	"errors"
	"math/rand/v2"
	"strings"
	"time"

	"nebula"
)

const (
	maxBackoff = 20 * time.Second
	maxLearn   = 6
	maxWish    = 2 * time.Minute // a server that wants a longer pause gets none: the person decides
)

// retrying sends a prompt until the reply is whole, the fault is final, or enough was tried. Faults that come from
// the request's dialect are learnt from and cost no attempt.
func (c *Client) retrying(ctx context.Context, p nebula.Prompt, emit func(nebula.Chunk) bool) error {
	var load loading
	for attempt, learnt := 1, 0; ; {
		if err := ctx.Err(); err != nil {
			return err
		}
		d := c.currentDialect()
		err := c.attempt(ctx, p, d, emit)
		if err == nil || errors.Is(err, errStopped) {
			return err
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		f, ok := errors.AsType[*faultOf](err)
		if !ok {
			f = &faultOf{kind: "cut", text: nebula.Say("%s", c.redact.clean(err.Error())), next: nebula.Say("try again"), passes: true, after: -1}
		}
		if learnt < maxLearn && c.learn(f, d) {
			learnt++
			continue
		}
		if c.loads(f) {
			if again, err := load.next(ctx, c, emit); err != nil {
				return err
			} else if again {
				continue
			}
		}
		if !f.passes || attempt >= c.opts.Attempts || f.after > maxWish {
			return c.final(f, attempt)
		}
		attempt++
		pause := c.pause(attempt, f.after)
		if !emit(nebula.Chunk{Retry: &nebula.RetryNotice{Attempt: attempt, After: pause, Cause: c.opts.Say.words(f.text)}}) {
			return errStopped
		}
		if err := sleep(ctx, pause); err != nil {
			return err
		}
	}
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

func sleep(ctx context.Context, d time.Duration) error {
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

func (c *Client) currentDialect() dialect {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.dialect
}

// learn changes the dialect after a refusal that names, or may come from, something that was sent. It reports whether
// there is anything to try anew. The client keeps what it learnt.
func (c *Client) learn(f *faultOf, sent dialect) bool {
	raw := strings.ToLower(f.raw)
	if d, learnt := relearn(raw+strings.ToLower(readFault([]byte(f.raw)).message), sent); learnt && f.status >= 400 && f.kind != "context" {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.dialect = d
		return true
	}
	if f.passes || f.status != 400 && f.status != 422 && f.status != 501 || f.kind == "context" {
		return false
	}
	d := sent
	switch {
	case sent.modernMax && strings.Contains(raw, "max_completion_tokens"):
		d.modernMax = false
	case !sent.modernMax && strings.Contains(raw, "max_tokens") && strings.Contains(raw, "max_completion_tokens"):
		d.modernMax = true
	case sent.usage && (strings.Contains(raw, "stream_options") || strings.Contains(raw, "include_usage")):
		d.usage = false
	case sent.cacheKey && strings.Contains(raw, "prompt_cache_key"):
		d.cacheKey = false
	case sent.schema && (strings.Contains(raw, "response_format") || strings.Contains(raw, "json_schema")):
		d.schema = false
	case sent.reasoning != "" && strings.Contains(raw, sent.reasoning):
		d.reasoning = ""
	case sent.usage && !knownProvider(c.at.Provider) && f.kind == "bad_request" && !c.worked.Load():
		d.usage = false // the one extra that small servers stumble over without a word
	default:
		return false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.dialect = d
	return true
}
