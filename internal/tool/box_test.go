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
