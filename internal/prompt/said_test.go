package prompt_test

import (
	"fmt"
	"strings"
	"testing"

	"nebula"
)

// tenRules are written in the ways that people write them, each as the messages they come in.
func tenRules() map[string]struct{ messages, rules []string } {
	rules := []string{
		"Error texts begin with \"semver: \"", "Exported functions have doc comments", "No new dependency in go.mod", "Table tests, nothing else",
		"CHANGELOG gets a line for each change", "No panics outside Must", "Test names are sentences", "Never touch testdata", "Numbers are uint64, never int", "Tabs in Go files",
	}
	ja := []string{
		"エラー文は semver: で始める", "公開する関数に説明を書く", "依存を増やさない", "表形式のテストにする", "変更ごとに CHANGELOG に一行書く",
		"Must 以外で panic しない", "テスト名は文にする", "testdata には触れないで", "数は必ず uint64", "字下げはタブ",
	}
	numbered := func(form, between string, rules []string) string {
		var lines []string
		for i, r := range rules {
			lines = append(lines, fmt.Sprintf(form, i+1, r))
		}
		return strings.Join(lines, between)
	}
	var several []string
	for _, r := range rules {
		several = append(several, "Next, look at the parser and tell me what it does there. Please keep to this: "+r+".")
	}
	return map[string]struct{ messages, rules []string }{
		"list":               {[]string{"Work on the library.\n\nRules:\n" + numbered("%d. %s", "\n", rules)}, rules},
		"one line":           {[]string{"Rules for all work here, keep each of them: " + numbered("(%d) %s", " ", rules)}, rules},
		"plain":              {[]string{"Hello. Rules for all work here. " + strings.Join(rules, ". ") + "."}, rules},
		"several":            {several, rules},
		"Japanese":           {[]string{"ライブラリを直してください。次の決まりを守ってください。\n" + numbered("%d. %s", "\n", ja)}, ja},
		"Japanese sentences": {[]string{"決まりは次のとおりです。" + strings.Join(ja, "。") + "。"}, ja},
	}
}

// What the person said holds as long as the conversation, however short it is made, whatever words it was said in.
func TestThePersonsRulesOutlastEveryCompaction(t *testing.T) {
	talk := " The report of last week says a lot about how the parser came to be, and who wrote it, and when."
	for name, c := range tenRules() {
		for _, window := range []int{12_000, 32_000} {
			f, b := newFold("en"), builder()
			b.Count = func(text string) int { return len(text)/4 + 1 }
			for n := 1; n <= 60; n++ {
				request := fmt.Sprintf("Request %d: what stands in file %d?", n, n) + strings.Repeat(talk, 4)
				if n <= len(c.messages) {
					request = c.messages[n-1]
				}
				f.turn(n, request, strings.Repeat("some line of a file that was read\n", 150))
				p := fit(t, f, b, input(f.State, window))
				if f.Compact.Before == 0 {
					continue
				}
				sent := text(p)
				for i, rule := range c.rules {
					if i < n*len(c.rules)/len(c.messages) && !strings.Contains(sent, rule) {
						t.Fatalf("%s, window %d, request %d: %q is gone", name, window, n, rule)
					}
				}
				if !strings.Contains(sent, request) || p.Messages[0].Role != nebula.User {
					t.Fatalf("%s, window %d: request %d is not there, or %s speaks first", name, window, n, p.Messages[0].Role)
				}
				whole(t, n, p.Messages)
			}
			if f.Compact.Dropped == 0 && f.Compact.Elided == 0 || window == 12_000 && f.Compact.Dropped == 0 {
				t.Errorf("%s, window %d: nothing fell out", name, window)
			}
		}
	}
}

// A rule that stands last in natural text, on its own line or around something long holds on in whatever words.
func TestRulesBehindTextOutlastACompaction(t *testing.T) {
	talk := "この関数は先月の会議で話した件と関係していて、合計を計算してから結果を表に書くようになっています。まず全体の流れを確認して、どこで値が使われているのかを説明してください。必要な場合はファイルを開いて、行ごとに見ていってください。そのあとで表示の部分だけを見て、どう直すべきかを考えて、短くまとめてください。気になることがあれば一緒に書いてください。分からないことは聞いてください。"
	log := strings.Repeat("2026-11-28 worker started on the next part of the list of parts\n", 24)
	for _, c := range []struct {
		lang, before, between, behind string
		rules                         []string
	}{
		{"ja", talk, "", "", []string{"config.yml には絶対に手を付けないこと。", "トークンをログに出さないように。", "依存を追加しないで。", "コメントは書かないでください。"}},
		{"ja", talk, "\n", "", []string{"config.yml には絶対に手を付けないこと。", "トークンをログに出さないように。", "依存を追加しないで。", "コメントは書かないでください。"}},
		{"en", "What does this say?\n" + log, "\n", "", []string{"Whatever happens, leave config.yml alone.", "Address me as Kim.", "Tests go into tests/unit.", "Dates are written as 2026-11-28.", "Every function gets a docstring."}},
		{"en", "", "", "\n\nWhat does this say?\n" + log, []string{"Address me as Kim.", "Tests go into tests/unit."}},
	} {
		for _, window := range []int{4500, 6000, 12_000} {
			f, b := newFold(c.lang), builder()
			b.Count = func(text string) int { return len(text)/4 + 1 }
			for n := 1; n <= 20; n++ {
				request := talk
				if n <= len(c.rules) {
					request = c.before + c.between + c.rules[n-1] + c.behind
				}
				f.turn(n, request, strings.Repeat("some line of a file that was read\n", 100))
				sent := text(fit(t, f, b, input(f.State, window)))
				for _, rule := range c.rules[:min(n, len(c.rules))] {
					if !strings.Contains(sent, rule) {
						t.Fatalf("%s, window %d, request %d: %q is gone", c.lang, window, n, rule)
					}
				}
			}
			if f.Compact.Before == 0 {
				t.Errorf("%s, window %d: nothing fell out", c.lang, window)
			}
		}
	}
}

// What was said later stands behind what it corrects.
func TestCorrectionsStandBehindWhatTheyCorrect(t *testing.T) {
	f, b := newFold("en"), builder()
	f.turn(1, "Error texts begin with semver.", "x")
	f.turn(2, "What I said about error texts no longer holds: they begin with version.", "x")
	for n := 3; n <= 40; n++ {
		f.turn(n, fmt.Sprintf("request %d", n), strings.Repeat("line of a file\n", 100))
		fit(t, f, b, input(f.State, 8000))
	}
	sent := text(fit(t, f, b, input(f.State, 8000)))
	first, second := strings.Index(sent, "Error texts begin with semver."), strings.Index(sent, "What I said about error texts no longer holds: they begin with version.")
	if f.Compact.Dropped < 8 || first < 0 || second < first {
		t.Errorf("%d dropped, the rule at %d, its correction at %d", f.Compact.Dropped, first, second)
	}
}

// A result that is larger than the window is cut to it, says so, and the session goes on; one that fits is whole until
// the model has answered to it.
func TestResultsAreWholeUntilTheyAreAnsweredTo(t *testing.T) {
	large := strings.Repeat("a line of a file of 36 characters..\n", 900)
	for _, c := range []struct {
		window int
		cut    bool
	}{{8000, true}, {16_000, false}} {
		f, b := newFold("en"), builder()
		for n := 1; n <= 20; n++ {
			f.turn(n, fmt.Sprintf("request %d", n), strings.Repeat("line of a file\n", 60))
			fit(t, f, b, input(f.State, c.window))
		}
		f.apply(nebula.Submitted{Turn: 21, Text: "Read the large one."})
		f.apply(nebula.Observed{Messages: []nebula.Message{
			{Role: nebula.Assistant, Parts: nebula.PartsOf("", "", nebula.Call{ID: "l", Name: "readFile", Arguments: `{"path":"large.go"}`})},
			{Role: nebula.ToolRole, CallID: "l", Parts: nebula.Text(large)},
		}})
		sent := text(fit(t, f, b, input(f.State, c.window)))
		if got := !strings.Contains(sent, large); got != c.cut {
			t.Errorf("window %d: cut %v", c.window, got)
		}
		if c.cut && (!strings.Contains(sent, "lines stand above") || strings.Count(sent, "a line of a file of 36") < 50) {
			t.Errorf("window %d: what was cut is not said, or little is left:\n%.300s", c.window, sent)
		}
		if !strings.Contains(sent, "Read the large one.") {
			t.Errorf("window %d: the request is gone", c.window)
		}
	}
}
