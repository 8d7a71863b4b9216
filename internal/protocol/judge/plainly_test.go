package judge

import (
	"strings"
	"testing"

	"nebula/internal/nebulatest"
)

// plainDeeds are changes to files, from an edit to a deletion.
var plainDeeds = [][4]string{
	{"deleteFile", `{"path":"old.txt"}`, "$ delete @ old.txt", "T:delete_file|old.txt"},
	{"editFile", `{"path":"notes.txt","new_content":"alpha\n"}`, "$ edit @ notes.txt\n--\nalpha\n--", "T:edit_file|notes.txt|alpha\n"},
	{"executeShell", `{"command":"mv old.txt older.txt"}`, "$ run @ mv old.txt older.txt", "T:execute_shell|mv old.txt older.txt"},
	{"executeShell", `{"command":"git checkout -- notes.txt"}`, "$ run @ git checkout -- notes.txt", "T:execute_shell|git checkout -- notes.txt"},
}

// TestWhatIsPlainlySaidOfAnActionIsHeard reads sentences that refuse, ask or take back in plain words (-), and some that look like these and mean
// the action (+), before it, behind it and as its reason, in all languages.
func TestWhatIsPlainlySaidOfAnActionIsHeard(t *testing.T) {
	tools := nebulatest.Specs()
	for _, line := range rows(t, "plainly") {
		head, text, _ := strings.Cut(line, "|")
		mark, places, _ := strings.Cut(head, " ")
		for _, place := range strings.Split(places, "") {
			var wrong []string
			for _, l := range languages() {
				for _, deed := range plainDeeds {
					if runs(l.decode(besideDeed(l.Name(), place, deed, text, false), tools), tools) != (mark == "+") {
						command, _, _ := strings.Cut(deed[2], " @ ")
						wrong = append(wrong, l.Name()+command)
					}
				}
			}
			if len(wrong) > 0 {
				t.Errorf("%s %s %s: %v", mark, place, text, wrong)
			}
		}
	}
}
