package lazy

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"math/rand/v2"
	"path/filepath"
	"regexp"
	"regexp/syntax"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"
)

func TestInCompilesWhereAMatchIsPossible(t *testing.T) {
	fixed := &Pattern{X: `(?i)\b(?:fixed|kept) it\b|brisk!`}
	for text, want := range map[string]bool{"say hello": false, "I FIXED it.": true, "bri\u017F\u212A!": true, "unfixed it": false} {
		if got := fixed.In(text); got != want || fixed.For(text).MatchString(text) != want {
			t.Errorf("%q: %v", text, got)
		}
	}
	p := &Pattern{X: `a+b`}
	if p.For("hey") != Never.Re() || p.In("hey") || p.re.Load() != nil || !p.For(strings.Repeat("a", brief)+"b").MatchString("ab") || p.re.Load() == nil {
		t.Error("what cannot match is compiled, or what can is not")
	}
}

func TestNeeded(t *testing.T) {
	for _, c := range []struct{ expression, want string }{
		{`(?i)\b(?:fixed|changed) it\b`, "changed fixed"},
		{`a(?:bc|d)?e`, "a"},
		{`\bab?c*d+e{0,2}fgh`, "fgh"},
		{`x{2,3}`, "x"},
		{`\x60?abc`, "abc"},
		{`\x{60}+[]a]*[^]b]*[[:alpha:]]\p{Lu}\pL\.go$`, ".go"},
		{`(?P<n>Über|öl)`, "ber l"},
		{`(?i)Über|öl`, "ber l"},
		{`(?i)skip`, "skip"},
		{`(a|)`, ""},
		{`^$`, ""},
		{`と(?:書い|出力)て`, "書い 出力"},
		{`\Qa\E`, ""},
		{`{a}`, "{a}"},
		{`a+?bc`, "bc"},
	} {
		words := needed(c.expression)
		if !sound(t, c.expression, words) {
			t.Errorf("%s does not need %q", c.expression, words)
		}
		got := map[string]bool{}
		for _, w := range words {
			got[w] = true
		}
		for _, w := range strings.Fields(c.want) {
			if !got[w] {
				t.Errorf("%s needs %q, want %q", c.expression, words, c.want)
			}
		}
		if c.want == "" && words != nil {
			t.Errorf("%s needs %q, want nothing", c.expression, words)
		}
	}
}

// Every expression of the program needs what is said that it needs.
func TestNeededOfEveryExpression(t *testing.T) {
	n, clear := 0, 0
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(node ast.Node) bool {
			lit, ok := node.(*ast.BasicLit)
			if !ok || lit.Kind != token.STRING {
				return true
			}
			text, err := strconv.Unquote(lit.Value)
			if err != nil {
				return true
			}
			if _, err := regexp.Compile(text); err != nil {
				return true
			}
			words := needed(text)
			n++
			if words != nil {
				clear++
			}
			if words != nil && !sound(t, text, words) {
				t.Errorf("%s: %s does not need %q", path, text, words)
			}
			return true
		})
		return nil
	})
	if err != nil || clear < 1000 {
		t.Errorf("%d of %d, %v", clear, n, err)
	}
}

func FuzzNeeded(f *testing.F) {
	f.Add(`a(?:b|c)+`)
	f.Fuzz(func(t *testing.T, expression string) {
		if _, err := regexp.Compile(expression); err != nil {
			return
		}
		if words := needed(expression); words != nil && !sound(t, expression, words) {
			t.Errorf("%q does not need %q", expression, words)
		}
	})
}

// sound makes texts that the library's reading of the expression matches, and looks for the words in each.
func sound(t *testing.T, expression string, words []string) bool {
	t.Helper()
	tree, err := syntax.Parse(expression, syntax.Perl)
	if err != nil {
		t.Fatal(err)
	}
	for range 40 {
		text := match(tree)
		if words != nil && !slices.ContainsFunc(words, fold(text).has) {
			t.Logf("%q", text)
			return false
		}
	}
	return true
}

// match is a text that an expression matches, where its ends and borders of words are left aside.
func match(re *syntax.Regexp) string {
	least, most := 1, 1
	switch re.Op {
	case syntax.OpLiteral:
		text := []rune(string(re.Rune))
		for i, r := range text {
			for re.Flags&syntax.FoldCase != 0 && rand.IntN(2) == 0 {
				r = unicode.SimpleFold(r)
				text[i] = r
			}
		}
		return string(text)
	case syntax.OpCharClass:
		i := rand.IntN(len(re.Rune)/2) * 2
		return string(re.Rune[i] + rand.Int32N(re.Rune[i+1]-re.Rune[i]+1))
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		return "·"
	case syntax.OpAlternate:
		return match(re.Sub[rand.IntN(len(re.Sub))])
	case syntax.OpQuest, syntax.OpStar:
		least, most = 0, 2
	case syntax.OpPlus:
		most = 3
	case syntax.OpRepeat:
		least, most = re.Min, max(re.Min, min(re.Max, re.Min+2))
	}
	if re.Op == syntax.OpQuest {
		most = 1
	}
	text := ""
	for range least + rand.IntN(most-least+1) {
		for _, s := range re.Sub {
			text += match(s)
		}
	}
	return text
}
