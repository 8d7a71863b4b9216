package gate

import (
	"slices"
	"testing"

	"nebula"
)

func TestYesWaitsUntilTheCommandWasSeen(t *testing.T) {
	s := NewSeen(10, 10)
	for _, row := range []int{0, 1, 2, 3, 4, 6, 7, 8, 9} {
		s.Saw(row, row+1)
	}
	for range 3 {
		if hold := s.Yes(nebula.Yes); hold != Unread {
			t.Fatalf("a yes counts though row 6 was on no screen: %q", hold)
		}
	}
	if s.Next() != 5 || s.Missing() != "6 / 10" {
		t.Errorf("missing %q, next %d", s.Missing(), s.Next())
	}
	s.Saw(5, 6)
	if hold := s.Yes(nebula.Yes); hold != Free {
		t.Errorf("all was seen, and still %q", hold)
	}
}

func TestSecondYesAllowsWhatWasNamed(t *testing.T) {
	s := NewSeen(0, 100)
	s.Saw(0, 20)
	s.Saw(30, 40)
	s.Saw(50, 51)
	s.Saw(60, 61)
	if hold := s.Yes(nebula.Yes); hold != Skipped {
		t.Fatalf("the first yes: %q", hold)
	}
	if want := "21–30, 41–50, 52–60, … (+39) / 100"; s.Missing() != want {
		t.Errorf("missing %q, want %q", s.Missing(), want)
	}
	if hold := s.Yes(nebula.Always); hold != Skipped {
		t.Errorf("another yes than the one that was told about: %q", hold)
	}
	if hold := s.Yes(nebula.Always); hold != Free {
		t.Errorf("the second yes: %q", hold)
	}
}

// TestYesTypedAgainIsTheSecond one: it need not be a bare enter.
func TestYesTypedAgainIsTheSecond(t *testing.T) {
	p := NewPager(0, 100)
	p.Page(10)
	for _, typed := range []string{"yes", "always"} {
		if r := p.Take(typed, false); r.Decides || r.Hold != Skipped {
			t.Fatalf("%s: %+v", typed, r)
		}
	}
	if r := p.Take("always", false); !r.Decides || r.Answer != nebula.Always {
		t.Errorf("always, typed again: %+v", r)
	}
}

// Who says "always" where there is none did not mean this once: nothing is allowed, and the question stands.
func TestAnAlwaysThatIsNotOfferedIsNoYes(t *testing.T) {
	p := nebula.Proposal{Action: nebula.Action{Tool: "executeShell"}, Effect: nebula.Execute, Command: "ls", Risks: []string{nebula.Unconfined}}
	pager := NewPager(0, 1)
	pager.Page(0)
	if pager.Lacks = Lacks(p, Dangers(p, Full)); len(pager.Lacks) != 4 {
		t.Errorf("%v", pager.Lacks)
	}
	for _, typed := range []string{"always", "a", "yes, always", "from now on", "try", "常に"} {
		if r := pager.Take(typed, false); r.Decides || r.Hold != Lacking {
			t.Errorf("%q: %+v", typed, r)
		}
	}
	if r := pager.Take("y", false); !r.Decides || r.Answer != nebula.Yes {
		t.Errorf("%+v", r)
	}
	offered := nebula.Proposal{Action: nebula.Action{Tool: "executeShell"}, Effect: nebula.Execute, Command: "ls", Viewed: true}
	if got := Lacks(offered, nil); !slices.Equal(got, []nebula.Decided{nebula.Try, nebula.Edits}) {
		t.Errorf("%v", got)
	}
}

// TestNumberAloneIsNoAnswer where lines are read: no yes, and no no.
func TestNumberAloneIsNoAnswer(t *testing.T) {
	for text, number := range map[string]bool{"1": true, " 4. ": true, "２": true, "12)": true, "": false, "1 yes": false, "no": false, "y1": false, "ye2": false, ".": false} {
		if got := Counts(text); got != number {
			t.Errorf("%q is a number: %v", text, got)
		}
	}
	p := NewPager(0, 1)
	p.Page(0)
	if r := p.Take("1", false); r.Decides || r.Hold != Number {
		t.Errorf("1 comes to %+v", r)
	}
	if r := p.Take("yes", false); !r.Decides || r.Answer != nebula.Yes {
		t.Errorf("yes after it comes to %+v", r)
	}
}
