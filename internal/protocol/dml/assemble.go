package dml

import (
	"slices"
	"strings"
	"unicode"

	"nebula"
	"nebula/internal/lists"
	"nebula/internal/phrase"
	"nebula/internal/protocol"
)

// An assembler makes an intent out of items. In a thought nothing is an action while an Action label follows; a
// macro is only judged once the rest of its line is known.
type assembler struct {
	text  string // grows while a reply streams in
	base  int    // where the reply's text begins in the whole
	tools []nebula.ToolSpec
	in    nebula.Intent

	section  section
	say      strings.Builder
	thought  strings.Builder
	reason   string // the last line of thought, for the actions behind it
	held     []item // macros in a thought that may turn out to be actions
	waiting  *item  // a macro whose line is not complete
	block    *item  // a code block of macros that may be the whole reply
	lead     lead   // what stands before it in its line
	line     lead   // the prose so far in the line under way
	listed   bool   // the line under way began with a macro
	observed bool
	nearly   int // the line of the first macro that lacks most of its delimiters: in a reply that does nothing else it is asked for again

	pieces []nebula.Piece
}

func (a *assembler) add(it item) {
	if a.block != nil {
		if it.kind == text && strings.TrimSpace(a.text[it.start:it.end]) == "" {
			return
		}
		a.speak(a.text[a.block.start:a.block.end])
		a.block = nil
	}
	switch it.kind {
	case text:
		a.prose(it)
	case label:
		a.settle("")
		a.enter(it.section)
	case fenced:
		a.settle("")
		a.codeBlock(it)
	case macro:
		a.found(it)
	case broken:
		a.settle("")
		a.brokenMacro(it)
	}
}

// finish ends the reply.
func (a *assembler) finish() {
	a.settle("")
	if a.block != nil {
		a.reread(*a.block)
	}
	a.release()
	a.flushThought()
	a.in.Say = tidy(a.say.String())
	a.doubtEnds()
	if a.nearly > 0 && len(a.in.Actions) == 0 && len(a.in.Problems) == 0 {
		a.problem(a.nearly, "this looks like a macro without its delimiters, so it was not done.", "Write 🦆▶️[T:tool|argument]◀️🦆.")
	}
}

// doubtEnds makes every content a guess in a reply in which one holds delimiters: which closer is whose cannot be told.
func (a *assembler) doubtEnds() {
	if !slices.ContainsFunc(a.in.Repairs, func(r nebula.Repair) bool { return r.Name == "dml_inner_closer" }) {
		return
	}
	for i := range a.in.Actions {
		if spec, ok := protocol.Find(a.in.Actions[i].Tool, a.tools); ok && spec.Effect == nebula.Write {
			protocol.Need(&a.in.Actions[i], "dml_inner_closer")
		}
	}
}

// almost reports whether a line was meant as a macro and lacks most of its delimiters.
func almost(line string, tools []nebula.ToolSpec) bool {
	marked := strings.TrimLeft(line, " \t-*")
	body := strings.TrimLeft(marked, duck+right+vs16+" ")
	bare := strings.TrimLeft(body, "[(（【")
	letter, rest, _ := command(bare)
	name, _, bar := strings.Cut(rest, "|")
	switch {
	case letter == 'T', bare != body && strings.HasPrefix(marked, duck):
		_, known := headTool(bare, tools)
		return known
	case bar && letter == 0:
		_, known := protocol.Find(name, tools)
		return known && strings.Trim(name, " ") == name
	}
	return false
}

// enter begins a section. What was held in a thought stays a thought when an action is announced behind it.
func (a *assembler) enter(s section) {
	if s == acting {
		for _, it := range a.held {
			a.thought.WriteString(a.text[it.start:it.end] + "\n")
		}
		a.held = nil
	}
	a.release()
	a.flushThought()
	a.section = s
	a.line = lead{}
}

// release judges the macros held in a thought as the actions they turned out to be.
func (a *assembler) release() {
	held := a.held
	a.held = nil
	a.keepReason()
	for _, it := range held {
		line := a.text[max(a.base, strings.LastIndexByte(a.text[:it.start], '\n')+1):it.start]
		if lead, _, _ := strings.Cut(line, duck); strings.ContainsFunc(lead, unicode.IsLetter) { // it is what the label says is thought
			a.act(it, "action_in_thought")
			continue
		}
		a.act(it)
	}
}

func (a *assembler) keepReason() {
	lines := strings.Split(strings.TrimSpace(a.thought.String()), "\n")
	if last := strings.TrimSpace(lines[len(lines)-1]); last != "" {
		a.reason = last
	}
}

func (a *assembler) flushThought() {
	a.keepReason()
	if t := strings.TrimSpace(a.thought.String()); t != "" {
		a.in.Thoughts = append(a.in.Thoughts, t)
		a.pieces = append(a.pieces, nebula.Piece{Thought: t})
	}
	a.thought.Reset()
}

// prose is a line or a part of one.
func (a *assembler) prose(it item) {
	s := a.text[it.start:it.end]
	rest, _, _ := strings.Cut(s, "\n")
	a.settle(rest)
	if a.nearly == 0 && a.line == (lead{}) && a.section != thinking && a.section != observing && almost(s, a.tools) {
		a.nearly = it.line
	}
	if strings.HasSuffix(s, "\n") {
		a.line, a.listed = lead{}, false
	} else {
		a.line = a.line.with(s)
	}
	a.speak(s)
}

func (a *assembler) speak(s string) {
	switch a.section {
	case thinking:
		a.thought.WriteString(s)
	case observing:
	default:
		a.say.WriteString(s)
		if strings.TrimSpace(s) != "" {
			a.pieces = append(a.pieces, nebula.Piece{Say: s})
		}
	}
}

// codeBlock quotes what it holds.
func (a *assembler) codeBlock(it item) {
	a.line = lead{}
	inside := a.text[it.body[0]:it.body[1]]
	if onlyMacros(inside, a.tools) {
		if a.section == acting {
			a.reread(it)
			return
		}
		if strings.TrimSpace(a.text[a.base:it.start]) == "" {
			a.block = &it
			return
		}
	}
	if len(it.repairs) > 0 && strings.Contains(inside, right) {
		a.problem(it.line, "a code block is not closed, so the macros in it are quotes.", "Write macros outside of code blocks.")
	}
	a.speak(a.text[it.start:it.end])
}

// reread takes macros out of a code block that an Action label announced or that is the whole reply. They are
// inferred: a block is where quotes stand.
func (a *assembler) reread(it item) {
	s := scanner{text: a.text[:it.body[1]], tools: a.tools, final: true, pos: it.body[0], scanned: it.body[0],
		lines: it.line, counted: it.body[0]} // the block's own line is behind
	s.emit = func(inner item) {
		if inner.kind == macro {
			a.act(inner, "dml_fence")
		}
	}
	s.run()
}

// onlyMacros reports whether a text is macros and white space, and at least one.
func onlyMacros(inside string, tools []nebula.ToolSpec) bool {
	if !strings.HasPrefix(strings.TrimLeft(inside, " \t\r\n"), duck) {
		return false
	}
	only, some := true, false
	s := scanner{text: inside, tools: tools, final: true}
	s.emit = func(it item) {
		some = some || it.kind == macro
		only = only && (it.kind == macro || it.kind == text && strings.TrimSpace(inside[it.start:it.end]) == "")
	}
	s.run()
	return only && some
}

// found takes a macro in. Whether it acts is seen when its line is complete.
func (a *assembler) found(it item) {
	a.settle("")
	letter, _, _ := command(a.text[it.body[0]:it.body[1]])
	switch {
	case it.quoted, letter == 'F', letter == 'S', letter == 'I':
		a.line = a.line.with(a.text[it.start:it.end])
		a.speak(a.text[it.start:it.end])
	case letter == 'D':
		if a.section != observing && (a.section != thinking || !a.line.prose) {
			report(a.text[it.body[0]:it.body[1]], &a.in, it.line)
		}
	default:
		a.lead = a.line
		a.listed = a.listed || !a.line.prose
		a.waiting = &it
	}
}

// A lead is what stands before a place in its line.
type lead struct {
	prose       bool // more than a list's mark
	first, last rune // without blanks
}

func (l lead) with(s string) lead {
	s = strings.Trim(s, " \t\r*_\u3000")
	if s == "" {
		return l
	}
	l.prose = l.prose || strings.Trim(s, "-+•・0123456789.) \t") != ""
	l.last = lastRune(s)
	if l.first == 0 {
		l.first = firstRune(s)
	}
	return l
}

// announces reports whether a text before a macro ends as one that leads up to it.
//
//go:noinline
func (l lead) announces() bool {
	return l.first != '|' && strings.ContainsRune(":：.。!！→」)", l.last)
}

// settle judges the waiting macro, now that rest is known to stand behind it in its line.
func (a *assembler) settle(rest string) {
	if a.waiting == nil {
		return
	}
	it := *a.waiting
	a.waiting = nil
	ends := strings.Trim(rest, " \t\r.,;。、！!*_") == ""
	starts := !a.lead.prose || a.listed
	switch {
	case a.section == observing:
		if !a.observed {
			a.observed = true
			a.problem(it.line, "you wrote an observation yourself; nothing behind it was done.", "Write the actions and stop; the results come from the program.")
		}
	case a.section == thinking && (!starts || !ends):
		a.thought.WriteString(a.text[it.start:it.end])
	case a.section == thinking:
		a.held = append(a.held, it)
	case !ends || !starts && !a.lead.announces():
		a.act(it, "place_sentence")
	default:
		a.act(it)
	}
}

// act makes an action of a macro, whose place needs rows.
func (a *assembler) act(it item, rows ...string) {
	body := a.text[it.body[0]:it.body[1]]
	action, repairs, known := call(body, a.tools)
	if !known {
		a.problem(it.line, "the macro names no command.", "Write 🦆▶️[T:tool|argument]◀️🦆.")
		return
	}
	protocol.Need(&action, lists.Concat(it.repairs, rows, repairs)...)
	for _, name := range action.Repairs {
		a.in.Repairs = append(a.in.Repairs, nebula.Repair{Name: name, Line: it.line})
	}
	if action.Reason == "" {
		action.Reason = a.reason
	}
	action.Src = nebula.Span{Start: it.start, End: it.end, Line: it.line}
	a.in.Actions = append(a.in.Actions, action)
	a.pieces = append(a.pieces, nebula.Piece{Action: &action})
}

// brokenMacro tells the model of a macro whose end is missing, unless it was quoted or thought.
func (a *assembler) brokenMacro(it item) {
	a.line = a.line.with(a.text[it.start:it.end])
	letter, _, _ := command(a.text[it.body[0]:it.body[1]])
	if it.quoted || a.section == thinking || a.section == observing || letter != 'T' {
		a.speak(a.text[it.start:it.end])
		return
	}
	a.problem(it.line, "this macro is not closed, so it was not done.",
		phrase.EndsBehind+phrase.Ending(a.text[it.start:it.end])+". "+"Close it with ]◀️🦆. Contents that hold 🦆▶️[ or ]◀️🦆 go between double brackets: 🦆▶️[[T:…]]◀️🦆.")
}

func (a *assembler) problem(line int, text, hint string) {
	a.in.Problems = append(a.in.Problems, nebula.Problem{Line: line, Text: text, Hint: hint})
}

// tidy trims what is said and closes the gaps that macros leave in it.
func tidy(s string) string {
	s = strings.TrimSpace(s)
	if !strings.Contains(s, "\n\n\n") {
		return s
	}
	lines := strings.Split(s, "\n")
	kept := lines[:0]
	blank := 0
	for _, l := range lines {
		if strings.TrimSpace(l) == "" {
			blank++
		} else {
			blank = 0
		}
		if blank < 2 {
			kept = append(kept, l)
		}
	}
	return strings.Join(kept, "\n")
}
