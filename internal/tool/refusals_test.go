package tool

import (
	"path/filepath"
	"strings"
	"testing"

	"nebula"
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

// What the person forbade is told as theirs, with no way around it; what only the box refuses still has its way.
func TestWhatThePersonForbadeHasNoWayAround(t *testing.T) {
	d, err := workspace.Open(t.TempDir(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	in := confine.Refusal{Kind: confine.Write, What: filepath.Join(d.Path(), "db", "a.txt")}
	out := confine.Refusal{Kind: confine.Write, What: "/home/u/.cache/x"}
	barred := func(f nebula.Target) bool { return strings.HasPrefix(f.Path, "db/") }
	for _, c := range []struct {
		refused   []confine.Refusal
		barred    func(nebula.Target) bool
		held, way bool
	}{{[]confine.Refusal{in}, barred, true, false}, {[]confine.Refusal{in}, nil, false, true}, {[]confine.Refusal{out}, barred, false, true}, {[]confine.Refusal{in, out}, barred, true, true}} {
		f := ended(t.Context(), d, workspace.Command{Barred: c.barred}, workspace.Exit{Code: 1, Refused: c.refused}, "en")
		notes := f.notes(Options{})
		if strings.Contains(notes, "no command changes them: db/a.txt") != c.held || strings.Contains(notes, "needs asks") != c.way {
			t.Errorf("%v: %s", c.refused, notes)
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

// A file that was empty for a command, since nobody is to read it, is told where the command could have meant it.
func TestWhatWasEmptyIsToldWhereItMatters(t *testing.T) {
	for line, want := range map[string]string{
		"cat db/x.txt": "db/x.txt", "cat ./db/*": "db/x.txt", "grep -r blue db": "db/x.txt", "grep -r blue ./db/": "db/x.txt", "sort <db/x.txt": "db/x.txt", "cat 'secret/a'": "secret", "echo; cat sec*": "secret", "cat */s.txt": "secret",
		"go test ./...": "", "ls *.go": "", "grep -r blue src": "", "make": "",
	} {
		f := finished{lang: "en", line: line, exit: workspace.Exit{Unread: []string{"db/x.txt", "secret"}}}
		notes := f.notes(Options{})
		if told := strings.Contains(notes, "[empty for it"); told != (want != "") || !strings.Contains(notes, want) {
			t.Errorf("%s: %q", line, notes)
		}
	}
	f := finished{lang: "en", line: "make", exit: workspace.Exit{Unread: []string{"db/x.txt"}, Output: []byte("reading db/x.txt: it is empty")}}
	if notes := f.notes(Options{}); !strings.Contains(notes, "[empty for it") {
		t.Errorf("%q", notes)
	}
}
