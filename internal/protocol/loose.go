package protocol

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	"nebula"
	"nebula/internal/lists"
)

// maxDepth bounds how deep loose JSON may nest: far beyond any call, far below what a stack holds.
const maxDepth = 200

// missingCloser names the repair that no bound leaves out: what it closed may lack its end.
const missingCloser = "json_missing_closer"

// mostKeys is how many keys of an object are compared with each other: more than any call has.
const mostKeys = 200

// maxRepairs bounds how many repairs are told apart in one value.
const maxRepairs = 200

// A Reading is what was made of one JSON value that may not be quite JSON.
type Reading struct {
	JSON    json.RawMessage // valid JSON, as written wherever that was valid
	Repairs []nebula.Repair
	Doubts  []Doubt
	Twice   string // a key that an object in it has twice
	End     int    // bytes of the text that the value took
}

// A Doubt is a string whose exact text could not be told for sure. What needs its bytes must not use it.
type Doubt struct {
	Keys []string // the fields around the string, from the outside
	Line int
	What string
}

// A SyntaxError says where a text stops being readable even as loose JSON. Pos counts bytes from 0.
type SyntaxError struct {
	Pos, Line int
	Near      string
	What      string
}

// Error implements error.
func (e *SyntaxError) Error() string {
	return fmt.Sprintf("%s at character %d (line %d), near `%s`", e.What, e.Pos+1, e.Line, e.Near)
}

// Read reads the JSON value that text begins with as models write them, and reports how far it went: with comments, trailing
// or missing commas, single or typographic quotes, bare keys, Python's constants, line breaks inside strings, and missing
// brackets at the very end. Each of these is a repair by name. Only what stands between strings is repaired; a string whose
// text is not certain (a stray quote, an escape JSON does not have) is a doubt, by field.
//
// This is our own reader because kaptinlin/jsonrepair v0.2.15, tried first, drops backslashes it does not know ("\d"
// becomes "d"), closes strings that were cut, does not say what it changed, takes 3.4 s for 112 KB of objects without
// commas, and costs 0.25 ms of every start.
func Read(text string) (Reading, error) {
	p := newReader(text)
	p.space()
	p.begin()
	if p.pos == len(text) {
		return Reading{}, p.errorAt(p.pos, "there is no JSON value")
	}
	err := p.value(0)
	r := Reading{Repairs: p.repairs, Doubts: p.doubts, Twice: p.twice, End: p.pos}
	if err != nil {
		return r, err
	}
	r.JSON = json.RawMessage(p.since(0))
	if len(p.out) > 0 {
		var b bytes.Buffer
		_ = json.Compact(&b, r.JSON) // what was read is JSON
		r.JSON = b.Bytes()
	}
	return r, nil
}

// A reader goes through a text. What is JSON as it stands is not copied: out is what was read up to the last place that had to be
// put otherwise, and from is where the text goes on behind it.
type reader struct {
	text    string
	pos     int
	out     []byte
	from    int
	tight   bool // white space is left out
	keys    []string
	repairs []nebula.Repair
	doubts  []Doubt
	twice   string // a key that came again
	certain int    // doubts before are of members read already
	line    int    // of lineAt
	lineAt  int
}

func newReader(text string) *reader { return &reader{text: text, line: 1} }

// begin reads what follows into a JSON of its own.
func (p *reader) begin() { p.out, p.from = nil, p.pos }

// mark is how much JSON was read, since what was read behind a mark, and back goes back to one: what was read since is left out.
func (p *reader) mark() int { return len(p.out) + p.pos - p.from }

//go:noinline
func (p *reader) since(mark int) string {
	if mark >= len(p.out) {
		return p.text[p.from+mark-len(p.out) : p.pos]
	}
	return string(p.out[mark:]) + p.text[p.from:p.pos]
}

//go:noinline
func (p *reader) back(mark int) {
	if n := mark - len(p.out); n >= 0 {
		p.out = append(p.out, p.text[p.from:p.from+n]...)
	}
	p.out, p.from = p.out[:mark], p.pos
}

// instead puts JSON in the place of the n bytes that stand next.
//
//go:noinline
func (p *reader) instead(n int, text string) {
	p.out = append(append(p.out, p.text[p.from:p.pos]...), text...)
	p.pos += n
	p.from = p.pos
}

func (p *reader) errorAt(pos int, what string) error {
	near := p.text[max(0, pos-20):min(len(p.text), pos+20)]
	near = strings.ToValidUTF8(strings.NewReplacer("\n", "⏎", "\r", "", "`", "'").Replace(near), "")
	return &SyntaxError{Pos: pos, Line: 1 + strings.Count(p.text[:pos], "\n"), Near: near, What: what}
}

func (p *reader) lineOf(pos int) int {
	if pos < p.lineAt {
		return 1 + strings.Count(p.text[:pos], "\n")
	}
	p.line += strings.Count(p.text[p.lineAt:pos], "\n")
	p.lineAt = pos
	return p.line
}

func (p *reader) repair(name string, pos int) {
	if len(p.repairs) >= maxRepairs && name != missingCloser {
		return
	}
	r := nebula.Repair{Name: name, Line: p.lineOf(pos)}
	for i := len(p.repairs) - 1; i >= 0 && i >= len(p.repairs)-8; i-- {
		if p.repairs[i] == r {
			return
		}
	}
	p.repairs = append(p.repairs, r)
}

func (p *reader) doubt(pos int, what string) {
	if n := len(p.doubts); n == p.certain || (strings.Join(p.doubts[n-1].Keys, "\x00") != strings.Join(p.keys, "\x00")) {
		p.doubts = append(p.doubts, Doubt{Keys: append([]string(nil), p.keys...), Line: p.lineOf(pos), What: what})
	}
}

// peek is the next byte, 0 at the end; of JSON's signs in full width it is the sign.
func (p *reader) peek() byte {
	if p.pos >= len(p.text) {
		return 0
	}
	c := p.text[p.pos]
	if c == 0xEF {
		return wide(p.text[p.pos:])
	}
	return c
}

// wide is the sign that a text begins with in full width, 0xEF when it is none of JSON's.
func wide(text string) byte {
	if r, _ := utf8.DecodeRuneInString(text); r > 0xFEE0 && strings.ContainsRune("{}[],:", r-0xFEE0) {
		return byte(r - 0xFEE0)
	}
	return 0xEF
}

// skip goes behind the sign that stands next.
func (p *reader) skip() {
	if p.text[p.pos] == 0xEF {
		p.repair("json_wide", p.pos)
		p.instead(3, string(p.peek()))
		return
	}
	p.pos++
}

// space skips white space and comments.
func (p *reader) space() {
	from, at := p.mark(), p.pos
	if odd := p.spaces(); p.pos > at && (odd || p.tight) {
		p.back(from)
	}
}

// spaces does, and reports whether JSON has no such.
func (p *reader) spaces() (odd bool) {
	for ; p.pos < len(p.text); odd = true {
		p.pos += len(p.text[p.pos:]) - len(strings.TrimLeft(p.text[p.pos:], " \t\r\n"))
		rest := p.text[p.pos:]
		switch {
		case strings.HasPrefix(rest, "\ufeff") || strings.HasPrefix(rest, "\u3000"):
			p.repair("json_space", p.pos)
			p.pos += 3
		case strings.HasPrefix(rest, "\u00a0"):
			p.repair("json_space", p.pos)
			p.pos += 2
		case strings.HasPrefix(rest, "#") || strings.HasPrefix(rest, "//"):
			p.repair("json_comment", p.pos)
			p.skipTo("\n")
		case strings.HasPrefix(rest, "/*"):
			p.repair("json_comment", p.pos)
			p.skipTo("*/")
		default:
			return odd
		}
	}
	return odd
}

func (p *reader) skipTo(end string) {
	if i := strings.Index(p.text[p.pos:], end); i >= 0 {
		p.pos += i + len(end)
		return
	}
	p.pos = len(p.text)
}

func (p *reader) value(depth int) error {
	if depth > maxDepth {
		return p.errorAt(p.pos, "nested too deeply")
	}
	switch c := p.peek(); {
	case c == '{':
		return p.object(depth)
	case c == '[':
		return p.array(depth)
	case c == '-' || c >= '0' && c <= '9':
		return p.number()
	case p.quote() != "":
		return p.str(false)
	}
	return p.constant()
}

func (p *reader) object(depth int) error {
	p.skip()
	var seen []string
	for first := true; ; first = false {
		p.space()
		switch c := p.peek(); {
		case c == '}':
			p.skip()
			return nil
		case p.pos == len(p.text):
			p.repair(missingCloser, p.pos)
			p.instead(0, "}")
			return nil
		case c == ',' && !first, c == ']':
			return p.errorAt(p.pos, "expected a field name")
		}
		key, err := p.field(depth)
		if err != nil {
			return err
		}
		if len(seen) < mostKeys && lists.Has(seen, key) {
			p.twice = key
		}
		seen = append(seen, key)
		if err := p.separator('}'); err != nil {
			return err
		}
	}
}

// field reads a key, its colon and its value.
func (p *reader) field(depth int) (string, error) {
	key, err := p.key()
	if err != nil {
		return "", err
	}
	p.keys = append(p.keys, key)
	err = p.value(depth + 1)
	p.keys = p.keys[:len(p.keys)-1]
	return key, err
}

// key reads a field's name and the colon behind it.
func (p *reader) key() (string, error) {
	from := p.mark()
	switch {
	case p.quote() != "":
		if err := p.str(true); err != nil {
			return "", err
		}
	default:
		word := p.word()
		if word == "" {
			return "", p.errorAt(p.pos, "expected a field name")
		}
		p.repair("json_bare_key", p.pos)
		p.instead(len(word), string(Quote(word)))
	}
	key := p.since(from)
	if strings.IndexByte(key, '\\') < 0 {
		key = key[1 : len(key)-1]
	} else {
		key = unquoted(json.RawMessage(key))
	}
	p.space()
	if p.peek() != ':' {
		return "", p.errorAt(p.pos, "expected ':' after a field name")
	}
	p.skip()
	p.space()
	return key, nil
}

func (p *reader) array(depth int) error {
	p.skip()
	for {
		p.space()
		switch {
		case p.peek() == ']':
			p.skip()
			return nil
		case p.pos == len(p.text):
			p.repair(missingCloser, p.pos)
			p.instead(0, "]")
			return nil
		}
		if err := p.value(depth + 1); err != nil {
			return err
		}
		if err := p.separator(']'); err != nil {
			return err
		}
	}
}

// separator reads what stands between two entries: a comma, none (a repair), or nothing before the closer or the end.
func (p *reader) separator(closer byte) error {
	before := p.pos
	p.space()
	switch c := p.peek(); {
	case c == closer || p.pos == len(p.text):
		return nil
	case c == ',':
		at, from := p.pos, p.mark()
		p.skip()
		p.space()
		if c := p.peek(); c == closer || p.pos == len(p.text) {
			p.repair("json_trailing_comma", at)
			p.back(from)
		}
		return nil
	case p.pos > before && (p.quote() != "" || c == '{' || c == '[' || closer == '}' && p.word() != ""):
		p.repair("json_missing_comma", before)
		p.instead(0, ",")
		return nil
	case c == '{' && closer == ']':
		p.repair("json_missing_comma", before)
		p.instead(0, ",")
		return nil
	}
	return p.errorAt(p.pos, fmt.Sprintf("expected ',' or '%c'", closer))
}

// number reads a number of JSON's grammar and no other.
func (p *reader) number() error {
	end := p.pos
	for end < len(p.text) && strings.IndexByte("+-.eE0123456789", p.text[end]) >= 0 {
		end++
	}
	n := p.text[p.pos:end]
	if !json.Valid([]byte(n)) {
		return p.errorAt(p.pos, "not a number of JSON")
	}
	p.pos = end
	return nil
}

func (p *reader) constant() error {
	word := p.word()
	repair := true
	var value string
	switch word {
	case "true", "false", "null":
		value, repair = word, false
	case "True", "TRUE":
		value = "true"
	case "False", "FALSE":
		value = "false"
	case "None", "NULL", "undefined", "nil":
		value = "null"
	default:
		return p.errorAt(p.pos, "expected a value")
	}
	if !repair {
		p.pos += len(word)
		return nil
	}
	p.repair("json_python_constant", p.pos)
	p.instead(len(word), value)
	return nil
}

// word is the identifier that stands next.
//
//go:noinline
func (p *reader) word() string {
	end := p.pos
	for end < len(p.text) {
		c := p.text[end]
		if c == '_' || c == '$' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || end > p.pos && (c >= '0' && c <= '9' || c == '-' || c == '.') {
			end++
			continue
		}
		break
	}
	return p.text[p.pos:end]
}
