package symops

import (
	"strconv"
	"strings"

	"nebula"
)

// A strict reads the head of a reply that is written as taught, in one pass. It gives up at the first line that is
// not, and at a block that could be read in two ways; from the construct before that line on, the rest is read by its
// structure. A construct counts once the next one has begun: until then, what follows may still change it.
type strict struct {
	s     string // the reply, or as much of it as came
	ended bool   // nothing will follow
	at    int    // the next line's first byte
	line  int    // its number, from 0
	tally        // of everything that was read
	sure  tally  // of everything that counts
	from  int    // where sure ends: the first byte of the construct at hand
	first int    // and its line
	asked bool   // the last line was a question or its option
	marks map[string]bool
	rows  *table
	scan  int // how far the end of the block at hand was looked for
}

// A tally is what has been read: lengths of the document's lists, so that it can be taken back.
type tally struct {
	thoughts, questions, errors, actions int
	vitals                               [4]vital
	reason                               []string // thoughts since the last action
}

type vital struct {
	n   float64
	set bool
}

const vitalKeys = "cmfs"

// outcome is how the reading of a line ended.
type outcome uint8

const (
	done   outcome = iota
	wait           // the line or its block is not all there yet
	giveUp         // not as taught
)

// run reads on as far as it goes. It reports whether the rest is not as taught.
func (p *strict) run(d *Document) (failed bool) {
	for p.at < len(p.s) {
		at, line, before := p.at, p.line, p.tally
		switch p.next(d) {
		case wait:
			p.at, p.line, p.tally = at, line, before
			p.cut(d, before)
			return false
		case giveUp:
			return true
		}
	}
	return p.ended && (len(endless(p.s)) != len(p.s) || escapedHTML(p.s[p.from:]))
}

// cut takes a document back to a state.
func (p *strict) cut(d *Document, s tally) {
	d.Thoughts, d.Questions, d.Errors, d.Actions = d.Thoughts[:s.thoughts], d.Questions[:s.questions], d.Errors[:s.errors], d.Actions[:s.actions]
}

// back takes the document back to what counts.
func (p *strict) back(d *Document) {
	p.cut(d, p.sure)
	p.tally = p.sure
	p.fill(d)
}

// fill writes the vitals into the document.
func (p *strict) fill(d *Document) {
	d.Vitals = Vitals{}
	for i, v := range p.vitals {
		if v.set {
			d.Vitals[vitalKeys[i]] = v.n
		}
	}
}

// begin makes everything before a construct count; before is the state in front of it.
func (p *strict) begin(start int, before tally) bool {
	if escapedHTML(p.s[p.from:start]) {
		return false
	}
	p.sure, p.from, p.first = before, start, p.line-1
	return true
}

// take cuts the next line. It fails while the line may still go on.
func (p *strict) take() (line string, ok bool) {
	rest := p.s[p.at:]
	i := strings.IndexByte(rest, '\n')
	switch {
	case i >= 0:
		p.at += i + 1
		rest = rest[:i]
	case !p.ended:
		return "", false
	default:
		p.at = len(p.s)
	}
	p.line++
	return rest, true
}

func (p *strict) next(d *Document) outcome {
	start, before := p.at, p.tally
	l, ok := p.take()
	switch {
	case !ok:
		return wait
	case l == "":
		p.asked = false
		return done
	case len(l) < 3 || l[len(l)-1] <= ' ' || strings.IndexByte(l, '\r') >= 0:
		return giveUp
	case p.asked && l[0] == ' ':
		return p.option(d, l)
	}
	p.asked = false
	if l[0] == '#' {
		return p.readVitals(l, start, before)
	}
	if l[1] != ' ' || l[2] == ' ' {
		return giveUp
	}
	if l[0] == '$' {
		return p.action(d, l, start, before)
	}
	return p.construct(d, l, start, before)
}

func (p *strict) option(d *Document, l string) outcome {
	t, ok := cutNumber(strings.TrimLeft(l, " "))
	if !ok {
		return giveUp
	}
	q := &d.Questions[len(d.Questions)-1]
	q.Options = append(q.Options, t)
	return done
}

func (p *strict) construct(d *Document, l string, start int, before tally) outcome {
	t := l[2:]
	switch l[0] {
	case '~':
		if strings.IndexByte("$#~<", t[0]) >= 0 || trailingVitals(t) > 0 {
			return giveUp
		}
		d.Thoughts = append(d.Thoughts, t)
		p.thoughts++
		p.reason = append(p.reason, t)
	case '?':
		d.Questions = append(d.Questions, nebula.Question{Text: t})
		p.questions++
		p.reason, p.asked = nil, true
	case '!':
		d.Errors = append(d.Errors, t)
		p.errors++
	default:
		return giveUp
	}
	if !p.begin(start, before) {
		return giveUp
	}
	return done
}

func (p *strict) readVitals(l string, start int, before tally) outcome {
	if !strictVitals(l) {
		return giveUp
	}
	for field := range strings.FieldsSeq(l) {
		n, err := strconv.ParseFloat(field[2:], 64)
		if err != nil || n > 1 || strings.Contains(field[1:], "#") || field[len(field)-1] == '.' {
			return giveUp
		}
		p.vitals[strings.IndexByte(vitalKeys, field[1])] = vital{n, true}
	}
	if !p.begin(start, before) {
		return giveUp
	}
	return done
}

func (p *strict) action(d *Document, l string, start int, before tally) outcome {
	verb, target, ok := strings.Cut(l[2:], " @ ")
	if !ok || !asTaught(verb) || target == "" || target[0] == ' ' {
		return giveUp
	}
	h := head{verb: verb, strength: strong}
	h.target(target)
	if len(h.repairs) > 0 || h.opened || heredocWord(target) != "" || verb != run && verb != test && splitPaths(h.path) != nil {
		return giveUp
	}
	a := Action{Type: verb, Path: h.path, Reason: strings.Join(p.reason, "\n"),
		Src: nebula.Span{Start: start, End: start + len(l), Line: p.line}}
	if h.dep != "" {
		a.DependsOn = &h.dep
	}
	p.reason = nil
	if !p.begin(start, before) {
		return giveUp
	}
	switch rest := p.s[p.at:]; {
	case len(rest) < 2 && !p.ended:
		return wait
	case strings.HasPrefix(rest, "--"):
		if how := p.block(&a); how != done {
			return how
		}
		key := a.Type + " " + a.Path
		if p.marks[key] || verb == test && strings.Contains(target, " > ") || verb == run {
			return giveUp
		}
		p.marks[key] = true
	case h.needsBlock():
		return giveUp
	}
	d.Actions = append(d.Actions, a)
	p.actions++
	return done
}

// asTaught reports whether a word needs no repair.
func asTaught(verb string) bool {
	switch verb {
	case create, edit, remove, run, test:
		return true
	}
	return false
}

// block reads the block that begins at the next line.
func (p *strict) block(a *Action) outcome {
	open, ok := p.take()
	if !ok {
		return wait
	}
	if strings.Trim(open, "-") != "" {
		return giveUp
	}
	first, line := p.at, p.line
	end := p.closing(first, open)
	if end < 0 {
		if p.ended {
			return giveUp
		}
		return wait
	}
	content := ""
	if end > first {
		content = p.s[first : end-1]
	}
	if suspicious(content, len(open)) || a.Type == create && len(filesIn(a.Path, content)) > 1 {
		return giveUp
	}
	a.HasBlock, a.Content = true, content
	if end > first {
		a.Block = nebula.Span{Start: first, End: end - 1, Line: line + 1}
		p.line += strings.Count(p.s[first:end], "\n")
	}
	p.at = end
	l, _ := p.take()
	a.Src.End = end + len(l)
	p.scan = 0
	return done
}

// closing finds the line that is exactly the delimiter, from a line's beginning on; -1 while there is none.
func (p *strict) closing(from int, delimiter string) int {
	s := p.s
	for at := max(from, p.scan); at < len(s); {
		if s[at-1] == '\n' && strings.HasPrefix(s[at:], delimiter) {
			end := at + len(delimiter)
			if end == len(s) && p.ended || end < len(s) && s[end] == '\n' {
				return at
			}
		}
		i := strings.Index(s[at:], "\n--")
		if i < 0 {
			p.scan = max(from, len(s)-2)
			break
		}
		at += i + 1
		if at+len(delimiter) < len(s) {
			p.scan = at
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
	last := t[strings.LastIndexByte(t, '\n')+1:]
	return strings.HasPrefix(last, "$ ")
}
