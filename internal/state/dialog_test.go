package state

import (
	"fmt"
	"strings"
	"testing"

	"nebula"
)

func TestRulesOfDialogueAreChecked(t *testing.T) {
	long := strings.Repeat("This is how it is done in this project, and why. ", 40)
	questions := func(of ...nebula.Question) []nebula.Question { return of }
	for name, c := range map[string]struct {
		in    nebula.Intent
		stuck bool
		want  string
	}{
		"one question":          {nebula.Intent{Questions: questions(nebula.Question{Text: "A or B?", Options: []string{"A", "B"}})}, false, "[]"},
		"two questions":         {nebula.Intent{Questions: questions(nebula.Question{Text: "A?"}, nebula.Question{Text: "B?"})}, false, "[questions]"},
		"two in the text":       {nebula.Intent{Say: "Which name? And which folder?"}, false, "[questions]"},
		"two in Japanese":       {nebula.Intent{Say: "名前は何ですか？ 場所はどこですか？"}, false, "[questions]"},
		"one in the text":       {nebula.Intent{Say: "I chose Go. Is that right?"}, false, "[]"},
		"in code":               {nebula.Intent{Say: "```\nx ? a : b\nok?\nyes?\n```\nDone."}, false, "[]"},
		"a ternary":             {nebula.Intent{Say: "`a ?b` and `c?.d` and https://x/?q=1"}, false, "[]"},
		"work goes on":          {nebula.Intent{Say: "Why? How? I look.", Actions: []nebula.Action{{}}}, false, "[]"},
		"one option":            {nebula.Intent{Questions: questions(nebula.Question{Text: "A?", Options: []string{"A", " a "}})}, false, "[options]"},
		"long":                  {nebula.Intent{Say: long}, false, "[summary]"},
		"long with its summary": {nebula.Intent{Say: long + "\nSummary: it works. Next step: release."}, false, "[]"},
		"long in Japanese":      {nebula.Intent{Say: strings.Repeat("長い説明です。", 250)}, false, "[summary]"},
		"要約":                    {nebula.Intent{Say: strings.Repeat("長い説明です。", 250) + "\n要約: 完了。次の一手: 公開。"}, false, "[]"},
		"stuck, no first step":  {nebula.Intent{Say: "Go has goroutines."}, true, "[nudge]"},
		"stuck, with one":       {nebula.Intent{Say: "Goroutines are simple.\nStart with `go f()` in main."}, true, "[]"},
	} {
		if got := fmt.Sprint(Lapses(c.in, c.stuck)); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}

func TestOneQuestionIsAskedWithRealOptionsOnly(t *testing.T) {
	got := Polite([]nebula.Question{{Text: "A?", Options: []string{"x", "X "}}, {Text: "B?"}})
	if len(got) != 1 || got[0].Text != "A?" || got[0].Options != nil {
		t.Errorf("asked %v", got)
	}
	if Polite(nil) != nil {
		t.Error("asked out of nothing")
	}
}

func TestStuckIsWhatThePersonWrites(t *testing.T) {
	for text, want := range map[string]bool{
		"I'm stuck with the tests": true, "どうすればいいか困っています": true, "add a flag": false, "the process is stuck in a loop": false,
		"i don't know where to start": true, "わからなくなりました": true,
	} {
		if Stuck(text) != want {
			t.Errorf("%q: %v", text, !want)
		}
	}
}
