package judge

import (
	"strings"
	"testing"

	"nebula/internal/nebulatest"
)

// What waits for leave, and what has it, is made of who gives it, what is given and how it is put. The words of the second half stand in
// no table: there the shape alone tells.
var (
	leaveNouns = [2][]string{{"approval", "permission", "go-ahead", "sign-off", "blessing", "green light", "thumbs-up", "OK", "confirmation", "consent"}, {"countersignature", "placet", "imprimatur", "stamp", "waiver", "attestation"}}
	leaveVerbs = [2][]string{{"approved it", "agreed", "confirmed it", "signed off", "said yes", "answered", "nodded"}, {"waved it through", "rubber-stamped it", "looked it over", "chimed in", "initialled the form"}}
	leaveFrom  = [2][]string{{"the owner", "my manager", "the reviewer", "the ops team"}, {"Priya", "Matteo", "Ms Okafor"}}
	awaited    = []string{
		"I'll run this once you have %v.", "This runs as soon as you have %v.", "Not before %w has %v.", "I do this when %w has %v.", "Until %w has %v I hold back.",
		"Pending your %n:", "Subject to %w's %n:", "I need your %n for this.", "This needs the %n of %w.", "Without your %n I stay away from it.", "Awaiting %w's %n.", "Once I have your %n, this starts.",
	}
	leaveGiven = []string{"You have %v, so I run it.", "Now that you have %v, I start.", "Since %w has %v, here it goes.", "As you gave your %n, I do it now.", "The %n was given, so I go on.", "No %n is needed for this, so I run it."}

	leaveJapanese = [2][]string{{"許可", "承認", "了承", "同意", "ゴーサイン", "OK", "ご返事", "確認"}, {"捺印", "お許し状", "内諾", "お言葉"}}
	awaitedJa     = []string{"%nをいただいてから実行します。", "%nをもらってから進めます。", "%nをいただけたら始めます。", "%nをいただくまで待ちます。", "%nをもらえ次第、実行します。"}
	givenJa       = []string{"%nをいただいたので実行します。", "%nをもらったので進めます。", "%nをいただきましたので、実行します。"}
)

// TestWhatWaitsForLeaveIsHeardInAnyWords reads sentences of every shape with every word.
func TestWhatWaitsForLeaveIsHeardInAnyWords(t *testing.T) {
	tools := nebulatest.Specs()
	for half, most := range [2]int{0, 2} { // of a hundred
		for _, meant := range []bool{false, true} {
			wrong, all := byLanguage{}, 0
			for _, sentence := range ofLeave(half, meant) {
				all++
				for _, l := range languages() {
					if runs(l.decode(beside(l.Name(), "B", "D", sentence, false), tools), tools) != meant {
						wrong[l.Name()]++
						t.Logf("half %d, meant %v, %s: %s", half, meant, l.Name(), sentence)
					}
				}
			}
			t.Logf("half %d, meant %v: of %d wrong:%s", half, meant, all, wrong)
			for name, n := range wrong {
				if 100*n > most*all {
					t.Errorf("half %d, meant %v: %s takes %d of %d wrongly", half, meant, name, n, all)
				}
			}
		}
	}
}

// ofLeave are the sentences of one half's words that wait, or that have leave.
func ofLeave(half int, given bool) (list []string) {
	english, japanese := awaited, awaitedJa
	if given {
		english, japanese = leaveGiven, givenJa
	}
	for _, frame := range english {
		for i := range 12 {
			from := leaveFrom[half][i%len(leaveFrom[half])]
			noun, verb := leaveNouns[half][i%len(leaveNouns[half])], leaveVerbs[half][i%len(leaveVerbs[half])]
			s := strings.NewReplacer("%n", noun, "%v", verb, "%w", from).Replace(frame)
			list = append(list, strings.ToUpper(s[:1])+s[1:])
		}
	}
	for _, frame := range japanese {
		for _, noun := range leaveJapanese[half] {
			list = append(list, strings.ReplaceAll(frame, "%n", noun))
		}
	}
	return list
}
