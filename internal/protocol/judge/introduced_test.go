package judge

import (
	"fmt"
	"testing"

	"nebula"
	"nebula/internal/nebulatest"
)

// TestLabelsAndIntroductionsLetACallThrough reads a whole answer, and a call as a model family prints it, behind words that announce it, and behind
// words that show, quote or put it off.
func TestLabelsAndIntroductionsLetACallThrough(t *testing.T) {
	forms := map[string]string{"symops": "$ run @ touch q.txt", "dml": "🦆▶️[T:execute_shell|touch q.txt]◀️🦆",
		"actionlist": `{"rationale":"work","step":"EXECUTION","next_step":"continue","say":"","actions":[{"operation":"executeShell","args":{"command":"touch q.txt"},"reasoning":"r"}]}`,
		"toolcall":   `<tool_call>{"name":"executeShell","arguments":{"command":"touch q.txt","reason":"r"}}</tool_call>`}
	read := func(above, below, language, form string) bool {
		in := named(t, language).decode(nebula.Reply{Parts: nebula.Text(above + "\n\n" + form + below), Finish: "stop"}, nebulatest.Specs())
		return runs(in, nebulatest.Specs())
	}
	for _, label := range []string{
		"以下が回答です:", "以下が回答です。", "回答:", "**回答**", "回答は次のとおりです:", "以下が私の回答です:", "こちらが回答になります。", "以下に回答します。", "Here is my answer:", "Answer:", "My final answer is below:", "Sure! Here is the JSON:", "Sure! Here is the JSON you asked for:", "Klar, hier ist die Antwort:", "Claro, aquí está la respuesta:", "네, 여기 있습니다:", "好的，以下是我的回答：", "Bien sûr, voici la réponse :",
	} {
		for language, form := range forms {
			if !read(label, "", language, form) || language == "actionlist" && !read(label+"\n```json", "\n```", language, form) {
				t.Errorf("%s asks behind %q", language, label)
			}
		}
	}
	for above, through := range map[string]bool{
		"I'll create the file.": true, "The file is missing. Creating it.": true, "Let me create q.txt so that the next step has it.": true, "I don't see q.txt here, so I make it.": true, "ファイルを作成します。": true,
		"ないので作ります。": true, "First I thought of a link, but a file is simpler.": true, "Next step:": true, "Next I make the missing file.": true, "Unlike README.md, which I won't touch, q.txt is missing. Creating it:": true, "Sure! Here is an example of what you asked for:": false, "Klar, hier ist ein Beispiel:": false, "q.txt is needed by the build.": true,
		"Tidy:": false, "The log has:": false, "For example:": false, "This is how it is written.": false, "次の記述があります。": false, "I do it once you agree.": false, "I found the following in the notes.": false, "Would this be right?": false,
		"Someone could write:": false, "書き方の例です。": false, "承認をいただいてから実行します。": false,
	} {
		for _, l := range languages() {
			for i, dress := range []string{"%s", "- %s", "    %s", "> %s", "```\n%s\n```"} {
				if runs := read(above, "", l.Name(), fmt.Sprintf(dress, forms["toolcall"])); runs && (!through || i == 3) || !runs && through && i == 0 {
					t.Errorf("%s behind %q, dress %d: runs %v", l.Name(), above, i, runs)
				}
			}
		}
	}
	for below, through := range map[string]bool{"\nThen I look at the result.": true, "\nI'll report when it is done.": true, "\nShould I do that?": false, "\nThe file holds the answer.": false, "\nThat is only an example.": false} {
		if read("I'll create the file.", below, "symops", forms["toolcall"]) != through {
			t.Errorf("followed by %q: runs %v", below, !through)
		}
	}
}
