package agent

import (
	"cmp"
	"context"
	"strings"
	"time"
	"unicode"

	"nebula"
)

// A listener shows a reply as it streams in.
type listener struct {
	session *Session
	stop    context.CancelFunc
	decode  func() nebula.StreamDecoder // nil when the text is for the person as it is
	decoder nebula.StreamDecoder
	said    strings.Builder // text that came so far, for a turn that is stopped in the middle
	told    emitted

	half, read string // what came of the last try before this one of which some came, and what of it the person read
}

// emitted is what of a reply was shown as pieces.
type emitted struct {
	say               strings.Builder
	thoughts, actions int
}

type received struct {
	reply nebula.Reply
	err   error
}

// listen reads one reply to its end. The stream runs beside the session's goroutine, which shows what came in since
// it last looked as one piece.
func (l *listener) listen(ctx context.Context, m nebula.Model, p nebula.Prompt) (nebula.Reply, error) {
	s := l.session
	l.restart()
	chunks := make(chan nebula.Chunk, 256)
	done := make(chan received, 1)
	go func() {
		reply, err := nebula.Collect(m.Stream(ctx, p), func(c nebula.Chunk) { chunks <- c })
		close(chunks)
		done <- received{reply, err}
	}()
	var failure error
	quiet := cmp.Or(s.setup.Quiet, 15*time.Second)
	waited, hush := quiet, time.NewTimer(quiet)
	hush.Stop() // before the reply begins the model has its own word for it
	defer hush.Stop()
	for open := true; open; {
		select {
		case c, ok := <-chunks:
			open = ok
			if ok && failure == nil {
				failure = l.take(c, chunks)
				waited = quiet
				if hush.Stop(); c.Retry == nil && c.Wait == "" { // else it does not begin yet
					hush.Reset(quiet)
				}
			}
		case <-hush.C:
			if failure == nil {
				failure = s.record(s.informs(saysNothing, waited.String()))
			}
			hush.Reset(waited)
			waited *= 2
		case in := <-s.inbox:
			s.busy(in)
		}
	}
	end := <-done
	switch {
	case failure != nil:
		return nebula.Reply{}, failure
	case ctx.Err() != nil:
		return nebula.Reply{}, ctx.Err()
	}
	return end.reply, end.err
}

func (l *listener) restart() {
	if l.said.Len() > 0 {
		l.half, l.read = l.said.String(), l.told.say.String()
	}
	l.said.Reset()
	l.told = emitted{}
	if l.decode != nil {
		l.decoder = l.decode()
	}
}

// take shows a chunk together with all that already wait behind it.
func (l *listener) take(c nebula.Chunk, chunks <-chan nebula.Chunk) error {
	var text, thought strings.Builder
	for n := 1; ; n++ {
		if c.Retry != nil {
			l.show(text.String(), thought.String())
			l.restart()
			text.Reset()
			thought.Reset()
			if err := l.session.record(retried(c.Retry)); err != nil {
				l.stop()
				return err
			}
		}
		if c.Wait != "" {
			if err := l.session.record(l.session.noted("info", c.Wait)); err != nil {
				l.stop()
				return err
			}
		}
		text.WriteString(c.Text)
		thought.WriteString(c.Reasoning)
		if n == cap(chunks) { // whoever sends without a pause does not keep the person from being heard
			break
		}
		select {
		case next, ok := <-chunks:
			if ok {
				c = next
				continue
			}
		default:
		}
		break
	}
	l.show(text.String(), thought.String())
	return nil
}

func retried(r *nebula.RetryNotice) nebula.Retried {
	return nebula.Retried{Attempt: r.Attempt, After: int64(r.After / time.Millisecond), Cause: r.Cause}
}

func (l *listener) show(text, thought string) {
	s := l.session
	if thought != "" {
		s.show(nebula.Streamed{Kind: "thought", Text: thought})
	}
	if text == "" {
		return
	}
	l.said.WriteString(text)
	if l.decoder == nil {
		s.show(nebula.Streamed{Kind: "text", Text: text})
		return
	}
	for _, piece := range l.decoder.Feed(text) {
		l.piece(piece)
	}
}

func (l *listener) piece(p nebula.Piece) {
	s := l.session
	switch {
	case p.Action != nil:
		l.told.actions++
		var b nebula.Body = nebula.Streamed{Kind: "action", Text: p.Action.Tool}
		if s.setup.Redact != nil { // it is no part of the text, which came without what nobody may read
			b = s.setup.Redact(b)
		}
		s.show(b)
	case p.Thought != "":
		l.told.thoughts++
		s.show(nebula.Streamed{Kind: "thought", Text: p.Thought + "\n"})
	case p.Say != "":
		l.told.say.WriteString(p.Say)
		s.show(nebula.Streamed{Kind: "text", Text: p.Say})
	}
}

// finish shows what could only be told at the reply's end. Reasoning that came beside the text was shown as it came.
func (l *listener) finish(in nebula.Intent, reasoned bool) {
	if l.decoder == nil {
		return
	}
	thoughts := in.Thoughts
	if reasoned && len(thoughts) > 0 {
		thoughts = thoughts[1:]
	}
	for _, t := range thoughts[min(l.told.thoughts, len(thoughts)):] {
		l.piece(nebula.Piece{Thought: t})
	}
	if rest := untold(in.Say, l.told.say.String()); rest != "" {
		l.piece(nebula.Piece{Say: rest})
	}
	for i := l.told.actions; i < len(in.Actions); i++ {
		l.piece(nebula.Piece{Action: &in.Actions[i]})
	}
}

// untold is what of a text was not told yet, white space aside; all of it where what was told is something else.
func untold(whole, told string) string {
	rest := whole
	for _, r := range told {
		if unicode.IsSpace(r) {
			continue
		}
		after, ok := strings.CutPrefix(strings.TrimLeftFunc(rest, unicode.IsSpace), string(r))
		if !ok {
			return whole
		}
		rest = after
	}
	if strings.TrimSpace(rest) == "" {
		return ""
	}
	return rest
}

// mostKept is how much of a reply that broke off is kept: more is no answer.
const mostKept = 256 << 10

// keep records what was said before the reply was stopped, or broke off for good, so that the model knows how far it came.
func (l *listener) keep(ctx context.Context) error {
	text, said, here := l.said.String(), l.told.say.String(), stoppedHere
	if text == "" {
		text, said = l.half, l.read
	}
	if text == "" || len(text) > mostKept {
		return nil
	}
	if l.decode == nil {
		said = text
	}
	var note []nebula.Body
	if ctx.Err() == nil {
		here, note = brokeOffHere, []nebula.Body{l.session.warns(halfKept)}
	}
	mark := l.session.say(here)
	if by := l.session.signalled(ctx); by != "" {
		mark = "[" + by + "]"
	}
	messages := []nebula.Message{{Role: nebula.Assistant, Parts: nebula.Text(text + "\n" + mark)}}
	return l.session.record(append([]nebula.Body{nebula.Observed{Messages: messages, Said: said}}, note...)...)
}
