package terminal

import (
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"nebula"
	"nebula/internal/nebulatest"
)

// read is a command again, from the rows that showed it: whoever reads them knows what runs.
func read(rows []Row) string {
	var lines []string
	for _, r := range rows {
		switch r.Kind {
		case '.':
			if r.Lead == further {
				continue
			}
			n, _ := strconv.Atoi(regexp.MustCompile(`\d+`).FindString(r.Text))
			for range n {
				lines = append(lines, lines[len(lines)-1])
			}
		case '$':
			if r.Lead == prompt {
				lines = append(lines, "")
			}
			lines[len(lines)-1] += r.Text
		}
	}
	return nebulatest.Unshown(strings.Join(lines, "\n"))
}

// TestNoTwoCommandsLookTheSame reads commands back from their rows, to the byte.
func TestNoTwoCommandsLookTheSame(t *testing.T) {
	pieces := []string{"rm -rf x", "ls", " ", "  ", "\t", "\n", strings.Repeat("\n", 300), strings.Repeat(" ", 500), "⟦U+200B⟧", "␛", "␠", "\u200b", "\x1b[2J", "\r", "\x00",
		"\u202e", "рm", "сор", "ｒｍ", "日本語", "\xff", "𝗋𝗆", "ⅼs", "․", "∕", "\u037e", ";", "e\u0301", "👨\u200d👩", "⋯ the same line 3 more times", "$ ls", "↳ ", "\u0085", "\ufeff", "𓀀"}
	rnd := rand.New(rand.NewPCG(3, 5))
	for range 20_000 {
		var b strings.Builder
		for range 1 + rnd.IntN(8) {
			b.WriteString(pieces[rnd.IntN(len(pieces))])
		}
		command, width := b.String(), 34+rnd.IntN(70)
		rows := Lines(command, width, "en")
		for _, r := range rows {
			if Width(r.Lead+r.Text) > width {
				t.Fatalf("%q is wider than %d", r, width)
			}
		}
		if again := read(rows); again != command {
			t.Fatalf("%q is shown as %q, which reads %q", command, rows, again)
		}
	}
}

func TestPayloadStandsBesideFoldedLines(t *testing.T) {
	rows := Lines(strings.Repeat("\n", 150)+"rm -rf ~"+strings.Repeat("\n", 150), 80, "en")
	var all []string
	for _, r := range rows {
		all = append(all, r.Lead+r.Text)
	}
	want := "$ |⋯ the same line 149 more times|$ rm -rf ~|$ |⋯ the same line 149 more times"
	if got := strings.Join(all, "|"); got != want {
		t.Errorf("shown as %q, want %q", got, want)
	}
}

func TestExactMarksWhatPoses(t *testing.T) {
	for in, out := range map[string]string{
		"pаypal": "p⟦U+0430⟧ypal", "сор": "⟦U+0441⟧⟦U+043E⟧⟦U+0440⟧", "привет": "привет", "größe": "größe", "日本語。": "日本語。", "𝗋m": "⟦U+1D5CB⟧m",
		"⟦U+200B⟧": "⟦U+27E6⟧U+200B⟦U+27E7⟧", "a␛b": "a⟦U+241B⟧b", "a\u2010b": "a⟦U+2010⟧b", "ls\u037e rm": "ls⟦U+037E⟧ rm", "ⅼs": "⟦U+217C⟧s", "a; b": "a; b",
	} {
		if got := Exact(in); got != out {
			t.Errorf("Exact(%q) = %q, want %q", in, got, out)
		}
	}
	if got := OneRow("because\n$ rm -rf /\tit"); got != "because␊$ rm -rf /␉it" {
		t.Errorf("a reason draws lines: %q", got)
	}
}

func TestChangesCannotPretendToBeOthers(t *testing.T) {
	diff := "--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n a\n-b\n+" + strings.Repeat("long ", 9) + "+c\n"
	var got []string
	for _, r := range Changes(diff, 20) {
		got = append(got, string(r.Kind)+r.Lead+r.Text)
	}
	want := "f--- a/x|f+++ b/x|@@@ -1,2 +1,2 @@|  a|--b|++long long long lon|+↳ g long long long l|+↳ ong long +c"
	if s := strings.Join(got, "|"); s != want {
		t.Errorf("got  %q\nwant %q", s, want)
	}
}

// TestTheCommandOfEffectsIsSeenWhole before what it did may be kept: in one row of a title, or in rows of its own that must
// have been on the screen.
func TestTheCommandOfEffectsIsSeenWhole(t *testing.T) {
	long := "echo start; " + strings.Repeat("true some-words-to-make-it-long; ", 60) + "rm -rf sub"
	for command, whole := range map[string]bool{"make": false, "rm -rf sub": false, long: true, "true\nrm -rf sub": true, "make \u200b": false, "make        " + strings.Repeat(" ", 90) + "rm x": true} {
		for _, width := range []int{40, 78, 200} {
			p := nebula.Proposal{Effect: nebula.Write, Ran: command, Diff: "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n"}
			rows, firm := Decision(p, nil, width, "en")
			if got := len(rows) > 5; got != whole {
				t.Errorf("%q in %d columns has rows of its own: %v", command, width, got)
			}
			if own := len(rows) - 5; firm != own || own > 0 && read(rows[:own]) != command {
				t.Errorf("%q in %d columns is shown as %q, %d of which must have been seen", command, width, rows[:own], firm)
			}
		}
	}
}
