package tool

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/aymanbagabas/go-udiff"

	"nebula"
)

func TestADiffBeginsWhereAPersonWouldSay(t *testing.T) {
	const two = "func a() {\n\treturn\n}\n\nfunc c() {\n\treturn\n}\n"
	const three = "func a() {\n\treturn\n}\n\n// b is new.\nfunc b() {\n\treturn\n}\n\nfunc c() {\n\treturn\n}\n"
	for _, c := range []struct{ name, before, after, want string }{
		{"added", two, three, "+// b is new.\n+func b() {\n+\treturn\n+}\n+\n"},
		{"removed", three, two, "-// b is new.\n-func b() {\n-\treturn\n-}\n-\n"},
		{"at the end", "func a() {\n}\n", "func a() {\n}\n\nfunc b() {\n}\n", "+\n+func b() {\n+}\n"},
		{"at the beginning", "func a() {\n}\n", "func b() {\n}\n\nfunc a() {\n}\n", "+func b() {\n+}\n+\n"},
		{"nested", "if a {\n\tx()\n}\n", "if a {\n\tx()\n}\nif b {\n\ty()\n}\n", "+if b {\n+\ty()\n+}\n"},
		{"python", "class A:\n    def a(self):\n        pass\n\n    def c(self):\n        pass\n", "class A:\n    def a(self):\n        pass\n\n    def b(self):\n        pass\n\n    def c(self):\n        pass\n",
			"+    def b(self):\n+        pass\n+\n"},
	} {
		target := nebula.Target{Path: "f", Kind: "edit"}
		diff := compared(&target, []byte(c.before), []byte(c.after))
		if !strings.Contains(diff, "\n"+c.want) || strings.Count(diff, "\n+")+strings.Count(diff, "\n-") != strings.Count(c.want, "\n")+1 {
			t.Errorf("%s:\n%s\nwant\n%s", c.name, diff, c.want)
		}
	}
}

// Wherever a change is drawn, it is the same change.
func TestADiffThatSlidIsTheSameChange(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	text := func() string {
		var b strings.Builder
		for range random.IntN(12) {
			b.WriteString([]string{"a\n", "\tb\n", "}\n", "\n", "{\n"}[random.IntN(5)])
		}
		if random.IntN(4) == 0 {
			b.WriteString("end")
		}
		return b.String()
	}
	for range 20_000 {
		before, after := text(), text()
		got, err := udiff.Apply(before, slid(before, udiff.Lines(before, after)))
		if err != nil || got != after {
			t.Fatalf("%q to %q gives %q, %v", before, after, got, err)
		}
	}
}
