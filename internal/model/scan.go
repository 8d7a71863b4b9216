package model

import (
	"unicode/utf16"
	"unicode/utf8"
)

// A scanner reads the chunks that make up nearly all of every stream, without reflection and without allocating. It
// gives up on whatever is not plain: it never accepts what encoding/json would not, and reads the same from it.
type scanner struct {
	b     []byte
	i     int
	out   chunk
	piece piece
	seen  uint32 // the known fields of the chunk that were met
	part  uint32 // the known fields of the call that were met
	prio  int    // how good the reasoning field is that was taken, lower is better
	spare []byte // for strings with escapes
	calls []piece
}

// The known fields. One that comes twice is for encoding/json.
const (
	seenModel = 1 << iota
	seenUsage
	seenError
	seenChoices
	seenIndex
	seenFinish
	seenDelta
	seenContent
	seenCalls
	seenID
	seenName
	seenArguments
	seenFunction
	seenReasoning // and the bits above it, one for each of reasoningFields
)

// scan takes a chunk apart, or reports that it must be done the thorough way.
func (s *scanner) scan(data []byte) (chunk, bool) {
	s.b, s.i, s.seen, s.prio, s.spare, s.calls = data, 0, 0, len(reasoningFields), s.spare[:0], s.calls[:0]
	s.out = chunk{}
	if !s.object((*scanner).top) {
		return chunk{}, false
	}
	s.space()
	if s.i != len(s.b) {
		return chunk{}, false
	}
	s.out.calls = s.calls
	return s.out, true
}

func (s *scanner) once(field uint32) bool {
	was := s.seen & field
	s.seen |= field
	return was == 0
}

func (s *scanner) top(key []byte) (ok bool) {
	switch string(key) {
	case "model":
		s.out.model, ok = s.text()
		return ok && s.once(seenModel)
	case "choices":
		return s.once(seenChoices) && (s.null() || s.choices())
	case "usage":
		s.out.usage, ok = s.raw()
		return ok && s.once(seenUsage)
	case "error":
		return s.once(seenError) && s.null()
	case "object":
		value, ok := s.text()
		return ok && string(value) != "error"
	}
	return s.skip(0)
}

func (s *scanner) choices() bool {
	if !s.eat('[') {
		return false
	}
	if s.eat(']') {
		return true
	}
	return s.object((*scanner).choice) && s.eat(']')
}

func (s *scanner) choice(key []byte) (ok bool) {
	switch string(key) {
	case "index":
		return s.once(seenIndex) && s.eat('0') && !s.digit()
	case "finish_reason":
		s.out.finish, ok = s.text()
		return ok && s.once(seenFinish)
	case "delta":
		return s.once(seenDelta) && (s.null() || s.object((*scanner).delta))
	case "message":
		return false
	}
	return s.skip(0)
}

func (s *scanner) delta(key []byte) (ok bool) {
	switch string(key) {
	case "content":
		s.out.text, ok = s.text()
		return ok && s.once(seenContent)
	case "tool_calls":
		return s.once(seenCalls) && (s.null() || s.list())
	case "role":
		return s.skip(0)
	case "refusal", "function_call":
		return s.null()
	}
	for prio, name := range reasoningFields {
		if string(key) == name {
			return s.reasoning(prio)
		}
	}
	return s.skip(0)
}

func (s *scanner) reasoning(prio int) bool {
	if !s.once(seenReasoning << prio) {
		return false
	}
	if s.peek() == '[' && s.prio < prio { // the same again, with details
		return s.skip(0)
	}
	value, ok := s.text()
	if ok && len(value) > 0 && prio < s.prio {
		s.out.reasoning, s.prio = value, prio
	}
	return ok
}

func (s *scanner) list() bool {
	if !s.eat('[') {
		return false
	}
	if s.eat(']') {
		return true
	}
	for {
		s.piece, s.part = piece{index: -1}, 0
		s.seen &^= seenID | seenName | seenArguments | seenFunction
		if !s.object((*scanner).call) {
			return false
		}
		s.calls = append(s.calls, s.piece)
		if !s.eat(',') {
			return s.eat(']')
		}
	}
}

func (s *scanner) call(key []byte) (ok bool) {
	switch string(key) {
	case "index":
		was := s.part
		s.part = 1
		return was == 0 && s.number(&s.piece.index)
	case "id":
		s.piece.id, ok = s.text()
		return ok && s.once(seenID)
	case "function":
		return s.once(seenFunction) && (s.null() || s.object((*scanner).function))
	}
	return s.skip(0)
}

func (s *scanner) function(key []byte) (ok bool) {
	switch string(key) {
	case "name":
		s.piece.name, ok = s.text()
		return ok && s.once(seenName)
	case "arguments":
		s.piece.args, ok = s.text()
		return ok && s.once(seenArguments)
	}
	return s.skip(0)
}

// object reads an object, handing every key to field with the value still to read.
func (s *scanner) object(field func(*scanner, []byte) bool) bool {
	if !s.eat('{') {
		return false
	}
	if s.eat('}') {
		return true
	}
	for {
		s.space()
		key, escaped, ok := s.string()
		if !ok || escaped || !s.eat(':') || !field(s, key) {
			return false
		}
		if !s.eat(',') {
			return s.eat('}')
		}
	}
}

func (s *scanner) space() {
	for s.i < len(s.b) {
		switch s.b[s.i] {
		case ' ', '\t', '\n', '\r':
			s.i++
		default:
			return
		}
	}
}

func (s *scanner) peek() byte {
	s.space()
	if s.i < len(s.b) {
		return s.b[s.i]
	}
	return 0
}

func (s *scanner) eat(c byte) bool {
	if s.peek() == c {
		s.i++
		return true
	}
	return false
}

func (s *scanner) digit() bool { return s.i < len(s.b) && s.b[s.i] >= '0' && s.b[s.i] <= '9' }

func (s *scanner) literal(word string) bool {
	if len(s.b)-s.i >= len(word) && string(s.b[s.i:s.i+len(word)]) == word {
		s.i += len(word)
		return true
	}
	return false
}

func (s *scanner) null() bool {
	s.space()
	return s.literal("null")
}

// number reads a small whole number.
func (s *scanner) number(n *int) bool {
	s.space()
	from := s.i
	*n = 0
	for ; s.digit() && s.i-from < 4; s.i++ {
		*n = *n*10 + int(s.b[s.i]-'0')
	}
	if s.i == from || s.b[from] == '0' && s.i-from > 1 || s.i == len(s.b) {
		return false
	}
	c := s.b[s.i]
	return c == ',' || c == '}' || c == ' '
}

// raw returns a value as it is written, nothing for null.
func (s *scanner) raw() ([]byte, bool) {
	if s.null() {
		return nil, true
	}
	from := s.i
	if !s.skip(0) {
		return nil, false
	}
	return s.b[from:s.i], true
}

// text reads a string or null.
func (s *scanner) text() ([]byte, bool) {
	if s.null() {
		return nil, true
	}
	value, escaped, ok := s.string()
	if !ok {
		return nil, false
	}
	for _, c := range value {
		if c >= utf8.RuneSelf {
			if !utf8.Valid(value) {
				return nil, false
			}
			break
		}
	}
	if !escaped {
		return value, true
	}
	return s.unescape(value)
}

// string reads a string and returns what stands between its quotes, with escapes checked but not resolved.
func (s *scanner) string() (value []byte, escaped, ok bool) {
	b, i := s.b, s.i
	if i >= len(b) || b[i] != '"' {
		return nil, false, false
	}
	i++
	from := i
	for i < len(b) {
		c := b[i]
		if escapes[c] == 0 {
			i++
			continue
		}
		if c == '"' {
			s.i = i + 1
			return b[from:i], escaped, true
		}
		if c != '\\' || i+1 >= len(b) {
			return nil, false, false
		}
		escaped = true
		switch b[i+1] {
		case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
			i += 2
		case 'u':
			if _, ok := hex4(b[i+2:]); !ok {
				return nil, false, false
			}
			i += 6
		default:
			return nil, false, false
		}
	}
	return nil, false, false
}

// unescape resolves the escapes of a string that was checked. The result lies in spare.
func (s *scanner) unescape(value []byte) ([]byte, bool) {
	from := len(s.spare)
	for i := 0; i < len(value); i++ {
		c := value[i]
		if c != '\\' {
			s.spare = append(s.spare, c)
			continue
		}
		i++
		switch value[i] {
		case 'b':
			c = '\b'
		case 'f':
			c = '\f'
		case 'n':
			c = '\n'
		case 'r':
			c = '\r'
		case 't':
			c = '\t'
		case 'u':
			r, _ := hex4(value[i+1:])
			i += 4
			if utf16.IsSurrogate(r) {
				r, i = surrogate(r, value, i)
			}
			s.spare = utf8.AppendRune(s.spare, r)
			continue
		default:
			c = value[i]
		}
		s.spare = append(s.spare, c)
	}
	return s.spare[from:len(s.spare):len(s.spare)], true
}

// surrogate joins the half r, whose last digit is at i, with the other half if that follows.
func surrogate(r rune, value []byte, i int) (rune, int) {
	if i+2 < len(value) && value[i+1] == '\\' && value[i+2] == 'u' {
		if low, ok := hex4(value[i+3:]); ok {
			if both := utf16.DecodeRune(r, low); both != utf8.RuneError {
				return both, i + 6
			}
		}
	}
	return utf8.RuneError, i
}

func hex4(b []byte) (r rune, ok bool) {
	if len(b) < 4 {
		return 0, false
	}
	for _, c := range b[:4] {
		switch {
		case c >= '0' && c <= '9':
			c -= '0'
		case c >= 'a' && c <= 'f':
			c -= 'a' - 10
		case c >= 'A' && c <= 'F':
			c -= 'A' - 10
		default:
			return 0, false
		}
		r = r<<4 | rune(c)
	}
	return r, true
}

// maxDepth is how deep the scanner follows values that it only steps over.
const maxDepth = 32

// skip steps over a value and checks it.
func (s *scanner) skip(depth int) bool {
	if depth > maxDepth {
		return false
	}
	switch s.peek() {
	case '"':
		_, _, ok := s.string()
		return ok
	case '{':
		return s.skipList(depth, '}', true)
	case '[':
		return s.skipList(depth, ']', false)
	case 't':
		return s.literal("true")
	case 'f':
		return s.literal("false")
	case 'n':
		return s.literal("null")
	}
	return s.skipNumber()
}

func (s *scanner) skipList(depth int, end byte, keyed bool) bool {
	s.i++
	if s.eat(end) {
		return true
	}
	for {
		if keyed {
			s.space()
			if _, _, ok := s.string(); !ok || !s.eat(':') {
				return false
			}
		}
		if !s.skip(depth + 1) {
			return false
		}
		if !s.eat(',') {
			return s.eat(end)
		}
	}
}

func (s *scanner) skipNumber() bool {
	if s.i < len(s.b) && s.b[s.i] == '-' {
		s.i++
	}
	if !s.digit() {
		return false
	}
	if s.b[s.i] == '0' {
		s.i++
	} else {
		s.digits()
	}
	if s.i < len(s.b) && s.b[s.i] == '.' {
		s.i++
		if !s.digits() {
			return false
		}
	}
	if s.i < len(s.b) && (s.b[s.i] == 'e' || s.b[s.i] == 'E') {
		s.i++
		if s.i < len(s.b) && (s.b[s.i] == '+' || s.b[s.i] == '-') {
			s.i++
		}
		return s.digits()
	}
	return true
}

func (s *scanner) digits() bool {
	from := s.i
	for s.digit() {
		s.i++
	}
	return s.i > from
}
