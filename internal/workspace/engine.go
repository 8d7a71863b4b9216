package workspace

import (
	"bytes"
	"context"
	"encoding/binary"
	"io"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
	"unicode/utf8"

	"nebula"
	"nebula/internal/lists"
	"nebula/internal/phrase"
)

// A matcher is a query's keyword made ready.
type matcher struct {
	needle []byte         // a line has to hold this, if not empty
	fold   bool           // in any case: needle is lower-case ASCII
	re     *regexp.Regexp // and match this, if not nil
}

func newMatcher(q Query) (*matcher, error) {
	if !q.Regex {
		if strings.Contains(q.Keyword, "\n") {
			return nil, breaks()
		}
		if !q.IgnoreCase {
			return &matcher{needle: []byte(q.Keyword)}, nil
		}
		if phrase.ASCII(q.Keyword) {
			return &matcher{needle: []byte(strings.ToLower(q.Keyword)), fold: true}, nil
		}
		q.Keyword = regexp.QuoteMeta(q.Keyword)
	}
	flags := syntax.Perl &^ syntax.OneLine
	if q.IgnoreCase {
		flags |= syntax.FoldCase
	}
	tree, err := syntax.Parse(q.Keyword, flags)
	if err != nil {
		return nil, nebula.Wrong("Syntax is RE2's; for the text as it stands, leave regex out.", "%q is not a regular expression: %v.", q.Keyword, reason(err))
	}
	if spans(tree) {
		return nil, breaks()
	}
	re, err := regexp.Compile(oneLine(tree).String())
	if err != nil {
		return nil, nebula.Wrong("", "%q is not a regular expression: %v.", q.Keyword, err)
	}
	m := &matcher{re: re}
	m.needle, m.fold = required(tree.Simplify())
	return m, nil
}

//go:noinline
func breaks() error {
	return nebula.Wrong("Search for one line of it.", "The keyword has a line break, and lines are searched one by one.")
}

// spans reports whether an expression asks for a line break.
func spans(re *syntax.Regexp) bool {
	return re.Op == syntax.OpLiteral && lists.Has(re.Rune, '\n') || slices.ContainsFunc(re.Sub, spans)
}

// oneLine makes an expression that cannot match across lines.
func oneLine(re *syntax.Regexp) *syntax.Regexp {
	switch re.Op {
	case syntax.OpAnyChar:
		re.Op = syntax.OpAnyCharNotNL
	case syntax.OpCharClass:
		re.Rune = withoutBreak(re.Rune)
		if len(re.Rune) == 0 {
			re.Op = syntax.OpNoMatch
		}
	case syntax.OpBeginText:
		re.Op = syntax.OpBeginLine
	case syntax.OpEndText:
		re.Op, re.Flags = syntax.OpEndLine, re.Flags&^syntax.WasDollar
	}
	for _, sub := range re.Sub {
		oneLine(sub)
	}
	return re
}

func withoutBreak(class []rune) []rune {
	var out []rune
	for i := 0; i+1 < len(class); i += 2 {
		lo, hi := class[i], class[i+1]
		if lo > '\n' || hi < '\n' {
			out = append(out, lo, hi)
			continue
		}
		if lo < '\n' {
			out = append(out, lo, '\n'-1)
		}
		if hi > '\n' {
			out = append(out, '\n'+1, hi)
		}
	}
	return out
}

// required is the longest text that every match holds, and whether in any case.
func required(re *syntax.Regexp) (text []byte, fold bool) {
	switch re.Op {
	case syntax.OpLiteral:
		s := string(re.Rune)
		if re.Flags&syntax.FoldCase == 0 {
			return []byte(s), false
		}
		if phrase.ASCII(s) && !strings.ContainsAny(s, "kKsS") { // K and ſ fold to these
			return []byte(strings.ToLower(s)), true
		}
	case syntax.OpCapture, syntax.OpPlus:
		return required(re.Sub[0])
	case syntax.OpRepeat:
		if re.Min > 0 {
			return required(re.Sub[0])
		}
	case syntax.OpConcat:
		for _, sub := range re.Sub {
			if t, f := required(sub); len(t) > len(text) {
				text, fold = t, f
			}
		}
	}
	return text, fold
}

// An engine is a matcher with buffers, for one goroutine.
type engine struct {
	*matcher
	buf    []byte
	lower  []byte
	byLine bool // the expression is put to each line: only so can it not see the \r of a line's ending
}

func (m *matcher) engine() *engine { return &engine{matcher: m, buf: make([]byte, 64<<10)} }

// Sizes: a file is read whole up to maxWhole, and in pieces beyond; a line beyond maxLine is searched in parts.
const (
	maxWhole = 1 << 20
	maxText  = 2000
)

// search finds the matching lines of a file, at most limit when that is not 0.
func (e *engine) search(ctx context.Context, h *handle, name string, limit int) []Match {
	f, err := h.open(name)
	if err != nil {
		return nil
	}
	defer f.close()
	var (
		found []Match
		line  = 1
		have  = 0 // bytes in buf
		first = true
	)
	for {
		n, err := f.read(e.buf[have:])
		have += n
		if first && have > 0 && bytes.IndexByte(e.buf[:min(have, binaryHead)], 0) >= 0 {
			return nil
		}
		ended := n == 0 || err == io.EOF
		if err != nil && !ended {
			return found
		}
		whole := have
		if !ended {
			if have < len(e.buf) && have < maxWhole {
				continue
			}
			if cut := bytes.LastIndexByte(e.buf[:have], '\n'); cut >= 0 {
				whole = cut + 1
			} else if have < maxWhole {
				e.buf = append(e.buf, make([]byte, len(e.buf))...)
				continue
			}
		}
		first = false
		found = e.lines(e.buf[:whole], line, found, limit)
		if ended || limit > 0 && len(found) >= limit || ctx.Err() != nil {
			return found
		}
		line += bytes.Count(e.buf[:whole], []byte{'\n'})
		have = copy(e.buf, e.buf[whole:have])
		if len(e.buf) < maxWhole {
			e.buf = append(e.buf, make([]byte, len(e.buf))...)
		}
	}
}

// lines finds the matches in a piece of a file that ends with a line.
func (e *engine) lines(data []byte, line int, found []Match, limit int) []Match {
	text := data
	if e.fold {
		text = e.lowered(data)
	}
	e.byLine = e.re != nil && (len(e.needle) > 0 || bytes.Contains(data, []byte("\r\n")))
	at, counted := 0, 0
	for at < len(data) {
		start, end, ok := e.next(data, text, at)
		if !ok {
			break
		}
		line += bytes.Count(data[counted:start], []byte{'\n'})
		counted = start
		found = append(found, Match{Line: line, Text: shorten(data[start:end])})
		if limit > 0 && len(found) >= limit {
			break
		}
		at = end + 1
	}
	return found
}

// next finds the next line that matches, at or after at.
func (e *engine) next(data, text []byte, at int) (start, end int, ok bool) {
	for at < len(data) {
		hit := at
		switch {
		case len(e.needle) > 0:
			i := bytes.Index(text[at:], e.needle)
			if i < 0 {
				return 0, 0, false
			}
			hit = at + i
		case !e.byLine:
			loc := e.re.FindIndex(data[at:])
			if loc == nil {
				return 0, 0, false
			}
			hit = at + loc[0]
		}
		start = bytes.LastIndexByte(data[:hit], '\n') + 1
		if end = bytes.IndexByte(data[hit:], '\n'); end < 0 {
			end = len(data)
		} else {
			end += hit
		}
		if start == len(data) {
			return 0, 0, false // after the last line's end
		}
		if !e.byLine || e.re.Match(bytes.TrimSuffix(data[start:end], []byte("\r"))) {
			return start, end, true
		}
		at = end + 1
	}
	return 0, 0, false
}

// lowered is the text with A to Z in lower case, eight bytes at a time.
func (e *engine) lowered(data []byte) []byte {
	if cap(e.lower) < len(data) {
		e.lower = make([]byte, max(len(data), len(e.buf)))
	}
	out := e.lower[:len(data)]
	const each, high = 0x0101010101010101, 0x8080808080808080
	i := 0
	for ; i+8 <= len(data); i += 8 {
		x := binary.NativeEndian.Uint64(data[i:])
		low := x &^ high
		upper := ((low + (0x80-'A')*each) ^ (low + (0x7f-'Z')*each)) &^ x & high
		binary.NativeEndian.PutUint64(out[i:], x|upper>>2)
	}
	for ; i < len(data); i++ {
		c := data[i]
		if c >= 'A' && c <= 'Z' {
			c |= 0x20
		}
		out[i] = c
	}
	return out
}

// shorten is a line as it is shown.
func shorten(l []byte) string {
	l = bytes.TrimSuffix(l, []byte("\r"))
	if len(l) <= maxText {
		return string(l)
	}
	cut := maxText
	for cut > maxText-utf8.UTFMax && !utf8.RuneStart(l[cut]) {
		cut--
	}
	return string(l[:cut]) + "…"
}
