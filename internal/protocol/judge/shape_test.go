package judge

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"nebula"
	"nebula/internal/nebulatest"
)

// TestWhatWaitsAndWhatIsMeantIsToldByItsShape reads sentences that wait, refuse, doubt, quote or show (-) and such as announce what is done (+), where
// they stand before an action (B), behind it (A) or as its reason (R): in every language, and beside a call that is printed as text.
func TestWhatWaitsAndWhatIsMeantIsToldByItsShape(t *testing.T) {
	for file, most := range map[string][2]int{"shape": {12, 11}, "shape_more": {5, 10}, "shape_third": {10, 8}} { // that run, that are asked about
		t.Run(file, func(t *testing.T) {
			var ran, asked, waiting, meant int
			for _, line := range rows(t, file) {
				head, sentence, _ := strings.Cut(line, "|")
				mark, head, _ := strings.Cut(head, " ")
				where, deed, _ := strings.Cut(head, " ")
				var other []string
				for name, reply := range asWritten(where, deed, sentence) {
					does := runs(named(t, strings.TrimSuffix(name, "+")).decode(reply, nebulatest.Specs()), nebulatest.Specs())
					switch mark {
					case "-":
						waiting++
						if does {
							ran++
							other = append(other, name)
						}
					default:
						meant++
						if !does {
							asked++
							other = append(other, name)
						}
					}
				}
				if len(other) > 0 {
					t.Logf("%s %v", line, other)
				}
			}
			t.Logf("of %d that wait %d run; of %d that mean it %d are asked about", waiting, ran, meant, asked)
			if ran > most[0] || asked > most[1] {
				t.Errorf("%d that wait run, %d that mean it are asked about", ran, asked)
			}
		})
	}
}

// asWritten are the replies in which a sentence stands beside an action, by the language that was taught: those with + print a call of another.
func asWritten(where, deed, sentence string) map[string]nebula.Reply {
	replies := map[string]nebula.Reply{}
	for _, name := range []string{"toolcall", "actionlist", "symops", "dml"} {
		replies[name] = beside(name, where, deed, sentence, false)
	}
	var args map[string]any
	_ = json.Unmarshal([]byte(deeds[deed][1]), &args) // of the table
	if where == "R" {
		args["reason"] = sentence
	}
	call, _ := json.Marshal(map[string]any{"name": deeds[deed][0], "arguments": args}) // strings always marshal
	text := fmt.Sprintf(map[string]string{"B": "%[1]s\n\n%[2]s", "A": "%[2]s\n\n%[1]s", "R": "%[2]s"}[where], sentence, "<tool_call>\n"+string(call)+"\n</tool_call>")
	replies["symops+"] = nebula.Reply{Parts: nebula.Text(text), Finish: "stop"}
	return replies
}
