package tool

import (
	"path"
	"strings"
	"unicode/utf8"

	"nebula/internal/lazy"
)

// A structure is what is known of how a kind of files is nested: enough to tell that a string, a bracket or a block was lost on the way, and
// no more. What it cannot follow, it lets be.
type structure struct {
	remark  string   // begins a remark, up to the line's end
	block   bool     // /* and */ stand around one
	quotes  string   // around strings that end in their line
	long    []string // around strings of several lines
	pairs   string   // brackets
	offside bool     // indentation makes the blocks
	shell   bool     // a backslash means nothing in '…', and texts are given as here-documents
	typeset string   // signs of printed text that stand for one of code, and that no code has outside of strings and remarks
}

// typeset are quotes and wide signs as they stand in printed text.
const typeset = "“”‘’„«»（）［］｛｝：；，＝＋＂＇"

// structureOf is chosen by the extension; nil where nothing is known.
func structureOf(at string) *structure {
	switch strings.ToLower(path.Ext(at)) {
	case ".py", ".pyi", ".pyw":
		return &structure{remark: "#", quotes: `"'`, long: []string{`"""`, `'''`}, pairs: "()[]{}", offside: true, typeset: typeset}
	case ".js", ".mjs", ".cjs", ".ts", ".mts", ".cts":
		return &structure{remark: "//", block: true, quotes: `"'`, long: []string{"`"}, pairs: "()[]{}", typeset: typeset}
	case ".sh", ".bash", ".zsh":
		return &structure{remark: "#", long: []string{`"`, `'`}, pairs: "{}", shell: true, typeset: "“”"}
	}
	return nil
}

// unnested is the first line, from 1, of a text in which something is opened and not closed, or closed and not opened; 0 where there is none.
func unnested(at, text string) int {
	if base := path.Base(at); strings.HasPrefix(base, "Makefile") || strings.HasSuffix(base, ".mk") || base == "GNUmakefile" || base == "makefile" {
		return blankRecipe(text)
	}
	if isYAML(at) {
		return unlistedYAML(text)
	}
	s := structureOf(at)
	if s == nil || !s.shell && !s.offside && (strings.Contains(text, "</") || strings.Contains(text, "/>")) { // words stand between tags
		return 0
	}
	r := nesting{structure: s, text: text, line: 1, fresh: true}
	return r.wrong()
}

// blankRecipe is a line directly below a rule of a makefile that begins with blanks, where a tab is what recipes begin with.
func blankRecipe(text string) int {
	below, tabs := false, !strings.Contains(text, ".RECIPEPREFIX")
	for i, l := range strings.Split(text, "\n") {
		switch {
		case below && tabs && strings.HasPrefix(l, "  ") && strings.TrimSpace(l) != "" && !strings.HasPrefix(strings.TrimSpace(l), "#"):
			return i + 1
		case makeRule.In(l):
			below = !strings.HasSuffix(l, `\`)
		case strings.HasPrefix(l, "\t"), strings.TrimSpace(l) == "" && below:
			below = !strings.HasSuffix(l, `\`)
		default:
			below = false
		}
	}
	return 0
}

// makeRule is the head of a rule.
var makeRule = &lazy.Pattern{X: `^[^\s#:=][^#:=]*::?(?:[^=]|$)`}

// A nesting goes through a text.
type nesting struct {
	*structure
	text   string
	at     int
	line   int
	open   []opened
	levels []depth
	fresh  bool // a line of its own begins here
	last   byte // of the code read
}

// A depth of indentation.
type depth struct {
	deep   int
	word   string // that its last statement begins with
	inside bool   // a function
}

// continued are the statements that go on with another one, by the words that one begins with.
var continued = map[string]string{"elif": " if elif ", "else": " if elif for while try except async ", "except": " try except ", "finally": " try except else "}

// An opened bracket, or the string that a piece of code stands in.
type opened struct {
	sign byte
	line int
}

// wrong reads to the end, or to the first line that cannot be.
func (n *nesting) wrong() int {
	n.levels = []depth{{}}
	for n.at < len(n.text) {
		if n.fresh {
			if n.fresh = false; n.offside && !n.level() {
				return n.line
			}
			continue
		}
		from := n.line
		if ok := n.step(); !ok {
			return from
		}
	}
	switch {
	case len(n.open) > 0:
		return n.open[len(n.open)-1].line
	case n.offside && n.last == ':':
		return n.line
	}
	return 0
}

// level takes in the indentation of a line, and reports whether it belongs to a block.
func (n *nesting) level() bool {
	rest := n.text[n.at:]
	body := strings.TrimLeft(rest, " \t\f")
	if body == "" || body[0] == '\n' || body[0] == '\r' || body[0] == '#' {
		return true
	}
	deep := 0
	for _, c := range rest[:len(rest)-len(body)] {
		if deep++; c == '\t' {
			deep += 7 - (deep-1)%8
		}
	}
	top := &n.levels[len(n.levels)-1]
	if head := n.last == ':'; head != (deep > top.deep) && (head || deep > top.deep) {
		return false
	}
	if deep > top.deep {
		n.levels = append(n.levels, depth{deep: deep, inside: top.inside || top.word == "def" || top.word == "async"})
	}
	for deep < n.levels[len(n.levels)-1].deep {
		n.levels = n.levels[:len(n.levels)-1]
	}
	n.last, top = 0, &n.levels[len(n.levels)-1]
	word := body[:len(body)-len(strings.TrimLeftFunc(body, wordRune))]
	if prior, later := continued[word]; later && !strings.Contains(prior, " "+top.word+" ") || word == "return" && !top.inside {
		return false
	}
	top.word = word
	return deep == top.deep
}

// step reads one sign, string or remark, and reports whether it can stand there.
func (n *nesting) step() bool {
	rest, c := n.text[n.at:], n.text[n.at]
	switch {
	case c == '\n':
		n.line, n.fresh, n.at = n.line+1, len(n.open) == 0, n.at+1
		return true
	case c == '\\':
		n.skip(2)
		return true
	case c == ' ' || c == '\t' || c == '\r':
		n.at++
		return true
	case strings.HasPrefix(rest, n.remark) && (!n.shell || n.at == 0 || strings.IndexByte(" \t\n;", n.text[n.at-1]) >= 0):
		n.at += len(rest[:end(rest, "\n")])
		return true
	case n.block && strings.HasPrefix(rest, "/*"):
		n.skip(2 + end(rest[2:], "*/") + 2)
		return true
	case n.block && c == '/' && (n.last == 0 || strings.IndexByte("(,=:[!&|?{};+-*%~^<>", n.last) >= 0 || n.keyword()):
		return n.pattern(rest)
	case n.shell && strings.HasPrefix(rest, "<<") && !strings.HasPrefix(rest, "<<<") && hereDocument.In(rest):
		n.document(rest)
		return true
	}
	if r, _ := utf8.DecodeRuneInString(rest); c >= utf8.RuneSelf && strings.ContainsRune(n.typeset, r) {
		return false
	}
	n.last = c
	for _, q := range n.long {
		if strings.HasPrefix(rest, q) {
			return n.string(q, len(q))
		}
	}
	switch i := strings.IndexByte(n.pairs, c); {
	case strings.IndexByte(n.quotes, c) >= 0:
		return n.quoted(rest)
	case i < 0:
	case i%2 == 0:
		n.open = append(n.open, opened{c, n.line})
	case len(n.open) == 0 || n.open[len(n.open)-1].sign != n.pairs[i-1] && n.open[len(n.open)-1].sign != '`':
		return false
	default:
		of := n.open[len(n.open)-1]
		if n.open = n.open[:len(n.open)-1]; of.sign == '`' {
			return c == '}' && n.string("`", 1)
		}
	}
	n.at++
	return true
}

// end is where a mark stands in a text, or the text's end.
//
//go:noinline
func end(text, mark string) int {
	if i := strings.Index(text, mark); i >= 0 {
		return i
	}
	return len(text)
}

// skip goes on by so many bytes.
func (n *nesting) skip(by int) {
	by = min(by, len(n.text)-n.at)
	n.line += strings.Count(n.text[n.at:n.at+by], "\n")
	n.at += by
}

// keyword reports whether what stands before is a word behind which a pattern can stand.
func (n *nesting) keyword() bool {
	before := strings.TrimRight(n.text[:n.at], " ")
	return strings.HasSuffix(before, "return") || strings.HasSuffix(before, "typeof") || strings.HasSuffix(before, "case")
}

// pattern reads a regular expression, or a sign of division where none ends in the line.
func (n *nesting) pattern(rest string) bool {
	class := false
	for i := 1; i < len(rest) && rest[i] != '\n'; i++ {
		switch c := rest[i]; {
		case c == '\\':
			i++
		case c == '[':
			class = true
		case c == ']':
			class = false
		case c == '/' && !class:
			n.at, n.last = n.at+i+1, '/'
			return true
		}
	}
	n.at, n.last = n.at+1, '/'
	return true
}

// quoted reads a string that ends in its line.
func (n *nesting) quoted(rest string) bool {
	for i := 1; i < len(rest); i++ {
		switch rest[i] {
		case '\\':
			i++
		case '\n':
			return false
		case rest[0]:
			n.skip(i + 1)
			return true
		}
	}
	return false
}

// string reads a string of several lines from so many bytes behind where it stands, up to its end or to the code in it.
func (n *nesting) string(q string, from int) bool {
	rest := n.text[n.at:]
	raw := n.shell && q == "'" && !(n.at > 0 && n.text[n.at-1] == '$')
	for i := from; i < len(rest); i++ {
		switch {
		case rest[i] == '\\' && !raw:
			i++
		case q == "`" && strings.HasPrefix(rest[i:], "${"):
			n.skip(i + 2)
			n.open, n.last = append(n.open, opened{'`', n.line}), '{'
			return true
		case strings.HasPrefix(rest[i:], q):
			n.skip(i + len(q))
			n.last = q[0]
			return true
		}
	}
	return false
}

// hereDocument is the mark of a text that is given below the line.
var hereDocument = &lazy.Pattern{X: `^<<-?\s*\\?["']?([A-Za-z_]\w*)["']?`}

// document goes on behind a here-document; what follows its mark in the line is read as nothing.
func (n *nesting) document(rest string) {
	word := hereDocument.For(rest).FindStringSubmatch(rest)[1]
	n.skip(end(rest, "\n") + 1)
	for n.at < len(n.text) {
		l := n.text[n.at:]
		l = l[:end(l, "\n")]
		n.skip(len(l) + 1)
		if strings.TrimSpace(l) == word {
			return
		}
	}
}
