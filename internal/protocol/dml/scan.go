package dml

import (
	"strings"

	"nebula"
	"nebula/internal/protocol"
)

type kind uint8

const (
	text   kind = iota // prose, whole lines or parts of them
	label              // Thought:, Action:, … at a line's start
	fenced             // a code block of Markdown
	macro
	broken // a macro whose end could not be told
)

// An item is one piece of a reply.
type item struct {
	kind       kind
	start, end int
	line       int    // 1-based, of start
	body       [2]int // what stands between a macro's brackets, or a fence's lines
	section    section
	quoted     bool // in a code span or in quotation marks
	moved      bool // the end was found by looking ahead
	repairs    []string
}

// A scanner cuts a reply into items. It reads what has come so far and goes on where it stopped, so that a reply that
// comes in pieces is cut like one that comes whole.
type scanner struct {
	text  string
	tools []nebula.ToolSpec
	final bool
	pos   int
	emit  func(item)

	lines   int // line breaks before counted
	counted int
	tokens  []token
	scanned int // tokens that begin before are known
	next    int // the first token at or after pos

	searched int // no line break in [pos, searched)
	lineEnd  int // where pos's line ends, while it is behind pos
	macro    *pending
	fence    *openFence
}

// A pending macro's end is not found yet.
type pending struct {
	item    item
	open    token
	payload bool
	at      int // the next token to look at
	depth   int
	closed  int // index of the token that closes it unless a later one does, -1 for none
}

type openFence struct {
	item   item
	mark   string // the run of ` or ~ that opened it
	search int
}

// put hands an item on, with its line.
func (s *scanner) put(it item) {
	s.lines += strings.Count(s.text[s.counted:it.start], "\n")
	s.counted = it.start
	it.line = 1 + s.lines
	s.emit(it)
}

// run goes as far as the text allows.
func (s *scanner) run() {
	limit := len(s.text)
	if !s.final {
		limit = max(s.scanned, s.pos, limit-tail)
	}
	s.tokens = tokens(s.text, s.scanned, limit, s.tokens)
	s.scanned = limit
	for s.step() {
	}
}

func (s *scanner) step() bool {
	switch {
	case s.macro != nil:
		return s.closeMacro()
	case s.fence != nil:
		return s.closeFence()
	}
	return s.line()
}

// line reads prose from pos to the line's end, or to the macro or fence that begins before it.
func (s *scanner) line() bool {
	if s.pos >= len(s.text) {
		return false
	}
	end, ok := s.endOfLine()
	if !ok {
		return false
	}
	if end > s.scanned {
		return false // a delimiter could still begin in this line
	}
	line := s.text[s.pos:end]
	if s.pos == 0 || s.text[s.pos-1] == '\n' {
		if s.openFence(line, end) {
			return true
		}
		if n, section := readLabel(line); n > 0 {
			s.put(item{kind: label, start: s.pos, end: s.pos + n, section: section})
			s.pos += n
			return true
		}
	}
	t, quoted := s.opener(line, end)
	if t < 0 {
		s.put(item{kind: text, start: s.pos, end: end})
		s.pos = end
		return true
	}
	s.begin(t, quoted)
	return true
}

// endOfLine is where the line that pos is in ends, its line break included, once that is known.
func (s *scanner) endOfLine() (end int, ok bool) {
	if s.pos < s.lineEnd {
		return s.lineEnd, true
	}
	end = index(s.text, "\n", max(s.pos, s.searched))
	if end == len(s.text) && !s.final {
		s.searched = end
		return 0, false
	}
	s.lineEnd = min(end+1, len(s.text))
	return s.lineEnd, true
}

// opener finds the first opener in a line that is not inside a code span, and whether it is quoted by what stands
// directly before it.
func (s *scanner) opener(line string, end int) (token int, quoted bool) {
	for s.next < len(s.tokens) && s.tokens[s.next].start < s.pos {
		s.next++
	}
	if strings.HasPrefix(strings.TrimLeft(line, " \t"), ">") && !s.mid() {
		return -1, false
	}
	spans := spanReader{line: line}
	for i := s.next; i < len(s.tokens) && s.tokens[i].start < end; i++ {
		if !s.tokens[i].open {
			continue
		}
		at := s.tokens[i].start - s.pos
		if spans.inside(at) {
			continue
		}
		return i, at > 0 && strings.ContainsRune("`\"'“「『‘", lastRune(line[:at]))
	}
	return -1, false
}

// mid reports whether pos stands behind something in its line.
func (s *scanner) mid() bool { return s.pos > 0 && s.text[s.pos-1] != '\n' }

// begin opens a macro at a token, after emitting the prose before it.
func (s *scanner) begin(t int, quoted bool) {
	open := s.tokens[t]
	if open.start > s.pos {
		s.put(item{kind: text, start: s.pos, end: open.start})
	}
	p := &pending{item: item{kind: macro, start: open.start, quoted: quoted}, open: open, at: t + 1, depth: 1, closed: -1}
	if open.odd {
		p.item.repairs = append(p.item.repairs, "dml_delimiter")
	}
	if spec, ok := headTool(s.text[open.end:], s.tools); ok {
		p.payload = hasPayload(spec)
	}
	s.macro = p
	s.pos = open.end
}

func hasPayload(spec nebula.ToolSpec) bool {
	for _, p := range spec.Params {
		if p.Payload {
			return true
		}
	}
	return false
}

// headTool is the tool that is named at the beginning of a macro's body.
func headTool(body string, tools []nebula.ToolSpec) (nebula.ToolSpec, bool) {
	body = body[:min(len(body), 200)]
	if i := strings.IndexByte(body, ']'); i >= 0 {
		body = body[:i]
	}
	_, rest, _ := command(body)
	name, _, _, _ := head(rest, tools)
	return protocol.Find(trimBlank(name), tools)
}

// closeMacro looks for the end of the open macro among the tokens known.
func (s *scanner) closeMacro() bool {
	p := s.macro
	for ; p.at < len(s.tokens); p.at++ {
		if s.settled(p, s.tokens[p.at]) {
			return true
		}
	}
	if !s.final {
		return false
	}
	if p.closed >= 0 {
		s.end(p, s.tokens[p.closed])
		return true
	}
	s.unclosed(p)
	return true
}

// settled takes one more token into account and reports whether the macro's end is now known (or that it has none).
//
// A macro with n brackets, n > 1, ends at the first closer with as many. With one bracket, a tool without contents
// ends at the first closer; contents may hold macros, so closers are matched with openers, and closers without an
// opener that follow the matching one belong to the contents up to the last of them: the end is where the reply's
// structure says.
func (s *scanner) settled(p *pending, t token) bool {
	switch {
	case t.short:
		return false
	case p.open.brackets > 1:
		if t.open || t.brackets < p.open.brackets {
			return false
		}
		s.end(p, t)
		return true
	case !p.payload && t.open:
		s.unclosed(p)
		return true
	case !p.payload:
		s.end(p, t)
		return true
	case p.closed >= 0 && t.open:
		s.end(p, s.tokens[p.closed])
		return true
	case p.closed >= 0:
		p.closed, p.item.moved = p.at, true
	case t.open:
		p.depth++
	default:
		if p.depth--; p.depth == 0 {
			p.closed = p.at
		}
	}
	return false
}

// end closes the macro at a closer, of whose brackets the last ones are its own.
func (s *scanner) end(p *pending, t token) {
	brackets := t.start + t.brackets // where the run of brackets ends
	p.item.body = [2]int{p.open.end, brackets - p.open.brackets}
	p.item.end = t.end
	if t.odd {
		p.item.repairs = append(p.item.repairs, "dml_delimiter")
	}
	if t.short {
		p.item.repairs = append(p.item.repairs, "dml_short_closer")
	}
	if p.item.moved {
		p.item.repairs = append(p.item.repairs, "dml_inner_closer")
	}
	s.put(p.item)
	s.pos, s.macro, s.searched = t.end, nil, 0
}

// unclosed gives up a macro without an end. One that cannot hold contents may end with its line where only the duck
// is missing; else reading goes on behind the line, and behind everything where contents were to come.
func (s *scanner) unclosed(p *pending) {
	stop := len(s.text)
	if p.at < len(s.tokens) {
		stop = s.tokens[p.at].start
	}
	stop = p.open.end + index(s.text[p.open.end:stop], "\n", 0)
	if !p.payload {
		for i := p.at - 1; i >= 0 && s.tokens[i].start >= p.open.end; i-- {
			if t := s.tokens[i]; t.short && t.start < stop && t.brackets >= p.open.brackets {
				s.end(p, t)
				return
			}
		}
	}
	p.item.kind = broken
	p.item.end = stop
	if p.payload && !p.item.quoted {
		p.item.end = len(s.text)
	}
	p.item.body = [2]int{p.open.end, p.item.end}
	s.put(p.item)
	s.pos, s.macro, s.searched = p.item.end, nil, 0
}

// openFence begins a code block of Markdown.
func (s *scanner) openFence(line string, end int) bool {
	mark := fenceMark(line)
	if mark == "" {
		return false
	}
	s.fence = &openFence{item: item{kind: fenced, start: s.pos, body: [2]int{end, end}}, mark: mark, search: end}
	s.pos = end
	return true
}

// fenceMark is the run of backticks or tildes that begins a line, if it opens or closes a code block.
func fenceMark(line string) string {
	line = strings.TrimLeft(line, " \t>")
	for _, c := range []byte{'`', '~'} {
		n := 0
		for n < len(line) && line[n] == c {
			n++
		}
		if n >= 3 && (c == '~' || !strings.Contains(line[n:], "`")) {
			return line[:n]
		}
	}
	return ""
}

func (s *scanner) closeFence() bool {
	f := s.fence
	for f.search < len(s.text) {
		end := index(s.text, "\n", max(f.search, s.searched))
		if end == len(s.text) && !s.final {
			s.searched = end
			return false
		}
		line := s.text[f.search:end]
		next := min(end+1, len(s.text))
		if mark := fenceMark(line); mark != "" && mark[0] == f.mark[0] && len(mark) >= len(f.mark) && strings.TrimLeft(strings.TrimSpace(line), "`~>") == "" {
			f.item.body[1], f.item.end = f.search, next
			s.put(f.item)
			s.pos, s.fence, s.searched = next, nil, 0
			return true
		}
		f.search = next
	}
	if !s.final {
		return false
	}
	f.item.body[1], f.item.end = len(s.text), len(s.text)
	f.item.repairs = []string{"unclosed"}
	s.put(f.item)
	s.pos, s.fence = len(s.text), nil
	return true
}

// A spanReader finds the code spans of one line. A span ends within a thousand bytes or is none.
type spanReader struct {
	line  string
	pos   int         // read up to here
	end   int         // of the span found last
	fails map[int]int // by run length: there is no closing run before this position
}

const spanLimit = 1000

// inside reports whether the byte at is inside a code span. It is asked for growing positions.
func (r *spanReader) inside(at int) bool {
	for r.end <= at {
		tick := strings.IndexByte(r.line[r.pos:at], '`')
		if tick < 0 {
			r.pos = at
			return false
		}
		start := r.pos + tick
		n := ticks(r.line, start)
		r.pos = start + n
		if end, ok := r.close(start+n, n); ok {
			r.pos, r.end = end, end
		}
		if r.pos > at {
			break
		}
	}
	return r.end > at
}

func (r *spanReader) close(from, n int) (end int, ok bool) {
	if from < r.fails[n] {
		return 0, false
	}
	limit := min(len(r.line), from+spanLimit)
	for i := from; i < limit; {
		tick := strings.IndexByte(r.line[i:limit], '`')
		if tick < 0 {
			break
		}
		i += tick
		run := ticks(r.line, i)
		if run == n {
			return i + n, true
		}
		i += run
	}
	if r.fails == nil {
		r.fails = map[int]int{}
	}
	r.fails[n] = limit
	return 0, false
}

func ticks(line string, at int) int {
	n := 0
	for at+n < len(line) && line[at+n] == '`' {
		n++
	}
	return n
}
