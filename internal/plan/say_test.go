package plan

import (
	"testing"

	"nebula"
	"nebula/internal/nebulatest"
)

// TestEveryCodeIsSaidInEveryLanguage with the same arguments; why a step failed is said in its plan's sentence.
func TestEveryCodeIsSaidInEveryLanguage(t *testing.T) {
	nebulatest.TestWords(t, "plan", inEnglish)
	for code, want := range map[nebula.Code]string{
		nebula.NewCode(StepTokens, "s1", "120", "100"):                   "ステップ s1 が 120 トークンを使いました（上限 100）",
		nebula.NewCode(StepFailed, "s1", "failed"):                       "ステップ s1: 失敗",
		nebula.NewCode(StepFailed, "s1", Refused, "rm", "no, \x1fnever"): "ステップ s1: rm は拒否されました: no, \x1fnever",
		nebula.NewCode(StepFailed, "s1", "the disk is full now"):         "ステップ s1: the disk is full now",
		"no step can run": "no step can run", // from a record of before
	} {
		if got := Say(code, "ja"); got != want {
			t.Errorf("%q is said as %q", code, got)
		}
	}
}

// What a step came to is recorded as codes and said in the language of who reads it; a report from before has its own sentences.
func TestReportsAreSaidInTheReadersLanguage(t *testing.T) {
	failed := nebula.Report{Status: nebula.StageFailed, Succeeded: 1, Cause: nebula.NewCode(Absent, "a.go"), Facts: []nebula.Code{
		nebula.NewCode(StepTasks, "build", "1", "2"), nebula.NewCode(WithoutIt, string(nebula.NewCode(Refused, "rm", "no"))), nebula.NewCode(InItsCopy, "/copy")}}
	done := nebula.Report{Status: nebula.Completed, Said: "I built it.", Facts: []nebula.Code{nebula.NewCode(StepVerified, "build", "2", "2", "tests", "3 passed")}}
	for _, c := range []struct {
		r        nebula.Report
		lang, is string
	}{
		{failed, "en", "1 of 2 tasks succeeded: a.go does not exist\nrefused, and not checked: rm was refused: no\nwhat it did is not in the folder, it stands in its copy of it: /copy"},
		{failed, "ja", "2 件のタスクのうち 1 件が成功しました: a.go がありません\n許可されず、未確認: rm は拒否されました: no\n行った変更はフォルダーにはなく、そのコピーにあります: /copy"},
		{done, "en", "I built it.\n2 of 2 tasks succeeded; verified by tests: 3 passed"},
		{nebula.Report{Status: nebula.StageFailed, Cause: "cancelled"}, "ja", "中止"},
		{nebula.Report{Status: nebula.StageFailed, Cause: nebula.NewCode(Absent, "a.go"), Facts: []nebula.Code{nebula.NewCode(StepTasks, "build", "0", "0"), nebula.NewCode(InItsCopy, "/copy")}}, "en",
			"a.go does not exist\nwhat it did is not in the folder, it stands in its copy of it: /copy"},
		{nebula.Report{Summary: "build: 2 of 2 tasks succeeded"}, "ja", "build: 2 of 2 tasks succeeded"},
	} {
		if got := Account(c.r, c.lang); got != c.is {
			t.Errorf("%s: %q", c.lang, got)
		}
	}
}
