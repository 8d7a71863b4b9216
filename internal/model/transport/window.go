package transport

import (
	"strconv"
	"strings"

	"nebula/internal/lazy"
)

// windows are the ways in which servers name their window when a request is longer.
var windows = []*lazy.Pattern{
	{X: `(?i)"n_ctx"\s*:\s*(\d+)`},
	{X: `(?i)(?:maximum|max)[ _](?:context|model|sequence)[ _]len(?:gth)?\D{0,12}(\d[\d,]*)`},
	{X: `(?i)context (?:window|length|size)(?: of| is| limit)?\D{0,4}(\d[\d,]*)`},
	{X: `(?i)\d[\d,]* (?:tokens )?> (\d[\d,]*) maximum`},
	{X: `(?i)maximum number of tokens allowed\D{0,4}(\d[\d,]*)`},
}

// smallest is what a figure has to be at least, to be taken for a window.
const smallest = 512

// windowIn is the window that a server names in its refusal of a request, in tokens; 0 where it names none.
func windowIn(raw string) int {
	for _, form := range windows {
		if m := form.Re().FindStringSubmatch(raw); m != nil {
			if n, err := strconv.Atoi(strings.ReplaceAll(m[1], ",", "")); err == nil && n >= smallest {
				return n
			}
		}
	}
	return 0
}
