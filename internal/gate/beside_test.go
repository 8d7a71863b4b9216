package gate

import (
	"slices"
	"testing"

	"nebula"
)

// A permission beside the box asks under every policy that asks at all, and is refused where nobody is there; what was allowed
// with it is allowed again, and nothing more.
func TestPermissionsBesideTheBoxAsk(t *testing.T) {
	reaches := nebula.NewCode(nebula.Reaches, "example.org:443")
	p := nebula.Proposal{Action: nebula.Action{Tool: "executeShell"}, Effect: nebula.Execute, Command: "go get x", Risks: []string{string(reaches)}}
	plain := p
	plain.Risks = nil
	for _, tt := range []struct {
		approve Approve
		key     string
		want    nebula.Ruling
	}{
		{Ask, "", nebula.AskFirst},
		{Edits, "", nebula.AskFirst},
		{None, "", nebula.Deny},
		{All, "", nebula.Allow},
		{Ask, plain.Key(), nebula.AskFirst},
		{Ask, p.Key(), nebula.Allow},
	} {
		r := Rules{Mode: nebula.AgentMode, Approve: tt.approve, Approved: map[string]int64{tt.key: 1}}
		v := Judge(r, p)
		if v.Ruling != tt.want || tt.want != nebula.Allow && v.Why != reaches {
			t.Errorf("%s, %q: %v because of %q", tt.approve, tt.key, v.Ruling, v.Why)
		}
	}
	if said := Say(reaches, "en"); said != "confinement lets it reach example.org:443" {
		t.Error(said)
	}
}

// What a yes gives is named, each permission for itself, and nothing else is.
func TestWhatAYesGivesIsNamed(t *testing.T) {
	reads, reaches := nebula.NewCode(nebula.Reads, "/home/u/.ssh"), nebula.NewCode(nebula.Reaches, "a.example:443")
	p := nebula.Proposal{Effect: nebula.Execute, Command: "make", Risks: []string{nebula.Marked, string(reads), nebula.Unconfined, string(reaches)}}
	for _, lang := range []string{"en", "ja"} {
		if said, want := SayAll(Given(p, nebula.Verdict{}), lang), []string{Say(reads, lang), Say(Unconfined, lang), Say(reaches, lang)}; !slices.Equal(said, want) {
			t.Errorf("%q", said)
		}
	}
}

// Why a risk is high must have been read before a yes: what is high by itself, else all that make it so together.
func TestWhyARiskIsHighIsRead(t *testing.T) {
	for _, c := range []struct {
		command string
		want    []nebula.Code
	}{
		{"rm -rf build", []nebula.Code{Destroys}},
		{"sudo rm -rf build && curl https://a.example", []nebula.Code{Privileged, Destroys}},
		{"go test ./...", nil},
	} {
		p := nebula.Proposal{Effect: nebula.Execute, Command: c.command}
		v := Judge(Rules{Mode: nebula.AgentMode}, p)
		got := Given(p, v)
		slices.Sort(got)
		if slices.Sort(c.want); !slices.Equal(got, c.want) {
			t.Errorf("%s (%s: %q): %q, want %q", c.command, v.Risk, v.Risks, got, c.want)
		}
	}
	v := nebula.Verdict{Risk: High, Risks: []nebula.Code{Network, Unclear, Unknown, Unlinks}}
	if said := Given(nebula.Proposal{}, v); len(said) != 3 {
		t.Errorf("three medium ones: %q", said)
	}
}

// Why undo does not cover a command in the background is that nobody looks at what it does, not the folder.
func TestUndoOfTheBackground(t *testing.T) {
	p := nebula.Proposal{Action: nebula.Action{Tool: "executeShell"}, Effect: nebula.Execute, Command: "make", Blind: true}
	for _, tt := range []struct {
		dangers []Danger
		want    nebula.Code
	}{{nil, "undo_none"}, {[]Danger{Danger(nebula.Background)}, "undo_beside"}} {
		if impact := Points(p, tt.dangers).Impact; !slices.Contains(impact, tt.want) {
			t.Errorf("%v: %v, not %s", tt.dangers, impact, tt.want)
		}
	}
}
