package terminal

import (
	"strconv"
	"strings"

	"nebula/internal/command"
)

// Choose reads the answer to a question: an option by its number, or the text as it is. A number that is no option's
// is not taken.
func Choose(text string, options []string) (string, bool) {
	text = strings.TrimSpace(text)
	if len(options) == 0 {
		return text, text != ""
	}
	n, err := strconv.Atoi(strings.TrimSuffix(command.Narrow(text), "."))
	switch {
	case err != nil:
		return text, text != ""
	case n < 1 || n > len(options):
		return "", false
	}
	return options[n-1], true
}
