package tool_test

import (
	"encoding/json"
	"slices"
	"testing"

	"nebula"
	"nebula/internal/tool"
)

// Leaving the box is a risk of its own, which is not there where everything is allowed, and nothing to ask for where
// commands have no box.
func TestLeavingTheBoxIsSaid(t *testing.T) {
	needShell(t)
	for _, tt := range []struct {
		boxed, free bool
		args        args
		want        bool
	}{
		{true, false, args{"command": "ls"}, false},
		{true, false, args{"command": "ls", "outside": true}, true},
		{true, true, args{"command": "ls", "outside": true}, false},
	} {
		f := newFolder(t, tool.Options{Boxed: tt.boxed}, nil)
		v := f.view()
		v.Free = tt.free
		raw, err := json.Marshal(tt.args)
		if err != nil {
			t.Fatal(err)
		}
		p, err := f.tool("executeShell").Propose(t.Context(), nebula.Action{ID: "a1", Tool: "executeShell", Args: raw}, v)
		if err != nil || slices.Contains(p.Risks, nebula.Unconfined) != tt.want {
			t.Errorf("%+v: %q %v", tt, p.Risks, err)
		}
	}
	spec := newFolder(t, tool.Options{}, nil).tool("executeShell").Spec()
	if slices.ContainsFunc(spec.Params, func(p nebula.Param) bool { return p.Name == "outside" }) {
		t.Error("it can be asked for without a box")
	}
}

// What a command asks to be let out of its box for is named, each for itself, and allowed once is not allowed for more.
func TestEachPermissionIsNamed(t *testing.T) {
	needShell(t)
	f := newFolder(t, tool.Options{Boxed: true}, nil)
	out := t.TempDir()
	propose := func(needs string) (nebula.Proposal, error) {
		raw, err := json.Marshal(args{"command": "fetch", "needs": needs})
		if err != nil {
			t.Fatal(err)
		}
		return f.tool("executeShell").Propose(t.Context(), nebula.Action{ID: "a1", Tool: "executeShell", Args: raw}, f.view())
	}
	p, err := propose("Example.org:443, " + out + ", read " + out)
	want := []string{string(nebula.NewCode(nebula.Reaches, "example.org:443")), string(nebula.NewCode(nebula.Changes, out)), string(nebula.NewCode(nebula.Reads, out))}
	if err != nil || !slices.Equal(p.Risks, want) {
		t.Errorf("%q %v", p.Risks, err)
	}
	if less, err := propose("example.org:443"); err != nil || less.Key() == p.Key() {
		t.Errorf("%q %v", less.Key(), err)
	}
	for _, bad := range []string{"example.org", "example.org:0", "*.org:443", "/nowhere/at/all", "../x", out + "/../x", "read example.org:443", "a b:443", "a.b:99999", "a.b:-1", "169.254.169.254:80", "100.100.100.200:80", "224.0.0.1:80"} {
		if _, err := propose(bad); err == nil {
			t.Errorf("%q was taken", bad)
		}
	}
}
