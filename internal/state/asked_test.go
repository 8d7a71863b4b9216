package state_test

import (
	"testing"

	"nebula"
	"nebula/internal/state"
)

func applied(s *state.State, bodies ...nebula.Body) {
	for _, b := range bodies {
		s.Apply(nebula.Event{Seq: s.Seq + 1, Body: b})
	}
}

func asked(id, command string, answer nebula.Decided) []nebula.Body {
	p := nebula.Proposal{Action: nebula.Action{ID: id, Tool: "run"}, Effect: nebula.Execute, Command: command}
	return []nebula.Body{nebula.Proposed{Proposal: p}, nebula.Asked{Ask: "q" + id, Action: id}, nebula.Answered{Ask: "q" + id, Answer: answer, By: "person"}}
}

// An "always" ends with the process: a session that is opened again does not keep it.
func TestAlwaysEndsWithTheProcess(t *testing.T) {
	s := state.New()
	applied(s, nebula.Started{Session: "s"}, nebula.Submitted{Turn: 1}, nebula.Replied{Turn: 1})
	applied(s, asked("a1", "make", nebula.Always)...)
	if len(s.Approved) != 1 {
		t.Fatalf("%v", s.Approved)
	}
	applied(s, nebula.Started{Session: "s", Resumed: true})
	if len(s.Approved) != 0 {
		t.Errorf("kept: %v", s.Approved)
	}
}

// Files that policy let change are unseen until the person is shown a change of them; a command that was allowed always is
// allowed from the last yes on.
func TestUnseenAreTheChangesThatNobodyWasAskedAbout(t *testing.T) {
	s := state.New()
	write := func(id string, by nebula.Decider) []nebula.Body {
		p := nebula.Proposal{Action: nebula.Action{ID: id}, Effect: nebula.Write}
		return []nebula.Body{nebula.Proposed{Proposal: p}, nebula.Began{Action: id, By: by}, nebula.Finished{Result: nebula.Result{Action: id, Changes: []nebula.Change{{Path: "x.sh", Kind: "edit", After: "1"}}}}}
	}
	applied(s, nebula.Submitted{Turn: 1}, nebula.Replied{Turn: 1})
	applied(s, write("a1", "person")...)
	if s.Unseen["x.sh"] != 0 {
		t.Error("what the person allowed is unseen")
	}
	applied(s, write("a2", "policy: --approve edits")...)
	if s.Unseen["x.sh"] != s.Seq {
		t.Error("what policy allowed is seen")
	}
	applied(s, asked("a3", "sh x.sh", nebula.Yes)...)
	if len(s.Approved) != 0 {
		t.Errorf("a yes is for once: %v", s.Approved)
	}
	applied(s, asked("a4", "sh x.sh", nebula.Always)...)
	first := s.Approved["run sh x.sh"]
	applied(s, write("a5", "policy: --approve edits")...)
	if first != s.Unseen["x.sh"]-3 {
		t.Errorf("allowed at %d, changed at %d", first, s.Unseen["x.sh"])
	}
	applied(s, asked("a6", "sh x.sh", nebula.Yes)...)
	if again := s.Approved["run sh x.sh"]; again != s.Seq {
		t.Errorf("a yes to what had been allowed always holds from %d, not from %d", again, s.Seq)
	}
	applied(s, asked("a7", "sh x.sh", nebula.No)...)
	if s.Approved["run sh x.sh"] == s.Seq {
		t.Error("a no allows")
	}
}

func TestWhatIsRefusedIsKeptForTheTurn(t *testing.T) {
	s := state.New()
	applied(s, nebula.Submitted{Turn: 1}, nebula.Replied{Turn: 1})
	applied(s, asked("a1", "make", nebula.No)...)
	if len(s.Turn.Denied) != 1 {
		t.Fatalf("%v", s.Turn.Denied)
	}
	applied(s, nebula.Submitted{Turn: 1, Steer: true, Text: "do it after all"})
	if len(s.Turn.Denied) != 0 {
		t.Error("kept although the person spoke again")
	}
}

// A model that called natively and then writes calls as text is counted, until it calls again or the language is another.
func TestCallsAsTextAreCounted(t *testing.T) {
	s := state.New()
	native := nebula.Replied{Turn: 1, Reply: nebula.Reply{Parts: nebula.PartsOf("", "", nebula.Call{ID: "c", Name: "look"})}}
	text := nebula.Replied{Turn: 1, Intent: nebula.Intent{Actions: []nebula.Action{{ID: "a1", Tool: "look"}}}}
	guess := nebula.Replied{Turn: 1, Intent: nebula.Intent{Actions: []nebula.Action{{ID: "a1", Tool: "look", Inferred: true}}}}
	applied(s, nebula.Submitted{Turn: 1}, text)
	if s.Printed != 0 {
		t.Errorf("before any native call: %d", s.Printed)
	}
	applied(s, native, text, guess, text)
	if s.Printed != 2 || !s.Turn.Native {
		t.Errorf("counted %d", s.Printed)
	}
	applied(s, native)
	if s.Printed != 0 {
		t.Errorf("after a native call: %d", s.Printed)
	}
	applied(s, text, nebula.Switched{Protocol: "another"})
	if s.Printed != 0 || s.Turn.Native {
		t.Errorf("in another language: %d", s.Printed)
	}
	applied(s, native, nebula.Submitted{Turn: 2}, text)
	if s.Printed != 0 {
		t.Errorf("in another turn: %d", s.Printed)
	}
}
