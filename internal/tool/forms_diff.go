package tool

import (
	"path"
	"slices"
	"strings"

	"nebula/internal/lists"
)

// headers begin the lines of a diff that stand before its hunks, and end one.
var headers = []string{"diff --git ", "index ", "*** ", "new file mode ", "deleted file mode ", "old mode ", "new mode ", "similarity ", "rename "}

// diff reads what was taken out and put in by the first character of the lines, with hunks or without.
func (c *content) diff() (edits []replacement, looks bool) {
	lines := c.lines()
	if lists.Has([]string{".diff", ".patch", ".rej", ".orig"}, path.Ext(c.path)) {
		return nil, false
	}
	strong := c.hunked(lines)
	if !strong && !c.bare(lines) {
		return nil, false
	}
	var first []replacement
	for _, spaced := range []bool{false, true} {
		edits, ok := c.hunks(lines, !strong, spaced)
		if ok && c.stand(edits) {
			return edits, true
		}
		if ok && first == nil {
			first = edits
		}
	}
	return first, true
}

// stand reports whether what edits replace is in the file.
func (c *content) stand(edits []replacement) bool {
	for _, e := range trimmed(edits) {
		if found, _ := c.file.find(e.Old, e.New); len(found) == 0 {
			return false
		}
	}
	return len(edits) > 0
}

// hunked reports whether lines have what only a diff has.
func (c *content) hunked(lines []string) bool {
	for i, l := range lines {
		switch t := strings.TrimSpace(l); {
		case c.was[t]:
		case l == "@@", strings.HasPrefix(l, "@@ "), strings.HasPrefix(l, "diff --git "), strings.HasPrefix(l, "*** Begin Patch"), strings.HasPrefix(l, "*** Update File"):
			return true
		case sides(lines, i):
			return true
		}
	}
	return false
}

// sides reports whether the two lines from i on name the two sides of a diff.
//
//go:noinline
func sides(lines []string, i int) bool {
	return strings.HasPrefix(lines[i], "--- ") && i+1 < len(lines) && strings.HasPrefix(lines[i+1], "+++ ")
}

// bare reports whether lines are a diff without any head, by what the file has: the lines that it would take out are
// there, and with their first character they are not.
func (c *content) bare(lines []string) bool {
	plus, minus, known, context, all := 0, 0, 0, 0, true
	for _, l := range lines {
		t := strings.TrimSpace(l)
		if t == "" || fenceEnd.In(t) {
			continue
		}
		bare := strings.TrimSpace(t[1:])
		switch {
		case c.was[t] && l[0] != ' ':
			all = false
		case l[0] == '+':
			plus++
		case l[0] == '-':
			if minus++; words(bare) > 0 && c.was[bare] {
				known++
			}
		case l[0] == ' ' && c.was[t] && !lists.Has(c.file.lines, l) && lists.Has(c.file.lines, l[1:]):
			context++
		default:
			all = false
		}
	}
	switch {
	case plus > 0 && minus > 0:
		return known > 0 || all && len(c.file.lines) > 0
	case plus > 0:
		return all && context > 0
	}
	return minus > 0 && minus == known && all && context > 0
}

// hunks reads the changes of a diff. Line numbers are not trusted. loose takes a line without a mark for one that stays;
// spaced takes a blank behind a mark for a part of it.
func (c *content) hunks(lines []string, loose, spaced bool) (edits []replacement, ok bool) {
	var old, new []string
	in, place := loose, ""
	flush := func() {
		if !lists.Equal(old, new) {
			edits = append(edits, c.below(place, old, new))
		}
		old, new, place = nil, nil, ""
	}
	for i := 0; i < len(lines); i++ {
		l := lines[i]
		mark, rest := byte(' '), l
		if l != "" && strings.IndexByte("-+ ", l[0]) >= 0 {
			mark, rest = l[0], l[1:]
		}
		if spaced && mark != ' ' {
			rest = strings.TrimPrefix(rest, " ")
		}
		switch {
		case sides(lines, i):
			if other := strings.Fields(lines[i+1][4:]); len(other) > 0 && path.Base(other[0]) != path.Base(c.path) {
				return nil, false
			}
			i, in = i+1, loose
			flush()
		case strings.HasPrefix(l, "@@"):
			in = true
			flush()
			place = strings.TrimSpace(strings.Trim(l, "@"))
		case slices.ContainsFunc(headers, func(h string) bool { return strings.HasPrefix(l, h) }):
			in = loose || strings.HasPrefix(l, "*** Update")
			flush()
		case strings.HasPrefix(l, `\`), fenceEnd.In(l):
		case !in:
			if !c.noise(l) {
				return nil, false
			}
		case mark == '-':
			old = append(old, rest)
		case mark == '+':
			new = append(new, rest)
		default:
			old, new = append(old, rest), append(new, rest)
		}
	}
	flush()
	return edits, len(edits) > 0
}

// below is the change of lines below one that a hunk's header has in the place of numbers. Where they stand in the file several
// times, those inside of what that line begins are meant, and what leads from it to them is a part of the change.
func (c *content) below(place string, old, new []string) replacement {
	e := replacement{Old: part(old), New: part(new)}
	was := c.file.lines
	begins := func(l string) bool { return strings.HasPrefix(strings.TrimSpace(l), place) }
	first := slices.IndexFunc(was, begins)
	if found, _ := c.file.find(e.Old, e.New); words(place) == 0 || first < 0 || len(old) == 0 || len(found) < 2 || slices.ContainsFunc(was[first+1:], begins) {
		return e
	}
	for at := first + 1; at+len(old) <= len(was); at++ {
		if lists.Equal(was[at:at+len(old)], old) {
			return replacement{Old: part(was[first : at+len(old)]), New: part(lists.Concat(was[first:at], new))}
		}
		if strings.TrimSpace(was[at]) != "" && len(lead(was[at])) <= len(lead(was[first])) {
			break
		}
	}
	return e
}
