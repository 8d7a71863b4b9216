package phrase

import (
	"errors"
	"fmt"
	"io/fs"
	"strconv"
	"strings"

	"nebula"
	"nebula/internal/lazy"
)

// Note is the code of a sentence that is its own: an English format of the code, and what goes into it. Words and errors
// among that are codes within it. What is no text, and is written in another way than fmt has it by itself, is written here.
func Note(format string, args ...any) nebula.Code {
	parts := make([]string, len(args))
	for i, a := range args {
		parts[i] = part(a)
	}
	if len(args) == 0 {
		return nebula.NewCode(format)
	}
	at := 0
	for _, m := range verb.Re().FindAllStringSubmatch(format, -1) {
		if n, err := strconv.Atoi(m[2]); err == nil {
			at = n - 1
		}
		if m[3] == "%" {
			continue
		}
		if at < len(args) && !strings.Contains("sqvw", m[3]) {
			parts[at] = fmt.Sprintf("%"+m[1]+m[3], args[at])
		}
		at++
	}
	return nebula.NewCode(format, parts...)
}

// Said is the code of words.
//
//go:noinline
func Said(w nebula.Words) nebula.Code { return Note(w.Format, w.Args...) }

// Of is the code of what went wrong: the words of an error, and what stands around those that it wraps.
func Of(err error) nebula.Code {
	var inner []error
	switch e := any(err).(type) {
	case nebula.Speaker:
		return Said(e.Words())
	case *fs.PathError:
		return Note("%s %s: %s", e.Op, e.Path, e.Err)
	case interface{ Unwrap() []error }:
		inner = e.Unwrap()
	default:
		inner = []error{errors.Unwrap(err)}
	}
	var parts []any
	rest := err.Error()
	for _, e := range inner {
		if e == nil {
			continue
		}
		if before, after, ok := strings.Cut(rest, e.Error()); ok {
			parts, rest = append(parts, before, e), after
		}
	}
	if parts == nil {
		return nebula.NewCode(plain.Replace(rest))
	}
	return Note(strings.Repeat("%s", len(parts)+1), append(parts, rest)...)
}

// within begins a part that is a code itself, quoted.
const within = "\x1e"

func part(a any) string {
	switch a := a.(type) {
	case nebula.Words:
		return within + strconv.Quote(string(Said(a)))
	case error:
		return within + strconv.Quote(string(Of(a)))
	}
	return plain.Replace(fmt.Sprint(a))
}

// plain makes visible in a text what would mean something in a code.
var plain = strings.NewReplacer("\x1f", "␟", within, "␞")

// Told says such a code in lang.
func Told(lang string, c nebula.Code) string { return ToldBy(Table(lang), c) }

// ToldBy says such a code by the table of a language, nil for English.
func ToldBy(table Language, c nebula.Code) string {
	id, parts := c.Split()
	for i, p := range parts {
		if quoted, ok := strings.CutPrefix(p, within); ok {
			if inner, err := strconv.Unquote(quoted); err == nil {
				parts[i] = ToldBy(table, nebula.Code(inner))
			}
		}
	}
	said, _ := nebula.Catalogue{id: id}.Say(nebula.NewCode(id, parts...), func(_, format string) string {
		own, known := table.Of(format)
		switch {
		case known:
			format = own
		case len(parts) == 0:
			return leaf(table, format)
		}
		if len(parts) == 0 {
			return format // an error's own words
		}
		return verb.Re().ReplaceAllStringFunc(format, text)
	})
	return said
}

// leaf says what has no format by what is known of it: its end behind a colon, what stands before a bracket, or how errors of JSON begin.
func leaf(table Language, text string) string {
	if i := strings.LastIndex(text, ": "); i > 0 {
		if said, known := table.Of(text[i+2:]); known {
			return text[:i+2] + said
		}
	}
	if before, rest, ok := strings.Cut(text, " ("); ok {
		if said, known := table.Of(before); known {
			return said + " (" + rest
		}
	}
	for _, begins := range []string{"invalid character", "json: cannot unmarshal"} {
		if said, known := table.Of(begins); known && strings.HasPrefix(text, begins) {
			return said + " (" + text + ")"
		}
	}
	return text
}

// verb is what stands for an argument: its flags, its number, how it is written.
var verb = &lazy.Pattern{X: `%([-+#0-9.]*)(?:\[(\d+)\])?([a-zA-Z%])`}

// text is a verb for what is a text by now.
func text(verb string) string {
	switch end := len(verb) - 1; verb[end] {
	case 's', 'q', '%':
		return verb
	case 'v', 'w':
		return verb[:end] + "s"
	}
	if i := strings.IndexByte(verb, '['); i > 0 {
		return "%" + verb[i:len(verb)-1] + "s"
	}
	return "%s"
}
