package record

import (
	"context"
	"errors"
	"io"
	"slices"
	"strings"
	"time"

	"nebula"
)

// A Teller is a store that keeps the conversation beside the events too, for people with an SQL prompt.
type Teller interface {
	// Messages are those of a session, in their order.
	Messages(ctx context.Context, session string) ([]Told, error)
}

// A Told is a message as it stands beside the events.
type Told struct {
	Seq int64     // of its event
	At  time.Time // to the millisecond
	Message
}

// Whole is Verify, and compares what is kept beside the chain with what its events say: what files held before each change that is
// recorded, and the messages of the conversation.
func (a Auditor) Whole(ctx context.Context, session string) error {
	if err := a.Verify(ctx, session); err != nil {
		return err
	}
	b := beside{store: a.Store, line: Line{Head: nebula.Head{Link: Root(session)}}, seen: map[string]bool{}}
	b.line.ID = session
	row, known, err := b.row(ctx, a.Store)
	if err != nil {
		return err
	}
	if t, ok := a.Store.(Teller); ok {
		var err error
		if b.told, err = t.Messages(ctx, session); err != nil {
			return err
		}
		b.tells = true
	}
	d := NewDecoder()
	for r, err := range a.Store.Records(ctx, session, 0) {
		if err != nil {
			return err
		}
		body, err := d.Body(r.Type, r.Data)
		if err != nil {
			return nebula.Errorf("session %s: event %d: %w", session, r.Seq, err)
		}
		if err := b.event(ctx, nebula.Event{Seq: r.Seq, At: Moment(r.At), Body: body}, r); err != nil {
			return err
		}
		if known && r.Seq == row.Seq {
			b.odd = append(b.odd, b.other(row)...)
		}
	}
	return b.verdict(session)
}

// row is the session's line as it stands, where the store gives it.
func (b *beside) row(ctx context.Context, s nebula.Store) (row Line, known bool, err error) {
	t, ok := s.(Liner)
	if !ok {
		return row, false, nil
	}
	row, b.odd, err = t.Line(ctx, b.line.ID)
	return row, err == nil && row.Seq > 0, err
}

// other are the columns of a session's line that say otherwise than its events. What its first event does not tell, as events did not that were
// not yet in the present form, is not asked.
func (b *beside) other(row Line) (columns []string) {
	l := b.line
	for _, c := range []struct {
		name string
		same bool
	}{
		{"title", row.Title == l.Title}, {"messages", row.Messages == l.Messages}, {"last", row.Last.Equal(l.Last)}, {"ended", row.Ended.Equal(l.Ended)},
		{"model_used", l.Model == "" || row.Model == l.Model},
		{"outcome", b.old || row.Outcome == l.Outcome}, {"files", row.Files == l.Files || b.old && row.Files < l.Files},
		{"project_path", b.old || b.first.Dir == "" || row.Dir == b.first.Dir}, {"began", b.first.Dir == "" || row.Started.Equal(l.Started)},
	} {
		if !c.same {
			columns = append(columns, c.name)
		}
	}
	return columns
}

// Strays are sessions that began in a folder by their events and are another's by their rows, where the store gives those.
func (a Auditor) Strays(ctx context.Context, dir string) (list []nebula.SessionInfo, err error) {
	if _, ok := a.Store.(Liner); !ok || dir == "" {
		return nil, nil
	}
	all, err := a.Store.AllSessions(ctx, "")
	for _, info := range all {
		if info.Dir == dir {
			continue
		}
		for e, err := range a.Store.Load(ctx, info.ID) {
			if b, ok := e.Body.(nebula.Started); ok && err == nil && b.Dir == dir {
				list = append(list, info)
			}
			break // what cannot be read is told where it is
		}
	}
	return list, err
}

// A beside follows a session's events and counts what does not stand beside them as they say.
type beside struct {
	store         nebula.Store
	line          Line
	seen          map[string]bool // contents
	told          []Told          // the messages that no event came for yet
	tells         bool
	gone, another int // contents
	content       int64
	path          string // of the first of them
	message       int64  // the first event whose messages are others
	first         nebula.Started
	old           bool     // it was begun before events said in which form they are
	odd           []string // columns of the session's line that say otherwise
}

func (b *beside) event(ctx context.Context, e nebula.Event, r nebula.Record) error {
	if e.Seq == 1 {
		b.first, _ = e.Body.(nebula.Started)
		b.line.Started, b.old = e.At, !strings.HasPrefix(r.Data, present)
	}
	added, err := b.line.Take(&r, e)
	if err != nil {
		return err
	}
	for _, m := range added.Messages {
		want := Told{Seq: e.Seq, At: b.line.Last.Truncate(time.Millisecond), Message: m}
		if b.message != 0 || !b.tells {
			break
		}
		if len(b.told) == 0 || !b.told[0].same(want) {
			b.message = e.Seq
			break
		}
		b.told = b.told[1:]
	}
	var kept []nebula.Change // what stood there was kept before they were made
	switch body := e.Body.(type) {
	case nebula.Finished:
		kept = body.Result.Changes
	case nebula.Undone:
		kept = body.Changes
	}
	for _, c := range kept {
		if (c.Kind == "edit" || c.Kind == "delete") && !c.Already && c.Before != "" {
			if err := b.kept(ctx, e.Seq, c.Name(), c.Before, true); err != nil {
				return err
			}
		}
	}
	for _, hash := range added.Named {
		if err := b.kept(ctx, e.Seq, hash, hash, false); err != nil {
			return err
		}
	}
	return nil
}

//go:noinline
func (t Told) same(o Told) bool {
	return t.Seq == o.Seq && t.At.Equal(o.At) && t.Message == o.Message
}

// kept looks at a content; one that need not be there is looked at where it is.
func (b *beside) kept(ctx context.Context, seq int64, path, hash string, must bool) error {
	if b.seen[hash] {
		return nil
	}
	r, err := b.store.OpenContent(ctx, hash)
	if err == nil {
		var read int64
		read, err = io.Copy(io.Discard, r)
		_ = r.Close()
		if l, ok := b.store.(Liner); ok && err == nil {
			var said int64
			if said, err = l.Size(ctx, hash); err == nil && said != read {
				err = io.ErrUnexpectedEOF
			}
		}
	}
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, nebula.ErrNoContent) && !must:
		return nil
	case errors.Is(err, nebula.ErrNoContent):
		b.gone++
	case err != nil:
		b.another++
	}
	b.seen[hash] = true
	if err != nil && b.content == 0 {
		b.content, b.path = seq, path
	}
	return nil
}

func (b *beside) verdict(session string) error {
	if b.message == 0 && len(b.told) > 0 {
		b.message = slices.MaxFunc(b.told, func(x, y Told) int { return int(x.Seq - y.Seq) }).Seq
	}
	switch {
	case b.content != 0:
		return &nebula.Broken{Session: session, Seq: b.content,
			Text: nebula.Say("of the contents that it names %d are missing and %d were changed, the first is of %s", b.gone, b.another, b.path)}
	case b.message != 0:
		return &nebula.Broken{Session: session, Seq: b.message, Text: nebula.Say("its messages beside the events are missing, or were changed")}
	case len(b.odd) > 0:
		return &nebula.Broken{Session: session, Seq: b.line.Seq, Text: nebula.Say("the session's row says otherwise than its events: %s", strings.Join(b.odd, ", "))}
	}
	return nil
}
