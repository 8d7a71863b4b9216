package record

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strconv"
	"strings"

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
//
//go:noinline
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
	k, start := d.kinds[name], len(present)
	if !strings.HasPrefix(text, present) {
		start = len("{")
		if nebula.Reformed(name) || !strings.HasPrefix(text, `{"`) || strings.HasPrefix(text, `{"v"`) {
			return nil, false
		}
	}
	if k == nil {
		return nil, false
	}
	if k.plan == nil {
		k.plan = d.members(k.place.Type())
	}
	d.text, d.at = text, start
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
