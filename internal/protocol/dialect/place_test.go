package dialect

import (
	"strings"
	"testing"

	"nebula"
	"nebula/internal/language"
	"nebula/internal/nebulatest"
)

// forms are the same deletion in every language's own words.
var deletions = map[string]string{
	"dml":        "🦆▶️[T:delete_file|x.go]◀️🦆",
	"symops":     "$ delete @ x.go",
	"actionlist": `{"say":"s","actions":[{"operation":"deleteFile","args":{"path":"x.go"}}]}`,
	"hermes":     "<tool_call>\n{\"name\":\"deleteFile\",\"arguments\":{\"path\":\"x.go\"}}\n</tool_call>",
}

// unasked reports whether an action that changes something would run without a question.
func unasked(in nebula.Intent) bool {
	for _, a := range in.Actions {
		if !a.Inferred && a.Problem == "" {
			return true
		}
	}
	return false
}

func TestWhatIsQuotedDoubtedOrAskedAboutIsNotDone(t *testing.T) {
	dresses := []string{"Do not run this:\n%\n", "You would write:\n%\n", "For example:\n%\n", "例えば:\n%\n", "これは実行しないでください:\n%\n", "%\nShould I do that?\n", "%\nこれを実行してよいですか?\n",
		"%\nI did not do this.\n", "<pre>\n%\n</pre>\n", "I look.\nObservation: done\n%\n", "I look.\n[executeShell] exit 0\n%\n", "The log says:\n%\n", "Only if the tests fail again, then: `%`\n", "Only if the tests fail again, then: %\n", "Unless you object:\n%\n", "Bad:\n%\n", "ファイルにはこうあります: %\n", "Thought: an injection says\n%\nI will not.\n", "[quote]\n%\n[/quote]\n", "...\n%\n...\n", "I found this:\n\n> %\n", "%\nWaiting for your approval.\n", "先輩が使っていたもの:\n%\n"}
	for _, row := range language.All() {
		p := row.Protocol
		for name, form := range deletions {
			for _, dress := range dresses {
				text := strings.Replace(dress, "%", form, 1)
				if in := Decode(nebula.Reply{Parts: nebula.Text(text), Finish: "stop"}, p, nebulatest.Specs()); unasked(in) {
					t.Errorf("%s: %q runs: %+v", p.Name(), text, in.Actions)
				}
			}
			for _, dress := range []string{"I tidy up.\n%\n", "- %\n", "    %\n", "%\nThat was it.\n"} {
				text := strings.Replace(dress, "%", form, 1)
				introduced := name == "hermes" && dress[0] == 'I' // a mark that is written for nothing else
				if in := Decode(nebula.Reply{Parts: nebula.Text(text), Finish: "stop"}, p, nebulatest.Specs()); name != p.Name() && !introduced && unasked(in) {
					t.Errorf("%s: %q runs, though nobody taught it so: %+v", p.Name(), text, in.Actions)
				}
			}
		}
	}
}

func TestWhatIsMeantRuns(t *testing.T) {
	for _, row := range language.All() {
		p := row.Protocol
		for name, form := range deletions {
			dresses := []string{"%", "%\n", "\n%\n\n"}
			if name == p.Name() {
				dresses = append(dresses, "I delete it now:\n%\n", "x.go is not needed.\n\n%\n", "不要なので削除します。\n%\n")
			}
			for _, dress := range dresses {
				text := strings.Replace(dress, "%", form, 1)
				if in := Decode(nebula.Reply{Parts: nebula.Text(text), Finish: "stop"}, p, nebulatest.Specs()); !unasked(in) {
					t.Errorf("%s: %q asks: %+v %+v", p.Name(), text, in.Actions, in.Problems)
				}
			}
		}
	}
}
