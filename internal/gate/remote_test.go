package gate

import (
	"slices"
	"strings"
	"testing"

	"nebula"
)

func asks(name, args string, risks ...string) nebula.Proposal {
	return nebula.Proposal{
		Action: nebula.Action{ID: "a1", Tool: "other"}, Effect: nebula.Execute, Risks: append([]string{nebula.Foreign}, risks...),
		Remote: &nebula.Remote{Name: name, Args: []byte(args)},
	}
}

func TestWhatAnotherProgramIsToDoIsJudgedLikeACommand(t *testing.T) {
	for _, c := range []struct {
		name  string
		rules Rules
		p     nebula.Proposal
		want  nebula.Ruling
	}{
		{"asks", Rules{Mode: nebula.AgentMode, Approve: Ask}, asks("s.t", "{}"), nebula.AskFirst},
		{"leave to edit is none", Rules{Mode: nebula.AgentMode, Approve: Edits}, asks("s.t", "{}"), nebula.AskFirst},
		{"nobody is there", Rules{Mode: nebula.AgentMode, Approve: None}, asks("s.t", "{}"), nebula.Deny},
		{"plan mode", Rules{Mode: nebula.PlanMode, Approve: All}, asks("s.t", "{}"), nebula.Deny},
		{"all", Rules{Mode: nebula.AgentMode, Approve: All}, asks("s.t", "{}"), nebula.Allow},
		{"its server changed its word", Rules{Mode: nebula.AgentMode, Approve: All}, asks("s.t", "{}", nebula.Redefined), nebula.AskFirst},
	} {
		if v := Judge(c.rules, c.p); v.Ruling != c.want {
			t.Errorf("%s: %q, want %q", c.name, v.Ruling, c.want)
		}
	}
}

func TestAlwaysHoldsForOneToolOfOneServer(t *testing.T) {
	said := asks("s.t", `{"a":1}`)
	r := Rules{Mode: nebula.AgentMode, Approve: Ask, Approved: map[string]int64{said.Key(): 1}}
	if v := Judge(r, asks("s.t", `{"a":2}`)); v.Ruling != nebula.Allow {
		t.Errorf("the same tool asks again: %+v", v)
	}
	for _, p := range []nebula.Proposal{asks("s.other", `{"a":1}`), asks("other.t", `{"a":1}`), asks("s.t", `{"a":1}`, nebula.Redefined)} {
		if v := Judge(r, p); v.Ruling != nebula.AskFirst {
			t.Errorf("%s %v: %+v", p.Remote.Name, p.Risks, v)
		}
	}
	if !Lasts(said, nil) || Lasts(asks("s.t", "{}", nebula.Redefined), []Danger{Redefined}) {
		t.Error("an always is offered where it does not hold, or is not where it does")
	}
}

func TestRefusedIsRefusedForTheSameArgumentsOnly(t *testing.T) {
	was := asks("s.t", `{"a":1}`)
	if !Again("/p", was, asks("s.t", `{"a":1}`)) || Again("/p", was, asks("s.t", `{"a":2}`)) || Again("/p", was, asks("s.u", `{"a":1}`)) {
		t.Error("what was refused is not known by what it is")
	}
}

func TestAServersWordOnlyTightens(t *testing.T) {
	calm, ruins := Judge(Rules{Mode: nebula.AgentMode}, asks("s.t", "{}")), Judge(Rules{Mode: nebula.AgentMode}, asks("s.t", "{}", nebula.Ruins))
	if calm.Risk != Medium || ruins.Risk != High || !Destructive(asks("s.t", "{}", nebula.Ruins)) {
		t.Errorf("%s %s", calm.Risk, ruins.Risk)
	}
	said := strings.Join(SayAll(Points(asks("s.t", "{}"), []Danger{Foreign}).Impact, "en"), "\n")
	if !strings.Contains(said, "what the server does cannot be undone") || !strings.Contains(said, "always = every further call of s.t") {
		t.Errorf("%s", said)
	}
	if slices.Contains(strings.Split(said, "\n"), "changes to the folder's files can be undone") {
		t.Errorf("%s", said)
	}
}
