package workspace

import (
	"bytes"
	"unicode/utf8"
)

// A Style is how a text file is written down, apart from what it says.
type Style struct {
	BOM      bool   // begins with the UTF-8 byte order mark
	Ending   string // "\n", "\r\n", "\r", or empty in a text of one line: the more frequent one
	Mixed    bool   // has lines of other endings as well
	Final    bool   // the last line ends with an ending
	UTF8     bool   // every byte belongs to valid UTF-8; a whole-file edit of a file that is not would damage it
	Encoding string // of what is not text here: utf-16le, utf-16be, utf-32le, utf-32be or empty (binary)

	old []byte // of a mixed text: what its lines end with
}

const bom = "\ufeff"

// binaryHead is how far a NUL is looked for, as git and grep do.
const binaryHead = 8000

// Text tells how a content is written down, and whether it is text. What has a NUL near its beginning is not, nor is
// UTF-16 or UTF-32: Encoding then names it.
func Text(data []byte) (s Style, ok bool) {
	if s.Encoding = wide(data); s.Encoding != "" {
		return s, false
	}
	if bytes.IndexByte(data[:min(len(data), binaryHead)], 0) >= 0 {
		return s, false
	}
	s.BOM = bytes.HasPrefix(data, []byte(bom))
	s.UTF8 = utf8.Valid(data)
	crlf := bytes.Count(data, []byte("\r\n"))
	lf := bytes.Count(data, []byte("\n")) - crlf
	switch {
	case crlf > 0 && crlf >= lf:
		s.Ending = "\r\n"
	case lf > 0:
		s.Ending = "\n"
	case bytes.IndexByte(data, '\r') >= 0:
		s.Ending = "\r"
	}
	if s.Mixed = crlf > 0 && lf > 0; s.Mixed {
		s.old = data
	}
	s.Final = s.Ending != "" && bytes.HasSuffix(data, []byte(s.Ending[len(s.Ending)-1:]))
	return s, true
}

func wide(data []byte) string {
	switch {
	case bytes.HasPrefix(data, []byte{0xff, 0xfe, 0, 0}):
		return "utf-32le"
	case bytes.HasPrefix(data, []byte{0, 0, 0xfe, 0xff}):
		return "utf-32be"
	case bytes.HasPrefix(data, []byte{0xff, 0xfe}):
		return "utf-16le"
	case bytes.HasPrefix(data, []byte{0xfe, 0xff}):
		return "utf-16be"
	}
	return ""
}

// Apply writes a new text of the same file down in the file's style: with its byte order mark and its line endings,
// whatever endings the text came with. Where the file mixes endings, lines that it had before keep theirs. The final
// ending is left as the text has it, and so is everything in the zero Style, that of a new file.
func (s Style) Apply(text []byte) []byte {
	if !s.BOM && s.Ending == "" {
		return text
	}
	body := bytes.TrimPrefix(text, []byte(bom))
	switch s.Ending {
	case "\n", "\r\n", "\r":
		if s.Mixed {
			body = s.mix(body)
		} else {
			body = s.uniform(body)
		}
	}
	if s.BOM {
		body = append([]byte(bom), body...)
	}
	return body
}

func (s Style) uniform(body []byte) []byte {
	body = bytes.ReplaceAll(body, []byte("\r\n"), []byte("\n"))
	if s.Ending != "\n" {
		body = bytes.ReplaceAll(body, []byte("\n"), []byte(s.Ending))
	}
	return body
}

// mix gives every line that the old text has, in the same order, its old ending. Lines are paired from both ends; between,
// a line is paired with the next old one that says the same when that line stands there once only.
func (s Style) mix(body []byte) []byte {
	was, now := lines(bytes.TrimPrefix(s.old, []byte(bom))), lines(body)
	ending := make([]string, len(now))
	head := 0
	for head < len(was) && head < len(now) && bytes.Equal(was[head].text, now[head].text) {
		ending[head] = was[head].ending
		head++
	}
	i, j := len(was), len(now)
	for i > head && j > head && bytes.Equal(was[i-1].text, now[j-1].text) {
		i, j = i-1, j-1
		ending[j] = was[i].ending
	}
	at := make(map[string]int, i-head) // -1: more than once
	for k := head; k < i; k++ {
		if _, twice := at[string(was[k].text)]; twice {
			at[string(was[k].text)] = -1
		} else {
			at[string(was[k].text)] = k
		}
	}
	next := head
	for k := head; k < j; k++ {
		if next < i && bytes.Equal(was[next].text, now[k].text) {
			ending[k] = was[next].ending
			next++
		} else if p, ok := at[string(now[k].text)]; ok && p >= next {
			ending[k] = was[p].ending
			next = p + 1
		}
	}
	var out bytes.Buffer
	for k, l := range now {
		out.Write(l.text)
		switch {
		case l.ending == "":
		case ending[k] != "":
			out.WriteString(ending[k])
		default:
			out.WriteString(s.Ending)
		}
	}
	return out.Bytes()
}

type line struct {
	text   []byte
	ending string
}

// lines cuts a text at "\n" and "\r\n".
func lines(data []byte) []line {
	var all []line
	for len(data) > 0 {
		text, rest, ended := bytes.Cut(data, []byte("\n"))
		l := line{text: text}
		if ended {
			l.ending = "\n"
			if t, ok := bytes.CutSuffix(text, []byte("\r")); ok {
				l = line{text: t, ending: "\r\n"}
			}
		}
		all, data = append(all, l), rest
	}
	return all
}
