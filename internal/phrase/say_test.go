package phrase

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"nebula"
)

// sayers are the calls that say a text of the code: In, and what stands for it in a package.
var sayers = []string{"phrase.In", "f.said", "v.said", "t.say", "p.word", "p.row", "said", "worded", "amount", "sentence", "e.put"}

// TestEverySentenceIsSaidInEveryLanguage reads the code: what it says is in every table, and a table holds nothing else. What
// goes into a sentence is the same in all.
func TestEverySentenceIsSaidInEveryLanguage(t *testing.T) {
	asked, written := sentences(t)
	for _, lang := range nebula.Langs()[1:] {
		for _, english := range asked {
			if In(lang, english) == english && letters.MatchString(verbs.ReplaceAllString(english, "")) {
				t.Errorf("%s: nobody says %q", lang, english)
			}
		}
		for english, own := range sayings[lang] {
			if !slices.Contains(written, english) {
				t.Errorf("%s: the code does not say %q", lang, english)
			}
			one := Many(english, 1)
			if a, b := kinds(one), kinds(own); !slices.Equal(a, b) {
				t.Errorf("%s: %q and %q differ in what goes into them: %v and %v", lang, english, own, a, b)
			}
		}
	}
}

var (
	letters = regexp.MustCompile(`\pL`)
	verbs   = regexp.MustCompile(`%(?:\[(\d+)\])?[-+#0-9.]*[a-zA-Z]`)
)

// kinds are the letters of a format's verbs, in the order of what they show.
func kinds(format string) []string {
	format = strings.ReplaceAll(format, "%%", "")
	var found []string
	n := 0
	for _, m := range verbs.FindAllStringSubmatch(format, -1) {
		n++
		if at, err := strconv.Atoi(m[1]); err == nil {
			n = at
		}
		found = append(found, strconv.Itoa(n)+strings.NewReplacer("q", "s").Replace(m[0][len(m[0])-1:]))
	}
	slices.Sort(found)
	return slices.Compact(found)
}

// sentences are the literals that calls of sayers hold, in packages that know this one, and all literals there.
func sentences(t *testing.T) (asked, written []string) {
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		if path == filepath.Join("..", "cli") { // its Japanese stands beside it, and is held there
			return filepath.SkipDir
		}
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") || strings.HasPrefix(d.Name(), "say_") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if text, ok := literal(n); ok {
				written = append(written, text)
			}
			if call, ok := n.(*ast.CallExpr); ok && slices.Contains(sayers, name(call.Fun)) {
				for _, arg := range call.Args {
					if text, ok := literal(arg); ok {
						asked = append(asked, text)
						break
					}
				}
			}
			return true
		})
		return nil
	})
	if err != nil || len(asked) < 100 {
		t.Fatal(len(asked), err)
	}
	return asked, written
}

func name(fn ast.Expr) string {
	switch fn := fn.(type) {
	case *ast.Ident:
		return fn.Name
	case *ast.SelectorExpr:
		if of, ok := fn.X.(*ast.Ident); ok {
			return of.Name + "." + fn.Sel.Name
		}
	}
	return ""
}

func literal(n ast.Node) (string, bool) {
	lit, ok := n.(*ast.BasicLit)
	if !ok || lit.Kind != token.STRING {
		return "", false
	}
	text, err := strconv.Unquote(lit.Value)
	return text, err == nil
}
