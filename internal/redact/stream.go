package redact

import (
	"strings"

	"nebula/internal/lazy"
)

// A Stream takes the secrets out of a text that comes in pieces. What may be the beginning of one is held back until it
// is known.
type Stream struct {
	redactor  Redactor
	held      string
	passed    string // the end of what was passed on: it tells where words begin
	addresses bool
}

// Stream begins one.
//
//go:noinline
func (r Redactor) Stream() *Stream { return &Stream{redactor: r} }

// Addresses has the stream take out too what opens the door in an address, whatever it is: https://me:word@host/.
func (s *Stream) Addresses() *Stream {
	s.addresses = true
	return s
}

// Feed takes the next piece and gives what can be passed on.
func (s *Stream) Feed(piece string) string {
	if len(s.redactor.forms) == 0 && !s.addresses {
		return piece
	}
	text := s.text(s.held+piece, true)
	open := len(text)
	if s.addresses {
		text, open = bare(text)
	}
	from := min(open, len(text)-s.redactor.begun(text))
	for _, v := range readings(text, true) {
		if n := s.redactor.begun(v.seen); n > 0 {
			from = min(from, v.at[len(v.seen)-n])
		}
	}
	if s.held = text[from:]; len(s.held) > heldMax {
		s.held = ""
		return text[:from] + Hidden
	}
	s.passed += text[:from]
	s.passed = s.passed[max(0, len(s.passed)-passedMost):]
	return text[:from]
}

// passedMost is how much is looked at of what was passed on.
const passedMost = 64

// text is the next of the text without secrets.
func (s *Stream) text(next string, open bool) string {
	if rest, ok := strings.CutPrefix(s.redactor.part(s.passed+next, open), s.passed); ok {
		return rest
	}
	return s.redactor.part(next, open)
}

// heldMax is how much is held back: what begins a secret and goes on for so long is seen no more than the secret would be.
const heldMax = 64 << 10

// begun is how many bytes at the end of a text may begin a secret.
//
//go:noinline
func (r Redactor) begun(text string) (most int) {
	for _, f := range r.forms {
		whole := len(f.text) - 1
		if f.word { // it is none where it goes on
			whole++
		}
		for n := min(whole, len(text)); n > most; n-- {
			if strings.HasSuffix(text, f.text[:n]) {
				most = n
			}
		}
	}
	return most
}

// End gives what was held back.
func (s *Stream) End() string {
	rest := s.text(s.held, false)
	s.held = ""
	if s.addresses {
		rest, _ = bare(rest + "\n")
		rest = strings.TrimSuffix(rest, "\n")
	}
	return rest
}

// nameMost is from how many bytes the name before a host, with no password behind it, is taken for a key.
const nameMost = 16

// bare is a text whose addresses open no door, and where one begins that may go on behind its end, which is as it was.
func bare(text string) (string, int) {
	const mark = "://"
	seen := solid(text)
	var b strings.Builder
	for {
		i := strings.Index(text, mark)
		if i < 0 {
			break
		}
		i += len(mark)
		n := strings.IndexFunc(seen[i:], func(c rune) bool { return c <= ' ' || strings.ContainsRune("/\"'`<>", c) })
		if n < 0 {
			b.WriteString(text)
			return b.String(), b.Len() - len(text) + i - len(mark)
		}
		b.WriteString(hostOnly(text, i, i+n))
		text, seen = text[i+n:], seen[i+n:]
	}
	open := b.Len() + len(strings.TrimSuffix(strings.TrimSuffix(text, "/"), ":"))
	if !strings.HasSuffix(text, ":") && !strings.HasSuffix(text, ":/") {
		open = b.Len() + len(text)
	}
	b.WriteString(text)
	return b.String(), open
}

// solid is a text in which what was taken out before has no spaces, and is as long.
func solid(text string) string {
	return strings.ReplaceAll(text, Hidden, strings.ReplaceAll(Hidden, " ", "_"))
}

// hostOnly is text[:to] without what stands between i and a host's at sign.
func hostOnly(text string, i, to int) string {
	at := strings.LastIndexByte(text[i:to], '@')
	if at < 0 || at < nameMost && !strings.Contains(text[i:i+at], ":") || placeholder.In(text[i:i+at]) {
		return text[:to]
	}
	return text[:i] + Hidden + text[i+at:to]
}

// placeholder are passwords that only say where one would stand.
var placeholder = &lazy.Pattern{X: `:(?:\$\{?\w+\}?|\{+[\w. ]+\}+|%[sv]|[*.]+|x+)$`}
