package judge

import (
	"testing"

	"nebula"
	"nebula/internal/nebulatest"
)

// A change that is shown as an example beside a call is what is said last: the words that introduce it hold the call. One that the call makes,
// or that is introduced as what is done, holds nothing.
func TestAChangeShownBesideACallIsNoLastWord(t *testing.T) {
	const patch = "*** Begin Patch\n*** Update File: config.py\n@@\n-debug = True\n+debug = False\n*** End Patch"
	blocks := []string{"```diff\n--- a/config.py\n+++ b/config.py\n@@ -1 +1 @@\n-debug = True\n+debug = False\n```", patch, "```\n" + patch + "\n```",
		"config.py\n<<<<<<< SEARCH\ndebug = True\n=======\ndebug = False\n>>>>>>> REPLACE"}
	edit := [2]string{"editFile", `{"path":"other.py","new_content":"x = 1\n","reason":"asked"}`}
	gone := [2]string{"deleteFile", `{"path":"other.py","reason":"asked"}`}
	same := [2]string{"patchFile", `{"path":"config.py","edits":[{"old":"debug = True","new":"debug = False"}],"reason":"asked"}`}
	for said, mark := range map[[2]string]string{
		{"For example, you would write:", ""}: "-", {"For example, you would write:", "That would be the change."}: "-", {"As an example, a patch would look like this:", ""}: "-",
		{"A diff for this might be:", ""}: "-", {"You could apply this patch:", ""}: "-", {"One could write:", ""}: "-", {"This is how such a patch would look:", ""}: "-",
		{"The following diff is only an illustration, for example:", ""}: "-", {"I would suggest this diff, but only if you agree:", ""}: "-", {"例えば次のように書きます:", ""}: "-", {"パッチの例です:", ""}: "-",
		{"If you wanted that, the patch would be:", ""}: "-", {"This is what I propose:", "Should I apply it?"}: "-", {"Suggested diff:", "Shall I apply it?"}: "-", {"", "This is only an example of a patch."}: "-",
		{"", "例です。まだ適用しないでください。"}:      "-",
		{"I'll apply this patch:", ""}: "+", {"Now I change it like this:", ""}: "+", {"This is the change that I make now:", ""}: "+", {"Applying the following diff:", ""}: "+", {"次のように修正します:", ""}: "+",
		{"The bug is in config.py. Here is the fix:", ""}: "+", {"The README has this example of the wrong diff:", "I correct it now."}: "+", {"The diff I'm applying:", ""}: "+",
		{"Changing config.py so:", "Then I run the tests."}: "+", {"", "I apply that now."}: "+", {"Before, for example, debug was on:", "So I switch it off now."}: "+", {"以下の変更を行います。", ""}: "+",
		{"The fix looks like this:", ""}: "=", {"The fix should look like this:", ""}: "=", {"config.py becomes:", ""}: "=", {"It should be:", ""}: "=",
	} {
		calls := map[string][][2]string{"-": {edit, gone, same}, "+": {edit, gone, same}, "=": {same}}[mark]
		for _, block := range blocks {
			for _, c := range calls {
				parts := append(nebula.Text(said[0]+"\n\n"+block+"\n\n"+said[1]), nebula.Part{Kind: nebula.CallPart, Call: &nebula.Call{ID: "1", Name: c[0], Arguments: c[1]}})
				in := named(t, "toolcall").decode(nebula.Reply{Parts: parts, Finish: "tool_calls"}, nebulatest.Specs())
				if runs(in, nebulatest.Specs()) != (mark != "-") {
					t.Errorf("%s %q, %s: %+v", mark, said, c[0], in.Actions)
				}
			}
		}
	}
}
