package index

import (
	"bytes"
	"strings"
)

// symbols finds definitions line by line. It reads a language's outside: words that begin a definition, braces or
// indentation that end it. What it cannot read it passes over; it never fails and its time is linear.
func (l *language) symbols(data []byte) []Symbol {
	if l.shape == headed {
		return headings(data)
	}
	s := &scanner{l: l, source: bytes.Split(data, []byte("\n"))}
	code := l.blank(data)
	s.code = strings.Split(code, "\n")
	if n := len(s.code); n > 0 && s.code[n-1] == "" && bytes.HasSuffix(data, []byte("\n")) {
		s.code = s.code[:n-1]
	}
	if l.shape == braces {
		s.braced()
	} else {
		s.indented()
	}
	for i := range s.found {
		s.comment(&s.found[i])
	}
	return s.found
}

type scanner struct {
	l      *language
	source [][]byte
	code   []string // the same lines without comments and strings
	found  []Symbol
	open   []definition
	depth  int
	parens int // that are open
}

// A definition that has not ended yet.
type definition struct {
	symbol int
	depth  int  // of the line it began on, or its indentation
	begun  bool // its body has
}

// blank makes spaces of comments and of what stands in strings; lines stay where they are.
func (l *language) blank(data []byte) string {
	out := bytes.Clone(data)
	wipe := func(from, to int) {
		for i := from; i < to; i++ {
			if out[i] != '\n' {
				out[i] = ' '
			}
		}
	}
	for i := 0; i < len(data); {
		end, kind := l.skip(data, i)
		switch kind {
		case code:
			i++
		case comment:
			wipe(i, end)
			i = end
		default:
			wipe(min(i+1, end), max(end-1, i))
			i = end
		}
	}
	return string(out)
}

const (
	code = iota
	comment
	literal
)

// skip tells what begins at i and where it ends.
func (l *language) skip(data []byte, i int) (end, kind int) {
	rest, ch := data[i:], data[i]
	if ch == ' ' || ch == '\n' || ch >= 'a' && ch <= 'z' {
		if l.name != "Haskell" {
			return i + 1, code
		}
	}
	for _, mark := range l.line {
		if ch == mark[0] && bytes.HasPrefix(rest, []byte(mark)) && (mark != "#" || i == 0 || data[i-1] == ' ' || data[i-1] == '\t' || data[i-1] == '\n') {
			if n := bytes.IndexByte(rest, '\n'); n >= 0 {
				return i + n, comment
			}
			return len(data), comment
		}
	}
	if open := l.block[0]; open != "" && ch == open[0] && bytes.HasPrefix(rest, []byte(open)) {
		if n := bytes.Index(rest[len(open):], []byte(l.block[1])); n >= 0 {
			return i + len(open) + n + len(l.block[1]), comment
		}
		return i + len(open), comment // never closed: it is none
	}
	for _, q := range l.long {
		if ch == q[0] && bytes.HasPrefix(rest, []byte(q)) {
			return i + longEnd(rest, q), literal
		}
	}
	if strings.IndexByte(l.quotes, ch) >= 0 {
		return i + stringEnd(rest), literal
	}
	return i + 1, code
}

// longEnd is where a string of several lines ends; one that never does ends with its line.
func longEnd(rest []byte, q string) int {
	for i := len(q); i < len(rest); i++ {
		if rest[i] == '\\' {
			i++
			continue
		}
		if rest[i] == q[0] && bytes.HasPrefix(rest[i:], []byte(q)) {
			return i + len(q)
		}
	}
	return stringEnd(rest)
}

// stringEnd is where a string ends: at its quote, or with its line.
//
//go:noinline
func stringEnd(rest []byte) int {
	for i := 1; i < len(rest); i++ {
		switch rest[i] {
		case '\\':
			i++
		case rest[0]:
			return i + 1
		case '\n':
			return i
		}
	}
	return len(rest)
}

// braced follows braces.
func (s *scanner) braced() {
	for i, line := range s.code {
		if text := strings.TrimSpace(line); text != "" && len(line) < 2000 {
			if name, kind, ok := s.define(i, text); ok && len(s.found) < maxSymbols {
				s.begin(i, name, kind, s.depth)
			}
		}
		s.follow(i, line)
	}
	s.close(len(s.code), -1)
}

// begin opens a definition.
func (s *scanner) begin(i int, name, kind string, depth int) {
	for len(s.open) > 0 && !s.top().begun && s.top().depth >= depth {
		s.end(i) // it had no body
	}
	sym := Symbol{Name: name, Kind: kind, Line: i + 1, From: i + 1, To: i + 1, Sign: s.sign(i)}
	if len(s.open) > 0 {
		up := s.found[s.top().symbol]
		sym.Parent = up.Name
		if kind == "func" && containers[up.Kind] && up.Kind != "module" && up.Kind != "namespace" {
			sym.Kind = "method"
		}
	}
	s.found = append(s.found, sym)
	s.open = append(s.open, definition{symbol: len(s.found) - 1, depth: depth})
}

//go:noinline
func (s *scanner) top() *definition { return &s.open[len(s.open)-1] }

// end closes the innermost definition with line number to.
//
//go:noinline
func (s *scanner) end(to int) {
	sym := &s.found[s.top().symbol]
	sym.To = max(sym.Line, to)
	s.open = s.open[:len(s.open)-1]
}

func (s *scanner) close(to, depth int) {
	for len(s.open) > 0 && s.top().depth > depth {
		s.end(to)
	}
}

// follow goes over a line's braces.
func (s *scanner) follow(i int, line string) {
	defer s.bodiless(i, line)
	for j := 0; j < len(line); j++ {
		switch line[j] {
		case '(', '[':
			s.parens++
		case ')', ']':
			s.parens = max(0, s.parens-1)
		case '{':
			s.depth++
			if len(s.open) > 0 && s.depth == s.top().depth+1 {
				s.top().begun = true
			}
		case '}':
			s.depth = max(0, s.depth-1)
			for len(s.open) > 0 && s.top().begun && s.top().depth >= s.depth {
				s.end(i + 1)
			}
		case ';':
			if len(s.open) > 0 && !s.top().begun && s.depth == s.top().depth {
				s.end(i + 1)
			}
		}
	}
}

// bodiless ends a definition that ends with its line: nothing is open, and the next line does not go on with it.
func (s *scanner) bodiless(i int, line string) {
	if strings.TrimSpace(line) == "" {
		s.parens = 0 // no list of parameters has an empty line in it
	}
	if len(s.open) == 0 || s.top().begun || s.parens > 0 || s.depth != s.top().depth {
		return
	}
	line = strings.TrimRight(line, " \t\r")
	if line != "" && strings.IndexByte(",=:&|+-<\\.", line[len(line)-1]) >= 0 {
		return
	}
	for j := i + 1; j < len(s.code) && j < i+4; j++ {
		next := strings.TrimSpace(s.code[j])
		if next == "" {
			continue
		}
		if strings.IndexByte("{:=.,)&|?<-", next[0]) >= 0 || goesOn[firstWord(next)] {
			return
		}
		break
	}
	s.end(i + 1)
}

// goesOn are words that begin the second line of a definition's head.
var goesOn = set("where throws const noexcept override final extends implements with requires async volatile else")

// indented follows indentation.
func (s *scanner) indented() {
	last := 0
	for i, line := range s.code {
		text := strings.TrimSpace(line)
		if text == "" {
			if len(bytes.TrimSpace(s.source[i])) > 0 && len(s.open) > 0 && indentOf(string(s.source[i])) > s.top().depth {
				last = i + 1
			}
			continue
		}
		at := indentOf(line)
		ends := s.l.shape == ended && (closes(text))
		for len(s.open) > 0 && s.top().depth >= at && !strings.HasPrefix(text, ")") && !(s.l.shape == ended && text == "{") {
			if ends && s.top().depth == at {
				last = i + 1
			}
			s.end(last)
		}
		s.depth = at
		if name, kind, ok := s.define(i, text); ok && len(line) < 2000 && len(s.found) < maxSymbols {
			s.begin(i, name, kind, at)
		}
		last = i + 1
	}
	s.close(last, -1)
}

// closes reports a line that belongs to the definition it ends.
func closes(text string) bool {
	return text[0] == '}' || text[0] == ')' || strings.HasPrefix(strings.ToLower(text), "end")
}

//go:noinline
func indentOf(line string) int {
	n := 0
	for _, c := range line {
		switch c {
		case ' ':
			n++
		case '\t':
			n += 8
		default:
			return n
		}
	}
	return n
}

// sign is a definition's head: its first line, and those after it until its parentheses are closed.
func (s *scanner) sign(i int) string {
	var b []byte
	open := 0
	for j := i; j < len(s.code) && j < i+8; j++ {
		b = append(append(b, bytes.TrimSpace(s.source[j])...), ' ')
		open += strings.Count(s.code[j], "(") - strings.Count(s.code[j], ")")
		if open <= 0 {
			break
		}
	}
	text := signature(b)
	return strings.TrimRight(strings.TrimSuffix(text, "{"), " ")
}

// comment moves a definition's beginning up to the comments, annotations and decorators that belong to it.
func (s *scanner) comment(sym *Symbol) {
	for i := sym.Line - 2; i >= 0 && sym.From-i < 80; i-- {
		raw := bytes.TrimSpace(s.source[i])
		if len(raw) == 0 || bytes.HasPrefix(raw, []byte("#!")) {
			break
		}
		text := strings.TrimSpace(s.code[i])
		if text != "" && text[0] != '@' && !strings.HasPrefix(text, "#[") && !(text[0] == '[' && strings.HasSuffix(text, "]")) && !strings.HasPrefix(text, "template") {
			break
		}
		sym.From = i + 1
	}
}

// headings are the parts of a document: #, or a line that is underlined.
func headings(data []byte) []Symbol {
	var found []Symbol
	lines := bytes.Split(data, []byte("\n"))
	fence := false
	for i, line := range lines {
		text := string(bytes.TrimSpace(line[:min(len(line), 300)]))
		if strings.HasPrefix(text, "```") || strings.HasPrefix(text, "~~~") {
			fence = !fence
		}
		title := signature([]byte(strings.TrimLeft(text, "#")))
		under := i+1 < len(lines) && underline(string(bytes.TrimSpace(lines[i+1])), text)
		if fence || title == "" || text[0] != '#' && !under || len(found) >= maxSymbols {
			continue
		}
		if n := len(found); n > 0 {
			found[n-1].To = i
		}
		found = append(found, Symbol{Name: title, Kind: "heading", Line: i + 1, From: i + 1, To: len(lines), Sign: signature([]byte(text))})
	}
	if n := len(found); n > 0 {
		found[n-1].To = countLines(data)
	}
	return found
}

func underline(s, title string) bool {
	if len(s) < 3 || title == "" || title[0] == '|' || title[0] == '-' || title[0] == '=' {
		return false
	}
	return strings.Trim(s, "=") == "" || strings.Trim(s, "-") == "" || strings.Trim(s, "~") == ""
}
