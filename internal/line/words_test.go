package line

import (
	"reflect"
	"regexp"
	"strings"
)

// fields are a language's texts by name.
func fields(w words) map[string]string {
	all := map[string]string{}
	v := reflect.ValueOf(w)
	for i := range v.NumField() {
		name := v.Type().Field(i).Name
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
