package tool

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"nebula"
	"nebula/internal/index"
	"nebula/internal/workspace"
)

// A Defined is where a name is defined.
type Defined struct {
	Path string
	Line int
	At   int // where the name stands there, in bytes
	Sign string
}

// mostDefined bounds the definitions that are named.
const mostDefined = 12

// Definitions are where a name is defined in a file, or in those below a directory, as their text tells, secrets apart.
func Definitions(ctx context.Context, dir *workspace.Dir, secret func(path string) bool, under, name string) (list []Defined, err error) {
	at, err := dir.Clean(under)
	if err != nil {
		return nil, err
	}
	t := &renameSymbol{dir: dir, o: Options{Secret: secret}}
	files := []string{at}
	if e, err := dir.Stat(at); err != nil {
		return nil, hinted(err, seeList)
	} else if e.Dir {
		if files, err = t.files(ctx, at, name); err != nil {
			return nil, err
		}
	}
	for _, file := range files[:min(len(files), renamedFiles)] {
		data, _, err := load(dir, file)
		if m := (*nebula.Mistake)(nil); errors.As(err, &m) {
			continue
		} else if err != nil {
			return nil, err
		}
		list = append(list, defined(file, data, name)...)
	}
	return list, nil
}

// defined are the definitions of a name in a file.
func defined(file string, data []byte, name string) (list []Defined) {
	at := identifiers(file, data, name)
	if len(at) == 0 {
		return nil
	}
	for _, s := range index.Definitions(file, data) {
		if s.Name != name || s.Kind == "heading" {
			continue
		}
		for _, i := range at {
			if line := 1 + bytes.Count(data[:i], []byte("\n")); line == s.Line {
				list = append(list, Defined{file, line, i, s.Sign})
				break
			}
		}
	}
	return list
}

// Candidates asks which of several definitions of a name is meant; nil for one, or none.
func Candidates(name string, list []Defined) error {
	if len(list) < 2 {
		return nil
	}
	var b strings.Builder
	for i, d := range list {
		if i == mostDefined {
			fmt.Fprintf(&b, "\n+%d", len(list)-i)
			break
		}
		sign, _, _ := strings.Cut(d.Sign, "\n")
		fmt.Fprintf(&b, "\n%s:%d: %s", d.Path, d.Line, strings.TrimSpace(sign))
	}
	return mistakef("Give the path and the line of the one that is meant.", "%q is defined in %d places:%s", name, len(list), b.String())
}

// definition is where a name stands that is meant without a line: where it is defined, or else where it stands first.
func definition(file string, data []byte, name string) (at int, err error) {
	list := defined(file, data, name)
	if err := Candidates(name, list); err != nil {
		return 0, err
	}
	if len(list) == 1 {
		return list[0].At, nil
	}
	if all := identifiers(file, data, name); len(all) > 0 {
		return slices.Min(all), nil
	}
	return 0, mistakef("Read the file, and name what stands there.", "No identifier %q stands there in %s.", name, file)
}
