package acp

import (
	"bufio"
	"fmt"
	"io"

	"nebula/internal/lazy"
)

// longest is what the library takes of a message, in bytes: it ends at a longer one, and says nothing.
const longest = 10<<20 - 1

// tooLong is the method that is called in place of one whose message is too long, so that it is answered.
const tooLong = "_nebula/too_long"

// A bounded reader leaves out what is too long of a message, and goes on with the next.
type bounded struct {
	in    *bufio.Reader
	ready []byte // whole messages, or their ends, that were not given yet
	err   error
}

func newBounded(in io.Reader) *bounded { return &bounded{in: bufio.NewReaderSize(in, 64<<10)} }

// Read implements io.Reader.
func (b *bounded) Read(p []byte) (int, error) {
	for len(b.ready) == 0 && b.err == nil {
		b.ready, b.err = b.message()
	}
	if len(b.ready) == 0 {
		return 0, b.err
	}
	n := copy(p, b.ready)
	b.ready = b.ready[n:]
	return n, nil
}

// message is the next message, or what stands in its place.
func (b *bounded) message() ([]byte, error) {
	var line, end []byte
	for {
		part, err := b.in.ReadSlice('\n')
		if room := longest - len(line); len(end) == 0 && len(part) <= room {
			line = append(line, part...)
		} else {
			end = append(end[max(0, len(end)-ends):], part...)
		}
		if err == bufio.ErrBufferFull {
			continue
		}
		if len(end) > 0 {
			line = replaced(line, end)
		}
		return line, err
	}
}

// ends is how much of the beginning and of the end of a message is searched for its number.
const ends = 4 << 10

var (
	number = &lazy.Pattern{X: `"id"\s*:\s*("[^"\\]*"|-?\d+)`}
	method = &lazy.Pattern{X: `"method"\s*:`}
)

// replaced is what stands in the place of a message of which only the beginning and the end are known: its request, answered as
// too long, or nothing where nobody waits for an answer.
func replaced(begin, end []byte) []byte {
	begin = begin[:min(len(begin), ends)]
	id := number.Re().FindSubmatch(begin)
	if id == nil {
		all := number.Re().FindAllSubmatch(end, -1)
		if len(all) == 0 {
			return nil
		}
		id = all[len(all)-1]
	}
	if !method.Re().Match(begin) && !method.Re().Match(end) {
		return fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%s,"error":{"code":%d,"message":"too long"}}`+"\n", id[1], failed)
	}
	return fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%s,"method":%q}`+"\n", id[1], tooLong)
}
