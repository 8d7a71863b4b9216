package sqlite

import (
	"context"
	"crypto/sha256"
	"database/sql/driver"
	"encoding/binary"

	"nebula"
)

// A link is the hash that ties an event to everything before it in its session.
type link [sha256.Size]byte

// root is the link before a session's first event.
func root(session string) link {
	return sha256.Sum256([]byte("nebula session\x00" + session))
}

// next ties an event to the chain: the hash of the previous link, the seq, the time and the type's length as 64 bits
// each, the type, and the data.
func (l link) next(r record) link {
	b := make([]byte, 0, len(l)+24+len(r.kind)+len(r.data))
	b = append(b, l[:]...)
	b = binary.BigEndian.AppendUint64(b, uint64(r.seq))
	b = binary.BigEndian.AppendUint64(b, uint64(r.at))
	b = binary.BigEndian.AppendUint64(b, uint64(len(r.kind)))
	b = append(b, r.kind...)
	b = append(b, r.data...)
	return sha256.Sum256(b)
}

// A Broken is where a session's record is not what was written.
type Broken struct {
	Session string
	Seq     int64 // the first event that does not fit
	Text    nebula.Words
}

func (b *Broken) Error() string { return b.Words().String() }

// Words implements [nebula.Speaker].
func (b *Broken) Words() nebula.Words {
	return nebula.Say("session %s: the record is broken at event %d: %s", b.Session, b.Seq, b.Text)
}

// Verify checks every event of a session against the chain, and the chain's end against the session's row. A [Broken]
// tells where a change, a removal or another order begins. The chain has no secret: it finds what was changed in the
// file, not a whole record written anew by someone who knows how.
func (s *Store) Verify(ctx context.Context, session string) error {
	var h head
	err := s.use(ctx, "verify", func(db *conn) (err error) {
		h, err = db.head(session)
		return err
	})
	if err != nil {
		return err
	}
	v := verifier{session: session, link: root(session), end: h}
	for v.broken == nil && !v.done {
		v.done = true // unless a row comes
		err := s.use(ctx, "verify", func(db *conn) error {
			return db.query(v.row, `SELECT seq, at, type, data, chain FROM events
				WHERE session=? AND seq>? ORDER BY seq LIMIT 256`, session, v.seq)
		})
		if err != nil {
			return err
		}
	}
	if v.broken == nil && v.seq < h.seq {
		v.fail(v.seq+1, nebula.Say("it is missing, the last one is %d", h.seq))
	}
	if v.broken != nil {
		return v.broken
	}
	cut, err := s.Cut(ctx, session)
	if cut != nil {
		return cut
	}
	return err
}

// A verifier walks along a session's chain.
type verifier struct {
	session string
	link    link
	seq     int64
	end     head // the session's row before the walk; a writer may add events meanwhile
	done    bool
	broken  *Broken
}

func (v *verifier) row(row []driver.Value) bool {
	v.done = false
	r := record{seq: integer(row[0]), at: integer(row[1]), kind: text(row[2]), data: text(row[3])}
	chain, _ := row[4].([]byte)
	if r.seq != v.seq+1 {
		return v.fail(v.seq+1, nebula.Say("it is missing, the next one is %d", r.seq))
	}
	v.seq, v.link = r.seq, v.link.next(r)
	if v.link != asLink(chain) {
		return v.fail(r.seq, nebula.Say("it was changed, or stood elsewhere"))
	}
	if r.seq == v.end.seq && v.link != v.end.link {
		return v.fail(r.seq, nebula.Say("the session's row knows another last event"))
	}
	return true
}

func (v *verifier) fail(seq int64, text nebula.Words) bool {
	v.broken = &Broken{Session: v.session, Seq: seq, Text: text}
	return false
}

func asLink(b []byte) (l link) {
	if len(b) == len(l) {
		copy(l[:], b)
	}
	return l
}
