package tool

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"nebula"
	"nebula/internal/lazy"
	"nebula/internal/phrase"
)

// A stretch is what is read of a file.
type stretch struct {
	path          string // where it really is
	named         string // as it was asked for
	size          int64
	offset, limit int
}

// mostPlaces is how many files and ranges one call reads.
const mostPlaces = 20

var bareRange = &lazy.Pattern{X: `^L?\d{1,7}(?:[-–:]L?\d{1,7})?$`}

// stretches are the files and ranges that a path means: a name, a place in a file, or several of them on lines of their own or
// behind commas. A range without a name is of the file before it.
func (t *readFile) stretches(path string, offset, limit int) ([]stretch, error) {
	one, err := t.stretch(path, offset, limit)
	parts := strings.FieldsFunc(path, func(r rune) bool { return r == ',' || r == '\n' || r == '、' })
	if err == nil || len(parts) < 2 {
		return []stretch{one}, err
	}
	if len(parts) > mostPlaces {
		return nil, mistakef("Read them in several calls.", "These are %d places; one call reads %d.", len(parts), mostPlaces)
	}
	var all []stretch
	for _, part := range parts {
		if part = strings.TrimSpace(part); part == "" {
			continue
		}
		if n := len(all); n > 0 && bareRange.In(part) {
			part = all[n-1].named + ":" + part
		}
		one, err := t.stretch(part, offset, limit)
		if err != nil {
			return nil, err
		}
		all = append(all, one)
	}
	return all, nil
}

// stretch is one file, or a place in it.
func (t *readFile) stretch(path string, offset, limit int) (stretch, error) {
	at, err := file(t.dir, path)
	if err != nil {
		return stretch{}, err
	}
	e, err := t.dir.Stat(at)
	if name, from, to, ok := splitRange(at); err != nil && ok {
		if there, missing := t.dir.Stat(name); missing == nil {
			at, e, err = name, there, nil
			offset, limit = from, to-from+1
		}
	}
	if err != nil {
		return stretch{}, hinted(err, seeList)
	}
	if e.Dir {
		return stretch{}, mistakef("Use list to see what is in it.", "%q is a directory.", at)
	}
	named := at
	if at, err = t.dir.Real(named, true); err != nil {
		return stretch{}, err
	}
	return stretch{at, named, e.Size, max(offset, 1), limit}, nil
}

// several reads one stretch after the other, each below its name; they share the room that one has. What is wrong with one
// stands in its place.
func (t *readFile) several(ctx context.Context, all []stretch, numbers bool, v nebula.View) (nebula.Result, error) {
	each := *t
	each.o.Bytes = max(t.o.Bytes/len(all), longest)
	var out nebula.Result
	known := map[string]nebula.FileRef{}
	before := v.Ref
	v.Ref = func(p string) (nebula.FileRef, bool) {
		if r, ok := known[p]; ok || before == nil {
			return r, ok
		}
		return before(p)
	}
	var b strings.Builder
	var names []string
	for _, s := range all {
		if ctx.Err() != nil {
			return out, ctx.Err()
		}
		r, err := each.do(s, numbers, v)
		if m := (*nebula.Mistake)(nil); errors.As(err, &m) {
			r.Text, r.Summary = phrase.Mistaken(v.Lang, m), phrase.Told(v.Lang, phrase.Said(m.Said))
		} else if err != nil {
			return out, err
		}
		for _, f := range r.Seen {
			known[f.Path] = f
		}
		out.Seen = append(out.Seen, r.Seen...)
		names = append(names, r.Summary)
		fmt.Fprintf(&b, "== %s\n%s\n", s.path, strings.TrimSuffix(r.Text, "\n"))
	}
	out.Text, out.Summary = b.String(), strings.Join(names, "; ")
	return out, nil
}
