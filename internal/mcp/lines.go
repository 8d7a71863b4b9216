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
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"nebula/internal/lists"
)

// lines are the messages that a program prints, one a line, without what is none: some greet whoever reads their log.
type lines struct {
	io.Closer
	from    *bufio.Reader
	skipped func(line string) // is told of the first line that is none
	rest    []byte            // of the message that is being read
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
	each int64 // what a line weighs beside its bytes: those that ask for something, or tell, wait in memory
}

var message int64 = 512 // what each weighs

// Read implements io.Reader.
func (c *counted) Read(b []byte) (int, error) {
	n, err := c.ReadCloser.Read(b)
	if c.flow.said.Add(int64(n)+c.each*int64(bytes.Count(b[:n], []byte("\n")))) > mostSaid {
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
	for len(l.rest) == 0 {
		start, err := l.from.Peek(2)
		if err != nil && len(start) == 0 {
			return 0, err
		}
		if begins(start) {
			err = l.next()
		} else {
			err = l.skip()
		}
		if err != nil {
			return 0, err
		}
	}
	n := copy(b, l.rest)
	l.rest = l.rest[n:]
	return n, nil
}

// next takes in the next message. One that is none as it stands is passed over: the library would end at it.
func (l *lines) next() error {
	var whole []byte
	for {
		part, err := l.from.ReadSlice('\n')
		if whole = append(whole, part...); len(whole) > longestLine {
			l.flow.over.Store(longestLine)
			return errTooLong
		}
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		if err != nil && len(whole) == 0 {
			return err
		}
		break
	}
	if wrong(whole) != 0 && (whole[0] != '[' || !json.Valid(whole)) {
		l.tell(whole)
		return nil
	}
	l.rest = l.sound(whole)
	return nil
}

// sound is a message without the tools of a list that are none as they stand.
func (l *lines) sound(line []byte) []byte {
	var m, result map[string]json.RawMessage
	var tools []json.RawMessage
	if !bytes.Contains(line, []byte(`"tools"`)) || json.Unmarshal(line, &m) != nil || json.Unmarshal(m["result"], &result) != nil || json.Unmarshal(result["tools"], &tools) != nil {
		return line
	}
	all := len(tools)
	tools = lists.Drop(tools, func(raw json.RawMessage) bool {
		t := mcp.Tool{}
		bad := json.Unmarshal(raw, &t) != nil || t.Name == ""
		if bad {
			l.tell(raw)
		}
		return bad
	})
	if len(tools) == all {
		return line
	}
	result["tools"], _ = json.Marshal(tools) // what was JSON is
	m["result"], _ = json.Marshal(result)
	line, _ = json.Marshal(m)
	return append(line, '\n')
}

// tell says once what is passed over.
func (l *lines) tell(line []byte) {
	if said := string(bytes.TrimSpace(line)); said != "" && l.skipped != nil {
		l.skipped(cut(said, 200))
		l.skipped = nil
	}
}

// begins reports whether a line that begins so is a message, or several in a list.
func begins(start []byte) bool {
	return len(start) == 2 && (start[0] == '{' && bytes.IndexByte([]byte("\"} \t"), start[1]) >= 0 || start[0] == '[' && start[1] == '{')
}

// skip passes over a line.
func (l *lines) skip() error {
	first, err := l.from.ReadSlice('\n')
	l.tell(first)
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
