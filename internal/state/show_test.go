package state

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"unicode"

	"nebula"
)

// full is a session in which everything has something to show.
func full(lang string) Status {
	s := New()
	one, half := []string{"one"}, 0.5
	goal, why := "goal", "why"
	for i, b := range []nebula.Body{
		nebula.Started{Session: "s1", Dir: "/d", Model: "m", Protocol: "auto", Mode: nebula.AgentMode, Lang: lang},
		nebula.Submitted{Turn: 1, Text: "Never use globals."},
		nebula.Updated{By: "model", Delta: nebula.Delta{Goal: &goal, WhyNow: &why, Constraints: &one, PlanBrief: &[]string{"a", "b"}, OpenQuestions: &one, ContextRefs: &one, Decided: one, Note: "changed"}},
		nebula.Replied{Turn: 1, Step: 1, Protocol: "dml", Vitals: nebula.Vitals{Confidence: &half, Mood: &half, Focus: &half, Stamina: &half}},
		nebula.Moved{From: Planning, To: Execution, Status: InProgress, Cause: "model"},
		nebula.Moved{From: Execution, To: Done, Status: Success, Cause: "model", Refused: "no"},
		nebula.Finished{Result: nebula.Result{Status: nebula.Done, Changes: []nebula.Change{{Path: "a.go", Kind: "edit", After: "x"}}}},
		nebula.Finished{Result: nebula.Result{Status: nebula.Failed, Tests: &nebula.TestReport{Command: "go test", Passed: 1, Failed: 2}}},
		nebula.Compacted{Dropped: 4, Elided: 9, Cap: 100, Before: 9000, After: 3000},
		nebula.Moved{From: Execution, To: Awaiting, Status: NeedsInput, Cause: GateWaits},
		nebula.Ended{Outcome: nebula.Outcome{Layers: []nebula.LayerCost{{Name: "base", Tokens: 100}, {Name: "main", Tokens: 200}}, Cuts: []string{"evidence"}}},
	} {
		s.Apply(nebula.Event{Seq: int64(i) + 1, Body: b})
	}
	s.Approved["writeFile a.go"] = 1
	st := s.Status(lang)
	st.Window = 8000
	st.Limits = []Use{{"steps", 3, 100}, {"tokens", 1200, 0}, {"cost", 0.01, 5}, {"time", 12, 3600}, {"repeats", 1, 6}, {"retries", 0, 5}}
	return st
}

func TestStatusShowsEverything(t *testing.T) {
	for lang, words := range map[string][]string{
		"en": {"goal: goal", "why now: why", "plan:\n  a\n  b", "step: AWAITING_APPROVAL · REQUIRES_USER_INPUT", "PLANNING → EXECUTION", "EXECUTION → DONE refused: no",
			"confidence 0.50 · mood 0.50 · focus 0.50 · stamina 0.50", "a.go", "go test: 1 passed, 2 failed", "context:\n  300 of 8000 tokens\n  ██░", "instructions 300", "cut: evidence",
			"steps 3/100 · tokens 1200/no limit · cost $ 0.0100/5", "4 messages stand as a summary, 5 shortened; 9000 → 3000 tokens", "Never use globals", "an approval is pending", "writeFile a.go", "last change: EXECUTION → AWAITING_APPROVAL (approval is needed)"},
		"ja": {"目的: goal", "段階: AWAITING_APPROVAL", "確信度 0.50", "拒否", "トークン 1200/上限なし", "4 件を要約", "許可待ち", "モデル"},
	} {
		text := full(lang).Text(lang)
		for _, w := range words {
			if !strings.Contains(text, w) {
				t.Errorf("%s: %q is missing in\n%s", lang, w, text)
			}
		}
	}
}

func TestStatusSpeaksOneLanguage(t *testing.T) {
	for line := range strings.Lines(full("ja").Text("ja")) {
		label, _, _ := strings.Cut(strings.TrimSpace(line), ":")
		if strings.HasPrefix(line, " ") {
			continue
		}
		if !strings.ContainsFunc(label, func(r rune) bool { return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana) }) {
			t.Errorf("not Japanese: %q", line)
		}
	}
	for _, r := range full("en").Text("en") {
		if unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana) {
			t.Fatalf("%c in English", r)
		}
	}
}

func TestStatusIsJSON(t *testing.T) {
	st := full("en")
	data, err := json.Marshal(st)
	if err != nil {
		t.Fatal(err)
	}
	var back Status
	if err := json.Unmarshal(data, &back); err != nil || !reflect.DeepEqual(back.Items, st.Items) || !reflect.DeepEqual(back.Layers, st.Layers) {
		t.Errorf("%+v, %v", back, err)
	}
}

func TestItemsThatDoNotFitAreNamed(t *testing.T) {
	for _, lang := range []string{"en", "ja"} {
		for _, c := range []struct {
			items Items
			step  nebula.Step
			n     int
		}{
			{Items{Goal: "g"}, Execution, 0},
			{Items{}, Execution, 1},
			{Items{WhyNow: "w"}, Planning, 1},
			{Items{Goal: "g"}, Awaiting, 1},
			{Items{Goal: "g", PendingGate: true}, Planning, 0}, // what a step of its own needs not waits there, too,
			{Items{Goal: "g", OpenQuestions: []string{"q"}}, Done, 1},
		} {
			if got := c.items.Check(c.step, lang); len(got) != c.n {
				t.Errorf("%+v in %s: %v", c.items, c.step, got)
			}
		}
	}
}

// What fills the window stands as a bar, with its numbers above it.
func TestWindowIsABar(t *testing.T) {
	st := Status{Layers: []nebula.LayerCost{{Name: "base", Tokens: 100}, {Name: "conversation", Tokens: 1900}}, Window: 8000}
	for lang, want := range map[string]string{"en": "instructions 100 · conversation 1900", "ja": "指示 100 · 会話 1900"} {
		if text := st.Text(lang); !strings.Contains(text, want) || !strings.Contains(text, "2000") || !strings.Contains(text, "\n  ██████████░") || !strings.Contains(text, "░ 25.0 %") {
			t.Errorf("%s", text)
		}
	}
	if st.Window = 0; strings.Contains(st.Text("en"), "█") {
		t.Error("a bar of an unknown window")
	}
}

func BenchmarkTransition(b *testing.B) {
	m, table := Start(), DefaultTable()
	for b.Loop() {
		if move := m.Request(table, Execution, "test"); move == nil || move.Refused != "" {
			b.Fatal(move)
		}
	}
}
