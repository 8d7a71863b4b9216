package symops

import (
	"slices"
	"strings"
	"unicode/utf8"

	"nebula"
	"nebula/internal/lazy"
	"nebula/internal/lists"
)

// A builder walks a reading and writes the document.
type builder struct {
	src     source
	lines   []line
	reading reading
	calls   map[int]call
	heads   heads
	doc     *Document
	tools   []nebula.ToolSpec
	repairs []nebula.Repair
	built   int // lines so far

	cur      *Action  // waits for its block
	paths    []string // files that cur names and that still wait for theirs
	open     int      // the line of the opening delimiter, -1 for none
	closed   int      // the same, of the block that just ended
	unclosed bool     // no line ended it
	gaping   int      // the first line of an action whose block was opened, and ended by something else than a delimiter
	first    int      // the first line of content
	inside   bool
	fencer   bool // the opener is a fence
	thoughts []string
	wrap     int      // line behind a thought that may go on
	list     label    // the label whose items follow
	asked    int      // line behind a question or its options
	say      []saying // prose
	stopped  bool     // the model went on to write the other side's turn
	loose    []snippet
	prose    int // the last line of prose, -1 before any
}

// A saying is one line of text for the person.
type saying struct {
	line int
	text string
}

func (b *builder) says(i int, s string) { b.say = append(b.say, saying{i, s}) }

// A snippet is a fence at the top level that no action owns.
type snippet struct{ open, first, last, end, prose int }

func (b *builder) repair(name string, i int) {
	b.repairs = append(b.repairs, nebula.Repair{Name: name, Line: b.src.line + i + 1})
}

//go:noinline
func (b *builder) fix(names []string, i int) {
	for _, n := range names {
		b.repair(n, i)
	}
}

func (b *builder) problem(i int, text, hint string) {
	b.doc.Problems = append(b.doc.Problems, nebula.Problem{Line: b.src.line + i + 1, Text: text, Hint: hint})
}

func newBuilder(src source, doc *Document, tools []nebula.ToolSpec) *builder {
	return &builder{src: src, doc: doc, tools: tools, heads: heads{}, open: -1, wrap: -1, asked: -1, prose: -1}
}

// advance builds on up to a line.
func (b *builder) advance(to int) {
	if b.calls == nil { // what is written as taught stands as it came
		b.src.lines = b.lines
	}
	for ; b.built < to && !b.stopped; b.built++ {
		role := b.reading.roles[b.built]
		if b.inside && role != content && role != closes {
			b.endBlock(b.built, false)
		}
		b.role(b.built, role)
	}
}

// ends reports whether a line leads out of every action.
func (b *builder) ends(i int) bool { return b.reading.states != nil && b.reading.states[i] == top }

func (b *builder) role(i int, role role) {
	switch role {
	case text:
		b.text(i)
	case construct:
		b.construct(i)
	case opens:
		b.startBlock(i, i+1)
	case content:
		if !b.inside {
			b.startBlock(-1, i)
			b.repair("missing_open", i)
		}
	case closes:
		b.closeBlock(i)
	case skipped:
		b.repair("stray_delimiter", i)
		b.flush()
		if l := b.lines[i]; l.kind == delim && l.n == 2 {
			b.ambiguous()
		}
	case wrapped:
		b.repair("wrapper_fence", i)
	case told:
		b.flush()
	case called:
		if c, ok := b.calls[i]; ok {
			b.call(i, c)
		}
	}
}

// text takes a line outside of everything: prose, the rest of a thought, an option.
func (b *builder) text(i int) {
	l := &b.lines[i]
	if l.kind == blank {
		b.list = noLabel
		if b.src.masked == nil || !b.src.masked(i) {
			b.says(i, "")
		}
		return
	}
	s := l.trimmed(b.src.text)
	if b.list != noLabel && b.listed(s) {
		return
	}
	b.list = noLabel
	if b.asked >= 0 && b.option(i, s) {
		return
	}
	if b.wrap == i && b.goesOn(l, s) {
		last := len(b.doc.Thoughts) - 1
		b.doc.Thoughts[last] += " " + s
		b.repair("wrapped_thought", i)
		b.wrap = i + 1
		return
	}
	if (b.cur != nil || len(b.doc.Actions) > 0) && isTurn(s) {
		b.stopped = true
		b.repair("next_turn", i)
		return
	}
	if last := i+1 == len(b.lines); last && strings.HasPrefix(s, "$ ") && len(s) > 2 && isWord(s[2:]) && len(b.doc.Thoughts)+len(b.doc.Actions) > 0 {
		b.problem(i, "an action line without a target: it was cut, or there is no such word", "write `$ verb @ target`")
	}
	if b.ends(i) && len(b.paths) < 2 {
		b.flush()
	}
	b.says(i, strings.TrimRight(l.text(b.src.text), " \t\r"))
	b.prose = i
}

// isTurn reports whether a line begins the other side's turn, which a model that does not stop makes up.
func isTurn(s string) bool {
	for _, who := range []string{"User:", "Human:", "### User", "### Human", "<|im_start|>user", "<|user|>", "[INST]", "ユーザー:", "ユーザー："} {
		if strings.HasPrefix(s, who) {
			return true
		}
	}
	return false
}

// goesOn reports whether a line continues the thought above it.
func (b *builder) goesOn(l *line, s string) bool {
	if l.indent > 0 {
		return true
	}
	c := s[0]
	return c >= 'a' && c <= 'z' && !strings.ContainsAny(s, "(){}=;<>$@`/")
}

// listed takes an item under a label that stood alone: Thoughts: and its list.
func (b *builder) listed(s string) bool {
	t, ok := cutMark(s)
	if !ok && (b.list != thoughtLabel || strings.HasSuffix(s, ":")) {
		return false
	}
	return b.said(b.list, t)
}

// said takes a text for what a label says it is.
//
//go:noinline
func (b *builder) said(lab label, t string) bool {
	if lab == thoughtLabel {
		b.thoughts = append(b.thoughts, t)
	}
	return b.doc.said(lab, t)
}

//go:noinline
func (d *Document) said(lab label, t string) bool {
	switch lab {
	case thoughtLabel:
		d.Thoughts = append(d.Thoughts, t)
	case questionLabel:
		d.Questions = append(d.Questions, nebula.Question{Text: t})
	case errorLabel:
		d.Errors = append(d.Errors, t)
	default:
		return false
	}
	return true
}

func (b *builder) construct(i int) {
	l := &b.lines[i]
	s := l.trimmed(b.src.text)
	b.list, b.asked = noLabel, -1
	if l.kind == thought || l.kind == vitals || l.kind == question {
		if t, name := undressOnce(s); name != "" && name != "action_in_thought" {
			b.repair("marked_symbol", i)
			s = t
		}
	}
	if l.indent > 0 && !l.labelled() {
		b.repair("indented_symbol", i)
	}
	switch l.kind {
	case thought:
		b.thought(i, s)
	case vitals:
		v, repairs, ok := readVitals(clip(s))
		if !ok {
			v, repairs, _ = readVitals("#" + strings.TrimLeft(clip(s), "-*• #"))
		}
		b.vitals(v)
		b.fix(repairs, i)
	case question:
		b.question(i, s)
	case failure:
		b.said(errorLabel, b.symbol(i, s))
	case action:
		b.begin(i, b.heads.at(l, s))
	case pathLine:
		b.barePath(i, pathOfLine(s))
	default:
		b.label(i, s)
	}
}

func (b *builder) vitals(v Vitals) {
	for k, n := range v {
		b.doc.Vitals[k] = n
	}
}

// symbol cuts the construct's symbol, of whatever width.
func (b *builder) symbol(i int, s string) string {
	if s[0] < 0x80 {
		if len(s) > 1 && s[1] != ' ' {
			b.repair("missing_space", i)
		}
		return strings.TrimSpace(s[1:])
	}
	b.repair("fullwidth_symbol", i)
	_, n := utf8.DecodeRuneInString(s)
	return strings.TrimSpace(s[n:])
}

func (b *builder) thought(i int, s string) {
	t := b.symbol(i, s)
	if t == "" {
		return
	}
	if v, _, ok := readVitals(clip(t)); ok && strings.HasPrefix(t, "#") {
		b.vitals(v)
		b.repair("vitals_in_thought", i)
		return
	}
	if at := strings.Index(t, " #"); at > 0 && len(t) < longest && trailing.In(t) {
		at = trailing.For(t).FindStringIndex(t)[0]
		v, _, _ := readVitals(t[at:])
		b.vitals(v)
		b.repair("vitals_in_thought", i)
		t = strings.TrimSpace(t[:at])
	}
	if isPlaceholder(t) {
		b.says(i, s)
		return
	}
	b.said(thoughtLabel, t)
	b.wrap = i + 1
}

// isPlaceholder reports whether a text is one of the grammar's, which a model repeats before it answers.
func isPlaceholder(s string) bool {
	return len(s) > 2 && s[0] == '[' && s[len(s)-1] == ']' && placeholders[strings.ToLower(s[1:len(s)-1])]
}

var placeholders = set("your reasoning process", "reasoning", "your reasoning", "thought", "thoughts", "reasoning process", "推論", "思考", "任意の自然言語テキスト",
	"content", "file content", "file content or command", "content of the file", "code", "内容")

// trailing are vitals in the language's own form at the end of a thought.
var trailing = &lazy.Pattern{X: `(?: #[cmfs][0-9.]+){2,}$`}

func (b *builder) question(i int, s string) {
	b.said(questionLabel, b.symbol(i, s))
	b.asked = i
	b.thoughts = nil
}

func (b *builder) setTarget(h head) {
	b.cur.Path = h.path
	if h.dep != "" {
		b.cur.DependsOn = &h.dep
	}
	b.paths = nil
	if writes(h.verb) {
		b.paths = splitPaths(h.path)
	}
}

// barePath begins an action that has no verb: its block decides.
//
//go:noinline
func (b *builder) barePath(i int, path string) {
	b.begin(i, head{path: path, strength: weak, repairs: []string{"bare_path"}})
}

func (b *builder) begin(i int, h head) {
	b.flush()
	l := b.lines[i]
	a := &Action{Type: h.verb, Rows: h.repairs, Src: b.src.span(i, i)}
	switch {
	case l.kind == pathLine, h.verb == "":
		a.kept = withBlock
	case lists.Has(h.repairs, "blockquote_action"):
		a.kept = withoutOthers
	case h.strength == weak, lists.Has(h.repairs, "action_in_thought"):
		a.kept = withBlock
	case h.bare:
		a.kept = withProtocol
	}
	a.Reason = strings.Join(b.thoughts, "\n")
	b.thoughts = nil
	b.cur = a
	b.setTarget(h)
	if h.opened {
		b.startBlock(i, i+1)
	}
}

// flush ends the pending action.
func (b *builder) flush() {
	if b.cur == nil {
		return
	}
	a := b.cur
	b.cur = nil
	if a.HasBlock {
		for _, p := range b.paths { // named, and no block came for them
			rest := *a
			rest.Path, rest.Content, rest.HasBlock, rest.Rows = p, "", false, []string{"multi_path"}
			b.doc.Actions = append(b.doc.Actions, rest)
		}
		b.paths = nil
		return
	}
	if paths := splitPaths(a.Path); a.Type == remove && paths != nil {
		for _, p := range paths {
			each := *a
			each.Path = p
			each.Rows = append(slices.Clone(a.Rows), "multi_path")
			b.doc.Actions = append(b.doc.Actions, each)
		}
		return
	}
	b.doc.Actions = append(b.doc.Actions, *a)
}

// option takes a line of a list under a question.
func (b *builder) option(i int, s string) bool {
	t, ok := cutMark(s)
	if !ok && i <= b.asked+2 && optionWords[strings.ToLower(strings.Trim(s, "*_:： "))] {
		b.asked = i
		return true
	}
	if !ok || i > b.asked+1 {
		b.asked = -1
		return false
	}
	q := &b.doc.Questions[len(b.doc.Questions)-1]
	q.Options = append(q.Options, t)
	b.asked = i
	return true
}

// mark is what stands before an item of a list: a number, a bullet, a letter, in any width.
var mark = &lazy.Pattern{X: `^　*(?:\(?\d{1,3}[.):][ \t]|(?:[-*+•○◯] |・|\[ \] ) *(?:\[ \] )?|\(?[A-Ha-h][).] |[①-⑥]|[０-９]{1,2}[．.、)）：:]|\[\d+\] )`}

// cutMark cuts an item's mark from the front.
func cutMark(s string) (string, bool) {
	m := mark.For(s).FindString(s)
	return strings.TrimSpace(s[len(m):]), m != ""
}

// optionWords stand alone above a question's options.
var optionWords = set("options", "choices", "option", "choose one", "選択肢", "选项", "선택지")
