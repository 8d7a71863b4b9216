package record

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"

	"nebula"
)

// A Taker is a store that takes records as they are, whatever nebula wrote them.
type Taker interface {
	nebula.Store
	// Take is Append of events whose records are given; these get their links.
	Take(ctx context.Context, session string, records []nebula.Record, events []nebula.Event) error
}

// Append has a store take events: its [nebula.SessionStore.Append].
func Append(ctx context.Context, to Taker, session string, events []nebula.Event) error {
	if len(events) == 0 {
		return nil
	}
	records, err := Encode(events)
	if err != nil {
		return nebula.Errorf("session %s: %w", session, err)
	}
	return to.Take(ctx, session, records, events)
}

// copied is how many events are copied at a time.
const copied = 256

// Copy brings a session with the contents that its events name from one store to another, or what of it came since it was
// copied, and tells how many events that were. The chain is checked before anything is written and once more where it
// arrived. A session that stands there and began or went on otherwise is left as it is: [nebula.ErrInUse].
func Copy(ctx context.Context, from nebula.Store, to Taker, session string) (n int64, err error) {
	info, err := from.Find(ctx, session)
	if err != nil {
		return 0, err
	}
	if err := (Auditor{Store: from}).Verify(ctx, info.ID); err != nil {
		return 0, err
	}
	unlock, err := to.Lock(ctx, info.ID)
	if err != nil {
		return 0, err
	}
	defer unlock()
	there, err := to.Head(ctx, info.ID)
	if errors.Is(err, nebula.ErrNoSession) {
		there = nebula.Head{Link: Root(info.ID)}
		err = to.Create(ctx, info)
	}
	if err != nil {
		return 0, err
	}
	if there.Seq > 0 {
		if err := leads(ctx, from, info.ID, there); err != nil {
			return 0, err
		}
	}
	end, err := carry(ctx, from, to, info, there)
	if err != nil {
		return end.Seq - there.Seq, err
	}
	err = Auditor{Store: to}.Verify(ctx, info.ID)
	if arrived, headErr := to.Head(ctx, info.ID); err == nil && (headErr != nil || arrived != end) {
		err = errors.Join(headErr, &nebula.Broken{Session: info.ID, Seq: end.Seq, Text: nebula.Say("it arrived as another")})
	}
	return end.Seq - there.Seq, err
}

// leads says whether a chain's end is on the way of a session.
func leads(ctx context.Context, s nebula.Store, session string, end nebula.Head) error {
	for r, err := range s.Records(ctx, session, end.Seq-1) {
		if err != nil {
			return err
		}
		if r.Seq == end.Seq && r.Link == end.Link {
			return nil
		}
		break
	}
	return nebula.Errorf("session %s went on otherwise there: %w", session, nebula.ErrInUse)
}

// carry copies what comes after an end, and gives the end after it.
func carry(ctx context.Context, from nebula.Store, to Taker, info nebula.SessionInfo, end nebula.Head) (nebula.Head, error) {
	line, d := Line{SessionInfo: info, Head: end}, NewDecoder()
	var records []nebula.Record
	var events []nebula.Event
	flush := func() error {
		if len(records) == 0 {
			return nil
		}
		err := to.Take(ctx, info.ID, records, events)
		if err == nil {
			end = line.Head
		}
		records, events = records[:0], events[:0]
		return err
	}
	for r, err := range from.Records(ctx, info.ID, end.Seq) {
		if err != nil {
			return end, err
		}
		body, err := d.Body(r.Type, r.Data)
		if err != nil {
			return end, nebula.Errorf("session %s: event %d: %w", info.ID, r.Seq, err)
		}
		e := nebula.Event{Seq: r.Seq, At: Moment(r.At), Body: body}
		was := r.Link
		added, err := line.Take(&r, e)
		if err == nil && r.Link != was {
			err = &nebula.Broken{Session: info.ID, Seq: r.Seq, Text: nebula.Say("it was changed, or stood elsewhere")}
		}
		for _, hash := range added.Named {
			if err == nil {
				err = carryContent(ctx, from, to, hash)
			}
		}
		if err != nil {
			return end, err
		}
		if records, events = append(records, r), append(events, e); len(records) == copied {
			if err := flush(); err != nil {
				return end, err
			}
		}
	}
	err := flush()
	return end, err
}

// small is how much of a content is held in memory.
const small = 1 << 20

// carryContent copies a content. One that is gone was gone before.
func carryContent(ctx context.Context, from, to nebula.Contents, hash string) error {
	r, err := from.OpenContent(ctx, hash)
	if errors.Is(err, nebula.ErrNoContent) {
		return nil
	}
	if err != nil {
		return err
	}
	defer r.Close()
	first, err := io.ReadAll(io.LimitReader(r, small+1))
	if err != nil {
		return err
	}
	if len(first) <= small {
		_, err = to.Keep(ctx, first)
		return err
	}
	f, err := os.CreateTemp("", "nebula-copy-") // how much it is has to be known before
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	defer f.Close()
	size, err := io.Copy(f, io.MultiReader(bytes.NewReader(first), r))
	if err == nil {
		_, err = f.Seek(0, io.SeekStart)
	}
	if err == nil {
		_, err = to.KeepFile(ctx, f, size)
	}
	return err
}
