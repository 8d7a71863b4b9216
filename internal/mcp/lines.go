package mcp

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"sync/atomic"
)

// lines are the messages that a program prints, one a line, without what is none: some greet whoever reads their log.
type lines struct {
	io.Closer
	from    *bufio.Reader
	skipped func(line string) // is told of the first line that is none
	size    int               // of the message that is being read; 0 between two
	over    atomic.Bool       // one was too long
}

func newLines(from io.ReadCloser, skipped func(string)) *lines {
	return &lines{Closer: from, from: bufio.NewReaderSize(from, 64<<10), skipped: skipped}
}

var errTooLong = errors.New("a message is too long")

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
		l.over.Store(true)
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
