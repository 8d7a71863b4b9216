package record

import (
	"strings"

	"nebula"
)

// Often are the bodies that have a quick way.
var Often = often

// Quick is what the decoder reads by itself; ok is false where it would ask encoding/json.
func Quick(name, text string) (body nebula.Body, ok bool) {
	return NewDecoder().quick(name, text)
}

// InForm is a text as it would be in the present form.
func InForm(text string) string { return strings.Replace(text, "{", present, 1) }
