package symops

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// A value is JSON as models write it: with raw newlines in strings, trailing commas and Python's words.
type value struct {
	kind  byte // '{', '[', '"', or 'v' for a bare word or number
	text  string
	keys  []string
	items []value
}

func (v *value) get(keys ...string) *value {
	if v == nil || v.kind != '{' {
		return nil
	}
	for _, want := range keys {
		for i, k := range v.keys {
			if strings.EqualFold(k, want) {
				return &v.items[i]
			}
		}
	}
	return nil
}

func (v *value) str() string {
	switch {
	case v == nil:
		return ""
	case v.kind == '"' || v.kind == 'v' && v.text != "null" && v.text != "None":
		return v.text
	}
	return ""
}

func (v *value) list() []string {
	switch {
	case v == nil:
		return nil
	case v.kind == '[':
		var out []string
		for i := range v.items {
			if s := v.items[i].str(); s != "" {
				out = append(out, s)
			} else if s := v.items[i].get("text", "question", "message").str(); s != "" {
				out = append(out, s)
			}
		}
		return out
	case v.str() != "":
		return []string{v.str()}
	}
	return nil
}

// deepest is how far values nest before reading stops: no call needs more.
const deepest = 64

// jsonReader reads one value. Strings keep every byte; where it had to guess it says so.
type jsonReader struct {
	s       string
	i       int
	raw     bool // a string held raw newlines
	guessed bool // a string held quotes that were not escaped
	loose   bool // trailing commas, single quotes, comments
}

func (r *jsonReader) space() {
	for r.i < len(r.s) {
		switch c := r.s[r.i]; {
		case c == ' ' || c == '\t' || c == '\n' || c == '\r':
			r.i++
		case c == '/' && strings.HasPrefix(r.s[r.i:], "//"):
			end := strings.IndexByte(r.s[r.i:], '\n')
			if end < 0 {
				return
			}
			r.i += end
			r.loose = true
		default:
			return
		}
	}
}

func (r *jsonReader) value(depth int) (v value, ok bool) {
	r.space()
	if r.i >= len(r.s) || depth > deepest {
		return v, false
	}
	switch c := r.s[r.i]; c {
	case '{':
		return r.object(depth)
	case '[':
		return r.array(depth)
	case '"', '\'', '`':
		text, ok := r.str(c)
		return value{kind: '"', text: text}, ok
	}
	from := r.i
	for r.i < len(r.s) && !strings.ContainsRune(",]} \t\r\n:\"'", rune(r.s[r.i])) {
		r.i++
	}
	return value{kind: 'v', text: r.s[from:r.i]}, r.i > from && r.i-from < 40
}

func (r *jsonReader) object(depth int) (v value, ok bool) {
	v.kind = '{'
	r.i++
	for {
		r.space()
		if r.i >= len(r.s) {
			return v, false
		}
		switch r.s[r.i] {
		case '}':
			r.i++
			return v, true
		case ',':
			r.i++
			r.loose = true
			continue
		}
		key, ok := r.value(depth + 1)
		r.space()
		if !ok || key.kind == '{' || key.kind == '[' || r.i >= len(r.s) || r.s[r.i] != ':' {
			return v, false
		}
		r.i++
		item, ok := r.value(depth + 1)
		if !ok {
			return v, false
		}
		v.keys, v.items = append(v.keys, key.text), append(v.items, item)
		r.comma()
	}
}

func (r *jsonReader) comma() {
	r.space()
	if r.i < len(r.s) && r.s[r.i] == ',' {
		r.i++
	}
}

func (r *jsonReader) array(depth int) (v value, ok bool) {
	v.kind = '['
	r.i++
	for {
		r.space()
		if r.i >= len(r.s) {
			return v, false
		}
		if r.s[r.i] == ']' {
			r.i++
			return v, true
		}
		item, ok := r.value(depth + 1)
		if !ok {
			return v, false
		}
		v.items = append(v.items, item)
		r.comma()
	}
}

// str reads a string in quotes of kind q; three of them quote it, too.
func (r *jsonReader) str(q byte) (string, bool) {
	if q != '"' {
		r.loose = true
	}
	if triple := strings.Repeat(string(q), 3); q != '`' && strings.HasPrefix(r.s[r.i:], triple) {
		end := strings.Index(r.s[r.i+3:], triple)
		if end < 0 {
			return "", false
		}
		text := r.s[r.i+3 : r.i+3+end]
		r.i += end + 6
		r.raw = true
		return strings.TrimSuffix(strings.TrimPrefix(text, "\n"), "\n"), true
	}
	var b strings.Builder
	r.i++
	for from := r.i; r.i < len(r.s); {
		switch c := r.s[r.i]; {
		case c == '\\' && q != '`':
			b.WriteString(r.s[from:r.i])
			if !r.escape(&b) {
				return "", false
			}
			from = r.i
		case c == q:
			if !r.ends() {
				r.guessed = true
				r.i++
				continue
			}
			b.WriteString(r.s[from:r.i])
			r.i++
			return b.String(), true
		default:
			if c == '\n' {
				r.raw = true
			}
			r.i++
		}
	}
	return "", false
}

// ends reports whether the quote at hand can end a string: what may follow a string follows.
func (r *jsonReader) ends() bool {
	i := r.i + 1
	for i < len(r.s) && strings.IndexByte(" \t\r\n", r.s[i]) >= 0 {
		i++
	}
	if i >= len(r.s) || r.s[i] == ':' {
		return true
	}
	switch r.s[i] {
	case '}', ']':
		return true
	case ',':
		for i++; i < len(r.s) && strings.IndexByte(" \t\r\n", r.s[i]) >= 0; {
			i++
		}
		return i >= len(r.s) || strings.IndexByte("\"'{[}]", r.s[i]) >= 0 || !r.raw
	}
	return false
}

func (r *jsonReader) escape(b *strings.Builder) bool {
	if r.i+1 >= len(r.s) {
		return false
	}
	c := r.s[r.i+1]
	r.i += 2
	switch c {
	case 'n':
		b.WriteByte('\n')
	case 't':
		b.WriteByte('\t')
	case 'r':
		b.WriteByte('\r')
	case 'b':
		b.WriteByte('\b')
	case 'f':
		b.WriteByte('\f')
	case 'u':
		return r.unicode(b)
	case '"', '\'', '\\', '/':
		b.WriteByte(c)
	case '\n':
		b.WriteByte('\n')
	default: // \d and the like: code that was not escaped
		b.WriteByte('\\')
		b.WriteByte(c)
		r.guessed = true
	}
	return true
}

func (r *jsonReader) unicode(b *strings.Builder) bool {
	n, ok := r.hex4()
	if !ok {
		return false
	}
	if n >= 0xd800 && n < 0xdc00 && strings.HasPrefix(r.s[r.i:], `\u`) {
		r.i += 2
		low, ok := r.hex4()
		if !ok {
			return false
		}
		n = (n-0xd800)<<10 + (low - 0xdc00) + 0x10000
	}
	if !utf8.ValidRune(n) {
		n = utf8.RuneError
	}
	b.WriteRune(n)
	return true
}

func (r *jsonReader) hex4() (rune, bool) {
	if r.i+4 > len(r.s) {
		return 0, false
	}
	n, err := strconv.ParseUint(r.s[r.i:r.i+4], 16, 32)
	r.i += 4
	return rune(n), err == nil
}
