package tool

import (
	"path"
	"slices"
	"strings"

	"nebula/internal/index"
	"nebula/internal/lazy"
	"nebula/internal/lists"
)

// Bounds of what may stand between a passage and its other version.
const (
	betweenLines = 3
	betweenBytes = 80
)

// versus reads a passage of the file and another version of it behind it, whatever stands between the two: lines that the
// file does not have, or nothing, while most of what else the file holds is missing.
func (c *content) versus() (edits []replacement, looks bool) {
	lines := c.lines()
	at := 0
	for at < len(lines) && c.noise(lines[at]) && !c.was[strings.TrimSpace(lines[at])] {
		at++
	}
	for at < len(lines) && strings.TrimSpace(lines[at]) == "" {
		at++
	}
	end := at + quotedLines(lines[at:], c.file.lines)
	old := lines[at:end]
	if words(strings.Join(old, "")) < partWords || !c.lacks(old) {
		return nil, false
	}
	if _, one := once(c.file.lines, full(old)); !one {
		return nil, false
	}
	rest := full(lines[end:])
	for len(rest) > 0 && c.closes(rest[len(rest)-1]) {
		rest = full(rest[:len(rest)-1])
	}
	for n := 0; n <= betweenLines && n < len(rest); n++ {
		if c.another(full(old), rest[:n], full(rest[n:])) {
			return []replacement{{Old: part(old), New: part(full(rest[n:]))}}, true
		}
	}
	return nil, false
}

// closes reports whether a line ends what stands around a text: a fence, or a mark that begins nothing.
func (c *content) closes(l string) bool {
	l = strings.TrimSpace(l)
	return !c.was[l] && (fenceEnd.In(l) || c.markOf(l).role != nothing)
}

// quotedLines is how many of the first lines of a stand in b one behind the other, empty ones at the end apart. It looks at each line of b
// once, however often they are the same.
func quotedLines(a, b []string) (most int) {
	same := func(x, y string) bool { return strings.TrimRight(x, " \t") == strings.TrimRight(y, " \t") }
	back := make([]int, len(a)+1) // where to go on when the line behind so many is another
	step := func(n int, l string) int {
		for n == len(a) || n > 0 && !same(a[n], l) {
			n = back[n]
		}
		if n < len(a) && same(a[n], l) {
			n++
		}
		return n
	}
	for i, n := 1, 0; i < len(a); i++ {
		n = step(n, a[i])
		back[i+1] = n
	}
	for n, i := 0, 0; i < len(b) && len(a) > 0; i++ {
		n = step(n, b[i])
		most = max(most, n)
	}
	for most > 0 && strings.TrimSpace(a[most-1]) == "" {
		most--
	}
	return most
}

// another reports whether a text is another version of a passage, with these lines between them: it begins as the passage does.
func (c *content) another(old, between, text []string) bool {
	if len(text) == 0 || lists.Equal(old, text) {
		return false
	}
	for _, l := range between {
		if c.was[strings.TrimSpace(l)] && words(l) > 0 || len(l) > betweenBytes || !c.parting(l) {
			return false
		}
	}
	other := c.beyond(old)
	data := lists.Has([]string{".toml", ".ini", ".cfg", ".conf", ".json", ".yml", ".yaml", ".csv"}, path.Ext(c.path))
	switch first, was := strings.TrimSpace(text[0]), strings.TrimSpace(old[0]); {
	case data && !other, markup.In(c.path) && len(between) == 0:
		return false
	case first == was:
		names := c.defines(old)
		return (len(between) > 0 || other && program.In(c.path)) && (len(names) == 0 || slices.ContainsFunc(c.defines(text), func(n string) bool { return lists.Has(names, n) }))
	default:
		return len(between) > 0 && !c.was[first] && near(first, was) && !near(strings.TrimSpace(between[0]), was)
	}
}

// parting reports whether a line can stand between two versions of a passage: signs, a mark or words. What is indented, or has the signs or the first
// word of code, is what the first line heads, and the content a whole file.
func (c *content) parting(l string) bool {
	t := strings.TrimSpace(l)
	switch {
	case t == "":
		return true
	case lead(l) != "" || coded.In(t):
		return false
	case words(t) == 0 || c.markOf(l).role != nothing:
		return true
	}
	head := strings.Fields(t)[0]
	return !noted.In(t) && !slices.ContainsFunc(c.file.lines, func(l string) bool { return strings.HasPrefix(l, head+" ") })
}

// coded is what no mark has: brackets and quotes that close, calls, statements.
var coded = &lazy.Pattern{X: `\(\)|[{};"]|^[\])]|\w(?:\(|\[| ?=)|^@\w`}

// defines are the names of what lines define.
func (c *content) defines(lines []string) (names []string) {
	for _, s := range index.Definitions(c.path, []byte(strings.Join(lines, "\n"))) {
		names = append(names, s.Name)
	}
	return names
}

// beyond reports whether the file has more than a passage.
func (c *content) beyond(passage []string) bool {
	has := map[string]bool{}
	for _, l := range passage {
		has[strings.TrimSpace(l)] = true
	}
	return slices.ContainsFunc(c.file.lines, func(l string) bool { return words(l) > 0 && !has[strings.TrimSpace(l)] })
}

// near reports whether two lines are the same but for a part in the middle of them, a third at most.
//
//go:noinline
func near(a, b string) bool {
	front, back := 0, 0
	for front < min(len(a), len(b)) && a[front] == b[front] {
		front++
	}
	for back < min(len(a), len(b))-front && a[len(a)-1-back] == b[len(b)-1-back] {
		back++
	}
	return 3*(front+back) >= 2*max(len(a), len(b))
}
