package dialect

import (
	"strings"
	"testing"

	"nebula"
	"nebula/internal/language"
	"nebula/internal/nebulatest"
)

func TestWhatADocumentSaysOfItselfCounts(t *testing.T) {
	const action = `{"operation":"deleteFile","args":{"path":"hi.py"}%}`
	list := func(field string) string { return `"actions":[` + strings.Replace(action, "%", field, 1) + `]` }
	for _, c := range []struct {
		text string
		asks bool
	}{
		{`{"next_step":"defer",` + list("") + `}`, true},
		{`{` + list(`,"status":"cancelled"`) + `}`, true},
		{`{` + list(`,"status":"skipped"`) + `}`, true},
		{`{` + list(`,"status":"pending"`) + `}`, true},
		{`{` + list(`,"skip":true`) + `}`, true},
		{`{` + list(`,"dry_run":true`) + `}`, true},
		{`{"say":"I will not delete hi.py.",` + list("") + `}`, true},
		{`{"say":"Shall I delete hi.py?",` + list("") + `}`, true},
		{`{"say":"hi.py は削除しません。",` + list("") + `}`, true},
		{`{"say":"I won't touch hi.py.",` + list("") + `}`, true},
		{`{"say":"hi.py is broken, but I cannot delete hi.py.",` + list("") + `}`, true},
		{`{"say":"hi.py の削除はできません。",` + list("") + `}`, true},
		{`{"say":"hi.py does not compile, and nothing uses it.",` + list("") + `}`, false},
		{`{"say":"hi.py is not needed any more.",` + list("") + `}`, false},
		{`{"say":"hi.py cannot be imported: it is a leftover. It goes.",` + list("") + `}`, false},
		{`{"say":"hi.py never ran in CI.",` + list("") + `}`, false},
		{`{"say":"hi.py は動作しません。消します。",` + list("") + `}`, false},
		{`{"say":"I delete hi.py.","next_step":"continue",` + list("") + `}`, false},
		{`{"say":"The tests are not run yet. I tidy up.",` + list(`,"skip":false`) + `}`, false},
	} {
		p, _ := language.Named("actionlist")
		in := Decode(nebula.Reply{Parts: nebula.Text(c.text), Finish: "stop"}, p.Protocol, nebulatest.Specs())
		if len(in.Actions) != 1 || unasked(in) == c.asks {
			t.Errorf("%s: %+v %+v", c.text, in.Actions, in.Problems)
		}
	}
}
