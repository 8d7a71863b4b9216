package protocol

import (
	"fmt"
	"strings"
	"testing"

	"nebula"
)

// BenchmarkBesideACall weighs the words beside a call, 10 KB of English.
func BenchmarkBesideACall(t *testing.B) {
	const part = "I looked at the parser first, since the error came from there. The loop in `lex.go` ends one token too early, because the bound is " +
		"taken before the buffer is filled.\n\n- The scanner keeps its place in `pos`, which is reset by `next()`.\n- Callers pass a slice, so nothing is copied.\n" +
		"The fix changes the bound and leaves the signature as it is. Tests for empty input are in the table of `lex_test.go`, with one case for each kind of token.\n\n"
	var b strings.Builder
	for n := 0; b.Len() < 10<<10; n++ { // no sentence stands there twice
		b.WriteString(strings.NewReplacer(".", fmt.Sprintf(" %d.", n)).Replace(part))
	}
	say := b.String()
	args := `{"path":"lex.go","edits":[{"old":"x","new":"y"}]}`
	for t.Loop() {
		in := nebula.Intent{Say: say, Actions: []nebula.Action{{Tool: "patchFile", Args: []byte(args), Reason: "fix"}}}
		Settle(nebula.Reply{Parts: nebula.PartsOf("", say, nebula.Call{ID: "1", Name: "patchFile", Arguments: args})}, &in)
	}
}
