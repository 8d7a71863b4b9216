package symops

import (
	"encoding/json"
	"strings"

	"nebula"
)

// A Document is what a reply says in the language's own words.
type Document struct {
	Thoughts  []string
	Vitals    Vitals
	Questions []nebula.Question
	Errors    []string
	Actions   []Action
	Say       string // text for the person: what stands around the protocol
	Repairs   []nebula.Repair
	Problems  []nebula.Problem
}

// An Action is one $ line with its block.
type Action struct {
	Type      string  // create, edit, delete, run, test, or the word as written
	Path      string  // the file, or the command of run and test
	DependsOn *string // as written, nil when the line names none
	Content   string  // the exact text between the delimiters, without a final newline
	HasBlock  bool
	Reason    string          // the thoughts directly before it
	Args      json.RawMessage // when another language named arguments that have no word here
	Truncated bool            // the reply ended inside the block
	Rows      []string        // the repairs that its reading needed
	Src       nebula.Span
	Block     nebula.Span // the content; empty without a block

	kept kept
	call *nebula.Action // of another language: all that is to be known
}

// kept is what an action needs from its surroundings to be kept.
type kept uint8

const (
	always        kept = iota
	withBlock          // prose unless a block follows, or others of its style have one
	withProtocol       // a command alone is prose where the reply holds no protocol
	withoutOthers      // quoted: only when nothing else in the reply is an action
)

// Parse reads a reply. It never fails: what could not be read stands in Problems.
//
//go:noinline
func Parse(text string, tools []nebula.ToolSpec) *Document { return parseBy(text, tools, taught) }

// parseBy reads a reply by the rows given.
func parseBy(text string, tools []nebula.ToolSpec, rows *table) *Document {
	r := newReader(rows, tools)
	r.s, r.ended = text, true
	r.b.lines, r.b.reading.roles = make([]line, 0, len(text)/40+4), make([]role, 0, len(text)/40+4)
	return r.finish(r.run())
}

// scan classifies every line outside masked ones and finds the calls of other languages.
func scan(text string, lines []line, masked func(int) bool, tools []nebula.ToolSpec, seen heads) map[int]call {
	under := false // a Vitals: label
	for i := range lines {
		if masked != nil && masked(i) {
			continue
		}
		l := &lines[i]
		l.classify(text, seen)
		switch {
		case l.labelled():
			under = l.label == vitalsLabel
		case l.kind == blank:
		case under && l.kind != vitals:
			_, _, under = readVitals("#" + strings.TrimLeft(clip(l.trimmed(text)), "-*• #"))
			if under {
				l.kind, l.strength = vitals, weak
			}
		}
	}
	return findCalls(text, lines, masked, tools)
}

func findCalls(text string, lines []line, masked func(int) bool, tools []nebula.ToolSpec) map[int]call {
	calls := map[int]call{}
	budget := 4*len(text) + 1<<16
	for i := 0; i < len(lines); i++ {
		if lines[i].kind == blank || masked != nil && masked(i) {
			continue
		}
		if lines[i].kind == action {
			var last, used int
			if last, used = heredoc(text, lines, i, budget); last > 0 {
				lines[i+1].kind, lines[i+1].n = foreignInput, int32(last)
				calls[i+1] = call{first: i + 1, last: last, scalar: true, here: true, repairs: []string{"heredoc"}}
				i = last
			}
			if budget -= used; budget <= 0 {
				break
			}
			continue
		}
		c, used, ok := readCall(text, lines, i, budget, tools)
		if budget -= used; budget <= 0 {
			break
		}
		if ok {
			lines[i].kind, lines[i].n = foreign, int32(c.last)
			if c.scalar || c.input.JSON != nil {
				lines[i].kind = foreignInput
			}
			calls[i] = c
			i = c.last
		}
	}
	return calls
}

// ordered puts every action behind the ones it depends on, and otherwise keeps the order. With a cycle the order
// stays as written, and cycle tells an action in it; it is -1 without one.
func ordered(actions []Action) (order []int, cycle int) {
	makers := map[string]int{}
	for i := len(actions) - 1; i >= 0; i-- {
		if a := actions[i]; a.Type != run {
			makers[strings.TrimPrefix(a.Path, "./")] = i
		}
	}
	const underWay, done = 1, 2
	mark := make([]byte, len(actions))
	cycle = -1
	var visit func(i int)
	visit = func(i int) {
		if mark[i] == underWay {
			cycle = i
		}
		if mark[i] != 0 {
			return
		}
		mark[i] = underWay
		if dep := actions[i].DependsOn; dep != nil {
			for _, p := range parts(*dep) {
				if j, ok := makers[strings.TrimPrefix(p, "./")]; ok && j != i {
					visit(j)
				}
			}
		}
		mark[i] = done
		order = append(order, i)
	}
	for i := range actions {
		visit(i)
	}
	for i := range order {
		if cycle >= 0 {
			order[i] = i
		}
	}
	return order, cycle
}
