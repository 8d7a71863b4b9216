package symops

import (
	"testing"

	"nebula"
	"nebula/internal/nebulatest"
)

// What stands behind the @ of a tool that has no word of its own is read the way it is meant, in whichever of these ways.
func TestArgumentsBehindTheTarget(t *testing.T) {
	for text, want := range map[string]string{
		"$ searchInDirectory @ src Flags":                   `{"directory":"src","keyword":"Flags"}`,
		"$ searchInDirectory @ src | Flags":                 `{"directory":"src","keyword":"Flags"}`,
		"$ searchInDirectory @ src, Flags":                  `{"directory":"src","keyword":"Flags"}`,
		`$ searchInDirectory @ src "a | b"`:                 `{"directory":"src","keyword":"a | b"}`,
		"$ searchInDirectory @ keyword=Flags src":           `{"directory":"src","keyword":"Flags"}`,
		"$ searchInDirectory @ src keyword=all flags":       `{"directory":"src","keyword":"all flags"}`,
		"$ searchInDirectory @ directory=src keyword='a b'": `{"directory":"src","keyword":"a b"}`,
		"$ readFile @ a.go 10 20":                           `{"path":"a.go","offset":10,"limit":20}`,
		"$ readFile @ a.go offset=10":                       `{"path":"a.go","offset":10}`,
		"$ readFile @ chapter 10":                           `{"path":"chapter 10"}`,
		"$ list @ ./src true":                               `{"path":"./src","recursive":true}`,
		"$ updateState @ goal=write the parser":             `{"goal":"write the parser"}`,
	} {
		in := Protocol{}.Decode(nebula.Reply{Text: text, Finish: "stop"}, nebulatest.Specs())
		if len(in.Actions) != 1 || in.Actions[0].Problem != "" || string(in.Actions[0].Args) != want {
			t.Errorf("%s\n got %+v\nwant %s", text, in.Actions, want)
		}
	}
}

func TestQuestionsAreAskedWithoutQuotationMarks(t *testing.T) {
	for text, want := range map[string]string{
		`? "Which one?"`: "Which one?", "? 「どちらですか」": "どちらですか", "? Which one?": "Which one?", `? Is "a" or "b" right?`: `Is "a" or "b" right?`,
	} {
		in := Protocol{}.Decode(nebula.Reply{Text: text, Finish: "stop"}, nebulatest.Specs())
		if len(in.Questions) != 1 || in.Questions[0].Text != want {
			t.Errorf("%s asks %+v", text, in.Questions)
		}
	}
}
