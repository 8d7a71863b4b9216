package judge

import (
	"strings"
	"testing"

	"nebula/internal/nebulatest"
)

// TestWordsAboutOtherThingsHoldNothing reads what is said beside an action of something else that is not done (+), and refusals in the same
// words (-), before it or as its reason, in all languages. The second list was written without a look at the reading.
func TestWordsAboutOtherThingsHoldNothing(t *testing.T) {
	for file, most := range map[string][2]int{"spared": {2, 20}, "spared_more": {2, 52}} {
		ran, asked, all := taken(t, file)
		t.Logf("%s: of %d that hold it %d run, of %d that do not %d are asked about", file, all[0], ran, all[1], asked)
		if ran > most[0] || asked > most[1] {
			t.Errorf("%s: %d that hold the action run, %d that do not are asked about", file, ran, asked)
		}
	}
}

// TestBesideWhatCanBeHadBackOnlyARefusalHolds reads what is said beside edits and commands that look or test, of how sure their writer is and
// what was not tried yet (+), and beside what destroys, of how it is written or that it is kept (-), in all languages.
func TestBesideWhatCanBeHadBackOnlyARefusalHolds(t *testing.T) {
	if ran, asked, all := taken(t, "slack"); ran > 0 || asked > 0 {
		t.Errorf("of %d that hold it %d run, of %d that do not %d are asked about", all[0], ran, all[1], asked)
	}
}

// taken counts the readings of a file's rows that run though they hold the action, and that are asked about though they do not.
func taken(t *testing.T, file string) (ran, asked int, all [2]int) {
	tools := nebulatest.Specs()
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
	return ran, asked, all
}
