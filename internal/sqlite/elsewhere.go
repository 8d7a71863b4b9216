package sqlite

import (
	"cmp"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"nebula"
)

// Notes beside the record can be written anew by whoever can write the record. Where the person wants that noticed, every
// end is also appended to a file elsewhere: on another machine's disk, or one that the system only lets grow.

// gone stands in the place of an end where the person removed a session.
const gone = "removed"

// append adds a line to the file elsewhere. What cannot be written is missing there, which is no harm; the opening tells.
func (h heads) append(session, end string) {
	if h.elsewhere == "" {
		return
	}
	if f, err := os.OpenFile(h.elsewhere, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600); err == nil {
		_, _ = fmt.Fprintf(f, "%s %s  %s\n", h.name, end, session)
		_ = f.Close()
	}
}

// reaches tells at the opening where the file elsewhere cannot be written.
func (s *Store) reaches() {
	if s.heads.elsewhere == "" {
		return
	}
	f, err := os.OpenFile(s.heads.elsewhere, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
	if err != nil {
		s.notice("the ends of sessions cannot be noted in %s: %w; make it writable, or set heads.file to another", s.heads.elsewhere, errors.Unwrap(err))
		return
	}
	_ = f.Close()
}

// Elsewhere compares the record with the ends that were noted elsewhere: every one of them, so that a record which was
// written anew and went on growing is found as well. It gives one fault for each session; none where no file is set.
func (s *Store) Elsewhere(ctx context.Context) (faults []*Broken, err error) {
	if s.heads.elsewhere == "" {
		return nil, nil
	}
	ends, err := s.heads.ends()
	if err != nil {
		return nil, nebula.Errorf("the ends of sessions in %s cannot be read: %w", s.heads.elsewhere, errors.Unwrap(err))
	}
	told := map[string]bool{}
	err = s.use(ctx, "verify", func(db *conn) error {
		for _, n := range ends {
			if told[n.session] {
				continue
			}
			fits, err := db.fits(n)
			if err = cmp.Or(err, ctx.Err()); err != nil {
				return err
			}
			if told[n.session] = !fits; !fits {
				faults = append(faults, &Broken{Session: n.session, Seq: n.seq, Text: nebula.Say("it was noted in %s, and is missing or another", s.heads.elsewhere)})
			}
		}
		return nil
	})
	return faults, err
}

// WrittenElsewhere are the sessions whose ends a file elsewhere has for a database, which need not be there itself.
func WrittenElsewhere(file, database string) (ids []string) {
	h := newHeads("", database)
	h.elsewhere = file
	ends, _ := h.ends() // a file that is gone, too, has none
	for _, n := range ends {
		if !slices.Contains(ids, n.session) {
			ids = append(ids, n.session)
		}
	}
	return ids
}

// ends are the lines of the file elsewhere, without those of sessions that were removed.
func (h heads) ends() (ends []noted, err error) {
	data, err := os.ReadFile(h.elsewhere)
	removed := map[string]bool{}
	for line := range strings.Lines(string(data)) {
		if n, ok := h.line(line); ok && n.seq > 0 {
			ends = append(ends, n)
		} else if ok {
			removed[n.session] = true
		}
	}
	return slices.DeleteFunc(ends, func(n noted) bool { return removed[n.session] }), err
}

// line reads a line of the file elsewhere, an event 0 for a session that was removed; ok is false for one of another
// record, and for one that was cut off.
func (h heads) line(text string) (n noted, ok bool) {
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
	_, err := fmt.Sscanf(end, "%d %s", &n.seq, &sum)
	b, bad := hex.DecodeString(sum)
	n.link = asLink(b)
	return n, err == nil && bad == nil && len(b) == len(n.link)
}
