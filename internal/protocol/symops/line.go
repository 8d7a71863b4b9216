package symops

import (
	"math"
	"strings"
	"unicode/utf8"
)

// kind is what a line could be, judged by itself. Whether it is that, its place decides: inside a block no line is
// anything but content.
type kind uint8

const (
	blank    kind = iota
	sentence      // natural language
	code          // neither language nor protocol
	item          // of a list
	delim
	fence
	action
	thought
	vitals
	question
	failure
	foreign      // the first line of a call in JSON, XML or YAML
	foreignInput // content in YAML, arguments in ReAct: they belong to the action above
	pathLine     // a file's name and nothing else
	labelVerb    // Action:
	labelTarget  // Path:, Command:
	labelDetail  // Content:, Depends on:
	labelSays    // Thought:, Question:, Error:, Vitals:
	labelHeader  // Output:
	kinds
)

func (l *line) labelled() bool { return l.kind >= labelVerb }

// A line is one line of the reply without its end. A reply can be ten million of them.
type line struct {
	start, end int32    // bytes of text, without the line end
	n          int32    // hyphens, ticks, an action's paths, a foreign call's last line, how surely a sentence introduces an example
	indent     uint16   // bytes of white space before the text
	kind       kind     // what it could be
	strength   strength // and how surely
	label      label
	tick       byte // '`' or '~'
	facts      fact // what else is known of it
}

func (l *line) is(f fact) bool { return l.facts&f != 0 }

func (l *line) set(f fact, on bool) {
	l.facts &^= f
	if on {
		l.facts |= f
	}
}

func (l line) text(s string) string { return s[l.start:l.end] }

// trimmed is the line without its indentation; trailing blanks are cut, too.
//
//go:noinline
func (l line) trimmed(s string) string {
	return strings.TrimRight(s[l.start+int32(l.indent):l.end], " \t\r")
}

// split cuts text into lines, without their ends.
func split(text string) []line {
	lines := make([]line, 0, len(text)/24+1)
	for start := 0; start < len(text); {
		end, next := len(text), len(text)
		if i := strings.IndexByte(text[start:], '\n'); i >= 0 {
			end, next = start+i, start+i+1
		}
		if end > start && text[end-1] == '\r' {
			end--
		}
		indent := 0
		for start+indent < end && indent < math.MaxUint16 && (text[start+indent] == ' ' || text[start+indent] == '\t') {
			indent++
		}
		lines = append(lines, line{start: int32(start), end: int32(end), indent: uint16(indent)})
		start = next
	}
	return lines
}

// longest is how much of a line is looked at to see what it is: constructs are short, contents need not be.
const longest = 4096

// heads are the action lines that were read, by where they begin.
type heads map[int32]head

// at is the action of a line.
func (h heads) at(l *line, s string) head {
	if known, ok := h[l.start]; ok {
		return known
	}
	read, _ := readHead(s)
	return read
}

// classify sets what the line could be, and notes what it reads on the way.
func (l *line) classify(text string, seen heads) {
	s := text[l.start+int32(l.indent) : l.end]
	if len(s) > 0 && (s[len(s)-1] == ' ' || s[len(s)-1] == '\t' || s[len(s)-1] == '\r') {
		s = strings.TrimRight(s, " \t\r")
	}
	if s == "" {
		l.kind = blank
		return
	}
	l.set(plainly, l.indent == 0 && len(s) == int(l.end-l.start))
	l.kind = code
	switch c := s[0]; c {
	case '-':
		if l.delimiter(s) {
			return
		}
	case '`', '~':
		if l.fenceLine(s) {
			return
		}
		if c == '~' && l.thoughtLine(s, seen) {
			return
		}
	case '#':
		if strictVitals(s) {
			l.kind, l.strength = vitals, strong
			return
		}
	case '?':
		l.mark(question, s)
		if len(s) > 1 && s[1] != '?' && s[1] != '.' && s[1] != ':' && s[1] != '>' {
			return
		}
	case '!':
		l.mark(failure, s)
		if len(s) > 1 && !strings.ContainsRune("[=!<(/.", rune(s[1])) && !strings.HasPrefix(s, "!important") {
			return
		}
	}
	l.kind, l.strength = code, weak
	if s[0] >= 0x80 {
		if l.wide(s) {
			return
		}
	}
	l.loose(s, seen)
}

func (l *line) mark(k kind, s string) {
	l.kind, l.strength = k, medium
	if len(s) > 1 && s[1] == ' ' {
		l.strength = strong
	}
}

func (l *line) delimiter(s string) bool {
	t := strings.TrimLeft(s, "-")
	l.n = int32(len(s) - len(t))
	if l.n < 2 {
		return false
	}
	if t == "" {
		l.kind = delim
		return true
	}
	if l.n == 2 && delimWord(t) {
		l.kind = delim
		l.set(worded, true)
		return true
	}
	return false
}

// delimWord reports whether a word behind the hyphens belongs to a delimiter: a language, begin, end.
func delimWord(t string) bool {
	t = strings.ToLower(strings.TrimSpace(t))
	return delimWords[strings.TrimRight(strings.TrimLeft(t, "[(<"), "])>:- ")]
}

var delimWords = set("python", "py", "javascript", "js", "typescript", "ts", "go", "bash", "sh", "json", "yaml", "yml", "html", "css", "sql", "rust",
	"java", "c", "cpp", "c++", "csharp", "cs", "kotlin", "swift", "ruby", "rb", "php", "perl", "lua", "scala", "dart", "vue", "jsx", "tsx", "scss", "xml", "ini",
	"dockerfile", "makefile", "shell", "markdown", "md", "text", "txt", "toml", "begin", "end", "start", "eof", "end of file", "content", "code", "end of content", "close", "open")

func (l *line) fenceLine(s string) bool {
	c := s[0]
	n := 0
	for n < len(s) && s[n] == c {
		n++
	}
	if n < 3 {
		return false
	}
	tag := strings.TrimSpace(s[n:])
	if c == '`' && strings.Contains(tag, "`") {
		return false
	}
	l.kind, l.n, l.tick = fence, int32(n), c
	l.set(worded, strings.Trim(tag, "-") != "")
	l.set(wrapping, wrapWords[strings.ToLower(tag)])
	return true
}

// wrapWords are the labels of a fence around protocol, not around a file.
var wrapWords = set("", "symops", "sym-ops", "sym_ops", "sym", "text", "txt", "plaintext", "plain", "markdown", "md", "json", "xml", "yaml", "tool_call",
	"tool_code", "tool", "protocol", "output", "bash", "shell", "sh", "diff", "console")

func (l *line) thoughtLine(s string, seen heads) bool {
	if len(s) < 2 || s[1] == '~' || s[1] == '/' {
		return false
	}
	rest := strings.TrimSpace(s[1:])
	if strings.HasPrefix(rest, "$ ") {
		if h, ok := readHead(clip(s)); ok && !h.blank {
			l.action(h, len(s), seen)
			return true
		}
	}
	l.mark(thought, s)
	return true
}

func clip(s string) string {
	if len(s) > longest {
		return s[:longest]
	}
	return s
}

func (l *line) action(h head, n int, seen heads) {
	if n < longest {
		seen[l.start] = h
	}
	l.kind, l.strength = action, h.strength
	l.set(needing, writes(h.verb))
	l.set(plainly, l.is(plainly) && len(h.repairs) == 0)
	l.set(worded, h.opened)
	if writes(h.verb) {
		l.n = int32(len(splitPaths(h.path)))
	}
	if h.blank {
		l.kind = code
	}
}

// wide reads lines that begin with a symbol of another width.
func (l *line) wide(s string) bool {
	r, size := utf8.DecodeRuneInString(s)
	switch r {
	case '～', '〜':
		l.kind, l.strength = thought, medium
	case '？':
		l.kind, l.strength = question, medium
	case '！':
		l.kind, l.strength = failure, medium
	case '＃':
		if _, _, ok := readVitals(clip(s)); !ok {
			return false
		}
		l.kind, l.strength = vitals, medium
	case '–', '—', '―', '−', '－', '‐', '‑', '‒', '─', '━', 'ー', '﹣':
		rest := strings.Trim(s[size:], "–—―−－‐‑‒─━ー﹣-")
		if rest != "" || len(s) == size && r != '—' && r != '―' {
			return false
		}
		l.kind, l.n = delim, 2
		l.set(plainly, false)
		if utf8.RuneCountInString(s) > 3 {
			l.n = 3
		}
	default:
		return false
	}
	return true
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

// dressed reads a symbol that Markdown or a list stands before.
func (l *line) dressed(s string) bool {
	if isLetter(s[0]) {
		return false
	}
	t, name := undressOnce(s)
	if name == "" || name == "action_in_thought" || len(t) < 3 {
		return false
	}
	switch {
	case strings.HasPrefix(t, "~ "):
		l.kind = thought
	case strictVitals(t):
		l.kind = vitals
	default:
		return false
	}
	l.strength = medium
	return true
}

// loose reads everything that is not written with a symbol of the language at the front.
func (l *line) loose(s string, seen heads) {
	s = clip(s)
	if l.dressed(s) {
		return
	}
	if t, ok := strings.CutPrefix(s, "@ "); ok && !strings.Contains(t, "@") {
		l.label, l.kind = pathLabel, labelTarget
		return
	}
	if t, ok := strings.CutPrefix(s, "> "); ok && looksLikePath(unquote(t)) && !strings.Contains(t, " ") {
		l.label, l.kind = dependencyLabel, labelDetail
		return
	}
	if s[0] != '$' && l.labelLine(s) {
		return
	}
	if !isLetter(s[0]) || startsVerb(s) {
		if h, ok := readHead(s); ok {
			if h.strength > weak || h.marked || h.listed || !strings.Contains(h.path, " ") || l.indent == 0 {
				l.action(h, len(s), seen)
				return
			}
		}
	}
	if mayBeVitals(s) {
		if _, _, ok := readVitals(s); ok {
			l.kind, l.strength = vitals, medium
			return
		}
	}
	if pathOfLine(s) != "" {
		l.kind = pathLine
		return
	}
	l.kind, l.strength = prose(s), weak
	if l.kind == sentence {
		l.n = unasked
	}
}

// startsVerb reports whether a line begins with a word that can be a verb, or with the number of a step.
func startsVerb(s string) bool {
	i := 0
	for i < len(s) && i <= 40 && (s[i]|0x20 >= 'a' && s[i]|0x20 <= 'z' || s[i] == '_' || s[i] == '.' || s[i] >= 0x80) {
		i++
	}
	if _, known := canonical(s[:i]); known {
		return true
	}
	return i == 4 && strings.EqualFold(s[:i], "step") || i == 6 && strings.EqualFold(s[:i], "action")
}

// mayBeVitals reports whether the first word of a line is a vital's name.
func mayBeVitals(s string) bool {
	if len(s) >= 300 {
		return false
	}
	t := strings.TrimLeft(s, " \t,;|/[](){}*\"'`_-~")
	if t == "" || t[0] == '#' || t[0] >= 0x80 {
		return t != ""
	}
	if strings.IndexByte("cmfsvd", t[0]|0x20) < 0 { // the first letters of their names
		return false
	}
	i := 0
	for i < len(t) && i < 12 && t[i]|0x20 >= 'a' && t[i]|0x20 <= 'z' {
		i++
	}
	word := strings.ToLower(t[:i])
	return vitalWords[word] != 0 || word == "vitals" || word == "duck"
}

// pathOfLine reads a file's name off a line that holds nothing else, as it stands before a fence.
func pathOfLine(s string) string {
	if len(s) > 200 || strings.Count(s, " ") > 7 || strings.ContainsAny(s, "{}=;$|,<") {
		return ""
	}
	if isLetter(s[0]) && strings.Contains(s, " ") && s[0]|0x20 != 'a' && s[0]|0x20 != 's' && !strings.ContainsAny(s, "#(/") {
		return "" // words
	}
	for range 3 {
		s, _ = undressOnce(s)
	}
	s = unquote(strings.TrimSpace(cutRemark(strings.TrimRight(s, ":："))))
	s = unquote(strings.TrimRight(s, ":："))
	if !looksLikePath(s) || strings.ContainsAny(s, "()[] \t") {
		return ""
	}
	return s
}
