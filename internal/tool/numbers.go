package tool

import (
	"strconv"
	"strings"

	"nebula/internal/lazy"
)

// A number in front of a line, with a mark behind it or with blanks alone.
var (
	listing = &lazy.Pattern{X: `^\s*(\d+)\s?(?:[|:→│]|\t)`}
	spaced  = &lazy.Pattern{X: `^\s*(\d+)(?:  ?|$)`}
)

// A numbering reads numbers in front of lines, each of which has to go on from the one before.
type numbering struct {
	last, lines, known int
	blanks, wide       bool // behind the numbers stand blanks alone, and two of them or more
}

// next takes a line in. ok is false where it has no number that goes on.
func (n *numbering) next(l string, was map[string]bool) (ok bool) {
	m := listing.For(l).FindStringSubmatch(l)
	if m == nil {
		if m = spaced.For(l).FindStringSubmatch(l); m == nil {
			return false
		}
		n.blanks = true
	}
	no, err := strconv.Atoi(m[1])
	if err != nil || n.lines > 0 && (no <= n.last || n.blanks && no > n.last+2) {
		return false
	}
	n.last = no
	n.lines++
	rest := l[len(m[0]):]
	n.wide = n.wide || strings.HasSuffix(m[0], "  ")
	if t := strings.TrimSpace(rest); t != "" && was[t] {
		n.known++
	}
	return true
}

// listed reports whether the numbers are a listing's. Blanks alone behind them stand in a table too, so there it takes a
// program, in which no line begins so, or lines that the file has without them.
func (n *numbering) listed(path string, empty bool) bool {
	switch {
	case n.lines == 0:
		return false
	case !n.blanks:
		return true
	case program.In(path):
		return n.lines > 1 || n.wide && !empty
	}
	return n.lines > 2 && 2*n.known >= n.lines
}

// numbers tells a listing, as it was shown, from a file: all lines are numbered, which those of the file are not.
func (c *content) numbers() (edits []replacement, looks bool) {
	var n numbering
	for _, l := range c.lines() {
		if c.was[strings.TrimSpace(l)] || strings.TrimSpace(l) == "" || fenceEnd.In(l) {
			continue
		}
		if !n.next(l, c.was) {
			return nil, false
		}
	}
	numbered, all := 0, 0
	for _, l := range c.file.lines {
		if strings.TrimSpace(l) != "" {
			all++
			if listing.In(l) || n.blanks && spaced.In(l) {
				numbered++
			}
		}
	}
	if !n.listed(c.path, all == 0) {
		return nil, false
	}
	return nil, all > 0 && 2*numbered < all || all == 0 && (n.blanks || strings.Contains(c.text, "|") || n.lines > 1 && program.In(c.path))
}
