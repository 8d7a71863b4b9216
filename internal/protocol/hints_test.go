package protocol_test

import (
	"regexp"
	"strings"
	"testing"

	"nebula"
	"nebula/internal/phrase"
	"nebula/internal/protocol"
	"nebula/internal/protocol/actionlist"
	"nebula/internal/protocol/dml"
	"nebula/internal/protocol/symops"
)

// What could not be read of a reply, and what to write instead, is said in the session's language.
func TestHintsAreSaidInTheSessionsLanguage(t *testing.T) {
	var words = regexp.MustCompile(`[A-Za-z]{2,} [A-Za-z]{2,} [A-Za-z]{2,}`)
	found := map[string]bool{}
	for reply, p := range map[string]nebula.Protocol{
		"--\nx\n--\n":                                               symops.Protocol{},
		"$ create\n--\nx\n--\n$ run @":                              symops.Protocol{},
		"T:readFile|a.go":                                           dml.Protocol{},
		"🦆▶️[T:readFile|a.go":                                       dml.Protocol{},
		"🦆▶️[T:|]◀️🦆":                                               dml.Protocol{},
		"```\nx\n🦆▶️[T:readFile|a.go]◀️🦆\n\n":                       dml.Protocol{},
		`{"actions":[{"operation":"readFile","args":{"path":"a.go"`: actionlist.Protocol{},
		`{"actions":[{"operation":"readFile","args":{"path":"a"}}],"actions":[{"operation":"list","args":{}}]}`: actionlist.Protocol{},
		`{"actions":[7]}`: actionlist.Protocol{},
	} {
		r := nebula.Reply{Parts: nebula.Text(reply)}
		in := p.Decode(r, []nebula.ToolSpec{{Name: "readFile"}, {Name: "createFile"}})
		if len(in.Problems) == 0 {
			t.Errorf("%q: nothing is wrong", reply)
		}
		for _, wrong := range in.Problems {
			hint := strings.TrimSpace(strings.TrimPrefix(phrase.Problem("ja", nebula.Problem{Hint: wrong.Hint}), " "))
			if found[wrong.Hint] = true; wrong.Hint != "" && (words.MatchString(hint) || !strings.Contains(protocol.Correction(r, in, "ja", written), strings.Join(strings.Fields(hint), " "))) {
				t.Errorf("%q: %q", reply, hint)
			}
			if en := phrase.Problem("en", wrong); en != wrong.Text+" "+wrong.Hint {
				t.Errorf("%q: %q", reply, en)
			}
		}
	}
	if len(found) < 6 {
		t.Errorf("%d hints", len(found))
	}
}
