package judge

import (
	"strings"
	"testing"

	"nebula"
	"nebula/internal/nebulatest"
)

// meantDeeds are by the letters that the rows of meant.txt have.
var meantDeeds = map[rune][4]string{
	'd': plainDeeds[0], 'e': plainDeeds[1],
	'f': {"writeFile", `{"path":"ran.txt","content":"yes\n"}`, "$ create @ ran.txt\n--\nyes\n--", "T:create_file|ran.txt|yes\n"},
	'r': {"executeShell", `{"command":"echo yes > ran.txt"}`, "$ run @ echo yes > ran.txt", "T:execute_shell|echo yes > ran.txt"},
}

// TestWhatIsPutOffWaitsAndWhatIsMeantRuns reads sentences that put an action off or take it back (-), and some with their words that mean it (+), in
// all languages.
func TestWhatIsPutOffWaitsAndWhatIsMeantRuns(t *testing.T) {
	tools := nebulatest.Specs()
	for _, line := range rows(t, "meant") {
		head, text, _ := strings.Cut(line, "|")
		f := strings.Fields(head)
		var wrong []string
		for _, l := range languages() {
			for _, deed := range f[2] {
				for _, rationale := range []bool{false, l.Name() == "actionlist" && f[1] == "B"} {
					if in := l.decode(besideDeed(l.Name(), f[1], meantDeeds[deed], text, rationale), tools); runs(in, tools) != (f[0] == "+") {
						wrong = append(wrong, l.Name()+" "+string(deed))
					}
				}
			}
		}
		if len(wrong) > 0 {
			t.Errorf("%s %s: %v", head, text, wrong)
		}
	}
}

// TestADocumentInABlockIsShownUnlessAnnounced reads calls in a block of code or a sentence, in all languages: what is behind words that do it runs, what
// is behind words that describe it is shown.
func TestADocumentInABlockIsShownUnlessAnnounced(t *testing.T) {
	tools := nebulatest.Specs()
	write := `"args":{"path":"ran.txt","content":"yes\n"}`
	for _, call := range []string{`{"rationale":"work","say":"","actions":[{"operation":"writeFile",` + write + `}]}`, `{"actions":[{"operation":"writeFile",` + write + `}]}`, `{"name":"writeFile",` + write + `}`, `{"operation":"writeFile",` + write + `}`} {
		for dress, done := range map[string]bool{
			"Sure! % Done.": true, "Sure!\n%\nDone.": true, "Of course. %": true, "Certainly! %": true, "OK. %": true, "Got it. % Done.": true, "Understood.\n%": true, "承知しました。%": true, "% Done.": true, "%": true, "はい。\n%\n完了です。": true,
			"I'll create it now.\n```json\n%\n```": true, "Creating the file:\n```json\n%\n```": true, "```json\n%\n```": true, "ファイルを作成します。\n```json\n%\n```": true,
			"I'll describe it now.\n```json\n%\n```": false, "I'll describe it now.\n```\n%\n```\n": false, "I explain the call.\n```json\n%\n```": false, "The call looks like this:\n```json\n%\n```": false,
			"説明します。\n```json\n%\n```": false, "Here is how it is written:\n```json\n%\n```": false,
		} {
			for _, l := range languages() {
				reply := nebula.Reply{Parts: nebula.Text(strings.Replace(dress, "%", call, 1)), Finish: "stop"}
				if in := l.decode(reply, tools); runs(in, tools) != done {
					t.Errorf("%s %q %.30s: %s", l.Name(), dress, call, short(in))
				}
			}
		}
	}
}
