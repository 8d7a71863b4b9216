// Package record is what every store has in common: how events are encoded and chained, what a session's line and the
// counts say of them, how they are decoded quickly, and the notes of where sessions end that are kept outside of the
// store. A store keeps rows; what stands in them is decided here.
package record

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"time"

	"nebula"
)

// Root is the link before a session's first event.
//
//go:noinline
func Root(session string) nebula.Link {
	return sha256.Sum256([]byte("nebula session\x00" + session))
}

// Next ties a record to the chain: the hash of the previous link, the seq, the time and the type's length as 64 bits
// each, the type, and the data.
func Next(l nebula.Link, r nebula.Record) nebula.Link {
	b := make([]byte, 0, len(l)+24+len(r.Type)+len(r.Data))
	b = append(b, l[:]...)
	b = binary.BigEndian.AppendUint64(b, uint64(r.Seq))
	b = binary.BigEndian.AppendUint64(b, uint64(r.At))
	b = binary.BigEndian.AppendUint64(b, uint64(len(r.Type)))
	b = append(b, r.Type...)
	b = append(b, r.Data...)
	return sha256.Sum256(b)
}

// AsLink reads a link; what is no link is the zero one, which fits nothing.
func AsLink(b []byte) (l nebula.Link) {
	if len(b) == len(l) {
		copy(l[:], b)
	}
	return l
}

// Encode makes records of events, which must be stored ones and consecutive. They have no links yet: see [Line.Take].
func Encode(events []nebula.Event) ([]nebula.Record, error) {
	records := make([]nebula.Record, len(events))
	for i, e := range events {
		if e.Body == nil || e.Body.Transient() {
			return nil, fmt.Errorf("event %d is not one that is stored", e.Seq)
		}
		if e.Seq != events[0].Seq+int64(i) {
			return nil, fmt.Errorf("event %d follows %d", e.Seq, events[i-1].Seq)
		}
		data, err := nebula.EncodeBody(e.Body)
		if err != nil {
			return nil, err
		}
		records[i] = nebula.Record{Seq: e.Seq, At: Nanos(e.At), Type: e.Body.Name(), Data: string(data)}
	}
	return records, nil
}

// Ready has the forms of the events with which a session begins known: to find out how a type is written takes longer than to write one.
func Ready() {
	for _, b := range [...]nebula.Body{nebula.Started{}, nebula.Updated{}, nebula.Submitted{}, nebula.Replied{}, nebula.Observed{}, nebula.Ended{}} {
		_, _ = nebula.EncodeBody(b)
	}
}

// JSON writes a value as it is stored: code is full of < and &, and nothing here is a web page.
func JSON(v any) (string, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(v)
	return string(bytes.TrimSuffix(b.Bytes(), []byte("\n"))), err
}

// Nanos is a moment as it is stored, 0 for none. It is exact for the years 1678 to 2261.
//
//go:noinline
func Nanos(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixNano()
}

// Moment reads what Nanos gave.
func Moment(n int64) time.Time {
	if n == 0 {
		return time.Time{}
	}
	return time.Unix(0, n).UTC()
}
