package transport

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
)

// maxEvent bounds one line and one event of a stream; a server that exceeds it is broken.
const maxEvent = 8 << 20

var errHuge = errors.New("an event of the stream is larger than 8 MB")

// events reads server-sent events: lines ending in LF, CRLF or CR, comments, a byte order mark, several data lines in
// an event. Beyond the standard it forgives a missing blank line between events and at the end,
// and does not forgive a line of a field that is none.
type events struct {
	r          io.Reader
	buf        []byte
	start, end int // the unread part of buf
	skipLF     bool
	begun      bool // past a byte order mark
	err        error
	event      []byte
	data       []byte
	filled     bool   // data holds an event that waits for its blank line
	ahead      []byte // a data line that was read too early
}

func newEvents(r io.Reader) *events { return &events{r: r, buf: make([]byte, 16<<10)} }

// next returns the next event that has data. The slices are valid until the next call.
func (e *events) next() (event, data []byte, err error) {
	e.data, e.event, e.filled = append(e.data[:0], e.ahead...), e.event[:0], len(e.ahead) > 0
	e.ahead = e.ahead[:0]
	for {
		line, err := e.line()
		if err != nil {
			if err == io.EOF && e.filled {
				return e.event, e.data, nil
			}
			return nil, nil, err
		}
		if len(line) == 0 {
			if e.filled {
				return e.event, e.data, nil
			}
			e.event = e.event[:0]
			continue
		}
		name, value := cutField(line)
		switch string(name) {
		case "event":
			e.event = append(e.event[:0], value...)
		case "data":
			if e.runsOn(value) {
				e.ahead = append(e.ahead, value...)
				return e.event, e.data, nil
			}
			if e.filled {
				e.data = append(e.data, '\n')
			}
			if e.data = append(e.data, value...); len(e.data) > maxEvent {
				return nil, nil, errHuge
			}
			e.filled = e.filled || len(value) > 0
		case "", "id", "retry": // comments, and what is for others
		default: // something of the reply may stand in it
			return nil, nil, NewDamaged(line)
		}
	}
}

// runsOn reports whether value begins another event though no blank line came before it.
func (e *events) runsOn(value []byte) bool {
	return e.filled && len(value) > 0 && (value[0] == '{' || value[0] == '[') && json.Valid(e.data)
}

func cutField(line []byte) (name, value []byte) {
	i := bytes.IndexByte(line, ':')
	if i < 0 {
		return line, nil
	}
	name, value = line[:i], line[i+1:]
	if len(value) > 0 && value[0] == ' ' {
		value = value[1:]
	}
	return name, value
}

// line returns the next line without its end. The last line may lack one.
func (e *events) line() ([]byte, error) {
	scanned := 0
	for {
		if e.skipLF && e.start < e.end {
			if e.buf[e.start] == '\n' {
				e.start++
			}
			e.skipLF = false
		}
		rest := e.buf[e.start:e.end]
		if i := endOfLine(rest[scanned:]); i >= 0 {
			i += scanned
			e.start += i + 1
			e.skipLF = rest[i] == '\r'
			return e.unmark(rest[:i]), nil
		}
		if scanned = len(rest); scanned > maxEvent {
			return nil, errHuge
		}
		if e.err != nil {
			e.start = e.end
			if e.err == io.EOF && scanned > 0 {
				return e.unmark(rest), nil
			}
			return nil, e.err
		}
		e.fill()
	}
}

func endOfLine(b []byte) int {
	i := bytes.IndexByte(b, '\n')
	if i >= 0 {
		b = b[:i]
	}
	if j := bytes.IndexByte(b, '\r'); j >= 0 {
		return j
	}
	return i
}

//go:noinline
func (e *events) unmark(line []byte) []byte {
	if e.begun {
		return line
	}
	e.begun = true
	return bytes.TrimPrefix(line, []byte("\xEF\xBB\xBF"))
}

func (e *events) fill() {
	if e.start > 0 {
		e.end = copy(e.buf, e.buf[e.start:e.end])
		e.start = 0
	}
	if e.end == len(e.buf) {
		e.buf = append(e.buf, make([]byte, len(e.buf))...)
	}
	for range 100 {
		n, err := e.r.Read(e.buf[e.end:])
		e.end, e.err = e.end+n, err
		if n > 0 || err != nil {
			return
		}
	}
	e.err = io.ErrNoProgress
}

// first returns the first byte that is not white space, without consuming it, or 0 at the end.
func (e *events) first() byte {
	for {
		rest := bytes.TrimPrefix(e.buf[e.start:e.end], []byte("\xEF\xBB\xBF"))
		if rest = bytes.TrimLeft(rest, " \t\r\n"); len(rest) > 0 && rest[0] != 0xEF {
			return rest[0]
		}
		if e.err != nil || e.end-e.start > 4096 {
			return 0
		}
		e.fill()
	}
}

// rest returns everything unread, for bodies that are no event stream.
func (e *events) rest() ([]byte, error) {
	for e.err == nil && e.end-e.start <= maxEvent {
		e.fill()
	}
	body := e.buf[e.start:e.end]
	e.start = e.end
	if e.err == io.EOF {
		return body, nil
	}
	if e.err == nil {
		return body, errHuge
	}
	return body, e.err
}
