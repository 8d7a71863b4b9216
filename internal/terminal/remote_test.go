package terminal

import (
	"strings"
	"testing"

	"nebula"
)

func TestWhatAnotherProgramIsAskedIsShownToTheLetter(t *testing.T) {
	p := nebula.Proposal{Effect: nebula.Execute, Remote: &nebula.Remote{Name: "files.write", Args: []byte(`{"path":"a\u202eb","text":"one\ntwo"}`)}}
	rows, firm := Decision(p, nil, 40, "en")
	var all []string
	for _, r := range rows {
		all = append(all, r.Text)
	}
	text := strings.Join(all, "\n")
	if firm != len(rows) || !strings.Contains(text, "files.write") || !strings.Contains(text, `"text": "one\ntwo"`) || strings.ContainsRune(text, '\u202e') {
		t.Errorf("%d of %d rows: %s", firm, len(rows), text)
	}
}
