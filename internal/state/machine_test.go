package state

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"nebula"
	"nebula/internal/phrase"
)

// An input of the machine, as something that can happen to it.
type input struct {
	name  string
	apply func(Machine, Table) []nebula.Moved
}

func inputs() []input {
	list := []input{
		{"person", func(m Machine, _ Table) []nebula.Moved { return nil }},
		{"error", func(m Machine, t Table) []nebula.Moved { return []nebula.Moved{m.Fail(t, Retries, "error")} }},
	}
	for _, to := range Steps {
		list = append(list, input{"to " + string(to), func(m Machine, t Table) []nebula.Moved {
			if move := m.Request(t, to, ByModel); move != nil {
				return []nebula.Moved{*move}
			}
			return nil
		}})
	}
	for _, status := range Statuses {
		list = append(list, input{"set " + string(status), func(m Machine, _ Table) []nebula.Moved {
			if move := m.Set(status, "test"); move != nil {
				return []nebula.Moved{*move}
			}
			return nil
		}})
	}
	return list
}

func every(visit func(Machine)) int {
	n := 0
	for _, step := range Steps {
		for _, status := range Statuses {
			for _, spent := range []bool{false, true} {
				for recovered := range Retries + 2 {
					visit(Machine{Step: step, Status: status, Spent: spent, Recovered: recovered})
					n++
				}
			}
		}
	}
	return n
}

func TestNoIllegalTransitionFromAnyState(t *testing.T) {
	table := DefaultTable()
	n := every(func(m Machine) {
		for _, in := range inputs() {
			for _, move := range in.apply(m, table) {
				after := m.After(move)
				legal := m.Step == after.Step || table.Allows(m.Step, after.Step) || m.Step == Review && after.Step == Planning && move.Recovery
				if !legal {
					t.Errorf("%v on %s goes to %s", m, in.name, after.Step)
				}
				if move.Refused != "" && (after.Step != m.Step || after.Status != m.Status || after.Spent != m.Spent) {
					t.Errorf("%v on %s: refused, and yet changed to %v", m, in.name, after)
				}
				if m.Spent && after.Step != m.Step && move.Cause == ByModel {
					t.Errorf("%v on %s: a second transition in one utterance", m, in.name)
				}
			}
		}
	})
	t.Logf("%d states × %d inputs", n, len(inputs()))
}

func TestNoDeadEnd(t *testing.T) {
	table := DefaultTable()
	every(func(m Machine) {
		for _, goal := range Steps {
			if m.Step != goal && !reachable(m, goal, table) {
				t.Errorf("%s × %s cannot reach %s", m.Step, m.Status, goal)
			}
		}
	})
}

// reachable walks one transition an utterance.
func reachable(m Machine, goal nebula.Step, table Table) bool {
	seen := map[nebula.Step]bool{}
	queue := []Machine{m}
	for len(queue) > 0 {
		at := queue[0].Utter(true)
		queue = queue[1:]
		if at.Step == goal {
			return true
		}
		if seen[at.Step] {
			continue
		}
		seen[at.Step] = true
		for _, in := range inputs() {
			for _, move := range in.apply(at, table) {
				queue = append(queue, at.After(move))
			}
		}
	}
	return false
}

// Between two successes or messages of the person, errors recover a bounded number of times, whatever comes between.
func TestNoEndlessRecovery(t *testing.T) {
	table := DefaultTable()
	every(func(m Machine) {
		m.Recovered = 0
		for round := range 100 {
			m = m.Utter(false)
			m = m.After(m.Fail(table, Retries, "again"))
			if m.Recovered > Retries {
				t.Fatalf("%d recoveries after %d errors", m.Recovered, round+1)
			}
			if m.Status == NeedsInput {
				return
			}
			if move := m.Utter(false).Request(table, Execution, "retry"); move != nil {
				m = m.Utter(false).After(*move)
			}
		}
		t.Errorf("%s never waits for the person", m.Step)
	})
}

func TestRefusalNamesTheLegalSteps(t *testing.T) {
	move := Start().Request(DefaultTable(), Done, "model")
	if move == nil || !strings.Contains(phrase.Told("en", move.Refused), "EXECUTION, REVIEW, AWAITING_APPROVAL") {
		t.Errorf("got %+v", move)
	}
}

func TestOneTransitionAnUtterance(t *testing.T) {
	m := Start()
	m = m.After(*m.Request(DefaultTable(), Execution, "model"))
	if move := m.Request(DefaultTable(), Review, "model"); move.Refused == "" {
		t.Error("moved twice")
	}
	if move := m.Utter(false).Request(DefaultTable(), Review, "model"); move.Refused != "" {
		t.Error(move.Refused)
	}
}

func TestHistoryIsBounded(t *testing.T) {
	m := Start()
	for range 1000 {
		m = m.After(nebula.Moved{From: Planning, To: Planning, Status: InProgress})
	}
	if len(m.History) != historyKept {
		t.Errorf("%d moves kept", len(m.History))
	}
}

func TestTableIsASetting(t *testing.T) {
	for text, wrong := range map[string]string{
		`{"REVIEW":["EXECUTION"]}`: "no way to DONE",
		`{"PLANNING":["FLYING"]}`:  "no step",
		`{"DONE":["REVIEW"]}`:      "new request",
		`{"PLANNING":["REVIEW"],"REVIEW":["DONE"],"AWAITING_APPROVAL":["PLANNING"]}`: "nothing could ever be changed",
		`[]`: "transitions",
		`{"PLANNING":["EXECUTION","AWAITING_APPROVAL"]}`: "",
	} {
		table, err := ReadTable([]byte(text))
		if wrong == "" && (err != nil || table.Allows(Planning, Review)) || wrong != "" && (err == nil || !strings.Contains(err.Error(), wrong)) {
			t.Errorf("%s: %v, %v", text, table, err)
		}
	}
}

// Whatever table the settings give: one that is accepted has no dead end and lets nothing happen that it forbids.
func TestAcceptedTablesHaveNoDeadEnd(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	accepted := 0
	for range 2000 {
		rows := map[nebula.Step][]nebula.Step{}
		for _, from := range Steps {
			for _, to := range Steps {
				if from != to && random.IntN(3) > 0 {
					rows[from] = append(rows[from], to)
				}
			}
		}
		text, err := json.Marshal(rows)
		if err != nil {
			t.Fatal(err)
		}
		table, err := ReadTable(text)
		if err != nil {
			continue
		}
		accepted++
		for _, from := range Steps {
			m := Machine{Step: from, Status: InProgress}
			if from != Done && !reachable(m, Done, table) || !reachable(Machine{Step: Planning}, Execution, table) {
				t.Fatalf("%s: stuck in %s", text, from)
			}
			for _, to := range Steps {
				if move := m.Request(table, to, "test"); move != nil && (move.Refused == "") != table.Allows(from, to) {
					t.Fatalf("%s: %s → %s: %+v", text, from, to, move)
				}
			}
		}
	}
	if accepted < 100 {
		t.Errorf("only %d tables accepted", accepted)
	}
}

func TestCutCountsCharactersAndKeepsThemWhole(t *testing.T) {
	family := "👨‍👩‍👧‍👦"
	for _, c := range []struct {
		in    string
		limit int
		out   string
	}{
		{"short", 10, "short"},
		{"two\nlines  here", 20, "two lines here"},
		{"alpha beta gamma", 12, "alpha beta…"},
		{strings.Repeat("あ", 12), 10, strings.Repeat("あ", 9) + "…"},
		{strings.Repeat(family, 12), 10, strings.Repeat(family, 9) + "…"},
		{strings.Repeat(family, 10), 10, strings.Repeat(family, 10)},
		{strings.Repeat("x", 30), 10, strings.Repeat("x", 9) + "…"},
		{"e\u0301" + strings.Repeat("e\u0301", 10), 10, strings.Repeat("e\u0301", 9) + "…"},
	} {
		out, cut := Cut(c.in, c.limit)
		if out != c.out || cut == (out == phrase.OneLine(c.in, 0)) {
			t.Errorf("%q to %d: %q, want %q", c.in, c.limit, out, c.out)
		}
	}
}

func FuzzCut(f *testing.F) {
	f.Add("some words", 4)
	f.Fuzz(func(t *testing.T, text string, limit int) {
		if limit < 2 || limit > 300 {
			return
		}
		out, _ := Cut(text, limit)
		if !utf8.ValidString(out) || len(out) > len(phrase.OneLine(text, 0))+len(mark) {
			t.Errorf("%q to %d gives %q", text, limit, out)
		}
		if again, cut := Cut(out, limit); cut || again != out {
			t.Errorf("cutting %q again gives %q", out, again)
		}
	})
}

func TestItemsAreKeptWithinTheirLimits(t *testing.T) {
	long := strings.Repeat("word ", 100)
	many := append([]string{long}, strings.Split(strings.Repeat("b", 20), "")...)
	d, cuts := Fit(nebula.Delta{Goal: &long, WhyNow: &long, Constraints: &many, PlanBrief: &many, OpenQuestions: &many, Decided: many})
	i := Items{}.With(d)
	if len([]rune(i.Goal)) > LineLimit || len(i.Constraints) != 20 || len(i.PlanBrief) != 10 || len(i.OpenQuestions) != 10 || len([]rune(i.PlanBrief[0])) > EntryLimit {
		t.Errorf("kept %+v", i)
	}
	if fmt.Sprint(cuts) != "[goal why_now constraints plan_brief open_questions decided]" {
		t.Errorf("cuts %v", cuts)
	}
	for range 50 {
		i = i.With(nebula.Delta{Decided: []string{"again"}})
	}
	if len(i.DecisionLog) != DecisionLog {
		t.Errorf("%d decisions kept", len(i.DecisionLog))
	}
}
