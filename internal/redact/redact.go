// Package redact takes known secrets out of what is written down, shown or sent: each as it is, and as it stands in a
// URL, in JSON and in base64. It finds what it knows and guesses nothing.
package redact

import (
	"encoding/base64"
	"encoding/json"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"nebula"
	"nebula/internal/lists"
)

// Hidden stands in a secret's place. It is nothing that a program's text says: an action that holds it was not written so.
const Hidden = "[key hidden by nebula]"

// shortest is the length from which a secret is looked for: what local servers take for a key is often a plain word.
const shortest = 12

// A Redactor knows secrets. The zero Redactor knows none. It does not change, and may be used from any goroutine.
type Redactor struct{ forms []form } // the longest first

// A form is a secret as it may stand in a text: anywhere, or as a word of its own.
type form struct {
	text string
	word bool
}

// New returns a redactor for the secrets. Those with fewer than 12 bytes are left out.
func New(secrets []string) Redactor {
	return Redactor{}.with(lists.Drop(lists.Clone(secrets), func(s string) bool { return len(strings.TrimSpace(s)) < shortest }), false)
}

// Words is a redactor that knows short secrets too. They are taken out where they stand as words of their own: within another word, or a
// longer number, the same characters are nothing. Who gives one answers for that it is no word that people use.
//
//go:noinline
func (r Redactor) Words(short []string) Redactor { return r.with(short, true) }

func (r Redactor) with(secrets []string, word bool) Redactor {
	forms := lists.Clone(r.forms)
	for _, s := range secrets {
		if s = strings.TrimSpace(s); s == "" {
			continue
		}
		raw := base64.RawStdEncoding.EncodeToString([]byte(s))
		for _, text := range []string{s, url.QueryEscape(s), url.PathEscape(s), quoted(s, true), quoted(s, false), raw, base64.RawURLEncoding.EncodeToString([]byte(s))} {
			forms = append(forms, form{text, word})
		}
	}
	lists.Sort(forms, func(a, b form) int {
		if len(a.text) != len(b.text) {
			return len(b.text) - len(a.text)
		}
		if a.text == b.text && a.word != b.word { // what is looked for anywhere stands first, and alone
			return map[bool]int{false: -1, true: 1}[a.word]
		}
		return strings.Compare(a.text, b.text)
	})
	return Redactor{slices.CompactFunc(forms, func(a, b form) bool { return a.text == b.text })}
}

// find is where a form stands in a text from a place on; -1 where it does not. open says that the text may go on.
func (f form) find(text string, from int, open bool) int {
	for {
		i := strings.Index(text[from:], f.text)
		if i < 0 {
			return -1
		}
		i += from
		if !f.word || f.apart(text, i, open) {
			return i
		}
		from = i + 1
	}
}

// apart reports whether what stands in a text at i is a word of its own.
func (f form) apart(text string, i int, open bool) bool {
	before, _ := utf8.DecodeLastRuneInString(text[:i])
	after, n := utf8.DecodeRuneInString(text[i+len(f.text):])
	first, _ := utf8.DecodeRuneInString(f.text)
	last, _ := utf8.DecodeLastRuneInString(f.text)
	return !(inWord(before) && inWord(first)) && !(inWord(last) && (n > 0 && inWord(after) || n == 0 && open))
}

// inWord reports whether a character goes on a word. Scripts that put nothing between words part them from others.
func inWord(c rune) bool {
	return c == '_' || c < utf8.RuneSelf && (unicode.IsLetter(c) || unicode.IsDigit(c))
}

// quoted is a text as it stands in JSON; html is how most programs of Go write it.
func quoted(s string, html bool) string {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(html)
	_ = enc.Encode(s) // a string can be written
	text := strings.TrimSuffix(b.String(), "\n")
	return text[1 : len(text)-1]
}

// Text takes the secrets out of a text, also where something stands between their characters that is not seen.
//
//go:noinline
func (r Redactor) Text(text string) string { return r.part(text, false) }

// part is Text for one that may go on.
func (r Redactor) part(text string, open bool) string {
	if len(r.forms) == 0 {
		return text
	}
	var found [][2]int
	for _, v := range readings(text, false) {
		for _, f := range r.forms {
			for i := f.find(v.seen, 0, open); i >= 0; i = f.find(v.seen, i+len(f.text), open) {
				found = append(found, [2]int{v.at[i], v.ends(i + len(f.text))})
			}
		}
	}
	text = without(text, found)
	for _, f := range r.forms {
		if !f.word {
			text = strings.ReplaceAll(text, f.text, Hidden)
			continue
		}
		var at [][2]int
		for i := f.find(text, 0, open); i >= 0; i = f.find(text, i+len(f.text), open) {
			at = append(at, [2]int{i, i + len(f.text)})
		}
		text = without(text, at)
	}
	return text
}

// without is a text with a mark in the place of stretches of it, which may overlap.
func without(text string, stretches [][2]int) string {
	if len(stretches) == 0 {
		return text
	}
	lists.Sort(stretches, func(a, b [2]int) int { return a[0] - b[0] })
	var b strings.Builder
	from := 0
	for i, s := range stretches {
		if i == 0 || s[0] >= from {
			b.WriteString(text[from:s[0]] + Hidden)
		}
		from = max(from, s[1])
	}
	return b.String() + text[from:]
}

// Body takes the secrets out of every text of an event. What holds none comes back as it is.
func (r Redactor) Body(b nebula.Body) nebula.Body {
	if len(r.forms) == 0 || !r.holds(reflect.ValueOf(b)) {
		return b
	}
	return r.clean(reflect.ValueOf(b)).Interface().(nebula.Body)
}

// Prompt takes the secrets out of a request.
func (r Redactor) Prompt(p nebula.Prompt) nebula.Prompt {
	if len(r.forms) == 0 || !r.holds(reflect.ValueOf(p)) {
		return p
	}
	return r.clean(reflect.ValueOf(p)).Interface().(nebula.Prompt)
}

// holds looks for a secret in every text that a value holds.
func (r Redactor) holds(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.String:
		return r.in(v.String())
	case reflect.Pointer, reflect.Interface:
		return !v.IsNil() && r.holds(v.Elem())
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() && r.holds(v.Field(i)) {
				return true
			}
		}
	case reflect.Slice, reflect.Array:
		if v.Type().Elem().Kind() == reflect.Uint8 {
			return v.Kind() == reflect.Slice && r.in(string(v.Bytes()))
		}
		for i := range v.Len() {
			if r.holds(v.Index(i)) {
				return true
			}
		}
	case reflect.Map:
		for i := v.MapRange(); i.Next(); {
			if r.holds(i.Key()) || r.holds(i.Value()) {
				return true
			}
		}
	}
	return false
}

// clean is a value without its secrets.
func (r Redactor) clean(v reflect.Value) reflect.Value {
	out := reflect.New(v.Type()).Elem()
	out.Set(v)
	switch v.Kind() {
	case reflect.String:
		out.SetString(r.Text(v.String()))
	case reflect.Pointer:
		if !v.IsNil() {
			out.Set(reflect.New(v.Type().Elem()))
			out.Elem().Set(r.clean(v.Elem()))
		}
	case reflect.Interface:
		if !v.IsNil() {
			out.Set(r.clean(v.Elem()))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				out.Field(i).Set(r.clean(v.Field(i)))
			}
		}
	case reflect.Slice:
		if v.IsNil() {
			break
		}
		if v.Type().Elem().Kind() == reflect.Uint8 {
			out.SetBytes([]byte(r.Text(string(v.Bytes()))))
			break
		}
		out.Set(reflect.MakeSlice(v.Type(), v.Len(), v.Len()))
		for i := range v.Len() {
			out.Index(i).Set(r.clean(v.Index(i)))
		}
	case reflect.Map:
		if v.IsNil() {
			break
		}
		out.Set(reflect.MakeMapWithSize(v.Type(), v.Len()))
		for i := v.MapRange(); i.Next(); {
			out.SetMapIndex(r.clean(i.Key()), r.clean(i.Value()))
		}
	}
	return out
}

func (r Redactor) in(text string) bool {
	if len(r.forms) == 0 {
		return false
	}
	held := func(text string) bool {
		return slices.ContainsFunc(r.forms, func(f form) bool { return f.find(text, 0, false) >= 0 })
	}
	return held(text) || slices.ContainsFunc(readings(text, false), func(v reading) bool { return held(v.seen) })
}
