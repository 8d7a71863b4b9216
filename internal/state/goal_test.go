package state

import "testing"

func TestAnotherRequestIsToldFromAWordOnTheWork(t *testing.T) {
	const work = "give todos a priority\nTodoに優先度を付けて"
	for text, want := range map[string]bool{
		"translate the README into Japanese":      true,
		"Please write a parser for CSV files":     true,
		"could you fix the login page":            true,
		"READMEを日本語に訳して":                          true,
		"ログイン画面の不具合を直してください":                      true,
		"add a test for the priority of todos":    false, // of the same kind
		"the button should be blue and round":     false, // no order
		"make it blue instead of red":             false, // points back
		"use tabs for indentation everywhere":     false, // how, not what
		"never touch the generated files":         false,
		"write the notes to disk only when asked": false,
		"thanks, that looks very good to me":      false,
		"what does the scheduler do?":             false,
		"それを青にして":                                 false,
		"ボタンは青がいい":                                false,
		"優先度の一覧を出して":                              false,
		"続けて":                                     false,
	} {
		if got := Another(text, work); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

func TestAWordOnTheWorkIsNoRequest(t *testing.T) {
	for text, want := range map[string]bool{
		"thanks": false, "go on": false, "ありがとう": false, "ありがとうございます": false, "続けて": false, "直して": false, "目次を作って": true, "いいですね": false,
		"go on with it": false, "yes, please continue": false, "continue with the next step please": false, "please go ahead as planned": false,
		"その調子で続けてください": false, "それでお願いします": false, "計画のとおりに進めてください": false, "次のステップに進めてください": false,
		"do the same for the server": true, "continue with the parser": true, "go through all the files": true, "続けてテストも書いてください": true, "why does that happen?": true, "この計画を英語に訳して": true,
		"テストを直して": true, "READMEを訳して": true, "fix the login page": true, "what does main do?": true,
	} {
		if got := Asks(text); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

func TestWorkOfAnotherKindIsTold(t *testing.T) {
	for _, c := range []struct {
		before, goal string
		turns        bool
	}{
		{"what does add do?", "fix add for negative numbers", true},
		{"add は何をしていますか", "add の負の数の扱いを直して", true},
		{"explain how add works", "fix add for negative numbers", true},
		{"fix add for negative numbers", "document add in the README", true},
		{"add の不具合を直して", "add の説明をREADMEに書いて", true},
		{"fix add for negative numbers", "write a parser for CSV files", true},
		{"fix add for negative numbers", "fix add for large numbers", false},
		{"fix add for negative numbers", "why does add fail for zero?", false},
		{"fix add for negative numbers", "could you fix add for zero?", false},
		{"fix add for negative numbers", "find where add is called", false},
		{"the sum of negative numbers is broken", "fix the sum of large numbers", false},
		{"", "fix add for negative numbers", false},
	} {
		if got := Turns(c.goal, c.before); got != c.turns {
			t.Errorf("%q after %q: %v", c.goal, c.before, got)
		}
	}
}
