package matter

import (
	"slices"
	"strings"
	"unicode/utf8"

	"nebula"
	"nebula/internal/phrase"
)

// None is said of what has a file's name and cannot be read as one.
//
//go:noinline
func None(file string) error {
	return nebula.Errorf("%s: it cannot be read; what is, is a file of up to 1 MB that lies in this folder", file)
}

// Empty is said of a file that says nothing.
//
//go:noinline
func Empty(file string) error {
	return nebula.Errorf("%s: empty, or not UTF-8 text; correct or remove it", file)
}

// Lacking is an error of a file without a text that it has to have.
//
//go:noinline
func Lacking(file, field string) error {
	return nebula.Errorf("%s: it has no text (%s); add it there", file, field)
}

// Unclosed is an error of a text that begins on a line and does not end.
func Unclosed(file string, line int) error {
	return at(file, line, nebula.Say("a quote or bracket that begins here is not closed"))
}

// Unnamed is an error of a line that is no name with a value.
func Unnamed(file string, line int, apart string) error {
	return at(file, line, nebula.Say("each line here is a name, %s and a value", apart))
}

//go:noinline
func at(file string, line int, what nebula.Words) error {
	return nebula.Errorf("%s:%d: %s; correct it there", file, line, what)
}

// Flaw is why a file with a head is not what was meant, with the place and what to do; nil where it is. Three dashes above a text are a rule.
func Flaw(file string, data []byte) error {
	if !utf8.Valid(data) || strings.TrimSpace(string(data)) == "" {
		return Empty(file)
	}
	lines := strings.Split(phrase.Clean(string(data)), "\n")
	end := 1 + slices.Index(lines[1:], "---")
	switch {
	case lines[0] != "---" || end == 0 && (len(lines) < 2 || !strings.Contains(lines[1], ":")):
		return nil
	case end == 0:
		return at(file, 1, nebula.Say("the head that --- begins here is ended by no ---"))
	}
	for i, line := range lines[:end] {
		name, value, ok := strings.Cut(line, ":")
		if i == 0 || line == "" || strings.TrimLeft(line, " \t#-") != line {
			continue
		}
		if !ok || name == "" {
			return Unnamed(file, i+1, ":")
		}
		if value = strings.TrimSpace(value); value == "" {
			continue
		}
		for _, below := range lines[i+1 : end] {
			if below != "" && strings.TrimLeft(below, " \t-") == below {
				break
			}
			value += "\n" + below
		}
		if ends := map[byte]string{'"': `"`, '\'': "'", '[': "]"}[value[0]]; !strings.Contains(value[1:], ends) {
			return Unclosed(file, i+1)
		}
	}
	return nil
}
