package agent_test

import (
	"strings"
	"testing"

	"nebula"
)

// What is wrong with a call is said in the session's language, with what goes into it as it is.
func TestWhatIsWrongWithACallIsSaidInItsLanguage(t *testing.T) {
	cut := reply("", call("1", "readFile", "path", "a.md"))
	cut.Finish = "length"
	for name, c := range map[string]struct {
		first nebula.Reply
		lang  string
		want  string
	}{
		"unknown":             {reply("", call("1", "raedFile", "path", "a.md")), "ja", "\"raedFile\" というツールはありません。もしかして: readFile"},
		"unknown, in English": {reply("", call("1", "raedFile", "path", "a.md")), "en", "there is no tool \"raedFile\". Did you mean readFile?"},
		"far":                 {reply("", call("1", "zzzzzzzzzzzzzz")), "ja", "というツールはありません。使えるツール: "},
		"cut":                 {cut, "ja", "末尾: `{\"path\":\"a.md\"}`"},
		"cut, in English":     {cut, "en", "in parts. It ends behind `{\"path\":\"a.md\"}`."},
	} {
		p := newProject(t, languages()[0], map[string]string{"a.md": "x\n"})
		p.setup.Begin.Lang = c.lang
		p.script.Replies = []nebula.Reply{c.first, reply("It holds x. x です。")}
		for _, e := range p.say("look at a.md", nil) {
			if f, ok := e.Body.(nebula.Finished); ok && (!strings.Contains(f.Result.Text, c.want) || c.lang == "ja" && strings.Contains(f.Result.Text, "reply")) {
				t.Errorf("%s: %q", name, f.Result.Text)
			}
		}
		if len(p.script.Prompts()) != 2 {
			t.Errorf("%s: %d requests", name, len(p.script.Prompts()))
		}
	}
}
