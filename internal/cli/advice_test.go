package cli

import (
	"slices"
	"testing"

	"nebula/internal/advice"
	"nebula/internal/steer"
)

// What is told to a model as advice, a model does not change in passing.
func TestAdviceIsAmongWhatSteers(t *testing.T) {
	for _, name := range append(slices.Clone(advice.Names), advice.Beside) {
		for _, path := range []string{name, "sub/" + name} {
			if !steer.File(path) {
				t.Errorf("%s is read as advice, and may be changed unasked", path)
			}
		}
	}
}
