package mcp

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// A sieve passes over what a server elsewhere sends that is no message, as [lines] does for a program: the library would end at it.
type sieve struct {
	over    http.RoundTripper
	skipped func(line string) // is told of each
}

// RoundTrip implements http.RoundTripper.
func (s sieve) RoundTrip(r *http.Request) (*http.Response, error) {
	resp, err := s.over.RoundTrip(r)
	if err != nil || resp.StatusCode != http.StatusOK {
		return resp, err
	}
	switch kind := resp.Header.Get("Content-Type"); {
	case strings.HasPrefix(kind, "text/event-stream"):
		resp.Body = &events{lines: newLines(resp.Body, nil, s.skipped)}
	case strings.HasPrefix(kind, "application/json"):
		data, err := io.ReadAll(resp.Body)
		read := io.Reader(bytes.NewReader(data))
		if err != nil {
			read = io.MultiReader(read, failing{err})
		} else if id := questionOf(r); id != nil && amiss(data) {
			newLines(resp.Body, nil, s.skipped).tell(data)
			answer, _ := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": id, "error": map[string]any{"code": jsonrpc.CodeParseError, "message": "the answer is no message"}}) // it is made of what can be written
			read = bytes.NewReader(answer)
		} else {
			read = bytes.NewReader(newLines(resp.Body, nil, s.skipped).sound(data))
		}
		resp.ContentLength = -1
		resp.Body = struct {
			io.Reader
			io.Closer
		}{read, resp.Body}
	}
	return resp, err
}

// amiss reports whether what a server sent is no message, and no list of them.
func amiss(data []byte) bool {
	data = bytes.TrimSpace(data)
	return len(data) == 0 || wrong(data) != 0 && (data[0] != '[' || !json.Valid(data))
}

// questionOf is the number of what a request asks; nil where it asks nothing.
func questionOf(r *http.Request) json.RawMessage {
	if r.GetBody == nil {
		return nil
	}
	body, err := r.GetBody()
	if err != nil {
		return nil
	}
	defer body.Close()
	var m struct{ ID json.RawMessage }
	_ = json.NewDecoder(body).Decode(&m) // what has none asks nothing
	return m.ID
}

// A failing reader gives an error.
type failing struct{ err error }

// Read implements io.Reader.
func (f failing) Read([]byte) (int, error) { return 0, f.err }

// events are a stream of messages without those that are none.
type events struct {
	*lines
	loose bool // what comes is longer than any message: the library sees to that
}

// Read implements io.Reader.
func (e *events) Read(b []byte) (int, error) {
	for len(e.rest) == 0 {
		if e.loose {
			return e.from.Read(b)
		}
		if err := e.event(); err != nil && len(e.rest) == 0 {
			return 0, err
		}
	}
	n := copy(b, e.rest)
	e.rest = e.rest[n:]
	return n, nil
}

// event takes in the next of them.
func (e *events) event() error {
	var whole, data, other []byte
	for {
		line, err := e.from.ReadSlice('\n')
		whole = append(whole, line...)
		for errors.Is(err, bufio.ErrBufferFull) {
			if len(whole) > longestLine {
				e.rest, e.loose = whole, true
				return nil
			}
			line, err = e.from.ReadSlice('\n')
			whole = append(whole, line...)
		}
		if len(whole) > longestLine {
			e.rest, e.loose = whole, true
			return nil
		}
		last := whole[bytes.LastIndexByte(whole[:max(0, len(whole)-1)], '\n')+1:]
		if err == nil && len(bytes.TrimRight(last, "\r\n")) > 0 {
			if text, is := bytes.CutPrefix(last, []byte("data:")); is {
				data = append(append(data, bytes.TrimSpace(text)...), '\n')
			} else {
				other = append(other, last...)
			}
			continue
		}
		switch {
		case err != nil || len(bytes.TrimSpace(data)) == 0: // one without may say when to come again
			e.rest = whole
		case amiss(data):
			e.tell(data)
			if len(other) > 0 {
				other = append(other, '\n')
				e.rest = other
			}
		default:
			e.rest = append(append(append(other, "data: "...), bytes.TrimSpace(e.sound(bytes.ReplaceAll(bytes.TrimSpace(data), []byte("\n"), nil)))...), "\n\n"...)
		}
		return err
	}
}
