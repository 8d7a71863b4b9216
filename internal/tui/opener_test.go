package tui

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"nebula"
	"nebula/internal/terminal"
)

func TestNamesOpenWhatTheyAre(t *testing.T) {
	long := "https://example.org/" + strings.Repeat("a-long-path/", 12) + "end"
	link := func(to, text string) string { return "\x1b]8;;" + to + "\x1b\\" + text + "\x1b]8;;\x1b\\" }
	a, _ := played(t, "en", 60, nebula.Submitted{Turn: 1, Text: "see https://example.org/x."}, nebula.Requested{},
		nebula.Replied{Intent: nebula.Intent{Say: "In `api/limiter.go:41`, and [here](https://example.org/y); not localhost.dev:80 nor https://.\n\n" + long + " ends"}})
	dir := t.TempDir()
	put(t, dir, "api/limiter.go", 0o644)
	a.opens = opener{true, "box", dir}
	var rows []string
	for i := range a.view.blocks {
		rows = append(rows, a.rowsOf(i)...)
	}
	got := strings.Join(rows, "\n")
	for _, want := range []string{link("https://example.org/x", "https://example.org/x") + ".", link("file://box"+dir+"/api/limiter.go#41", "api/limiter.go:41"), "here (" + link("https://example.org/y", "https://example.org/y")} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in %q", want, got)
		}
	}
	if n := strings.Count(got, "\x1b]8;;"+long+"\x1b\\"); n != 3 {
		t.Errorf("a name that is broken opens the whole in %d rows:\n%q", n, got)
	}
	if strings.Contains(got, ";localhost") || strings.Count(got, "\x1b]8;;\x1b\\") != 6 {
		t.Errorf("%q", got)
	}
	for _, r := range rows {
		if terminal.Bare(r) > 60 || strings.Contains(terminal.Unpainted(r), "\x1b") {
			t.Errorf("%q does not fit", r)
		}
	}
	a.opens = opener{}
	a.look.generation++
	if plain := strings.Join(a.rowsOf(0), ""); strings.Contains(plain, "\x1b]8") {
		t.Errorf("%q for a terminal that takes none", plain)
	}
}

// What a link leads to that is no plain address leads nowhere, and a foreign link is seen, not obeyed.
func TestNoLinkIsSmuggled(t *testing.T) {
	if got := terminal.Hyperlink("https://x/\x1b\\evil", "x"); got != "x" {
		t.Errorf("%q", got)
	}
	a, text := played(t, "en", 60, nebula.Submitted{Turn: 1, Text: "\x1b]8;;https://evil.example\x1b\\safe\x1b]8;;\x1b\\"})
	a.opens = opener{true, "box", "/work"}
	if got := text(); strings.Contains(got, "\x1b]8;;https://evil.example\x1b\\safe") || !strings.Contains(got, "␛]8;;") {
		t.Errorf("%q", got)
	}
}

func put(t *testing.T, dir, file string, mode os.FileMode) {
	t.Helper()
	full := filepath.Join(dir, file)
	if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(full, nil, mode); err != nil {
		t.Fatal(err)
	}
}

// A click on the name of a file opens what is there to be read: nothing that could be run, that lies elsewhere, or that holds secrets.
func TestAClickOnAFileRunsNothing(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"run.command", "x.desktop", "u.inetloc", "v.url", "y.html", "server.pem", "a.txt", "sub/b.go", "out/secrets.yaml"} {
		put(t, dir, name, 0o644)
	}
	put(t, dir, "made.py", 0o755)
	for link, to := range map[string]string{"l.txt": "/etc/passwd", "m.txt": "a.txt", "away": "/etc", "in": "sub"} {
		if err := os.Symlink(to, filepath.Join(dir, link)); err != nil {
			t.Skip(err)
		}
	}
	o := opener{true, "box", dir}
	for name, want := range map[string]bool{
		"a.txt:1": true, "sub/b.go:2": true, "./a.txt:1": true, dir + "/a.txt:1": true,
		"run.command:1": false, "x.desktop:2": false, "u.inetloc:1": false, "v.url:1": false, "y.html:1": false, "server.pem:1": false, "out/secrets.yaml:1": false,
		"made.py:1": false, "l.txt:1": false, "m.txt:1": false, "in/b.go:1": false, "none.go:1": false, "sub:1": false,
		"../a.txt:1": false, "/etc/hosts.txt:1": false, "sub/../../x.txt:1": false,
	} {
		if got := o.address(name) != ""; got != want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
