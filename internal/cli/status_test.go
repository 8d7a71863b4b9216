package cli

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"nebula"
	"nebula/internal/sqlite"
)

// The status of a plan under way tells what its step has used so far, under which policy it works, and the window that the
// server told of.
func TestStatusTellsOfTheStepUnderWay(t *testing.T) {
	home, dir := t.TempDir(), t.TempDir()
	real, err := filepath.EvalSymlinks(dir)
	if err != nil {
		t.Fatal(err)
	}
	store, err := sqlite.Open(t.Context(), filepath.Join(home, "nebula.db"), sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	write := func(id string, bodies ...nebula.Body) {
		t.Helper()
		if err := store.Create(t.Context(), nebula.SessionInfo{ID: id, Dir: real, Model: "box-7b"}); err != nil {
			t.Fatal(err)
		}
		begun := nebula.Started{Session: id, Dir: real, Model: "box-7b", Protocol: "auto", Mode: nebula.AgentMode, Lang: "en"}
		for i, b := range append([]nebula.Body{begun}, bodies...) {
			if err := store.Append(t.Context(), id, nebula.Event{Seq: int64(i) + 1, Body: b}); err != nil {
				t.Fatal(err)
			}
		}
	}
	s := nebula.PlanStep{ID: "step_001", Name: "Fix", Status: nebula.InProgress}
	write("20260101-000000-aaaaaa", nebula.Submitted{Turn: 1, Text: "fix it"}, nebula.Switched{Window: 24000}, nebula.Stepped{Plan: "plan_1", Step: s, Of: 1})
	write("20260101-000001-bbbbbb", nebula.Replied{Turn: 1, Step: 1, Reply: nebula.Reply{Usage: nebula.Usage{Input: 1234, Output: 56}}})
	s.Session = "20260101-000001-bbbbbb"
	plan := nebula.Plan{ID: "plan_1", Name: "one", Status: nebula.InProgress, Version: 1, With: nebula.Conduct{Approve: "all"}, Steps: []nebula.PlanStep{s}}
	if err := store.SavePlan(t.Context(), real, plan); err != nil {
		t.Fatal(err)
	}
	_ = store.Close()
	var out bytes.Buffer
	env := map[string]string{"NEBULA_HOME": home, "OPENAI_API_KEY": "sk-test", "OPENAI_BASE_URL": "http://127.0.0.1:1/v1"}
	p := &program{out: &out, err: &out, env: func(name string) string { return env[name] }}
	t.Chdir(dir)
	for _, output := range []string{"text", "json"} {
		if err := p.status(t.Context(), []string{"20260101-000000-aaaaaa"}, output); err != nil {
			t.Fatal(err)
		}
	}
	for _, want := range []string{"1234 in", "approval: all", `"window":24000`} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is not told:\n%s", want, out.String())
		}
	}
}

// A question is told as pending while a nebula waits for its answer, and no longer when that was killed.
func TestNobodyWaitsForTheAnswerOfAKilledNebula(t *testing.T) {
	home, dir := t.TempDir(), t.TempDir()
	real, err := filepath.EvalSymlinks(dir)
	if err != nil {
		t.Fatal(err)
	}
	store, err := sqlite.Open(t.Context(), filepath.Join(home, "nebula.db"), sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	const id = "20260101-000000-aaaaaa"
	if err := store.Create(t.Context(), nebula.SessionInfo{ID: id, Dir: real, Model: "box-7b"}); err != nil {
		t.Fatal(err)
	}
	a := nebula.Action{ID: "a1", Tool: "deleteFile", Confidence: 1}
	for i, b := range []nebula.Body{
		nebula.Started{Session: id, Dir: real, Model: "box-7b", Protocol: "auto", Mode: nebula.AgentMode, Lang: "en"}, nebula.Submitted{Turn: 1, Text: "tidy up"},
		nebula.Replied{Turn: 1, Step: 1, Intent: nebula.Intent{Actions: []nebula.Action{a}}},
		nebula.Proposed{Proposal: nebula.Proposal{Action: a, Effect: nebula.Write}, Verdict: nebula.Verdict{Ruling: nebula.AskFirst}}, nebula.Asked{Ask: "q1", Action: "a1"},
	} {
		if err := store.Append(t.Context(), id, nebula.Event{Seq: int64(i) + 1, Body: b}); err != nil {
			t.Fatal(err)
		}
	}
	env := map[string]string{"NEBULA_HOME": home, "OPENAI_API_KEY": "sk-test", "OPENAI_BASE_URL": "http://127.0.0.1:1/v1"}
	t.Chdir(dir)
	told := func() (out, warned string) {
		t.Helper()
		var o, e bytes.Buffer
		p := &program{out: &o, err: &e, env: func(name string) string { return env[name] }}
		if err := p.status(t.Context(), []string{id}, "text"); err != nil {
			t.Fatal(err)
		}
		return o.String(), e.String()
	}
	unlock, err := store.Lock(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	if out, warned := told(); !strings.Contains(out, "an approval is pending") || strings.Contains(warned, "nobody waits") {
		t.Errorf("while it waits:\n%s%s", out, warned)
	}
	unlock()
	if out, warned := told(); strings.Contains(out, "an approval is pending") || !strings.Contains(warned, "nobody waits") {
		t.Errorf("when it is gone:\n%s%s", out, warned)
	}
}
