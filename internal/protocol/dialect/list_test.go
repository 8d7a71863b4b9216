package dialect

import (
	"strings"
	"testing"

	"nebula"
	"nebula/internal/language"
	"nebula/internal/nebulatest"
)

// TestWhatIsSaidOfAListIsSaidOfAllOfIt holds two or three actions to the words above or below them.
func TestWhatIsSaidOfAListIsSaidOfAllOfIt(t *testing.T) {
	count := func(p nebula.Protocol, dress string) (plain, all int) {
		text := strings.NewReplacer("%1", deletions[p.Name()], "%2", strings.Replace(deletions[p.Name()], "x.go", "y.go", 1), "%3", strings.Replace(deletions[p.Name()], "x.go", "z.go", 1)).Replace(dress)
		in := Decode(nebula.Reply{Parts: nebula.Text(text), Finish: "stop"}, p, nebulatest.Specs())
		for _, a := range in.Actions {
			if !a.Inferred && a.Problem == "" {
				plain++
			}
		}
		return plain, len(in.Actions)
	}
	for _, row := range language.All() {
		p := row.Protocol
		if p.Name() == "toolcall" || p.Name() == "actionlist" { // one document is one action's place
			continue
		}
		for _, dress := range []string{
			"Here's my plan:\n1. %1\n2. %2\n3. %3\n", "計画は次の通りです:\n1. %1\n2. %2\n", "The commands would be:\n%1\n%2\n", "For example:\n\n%1\n\n%2\n", "%1\nor\n%2\n", "%1\nまたは\n%2\n",
			"## Example\n%1\n%2\n%3\n", "Previously I ran:\n- %1\n- %2\n", "%1\n%2\nShall I proceed?\n", "例えば:\n%1\n%2\n", "Do not run these:\n%1\n%2\n",
		} {
			if plain, _ := count(p, dress); plain > 0 {
				t.Errorf("%s: of %q %d run", p.Name(), dress, plain)
			}
		}
		for _, dress := range []string{
			"I remove them:\n%1\n%2\n", "Next:\n1. %1\n2. %2\n", "次のファイルを削除します:\n%1\n%2\n",
		} {
			if plain, all := count(p, dress); plain != all || all != 2 {
				t.Errorf("%s: of %q %d of %d run", p.Name(), dress, plain, all)
			}
		}
		for _, dress := range []string{"For example:\n%1\n\nI now delete this one:\n%2\n"} {
			if plain, _ := count(p, dress); plain != 1 {
				t.Errorf("%s: of %q %d run", p.Name(), dress, plain)
			}
		}
	}
}
