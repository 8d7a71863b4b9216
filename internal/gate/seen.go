package gate

import (
	"fmt"
	"strings"

	"nebula"
	"nebula/internal/lists"
)

// Seen tells which of the rows that a person decides on were on a screen, and whether a yes may count. The zero Seen is
// of nothing, and lets every yes count.
type Seen struct {
	firm int // the first rows: nothing allows what is not seen of them
	rows []bool
	told nebula.Decided // the yes of which the person was told that rows were on no screen
}

// NewSeen is of so many rows, none of which was seen yet. The first firm of them must be.
//
//go:noinline
func NewSeen(firm, rows int) *Seen { return &Seen{firm: firm, rows: make([]bool, rows)} }

// Saw notes that the rows from one up to another were on a screen.
//
//go:noinline
func (s *Seen) Saw(from, to int) {
	for i := max(from, 0); i < min(to, len(s.rows)); i++ {
		s.rows[i] = true
	}
}

// With is what it would be when the rows from one up to another were on a screen as well.
//
//go:noinline
func (s *Seen) With(from, to int) *Seen {
	with := *s
	with.rows = lists.Clone(s.rows)
	with.Saw(from, to)
	return &with
}

// A Hold is why a yes does not count yet.
type Hold string

// The holds, from none.
const (
	Free    Hold = ""
	Unread  Hold = "unread"  // the command was not on the screen as a whole
	Skipped Hold = "skipped" // rows of the diff were on no screen; the same yes once more counts
	Number  Hold = "number"  // a number alone, where no rows with numbers are shown: it may stand for any of them
	Lacking Hold = "lacking" // an "always", where there is none: it was not meant for this once
)

// Yes takes a yes, for once or for always: it counts when nothing holds it.
//
//go:noinline
func (s *Seen) Yes(yes nebula.Decided) Hold {
	hold := s.Holds(yes)
	if hold == Skipped {
		s.told = yes
	}
	return hold
}

// Holds is what would hold a yes now.
//
//go:noinline
func (s *Seen) Holds(yes nebula.Decided) Hold {
	switch {
	case s.next(s.firm) >= 0:
		return Unread
	case s.next(len(s.rows)) >= 0 && s.told != yes:
		return Skipped
	}
	return Free
}

// Next is the first row that was on no screen; -1 where there is none.
//
//go:noinline
func (s *Seen) Next() int { return s.next(len(s.rows)) }

//go:noinline
func (s *Seen) next(most int) int {
	for i, seen := range s.rows[:min(most, len(s.rows))] {
		if !seen {
			return i
		}
	}
	return -1
}

// namedMax is how many stretches of rows are named.
const namedMax = 3

// Missing names the rows that were on no screen, counted from one: "5–12, 40 / 60".
func (s *Seen) Missing() string {
	var parts []string
	left := 0
	for i := 0; i < len(s.rows); i++ {
		if s.rows[i] {
			continue
		}
		from := i
		for i+1 < len(s.rows) && !s.rows[i+1] {
			i++
		}
		switch {
		case len(parts) == namedMax:
			left += i + 1 - from
		case from == i:
			parts = append(parts, fmt.Sprint(from+1))
		default:
			parts = append(parts, fmt.Sprintf("%d–%d", from+1, i+1))
		}
	}
	if left > 0 {
		parts = append(parts, fmt.Sprintf("… (+%d)", left))
	}
	return strings.Join(parts, ", ") + fmt.Sprintf(" / %d", len(s.rows))
}
