package gate

import (
	"testing"

	"nebula"
)

// What reads a page asks for each host, in every mode, and what was allowed of one is not allowed of another.
func TestEachHostOfTheInternetIsAskedAbout(t *testing.T) {
	read := func(host string) nebula.Proposal {
		return nebula.Proposal{Action: nebula.Action{Tool: "fetch"}, Effect: nebula.Read, Remote: &nebula.Remote{Name: host}, Risks: []string{string(nebula.NewCode(nebula.Fetches, host))}}
	}
	for _, mode := range []nebula.Mode{nebula.PlanMode, nebula.AgentMode} {
		said := map[string]int64{read("a.org").Key(): 1}
		for _, c := range []struct {
			host    string
			approve Approve
			want    nebula.Ruling
		}{
			{"a.org", Ask, nebula.Allow}, {"b.org", Ask, nebula.AskFirst}, {"a.org:8443", Ask, nebula.AskFirst}, {"b.org", Edits, nebula.AskFirst}, {"b.org", None, nebula.Deny}, {"b.org", All, nebula.Allow},
		} {
			v := Judge(Rules{Mode: mode, Approve: c.approve, Approved: said}, read(c.host))
			if v.Ruling != c.want {
				t.Errorf("%s, %s, %s: %+v", mode, c.approve, c.host, v)
			}
			if c.want == nebula.Deny && !v.Missing {
				t.Errorf("nobody says that leave is missing: %+v", v)
			}
		}
	}
}
