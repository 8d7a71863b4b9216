package tui

import (
	"strings"
	"testing"

	"nebula/internal/terminal"
)

// bracketed is a diff's lines with what changed within them in brackets.
func bracketed(diff string) string {
	var b strings.Builder
	for _, l := range readDiff(diff) {
		if l.kind != '+' && l.kind != '-' {
			continue
		}
		text, marks := shownLine(l)
		at := 0
		b.WriteByte(l.kind)
		for _, m := range marks {
			b.WriteString(text[at:m.from] + "[" + text[m.from:m.to] + "]")
			at = m.to
		}
		b.WriteString(text[at:] + "\n")
	}
	return b.String()
}

func change(lines ...string) string {
	old, now := 0, 0
	for _, l := range lines {
		if l[0] != '+' {
			old++
		}
		if l[0] != '-' {
			now++
		}
	}
	return "--- a/x.go\n+++ b/x.go\n@@ -1," + string(rune('0'+old)) + " +1," + string(rune('0'+now)) + " @@\n" + strings.Join(lines, "\n") + "\n"
}

func TestChangedWordsAreMarked(t *testing.T) {
	for name, c := range map[string]struct{ diff, want string }{
		"a word":         {change("-if total > limit {", "+if total >= limit {"), "-if total > limit {\n+if total >[=] limit {\n"},
		"a name":         {change("-call(oldName, 1)", "+call(newName, 1)"), "-call([oldName], 1)\n+call([newName], 1)\n"},
		"two apart":      {change("-one two three four", "+ONE two three FOUR"), "-[one] two three [four]\n+[ONE] two three [FOUR]\n"},
		"neighbours":     {change("-keep one two keep it", "+keep uno dos keep it"), "-keep [one two] keep it\n+keep [uno dos] keep it\n"},
		"nothing alike":  {change("-return nil", "+panic(\"x\" + y)"), "-return nil\n+panic(\"x\" + y)\n"},
		"japanese":       {change("-追加するファイルの名前", "+追加するフォルダーの名前"), "-追加する[ファイル]の名前\n+追加する[フォルダー]の名前\n"},
		"an added line":  {change("-a := load(path)", "+check(path)", "+a := load(ctx, path)"), "-a := load(path)\n+check(path)\n+a := load([ctx, ]path)\n"},
		"spaces and tab": {change("-    x := 1", "+\tx := 1"), "-[····]x := 1\n+[→   ]x := 1\n"},
		"at the end":     {change("-x := 1", "+x := 1  "), "-x := 1\n+x := 1[··]\n"},
		"hidden":         {change("-the name of user is kept", "+the name of us\u0435r is kept"), "-the name of [user] is kept\n+the name of [us⟦U+0435⟧r] is kept\n"},
	} {
		if got := bracketed(c.diff); got != c.want {
			t.Errorf("%s:\n%swant\n%s", name, got, c.want)
		}
	}
}

// TestDiffRowsLoseNothing draws every kind of change in every way, and looks for each of its characters.
func TestDiffRowsLoseNothing(t *testing.T) {
	diff := change(" package a", "-var x = \"old 日本\" // remark", "+var y = \"new 日本語\" // remark", "+func f() { return 42 }") +
		"--- /dev/null\n+++ b/new.txt\n@@ -0,0 +1 @@\n+first\n\\ No newline at end of file\n--- a/gone.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n--- a comment of SQL\n"
	for _, depth := range []Depth{NoColor, Sixteen, Indexed, TrueColor} {
		for _, side := range []bool{false, true} {
			for _, width := range []int{12, 40, 80, 120} {
				d := drawer{words: wordsFor("en"), style: styleFor(depth, false), width: width, look: look{side: side}}
				all := ""
				for _, row := range d.diff(diff) {
					if terminal.Bare(row) > width {
						t.Fatalf("row %q is wider than %d", terminal.Unpainted(row), width)
					}
					all += terminal.Unpainted(row) + "\n"
				}
				flat := strings.NewReplacer("\n", "", " ", "", "│", "").Replace(all)
				for _, want := range []string{"varx=", "old日本", "vary=", "new日本語", "funcf(){return42}", "x.go", "new.txt", "gone.txt", "first", "--acommentofSQL"} {
					if !strings.Contains(flat, want) && !(side && width >= sideWidth) && width > 12 {
						t.Errorf("depth %d, side %v, width %d lacks %q:\n%s", depth, side, width, want, all)
					}
				}
			}
		}
	}
}

func FuzzDiff(f *testing.F) {
	f.Add(change("-a b", "+a c"))
	f.Add("--- a/x\n+++ /dev/null\n@@ -1,9 +0,0 @@\n-\u202e\n\\")
	f.Fuzz(func(t *testing.T, diff string) {
		d := drawer{words: wordsFor("en"), style: styleFor(TrueColor, false), width: 40}
		for _, row := range d.diff(diff) {
			if terminal.Bare(row) > 40 {
				t.Fatalf("%q is too wide", row)
			}
		}
	})
}
