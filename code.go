package nebula

import (
	"fmt"
	"slices"
	"strings"
)

// A Code names what is said to people, with what goes into its words: a stable id, and arguments. The record holds codes; a
// catalogue for each language says them where they are shown. What a record from before codes holds is a sentence: no
// catalogue knows it, and it is its own words.
type Code string

// NewCode makes a code with arguments.
//
//go:noinline
func NewCode(id string, args ...string) Code {
	return Code(strings.Join(append([]string{id}, args...), unit))
}

// unit stands between a code's id and its arguments.
const unit = "\x1f"

// Split gives a code's id and its arguments.
//
//go:noinline
func (c Code) Split() (id string, args []string) {
	parts := strings.Split(string(c), unit)
	return parts[0], parts[1:]
}

// Is reports whether a code is one of some, whatever its arguments.
func (c Code) Is(ids ...Code) bool {
	id, _ := c.Split()
	return slices.Contains(ids, Code(id))
}

// A Catalogue says codes in English: a format for each id, which the arguments go into.
type Catalogue map[string]string

// Say says a code, with in saying the format of its id in another language, and reports whether the catalogue knows it.
func (k Catalogue) Say(c Code, in func(id, format string) string) (said string, known bool) {
	id, parts := c.Split()
	format, known := k[id]
	if known {
		format = in(id, format)
	}
	most := strings.Count(format, "%")
	if !known || len(parts) == 0 || most == 0 {
		return format, known
	}
	if len(parts) > most { // the last may be anything, what stands between arguments too
		parts = append(slices.Clone(parts[:most-1]), strings.Join(parts[most-1:], unit))
	}
	args := make([]any, len(parts))
	for i, part := range parts {
		args[i] = part
	}
	return fmt.Sprintf(format, args...), true
}
