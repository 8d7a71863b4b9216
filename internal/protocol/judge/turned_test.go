package judge

import (
	"slices"
	"strings"
	"testing"

	"nebula/internal/nebulatest"
)

// TestWhatIsTurnedFromIsNotDoneAndWhatIsMeantIs reads sentences that take an edit back or put it off (-), and some about something else than it, or
// for it (+), in the languages that a row's letters name.
func TestWhatIsTurnedFromIsNotDoneAndWhatIsMeantIs(t *testing.T) {
	tools := nebulatest.Specs()
	edit := [4]string{"editFile", `{"path":"calc.py","new_content":"x\n"}`, "$ edit @ calc.py\n--\nx\n--", "T:edit_file|calc.py|x\n"}
	for _, line := range rows(t, "turned") {
		head, text, _ := strings.Cut(line, "|")
		f := strings.Fields(head)
		var wrong []string
		for _, l := range languages() {
			for _, place := range strings.Split(f[2], "") {
				if !strings.Contains(f[1], l.Name()[:1]) {
					continue
				}
				for _, rationale := range []bool{false, l.Name() == "actionlist" && place == "B"} {
					if in := l.decode(besideDeed(l.Name(), place, edit, text, rationale), tools); runs(in, tools) != (f[0] == "+") && !slices.Contains(wrong, l.Name()+place) {
						wrong = append(wrong, l.Name()+place)
					}
				}
			}
		}
		if len(wrong) > 0 {
			t.Errorf("%s %s: %v", head, text, wrong)
		}
	}
}
