package state

import (
	"encoding/json"
	"strings"
	"testing"

	"nebula"
)

// Commands that do nothing are one loop however they vary; what shows or changes something is none.
func TestCommandsThatDoNothingAreALoop(t *testing.T) {
	for lines, loop := range map[string]bool{
		"echo 1|echo 2|echo 3|echo 4|echo 5|echo 6":                                                             true,
		"echo start|printf 'two\\n'|sleep 1|true 4|test 5 = 5|echo $((5+1)) >&2":                                true,
		"echo a && echo b|echo c; sleep 2|: d|seq 3|[ 1 = 1 ]|echo last > /dev/null":                            true,
		"cat a|cat b|cat c|cat d|cat e|cat f":                                                                   false,
		"echo $(cat a)|echo $(cat b)|echo $(cat c)|echo `cat d`|echo $(cat e)|echo $(cat f)":                    false,
		"ls a|ls b|ls c|ls d|ls e|ls f":                                                                         false,
		"echo 1 && cat a|echo 2 && cat b|echo 3 && cat c|echo 4 && cat d|echo 5 && cat e|echo 6 && cat f":       false,
		"echo 1 > a|echo 2 > b|echo 3 > c|echo 4 > d|echo 5 > e|echo 6 > f":                                     false,
		"test -e a && make a|test -e b && make b|test -e c && make c|echo 4 && make d|make e|sleep 1 && make f": false,
	} {
		w := Watch{Read: 1}
		steered := 0
		for i, line := range strings.Split(lines, "|") {
			args, _ := json.Marshal(map[string]string{"command": line})
			code := 0
			w = w.Heard(1).Finished(nebula.Action{ID: "a", Tool: "executeShell", Args: args}, nebula.Result{Tool: "executeShell", Status: nebula.Done, Exit: &code, Text: "exit 0\n" + line})
			if w.Repeats >= Steered && steered == 0 {
				steered = i + 1
			}
		}
		why := DefaultThresholds().Circles(w, "en")
		if loop && (steered != Steered || !strings.Contains(why, "6 times")) || !loop && (why != "" || steered > 0) {
			t.Errorf("%s: steered at %d, %q", lines, steered, why)
		}
	}
}
