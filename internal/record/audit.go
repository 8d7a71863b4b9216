package record

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"nebula"
)

// An Auditor tells whether a record is what was written: from its chains, and from the notes of their ends.
type Auditor struct {
	Store nebula.Store
	Heads Heads
}

// Verify checks every event of a session against the chain, and the chain's end against the session's line and its note. A
// [nebula.Broken] tells where a change, a removal or another order begins. The chain has no secret: it finds what was
// changed in the store, not a whole record written anew by someone who knows how.
func (a Auditor) Verify(ctx context.Context, session string) error {
	end, err := a.Store.Head(ctx, session) // before the walk; a writer may add events meanwhile
	if err != nil {
		return err
	}
	broken := func(seq int64, format string, args ...any) error {
		return &nebula.Broken{Session: session, Seq: seq, Text: nebula.Say(format, args...)}
	}
	at := nebula.Head{Link: Root(session)}
	for r, err := range a.Store.Records(ctx, session, 0) {
		if err != nil {
			return err
		}
		if r.Seq != at.Seq+1 {
			return broken(at.Seq+1, "it is missing, the next one is %d", r.Seq)
		}
		at = nebula.Head{Seq: r.Seq, Link: Next(at.Link, r)}
		if at.Link != r.Link {
			return broken(r.Seq, "it was changed, or stood elsewhere")
		}
		if r.Seq == end.Seq && at.Link != end.Link {
			return broken(r.Seq, "the session's row knows another last event")
		}
	}
	if at.Seq < end.Seq {
		return broken(at.Seq+1, "it is missing, the last one is %d", end.Seq)
	}
	cut, err := a.Cut(ctx, session)
	if cut != nil {
		return cut
	}
	return err
}

// Cut reports where a session ends before an event that was written, as far as that was noted outside of the store; nil
// where nothing is missing.
func (a Auditor) Cut(ctx context.Context, session string) (*nebula.Broken, error) {
	noted, ok := a.Heads.Read(session)
	if !ok || noted.Seq == 0 {
		return nil, nil
	}
	for r, err := range a.Store.Records(ctx, session, noted.Seq-1) {
		if errors.Is(err, nebula.ErrNoSession) {
			break
		}
		if err != nil {
			return nil, err
		}
		if r.Seq == noted.Seq && r.Link == noted.Link {
			return nil, nil
		}
		break
	}
	h, err := a.Store.Head(ctx, session)
	if err != nil && !errors.Is(err, nebula.ErrNoSession) {
		return nil, err
	}
	return &nebula.Broken{Session: session, Seq: min(h.Seq+1, noted.Seq),
		Text: nebula.Say("%d events were written, and the record ends otherwise: its end was taken out", noted.Seq)}, nil
}

// Missing are the sessions that were written, and not removed, and are not in the store.
func (a Auditor) Missing(ctx context.Context) (ids []string, err error) {
	for _, id := range a.Heads.Sessions() {
		if _, err := a.Store.Head(ctx, id); errors.Is(err, nebula.ErrNoSession) {
			ids = append(ids, id)
		} else if err != nil {
			return nil, err
		}
	}
	return ids, nil
}

// Noted reports whether a session's end is noted outside of the store: else nobody can tell whether it was cut.
func (a Auditor) Noted(session string) bool {
	if a.Heads.dir == "" {
		return false
	}
	files, _ := filepath.Glob(filepath.Join(a.Heads.dir, "*-"+filepath.Base(a.Heads.file(session))[len(a.Heads.name):])) // also from where the record was before
	return slices.ContainsFunc(files, func(file string) bool { id, _, ok := a.Heads.read(file); return ok && id == session })
}

// Export writes a session's events as they are stored, one JSON object a line: {"seq","at","type",…}.
func Export(ctx context.Context, s nebula.SessionStore, session string, w io.Writer) error {
	end, err := s.Head(ctx, session)
	if err != nil {
		return err
	}
	out, last := bufio.NewWriter(w), int64(0)
	for r, err := range s.Records(ctx, session, 0) {
		switch {
		case err != nil:
			return err
		case r.Seq != last+1:
			return &nebula.Broken{Session: session, Seq: last + 1, Text: nebula.Say("it is missing, the next one is %d", r.Seq)}
		case !strings.HasPrefix(r.Data, "{"):
			return &nebula.Broken{Session: session, Seq: r.Seq, Text: nebula.Say("it is no JSON object")}
		}
		last = r.Seq
		fmt.Fprintf(out, `{"seq":%d,"at":%q,"type":%q`, r.Seq, Moment(r.At).Format(time.RFC3339Nano), r.Type)
		if len(r.Data) > 2 {
			_ = out.WriteByte(',')
		}
		fmt.Fprintf(out, "%s\n", r.Data[1:])
	}
	if last < end.Seq {
		return &nebula.Broken{Session: session, Seq: last + 1, Text: nebula.Say("it is missing, the last one is %d", end.Seq)}
	}
	return out.Flush()
}
