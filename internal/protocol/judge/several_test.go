package judge

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"nebula"
	"nebula/internal/nebulatest"
)

// rowDeeds are the actions of replies that do several things, by their numbers: the tool, its arguments, and the two languages' forms.
var rowDeeds = map[string][4]string{
	"1": {"patchFile", `{"path":"a.go","edits":[{"old":"x := 1","new":"x := 2"}]}`, "$ edit @ a.go\n--\n<<<<<<< SEARCH\n\tx := 1\n=======\n\tx := 2\n>>>>>>> REPLACE\n--\n", "🦆▶️[T:patch_file|a.go|[{\"old\":\"x := 1\",\"new\":\"x := 2\"}]]◀️🦆\n"},
	"2": {"deleteFile", `{"path":"notes.md"}`, "$ delete @ notes.md\n", "🦆▶️[T:delete_file|notes.md]◀️🦆\n"},
	"3": {"executeShell", `{"command":"go test ./..."}`, "$ run @ go test ./...\n", "🦆▶️[T:execute_shell|go test ./...]◀️🦆\n"},
	"4": {"writeFile", `{"path":"b.py","content":"print(1)\n"}`, "$ create @ b.py\n--\nprint(1)\n--\n", "🦆▶️[T:write_file|b.py|print(1)\n]◀️🦆\n"},
}

// TestWhatIsSaidOfSeveralActionsHoldsForThose reads replies that do several things, with words before, between and behind them: each row has
// the actions that are to run, whether the words may also stand beside calls (n), and the reply with the actions' numbers in it.
func TestWhatIsSaidOfSeveralActionsHoldsForThose(t *testing.T) {
	tools := nebulatest.Specs()
	all, ran, asked := byLanguage{}, byLanguage{}, byLanguage{}
	for _, line := range rows(t, "several") {
		want, rest, _ := strings.Cut(line, " ")
		where, text, _ := strings.Cut(rest, " ")
		text = strings.ReplaceAll(text, `\n`, "\n")
		for _, l := range languages() {
			between := l.Name() == "symops" || l.Name() == "dml"
			if !between && !strings.Contains(where, "n") {
				continue
			}
			all[l.Name()]++
			done := numbers(l.decode(amidSeveral(l.Name(), text), tools))
			wanted := strings.Trim(want, "-")
			switch {
			case slices.ContainsFunc(strings.Split(done, ""), func(n string) bool { return !strings.Contains(wanted, n) }):
				ran[l.Name()]++
				t.Logf("runs %q for %q: %s: %q", done, wanted, l.Name(), text)
			case done != wanted:
				asked[l.Name()]++
				t.Logf("asks: %q for %q: %s: %q", done, wanted, l.Name(), text)
			}
		}
	}
	t.Logf("of%s run though held:%s; asked about though meant:%s", all, ran, asked)
	for name := range all {
		if ran[name] > 0 || 100*asked[name] > 2*all[name] {
			t.Errorf("%s: %d run though held, %d are asked about though meant", name, ran[name], asked[name])
		}
	}
}

// numbers are the actions of an intent that run, by their numbers.
func numbers(in nebula.Intent) (done string) {
	for _, a := range in.Actions {
		for n, d := range rowDeeds {
			if !a.Inferred && a.Problem == "" && (a.Tool == d[0] || n == "1" && a.Tool == "editFile") {
				done += n
			}
		}
	}
	return done
}

// amidSeveral is a reply with several actions, of which a text has the numbers; beside calls, and in a document, its words stand before them.
func amidSeveral(language, text string) nebula.Reply {
	say, order := text, []string{}
	for i := range text {
		if text[i] == '{' {
			order = append(order, text[i+1:i+2])
		}
	}
	text += "\n"
	for n, d := range rowDeeds {
		say = strings.ReplaceAll(say, "{"+n+"}", "")
		text = strings.ReplaceAll(text, "{"+n+"}\n", d[map[string]int{"symops": 2, "dml": 3}[language]])
	}
	say = strings.TrimSpace(say)
	switch language {
	case "symops", "dml":
		return nebula.Reply{Parts: nebula.Text(text), Finish: "stop"}
	case "toolcall":
		parts := nebula.PartsOf("", say)
		for i, n := range order {
			parts = append(parts, nebula.PartsOf("", "", nebula.Call{ID: fmt.Sprint("c", i), Name: rowDeeds[n][0], Arguments: rowDeeds[n][1]})...)
		}
		return nebula.Reply{Parts: parts, Finish: "tool_calls"}
	}
	var list []any
	for _, n := range order {
		list = append(list, map[string]any{"operation": rowDeeds[n][0], "args": json.RawMessage(rowDeeds[n][1]), "reasoning": "w"})
	}
	b, _ := json.Marshal(map[string]any{"rationale": "r", "step": "EXECUTION", "next_step": "continue", "say": say, "actions": list}) // strings always marshal
	return nebula.Reply{Parts: nebula.Text(string(b)), Finish: "stop"}
}

// TestClausesMoodsAndPersons reads sentences beside an edit and beside a deletion, which hold it (-) or mean it (+), as they vary in clauses,
// mood, person and tense. Of the first three in a hundred may run, of the others, some of which say nothing of a deletion, ten may be asked about.
func TestClausesMoodsAndPersons(t *testing.T) {
	tools := nebulatest.Specs()
	all, wrong := map[string]int{}, map[string]int{}
	for _, line := range rows(t, "clauses") {
		head, text, _ := strings.Cut(line, "|")
		mark, where, _ := strings.Cut(head, " ")
		for _, l := range languages() {
			for _, n := range []string{"1", "2"} {
				reply := text + "\n{" + n + "}"
				if where == "A" {
					reply = "{" + n + "}\n" + text
				}
				all[mark]++
				if (numbers(l.decode(amidSeveral(l.Name(), reply), tools)) != "") != (mark == "+") {
					wrong[mark]++
					t.Logf("%s %s %s", l.Name(), n, line)
				}
			}
		}
	}
	t.Logf("of %v wrong: %v", all, wrong)
	if 100*wrong["-"] > 3*all["-"] || 100*wrong["+"] > 10*all["+"] {
		t.Errorf("of %v wrong: %v", all, wrong)
	}
}
