package gate

import (
	"strings"

	"nebula"
	"nebula/internal/lists"
)

// A Pager is for front ends that print what a person decides on, a page at a time, and read answers line by line.
type Pager struct {
	Seen  *Seen
	Lacks []nebula.Decided // the answers that are not offered, see [Lacks]
	rows  int
	at    int            // the first row that was not printed
	held  nebula.Decided // the yes that waits for a second enter
	why   string
}

// NewPager is of so many rows, the first firm of which a yes needs.
func NewPager(firm, rows int) *Pager { return &Pager{Seen: NewSeen(firm, rows), rows: rows} }

// Page are the next rows to print, at most room of them; all for a room of 0.
//
//go:noinline
func (p *Pager) Page(room int) (from, to int) {
	from, to = p.at, p.rows
	if room > 0 {
		to = min(to, from+room)
	}
	p.Seen.Saw(from, to)
	p.at = to
	return from, to
}

// Left is how many rows were not printed yet.
func (p *Pager) Left() int { return p.rows - p.at }

// Waits reports whether a yes waits for a second enter.
func (p *Pager) Waits() bool { return p.held != "" }

// A Reply is what a line that was typed comes to. Where it decides nothing, something is to be shown: the next page, and
// why a yes does not count yet.
type Reply struct {
	Answer  nebula.Decided
	Reason  string
	Clear   bool
	Decides bool
	Hold    Hold
	Missing string // the rows that were on no screen
}

// Take reads a line. A blank one asks for the next page, where there is one, or is the second enter that a yes waited
// for; with a screen that is too small no yes counts.
func (p *Pager) Take(text string, small bool) Reply {
	blank := strings.TrimSpace(text) == ""
	if blank && p.held == "" && (p.at < p.rows || small) {
		return Reply{}
	}
	if Counts(text) {
		p.held = ""
		return Reply{Hold: Number}
	}
	answer, reason, clear := ReadAnswer(text)
	if blank && p.held != "" {
		answer, reason, clear = p.held, p.why, true
	} else {
		p.held = ""
	}
	r := Reply{Answer: answer, Reason: reason, Clear: clear}
	if answer == nebula.No {
		r.Decides = true
		return r
	}
	if lists.Has(p.Lacks, answer) {
		r.Hold = Lacking
		return r
	}
	if small {
		return Reply{}
	}
	r.Missing = p.Seen.Missing()
	if r.Hold = p.Seen.Yes(answer); r.Hold == Skipped {
		p.held, p.why = answer, reason
	}
	r.Decides = r.Hold == Free
	return r
}
