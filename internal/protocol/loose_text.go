package protocol

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// How the strings of loose JSON are read.

// quote is the opening quote that stands next, if one does.
func (p *reader) quote() string {
	rest := p.text[p.pos:]
	for _, q := range [...]string{`"""`, `'''`, `"`, `'`, "“", "”", "‘", "＂"} {
		if strings.HasPrefix(rest, q) {
			if len(q) == 3 && q[0] < 0x80 && !strings.Contains(rest[3:min(len(rest), 4)], "\n") && !tripled(rest, q) {
				continue
			}
			return q
		}
	}
	return ""
}

// tripled reports whether a text that begins with three quotes closes with three: an empty string before a quote
// begins the same way.
func tripled(rest, q string) bool {
	return strings.Contains(rest[3:], q)
}

// closers are the quotes that end a string, by the one that began it.
func closers(open string) []string {
	switch open {
	case "“", "”":
		return []string{"”", "“", `"`}
	case "‘":
		return []string{"’"}
	case "＂":
		return []string{"＂", `"`}
	}
	return []string{open}
}

// str reads a string and writes it as JSON. The text between the quotes stays what it is.
func (p *reader) str(key bool) error {
	open := p.quote()
	start := p.pos
	switch open {
	case `"`:
	case `"""`, `'''`:
		return p.raw(open)
	case `'`:
		p.repair("json_single_quotes", start)
	default:
		p.repair("json_smart_quotes", start)
	}
	p.mean(len(open), `"`)
	ends := closers(open)
	for p.pos < len(p.text) {
		c := p.text[p.pos]
		switch {
		case c == '\\':
			p.escape()
		case c < 0x20:
			p.repair("json_raw_control", p.pos)
			p.control(c)
		case c == '"' || c == '\'' || c >= 0x80:
			if n := p.closes(ends, key); n > 0 {
				p.mean(n, `"`)
				return nil
			}
			p.rune()
		default:
			p.run()
		}
	}
	return p.errorAt(start, "this string never ends: the text was cut")
}

// mean reads the n bytes that stand next as a sign of JSON.
//
//go:noinline
func (p *reader) mean(n int, sign string) {
	if p.text[p.pos:p.pos+n] == sign {
		p.pos += n
		return
	}
	p.instead(n, sign)
}

// run reads plain ASCII up to the next byte that could mean something.
func (p *reader) run() {
	end := p.pos
	for end < len(p.text) {
		if c := p.text[end]; c < 0x20 || c >= 0x80 || c == '"' || c == '\'' || c == '\\' {
			break
		}
		end++
	}
	p.pos = end
}

// rune reads one character that is no end of the string.
func (p *reader) rune() {
	c := p.text[p.pos]
	if c == '"' {
		p.instead(1, `\"`)
		return
	}
	r, n := utf8.DecodeRuneInString(p.text[p.pos:])
	if r == utf8.RuneError && n == 1 {
		p.doubt(p.pos, "bytes that are no text")
		p.instead(1, "\ufffd")
		return
	}
	p.pos += n
}

func (p *reader) control(c byte) {
	switch c {
	case '\n':
		p.instead(1, `\n`)
	case '\t':
		p.instead(1, `\t`)
	case '\r':
		p.instead(1, `\r`)
	default:
		p.instead(1, fmt.Sprintf(`\u%04x`, c))
	}
}

// escape reads a backslash and what follows it.
func (p *reader) escape() {
	rest := p.text[p.pos:]
	if len(rest) < 2 {
		p.doubt(p.pos, "a backslash at the end of the text")
		p.instead(1, `\\`)
		return
	}
	switch c := rest[1]; c {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		p.pos += 2
	case '\'':
		p.repair("json_quote_escape", p.pos)
		p.instead(2, "'")
	case 'u':
		p.unicodeEscape(rest)
	default:
		p.repair("json_escape", p.pos)
		p.doubt(p.pos, fmt.Sprintf("the escape \\%s is not JSON: write \\\\ for a backslash", firstRune(rest[1:])))
		p.instead(1, `\\`)
	}
}

func firstRune(s string) string {
	r, _ := utf8.DecodeRuneInString(s)
	if r < 0x20 || r == utf8.RuneError {
		return "?"
	}
	return string(r)
}

func (p *reader) unicodeEscape(rest string) {
	unit, ok := hex4(rest)
	switch {
	case !ok:
		p.repair("json_escape", p.pos)
		p.doubt(p.pos, `the escape \u needs four hexadecimal digits`)
		p.instead(1, `\\`)
		return
	case unit >= 0xD800 && unit < 0xDC00:
		if low, ok := hex4(rest[6:]); ok && low >= 0xDC00 && low < 0xE000 {
			p.pos += 12
			return
		}
		p.doubt(p.pos, "half of a surrogate pair")
	case unit >= 0xDC00 && unit < 0xE000:
		p.doubt(p.pos, "half of a surrogate pair")
	}
	p.pos += 6
}

func hex4(s string) (unit int, ok bool) {
	if len(s) < 6 || s[0] != '\\' || s[1] != 'u' {
		return 0, false
	}
	for _, c := range []byte(s[2:6]) {
		digit := strings.IndexByte("0123456789abcdef", c|0x20)
		if digit < 0 || c < '0' {
			return 0, false
		}
		unit = unit<<4 | digit
	}
	return unit, true
}

// closes returns the length of the quote that ends the string here, 0 when this is none. A quote ends a string only
// where the structure can go on after it; any other belongs to the text, which is then in doubt.
func (p *reader) closes(ends []string, key bool) int {
	rest := p.text[p.pos:]
	for _, q := range ends {
		if !strings.HasPrefix(rest, q) {
			continue
		}
		if key || p.goesOn(p.pos+len(q)) {
			return len(q)
		}
		p.repair("json_inner_quote", p.pos)
		p.doubt(p.pos, "a quote inside the text is not escaped")
		return 0
	}
	return 0
}

// goesOn reports whether an object or array can go on, or end, at pos.
func (p *reader) goesOn(pos int) bool {
	i := pos
	for i < len(p.text) && strings.IndexByte(" \t\r\n", p.text[i]) >= 0 {
		i++
	}
	if i == len(p.text) {
		return true
	}
	c := p.text[i]
	if c == 0xEF {
		c = wide(p.text[i:])
	}
	switch c {
	case ',', '}', ']':
		return true
	case '/', '#':
		return i > pos
	case '"', '\'', '{':
		return i > pos && strings.IndexByte(p.text[pos:i], '\n') >= 0 || i > pos && keyFollows(p.text[i:])
	}
	return len(p.keys) == 0 // a string that is the whole value may stand before other text
}

// keyFollows reports whether a short quoted word and a colon stand at the beginning of text.
func keyFollows(text string) bool {
	if text == "" || text[0] != '"' && text[0] != '\'' {
		return false
	}
	end := strings.IndexByte(text[1:min(len(text), 66)], text[0])
	if end < 0 {
		return false
	}
	return strings.HasPrefix(strings.TrimLeft(text[end+2:min(len(text), end+10)], " \t"), ":")
}

// raw reads a string in triple quotes: its text is exact only while it has no backslash to interpret.
func (p *reader) raw(open string) error {
	end := strings.Index(p.text[p.pos+3:], open)
	if end < 0 {
		return p.errorAt(p.pos, "this string never ends")
	}
	p.repair("json_triple_quotes", p.pos)
	body := p.text[p.pos+3 : p.pos+3+end]
	if strings.ContainsRune(body, '\\') || !utf8.ValidString(body) {
		p.doubt(p.pos, "backslashes inside triple quotes")
	}
	p.instead(6+end, string(Quote(body)))
	return nil
}
