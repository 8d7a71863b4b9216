package terminal

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"nebula"
	"nebula/internal/nebulatest"
)

// effectsOf are the texts of rows that say what becomes of files, whole again.
func effectsOf(rows []Row) (texts []string) {
	for _, r := range rows {
		switch {
		case r.Kind == '~' && r.Lead == affects:
			texts = append(texts, r.Text)
		case r.Kind == '~':
			texts[len(texts)-1] += r.Text
		}
	}
	for i, text := range texts {
		texts[i] = nebulatest.Unshown(text)
	}
	return texts
}

// TestEveryEffectIsARow generates what commands do, and finds each file by its name with what becomes of it.
func TestEveryEffectIsARow(t *testing.T) {
	rnd := rand.New(rand.NewPCG(19, 1))
	for range 3000 {
		p, told := nebulatest.Deeds(rnd, rnd.IntN(30))
		width := 30 + rnd.IntN(90)
		rows, firm := Decision(p, nil, width, "en")
		got := effectsOf(rows)
		for _, want := range told {
			if !slices.Contains(got, want) {
				t.Fatalf("nothing says %q:\n%q", want, got)
			}
		}
		if len(got) != len(told) {
			t.Fatalf("%d rows for %d effects: %q", len(got), len(told), got)
		}
		if all := len(rows) - len(Changes(p.Diff, width)); firm != all {
			t.Fatalf("%d rows must have been seen, %d tell what becomes of files", firm, all)
		}
		if last := rows[len(rows)-1]; last.Kind != '+' {
			t.Fatalf("the diff does not stand below: %q", last)
		}
	}
}

// What the diff shows is not said twice, nor a folder of what is made in it.
func TestEffectsDoNotRepeatTheDiff(t *testing.T) {
	diff := "--- /dev/null\n+++ b/api/new.go\n@@ -0,0 +1 @@\n+package api\n--- a/old.go\n+++ /dev/null\n@@ -1 +0,0 @@\n-package old\n"
	targets := []nebula.Target{{Path: "api", Kind: "mkdir"}, {Path: "api/new.go", Kind: "create", ModeAfter: 0o644, Add: 1, Size: 12}, {Path: "old.go", Kind: "delete", Mode: 0o644, Del: 1, Was: 12}}
	if got := effectsOf(Effects(nebula.Proposal{Targets: targets, Diff: diff}, 80, "en")); !slices.Equal(got, []string{"deletes old.go (12 B)"}) {
		t.Errorf("among others: %q", got)
	}
	if got := Effects(nebula.Proposal{Targets: targets[2:], Diff: diff}, 80, "en"); len(got) > 0 {
		t.Errorf("alone: %q", got)
	}
	if got := effectsOf(Effects(nebula.Proposal{Targets: targets[:1]}, 80, "ja")); !slices.Equal(got, []string{"フォルダーを作成: api"}) {
		t.Errorf("a folder: %q", got)
	}
}

// Of what the project ignores much is counted, and a little is named.
func TestWhatIsIgnoredIsCounted(t *testing.T) {
	var targets []nebula.Target
	for i := range 4000 {
		targets = append(targets, nebula.Target{Path: fmt.Sprint("node_modules/", i), Kind: "create", ModeAfter: 0o644, Ignored: true, Size: 5})
	}
	targets = append(targets, nebula.Target{Path: ".env", Kind: "delete", Mode: 0o600, Was: 40, Ignored: true}, nebula.Target{Path: "a.log", Kind: "time", Ignored: true})
	got := effectsOf(Effects(nebula.Proposal{Targets: targets}, 100, "en"))
	if want := []string{"deletes .env, which the project ignores", "makes 4000 files in node_modules/, which the project ignores"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// A line in a hunk is of a file, whatever it looks like: its name is not one that the diff shows.
func TestLinesOfAFileNameNone(t *testing.T) {
	diff := "--- a/x\n+++ b/x\n@@ -1,2 +1,3 @@\n one\n+++ b/gone\n+++++ b/y\n " + strings.Repeat(" ", 90) + "z\n"
	got := named(diff)
	if !got["x"] || got["gone"] || got["y"] {
		t.Errorf("named: %v", got)
	}
}

// TestAnotherNameIsOneRow: its rights are the file's, which it does not change.
func TestAnotherNameIsOneRow(t *testing.T) {
	p := nebula.Proposal{Targets: []nebula.Target{{Path: "hard.sh", Kind: "create", Twin: "run.sh", ModeAfter: 0o777, After: "h"}}}
	if rows := Effects(p, 80, "en"); len(rows) != 1 || !strings.Contains(rows[0].Text, "another name") {
		t.Errorf("%q", rows)
	}
	p.Targets[0].Twin = ""
	if rows := Effects(p, 80, "en"); len(rows) != 1 || !strings.Contains(rows[0].Text, "rights") {
		t.Errorf("a file of its own: %q", rows)
	}
}
