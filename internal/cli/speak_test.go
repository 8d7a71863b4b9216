package cli

import (
	"testing"

	"nebula"
)

func TestBestIsWhatWasReadWithoutAGuess(t *testing.T) {
	spoken := func(protocol, dialect string, replies, good, tokens int) nebula.Spoken {
		return nebula.Spoken{Protocol: protocol, Dialect: dialect, Replies: replies, Strict: good, Actions: replies, Tokens: tokens * replies}
	}
	for name, c := range map[string]struct {
		list []nebula.Spoken
		want string
	}{
		"no record":         {nil, "auto"},
		"too short":         {[]nebula.Spoken{spoken("dml", "", 4, 4, 10)}, "auto"},
		"one":               {[]nebula.Spoken{spoken("dml", "", 5, 1, 10)}, "dml"},
		"the better":        {[]nebula.Spoken{spoken("symops", "", 10, 6, 10), spoken("dml", "", 10, 9, 50)}, "dml"},
		"equal, cheaper":    {[]nebula.Spoken{spoken("symops", "", 100, 99, 50), spoken("actionlist", "", 100, 98, 20)}, "actionlist"},
		"another dialect":   {[]nebula.Spoken{spoken("symops", "", 10, 2, 10), spoken("symops", "actionlist", 10, 9, 20)}, "actionlist"},
		"native is no text": {[]nebula.Spoken{spoken("toolcall", "", 10, 10, 10)}, "auto"},
	} {
		if got := best(c.list); got != c.want {
			t.Errorf("%s: %s, not %s", name, got, c.want)
		}
	}
}

// What an approved plan covers, and what nobody is there for, was asked of nobody.
func TestOnlyWhatThePersonAnsweredWasAsked(t *testing.T) {
	all := approvals{}
	for _, e := range []entry{
		{Tool: "patchFile", ruling: ruling{Answer: nebula.Yes, By: "plan p"}}, {Tool: "executeShell", ruling: ruling{Answer: nebula.No, By: "nobody"}},
		{Tool: "executeShell", ruling: ruling{Answer: nebula.Yes, By: "person"}}, {Tool: "readFile", ruling: ruling{Verdict: "allow"}},
	} {
		all.add(e)
	}
	if all.Actions != 4 || all.Asked != 1 || all.Policy["allow"] != 2 || all.Policy["deny"] != 1 || all.Kinds["patchFile"] != nil {
		t.Errorf("%+v", all)
	}
}
