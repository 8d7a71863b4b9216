package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"path/filepath"
	"strings"
	"time"

	"nebula"
	"nebula/internal/mcp"
	"nebula/internal/phrase"
)

// A push tells the person elsewhere that they are waited for: it posts a line of text to an address of theirs, as ntfy and what is like it
// take one.
type push struct {
	address string
	title   func(kind string) string // by the occasion's kind; its text is the message
	after   time.Duration            // who is there has answered by then
	words   func(error) string       // of what went wrong, in the person's language
}

// push tells the person elsewhere that they are waited for, where they gave an address for it.
func (s *session) push() func(context.Context, nebula.Occasion) *nebula.Hooked {
	if !s.config.NotifyURL.Set() {
		return nil
	}
	folder := filepath.Base(s.dir)
	p := &push{address: s.config.NotifyURL.Reveal(), after: 10 * time.Second, words: s.tongue().error, title: func(kind string) string {
		if kind == "question" {
			return s.say("%s: a question for you", folder)
		}
		return s.say("%s: waits for your approval", folder)
	}}
	return p.tell
}

// pushing is how long a message may take.
const pushing = 10 * time.Second

// tell posts that the person is waited for, unless ctx ends before; nil for nothing posted.
func (p *push) tell(ctx context.Context, o nebula.Occasion) *nebula.Hooked {
	select {
	case <-time.After(p.after):
	case <-ctx.Done():
		return nil
	}
	start := time.Now()
	h := nebula.Hooked{Moment: o.Moment, From: "notify.url", Command: "POST"}
	if err := p.post(ctx, &h, p.title(o.Kind), phrase.OneLine(o.Text, 400)); err != nil && ctx.Err() == nil {
		h.Failed = p.words(err)
	}
	h.Took = time.Since(start).Milliseconds()
	return &h
}

func (p *push) post(ctx context.Context, h *nebula.Hooked, title, text string) error {
	u, err := url.Parse(p.address)
	if err != nil || u.Host == "" || u.Scheme != "https" && (u.Scheme != "http" || !mcp.Here(u)) {
		return nebula.Errorf("only https goes, or http on this machine")
	}
	h.Command += " " + u.Scheme + "://" + u.Host // what comes behind may be all that keeps others from reading along
	ctx, stop := context.WithTimeout(ctx, pushing)
	defer stop()
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, p.address, strings.NewReader(text))
	if err != nil {
		return nebula.Errorf("only https goes, or http on this machine")
	}
	r.Header.Set("Content-Type", "text/plain; charset=utf-8")
	r.Header["Title"] = []string{title}
	client := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	answer, err := client.Do(r)
	if err != nil {
		if e := (*url.Error)(nil); errors.As(err, &e) {
			err = e.Err // the address stays out of it
		}
		return err
	}
	defer answer.Body.Close()
	_, _ = io.CopyN(io.Discard, answer.Body, 4096) // so that the connection may end in order
	if answer.StatusCode >= 300 {
		return fmt.Errorf("HTTP %d", answer.StatusCode)
	}
	return nil
}
