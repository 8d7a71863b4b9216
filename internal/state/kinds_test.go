package state_test

import (
	"slices"
	"strings"
	"testing"

	"nebula"
)

// A file that people forbid as they speak is held, and so are all files of a kind that they name: these and no others. Each line of
// testdata/kinds.txt is one sentence, with what it holds.
func TestKindsOfFilesAreHeld(t *testing.T) {
	holds, nothing := 0, 0
	for what, said := range rowsOf(t, "kinds.txt") {
		if holds++; what == "nothing" {
			holds, nothing = holds-1, nothing+1
		}
		s := after(strings.ReplaceAll(said, `\n`, "\n"), "Go on.")
		var held []string
		for _, file := range []string{"config.yml", "deploy/app.yaml", "README.md", "docs/a.md", "src/main.py", "data.json"} {
			if s.Barred(nebula.Target{Path: file, Kind: "edit"}) != "" {
				held = append(held, file)
			}
		}
		want := strings.Fields(strings.TrimPrefix(what, "nothing"))
		slices.Sort(want)
		slices.Sort(held)
		if !slices.Equal(held, want) {
			t.Errorf("%s: %q is held, not %q", said, held, want)
		}
	}
	if holds < 100 || nothing < 40 {
		t.Errorf("%d sentences that hold, %d that do not", holds, nothing)
	}
}
