package record

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"unicode/utf8"

	"nebula"
)

// A Decoder reads bodies of events as [json.Marshal] writes them: no white space, fields in the order of the struct,
// each at most once. What looks otherwise it leaves to [nebula.DecodeBody], so its result is always that function's.
// It is there because a long session is opened in the time that encoding/json takes for a quarter of it. Strings
// without escapes share the memory of the text they come from. One goroutine uses a decoder at a time.
type Decoder struct {
	text  string
	at    int
	kinds map[string]*kind
	plans map[reflect.Type]plan
}

// A kind is a type of body that is decoded into the same place again and again.
type kind struct {
	place reflect.Value
	plan  plan // of its members
}

// A plan reads one value at the decoder's place into v, which is zero; false when the text is not as expected.
type plan func(d *Decoder, v reflect.Value) bool

// NewDecoder makes a Decoder.
func NewDecoder() *Decoder {
	return &Decoder{kinds: map[string]*kind{}, plans: map[reflect.Type]plan{}}
}

// often are the bodies worth a plan.
func often() []nebula.Body {
	return []nebula.Body{
		nebula.Submitted{}, nebula.Replied{}, nebula.Proposed{}, nebula.Asked{}, nebula.Answered{}, nebula.Began{},
		nebula.Finished{}, nebula.Observed{}, nebula.Ended{},
	}
}

// Body reads a body by its name.
func (d *Decoder) Body(name, text string) (nebula.Body, error) {
	if b, ok := d.quick(name, text); ok {
		return b, nil
	}
	return nebula.DecodeBody(name, []byte(text))
}

// present begins the bodies that are in the present form.
var present = fmt.Sprintf(`{"v":%d,`, nebula.Form)

// quick reads what the decoder reads by itself.
func (d *Decoder) quick(name, text string) (nebula.Body, bool) {
	if len(d.kinds) == 0 {
		for _, b := range often() {
			d.kinds[b.Name()] = &kind{place: reflect.New(reflect.TypeOf(b)).Elem()}
		}
	}
	k := d.kinds[name]
	if k == nil || !strings.HasPrefix(text, present) {
		return nil, false
	}
	if k.plan == nil {
		k.plan = d.members(k.place.Type())
	}
	d.text, d.at = text, len(present)
	k.place.SetZero()
	if !k.plan(d, k.place) || d.at != len(d.text) {
		return nil, false
	}
	return k.place.Interface().(nebula.Body), true
}

// plan makes the plan for a type once.
func (d *Decoder) plan(t reflect.Type) plan {
	if p, ok := d.plans[t]; ok {
		return p
	}
	// A type that holds itself finds this, which looks the finished plan up.
	d.plans[t] = func(d *Decoder, v reflect.Value) bool { return d.plans[t](d, v) }
	p := d.planned(t)
	d.plans[t] = p
	return p
}

func (d *Decoder) planned(t reflect.Type) plan {
	raw := reflect.TypeFor[json.RawMessage]()
	if t == raw {
		return (*Decoder).raw
	}
	if reflect.PointerTo(t).Implements(reflect.TypeFor[json.Unmarshaler]()) {
		return (*Decoder).piece
	}
	switch t.Kind() {
	case reflect.String:
		return (*Decoder).str
	case reflect.Bool:
		return (*Decoder).boolean
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return (*Decoder).signed
	case reflect.Float64:
		return (*Decoder).float
	case reflect.Pointer:
		return pointer(d.plan(t.Elem()))
	case reflect.Struct:
		return d.structure(t)
	case reflect.Slice:
		if t.Elem().Kind() != reflect.Uint8 {
			return slice(d.plan(t.Elem()))
		}
	}
	return (*Decoder).piece
}

// A field is one of a struct's, with its key as it stands in the text.
type field struct {
	key   string // with quotes and colon
	index []int
	plan  plan
}

func (d *Decoder) structure(t reflect.Type) plan {
	members := d.members(t)
	return func(d *Decoder, v reflect.Value) bool {
		return d.null() || d.eat('{') && (d.eat('}') || members(d, v))
	}
}

// members reads a struct's fields, from the first key to the closing brace.
func (d *Decoder) members(t reflect.Type) plan {
	fields, ok := d.fields(t, nil)
	if !ok {
		return func(*Decoder, reflect.Value) bool { return false }
	}
	return func(d *Decoder, v reflect.Value) bool {
		for i := range fields {
			f := &fields[i]
			if !strings.HasPrefix(d.text[d.at:], f.key) {
				continue
			}
			d.at += len(f.key)
			place := v
			for _, n := range f.index {
				place = place.Field(n)
			}
			if !f.plan(d, place) {
				return false
			}
			if d.eat('}') {
				return true
			}
			if !d.eat(',') {
				return false
			}
		}
		return false // a key that is unknown here, or stands elsewhere
	}
}

// fields lists a struct's fields in the order in which they are written; false for rules of tags beyond what events use.
func (d *Decoder) fields(t reflect.Type, under []int) (list []field, ok bool) {
	for i := range t.NumField() {
		f := t.Field(i)
		index := append(append([]int{}, under...), i)
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case name == "-" && options == "":
		case f.Anonymous && name == "":
			if f.Type.Kind() != reflect.Struct {
				return nil, false
			}
			inner, ok := d.fields(f.Type, index)
			if !ok {
				return nil, false
			}
			list = append(list, inner...)
		case !f.IsExported():
		case strings.Contains(options, "string"):
			return nil, false
		default:
			if name == "" {
				name = f.Name
			}
			list = append(list, field{key: strconv.Quote(name) + ":", index: index, plan: d.plan(f.Type)})
		}
	}
	seen := map[string]bool{}
	for _, f := range list {
		lower := strings.ToLower(f.key)
		if seen[lower] {
			return nil, false
		}
		seen[lower] = true
	}
	return list, true
}

func pointer(to plan) plan {
	return func(d *Decoder, v reflect.Value) bool {
		if d.null() {
			return true
		}
		v.Set(reflect.New(v.Type().Elem()))
		return to(d, v.Elem())
	}
}

func slice(of plan) plan {
	return func(d *Decoder, v reflect.Value) bool {
		if d.null() {
			return true
		}
		if !d.eat('[') {
			return false
		}
		if d.eat(']') {
			v.Set(reflect.MakeSlice(v.Type(), 0, 0))
			return true
		}
		for n := 0; ; n++ {
			v.Grow(1)
			v.SetLen(n + 1)
			if !of(d, v.Index(n)) {
				return false
			}
			if d.eat(']') {
				return true
			}
			if !d.eat(',') {
				return false
			}
		}
	}
}

func (d *Decoder) eat(c byte) bool {
	if d.at < len(d.text) && d.text[d.at] == c {
		d.at++
		return true
	}
	return false
}

func (d *Decoder) word(w string) bool {
	if strings.HasPrefix(d.text[d.at:], w) {
		d.at += len(w)
		return true
	}
	return false
}

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
	n, ok := hex4(d.text[d.at+2 : d.at+6])
	d.at += 6
	return ok && (n < 0xD800 || n > 0xDFFF)
}

func hex4(s string) (n rune, ok bool) {
	for i := range 4 {
		c := s[i]
		switch {
		case '0' <= c && c <= '9':
			c -= '0'
		case 'a' <= c && c <= 'f':
			c -= 'a' - 10
		case 'A' <= c && c <= 'F':
			c -= 'A' - 10
		default:
			return 0, false
		}
		n = n<<4 | rune(c)
	}
	return n, true
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
			r, _ := hex4(s[1:5])
			b.WriteRune(r)
			s = s[4:]
		default:
			b.WriteByte(s[0])
		}
		s = s[1:]
	}
}

// Step reads a step of a plan as [JSON] writes it.
func (d *Decoder) Step(text string, s *nebula.PlanStep) error {
	v := reflect.ValueOf(s).Elem()
	d.text, d.at = text, 0
	if d.plan(v.Type())(d, v) && d.at == len(d.text) {
		return nil
	}
	*s = nebula.PlanStep{}
	return json.Unmarshal([]byte(text), s)
}

// Line reads a session of dir as lists keep it: [id, model, started, ended, last, messages, title], moments as [Nanos].
func (d *Decoder) Line(line, dir string) (nebula.SessionInfo, error) {
	var began, ended, last, messages int64
	info := nebula.SessionInfo{Dir: dir}
	d.text, d.at = line, 0
	if !(d.eat('[') && d.stringInto(&info.ID) && d.eat(',') && d.stringInto(&info.Model) && d.eat(',') && d.integerInto(&began) && d.eat(',') &&
		d.integerInto(&ended) && d.eat(',') && d.integerInto(&last) && d.eat(',') && d.integerInto(&messages) && d.eat(',') && d.stringInto(&info.Title)) {
		err := json.Unmarshal([]byte(line), &[]any{&info.ID, &info.Model, &began, &ended, &last, &messages, &info.Title})
		if err != nil {
			return info, fmt.Errorf("session %.40s: %w", line, err)
		}
	}
	info.Started, info.Ended, info.Last, info.Messages = Moment(began), Moment(ended), Moment(last), int(messages)
	return info, nil
}
