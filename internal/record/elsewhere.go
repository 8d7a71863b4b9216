package record

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"strings"

	"nebula"
	"nebula/internal/lists"
)

// Notes beside the record can be written anew by whoever can write the record. Where the person wants that noticed, every
// end is also appended to a file elsewhere: on another machine's disk, or one that the system only lets grow.

// gone stands in the place of an end where the person removed a session.
const gone = "removed"

// append adds a line to the file elsewhere. What cannot be written is missing there, which is no harm; the opening tells.
func (h Heads) append(session, end string) {
	if h.elsewhere == "" {
		return
	}
	if f, err := os.OpenFile(h.elsewhere, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600); err == nil {
		_, _ = fmt.Fprintf(f, "%s %s  %s\n", h.name, end, session)
		_ = f.Close()
	}
}

// Reaches says why the file elsewhere cannot be written; nil where it can, or there is none.
func (h Heads) Reaches() error {
	if h.elsewhere == "" {
		return nil
	}
	f, err := os.OpenFile(h.elsewhere, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
	if err != nil {
		return nebula.Errorf("the ends of sessions cannot be noted in %s: %w; make it writable, or set heads.file to another", h.elsewhere, errors.Unwrap(err))
	}
	return f.Close()
}

// Elsewhere compares the store with the ends that were noted elsewhere: every one of them, so that a record which was
// written anew and went on growing is found as well. It gives one fault for each session; none where no file is set.
func (a Auditor) Elsewhere(ctx context.Context) (faults []*nebula.Broken, err error) {
	if a.Heads.elsewhere == "" {
		return nil, nil
	}
	ends, err := a.Heads.ends()
	if err != nil {
		return nil, nebula.Errorf("the ends of sessions in %s cannot be read: %w", a.Heads.elsewhere, errors.Unwrap(err))
	}
	for _, session := range sessionsOf(ends) {
		links, err := a.links(ctx, session)
		if err != nil {
			return nil, err
		}
		for _, e := range ends {
			if e.session == session && links[e.Seq] != e.Link {
				faults = append(faults, &nebula.Broken{Session: session, Seq: e.Seq, Text: nebula.Say("it was noted in %s, and is missing or another", a.Heads.elsewhere)})
				break
			}
		}
	}
	return faults, nil
}

// links are those of a session's records, by Seq; none where it is gone.
func (a Auditor) links(ctx context.Context, session string) (map[int64]nebula.Link, error) {
	links := map[int64]nebula.Link{}
	for r, err := range a.Store.Records(ctx, session, 0) {
		if errors.Is(err, nebula.ErrNoSession) {
			break
		}
		if err != nil {
			return nil, err
		}
		links[r.Seq] = r.Link
	}
	return links, nil
}

// Elsewhere are the sessions whose ends the file elsewhere has. The store need not be there.
func (h Heads) Elsewhere() []string {
	ends, _ := h.ends() // a file that is gone, too, has none
	return sessionsOf(ends)
}

// A noted end of a session.
type noted struct {
	session string
	nebula.Head
}

//go:noinline
func sessionsOf(ends []noted) (ids []string) {
	seen := map[string]bool{}
	for _, e := range ends {
		if !seen[e.session] {
			ids = append(ids, e.session)
		}
		seen[e.session] = true
	}
	return ids
}

// ends are the lines of the file elsewhere, without those of sessions that were removed.
func (h Heads) ends() (ends []noted, err error) {
	data, err := os.ReadFile(h.elsewhere)
	removed := map[string]bool{}
	for line := range strings.Lines(string(data)) {
		if n, ok := h.line(line); ok && n.Seq > 0 {
			ends = append(ends, n)
		} else if ok {
			removed[n.session] = true
		}
	}
	return lists.Drop(ends, func(n noted) bool { return removed[n.session] }), err
}

// line reads a line of the file elsewhere, an event 0 for a session that was removed; ok is false for one of another
// record, and for one that was cut off.
func (h Heads) line(text string) (n noted, ok bool) {
	text, whole := strings.CutSuffix(text, "\n")
	end, session, named := strings.Cut(strings.TrimPrefix(text, h.name+" "), "  ")
	if !whole || !named || !strings.HasPrefix(text, h.name+" ") {
		return n, false
	}
	n.session = session
	if end == gone {
		return n, true
	}
	sum := ""
	_, err := fmt.Sscanf(end, "%d %s", &n.Seq, &sum)
	b, bad := hex.DecodeString(sum)
	n.Link = AsLink(b)
	return n, err == nil && bad == nil && len(b) == len(n.Link)
}
