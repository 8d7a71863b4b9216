package nebulatest

import (
	"reflect"
	"regexp"
	"testing"

	"nebula/internal/phrase"
)

var (
	letters = regexp.MustCompile(`\pL`)
	verbs   = regexp.MustCompile(`%[\[\]0-9.]*[a-z]`)
)

// TestWords looks for texts of a place that a language does not say: texts, and structs, lists and tables of them. Another place's
// words among its fields are that one's.
func TestWords(t *testing.T, place string, english any) {
	t.Helper()
	for _, lang := range phrase.Langs()[1:] {
		walk(reflect.ValueOf(english), place, func(place, text string) {
			if _, known := phrase.Known(phrase.Table(lang), place, text); !known && letters.MatchString(verbs.ReplaceAllString(text, "")) {
				t.Errorf("%s: %s is %q in English, and nothing", lang, place, text)
			}
		})
	}
}

func walk(v reflect.Value, place string, each func(place, text string)) {
	switch v.Kind() {
	case reflect.String:
		each(place, v.String())
	case reflect.Struct:
		for i := range v.NumField() {
			if f := v.Type().Field(i); !f.Anonymous {
				walk(v.Field(i), place+"."+f.Name, each)
			}
		}
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			walk(v.Index(i), place, each)
		}
	case reflect.Map:
		for _, key := range v.MapKeys() {
			walk(v.MapIndex(key), place+"."+key.String(), each)
		}
	}
}
