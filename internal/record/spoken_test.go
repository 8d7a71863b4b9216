package record

import (
	"testing"

	"nebula"
)

// What nothing was read of counts as unread, whatever the reading was called that found nothing; what a person said counts for no model.
func TestRepliesAreCountedAsTheyWereRead(t *testing.T) {
	act, problem := []nebula.Action{{Tool: "readFile"}}, []nebula.Problem{{Text: "could not be read"}}
	of := func(s nebula.Strategy, actions []nebula.Action, problems []nebula.Problem) nebula.Replied {
		return nebula.Replied{Protocol: "dml", Intent: nebula.Intent{Strategy: s, Say: "x", Actions: actions, Problems: problems}, Reply: nebula.Reply{Usage: nebula.Usage{Output: 7}}}
	}
	for name, c := range map[string]struct {
		reply nebula.Replied
		want  nebula.Spoken
	}{
		"as taught":           {of(nebula.Strict, act, nil), nebula.Spoken{Strict: 1, Actions: 1, Tokens: 7}},
		"an answer":           {of(nebula.Strict, nil, nil), nebula.Spoken{Strict: 1}},
		"repaired":            {of(nebula.Repaired, act, nil), nebula.Spoken{Repaired: 1, Actions: 1, Tokens: 7}},
		"guessed":             {of(nebula.Inferred, act, nil), nebula.Spoken{Inferred: 1, Actions: 1, Tokens: 7}},
		"unread, as strict":   {of(nebula.Strict, nil, problem), nebula.Spoken{Failed: 1}},
		"unread, as repaired": {of(nebula.Repaired, nil, problem), nebula.Spoken{Failed: 1}},
		"unread, as a guess":  {of(nebula.Inferred, nil, problem), nebula.Spoken{Failed: 1}},
	} {
		c.want.Model, c.want.Protocol, c.want.Replies = "m", "dml", 1
		if got := spoke("m", c.reply); got == nil || *got != c.want {
			t.Errorf("%s: %+v, want %+v", name, got, c.want)
		}
		if c.reply.By = "person"; spoke("m", c.reply) != nil {
			t.Errorf("%s: what a person said is counted", name)
		}
	}
}
