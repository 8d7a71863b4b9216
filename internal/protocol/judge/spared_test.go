package judge

import (
	"strings"
	"testing"

	"nebula/internal/nebulatest"
)

// TestWordsAboutOtherThingsHoldNothing reads what is said beside an action of something else that is not done (+), and refusals in the same
// words (-), before it or as its reason, in all languages. The second list was written without a look at the reading.
func TestWordsAboutOtherThingsHoldNothing(t *testing.T) {
	tools := nebulatest.Specs()
	for file, most := range map[string][2]int{"spared": {2, 20}, "spared_more": {2, 52}} {
		ran, asked, all := 0, 0, [2]int{}
		for _, line := range rows(t, file) {
			head, text, _ := strings.Cut(line, "|")
			f := strings.Fields(head)
			for _, deed := range strings.Split(f[2], "") {
				for _, l := range languages() {
					in := l.decode(besideDeed(l.Name(), f[1], deeds[deed], text, l.Name() == "actionlist"), tools)
					held, does := f[0] == "-", runs(in, tools)
					if held {
						all[0]++
					} else {
						all[1]++
					}
					switch {
					case does != held:
						continue
					case held:
						ran++
					default:
						asked++
					}
					t.Logf("%s %s: %s", l.Name(), deed, line)
				}
			}
		}
		t.Logf("%s: of %d that hold it %d run, of %d that do not %d are asked about", file, all[0], ran, all[1], asked)
		if ran > most[0] || asked > most[1] {
			t.Errorf("%s: %d that hold the action run, %d that do not are asked about", file, ran, asked)
		}
	}
}
