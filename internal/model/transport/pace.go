package transport

import (
	"bytes"
	"context"
	"net/http"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"nebula"
	"nebula/internal/phrase"
)

// A pace keeps to what a server says that it still allows: where that is nothing, the next request waits until there is
// more, and is not refused.
type pace struct{ until atomic.Int64 } // nanoseconds since 1970

// allowances are the headers that say how much is left, and those that say when there is more, of providers that say so.
var allowances = [][2]string{
	{"X-Ratelimit-Remaining-Requests", "X-Ratelimit-Reset-Requests"},
	{"X-Ratelimit-Remaining-Tokens", "X-Ratelimit-Reset-Tokens"},
	{"X-Ratelimit-Remaining", "X-Ratelimit-Reset"},
	{"Anthropic-Ratelimit-Requests-Remaining", "Anthropic-Ratelimit-Requests-Reset"},
	{"Anthropic-Ratelimit-Tokens-Remaining", "Anthropic-Ratelimit-Tokens-Reset"},
	{"Anthropic-Ratelimit-Input-Tokens-Remaining", "Anthropic-Ratelimit-Input-Tokens-Reset"},
	{"Anthropic-Ratelimit-Output-Tokens-Remaining", "Anthropic-Ratelimit-Output-Tokens-Reset"},
}

// learn takes in what an answer says.
func (p *pace) learn(h http.Header, now time.Time) {
	var longest time.Duration
	for _, names := range allowances {
		left, err := strconv.ParseFloat(strings.TrimSpace(h.Get(names[0])), 64)
		if err == nil && left <= 0 {
			longest = max(longest, moreIn(h.Get(names[1]), serverTime(h, now)))
		}
	}
	p.until.Store(0)
	if longest > 0 && longest <= maxWish { // for a longer one the server's own refusal speaks
		p.until.Store(now.Add(longest).UnixNano())
	}
}

// moreIn reads when there is more: after a time (1m2s, 120ms), after or at a number of seconds, at a number of milliseconds
// since 1970, or at a moment. What is none of these is now.
func moreIn(text string, now time.Time) time.Duration {
	text = strings.TrimSpace(text)
	if at, err := time.Parse(time.RFC3339, text); err == nil {
		return at.Sub(now)
	}
	if d, err := time.ParseDuration(text); err == nil {
		return d
	}
	n, err := strconv.ParseFloat(text, 64)
	switch {
	case err != nil || n < 0 || n > 1e14:
		return 0
	case n > 1e11:
		return time.UnixMilli(int64(n)).Sub(now)
	case n > 1e8:
		return time.Unix(int64(n), 0).Sub(now)
	}
	return time.Duration(n * float64(time.Second))
}

// keep waits as long as the server asked for, and says so where a person would notice.
func (c *Client) keep(ctx context.Context, emit func(nebula.Chunk) bool) error {
	pause := time.Until(time.Unix(0, c.pace.until.Load()))
	if pause >= time.Second {
		said := nebula.Say("the server allows the next request in %s", pause.Round(time.Second))
		if !emit(nebula.Chunk{Wait: phrase.Said(said)}) {
			return ErrStopped
		}
	}
	return Sleep(ctx, pause)
}

// retryAfter is how long a server asks to wait, or -1.
func retryAfter(h http.Header, now time.Time) time.Duration {
	if ms, err := strconv.ParseFloat(h.Get("Retry-After-Ms"), 64); err == nil && ms >= 0 && ms < 1e10 {
		return time.Duration(ms * float64(time.Millisecond))
	}
	v := strings.TrimSpace(h.Get("Retry-After"))
	if s, err := strconv.ParseFloat(v, 64); err == nil && s >= 0 && s < 1e7 {
		return time.Duration(s * float64(time.Second))
	}
	if at, err := http.ParseTime(v); err == nil {
		return max(0, at.Sub(now))
	}
	return -1
}

// delayIn is how long an error's own words ask to wait, or -1.
func delayIn(body []byte) time.Duration {
	_, rest, found := bytes.Cut(body, []byte(`"retryDelay"`))
	if parts := bytes.SplitN(rest, []byte(`"`), 3); found && len(parts) == 3 {
		if d, err := time.ParseDuration(string(parts[1])); err == nil && d >= 0 {
			return d
		}
	}
	return -1
}
