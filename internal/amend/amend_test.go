package amend

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/aymanbagabas/go-udiff"

	"nebula"
)

const diff = "--- a/x\n+++ b/x\n@@ -1,4 +1,4 @@\n one\n-two\n+2\n \n four\n@@ -9,2 +9,3 @@\n nine\n+ten\n eleven\n"

const text = "one\ntwo\n\nfour\n5\n6\n7\n8\nnine\neleven\n"

func TestAPersonsDiffIsRead(t *testing.T) {
	rest := "5\n6\n7\n8\n"
	first, second := "@@ -1,4 +1,4 @@\n", "@@ -9,2 +9,3 @@\n"
	for name, c := range map[string]struct{ own, want string }{
		"as it is":             {diff, "one\n2\n\nfour\n" + rest + "nine\nten\neleven\n"},
		"another line":         {strings.Replace(diff, "+2", "+zwei", 1), "one\nzwei\n\nfour\n" + rest + "nine\nten\neleven\n"},
		"a line stays":         {strings.Replace(diff, "-two", " two", 1), "one\ntwo\n2\n\nfour\n" + rest + "nine\nten\neleven\n"},
		"a line goes":          {strings.Replace(diff, " four", "-four", 1), "one\n2\n\n" + rest + "nine\nten\neleven\n"},
		"without marks":        {strings.Replace(diff, "+ten", "ten\neleven and a half", 1), "one\n2\n\nfour\n" + rest + "nine\nten\neleven and a half\neleven\n"},
		"blanks at ends lost":  {strings.Replace(diff, "\n \n", "\n\n", 1), "one\n2\n\nfour\n" + rest + "nine\nten\neleven\n"},
		"without heads":        {diff[strings.Index(diff, "@@"):], "one\n2\n\nfour\n" + rest + "nine\nten\neleven\n"},
		"one hunk":             {second + " nine\n+ten\n eleven", "one\ntwo\n\nfour\n" + rest + "nine\nten\neleven\n"},
		"other ends of lines":  {strings.ReplaceAll(diff, "\n", "\r\n"), "one\n2\n\nfour\n" + rest + "nine\nten\neleven\n"},
		"blank lines behind":   {diff + "\n\n", "one\n2\n\nfour\n" + rest + "nine\nten\neleven\n"},
		"everything goes":      {first + "-one\n-two\n-\n-four\n", rest + "nine\neleven\n"},
		"plus as a line":       {strings.Replace(diff, "+2", "++", 1), "one\n+\n\nfour\n" + rest + "nine\nten\neleven\n"},
		"no end":               {strings.Replace(diff, " eleven\n", " eleven\n\\ No newline at end of file\n", 1), "one\n2\n\nfour\n" + rest + "nine\nten\neleven\n"},
		"another file":         {strings.Replace(diff, "+++ b/x", "+++ b/y", 1), ""},
		"a mode":               {"new mode 100755\n" + diff, ""},
		"a control":            {strings.Replace(diff, "+2", "+\x1b[2J", 1), ""},
		"a nothing":            {strings.Replace(diff, "+2", "+\x00", 1), ""},
		"a line is left out":   {strings.Replace(diff, " four\n", "", 1), ""},
		"a taken one left out": {strings.Replace(diff, "-two\n", "", 1), ""},
		"another context":      {strings.Replace(diff, " four", " vier", 1), ""},
		"another is to go":     {strings.Replace(diff, "-two", "-zwei", 1), ""},
		"another place":        {strings.Replace(diff, "@@ -1,4", "@@ -2,4", 1), ""},
		"the other order":      {second + " nine\n+ten\n eleven\n" + first + " one\n-two\n+2\n \n four\n", ""},
		"twice":                {second + " nine\n+ten\n eleven\n" + second + " nine\n+ten\n eleven\n", ""},
		"nothing":              {"", ""},
		"words":                {"no, do not do it", ""},
	} {
		made, err := Read(diff, c.own)
		got, ok := made.Apply(text)
		if err != nil || !ok {
			got = ""
		}
		if got != c.want {
			t.Errorf("%s: %q, %v", name, got, err)
		}
		if c.want == "" {
			continue
		}
		if again, err := Read(made.Diff, made.Diff); err != nil || len(again.Hunks) != len(made.Hunks) {
			t.Errorf("%s: what is shown is no diff: %v\n%s", name, err, made.Diff)
		}
	}
	if made, err := Read(diff, diff); err != nil || made.Diff != diff {
		t.Errorf("what was proposed is shown otherwise: %v\n%s", err, made.Diff)
	}
	if c, _ := Read(diff, diff); c.Hunks == nil {
		t.Error("nothing is made")
	} else if _, ok := c.Apply("one\n"); ok {
		t.Error("it is made of another text")
	}
}

func TestChangesOfOneTextAreOffered(t *testing.T) {
	edit, create, mkdir := nebula.Target{Path: "a", Kind: "edit"}, nebula.Target{Path: "a", Kind: "create"}, nebula.Target{Path: "d", Kind: "mkdir"}
	for name, c := range map[string]struct {
		p    nebula.Proposal
		want bool
	}{
		"edit":      {nebula.Proposal{Effect: nebula.Write, Diff: diff, Targets: []nebula.Target{edit}}, true},
		"create":    {nebula.Proposal{Effect: nebula.Write, Diff: diff, Targets: []nebula.Target{mkdir, create}}, true},
		"two":       {nebula.Proposal{Effect: nebula.Write, Diff: diff, Targets: []nebula.Target{edit, create}}, false},
		"delete":    {nebula.Proposal{Effect: nebula.Write, Diff: diff, Targets: []nebula.Target{{Path: "a", Kind: "delete"}}}, false},
		"a command": {nebula.Proposal{Effect: nebula.Write, Ran: "make", Diff: diff, Targets: []nebula.Target{edit}}, false},
		"runs":      {nebula.Proposal{Effect: nebula.Execute, Diff: diff, Targets: []nebula.Target{edit}}, false},
		"binary":    {nebula.Proposal{Effect: nebula.Write, Diff: "--- a/x\n+++ b/x\n(binary)\n", Targets: []nebula.Target{edit}}, false},
	} {
		if got := Offered(c.p) != ""; got != c.want {
			t.Errorf("%s: %t", name, got)
		}
	}
}

// Whatever lines a person keeps, takes out and puts in, that is what is made.
func TestEveryDiffOfAPersonIsMade(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for n := range 3000 {
		var old []string
		for i := range r.IntN(12) {
			old = append(old, []string{"", "a", "b", "  c", "- d", "+ e", fmt.Sprint(i)}[r.IntN(7)])
		}
		next := slices.Clone(old)
		for range 1 + r.IntN(3) {
			at := r.IntN(len(next) + 1)
			next = slices.Insert(next, at, []string{"new", "", "-x", "+y"}[r.IntN(4)])
			if at = r.IntN(len(next)); r.IntN(2) == 0 {
				next = slices.Delete(next, at, at+1)
			}
		}
		before, after := joined(old), joined(next)
		shown := udiff.Unified("a/x", "b/x", before, after)
		if shown == "" {
			continue
		}
		made, err := Read(shown, shown)
		if got, ok := made.Apply(before); err != nil || !ok || got != after {
			t.Fatalf("%d: of %q by\n%s\nis made %q, %v", n, before, shown, got, err)
		}
		var own []string
		for _, h := range heads(shown) {
			own = append(own, h.line)
			for _, l := range h.lines {
				switch pick := r.IntN(6); {
				case l[0] == '+' && pick == 0: // left out
				case l[0] == '+' && pick == 1:
					own = append(own, "+other")
				case l[0] == '-' && pick < 2:
					own = append(own, " "+l[1:])
				case l[0] == ' ' && pick == 0:
					own = append(own, "-"+l[1:])
				default:
					own = append(own, l)
				}
				if r.IntN(8) == 0 {
					own = append(own, "+put in")
				}
			}
		}
		want := plainly(before, own)
		made, err = Read(shown, strings.Join(own, "\n"))
		if got, ok := made.Apply(before); err != nil || !ok || got != want {
			t.Fatalf("%d: of %q by\n%s\nis made %q for %q, %v", n, before, strings.Join(own, "\n"), got, want, err)
		}
		if shown, err := Read(made.Diff, made.Diff); err != nil {
			t.Fatalf("%d: what is shown is no diff: %v\n%s", n, err, made.Diff)
		} else if got, _ := shown.Apply(before); got != want {
			t.Fatalf("%d: what is shown makes %q of it", n, got)
		}
	}
}

func joined(lines []string) string {
	if len(lines) == 0 {
		return ""
	}
	return strings.Join(lines, "\n") + "\n"
}

// plainly is a text by a diff's lines, one after the other.
func plainly(before string, own []string) string {
	old := strings.SplitAfter(before, "\n")
	at := 0
	var b strings.Builder
	for _, l := range own {
		switch l[0] {
		case '@':
			var from, count int
			if n, _ := fmt.Sscanf(l, "@@ -%d,%d", &from, &count); n == 1 {
				count = 1
			}
			if count > 0 {
				from--
			}
			for ; at < from; at++ {
				b.WriteString(old[at])
			}
		case '+':
			b.WriteString(l[1:] + "\n")
		case ' ':
			b.WriteString(old[at])
			at++
		case '-':
			at++
		}
	}
	return b.String() + strings.Join(old[at:], "")
}
