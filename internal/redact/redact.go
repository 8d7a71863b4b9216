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

	"nebula"
)

// Hidden stands in a secret's place. It is nothing that a program's text says: an action that holds it was not written so.
const Hidden = "[key hidden by nebula]"

// shortest is the length from which a secret is looked for: what local servers take for a key is often a plain word.
const shortest = 12

// A Redactor knows secrets. The zero Redactor knows none. It does not change, and may be used from any goroutine.
type Redactor struct{ forms []string } // the longest first

// New returns a redactor for the secrets. Those with fewer than 12 bytes are left out.
func New(secrets []string) Redactor {
	var r Redactor
	for _, s := range secrets {
		if s = strings.TrimSpace(s); len(s) < shortest {
			continue
		}
		raw := base64.RawStdEncoding.EncodeToString([]byte(s))
		r.forms = append(r.forms, s, url.QueryEscape(s), url.PathEscape(s), quoted(s, true), quoted(s, false),
			raw, base64.RawURLEncoding.EncodeToString([]byte(s)))
	}
	slices.SortFunc(r.forms, func(a, b string) int {
		if len(a) != len(b) {
			return len(b) - len(a)
		}
		return strings.Compare(a, b)
	})
	r.forms = slices.Compact(r.forms)
	return r
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
func (r Redactor) Text(text string) string {
	if len(r.forms) == 0 {
		return text
	}
	var found [][2]int
	for _, v := range readings(text, false) {
		for _, f := range r.forms {
			for from := 0; ; {
				i := strings.Index(v.seen[from:], f)
				if i < 0 {
					break
				}
				found = append(found, [2]int{v.at[from+i], v.at[from+i+len(f)]})
				from += i + len(f)
			}
		}
	}
	text = without(text, found)
	for _, f := range r.forms {
		text = strings.ReplaceAll(text, f, Hidden)
	}
	return text
}

// without is a text with a mark in the place of stretches of it, which may overlap.
func without(text string, stretches [][2]int) string {
	if len(stretches) == 0 {
		return text
	}
	slices.SortFunc(stretches, func(a, b [2]int) int { return a[0] - b[0] })
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
		return slices.ContainsFunc(r.forms, func(f string) bool { return strings.Contains(text, f) })
	}
	return held(text) || slices.ContainsFunc(readings(text, false), func(v reading) bool { return held(v.seen) })
}
