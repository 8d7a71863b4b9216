package cli

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"html"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"nebula"
	"nebula/internal/demo"
	"nebula/internal/language"
	"nebula/internal/sqlite"
)

var updateTranscripts = flag.Bool("update", false, "write the demo's transcripts anew")

// TestDemoGoesTheSameWayInEveryProtocol plays the demo from its first word to its last and compares everything that
// happened with one transcript for each language. It runs the sample's real tests.
func TestDemoGoesTheSameWayInEveryProtocol(t *testing.T) {
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("needs the go command")
	}
	keepEnvironment(t)
	for _, lang := range []string{"en", "ja"} {
		for i, protocol := range language.Names() {
			if testing.Short() && (i > 0 || lang != "en") {
				continue
			}
			t.Run(lang+"/"+protocol, func(t *testing.T) {
				var out strings.Builder
				d := stagedDemo(t, &out, lang, protocol)
				if err := d.run(t.Context()); err != nil {
					t.Fatalf("%v\n%s", err, out.String())
				}
				if strings.Contains(out.String(), "\x1b") {
					t.Error("escape sequences where there is no terminal")
				}
				for _, want := range []string{fmt.Sprintf(d.words.Intro, protocol), d.talk.Replies[len(d.talk.Replies)-1].Say, "@@ ", d.dir} {
					for l := range strings.SplitSeq(want, "\n") {
						if !strings.Contains(flat(out.String()), flat(l)) {
							t.Errorf("%q is not shown in\n%s", l, out.String())
						}
					}
				}
				compareTranscript(t, lang, transcript(t, d))
			})
		}
	}
}

// TestDemoIsPlayedOnTheScreen watches it in a terminal to its end, asks something else, and leaves.
func TestDemoIsPlayedOnTheScreen(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a terminal")
	}
	for _, tool := range []string{"tmux", "go"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skip("needs", tool)
		}
	}
	for lang, protocol := range map[string]string{"en": "toolcall", "ja": "symops"} {
		t.Run(lang, func(t *testing.T) {
			t.Parallel()
			b, words := newBed(t), demoWordsFor(lang)
			m := tmux{t, fmt.Sprintf("nebula-demo-%d-%s", os.Getpid(), lang)}
			m.run("start-server", ";", "set", "-g", "default-terminal", "tmux-256color", ";", "new-session", "-d", "-x", "92", "-y", "40",
				"cd "+b.folder+"; env LC_ALL=C.UTF-8 TMPDIR="+t.TempDir()+" NEBULA_HOME="+b.home+" "+b.path+" demo --lang "+lang+" --protocol "+protocol+"; echo exit $?; sleep 100")
			t.Cleanup(func() { _ = exec.Command("tmux", "-L", m.name, "kill-server").Run() })
			m.waits(words.End)
			checkPicture(t, lang, m.run("capture-pane", "-p"))
			m.sends("and now?")
			m.waits(words.Else[:10])
			m.run("send-keys", "C-d")
			m.waits("exit 0")
			if screen := m.run("capture-pane", "-p"); !strings.Contains(screen, strings.SplitN(words.Passed, "\n", 2)[0]) || !strings.Contains(screen, "nebula-demo-") || strings.Contains(screen, "--continue") {
				t.Errorf("it ends with\n%s", screen)
			}
			if files, err := os.ReadDir(b.home); err != nil || len(files) > 0 {
				t.Errorf("%d files in the person's own home, %v", len(files), err)
			}
		})
	}
}

// checkPicture compares the picture of the documents with what the demo shows today, times and temporary folders aside.
func checkPicture(t *testing.T, lang, shown string) {
	t.Helper()
	file := filepath.Join("..", "..", "docs", map[string]string{"en": "demo.svg", "ja": "demo.ja.svg"}[lang])
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	varies := regexp.MustCompile(`(?: · )?[0-9.]+ (?:ms|min|s)\b|[0-9.]+|/tmp/\S*|/\S*nebula-demo-\S*|(?:ms|min|s)\b`)
	plain := func(s string) string { return flat(varies.ReplaceAllString(s, "")) }
	rows := map[string]string{}
	for _, m := range regexp.MustCompile(`<text x="[^"]*" y="([^"]*)"[^>]*>([^<]*)</text>`).FindAllStringSubmatch(string(data), -1) {
		rows[m[1]] += html.UnescapeString(m[2])
	}
	delete(rows, "20") // the window's title
	today := plain(shown)
	for _, row := range rows {
		if !strings.Contains(today, plain(row)) {
			t.Errorf("%s shows %q, which the demo does not say any more: docs/screen/make takes it again", file, row)
		}
	}
	if len(rows) < 20 {
		t.Errorf("%s has %d rows", file, len(rows))
	}
}

// keepEnvironment lets the demo change what it changes in the environment of its own process.
func keepEnvironment(t *testing.T) {
	for _, name := range []string{"GOFLAGS", "GOWORK", "GOTOOLCHAIN", "GOPROXY"} {
		t.Setenv(name, os.Getenv(name))
	}
	t.Setenv("TMPDIR", t.TempDir())
}

func stagedDemo(t *testing.T, out *strings.Builder, lang, protocol string) *show {
	t.Helper()
	p := &program{out: out, err: out, env: func(string) string { return "" }}
	d, err := p.newDemo(lang, protocol)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// flat is a text without the breaks and spaces that fitting it into lines made.
func flat(s string) string { return strings.Join(strings.Fields(s), "") }

// transcript is the demo's session, one event a line, without what differs from run to run or from protocol to protocol.
func transcript(t *testing.T, d *show) string {
	t.Helper()
	store, err := sqlite.Open(t.Context(), d.record, sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	list, err := store.Sessions(t.Context(), d.dir)
	if err != nil || len(list) != 1 {
		t.Fatalf("%d sessions, %v", len(list), err)
	}
	var b strings.Builder
	for e, err := range store.Load(context.Background(), list[0].ID) {
		if err != nil {
			t.Fatal(err)
		}
		if l := transcribed(e.Body); l != "" {
			fmt.Fprintf(&b, "%-9s %s\n", e.Body.Name(), strings.ReplaceAll(l, "\n", "\n          "))
		}
	}
	return b.String()
}

func transcribed(body nebula.Body) string {
	switch b := body.(type) {
	case nebula.Started:
		return fmt.Sprintf("%s, %s", b.Mode, b.Lang)
	case nebula.Submitted:
		return b.Text
	case nebula.Switched:
		return string(b.Mode)
	case nebula.Replied:
		return cmp.Or(b.Intent.Say, "…")
	case nebula.Proposed:
		return fmt.Sprintf("%s, %s: %s (%s)", b.Proposal.Action.Tool, b.Verdict.Ruling, b.Proposal.Summary, b.Proposal.Action.Reason)
	case nebula.Answered:
		return strings.TrimSpace(string(b.Answer) + " " + b.Text)
	case nebula.Finished:
		line := fmt.Sprintf("%s, %s: %s", b.Result.Tool, b.Result.Status, b.Result.Summary)
		for _, c := range b.Result.Changes {
			line += fmt.Sprintf(" [%s %s %.8s]", c.Kind, c.Path, c.After)
		}
		return line
	case nebula.Moved:
		return string(b.Refused)
	case nebula.Ended:
		return fmt.Sprintf("%s, %d files", b.Status, len(b.ChangedFiles))
	}
	return ""
}

func compareTranscript(t *testing.T, lang, got string) {
	t.Helper()
	file := filepath.Join("testdata", "demo."+lang+".txt")
	if *updateTranscripts {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("what happens is not what %s says (go test ./internal/cli -run Demo -update writes it anew):\n%s", file, firstDifference(got, string(want)))
	}
}

func firstDifference(got, want string) string {
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range max(len(g), len(w)) {
		if i >= len(g) || i >= len(w) || g[i] != w[i] {
			return fmt.Sprintf("line %d\n got %q\nwant %q", i+1, g[min(i, len(g)):min(i+1, len(g))], w[min(i, len(w)):min(i+1, len(w))])
		}
	}
	return ""
}

// TestDemoWithoutGoShowsWhatItCan takes the go command away.
func TestDemoWithoutGoShowsWhatItCan(t *testing.T) {
	keepEnvironment(t)
	t.Setenv("PATH", t.TempDir())
	for _, lang := range []string{"en", "ja"} {
		var out strings.Builder
		d := stagedDemo(t, &out, lang, "toolcall")
		err := d.run(t.Context())
		if code(err) != exitFailed || !strings.Contains(d.message(err), "https://go.dev/dl") {
			t.Errorf("%s: %d, %v", lang, code(err), err)
		}
		if !strings.Contains(out.String(), d.words.NoGo) || !strings.Contains(flat(out.String()), flat(d.talk.Replies[len(d.talk.Replies)-1].Say)) {
			t.Errorf("%s: not everything is shown:\n%s", lang, out.String())
		}
		for _, f := range demo.Attempt() {
			if data, err := os.ReadFile(filepath.Join(d.dir, filepath.FromSlash(f.Path))); err != nil || string(data) != f.Content {
				t.Errorf("%s: %s was not written", lang, f.Path)
			}
		}
	}
}

func TestDemoRefusesWhatThereIsNot(t *testing.T) {
	p := &program{env: func(string) string { return "" }}
	for _, c := range [][3]string{{"fr", "toolcall", "en, ja"}, {"en", "symop", "symops"}} {
		if _, err := p.newDemo(c[0], c[1]); code(err) != exitUsage || !strings.Contains(p.message(err), c[2]) {
			t.Errorf("%v: %v", c, err)
		}
	}
}
