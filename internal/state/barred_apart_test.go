package state_test

import (
	"slices"
	"testing"

	"nebula"
	"nebula/internal/state"
)

// A sentence that forbids two things forbids both, however they are joined and whatever is asked for before them.
func TestEveryClauseOfASentenceHolds(t *testing.T) {
	files := []string{"leave main.py alone", "don't touch main.py", "main.py stays as is", "never change main.py", "keep main.py unchanged"}
	acts := map[string]string{"don't commit": "commit", "no commits": "commit", "never push": "push", "no pushes": "push", "do not commit anything": "commit"}
	for _, before := range []string{"", "Tidy up, ", "Fix it; "} {
		for _, joint := range []string{" and ", ", ", "; ", ", and ", " but "} {
			for _, file := range files {
				for act, is := range acts {
					for _, text := range []string{before + file + joint + act + ".", before + act + joint + file + "."} {
						s := state.New()
						s.Apply(nebula.Event{Body: nebula.Submitted{Turn: 1, Text: text}})
						if s.Barred(nebula.Target{Path: "main.py", Kind: "edit"}) == "" || !slices.ContainsFunc(s.Bars(), func(b state.Bar) bool { return b.Act == is }) {
							t.Errorf("%q holds %+v", text, s.Bars())
						}
					}
				}
			}
		}
	}
}

// What is ordered beside a prohibition stays free.
func TestWhatIsOrderedBesideAProhibitionIsFree(t *testing.T) {
	for _, text := range []string{
		"Don't commit and fix main.py.", "Don't commit the notes and leave a comment in main.py.", "Don't push, keep main.py short.", "No commits; main.py should say hello.",
		"Never push and keep the tests of main.py green.", "Don't commit, main.py must return 3.", "Don't push but do update main.py.", "Leave b.py alone and keep main.py working.",
		"They said don't commit and leave main.py alone, which is wrong.", "If it fails, don't commit and leave main.py alone.", "Why don't hooks run and leave main.py alone?", "No pushes and no TODOs in main.py.", "Don't commit without running main.py, and keep going.",
	} {
		s := state.New()
		s.Apply(nebula.Event{Body: nebula.Submitted{Turn: 1, Text: text}})
		if why := s.Barred(nebula.Target{Path: "main.py", Kind: "edit"}); why != "" {
			t.Errorf("%q holds main.py: %q", text, why)
		}
	}
}
