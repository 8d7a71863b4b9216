package gate

import (
	"strings"
	"testing"
	"unicode"

	"nebula"
	"nebula/internal/nebulatest"
	"nebula/internal/phrase"
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
	ruled := map[nebula.Code]bool{}
	for _, p := range []nebula.Proposal{write, remove, guessed, {Effect: nebula.Execute, Command: "make"}, {Effect: nebula.Read}, {Effect: nebula.Ask}, {Effect: "other"},
		noted("a note"), noted("password: hunter2hunter2")} {
		for _, mode := range []nebula.Mode{nebula.PlanMode, nebula.AgentMode} {
			for _, choice := range Choices() {
				approve := Approve(choice)
				for _, doubts := range [][]nebula.Code{nil, {"doubts_goal"}, {"doubts_goal", "doubts_constraint"}} {
					for _, approved := range []map[string]int64{nil, {p.Key(): 1}} {
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
	for code := range ruled {
		for _, lang := range phrase.Langs() {
			if text, known := say(code, lang); !known || text == "" {
				t.Errorf("%q is not said in %s", code, lang)
			}
		}
	}
	if len(ruled) < 14 {
		t.Errorf("only %d reasons", len(ruled))
	}
}

// Every language says every code, with the same arguments, in its own words; and every danger and policy is among them.
func TestCataloguesAreWhole(t *testing.T) {
	nebulatest.TestWords(t, "gate", inEnglish())
	for id := range inEnglish() {
		said, _ := phrase.Say("ja", "gate", inEnglish(), nebula.Code(id))
		if !japanese(said) && !strings.HasPrefix(said, "--") && !strings.HasPrefix(said, "+") {
			t.Errorf("%q is no Japanese", said)
		}
	}
	for _, r := range rows {
		if inEnglish()[string(r.danger)] == "" {
			t.Errorf("the danger %q is not said", r.danger)
		}
	}
}

// What records from before codes hold is a sentence, and stays as it is; a file's name that is a code's too is no code.
func TestWhatIsNoCodeIsItsOwnWords(t *testing.T) {
	old := nebula.Verdict{Why: "it runs a command, and nobody is there to allow it", Missing: true, Risks: []nebula.Code{"deletes a file"}}
	if got := Why(old, "ja"); got != string(old.Why) {
		t.Errorf("%q", got)
	}
	if got := SayAll(old.Risks, "ja"); len(got) != 1 || got[0] != "deletes a file" {
		t.Errorf("%q", got)
	}
	if got := Say(nebula.NewCode("beside_step", "step_1", "question, 100%d"), "en"); got != "not among the files of step step_1: question, 100%d" {
		t.Errorf("%q", got)
	}
}

// Whatever goes into a sentence is said whole, at its end and in no other place: what stands between the arguments of a code too.
func TestAnArgumentMayHoldAnything(t *testing.T) {
	p := nebula.Proposal{Action: nebula.Action{Tool: "w"}, Effect: nebula.Write, Targets: []nebula.Target{{Path: "a\x1fb 100%", Kind: "edit"}}}
	if got := Say(matches(p, nil), "en"); got != "always = every further w of a\x1fb 100% until nebula ends, whatever it writes" {
		t.Errorf("%q", got)
	}
}

// TestNobodyIsThereInASentence is said as one, not as two that are set side by side.
func TestNobodyIsThereInASentence(t *testing.T) {
	if got, want := Why(nebula.Verdict{Why: "runs_command", Missing: true}, "ja"), "コマンドを実行しますが、許可できる人がいません"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
