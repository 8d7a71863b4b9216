package gate

import (
	"strings"
	"testing"
	"unicode"

	"nebula"
)

func japanese(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool { return unicode.In(r, unicode.Hiragana, unicode.Han, unicode.Katakana) })
}

// Every reason that a verdict can have has its words in both languages.
func TestReasonsAreSaidInBothLanguages(t *testing.T) {
	write := nebula.Proposal{Effect: nebula.Write, Targets: []nebula.Target{{Path: "a.go", Kind: "edit"}}}
	remove := nebula.Proposal{Effect: nebula.Write, Targets: []nebula.Target{{Path: "a.go", Kind: "delete"}}}
	guessed := write
	guessed.Action.Inferred = true
	ruled := map[string]bool{}
	for _, p := range []nebula.Proposal{write, remove, guessed, {Effect: nebula.Execute, Command: "make"}, {Effect: nebula.Read}, {Effect: nebula.Ask}, {Effect: "other"},
		noted("a note"), noted("password: hunter2hunter2")} {
		for _, mode := range []nebula.Mode{nebula.PlanMode, nebula.AgentMode} {
			for _, choice := range Choices() {
				approve := Approve(choice)
				for _, doubts := range [][]string{nil, {"the model says that it does not fit the goal", "the model says that it breaks a constraint"}} {
					for _, approved := range []map[string]bool{nil, {p.Key(): true}} {
						v := Judge(Rules{Mode: mode, Approve: approve, Doubts: doubts, Approved: approved}, p)
						ruled[v.Why] = true
						for _, r := range v.Risks {
							ruled[r] = true
						}
					}
				}
			}
		}
	}
	for why := range ruled {
		if Said(why, "en") != why {
			t.Errorf("%q is changed in English", why)
		}
		if ja := Said(why, "ja"); !japanese(ja) && !strings.HasPrefix(why, "--approve") {
			t.Errorf("no Japanese for %q", why)
		} else if strings.Contains(strings.ReplaceAll(ja, "plan", ""), "the ") || strings.Contains(ja, "is ") {
			t.Errorf("%q is half English", ja)
		}
	}
	if len(ruled) < 14 {
		t.Errorf("only %d reasons", len(ruled))
	}
}

// TestNobodyIsThereInASentence is said as one, not as two that are set side by side.
func TestNobodyIsThereInASentence(t *testing.T) {
	if got, want := Said("it runs a command, and nobody is there to allow it", "ja"), "コマンドを実行しますが、許可できる人がいません"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
