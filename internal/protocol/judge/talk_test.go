package judge

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"nebula"
	"nebula/internal/nebulatest"
)

// deeds are the actions that sentences stand beside, by their letters: the tool, its arguments, and the two languages' forms.
var deeds = map[string][4]string{
	"D": {"executeShell", `{"command":"rm -rf build"}`, "$ run @ rm -rf build", "T:execute_shell|rm -rf build"},
	"F": {"deleteFile", `{"path":"data.csv"}`, "$ delete @ data.csv", "T:delete_file|data.csv"},
	"T": {"executeShell", `{"command":"go test ./..."}`, "$ run @ go test ./...", "T:execute_shell|go test ./..."},
	"M": {"executeShell", `{"command":"sh migrate.sh"}`, "$ run @ sh migrate.sh", "T:execute_shell|sh migrate.sh"},
	"W": {"editFile", `{"path":"config.yml","new_content":"debug: true\n"}`, "$ edit @ config.yml\n--\ndebug: true\n--", "T:edit_file|config.yml|debug: true\n"},
	"S": {"editFile", `{"path":"src/app.py","new_content":"def f():\n    return 1\n"}`, "$ edit @ src/app.py\n--\ndef f():\n    return 1\n--", "T:edit_file|src/app.py|def f():\n    return 1\n"},
}

// beside is the reply in which a sentence stands before an action, after it, or as its reason.
func beside(language, where, deed, sentence string, rationale bool) nebula.Reply {
	return besideDeed(language, where, deeds[deed], sentence, rationale)
}

// besideDeed is beside for a deed that has no letter.
func besideDeed(language, where string, d [4]string, sentence string, rationale bool) nebula.Reply {
	var args map[string]any
	_ = json.Unmarshal([]byte(d[1]), &args) // of the table above
	macro := "🦆▶️[" + d[3] + "]◀️🦆"
	text := ""
	switch language {
	case "toolcall":
		args["reason"] = "housekeeping"
		if where == "R" {
			args["reason"], sentence = sentence, ""
		}
		b, _ := json.Marshal(args) // strings always marshal
		return nebula.Reply{Parts: nebula.PartsOf("", sentence, nebula.Call{ID: "c1", Name: d[0], Arguments: string(b)}), Finish: "tool_calls"}
	case "actionlist":
		action := map[string]any{"operation": d[0], "args": args, "reasoning": "housekeeping"}
		document := map[string]any{"rationale": "work", "step": "EXECUTION", "next_step": "continue", "say": "", "actions": []any{action}}
		switch {
		case where == "R":
			action["reasoning"] = sentence
		case where == "B" && rationale:
			document["rationale"] = sentence
		default:
			document["say"] = sentence
		}
		b, _ := json.Marshal(document) // strings always marshal
		text = string(b)
	case "symops":
		text = map[string]string{"B": sentence + "\n" + d[2] + "\n", "R": "~ " + sentence + "\n" + d[2] + "\n", "A": d[2] + "\n\n" + sentence + "\n"}[where]
	case "dml":
		text = map[string]string{"B": sentence + "\n\n" + macro, "R": "Thought: " + sentence + "\nAction:\n" + macro, "A": macro + "\n\n" + sentence}[where]
	}
	return nebula.Reply{Parts: nebula.Text(text), Finish: "stop"}
}

// byLanguage counts by language.
type byLanguage map[string]int

func (c byLanguage) String() string {
	out := ""
	for _, l := range []string{"toolcall", "actionlist", "symops", "dml"} {
		out += fmt.Sprintf(" %s %d", l, c[l])
	}
	return out
}

// TestWhatIsSaidBesideAnActionDecidesTheSameEverywhere reads pairs of sentences, of which the first takes the action back and the
// second means it, before and behind it and as its reason, in all languages. Beside calls, which have no place in the text, models tell of
// their work: there only what is about the very calls counts, so that more of the indirect ones run, and fewer of the others are asked about.
// Beside an edit that is called only what says so in so many words counts (see protocol.TestASentenceBesideACalledEditTellsOfTheWork).
func TestWhatIsSaidBesideAnActionDecidesTheSameEverywhere(t *testing.T) {
	tools := nebulatest.Specs()
	for file, bounds := range map[string][6]int{"first": {0, 15, 1, 12, 5, 12}, "second": {0, 16, 0, 14, 2, 13}, "third": {2, 27, 3, 17, 17, 16}, "fourth": {3, 10, 5, 7, 8, 7}} {
		t.Run(file, func(t *testing.T) {
			ran, asked, all := byLanguage{}, byLanguage{}, 0
			for i, line := range rows(t, file) {
				all++
				head, pair, _ := strings.Cut(line, " ")
				deed, pair, _ := strings.Cut(pair, "|")
				quoted, twin, ok := strings.Cut(pair, "|")
				if !ok {
					t.Fatalf("%s: no pair: %s", file, line)
				}
				var shown [2][]string
				for _, l := range languages() {
					if runs(l.decode(beside(l.Name(), head, deed, quoted, i%2 == 1), tools), tools) {
						ran[l.Name()]++
						shown[0] = append(shown[0], l.Name()[:1])
					}
					if !runs(l.decode(beside(l.Name(), head, deed, twin, i%2 == 1), tools), tools) {
						asked[l.Name()]++
						shown[1] = append(shown[1], l.Name()[:1])
					}
				}
				if len(shown[0]) > 0 {
					t.Logf("- %s %s %v %s", head, deed, shown[0], quoted)
				}
				if len(shown[1]) > 0 {
					t.Logf("+ %s %s %v %s", head, deed, shown[1], twin)
				}
			}
			t.Logf("of %d that take back run:%s; of as many that mean it are asked about:%s", all, ran, asked)
			for _, l := range languages() {
				most := bounds[:2]
				switch l.Name() {
				case "toolcall":
					most = bounds[4:]
				case "actionlist":
					most = bounds[2:4]
				}
				if ran[l.Name()] > most[0] || asked[l.Name()] > most[1] {
					t.Errorf("%s: %d that take back run, %d that mean it are asked about", l.Name(), ran[l.Name()], asked[l.Name()])
				}
			}
		})
	}
}

// TestWhatModelsSayBesideTheirActionsIsNoDoubt reads what models say as they work, beside an edit, and beside a command of consequence, which
// wants words that say that it is done: there one of twenty is asked about.
func TestWhatModelsSayBesideTheirActionsIsNoDoubt(t *testing.T) {
	for deed, most := range map[string]int{"W": 8, "D": 36} {
		t.Run(deed, func(t *testing.T) { saysAsItWorks(t, deed, most) })
	}
}

func saysAsItWorks(t *testing.T, deed string, most int) {
	tools := nebulatest.Specs()
	asked, all, above := byLanguage{}, 0, byLanguage{}
	for _, line := range rows(t, "plain") {
		where, text, _ := strings.Cut(strings.ReplaceAll(line, `\n`, "\n"), " ")
		all++
		for _, l := range languages() {
			for _, rationale := range []bool{false, true} {
				if where == "P" && rationale && l.Name() != "actionlist" {
					continue
				}
				if where == "N" && l.Name() != "toolcall" && l.Name() != "actionlist" {
					continue // said beside calls
				}
				place := map[string]string{"P": "B", "N": "B", "R": "R"}[where]
				if runs(l.decode(beside(l.Name(), place, deed, text, rationale), tools), tools) {
					continue
				}
				if place == "B" && slices.Contains([]string{"symops", "dml"}, l.Name()) {
					above[l.Name()]++
				} else {
					asked[l.Name()]++
				}
				t.Logf("%s %s: %s", l.Name(), where, text)
			}
		}
	}
	t.Logf("of %d asked about:%s; above the action:%s", all, asked, above)
	for _, l := range languages() {
		if n := max(asked[l.Name()], above[l.Name()]); n > most {
			t.Errorf("%s asks about %d of %d", l.Name(), n, all)
		}
	}
}

// TestWhatIsRefusedInOtherWordsDoesNotRun reads refusals and quotations that name neither. Most that run say what only their reader knows.
func TestWhatIsRefusedInOtherWordsDoesNotRun(t *testing.T) {
	tools := nebulatest.Specs()
	ran, all := byLanguage{}, 0
	for i, line := range rows(t, "indirect") {
		all++
		head, sentence, _ := strings.Cut(line, "|")
		where, deed, _ := strings.Cut(head, " ")
		for _, l := range languages() {
			if runs(l.decode(beside(l.Name(), where, deed, sentence, i%2 == 1), tools), tools) {
				ran[l.Name()]++
				t.Logf("%s %s", l.Name(), line)
			}
		}
	}
	t.Logf("of %d run:%s", all, ran)
	for _, l := range languages() {
		if n := ran[l.Name()]; n > 17 || n > 9 && (l.Name() == "symops" || l.Name() == "dml") {
			t.Errorf("%s runs %d of %d", l.Name(), n, all)
		}
	}
}

// TestWhatTurnsToTheReaderWaitsOrOffers reads sentences that turn to the reader: those that have it do something first wait (-), those that
// offer another thing, tell of the time after the work or are courtesies do not (+). Two replies of a hundred may be taken wrongly.
func TestWhatTurnsToTheReaderWaitsOrOffers(t *testing.T) {
	tools := nebulatest.Specs()
	wrong, all := 0, 0
	for _, line := range rows(t, "turns") {
		head, text, _ := strings.Cut(strings.ReplaceAll(line, `\n`, "\n"), "|")
		mark, places, _ := strings.Cut(head, " ")
		for _, place := range strings.Split(places, "") {
			for _, l := range languages() {
				for _, deed := range []string{"W", "D"} {
					all++
					if runs(l.decode(beside(l.Name(), place, deed, text, false), tools), tools) != (mark == "+") {
						wrong++
						t.Logf("%s %s %s %s: %s", mark, place, deed, l.Name(), text)
					}
				}
			}
		}
	}
	t.Logf("of %d wrong: %d", all, wrong)
	if 50*wrong > all {
		t.Errorf("%d of %d are taken wrongly", wrong, all)
	}
}

// TestWhoAsksForLeaveBesideItsCallWaits reads replies that act and ask whether they may, each in a form of its own.
func TestWhoAsksForLeaveBesideItsCallWaits(t *testing.T) {
	call := func(id, name, args string) nebula.Call { return nebula.Call{ID: id, Name: name, Arguments: args} }
	gone := call("1", "deleteFile", `{"path":"a.py","reason":"unused"}`)
	for _, c := range []struct {
		protocol string
		reply    nebula.Reply
		runs     bool
	}{
		{"toolcall", nebula.Reply{Parts: nebula.PartsOf("", "", gone, call("2", "askUser", `{"question":"May I delete a.py?"}`))}, false},
		{"toolcall", nebula.Reply{Parts: nebula.PartsOf("", "", gone, call("2", "askUser", `{"question":"これを削除してもよろしいですか?"}`))}, false},
		{"toolcall", nebula.Reply{Parts: nebula.PartsOf("", "", gone, call("2", "askUser", `{"question":"Which name do you prefer for the helper?"}`))}, true},
		{"symops", nebula.Reply{Parts: nebula.Text("! AwaitingApproval @ a.py\n$ edit @ a.py\n--\nx = 1\n--\n")}, false},
		{"symops", nebula.Reply{Parts: nebula.Text("! ImportError @ a.py\n$ edit @ a.py\n--\nx = 1\n--\n")}, true},
	} {
		tools := nebulatest.Specs()
		if in := named(t, c.protocol).decode(c.reply, tools); runs(in, tools) != c.runs {
			t.Errorf("%s%s: %s", c.reply.Text(), called(c.reply), short(in))
		}
	}
}

// rows are the lines of a file of sentences.
func rows(t *testing.T, file string) []string {
	t.Helper()
	data, err := os.ReadFile("testdata/talk/" + file + ".txt")
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSpace(string(data)), "\n")
}
