package gate

import (
	"slices"
	"strings"
)

// Writes reports whether a command line may change a file that it names and that fits: it writes to it by its name, or it names it and
// changes files. What a program of its own does with a name is not known beforehand, nor held against it.
func Writes(line string, fits func(path string) bool) bool {
	r := read(line)
	if slices.ContainsFunc(r.wrote, func(w string) bool { return slices.ContainsFunc(braced(w), fits) }) {
		return true
	}
	if !slices.ContainsFunc(r.found, func(d Danger) bool { return d == Alters || d == Destroys || d == Empties }) {
		return false
	}
	return slices.ContainsFunc(strings.FieldsFunc(line, func(c rune) bool { return strings.ContainsRune(" \t\n'\"`=<>|&;:,(){}", c) }), fits)
}
