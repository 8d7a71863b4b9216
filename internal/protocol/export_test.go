package protocol

import (
	"strings"

	"nebula"
)

// Openings are what the calls of each form begin with.
func Openings() (all [][]string) {
	for _, f := range forms {
		all = append(all, f.opens)
	}
	return all
}

// PrintedIn reads a text in one form alone.
func PrintedIn(i int, text string, tools []nebula.ToolSpec) (calls []Call, end int, ok bool) {
	for _, open := range forms[i].opens {
		if rest, begins := strings.CutPrefix(text, open); begins {
			if calls, used, ok := forms[i].read(rest, tools); ok {
				return calls, len(open) + used, true
			}
		}
	}
	return nil, 0, false
}
