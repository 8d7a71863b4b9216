package symops

import (
	"strings"

	"nebula"
	"nebula/internal/lists"
)

// A reader reads a reply as it comes. As long as it is written as taught, every line has one role, and a construct counts
// once the next one has begun: until then, what follows may still change it. From the construct on in which the first
// line is not as taught, or whose block could be read in two ways, the rest is read by its structure.
type reader struct {
	s     string // the reply, or as much of it as came
	ended bool   // nothing will follow
	rows  *table
	b     *builder // of what counts
	at    int      // the next line's first byte
	count int      // lines that count
	asked bool     // the last line was a question or its option
	names map[string]bool
	scan  int // how far the end of the block at hand was looked for
}

//go:noinline
func newReader(rows *table, tools []nebula.ToolSpec) *reader {
	return &reader{rows: rows, b: newBuilder(source{}, &Document{Vitals: Vitals{}}, tools), names: map[string]bool{}}
}

// outcome is how the reading of a line ended.
type outcome uint8

const (
	done   outcome = iota
	wait           // the line or its block is not all there yet
	giveUp         // not as taught
)

// run reads on as far as it goes. It reports whether the rest is not as taught.
func (r *reader) run() (failed bool) {
	r.b.src.text, r.b.src.came = r.s, r.s
	for r.at < len(r.s) {
		at, lines := r.at, len(r.b.lines)
		switch r.next() {
		case wait:
			r.at, r.b.lines, r.b.reading.roles = at, r.b.lines[:lines], r.b.reading.roles[:lines]
			return false
		case giveUp:
			return true
		}
	}
	return r.ended && (len(endless(r.s)) != len(r.s) || escapedHTML(r.s[r.from():]))
}

// from is the first byte of the construct at hand.
func (r *reader) from() int {
	if r.count < len(r.b.lines) {
		return int(r.b.lines[r.count].start)
	}
	return r.at
}

// finish reads what is left, and the document as a whole.
func (r *reader) finish(failed bool) *Document {
	if !failed {
		r.b.advance(len(r.b.lines))
		r.b.flush()
		return r.b.finish()
	}
	src := clean(r.s, r.from(), r.count)
	b := newBuilder(src, r.b.doc, r.b.tools)
	b.thoughts, b.repairs, b.lines = r.b.thoughts, src.repairs, split(src.text)
	b.calls = scan(src.text, b.lines, src.masked, b.tools, b.heads)
	b.reading = read(src.text, b.lines, r.rows)
	b.advance(len(b.lines))
	if b.inside {
		end := b.behind()
		b.endBlock(end, true)
		for ; end < len(b.lines); end++ {
			if b.lines[end].kind == action {
				b.construct(end)
				b.cur.Rows = append(b.cur.Rows, "ambiguous_end")
			}
		}
	}
	b.flush()
	return b.finish()
}

// behind is where the actions begin that stand last in a block of code that nothing ends: no code has such lines.
func (b *builder) behind() int {
	end := len(b.lines)
	if b.cur == nil || !writes(b.cur.Type) || len(b.paths) > 1 || proseFile(b.cur.Path) {
		return end
	}
	for i := end - 1; i > b.first; i-- {
		switch l := b.lines[i]; {
		case l.kind == blank:
		case l.kind == action && l.indent == 0 && !l.is(needing) && strings.HasPrefix(l.trimmed(b.src.text), "$ "):
			end = i
		default:
			return end
		}
	}
	return end
}

// begin makes everything before the last line count.
func (r *reader) begin() bool {
	last := len(r.b.lines) - 1
	if escapedHTML(r.s[r.from():r.b.lines[last].start]) {
		return false
	}
	r.b.advance(last)
	r.b.flush()
	r.count = last
	return true
}

// take cuts the next line. It fails while the line may still go on.
func (r *reader) take(role role) (l *line, ok bool) {
	end := strings.IndexByte(r.s[r.at:], '\n')
	next := r.at + end + 1
	if end < 0 {
		if !r.ended {
			return nil, false
		}
		end, next = len(r.s)-r.at, len(r.s)
	}
	r.b.lines = append(r.b.lines, line{start: int32(r.at), end: int32(r.at + end)})
	r.b.reading.roles = append(r.b.reading.roles, role)
	r.at = next
	return &r.b.lines[len(r.b.lines)-1], true
}

func (r *reader) next() outcome {
	l, ok := r.take(construct)
	if !ok {
		return wait
	}
	s := l.text(r.s)
	if r.asked && strings.HasPrefix(s, " ") {
		if _, ok := cutNumber(strings.TrimLeft(s, " ")); !ok || strings.IndexByte(s, '\r') >= 0 {
			return giveUp
		}
		l.indent, l.kind = uint16(min(len(s)-len(strings.TrimLeft(s, " ")), 1000)), item
		r.b.reading.roles[len(r.b.lines)-1] = text
		return done
	}
	if r.asked = false; s == "" {
		r.b.reading.roles[len(r.b.lines)-1] = text
		return done
	}
	if strings.IndexByte(s, '\r') >= 0 || len(s) < 3 || s[0] != '#' && (s[1] != ' ' || s[2] == ' ') {
		return giveUp
	}
	if l.classify(r.s, r.b.heads); !l.is(plainly) || l.strength != strong {
		return giveUp
	}
	switch l.kind {
	case action:
		return r.action(l, s)
	case thought:
		if strings.IndexByte("$#~<", s[2]) >= 0 {
			return giveUp
		}
	case vitals:
		if _, repairs, ok := readVitals(s); !ok || len(repairs) > 0 {
			return giveUp
		}
	case question:
		r.asked = true
	case failure:
	default:
		return giveUp
	}
	if !r.begin() {
		return giveUp
	}
	return done
}

func (r *reader) action(l *line, s string) outcome {
	h := r.b.heads.at(l, s)
	name := h.verb + " " + h.path
	if l.n > 0 || h.opened || r.names[name] || heredocWord(s) != "" || !asTaught(h.verb) || h.path == "" || !r.begin() {
		return giveUp
	}
	switch rest := r.s[r.at:]; {
	case len(rest) < 2 && !r.ended:
		return wait
	case strings.HasPrefix(rest, "--"):
		if how := r.block(); how != done {
			return how
		}
	case writes(h.verb):
		return giveUp
	}
	r.names[name] = true
	return done
}

// asTaught reports whether a word needs no repair.
//
//go:noinline
func asTaught(verb string) bool {
	return lists.Has(canon, verb)
}

// block reads the block that begins at the next line.
func (r *reader) block() outcome {
	open, ok := r.take(opens)
	if !ok {
		return wait
	}
	if open.classify(r.s, r.b.heads); open.kind != delim || !open.is(plainly) || open.is(worded) {
		return giveUp
	}
	first, delimiter := r.at, open.text(r.s)
	end := r.closing(first, delimiter)
	switch {
	case end < 0 && !r.ended:
		return wait
	case end < 0 || suspicious(strings.TrimSuffix(r.s[first:end], "\n"), len(delimiter)):
		return giveUp
	}
	for r.at < end {
		r.take(content) // its kind stays blank: nothing looks into it
	}
	l, _ := r.take(closes)
	l.classify(r.s, r.b.heads)
	r.scan = 0
	return done
}

// closing finds the line that is exactly the delimiter, from a line's beginning on; -1 while there is none.
func (r *reader) closing(from int, delimiter string) int {
	s := r.s
	for at := max(from, r.scan); at < len(s); {
		if s[at-1] == '\n' && strings.HasPrefix(s[at:], delimiter) {
			end := at + len(delimiter)
			if end == len(s) && r.ended || end < len(s) && s[end] == '\n' {
				return at
			}
		}
		i := strings.Index(s[at:], "\n--")
		if i < 0 {
			r.scan = max(from, len(s)-2)
			break
		}
		at += i + 1
		if at+len(delimiter) < len(s) {
			r.scan = at
		}
	}
	return -1
}

// suspicious reports whether a content could be read in another way: it is wrapped in a fence, its last line is an
// action, whose block the delimiter could open, or carriage returns came with it.
func suspicious(content string, hyphens int) bool {
	t := strings.TrimLeft(content, " \t\n")
	if strings.HasPrefix(t, "```") || strings.HasPrefix(t, "~~~") || strings.IndexByte(content, '\r') >= 0 {
		return true
	}
	if hyphens > 3 || hyphens == 3 && strings.Contains("\n"+content+"\n", "\n--\n") {
		return false // the longer delimiter was chosen for what the content holds
	}
	t = strings.TrimRight(content, " \t\n")
	return strings.HasPrefix(t[strings.LastIndexByte(t, '\n')+1:], "$ ")
}
