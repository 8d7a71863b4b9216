package judge

import (
	"strings"
	"testing"

	"nebula/internal/nebulatest"
)

// aroundLate are replies in which a sentence, %, stands apart from the action, {a}, behind it (A) and before it (B), or is all of the reply.
var aroundLate = map[string][]string{
	"A": {"I do it now.\n{a}\n\nThis does it.\n\n%", "{a}\nThis does it.\n%", "{a}\n\nThe file holds a marker.\nIt is small.\n%", "{a}\n\nWhat it does:\n1. takes it away\n2. nothing else\n\n%", "{a}\n\n- takes it away\n- frees the space\n- %", "{a}\n\nこれで直ります。\n\n短い変更です。\n%"},
	"B": {"%\n\nThe path comes first.\n\n{a}", "%\n\nThe file holds a marker.\nIt is small.\nNobody reads it.\nIt is in the first folder.\n\n{a}"},
	"W": {"%"}, "X": {"%"},
}

// TestWhatIsSaidLateStillHolds reads replies of several paragraphs in which a sentence that takes the action back (-), or one that says nothing
// against it (+), stands apart from it, in all languages, beside an edit and beside a deletion (W: an edit alone). Five
// of those that mean it may be asked about.
func TestWhatIsSaidLateStillHolds(t *testing.T) {
	tools := nebulatest.Specs()
	all, wrong := map[string]int{}, map[string]int{}
	for _, line := range rows(t, "late") {
		head, text, _ := strings.Cut(line, "|")
		mark, place, _ := strings.Cut(head, " ")
		for _, frame := range aroundLate[place] {
			reply := strings.ReplaceAll(strings.ReplaceAll(frame, "%", text), `\n`, "\n")
			for _, n := range []string{"1", "2"} {
				if n == "2" && (place == "W" || mark == "+" && place == "B") {
					continue // a deletion wants words that say that it is done
				}
				for _, l := range languages() {
					all[mark]++
					if ran := numbers(l.decode(amidSeveral(l.Name(), strings.ReplaceAll(reply, "{a}", "{"+n+"}")), tools)) != ""; ran != (mark == "+") {
						wrong[mark]++
						t.Logf("%s %s %s %q", l.Name(), n, line, frame)
					}
				}
			}
		}
	}
	t.Logf("of %v wrong: %v", all, wrong)
	if wrong["-"] > 0 || wrong["+"] > 5 {
		t.Errorf("of %v wrong: %v", all, wrong)
	}
}
