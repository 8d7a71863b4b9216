package mcp

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// lines are the messages that a program prints, one a line, without what is none: some greet whoever reads their log.
type lines struct {
	io.Closer
	from    *bufio.Reader
	skipped func(line string) // is told of the first line that is none
	size    int               // of the message that is being read; 0 between two
	flow    *flow
}

func newLines(from io.ReadCloser, flow *flow, skipped func(string)) *lines {
	return &lines{Closer: from, from: bufio.NewReaderSize(from, 64<<10), flow: flow, skipped: skipped}
}

var errTooLong = errors.New("a message is too long")

// A flow is how much a server says.
type flow struct {
	said atomic.Int64 // bytes since the last call began or ended
	over atomic.Int64 // the bound that it went over
}

// counted is what a server says. One that goes on without end, in whatever form, is heard no longer.
type counted struct {
	io.ReadCloser
	flow *flow
}

// Read implements io.Reader.
func (c *counted) Read(b []byte) (int, error) {
	n, err := c.ReadCloser.Read(b)
	if c.flow.said.Add(int64(n)) > mostSaid {
		c.flow.over.Store(mostSaid)
		return 0, errTooLong
	}
	return n, err
}

// pressed is what a program reads, which it has to do within some time: what is written waits for it, whoever gives it up.
type pressed struct {
	io.WriteCloser
	within time.Duration
}

// Write implements io.Writer.
func (p pressed) Write(b []byte) (int, error) {
	if pipe, ok := p.WriteCloser.(*os.File); ok {
		_ = pipe.SetWriteDeadline(time.Now().Add(p.within)) // where there are none, it is written without one
	}
	return p.WriteCloser.Write(b)
}

// Read implements io.Reader.
func (l *lines) Read(b []byte) (int, error) {
	for l.size == 0 {
		start, err := l.from.Peek(2)
		if err != nil && len(start) == 0 {
			return 0, err
		}
		if begins(start) {
			break
		}
		if err := l.skip(); err != nil {
			return 0, err
		}
	}
	if _, err := l.from.Peek(1); err != nil {
		return 0, err
	}
	data, _ := l.from.Peek(min(l.from.Buffered(), len(b))) // it is there
	ended := false
	if at := bytes.IndexByte(data, '\n'); at >= 0 {
		data, ended = data[:at+1], true
	}
	if l.size += len(data); l.size > longestLine {
		l.flow.over.Store(longestLine)
		return 0, errTooLong
	}
	if ended {
		l.size = 0
	}
	n := copy(b, data)
	return l.from.Discard(n)
}

// begins reports whether a line that begins so is a message, or several in a list.
func begins(start []byte) bool {
	return len(start) == 2 && (start[0] == '{' && bytes.IndexByte([]byte("\"} \t"), start[1]) >= 0 || start[0] == '[' && start[1] == '{')
}

// skip passes over a line.
func (l *lines) skip() error {
	first, err := l.from.ReadSlice('\n')
	if said := string(bytes.TrimSpace(first)); said != "" && l.skipped != nil {
		l.skipped(cut(said, 200))
		l.skipped = nil
	}
	for errors.Is(err, bufio.ErrBufferFull) {
		_, err = l.from.ReadSlice('\n')
	}
	return err
}

// lentLines are the messages of a program that nebula lends to, one a line. A line that is none is answered as what it is, and those behind it are read:
// the library would end at it without a word.
type lentLines struct {
	from *bufio.Reader
	to   io.Writer
	rest []byte // of the message that is being read
}

// Read implements io.Reader.
func (l *lentLines) Read(b []byte) (int, error) {
	for len(l.rest) == 0 {
		line, err := l.line()
		if len(bytes.TrimSpace(line)) > 0 {
			if code := wrong(line); code == 0 {
				l.rest = line
				break
			} else if _, err := fmt.Fprintf(l.to, `{"jsonrpc":"2.0","id":null,"error":{"code":%d,"message":"this line is no message"}}`+"\n", code); err != nil {
				return 0, err
			}
		}
		if err != nil {
			return 0, err
		}
	}
	n := copy(b, l.rest)
	l.rest = l.rest[n:]
	return n, nil
}

// line is the next one, or as much of one that is too long as tells that it is.
func (l *lentLines) line() (whole []byte, err error) {
	for {
		part, err := l.from.ReadSlice('\n')
		if len(whole) <= longestLine {
			whole = append(whole, part...)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return whole, err
		}
	}
}

// wrong is the code of what is wrong with a line, 0 for nothing.
func wrong(line []byte) int {
	if len(line) > longestLine || !json.Valid(line) {
		return jsonrpc.CodeParseError
	}
	if _, err := jsonrpc.DecodeMessage(line); err != nil { // nor are several in a list one
		return jsonrpc.CodeInvalidRequest
	}
	return 0
}

// keptOpen is what is written to and stays open. A file takes one message after the other, whoever writes.
type keptOpen struct{ io.Writer }

// Close implements io.Closer.
func (keptOpen) Close() error { return nil }
