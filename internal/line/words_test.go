package line

import (
	"reflect"
	"regexp"
	"strings"
	"testing"
)

// fields are a language's texts by name.
func fields(w words) map[string]string {
	all := map[string]string{}
	v := reflect.ValueOf(w)
	for i := range v.NumField() {
		name := v.Type().Field(i).Name
		if v.Type().Field(i).Anonymous { // it has a test of its own
			continue
		}
		if lines, ok := v.Field(i).Interface().([]string); ok {
			all[name] = strings.Join(lines, "\n")
			continue
		}
		all[name] = v.Field(i).String()
	}
	return all
}

func verbs(s string) string {
	return strings.Join(regexp.MustCompile(`%[.0-9]*[a-z]`).FindAllString(s, -1), " ")
}

func TestWordsAreWhole(t *testing.T) {
	for _, lang := range []string{"en", "ja"} {
		for name, text := range fields(wordsFor(lang)) {
			if text == "" {
				t.Errorf("%s: %s has no text", lang, name)
			}
			if verbs(text) != verbs(fields(english)[name]) {
				t.Errorf("%s: %s takes %q, English takes %q", lang, name, verbs(text), verbs(fields(english)[name]))
			}
		}
	}
}
