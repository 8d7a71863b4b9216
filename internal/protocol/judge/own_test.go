package judge

import (
	"strings"
	"testing"

	"nebula/internal/nebulatest"
)

// TestWhatIsDraftedOrLeftHoldsAndWhatIsRemarkedDoesNot reads sentences that hold an action (-) and remarks in the same words that do not (+), in all
// languages, beside edits, a deletion and a command; those in small letters are about one file and stand beside its edit alone.
func TestWhatIsDraftedOrLeftHoldsAndWhatIsRemarkedDoesNot(t *testing.T) {
	tools := nebulatest.Specs()
	for _, line := range rows(t, "own") {
		f := strings.SplitN(line, " ", 3)
		for _, place := range strings.Split(f[1], "") {
			beside := []string{"W", "S", "F", "D"}
			if place == "b" {
				place, beside = "B", beside[:1]
			}
			for _, deed := range beside {
				for _, l := range languages() {
					for _, rationale := range []bool{false, true} {
						if in := l.decode(besideDeed(l.Name(), place, deeds[deed], f[2], rationale), tools); runs(in, tools) != (f[0] == "+") {
							t.Errorf("%s %s %s %v: %s", l.Name(), place, deed, rationale, line)
						}
					}
				}
			}
		}
	}
}
