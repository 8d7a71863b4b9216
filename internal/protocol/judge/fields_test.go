package judge

import (
	"encoding/json"
	"fmt"
	"testing"

	"nebula"
	"nebula/internal/nebulatest"
)

// TestAReplyThatSaysItIsAgainstTheRulesIsNotCarriedOut reads a deletion whose own fields say that it breaks a rule, strays from the goal or is asked about
// (-), and fields that only look like these (+).
func TestAReplyThatSaysItIsAgainstTheRulesIsNotCarriedOut(t *testing.T) {
	read := func(name string, value any) bool {
		document := map[string]any{"rationale": "work", "goal_consistency": "ok", "constraint_check": "ok", "step": "EXECUTION", "next_step": "continue", "say": "",
			"actions": []any{map[string]any{"operation": "deleteFile", "args": map[string]any{"path": "notes.txt"}, "reasoning": "obsolete"}}}
		document[name] = value
		b, _ := json.Marshal(document) // strings always marshal
		return runs(named(t, "actionlist").decode(nebula.Reply{Parts: nebula.Text(string(b)), Finish: "stop"}, nebulatest.Specs()), nebulatest.Specs())
	}
	for _, answer := range []string{
		"no: the person said that notes.txt must be kept", "No, notes.txt was to be kept.", "no - it was forbidden", "No.", "fails: notes.txt is protected", "violates the rule that notes.txt stays", "Violated: keep notes.txt",
		"not allowed: the person wants it kept", "doubtful: nobody asked for it", "Doubt: the person said to keep it", "inconsistent with the goal", "いいえ。notes.txt は残すように言われています", "いいえ、目的に合いません", "制約に違反しています", "目的と矛盾します",
		"nein: die Datei soll bleiben", "non : le fichier doit rester", "아니요, 파일은 남겨야 합니다", "否：文件应保留", "违反规则",
		"no: nothing asks for it", "no: no one asked", "no: nothing to do with the goal", "no: none of this was asked",
	} {
		for _, field := range []string{"goal_consistency", "constraint_check"} {
			if read(field, answer) {
				t.Errorf("runs though %s is %q", field, answer)
			}
		}
	}
	for _, answer := range []string{
		"yes", "ok", "none", "None.", "n/a", "no constraint is violated", "No constraints apply", "no conflict", "No: nothing is violated", "no, no rule forbids it", "No, this does not violate anything", "not applicable", "no violations", "passes", "notes only",
		"はい", "問題なし", "違反なし", "違反はありません", "矛盾しない", "なし", "制約に違反しません", "不违反任何规则", "没有违反", "위반 없음",
	} {
		for _, field := range []string{"goal_consistency", "constraint_check"} {
			if !read(field, answer) {
				t.Errorf("asks where %s is %q", field, answer)
			}
		}
	}
	for text, through := range map[string]bool{"I will not delete notes.txt": false, "notes.txt は削除しません": false, "notes.txt is obsolete": true, "notes.txt is not used any more, so it goes.": true, "I delete notes.txt and do not touch README.md": true, "The person asked to delete notes.txt, but not README.md": true} {
		if read("rationale", text) != through {
			t.Errorf("runs %v where the rationale is %q", !through, text)
		}
	}
	for text, through := range map[string]bool{"May I delete notes.txt?": false, "Should I delete notes.txt?": false, "notes.txt を削除してもよいですか？": false, "Which license should the project have?": true, "何色にしますか？": true, "Do the tests cover Windows?": true} {
		if read("state_delta", map[string]any{"open_questions": []string{text}}) != through {
			t.Errorf("runs %v where the open question is %q", !through, text)
		}
	}
	for _, reason := range []string{"Doubt: the person said to keep it", "no: it must be kept", "疑問：残すように言われている", "いいえ：残すべきです"} {
		for _, l := range languages() {
			for _, deed := range plainDeeds {
				if runs(l.decode(besideDeed(l.Name(), "R", deed, reason, false), nebulatest.Specs()), nebulatest.Specs()) {
					t.Error(fmt.Sprint(l.Name(), ": ", deed[2], " runs with the reason ", reason))
				}
			}
		}
	}
}
