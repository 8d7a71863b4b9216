package judge

import (
	"strings"
	"testing"

	"nebula"
)

// changesWritten are ways to write one change of a.py, % being what is there now, as other programs teach them.
var changesWritten = map[string]string{
	"aider":          "a.py\n```python\n<<<<<<< SEARCH\n%\n=======\nx = 2\n>>>>>>> REPLACE\n```\n",
	"aider, inside":  "```python\na.py\n<<<<<<< SEARCH\n%\n=======\nx = 2\n>>>>>>> REPLACE\n```\n",
	"aider, bare":    "**a.py**\n<<<<<<< SEARCH\n%\n=======\nx = 2\n>>>>>>> REPLACE\n",
	"aider, eight":   "a.py\n<<<<<<<< SEARCH\n%\n========\nx = 2\n>>>>>>>> REPLACE\n",
	"Cline":          "<replace_in_file>\n<path>a.py</path>\n<diff>\n------- SEARCH\n%\n=======\nx = 2\n+++++++ REPLACE\n</diff>\n</replace_in_file>\n",
	"Roo":            "<apply_diff>\n<path>a.py</path>\n<diff>\n<<<<<<< SEARCH\n:start_line:1\n-------\n%\n=======\nx = 2\n>>>>>>> REPLACE\n</diff>\n</apply_diff>\n",
	"diff":           "--- a/a.py\n+++ b/a.py\n@@ -1,2 +1,2 @@\n-%\n+x = 2\n y = 3\n",
	"diff, in block": "```diff\n--- a.py\t2026-01-01\n+++ a.py\t2026-01-02\n@@ -1,2 +1,2 @@\n-%\n+x = 2\n y = 3\n```\n",
	"git":            "diff --git a/a.py b/a.py\nindex 1a2b3c4..5d6e7f8 100644\n--- a/a.py\n+++ b/a.py\n@@ -1,2 +1,2 @@\n-%\n+x = 2\n y = 3\n",
}

// TestAReplyThatIsOnlyAChangeIsThatChange lets sessions with every protocol answer with nothing but a change: it is made where its old text is
// there, sent back where it is not, and beside words that show it nobody makes it unasked.
func TestAReplyThatIsOnlyAChangeIsThatChange(t *testing.T) {
	const before = "x = 1\ny = 3\n"
	s := store(t)
	done := nebula.Reply{Parts: nebula.Text("That is all."), Finish: "stop"}
	for _, l := range languages() {
		for name, form := range changesWritten {
			for reply, want := range map[string]string{
				strings.ReplaceAll(form, "%", "x = 1"):                                          "x = 2\ny = 3\n",
				strings.ReplaceAll(form, "%", "x = 7"):                                          before,
				"This is what it would look like:\n\n" + strings.ReplaceAll(form, "%", "x = 1"): before,
				strings.ReplaceAll(form, "%", "x = 1") + "\nShall I apply it?":                  before,
			} {
				p := newProject(t, s, l, map[string]string{"a.py": before}, false)
				p.know()
				p.script.Replies = append(p.script.Replies, nebula.Reply{Parts: nebula.Text(reply), Finish: "stop"}, done, done, done, done)
				events := p.say("go on")
				if got := p.files()["a.py"]; got != want {
					t.Errorf("%s, %s: %q became %q", l.Name(), name, reply, got)
				}
				if strings.Contains(reply, "x = 7") && !questioned(nebula.Intent{}, events) {
					t.Errorf("%s, %s: %q is neither sent back nor asked about", l.Name(), name, reply)
				}
				p.close()
			}
		}
	}
}

// TestOnlyWholeChangesAreRead holds what only looks like a change to what it is.
func TestOnlyWholeChangesAreRead(t *testing.T) {
	pair := "<<<<<<< SEARCH\nx = 1\n=======\nx = 2\n>>>>>>> REPLACE\n"
	for reply, actions := range map[string]int{
		"a.py\n" + pair + pair:                                      1,
		"a.py\n" + pair + "\nb.py\n" + pair:                         2,
		"new.py\n<<<<<<< SEARCH\n=======\nx = 2\n>>>>>>> REPLACE\n": 1,
		pair:                            0, // of which file
		"a.py\n<<<<<<< SEARCH\nx = 1\n": 0,
		"--- a/a.py\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n": 0,
		"a.py\nb.py\n" + pair:                            0,
		"--- a/a.py\n+++ b/a.py\n":                       0,
		"a.py\n\n1. first\n2. second\n=====\n":           0,
	} {
		in := named(t, "toolcall").decode(nebula.Reply{Parts: nebula.Text(reply), Finish: "stop"}, newProject(t, store(t), named(t, "toolcall"), nil, false).specs)
		sure := 0
		for _, a := range in.Actions {
			if !a.Inferred && a.Problem == "" {
				sure++
			}
		}
		if sure != actions {
			t.Errorf("%q: %d, want %d: %s", reply, sure, actions, short(in))
		}
	}
}
