package tool

import (
	"strings"
	"testing"

	"nebula/internal/confine"
	"nebula/internal/workspace"
)

// What a box kept a command from is told where it may be the cause of its failure, and nowhere else.
func TestARefusalThatIsNoCauseIsNotTold(t *testing.T) {
	count := confine.Refusal{Kind: confine.Write, What: "/home/u/.config/go/telemetry/local/go@go1.26.count"}
	cache, host := confine.Refusal{Kind: confine.Write, What: "/home/u/.cache/x"}, confine.Refusal{Kind: confine.Connect, What: "example.org:443"}
	f := finished{exit: workspace.Exit{Code: 1, Refused: []confine.Refusal{count, cache}}}
	if notes := f.notes(Options{}); strings.Contains(notes, "telemetry") || !strings.Contains(notes, "/home/u/.cache/x") {
		t.Errorf("told: %q", notes)
	}
	f.exit.Refused = f.exit.Refused[:1]
	if notes := f.notes(Options{}); notes != "" {
		t.Errorf("told: %q", notes)
	}
	for output, want := range map[string]int{
		"--- FAIL: TestAdd (0.00s)\n    add_test.go:7: got 1, want 2":          0,
		"--- FAIL: TestSave (0.00s)\n    open /home/u/.cache/x: nothing to do": 1,
		"open /somewhere: read-only file system":                               2,
		"dial tcp: lookup example.org: no such host":                           2,
	} {
		if got := blamed([]confine.Refusal{cache, host}, output); len(got) != want {
			t.Errorf("%q: %v", output, got)
		}
	}
}

// How a command ended is not laid at the box's door where nothing that it printed says so.
func TestAFailureIsNotLaidAtTheBoxsDoor(t *testing.T) {
	for output, want := range map[string]bool{"vet: a.go:23:9: undefined: tru": false, "open /root/x: permission denied": true} {
		f := finished{lang: "en", exit: workspace.Exit{Code: 1, Output: []byte(output), Refused: []confine.Refusal{{Kind: confine.Write, What: "/root/.config/go/telemetry/x"}, {Kind: confine.Write, What: "/root/x"}}}}
		if got := f.effects("en"); strings.Contains(got, "confinement") != want || strings.Contains(got, "telemetry") {
			t.Errorf("%s: %q", output, got)
		}
	}
}
