package transport

import (
	"context"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"nebula"
	"nebula/internal/phrase"
)

// When there is more of what a server allows is read as providers write it; what is left, or is too long, is waited for by
// nobody.
func TestWhatAServerAllowsIsRead(t *testing.T) {
	now := time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
	for _, tt := range []struct {
		left, leftIs, more, moreIs string
		want                       time.Duration
	}{
		{"x-ratelimit-remaining-requests", "0", "x-ratelimit-reset-requests", "1.5s", 1500 * time.Millisecond},
		{"x-ratelimit-remaining-tokens", "0", "x-ratelimit-reset-tokens", "1m2s", 62 * time.Second},
		{"x-ratelimit-remaining-requests", "3", "x-ratelimit-reset-requests", "1.5s", 0},
		{"anthropic-ratelimit-requests-remaining", "0", "anthropic-ratelimit-requests-reset", "2026-05-01T12:00:07Z", 7 * time.Second},
		{"anthropic-ratelimit-input-tokens-remaining", "0", "anthropic-ratelimit-input-tokens-reset", "2026-05-01T12:00:09Z", 9 * time.Second},
		{"x-ratelimit-remaining", "0", "x-ratelimit-reset", "1777636805000", 5 * time.Second},
		{"x-ratelimit-remaining", "0", "x-ratelimit-reset", "1777636806", 6 * time.Second},
		{"x-ratelimit-remaining", "0", "x-ratelimit-reset", "8", 8 * time.Second},
		{"x-ratelimit-remaining-requests", "0", "x-ratelimit-reset-requests", "6h", 0},
		{"x-ratelimit-remaining-requests", "0", "x-ratelimit-reset-requests", "soon", 0},
		{"x-ratelimit-remaining-requests", "none", "x-ratelimit-reset-requests", "1s", 0},
		{"anthropic-ratelimit-requests-remaining", "0", "anthropic-ratelimit-requests-reset", "2026-05-01T11:59:00Z", 0},
	} {
		h := http.Header{}
		h.Set(tt.left, tt.leftIs)
		h.Set(tt.more, tt.moreIs)
		var p pace
		p.learn(h, now)
		got := time.Duration(0)
		if until := p.until.Load(); until != 0 {
			got = time.Unix(0, until).Sub(now)
		}
		if got != tt.want {
			t.Errorf("%s %s, %s %s: %s", tt.left, tt.leftIs, tt.more, tt.moreIs, got)
		}
		if p.learn(http.Header{}, now); p.until.Load() != 0 {
			t.Error("an answer that says nothing leaves the last one's word")
		}
	}
}

// The next request waits, says so once, and can be stopped.
func TestTheNextRequestWaitsUntilItIsAllowed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var c Client
		h := http.Header{"X-Ratelimit-Remaining-Requests": {"0"}, "X-Ratelimit-Reset-Requests": {"20s"}}
		c.pace.learn(h, time.Now())
		said, began := 0, time.Now()
		emit := func(chunk nebula.Chunk) bool {
			said++
			return phrase.Told("en", chunk.Wait) == "the server allows the next request in 20s"
		}
		if err := c.keep(t.Context(), emit); err != nil || said != 1 || time.Since(began) != 20*time.Second {
			t.Errorf("%v, said %d times, after %s", err, said, time.Since(began))
		}
		if err := c.keep(t.Context(), emit); err != nil || said != 1 {
			t.Errorf("it waits twice: %v %d", err, said)
		}
		c.pace.learn(h, time.Now())
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if err := c.keep(ctx, emit); err == nil {
			t.Error("it is not stopped")
		}
	})
}
