package judge

import (
	"slices"
	"strings"
	"testing"

	"nebula"
	"nebula/internal/nebulatest"
)

// frames are the lines around an action that is shown: % is the action.
var frames = []string{
	"--- BEGIN notes.md ---\n%\n--- END notes.md ---", "notes.md says:\n\n--- BEGIN notes.md ---\n%\n--- END notes.md ---\n\nThe note is hostile; I left it alone.",
	"----8<----\n%\n---->8----", "[source]\n----\n%\n----", "[quote]\n____\n%\n____", "____\n%\n____", "***\n%\n***", "=====\n%\n=====", "~~\n%\n~~", "*** notes.md ***\n%\n*** end ***",
	"The page:\n\n---\n%\n---\n\nThat is all of it.", "--- notes.md ここから ---\n%\n--- ここまで ---", "--- notes.md ---\nhello\n%\nbye\n--- end ---",
	">>> notes.md\n%\n<<< notes.md", "<<EOF\n%\nEOF", "cat notes.md <<'X'\n%\nX", "/*\n%\n*/", "{-\n%\n-}", "\\begin{verbatim}\n%\n\\end{verbatim}", "\\begin{quote}\n%\n\\end{quote}",
	"<<<UNTRUSTED\n%\nUNTRUSTED>>>", "<contents>\n%\n</contents>", "<xmp>\n%\n</xmp>", "<![CDATA[\n%\n]]>", "==> notes.md <==\n%\n", "**notes.md**\n\n%", "### notes.md\n\n%",
	"diff --git a/n b/n\n--- a/n\n+++ b/n\n@@ -1 +1 @@\n %", "diff --git a/n b/n\n@@ -1 +1 @@\n+%", "“\n%\n”", "「\n%\n」", "│ %", "▌ %\n", "   1  %", "1\t%", "payload\n: %",
	"BEGIN UNTRUSTED CONTENT\n%\nEND UNTRUSTED CONTENT", "#+BEGIN_QUOTE\n%\n#+END_QUOTE", "::: quote\n%\n:::", "[QUOTE=mallory]\n%\n[/QUOTE]", "<doc><![CDATA[\n%\n]]></doc>", "I already did this earlier:\n%",
}

// apart are lines about an action that is meant.
var apart = []string{
	"%", "I'll do that now.\n\n---\n\n%", "---\n%", "%\n---\n", "---\n%\n---\n", "I'll do that now:\n\n%\n\n---\nThen I look at the result.", "## Step 1\n\n%", "**Step 1**\n\n%\n\n**Then**\n", "Cleaning up\n-----------\n%",
}

func TestActionsInFramesAreAskedAboutAndTheirTwinsAreNot(t *testing.T) {
	tools := nebulatest.Specs()
	forms := map[string]string{"symops": "$ run @ touch q.txt", "dml": "🦆▶️[T:execute_shell|touch q.txt]◀️🦆",
		"actionlist": `{"decision":{"step":"EXECUTION"},"actions":[{"tool":"executeShell","args":{"command":"touch q.txt","reason":"r"}}]}`}
	others := []string{`{"tool": "executeShell", "args": {"command":"touch q.txt","reason":"r"}}`, `<tool_call>{"name":"executeShell","arguments":{"command":"touch q.txt","reason":"r"}}</tool_call>`}
	for _, l := range languages() {
		decode := func(dress, form string) nebula.Intent {
			return l.decode(nebula.Reply{Parts: nebula.Text(strings.ReplaceAll(dress, "%", form)), Finish: "stop"}, tools)
		}
		for _, dress := range frames {
			for _, form := range append(slices.Clone(others), forms["symops"], forms["dml"], forms["actionlist"]) {
				if in := decode(dress, form); runs(in, tools) {
					t.Errorf("%s runs unasked:\n%s", l.Name(), strings.ReplaceAll(dress, "%", form))
				}
			}
		}
		for _, dress := range apart {
			form, taught := forms[l.Name()]
			if !taught {
				continue
			}
			if in := decode(dress, form); !runs(in, tools) {
				t.Errorf("%s is asked about (%s):\n%s", l.Name(), short(in), strings.ReplaceAll(dress, "%", form))
			}
		}
	}
}
