//go:build !windows

package tui

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"nebula"
	"nebula/internal/terminal"
)

// A gnuScreen is a terminal that can draw ambiguous characters two columns wide.
type gnuScreen struct {
	t    *testing.T
	name string
	dir  string
}

func inScreen(t *testing.T, cjk string, env ...string) gnuScreen {
	t.Helper()
	if testing.Short() {
		t.Skip("needs a terminal")
	}
	if _, err := exec.LookPath("screen"); err != nil {
		t.Skip("needs GNU screen")
	}
	s := gnuScreen{t, fmt.Sprintf("nebula-%s-%d", cjk, os.Getpid()), t.TempDir()}
	if err := os.Chmod(s.dir, 0o700); err != nil {
		t.Fatal(err)
	}
	rc := filepath.Join(s.dir, "rc")
	if err := os.WriteFile(rc, []byte("defutf8 on\ndefencoding UTF-8\ncjkwidth "+cjk+"\nstartup_message off\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("screen", append([]string{"-c", rc, "-U", "-d", "-m", "-S", s.name, "env", "LC_ALL=C.UTF-8", "NEBULA_TUI_TERMINAL=ja"},
		append(env, os.Args[0], "-test.run=^TestInTerminal$")...)...)
	cmd.Env = append(os.Environ(), "LC_ALL=C.UTF-8", "SCREENDIR="+s.dir, "TERM=xterm-256color")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("screen: %v\n%s", err, out)
	}
	t.Cleanup(func() { _, _ = s.run("quit") })
	return s
}

func (s gnuScreen) run(args ...string) (string, error) {
	cmd := exec.Command("screen", append([]string{"-S", s.name, "-X"}, args...)...)
	cmd.Env = append(os.Environ(), "SCREENDIR="+s.dir)
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// cursor is where the next character would come, counted from 1; "" where the answer was lost, which happens.
func (s gnuScreen) cursor() string {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, "screen", "-S", s.name, "-Q", "info")
	cmd.Env = append(os.Environ(), "SCREENDIR="+s.dir)
	out, _ := cmd.CombinedOutput() // it has its own idea of failure
	at, _, _ := strings.Cut(string(out), "/")
	return at
}

// TestTerminalTellsItsAmbiguousWidth types characters that Unicode leaves open into terminals that draw them in one and
// in two columns, and looks where an input method would open its window.
func TestTerminalTellsItsAmbiguousWidth(t *testing.T) {
	for name, c := range map[string]struct{ cjk, setting, cursor string }{
		"asked, wide": {"on", "auto", "(13,22)"}, "asked, narrow": {"off", "auto", "(10,22)"}, "set, wide": {"on", "wide", "(13,22)"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := inScreen(t, c.cjk, "NEBULA_TUI_AMBIGUOUS="+c.setting)
			s.waits("(3,22)") // the line is empty
			if out, err := s.run("stuff", "※①α日本"); err != nil {
				t.Fatalf("%v: %s", err, out)
			}
			s.waits(c.cursor)
		})
	}
}

func (s gnuScreen) waits(cursor string) {
	s.t.Helper()
	at := ""
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(30 * time.Millisecond) {
		if at = s.cursor(); at == cursor {
			return
		}
	}
	s.t.Fatalf("cursor at %s, want %s", at, cursor)
}

// TestWideTerminalKeepsItsRows draws every view for a terminal in which ambiguous characters take two columns.
func TestWideTerminalKeepsItsRows(t *testing.T) {
	terminal.SetAmbiguous("wide", false)
	defer terminal.SetAmbiguous("narrow", false)
	half := 0.5
	v := newView(wordsFor("ja"))
	for _, b := range []nebula.Body{
		nebula.Submitted{Turn: 1, Text: "※①α…を直してください"},
		nebula.Streamed{Kind: "thought", Text: "考え中…\n二行目→"},
		nebula.Streamed{Kind: "text", Text: "# 見出し①\n- 一\n- 二…\n\n> 引用※\n\n```go\nx := 1 // ①②③ " + strings.Repeat("…", 50) + "\n```\n\n| 列① | n |\n|---|--:|\n| α | 12 |\n\n---\n"},
		nebula.Replied{Vitals: nebula.Vitals{Confidence: &half, Focus: &half}},
		nebula.Planned{Plan: nebula.Plan{ID: "p", Name: "計画①", Status: nebula.InProgress, Steps: []nebula.PlanStep{{ID: "a", Name: "段階…", Status: nebula.InProgress}}}},
		nebula.Queued{Ask: "a/1", Title: "段階…", Question: &nebula.Question{Text: "どれ？①②"}},
		nebula.Ended{Outcome: nebula.Outcome{Turn: 1}},
	} {
		v.fold(nebula.Event{At: noon, Body: b})
	}
	for _, width := range []int{24, 40, 80, 120} {
		d := drawer{words: wordsFor("ja"), style: styleFor(TrueColor, false), width: width}
		var rows []string
		for _, b := range v.blocks {
			b.open = true
			rows = append(rows, d.layout(b)...)
		}
		rows = append(rows, d.panel(v.Beside, 20, noon)...)
		rows = append(rows, d.diff(change("-var x = \"①\" // …", "+var y = \"②\" // …"))...)
		for _, r := range rows {
			if terminal.Bare(r) > width {
				t.Errorf("width %d: %q has %d columns", width, terminal.Unpainted(r), terminal.Bare(r))
			}
			if strings.ContainsAny(terminal.Unpainted(r), "─│█●▌") {
				t.Errorf("%q has lines that this terminal draws two columns wide", terminal.Unpainted(r))
			}
		}
	}
}
