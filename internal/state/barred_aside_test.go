package state_test

import (
	"os"
	"strings"
	"testing"

	"nebula"
)

// What is forbidden beside the work that is ordered, in the words that people have for it, holds that and lets the work go on. Each line of
// testdata/aside.txt is a message, or more of them parted by ||, with the changes that it holds and those that it lets be made: a path is edited, where no kind stands before it.
func TestWhatIsForbiddenBesideAnOrder(t *testing.T) {
	text, err := os.ReadFile("testdata/aside.txt")
	if err != nil {
		t.Fatal(err)
	}
	var counts [2]int
	for line := range strings.Lines(string(text)) {
		parts := strings.Split(strings.TrimRight(line, "\n"), " | ")
		if len(parts) != 3 {
			t.Fatalf("not a message with what it holds and what not: %s", line)
		}
		s := after(strings.Split(strings.ReplaceAll(parts[0], `\n`, "\n"), " || ")...)
		for i, changes := range parts[1:] {
			for _, change := range strings.Fields(strings.TrimPrefix(changes, "-")) {
				kind, path, ok := strings.Cut(change, ":")
				if !ok {
					kind, path = "edit", change
				}
				held := s.Barred(nebula.Target{Path: path, Kind: kind}) != "" || kind != "edit" && s.ForbiddenAct(kind, path) != ""
				if held != (i == 0) {
					t.Errorf("%s: %s %s: held %v: %+v", parts[0], kind, path, held, s.Bars())
				}
				counts[i]++
			}
		}
	}
	if counts[0] < 200 || counts[1] < 320 {
		t.Errorf("%d changes are held and %d not: the table is cut short", counts[0], counts[1])
	}
}
