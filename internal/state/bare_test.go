package state_test

import (
	"testing"

	"nebula/internal/state"
)

// A body that does nothing yet is asked for in many words; what is to be filled in, or not to come, is none.
func TestWhatAsksForABareBody(t *testing.T) {
	for said, is := range map[string]bool{
		"Make sub a stub.": true, "stub out sub": true, "Replace the body of sub with pass.": true, "replace the body of sub with `pass`": true, "set the body of sub to pass": true, "Leave the body of sub empty for now.": true, "turn sub into a no-op": true, "Let sub raise NotImplementedError.": true, "write sub as a stub, I'll fill it in": true, "Give me an empty function sub.": true,
		"subの中身をpassにして": true, "subをスタブにして": true, "subは空の関数にしておいて": true, "subの本体は空にして": true, "骨組みだけ作って": true,
		"Fix sub.": false, "No stubs, please.": false, "Implement the stubs in calc.py.": false, "Don't leave a stub.": false, "Replace the stub in sub with real code.": false, "make the tests pass": false, "Fix sub so that all tests pass.": false, "why is sub a stub?": false, "Fix it without placeholders.": false, "Never write `pass` there.": false, "pass b to sub": false, "Fill in each stub.": false,
		"スタブを実装して": false, "スタブにしないで直して": false, "スタブではなく実装して": false, "テストがpassするようにして": false,
	} {
		if state.AsksBare(said) != is {
			t.Errorf("%s: not %v", said, is)
		}
	}
}
