package record

import (
	"encoding/json"
	"reflect"
	"strconv"
	"strings"
	"unicode/utf8"
)

//go:noinline
func (d *Decoder) eat(c byte) bool {
	if d.at < len(d.text) && d.text[d.at] == c {
		d.at++
		return true
	}
	return false
}

//go:noinline
func (d *Decoder) word(w string) bool {
	if strings.HasPrefix(d.text[d.at:], w) {
		d.at += len(w)
		return true
	}
	return false
}

//go:noinline
func (d *Decoder) null() bool { return d.word("null") }

func (d *Decoder) boolean(v reflect.Value) bool {
	if d.word("true") {
		v.SetBool(true)
		return true
	}
	return d.word("false") || d.null()
}

func (d *Decoder) signed(v reflect.Value) bool {
	if d.null() {
		return true
	}
	var n int64
	ok := d.integerInto(&n)
	v.SetInt(n)
	return ok && !v.OverflowInt(n)
}

func (d *Decoder) integerInto(n *int64) bool {
	begin := d.at
	if !d.number() {
		return false
	}
	var err error
	*n, err = strconv.ParseInt(d.text[begin:d.at], 10, 64)
	return err == nil
}

//go:noinline
func (d *Decoder) stringInto(s *string) (ok bool) {
	*s, ok = d.string()
	return ok
}

func (d *Decoder) float(v reflect.Value) bool {
	if d.null() {
		return true
	}
	begin := d.at
	if !d.number() {
		return false
	}
	f, err := strconv.ParseFloat(d.text[begin:d.at], 64)
	v.SetFloat(f)
	return err == nil
}

func (d *Decoder) str(v reflect.Value) bool {
	if d.null() {
		return true
	}
	s, ok := d.string()
	v.SetString(s)
	return ok
}

// raw keeps a value's own bytes.
func (d *Decoder) raw(v reflect.Value) bool {
	begin := d.at
	if !d.skip(0) {
		return false
	}
	v.SetBytes([]byte(d.text[begin:d.at]))
	return true
}

// piece leaves one value to encoding/json.
func (d *Decoder) piece(v reflect.Value) bool {
	begin := d.at
	return d.skip(0) && json.Unmarshal([]byte(d.text[begin:d.at]), v.Addr().Interface()) == nil
}

// skip goes over one valid value.
func (d *Decoder) skip(depth int) bool {
	if d.at >= len(d.text) || depth > 100 {
		return false
	}
	switch c := d.text[d.at]; c {
	case '"':
		_, ok := d.quoted()
		return ok
	case '{', '[':
		return d.skipAll(c == '{', depth)
	case 't':
		return d.word("true")
	case 'f':
		return d.word("false")
	case 'n':
		return d.null()
	}
	return d.number()
}

func (d *Decoder) skipAll(object bool, depth int) bool {
	d.at++
	end := byte(']')
	if object {
		end = '}'
	}
	if d.eat(end) {
		return true
	}
	for {
		if object {
			if _, ok := d.quoted(); !ok || !d.eat(':') {
				return false
			}
		}
		if !d.skip(depth + 1) {
			return false
		}
		if d.eat(end) {
			return true
		}
		if !d.eat(',') {
			return false
		}
	}
}

// number goes over a number as JSON has it.
func (d *Decoder) number() bool {
	d.eat('-')
	if !d.eat('0') && !d.digits() {
		return false
	}
	if d.eat('.') && !d.digits() {
		return false
	}
	if d.eat('e') || d.eat('E') {
		if !d.eat('+') {
			d.eat('-')
		}
		return d.digits()
	}
	return true
}

//go:noinline
func (d *Decoder) digits() bool {
	begin := d.at
	for d.at < len(d.text) && '0' <= d.text[d.at] && d.text[d.at] <= '9' {
		d.at++
	}
	return d.at > begin
}

// string reads a string.
func (d *Decoder) string() (string, bool) {
	begin := d.at + 1
	escaped, ok := d.quoted()
	if !ok {
		return "", false
	}
	s := d.text[begin : d.at-1]
	if !escaped {
		return s, true
	}
	return unescape(s)
}

// quoted goes over a string of valid UTF-8 and tells whether it has escapes.
func (d *Decoder) quoted() (escaped, ok bool) {
	if !d.eat('"') {
		return false, false
	}
	begin, wide := d.at, false
	for {
		n := plain(d.text[d.at:])
		if d.at += n; d.at >= len(d.text) {
			return false, false
		}
		switch c := d.text[d.at]; {
		case c == '"':
			d.at++
			return escaped, !wide || utf8.ValidString(d.text[begin:d.at])
		case c == '\\':
			escaped = true
			if !d.escape() {
				return false, false
			}
		case c < 0x20:
			return false, false
		default:
			wide = true
			d.at++
		}
	}
}

// escape goes over one escape. Halves of surrogate pairs are encoding/json's.
func (d *Decoder) escape() bool {
	if d.at+1 >= len(d.text) {
		return false
	}
	if d.text[d.at+1] != 'u' {
		ok := strings.IndexByte(`"\/bfnrt`, d.text[d.at+1]) >= 0
		d.at += 2
		return ok
	}
	if d.at+6 > len(d.text) {
		return false
	}
	n, err := strconv.ParseUint(d.text[d.at+2:d.at+6], 16, 16)
	d.at += 6
	return err == nil && (n < 0xD800 || n > 0xDFFF)
}

// plain counts the bytes before the first that is a quote, a backslash, a control character or not ASCII, eight at a
// time.
func plain(s string) int {
	const ones, highs = 0x0101010101010101, 0x8080808080808080
	n := 0
	for ; n+8 <= len(s); n += 8 {
		p := s[n : n+8]
		w := uint64(p[0]) | uint64(p[1])<<8 | uint64(p[2])<<16 | uint64(p[3])<<24 |
			uint64(p[4])<<32 | uint64(p[5])<<40 | uint64(p[6])<<48 | uint64(p[7])<<56
		quote, back := w^(ones*'"'), w^(ones*'\\')
		if (w|(w-ones*0x20)|(quote-ones)|(back-ones))&highs != 0 {
			break
		}
	}
	for ; n < len(s); n++ {
		if c := s[n]; c < 0x20 || c == '"' || c == '\\' || c >= utf8.RuneSelf {
			break
		}
	}
	return n
}

// unescape resolves the escapes of a string that quoted went over.
func unescape(s string) (string, bool) {
	var b strings.Builder
	b.Grow(len(s))
	for {
		i := strings.IndexByte(s, '\\')
		if i < 0 {
			b.WriteString(s)
			return b.String(), true
		}
		b.WriteString(s[:i])
		s = s[i+1:]
		switch s[0] {
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
			n, _ := strconv.ParseUint(s[1:5], 16, 16) // it was looked at
			b.WriteRune(rune(n))
			s = s[4:]
		default:
			b.WriteByte(s[0])
		}
		s = s[1:]
	}
}
