package matter

import (
	"bytes"
	"encoding/json"
	"errors"
	"reflect"
	"strings"

	"nebula"
)

// Plain is JSON without the comments and the commas before an end that editors allow.
//
//go:noinline
func Plain(data []byte) []byte { return plain(data, false) }

// Spaced is Plain with blanks in the place of what it leaves out, so that all else stands where it stood.
//
//go:noinline
func Spaced(data []byte) []byte { return plain(data, true) }

func plain(data []byte, spaced bool) []byte {
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	out := make([]byte, 0, len(data))
	skip := func(text []byte) {
		for _, b := range text {
			if b != '\n' {
				b = ' '
			}
			if spaced {
				out = append(out, b)
			}
		}
	}
	for i := 0; i < len(data); {
		rest := data[i:]
		switch {
		case rest[0] == '"':
			n := 1
			for n < len(rest) && rest[n] != '"' {
				if rest[n] == '\\' {
					n++
				}
				n++
			}
			n = min(n+1, len(rest))
			out, i = append(out, rest[:n]...), i+n
		case bytes.HasPrefix(rest, []byte("//")):
			n := bytes.IndexByte(rest, '\n')
			if n < 0 {
				n = len(rest)
			}
			skip(rest[:n])
			i += n
		case bytes.HasPrefix(rest, []byte("/*")):
			n := bytes.Index(rest, []byte("*/"))
			if n < 0 {
				n = len(rest) - 2
			}
			skip(rest[:n+2])
			i += n + 2
		case rest[0] == '}' || rest[0] == ']':
			kept := bytes.TrimRight(out, ", \t\r\n")
			over := bytes.Clone(out[len(kept):])
			out = kept
			skip(over)
			out = append(out, rest[0])
			i++
		default:
			out, i = append(out, rest[0]), i+1
		}
	}
	return out
}

// kinds are what JSON has, as a person calls it.
var kinds = map[reflect.Kind]string{reflect.String: "a text", reflect.Slice: "a list", reflect.Bool: "true or false", reflect.Float64: "a number", reflect.Int: "a number"}

// Misfit says of JSON that is of another kind than it has to be which; any other error is as it was.
func Misfit(err error) error {
	wrong, ok := errors.AsType[*json.UnmarshalTypeError](err)
	if !ok {
		return err
	}
	want := kinds[wrong.Type.Kind()]
	if want == "" {
		want = "an object"
	}
	field := strings.TrimLeft(wrong.Field, "ABCDEFGHIJKLMNOPQRSTUVWXYZ")
	if field != wrong.Field { // the first of its names is that of a type within a type
		_, field, _ = strings.Cut(field, ".")
	}
	if field == "" {
		return nebula.Errorf("it has to be %s", nebula.Say(want))
	}
	return nebula.Errorf("%s has to be %s", field, nebula.Say(want))
}
