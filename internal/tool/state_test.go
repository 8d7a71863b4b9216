package tool_test

import (
	"testing"

	"nebula"
	"nebula/internal/tool"
	"nebula/internal/workspace"
)

// What of a state has no effect is said, not dropped.
func TestStateThatIsNotTakenIsSaid(t *testing.T) {
	for args, want := range map[string]string{
		`{"goal":"g","next_step":"continue","prompt_pattern":"base_main"}`: "noted",
		`{"next_step":"write the tests"}`:                                  `noted; next_step "write the tests" was not taken: it is one of done, pending_user, defer, continue`,
		`{"prompt_pattern":"x"}`:                                           `noted; prompt_pattern "x" was not taken: it is one of base_main, base_main_specialized, base_specialized`,
	} {
		p, err := updating(t).Propose(t.Context(), nebula.Action{ID: "a1", Args: []byte(args)}, nebula.View{})
		if err != nil {
			t.Fatal(err)
		}
		if r, err := p.Do(t.Context(), nebula.Run{}); err != nil || r.Text != want {
			t.Errorf("%s: %q, %v", args, r.Text, err)
		}
	}
}

// updating is the tool that keeps the state.
func updating(t *testing.T) nebula.Tool {
	t.Helper()
	dir, err := workspace.Open(t.TempDir(), nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = dir.Close() })
	for _, one := range tool.All(dir, tool.Options{}) {
		if one.Spec().Effect == nebula.Update {
			return one
		}
	}
	t.Fatal("there is none")
	return nil
}
