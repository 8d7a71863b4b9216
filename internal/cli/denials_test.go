package cli

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"nebula"
	"nebula/internal/tool"
)

// Of settings that forbid something all holds that can be read of them, and the rest is said with its line.
func TestWhatCanBeReadOfDenialsHolds(t *testing.T) {
	for _, c := range []struct {
		text  string
		rules int
		says  string
	}{
		{`{"permissions":{"deny":["Read(./a.md)","WebFetch"],"allow":["Read(./b.md)"]}}`, 2, ""},
		{"{\"permissions\":{\"deny\":[\n3,\n\"Read(./a.md)\"]}}", 1, "settings.json:2: what is no text"},
		{`{"permissions":{"deny":"Read(./a.md)"}}`, 1, ""},
		{`{"Permissions":{"Deny":["Read(./a.md)"]}}`, 1, ""},
		{`{"permissions":{"deny":["Read(./a.md)"]`, 1, "settings.json:1:"},
		{"{\"permissions\":{\"deny\":[\"Read(./a.md)\"]}}\nx", 1, "settings.json:2:"},
		{`{"permissions":{"deny":["Read(./a.md)",{"x":["Read(./b.md)"]},null]}}`, 1, "settings.json:1: what is no text"},
		{`{"x":"` + strings.Repeat("a", 3<<20) + `","permissions":{"deny":["Read(./a.md)"]}}`, 1, "up to 1 MB"},
		{"\xef\xbb\xbf{\n// no\n\"permissions\":{\"deny\":[\"Read(./a.md)\",],}}", 1, ""},
		{`{"permissions":{"deny":["Nonsense(x)"]}}`, 1, "settings.json: Nonsense(x) in permissions.deny names no tool"},
		{`{"permissions":{"deny":["Bsh(rm:*)"]}}`, 1, "settings.json: Bsh(rm:*) in permissions.deny"},
		{`{"permissions":{"deny":["Bash(rm:*)","mcp__x__*","WebSearch","Web*","executeShell","read(./x)"," Read( ./a.txt )"]}}`, 7, ""},
		{`{"permissions":{"deny":["Read(*.{txt,md})"]}}`, 3, ""},
		{`{"deny":["Read(./a.md)"],"x":{"permissions":{"deny":["Read(./a.md)"]}}}`, 0, ""},
	} {
		dir := t.TempDir()
		if err := os.Mkdir(filepath.Join(dir, ".claude"), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, ".claude", "settings.json"), []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		root, err := os.OpenRoot(dir)
		if err != nil {
			t.Fatal(err)
		}
		defer root.Close()
		hooks, bars := (&denied{dir: dir}).now(dir)
		left := append(damaged(root), undenied(root)...)
		said := slices.ContainsFunc(left, func(w nebula.Words) bool { return strings.Contains(w.String(), c.says) })
		if len(hooks)+len(bars) != c.rules || (c.says == "") != (len(left) == 0) || c.says != "" && !said {
			t.Errorf("%.80s: %d rules, says %v", c.text, len(hooks)+len(bars), left)
		}
	}
}

// What settings forbade holds in the order in which it was first seen when they no longer say so, in every session of the folder and in copies of it.
func TestWhatWasForbiddenHolds(t *testing.T) {
	dir, copied := t.TempDir(), t.TempDir()
	lay(t, filepath.Join(copied, "a.md"), "x")
	d := denied{dir: dir}
	for i, c := range []struct{ text, hooks, bars string }{
		{`{"permissions":{"deny":["WebFetch","Read(./b.md)","Read(./a.md)"]}}`, "WebFetch", "/b.md /a.md"},
		{`{"permissions":{"deny":["Read(./a.md)","Bash(make x)"]}}`, "WebFetch Bash(make x)", "/b.md /a.md"},
		{`{`, "WebFetch Bash(make x)", "/b.md /a.md"},
		{``, "WebFetch Bash(make x)", "/b.md /a.md"},
		{`{"permissions":{"deny":["Read(//` + strings.TrimPrefix(dir, "/") + `/c.md)"]}}`, "WebFetch Bash(make x)", "/b.md /a.md /c.md"},
	} {
		lay(t, filepath.Join(dir, ".claude", "settings.json"), c.text)
		for _, at := range []string{dir, copied} {
			var hooks, bars []string
			list, held := d.now(at)
			for _, h := range list {
				hooks = append(hooks, h.If)
			}
			for _, b := range held {
				bars = append(bars, b.Of)
			}
			if strings.Join(hooks, " ") != c.hooks || strings.Join(bars, " ") != c.bars {
				t.Errorf("%d: %q, %q", i, hooks, bars)
			}
		}
	}
}

// A rule may name a whole server.
func TestAServerIsForbiddenByItsName(t *testing.T) {
	a := nebula.Action{Tool: "useTool", Args: []byte(`{"tool":"notes.look"}`)}
	for rule, want := range map[string]bool{"mcp__notes": true, "mcp__notes__look": true, "mcp__note": false} {
		if got := tool.Forbidden(rule, hookNames(a), started, a); got != want {
			t.Errorf("%s: %v (%q)", rule, got, hookNames(a))
		}
	}
}

// What the settings of the repository that the folder lies in forbid holds in it, and those above the repository say nothing here.
func TestWhatIsForbiddenAboveHolds(t *testing.T) {
	outer := t.TempDir()
	top := filepath.Join(outer, "top")
	dir := filepath.Join(top, "a", "sub")
	lay(t, filepath.Join(dir, "x.md"), "x")
	lay(t, filepath.Join(top, ".git", "HEAD"), "ref: refs/heads/main")
	lay(t, filepath.Join(outer, ".claude", "settings.json"), `{"permissions":{"deny":["Bash(dd:*)"]}}`)
	lay(t, filepath.Join(top, "a", ".claude", "settings.local.json"), `{"permissions":{"deny":["Edit(sub/x.md)"]}}`)
	s := &session{dir: dir}
	d := &denied{dir: dir}
	if denies := s.denies(d); denies == nil || len(denies()) != 1 || denies()[0].Paths[0] != "/x.md" {
		t.Errorf("%+v", d)
	}
	lay(t, filepath.Join(top, ".claude", "settings.json"), `{"permissions":{"deny":["Bash(rm:*)", "WebFetch", "Edit(a/**)"]}}`)
	hooks, bars := d.now(dir)
	if len(hooks) != 1 || hooks[0].If != "WebFetch" || len(bars) != 3 || bars[1].Of != "rm" || bars[2].Paths[0] != "/**" {
		t.Errorf("%+v %+v", hooks, bars)
	}
	if s := (&session{dir: outer}); s.denies(&denied{dir: filepath.Dir(top)}) == nil {
		t.Error("its own are not seen")
	}
}

// A folder's name is one cell of one row, whatever signs are in it.
func TestTheSignsOfAFoldersNameReachNoTerminal(t *testing.T) {
	var out bytes.Buffer
	p := &program{out: &out, err: &out}
	info := nebula.SessionInfo{ID: "s1", Dir: "/w/pr\x1b[2J\u202ea\nb", Title: "t"}
	if err := errors.Join((&listing{program: p, all: true}).write([]nebula.SessionInfo{info}), (&searching{program: p}).write(found{SessionInfo: info}, nil)); err != nil {
		t.Fatal(err)
	}
	if text := out.String(); strings.ContainsAny(text, "\x1b\u202e") || strings.Count(text, "\n") != 2 || strings.Count(text, "/w/pr") != 2 {
		t.Errorf("%q", text)
	}
}

// A rule that leads to the folder by the person's home holds there.
func TestADenialByTheHomeHolds(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HOME", home)
	dir := filepath.Join(home, "p")
	lay(t, filepath.Join(dir, ".claude", "settings.json"), `{"permissions":{"deny":["Read(~/../`+filepath.Base(home)+`/p/private/**)","Read(~/.ssh/**)","Bash(~/x:*)"]}}`)
	_, bars := (&denied{dir: dir}).now(dir)
	if len(bars) != 2 || bars[0].Of != "/private" || bars[1].Of != "~/x" {
		t.Errorf("%+v", bars)
	}
}
