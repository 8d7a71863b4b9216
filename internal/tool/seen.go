package tool

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"nebula"
	"nebula/internal/lists"
)

// known checks that the session knows a file as it is. whole asks for all of its lines, because they are replaced.
func known(v nebula.View, p string, data []byte, whole bool) *nebula.Mistake {
	hash, ok := "", false
	if v.Seen != nil {
		hash, ok = v.Seen(p)
	}
	switch {
	case !ok && v.Beside != nil && v.Beside(p):
		return nebula.Wrong("It stands above now: send the change again, as it fits what you read. A patchFile with a passage that is there once may go beside a read.",
			"%q is read in this same reply, which was written before it could be seen: a whole file is replaced only by who has read it.", p)
	case !ok:
		return nebula.Wrong("Read it with readFile first.", "%q was not read in this session.", p)
	case hash != nebula.Hash(data):
		return nebula.Wrong("Read it again with readFile.", "%q changed since it was read.", p)
	}
	if !whole || v.Ref == nil {
		return nil
	}
	if r, ok := v.Ref(p); ok && len(r.Lines) > 0 {
		total := len(split(data))
		if lines := joined(r.Lines); lines[0][0] <= 1 && lines[0][1] >= total {
			return nil
		}
		return nebula.Wrong("Read the others with readFile, or use patchFile.",
			"Only lines %s of %d of %q were read, and the others would be lost.", ranges(r.Lines), total, p)
	}
	return nil
}

// A stranger is why a file is not known: of it only a passage is replaced that stands there once, to the letter.
type stranger struct {
	why   *nebula.Mistake // nil for a file that is known
	shown bool            // it is read in this same reply: what it holds may be told
}

func strangeness(v nebula.View, p string, data []byte) stranger {
	return stranger{known(v, p, data, false), v.Beside != nil && v.Beside(p)}
}

func ranges(lines [][2]int) string {
	var parts []string
	for _, l := range lines {
		parts = append(parts, fmt.Sprintf("%d-%d", l[0], l[1]))
	}
	return strings.Join(parts, ", ")
}

// joined puts runs of lines in order and makes one of those that touch.
func joined(lines [][2]int) [][2]int {
	lines = lists.Clone(lines)
	lists.Sort(lines, func(a, b [2]int) int { return cmp.Compare(a[0], b[0]) })
	var out [][2]int
	for _, l := range lines {
		if n := len(out); n > 0 && l[0] <= out[n-1][1]+1 {
			out[n-1][1] = max(out[n-1][1], l[1])
			continue
		}
		out = append(out, l)
	}
	return out
}

//go:noinline
func absent(err error) bool { return errors.Is(err, fs.ErrNotExist) }

// hinted gives a mistake that says no next step one.
func hinted(err error, hint string) error {
	if m := (*nebula.Mistake)(nil); errors.As(err, &m) && m.Hint.Format == "" {
		said := *m
		said.Hint = nebula.Words{Format: hint}
		return &said
	}
	return err
}

const (
	seeList  = "Use list to see what is there."
	seeFiles = "Name a file; list shows what is there."
)
