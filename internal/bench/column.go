package bench

import (
	"cmp"
	"nebula/internal/lists"
	"slices"

	"nebula"
)

// A Result is what became of one task.
type Result struct {
	Task    string           `json:"task"`
	Kind    string           `json:"kind"`
	Solved  bool             `json:"solved"`
	Skipped string           `json:"skipped,omitempty"` // why it was not tried
	Missed  string           `json:"missed,omitempty"`  // why it is not solved
	Ended   nebula.EndStatus `json:"ended,omitempty"`
	Steps   int              `json:"replies"`
	Usage   nebula.Usage     `json:"usage"`
	Seconds float64          `json:"seconds"`
}

// A Column is what one model came to in one protocol.
type Column struct {
	Model    string        `json:"model"`
	Protocol string        `json:"protocol"`
	Tried    int           `json:"tried"`
	Solved   int           `json:"solved"`
	Spoken   nebula.Spoken `json:"spoken"` // how its replies were read
	Usage    nebula.Usage  `json:"usage"`
	Seconds  float64       `json:"seconds"`
	Broken   string        `json:"broken,omitempty"` // why it is not at its end
	Results  []Result      `json:"results"`
}

// Add counts a task.
func (c *Column) Add(r Result) {
	c.Results = append(c.Results, r)
	if r.Skipped != "" {
		return
	}
	c.Tried++
	if r.Solved {
		c.Solved++
	}
	c.Usage = c.Usage.Plus(r.Usage)
	c.Seconds += r.Seconds
}

// Heard counts how replies were read.
func (c *Column) Heard(list []nebula.Spoken) {
	for _, s := range list {
		c.Spoken.Replies += s.Replies
		c.Spoken.Strict += s.Strict
		c.Spoken.Repaired += s.Repaired
		c.Spoken.Inferred += s.Inferred
		c.Spoken.Corrected += s.Corrected
		c.Spoken.Extracted += s.Extracted
		c.Spoken.Failed += s.Failed
	}
}

// Guessed are the replies that were read with a guess, which was asked about.
func (c *Column) Guessed() int { return c.Spoken.Inferred + c.Spoken.Extracted }

// Tokens are all that were read and written.
func (c *Column) Tokens() int { return c.Usage.Input + c.Usage.Output }

// share is how many of a hundred tasks were solved.
//
//go:noinline
func (c *Column) share() float64 { return 100 * float64(c.Solved) / float64(max(c.Tried, 1)) }

// slack is how many of a hundred tasks two columns may lie apart and still be called equal: as much as one run differs from
// the next.
const slack = 3

// Best is the column that the figures speak for: of those that solved about as much as the best one, the one whose replies had
// to be written again least, where that differs, else the cheapest. False where nothing was solved.
func Best(list []Column) (best Column, found bool) {
	var whole []Column
	most := 0.0
	for _, c := range list {
		if c.Broken == "" && c.Solved > 0 {
			whole, most = append(whole, c), max(most, c.share())
		}
	}
	whole = lists.Drop(whole, func(c Column) bool { return c.share() < most-slack })
	if len(whole) == 0 {
		return Column{}, false
	}
	again := func(c Column) int { return 100 * c.Spoken.Failed / max(c.Spoken.Replies, 1) / slack }
	return slices.MinFunc(whole, func(a, b Column) int {
		return cmp.Or(cmp.Compare(again(a), again(b)), cmp.Compare(a.Usage.Cost, b.Usage.Cost), cmp.Compare(a.Tokens(), b.Tokens()), cmp.Compare(b.share(), a.share()))
	}), true
}
