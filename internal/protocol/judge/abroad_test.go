package judge

import (
	"slices"
	"strings"
	"testing"

	"nebula/internal/nebulatest"
)

// TestWhatIsSaidAbroad reads sentences in other languages than English and Japanese that hold an action (-), or mean it (+), before it, behind it
// and as its reason, beside an edit, a deletion and commands, in all languages.
func TestWhatIsSaidAbroad(t *testing.T) {
	tools := nebulatest.Specs()
	n, wrong := map[string]int{}, map[string]int{}
	for _, line := range slices.Concat(rows(t, "abroad"), rows(t, "abroad_more")) {
		head, text, _ := strings.Cut(line, "|")
		mark, place, _ := strings.Cut(head, " ")
		var shown []string
		for _, l := range languages() {
			for _, deed := range plainDeeds {
				n[mark]++
				if runs(l.decode(besideDeed(l.Name(), place, deed, text, false), tools), tools) != (mark == "+") {
					wrong[mark]++
					shown = append(shown, l.Name()[:1]+strings.Fields(deed[2])[1][:2])
				}
			}
		}
		if len(shown) > 0 {
			t.Logf("%s %s %s: %v", mark, place, text, shown)
		}
	}
	t.Logf("of %v wrong: %v", n, wrong)
	if wrong["-"] > 0 || wrong["+"] > 40 {
		t.Errorf("of %v wrong: %v", n, wrong)
	}
}
