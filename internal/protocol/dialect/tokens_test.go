package dialect

import (
	"strings"
	"testing"

	"nebula"
	"nebula/internal/language"
	"nebula/internal/nebulatest"
)

// TestTokensInOtherLettersAreCallsToo reads a family's calls whose tokens came through with the bars and blanks that keyboards have, whole and
// torn: they are read, or asked for again, and no answer.
func TestTokensInOtherLettersAreCallsToo(t *testing.T) {
	const begins, begin, sep, end, ends = "<｜tool▁calls▁begin｜>", "<｜tool▁call▁begin｜>", "<｜tool▁sep｜>", "<｜tool▁call▁end｜>", "<｜tool▁calls▁end｜>"
	for _, letters := range []*strings.Replacer{strings.NewReplacer(), strings.NewReplacer("｜", "|"), strings.NewReplacer("▁", "_"), strings.NewReplacer("｜", "|", "▁", "_"), strings.NewReplacer("｜", "|", "▁", " "), strings.NewReplacer("▁", " ")} {
		for text, reads := range map[string]bool{
			begins + begin + "function" + sep + "readFile\n```json\n{\"path\":\"a\"}\n```" + end + ends:      true,
			begins + "\n" + begin + "readFile" + sep + "{\"path\":\"a\"}" + end + "\n" + ends:                true,
			begin + "function" + sep + "readFile\n```json\n{\"path\":\"a\"}\n```" + end:                      true,
			"I read it.\n\n" + begins + begin + "readFile" + sep + "{\"path\":\"a\"}" + end + ends:           true,
			begins + begin + "function" + sep + "readFile\n```json\n{\"path\":\"a\"":                         false,
			begins + "function" + sep + "readFile\n```json\n{\"path\":\"a\"}\n```" + ends:                    false,
			begins + "\n{\"name\":\"readFile\"":                                                              false,
			"The fix is clear.\n" + begins + begin + "function" + sep + "deleteFile\n```json\n{\"path\":\"a": false,
		} {
			text = letters.Replace(text)
			for _, row := range language.All() {
				in := Decode(nebula.Reply{Parts: nebula.Text(text), Finish: "stop"}, row.Protocol, nebulatest.Specs())
				ran := len(in.Actions) == 1 && in.Actions[0].Problem == "" && in.Actions[0].Tool == "readFile"
				if reads && !ran || len(in.Actions)+len(in.Problems) == 0 || !reads && len(in.Actions) > 0 && in.Actions[0].Problem == "" && in.Actions[0].Tool != "readFile" {
					t.Errorf("%s: %q is %+v, problems %+v", row.Name(), text, in.Actions, in.Problems)
				}
			}
		}
	}
}

// TestACallsOwnDoubtsAreHeardBesideItsArguments reads a doubt among a call's arguments, beside them, and as a line of its reason.
func TestACallsOwnDoubtsAreHeardBesideItsArguments(t *testing.T) {
	for _, doubt := range []string{`"goal_consistency":"no: it was not asked for"`, `"constraint_check":"no: it touches a file outside of the task"`, `"goalConsistency":"no"`, `"constraint_check":["yes: small","no"]`,
		`"goal_consistency":"no: nothing asks for it"`, `"goal_consistency":"いいえ：残すように言われています"`, `"constraint_check":"no: none of this was asked"`, `"goal_consistency":"violates the wish to keep it"`} {
		for _, text := range []string{
			`{"actions":[{"operation":"deleteFile","args":{"path":"a.txt"},` + doubt + `}]}`,
			`{"actions":[{"operation":"deleteFile","args":{"path":"a.txt",` + doubt + `}}]}`,
			`{"operation":"deleteFile","args":{"path":"a.txt"},` + doubt + `}`,
			`<tool_call>{"name":"deleteFile","arguments":{"path":"a.txt"},` + doubt + `}</tool_call>`,
			`<tool_call>{"name":"deleteFile","arguments":{"path":"a.txt",` + doubt + `}}</tool_call>`,
			`🦆▶️[T:deleteFile|{"path":"a.txt",` + doubt + `}]◀️🦆`,
		} {
			for _, row := range language.All() {
				in := Decode(nebula.Reply{Parts: nebula.Text(text), Finish: "stop"}, row.Protocol, nebulatest.Specs())
				for _, a := range in.Actions {
					if a.Problem == "" && (a.Points == nil || len(a.Points.Doubts) != 1) && (in.Decision == nil || len(in.Decision.Doubts()) == 0) {
						t.Errorf("%s: %s has no doubt: %+v", row.Name(), text, a)
					}
				}
				if len(in.Actions)+len(in.Problems) == 0 {
					t.Errorf("%s: %s is an answer", row.Name(), text)
				}
			}
		}
	}
	in := Decode(nebula.Reply{Parts: nebula.Text(`{"actions":[{"operation":"deleteFile","args":{"path":"a.txt"},"constraint_check":"no, it breaks the rule about this file"}]}`), Finish: "stop"}, mustNamed(t, "actionlist"), nebulatest.Specs())
	if len(in.Actions) != 1 || !in.Actions[0].Inferred {
		t.Errorf("a broken rule does not hold: %+v", in.Actions)
	}
}

func mustNamed(t *testing.T, name string) nebula.Protocol {
	t.Helper()
	row, ok := language.Named(name)
	if !ok {
		t.Fatal(name)
	}
	return row.Protocol
}
